"""Two worker processes on one Postgres checkpointer and one Chroma server; one is killed in the middle of a turn."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chromadb
import pytest
from openai_server import Hangs, Says, serving
from postgres import NoPostgresError, free_port, postgres

from langchain_contextmode import ChromaMemoryStore, Scope

WORKER = Path(__file__).parent / "worker.py"
SECONDS = 60

pytestmark = pytest.mark.integration


class Model:
    """Calls the tool once a turn, then answers; waits forever at one place that a test may set."""

    def __init__(self):
        self.hangs_at = None
        self.hanging = threading.Event()

    def __call__(self, body):
        newest = max(index for index, message in enumerate(body["messages"]) if message["role"] == "user")
        user, turn = re.search(r"Turn (\w+)-(\d+)", body["messages"][newest]["content"]).groups()
        step = sum(message["role"] == "tool" for message in body["messages"][newest:])
        if self.hangs_at == (user, int(turn), step):
            self.hangs_at = None
            self.hanging.set()
            return Hangs(SECONDS)
        return Says(f"Answer {user}-{turn}.") if step else Says(calls=(("stock", {"item": f"part-{user}-{turn}"}),))


class Worker:
    """A worker process."""

    def __init__(self, *urls):
        keys = {"OPENAI_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"}
        environment = {name: value for name, value in os.environ.items() if name not in keys}
        environment |= {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "LANGSMITH_TRACING": "false"}
        command = [sys.executable, str(WORKER), *urls]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ready(self):
        assert self.heard() == {"ready": True}

    def heard(self):
        line = self.process.stdout.readline()
        assert line, f"the worker ended with {self.process.wait(SECONDS)}"
        return json.loads(line)

    def send(self, user, text):
        self.process.stdin.write(json.dumps({"user": user, "thread": f"thread-{user}", "text": text}) + "\n")
        self.process.stdin.flush()

    def turn(self, user, text):
        self.send(user, text)
        return self.heard()

    def kill(self):
        self.process.kill()
        self.process.wait(SECONDS)
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def postgres_url():
    pytest.importorskip("psycopg")
    try:
        with postgres() as url:
            yield url
    except NoPostgresError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def chroma_url(tmp_path_factory):
    port = free_port()
    command = [sys.executable, "-c", "from chromadb.cli.cli import app; app()", "run", "--path", str(tmp_path_factory.mktemp("chroma"))]
    process = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait(SECONDS)


def wait_for(port):
    for _ in range(SECONDS * 5):
        try:
            chromadb.HttpClient(host="127.0.0.1", port=port).heartbeat()
        except Exception:  # noqa: BLE001  (not up yet)
            time.sleep(0.2)
        else:
            return
    pytest.fail("the Chroma server did not start")


@pytest.fixture(scope="module")
def crew(postgres_url, chroma_url):
    """A model over HTTP, and workers that are replaced when they are gone."""
    with serving(Model()) as server:
        pair = []
        try:
            yield pair, server, lambda: Worker(postgres_url, chroma_url, server.url)
        finally:
            for worker in pair:
                worker.kill()


@pytest.fixture
def workers(crew):
    """Two workers, and the server of the model that they talk to."""
    pair, server, another = crew
    pair[:] = [worker for worker in pair if worker.process.poll() is None]
    new = [another() for _ in range(2 - len(pair))]
    pair += new
    for worker in new:
        worker.ready()
    server.requests.clear()
    return pair, server


THINGS = ["tea", "chess", "jazz", "sailing", "cheese", "opera", "rugby", "pottery", "cycling", "gardening"]


def said(user, turn):
    """Return what a user says in a turn; each turn states one thing to remember."""
    return f"Turn {user}-{turn}: how many parts are left? I love {THINGS[turn]} {user}."


def stored(postgres_url, user):
    from langgraph.checkpoint.postgres import PostgresSaver  # noqa: PLC0415  (skipped where psycopg is absent)

    with PostgresSaver.from_conn_string(postgres_url) as saver:
        state = saver.get_tuple({"configurable": {"thread_id": f"thread-{user}"}}).checkpoint["channel_values"]
    return state["messages"], state["contextmode"]


@pytest.mark.parametrize(("step", "resumed"), [(0, True), (0, False), (1, True), (1, False)])
def test_a_worker_that_is_killed_in_a_turn_loses_and_doubles_nothing(workers, postgres_url, chroma_url, step, resumed):
    """Turns go to both workers in turn; one dies before or after the tool ran, the other takes up the turn, or the next one."""
    user = f"ana{step}{resumed:d}"
    (first, second), server = workers
    model = server.reply
    model.hanging.clear()
    for turn in range(4):
        assert (first, second)[turn % 2].turn(user, said(user, turn)) == {"answer": f"Answer {user}-{turn}."}
    model.hangs_at = (user, 4, step)
    first.send(user, said(user, 4))
    assert model.hanging.wait(SECONDS)
    first.kill()
    if resumed:
        assert second.turn(user, None) == {"answer": f"Answer {user}-4."}
    for turn in range(5, 9):
        assert second.turn(user, said(user, turn)) == {"answer": f"Answer {user}-{turn}."}
    assert server.refused == []
    messages, state = stored(postgres_url, user)
    answered = [turn for turn in range(9) if resumed or turn != 4]
    assert [m.text for m in messages if m.type == "human"] == [said(user, turn) for turn in range(9)]
    assert [m.text for m in messages if m.type == "ai" and m.text] == [f"Answer {user}-{turn}." for turn in answered]
    results = Counter(m.text.partition(":")[0] for m in messages if m.type == "tool")
    assert results == {f"part-{user}-{turn}": 1 for turn in range(9) if turn in answered or step == 1}
    assert THINGS[0] in str(state["pins"]), "what the first worker noted is in the state of the second"
    store = ChromaMemoryStore(url=chroma_url)
    rows = sorted(memory.text for memory in store.list(Scope(user, f"thread-{user}")))
    assert rows == sorted(f"I love {THINGS[turn]} {user}." for turn in range(9))


def test_two_workers_serve_many_users_at_once(workers, postgres_url, chroma_url):
    """Eight users whose turns alternate between the workers, side by side: every log and every memory is its user's own."""
    pair, server = workers
    users = [f"user{number}" for number in range(8)]
    queues = [[], []]
    for turn in range(3):
        for number, user in enumerate(users):
            queues[(turn + number) % 2].append((turn, user))

    def work(worker, queue, turn):
        return [worker.turn(user, said(user, turn)) for when, user in queue if when == turn]

    with ThreadPoolExecutor(2) as pool:
        for turn in range(3):
            answers = [answer for done in pool.map(work, pair, queues, [turn] * 2) for answer in done]
            assert sorted(answer["answer"] for answer in answers) == sorted(f"Answer {user}-{turn}." for user in users)
    assert server.refused == []
    store = ChromaMemoryStore(url=chroma_url)
    for user in users:
        messages, _ = stored(postgres_url, user)
        assert [m.text for m in messages if m.type == "human"] == [said(user, turn) for turn in range(3)]
        rows = {memory.text for memory in store.list(Scope(user, f"thread-{user}"), all_sessions=True)}
        assert rows == {f"I love {THINGS[turn]} {user}." for turn in range(3)}
    for body in server.requests:
        assert len(set(re.findall(r"Turn (\w+)-\d+", json.dumps(body["messages"])))) == 1

"""`langgraph dev` serves the context graph, without a key."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import httpx
import pytest
from langchain_core.messages import messages_to_dict

from langchain_contextmode.transcripts import load_transcript

ROOT = Path(__file__).parents[2]
TRIP = str(files("langchain_contextmode") / "data" / "trip.jsonl")
START_SECONDS = 90

pytestmark = pytest.mark.integration


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A dev server on a copy of what it needs, so that its files do not land in the checkout."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(ROOT / "graphs", folder / "graphs")
    shutil.copy(ROOT / "langgraph.json", folder)
    shutil.copytree(ROOT / "langchain_contextmode", folder / "langchain_contextmode", ignore=shutil.ignore_patterns("__pycache__"))
    port = free_port()
    keys = {"OPENAI_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY", "LANGGRAPH_CLOUD_LICENSE_KEY"}
    environment = {name: value for name, value in os.environ.items() if name not in keys}
    environment |= {"LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
            wait_for(client, process, log)
            yield client
    finally:
        stop(process)


def wait_for(client, process, log):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with contextlib.suppress(httpx.HTTPError):
            if client.get("/ok").is_success:
                return
        time.sleep(0.25)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-3_000:]}")


def stop(process):
    for signum in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signum)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
            return


def ask(client, thread, messages):
    body = {"assistant_id": "context", "input": {"messages": messages}}
    response = client.post(f"/threads/{thread}/runs/wait", json=body)
    response.raise_for_status()
    return response.json()


def test_the_served_graph_returns_a_view(server):
    """A thread on the server gets a view: fewer messages than the log, the request last, decisions and report beside it."""
    trip = [{"type": entry["type"], **entry["data"]} for entry in messages_to_dict(load_transcript(TRIP))]
    request = {"role": "user", "content": "What was the hotel's confirmation number?", "id": "request"}
    thread = server.post("/threads", json={}).raise_for_status().json()["thread_id"]
    answer = ask(server, thread, [*trip, request])
    view = answer["context_view"]
    assert view["messages"][0]["type"] == "system"
    assert view["messages"][-1]["content"] == request["content"]
    assert len(view["messages"]) < len(trip)
    assert 0 < view["tokens"] <= 2_000
    assert view["decisions"]["request"]["action"] == "keep"
    assert view["report"]["tokens_before"] > view["tokens"]
    assert any("CAM-20517-8831" in str(message["content"]) for message in view["messages"])


def test_the_served_graph_says_what_it_is(server):
    """The server knows the graph by its name and can draw its steps."""
    (assistant,) = server.post("/assistants/search", json={"graph_id": "context"}).raise_for_status().json()
    graph = server.get(f"/assistants/{assistant['assistant_id']}/graph").raise_for_status().json()
    assert {"intake", "filter", "assemble"} <= {node["id"] for node in graph["nodes"]}

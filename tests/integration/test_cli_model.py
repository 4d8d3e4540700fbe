"""The command line with a judge behind an OpenAI-like server on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files

import pytest
from langchain_core.messages import messages_to_dict

from langchain_contextmode.cli import REQUESTS
from langchain_contextmode.transcripts import load_transcript

pytestmark = pytest.mark.integration


@pytest.fixture
def server():
    """A server that answers every chat completion with words that are no verdict, and remembers what it was asked."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen.append((self.path, self.headers["authorization"], body["model"]))
            choice = {"index": 0, "message": {"role": "assistant", "content": "I would rather not say."}, "finish_reason": "stop"}
            reply = json.dumps({"id": "r", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_):
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/v1", seen
        running.shutdown()
        thread.join()


@pytest.fixture
def talk(tmp_path):
    """The bundled trip with long speeches: a judge is asked only where it can free more tokens than it costs."""
    messages = load_transcript(str(files("langchain_contextmode") / "data" / "trip.jsonl"))
    for message in messages[1:]:
        if message.type != "tool":
            message.content = f"{message.content} " * 30
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(messages_to_dict(messages)), encoding="utf-8")
    return path


def run(talk, base_url, *arguments):
    environment = {**os.environ, "OPENAI_API_KEY": "key-1", "OPENAI_BASE_URL": base_url, "NO_PROXY": "*", "LANGSMITH_TRACING": "false"}
    command = [sys.executable, "-m", "langchain_contextmode", "run", str(talk), "--view-tokens", "4000", "--query", REQUESTS[0], *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, env=environment)


def test_the_judge_is_asked_with_key_and_name_from_outside(server, talk):
    """`--model` reaches the server that the environment names; a judge that talks nonsense costs nothing but a note."""
    base_url, seen = server
    done = run(talk, base_url, "--model", "openai:small-judge", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert set(seen) == {("/v1/chat/completions", "Bearer key-1", "small-judge")}
    data = json.loads(done.stdout)
    assert data["tokens"] <= 4_000
    assert data["report"]["degraded"]


def test_a_judge_out_of_reach_is_told_in_the_report(talk):
    """With nobody listening the view is made by local rules, and the output says so."""
    done = run(talk, "http://127.0.0.1:9/v1", "--model", "small-judge")
    assert done.returncode == 0
    assert "degraded:" in done.stdout
    assert "The view:" in done.stdout

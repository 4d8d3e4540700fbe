"""A server that speaks OpenAI's chat completions over HTTP, says what a test wrote down, and refuses what OpenAI refuses."""

from __future__ import annotations

import itertools
import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHARS_A_TOKEN = 4


@dataclass(frozen=True)
class Says:
    """An answer: text, tool calls as `(name, arguments)`, or both."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


@dataclass(frozen=True)
class Refuses:
    """An HTTP error."""

    status: int
    message: str = "scripted"
    code: str | None = None


@dataclass(frozen=True)
class Hangs:
    """No answer for longer than the client waits."""

    seconds: float = 5.0


@dataclass(frozen=True)
class Cuts:
    """An answer whose connection closes in the middle."""

    text: str


@dataclass
class OpenAIServer:
    """What a test sees of the server.

    Attributes:
        reply: Called with each valid request's body; its answer is sent.
        window_tokens: Requests of more tokens (four characters each) are refused as OpenAI does.
        requests: Bodies in the order of their arrival, refused ones too.
        refused: Why requests were refused that OpenAI would not take.
    """

    reply: Any
    window_tokens: int = 128_000
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    numbers: Any = field(default_factory=itertools.count)

    def of(self, model):
        """Return the requests that named a model."""
        return [body for body in self.requests if body["model"] == model]

    def answer(self, body):
        """Return what is said to a request, refusing what is no valid conversation or too long."""
        self.requests.append(body)
        wrong = flaw(body["messages"])
        if wrong:
            self.refused.append(wrong)
            return Refuses(400, wrong)
        tokens = tokens_of(body)
        if tokens > self.window_tokens:
            message = f"This model's maximum context length is {self.window_tokens} tokens. Your messages resulted in {tokens} tokens."
            return Refuses(400, message, "context_length_exceeded")
        return self.reply(body)


def tokens_of(body):
    """Return roughly what a request costs, tools counted."""
    return len(json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False)) // CHARS_A_TOKEN


def flaw(messages):
    """Return why OpenAI would refuse these messages, or an empty text."""
    open_calls: list[str] = []
    for number, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return f"messages[{number}]: a tool message must follow a message with its 'tool_calls'."
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            return f"messages[{number}]: tool_call_ids had no response messages: {open_calls}"
        if message["role"] == "assistant":
            open_calls = [call["id"] for call in message.get("tool_calls") or ()]
    return f"tool_call_ids had no response messages: {open_calls}" if open_calls else ""


@contextmanager
def serving(reply, **settings):
    """Serve until the block ends; `reply` is called with each request's body."""
    server = OpenAIServer(reply, **settings)
    http = _Quiet(("127.0.0.1", 0), _Handler)
    http.scripted = server
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        scripted = self.server.scripted
        said = scripted.answer(body)
        if isinstance(said, Hangs):
            scripted.closing.wait(said.seconds)
            self.close_connection = True
        elif isinstance(said, Refuses):
            error = {"message": said.message, "type": "invalid_request_error", "param": None, "code": said.code}
            self.send_json(said.status, {"error": error})
        elif body.get("stream"):
            self.send_stream(body, said)
        elif isinstance(said, Cuts):
            self.close_connection = True
        else:
            self.send_json(200, _completion(scripted, body, said))

    def send_json(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(data)

    def send_stream(self, body, said):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for chunk in _chunks(self.server.scripted, body, said):
            self.send_chunk(f"data: {json.dumps(chunk)}\n\n".encode())
        if isinstance(said, Cuts):
            self.close_connection = True  # without the last chunk: the client sees a broken stream
            return
        self.send_chunk(b"data: [DONE]\n\n")
        self.send_chunk(b"")

    def send_chunk(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _calls(server, said):
    return [
        {"id": f"call_{next(server.numbers)}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for name, arguments in said.calls
    ]


def _usage(body, said):
    given, made = tokens_of(body), len(said.text) // CHARS_A_TOKEN + 8 * len(getattr(said, "calls", ()))
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


def _head(server, body, kind):
    return {"id": f"chatcmpl-{next(server.numbers)}", "object": kind, "created": int(time.time()), "model": body["model"]}


def _completion(server, body, said):
    calls = _calls(server, said)
    message = {"role": "assistant", "content": said.text or None, "refusal": None, **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls" if calls else "stop"}
    return {**_head(server, body, "chat.completion"), "choices": [choice], "usage": _usage(body, said)}


def _chunks(server, body, said):
    """Yield the pieces of a streamed answer: a word each, then each call in two pieces, interleaved as OpenAI may send them."""
    head = _head(server, body, "chat.completion.chunk")

    def chunk(delta, finish=None):
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": None}

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    for word in said.text.split(" ") if said.text else ():
        yield chunk({"content": word + " "})
    if isinstance(said, Cuts):
        return
    calls = _calls(server, said)
    for index, call in enumerate(calls):
        arguments = call["function"]["arguments"]
        first = {"index": index, **call, "function": {**call["function"], "arguments": arguments[:5]}}
        yield chunk({"tool_calls": [first]})
        yield chunk({"tool_calls": [{"index": index, "function": {"arguments": arguments[5:]}}]})
    yield chunk({}, "tool_calls" if calls else "stop")
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**head, "choices": [], "usage": _usage(body, said)}

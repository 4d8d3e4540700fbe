"""Conversations from files: JSON or JSONL of LangChain message dicts or OpenAI chat messages.

Nothing in an entry is lost: what LangChain has no field for stays in `additional_kwargs`, tool arguments that are not
JSON become `invalid_tool_calls`. What cannot be read stops the loading with one sentence that says where and why.
"""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from langchain_core.messages import BaseMessage, messages_from_dict
from pydantic import ValidationError

from langchain_contextmode.errors import ContextModeError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHAPE = 'a JSON array of messages, {"messages": [...]}, or one message a line; a message is {"role" or "type": ..., "content": ...}'
_TYPES = {
    "user": "human",
    "human": "human",
    "assistant": "ai",
    "ai": "ai",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "function",
    "chat": "chat",
    "remove": "remove",
}
_CONSTRUCTORS = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
}
_OPENAI_FIELDS = frozenset(
    {"role", "type", "content", "id", "name", "tool_call_id", "tool_calls", "additional_kwargs", "response_metadata"}
)
_WIDE_BOMS = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class TranscriptError(ContextModeError, ValueError):
    """A transcript cannot be read; the sentence names the place and what is expected there."""


def load_transcript(source: str | Path | TextIO) -> list[BaseMessage]:
    """Read a conversation, oldest message first.

    Args:
        source: A path, or an open text stream (standard input), read to its end.

    Returns:
        LangChain messages, one per entry, in the file's order; ids as in the file, `None` where it has none.

    Raises:
        TranscriptError: The file cannot be opened, is not JSON or JSONL, holds no message, or an entry is no message.
    """
    name, text = _read(source)
    messages = [_message(where, entry) for where, entry in _entries(name, text)]
    if not messages:
        message = f"{name} holds no messages; expected {_SHAPE}."
        raise TranscriptError(message)
    return messages


def _read(source: str | Path | TextIO) -> tuple[str, str]:
    if isinstance(source, str | Path):
        name = str(source)
        try:
            data = Path(source).read_bytes()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            message = f"{name} cannot be read: {reason}."
            raise TranscriptError(message) from None
    else:
        name = "standard input" if getattr(source, "name", "") in ("<stdin>", 0) else str(getattr(source, "name", "the stream"))
        buffer = getattr(source, "buffer", None)
        if buffer is None:
            return name, source.read().removeprefix("\ufeff")
        data = buffer.read()
    return name, _decode(name, data)


def _decode(name: str, data: bytes) -> str:
    encoding = next((encoding for bom, encoding in _WIDE_BOMS if data.startswith(bom)), "utf-8-sig")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{name}, line {line}: not {error.encoding} text (byte {error.start + 1} of the file); expected JSON in UTF-8."
        raise TranscriptError(message) from None


def _entries(name: str, text: str) -> Iterator[tuple[str, Any]]:
    """Yield where an entry stands, for error sentences, and the entry."""
    # Only "\n" parts lines: str.splitlines would also cut at U+2028 and the like, which JSON strings may hold as they are.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line and not line.isspace()]
    if len(lines) > 1 and _is_complete(lines[0][1]):
        for number, line in lines:
            yield f"{name}, line {number}", _parse(f"{name}, line {number}", line, "one JSON object a line")
    elif lines:
        whole = _parse(name, text, _SHAPE)
        if isinstance(whole, dict) and "messages" in whole:
            whole = whole["messages"]
        if isinstance(whole, dict):
            whole = [whole]
        if not isinstance(whole, list):
            message = f"{name}: found {_kind(whole)}; expected {_SHAPE}."
            raise TranscriptError(message)
        for number, entry in enumerate(whole, 1):
            yield f"{name}, message {number}", entry


def _is_complete(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parse(where: str, text: str, expected: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if ", line " in where else f"line {error.lineno}, column {error.colno}"
        message = f"{where}: not valid JSON at {place} ({error.msg}); expected {expected}."
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, nesting without end
        message = f"{where}: JSON that cannot be read ({error}); expected {expected}."
    raise TranscriptError(message)


def _message(where: str, entry: Any) -> BaseMessage:
    if not isinstance(entry, dict):
        message = f"{where}: found {_kind(entry)}; expected a message object with role or type, and content."
        raise TranscriptError(message)
    if "messages" in entry and "content" not in entry:
        message = f"{where}: a whole conversation; expected one message a line, or a file with only this conversation."
        raise TranscriptError(message)
    kind, data = _normal(where, entry)
    try:
        return messages_from_dict([{"type": kind, "data": data}])[0]
    except ValidationError as error:
        problem = error.errors()[0]
        field = str(problem["loc"][0]) if problem["loc"] else "message"
        expected = "text, a list of parts, or null" if field == "content" else problem["msg"].lower().removeprefix("input should be ")
        message = f"{where}: {field} is not valid; expected {expected}."
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"{where}: not a message ({error}); expected {_SHAPE}."
    raise TranscriptError(message) from None


def _normal(where: str, entry: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Bring one of the four known forms to LangChain's type and fields."""
    if isinstance(entry.get("data"), dict) and "type" in entry:  # messages_to_dict
        return _type(where, entry["type"], chunks=True), _without_nulls(entry["data"])
    if entry.get("lc") == 1 and isinstance(entry.get("kwargs"), dict):  # langchain_core.load.dumpd
        path = entry.get("id") or [""]
        return _type(where, _CONSTRUCTORS.get(str(path[-1]).removesuffix("Chunk"), path[-1])), _without_nulls(entry["kwargs"])
    role = entry.get("type") if entry.get("type") == "chat" else entry.get("role", entry.get("type"))
    if role is None:
        message = f"{where}: neither role nor type; expected {_SHAPE}."
        raise TranscriptError(message)
    kind = _type(where, role, chunks="role" not in entry)
    if kind != "remove" and "content" not in entry and not any(entry.get(key) for key in ("tool_calls", "function_call", "refusal")):
        message = f"{where}: no content; expected content as text, a list of parts, or null beside tool_calls."
        raise TranscriptError(message)
    if kind == "tool" and not entry.get("tool_call_id"):
        message = f"{where}: a tool result without tool_call_id; expected the id of the call that it answers."
        raise TranscriptError(message)
    return kind, _openai(where, entry, kind) if "role" in entry and kind != "chat" else _without_nulls(entry)


def _type(where: str, value: Any, *, chunks: bool = False) -> str:
    if chunks and isinstance(value, str) and value.endswith("MessageChunk"):
        return value
    kind = _TYPES.get(value) if isinstance(value, str) else None
    if kind is None:
        message = f"{where}: unknown role or type {value!r}; expected one of {', '.join(_TYPES)}."
        raise TranscriptError(message)
    return kind


def _without_nulls(fields: dict[str, Any]) -> dict[str, Any]:
    data = {key: value for key, value in fields.items() if value is not None and key != "type"}
    return {"content": "", **data}


def _openai(where: str, entry: dict[str, Any], kind: str) -> dict[str, Any]:
    """Name LangChain's fields; everything else in the entry stays in `additional_kwargs`."""
    data = _without_nulls({key: entry.get(key) for key in ("content", "id", "name", "tool_call_id", "response_metadata")})
    extra = {key: value for key, value in entry.items() if key not in _OPENAI_FIELDS and value is not None}
    if entry["role"] == "developer":
        extra["__openai_role__"] = "developer"
    own = entry.get("additional_kwargs") or {}
    if extra or own:
        data["additional_kwargs"] = {**extra, **own} if isinstance(own, dict) else own
    calls = entry.get("tool_calls") or []
    if not isinstance(calls, list) or (calls and kind != "ai"):
        message = f"{where}: tool_calls is {_kind(calls)} on a {entry['role']} message; expected a list on an assistant message."
        raise TranscriptError(message)
    for call in calls:
        name, arguments, identity = _call(where, call)
        if isinstance(arguments, dict):
            data.setdefault("tool_calls", []).append({"name": name, "args": arguments, "id": identity, "type": "tool_call"})
        else:
            invalid = {
                "name": name,
                "args": arguments,
                "id": identity,
                "error": "The arguments are not a JSON object.",
                "type": "invalid_tool_call",
            }
            data.setdefault("invalid_tool_calls", []).append(invalid)
    return data


def _call(where: str, call: Any) -> tuple[str, Any, Any]:
    """Return name, arguments (a dict, or the text as it stands) and id of an OpenAI or LangChain tool call."""
    function = call.get("function", call) if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        message = f'{where}: a tool call without a name; expected {{"id": ..., "function": {{"name": ..., "arguments": "..."}}}}.'
        raise TranscriptError(message)
    arguments = function.get("arguments", function.get("args")) or {}
    if isinstance(arguments, str):
        try:
            parsed = json.loads(arguments, strict=False)
        except (ValueError, RecursionError):
            parsed = None
        arguments = parsed if isinstance(parsed, dict) else arguments
    elif not isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return function["name"], arguments, call.get("id")


def _kind(value: Any) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "a truth value",
        int: "a number",
        float: "a number",
        type(None): "null",
    }
    return names.get(type(value), type(value).__name__)

"""What one message says, as plain text, and under which key what is derived from it is cached.

LangChain content is a string or a list of provider-specific blocks. Readable text is taken out of them; media become a
placeholder; signatures, encrypted reasoning and base64 never reach a prompt, a score or a count.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from langchain_core.messages import AIMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from langchain_core.messages import BaseMessage

T = TypeVar("T")

NAMESPACE = "contextmode"
"""Key of our dict inside `additional_kwargs`."""

MEDIA_TYPES = frozenset({"image", "image_url", "input_image", "audio", "input_audio", "video", "file", "input_file", "document", "media"})
TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
REASONING_TYPES = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content"})
CALL_TYPES = frozenset({"tool_use", "function_call", "tool_call", "invalid_tool_call"})
_INLINE_KEY_CHARS = 2_000
_CACHE_ENTRIES = 32_768


class BoundedCache(Generic[T]):
    """First-in-first-out cache for derived values; losing an entry costs time, never correctness."""

    def __init__(self, max_entries: int = _CACHE_ENTRIES) -> None:
        """Start empty."""
        self._values: dict[Hashable, T] = {}
        self._max_entries = max_entries

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the cached value, computing it at first use. Thread-safe: at worst two threads compute the same value."""
        found = self._values.get(key)
        if found is None:
            found = compute()
            while len(self._values) >= self._max_entries:
                try:
                    self._values.pop(next(iter(self._values)), None)
                except (StopIteration, RuntimeError):  # another thread emptied or resized it
                    break
            self._values[key] = found
        return found

    def peek(self, key: Hashable) -> T | None:
        """Return the cached value or `None`."""
        return self._values.get(key)

    def put(self, key: Hashable, value: T) -> None:
        """Store a value computed elsewhere (a batch of embeddings)."""
        self.get(key, lambda: value)


def namespace(message: BaseMessage) -> dict[str, Any]:
    """Return our dict inside `additional_kwargs` (empty if there is none or it is not a dict). Not to be modified."""
    extra = message.additional_kwargs.get(NAMESPACE)
    return extra if isinstance(extra, dict) else {}


def of_session(message: BaseMessage) -> bool:
    """Say whether somebody said this in this session, as opposed to what memory, an archive or this package put there."""
    return bool(namespace(message).get("source", "session") == "session")


def is_pinned(message: BaseMessage) -> bool:
    """Say whether the application marked the message to be kept whole."""
    extra = message.additional_kwargs
    return bool(extra) and bool(extra.get("pinned") is True or namespace(message).get("pinned") is True)


def marks(message: BaseMessage) -> Any:
    """Return a copy of what the application marked on a message (our dict, the top-level `pinned`); `None` if nothing."""
    extra = message.additional_kwargs
    if not extra or not (NAMESPACE in extra or "pinned" in extra):
        return None
    return dict(namespace(message)), extra.get("pinned")


def message_time(message: BaseMessage) -> datetime | None:
    """Return the message's own time as aware UTC, or `None`. Nothing invents one.

    Accepts ISO 8601 text, an aware datetime, or milliseconds since the epoch under `additional_kwargs["contextmode"]["time"]`.
    A time without an offset is not a time.
    """
    value = namespace(message).get("time")
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            value = datetime.fromtimestamp(value / 1000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo is not None else None


def references(message: BaseMessage) -> tuple[str, ...]:
    """Return the ids of older messages that this one answers or quotes (`ref_message_ids`)."""
    refs = namespace(message).get("ref_message_ids")
    return tuple(r for r in refs if isinstance(r, str)) if isinstance(refs, list | tuple) else ()


def all_calls(message: BaseMessage) -> list[dict[str, Any]]:
    """Return the tool calls of an AI message: valid ones, those that could not be parsed, those that only its content names."""
    if not isinstance(message, AIMessage):
        return []
    calls: list[Any] = [*message.tool_calls, *message.invalid_tool_calls]
    return calls if isinstance(message.content, str) else [*calls, *_unlisted_calls(message.content, calls)]


def _unlisted_calls(content: list[Any], calls: list[Any]) -> list[dict[str, Any]]:
    """Return call blocks of a provider's content (Anthropic's `tool_use` and the like) that no listed call stands for."""
    listed = {call.get("id") for call in calls}
    blocks = [block for block in content if isinstance(block, dict) and block.get("type") in CALL_TYPES]
    return [
        {"name": block.get("name"), "args": block.get("input") or block.get("arguments") or block.get("args"), "id": identity}
        for block in blocks
        if (identity := block.get("call_id") or block.get("id")) not in listed
    ]


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return ""
    kind = block.get("type")
    if kind in TEXT_TYPES or (kind is None and "text" in block):
        return str(block.get("text") or "")
    if kind in MEDIA_TYPES:
        return f"[{str(kind).removesuffix('_url').removeprefix('input_')}]"
    if kind == "json" or (kind is None and block):
        return json.dumps(block.get("json", block), ensure_ascii=False, default=str)
    return ""


def text_of(message: BaseMessage) -> str:
    """Return what the message says, in content order, media as `[image]` and the like; no calls, no opaque payloads."""
    content = message.content
    if isinstance(content, str):
        return content
    return "\n".join(text for block in content if (text := _block_text(block)))


def calls_text(message: BaseMessage) -> str:
    """Return the tool calls of a message as `name(arguments as JSON)`, one a line; empty without calls."""
    return "\n".join(f"{call.get('name') or 'tool'}({_arguments(call)})" for call in all_calls(message))


def _arguments(call: dict[str, Any]) -> str:
    arguments = call.get("args")
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False, default=str)


def readable(message: BaseMessage) -> str:
    """Return text and calls together: all a reader, a scorer or a judge may know of the message."""
    calls = calls_text(message)
    text = text_of(message)
    return f"{text}\n{calls}" if calls and text else calls or text


def has_media(message: BaseMessage) -> bool:
    """Say whether the content holds a picture, sound or file."""
    content = message.content
    return not isinstance(content, str) and any(isinstance(b, dict) and b.get("type") in MEDIA_TYPES for b in content)


def is_blank(message: BaseMessage) -> bool:
    """Say whether there is nothing to send: no text but white space, no other block. Calls are not looked at.

    Reasoning alone is nothing, either: providers refuse an answer that was cut off behind it.
    """
    content = message.content
    if isinstance(content, str):
        return not content or content.isspace()
    return all(_blank_block(block) or (isinstance(block, dict) and block.get("type") in REASONING_TYPES) for block in content)


def _blank_block(block: Any) -> bool:
    if isinstance(block, str):
        return not block.strip()
    return isinstance(block, dict) and block.get("type") in TEXT_TYPES and not str(block.get("text") or "").strip()


def blank_blocks(message: BaseMessage) -> bool:
    """Say whether list content holds a blank text block, which some providers refuse."""
    return not isinstance(message.content, str) and any(_blank_block(block) for block in message.content)


def without_blank_blocks(message: BaseMessage) -> list[str | dict[str, Any]]:
    """Return list content without its blank text blocks."""
    return [block for block in cast("list[str | dict[str, Any]]", message.content) if not _blank_block(block)]


def content_key(message: BaseMessage) -> Hashable:
    """Return a key equal for messages that say the same thing in the same role; ids and metadata do not count."""
    content = message.content
    if isinstance(content, str) and len(content) <= _INLINE_KEY_CHARS and not all_calls(message):
        return (message.type, message.name, content)
    return content_hash(message)


def content_hash(message: BaseMessage) -> str:
    """Return a short stable hash of role, name, content and calls; safe to keep in state."""
    content = message.content
    body = content if isinstance(content, str) else json.dumps(content, sort_keys=True, ensure_ascii=False, default=str)
    calls = all_calls(message)
    payload = json.dumps([message.type, message.name, body, calls] if calls else [message.type, message.name, body], default=str)
    return hashlib.blake2b(payload.encode(), digest_size=12).hexdigest()


def fix_surrogates(value: Any) -> Any:
    """Return the value with lone surrogates as U+FFFD, at any depth; the same object if there are none."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, list):
        fixed = [fix_surrogates(item) for item in value]
        return fixed if any(new is not old for new, old in zip(fixed, value, strict=True)) else value
    if isinstance(value, dict):
        pairs = [(fix_surrogates(k), fix_surrogates(v)) for k, v in value.items()]
        same = all(k is old_k and v is old_v for (k, v), (old_k, old_v) in zip(pairs, value.items(), strict=True))
        return value if same else dict(pairs)
    return value


def lines(text: str) -> Iterator[str]:
    """Yield the non-blank lines of a text, stripped."""
    return (stripped for line in text.splitlines() if (stripped := line.strip()))

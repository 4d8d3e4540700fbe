"""How many input tokens a message costs: one account for text, calls, results, pictures, reasoning and tool schemas.

    tokens of a request = 3 + sum over messages of (3 + role + name + readable parts)

The constants are OpenAI's for its chat format (cookbook, "How to count tokens with tiktoken"). What a provider does not
read as text (signatures, encrypted reasoning, base64) is not counted; a picture or file counts a flat `MEDIA_TOKENS`.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_contextmode.content import CALL_TYPES, MEDIA_TYPES, TEXT_TYPES, BoundedCache, all_calls, fix_surrogates
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.ranks import load_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.protocols import TokenCounter

PRIMING_TOKENS: Final = 3
"""Once a request: every reply is primed with `<|start|>assistant<|message|>`."""

MESSAGE_TOKENS: Final = 4
"""Once a message: three for its frame, one for the role."""

CALL_TOKENS: Final = 4
"""Once a tool call, beside its name, id and arguments."""

ARGUMENTS_FACTOR: Final = 1.125
"""Arguments go out as JSON inside JSON, in a form that no provider publishes: an eighth more than their text."""

MEDIA_TOKENS: Final = 765
"""Once a picture, sound or file: OpenAI's figure for a picture of 1024 x 1024 in high detail (85 + 4 * 170)."""

_INLINE_CHARS: Final = 2_000
_ENCODE_CHARS: Final = 20_000
_OPAQUE_KEYS: Final = frozenset(
    {"signature", "encrypted_content", "data", "base64", "file_data", "bytes", "thoughtSignature", "thought_signature"}
)
_LABEL_KEYS: Final = frozenset({"type", "id", "index", "mime_type", "source_type", "media_type", "format", "detail"})
_REPEAT_CALLS: Final = CALL_TYPES | {"tool_call_chunk", "input_json_delta"}  # content that says listed calls again, or a piece of one
_REASONING_TYPES: Final = frozenset({"reasoning", "reasoning_content", "thinking", "redacted_thinking"})
_OPAQUE: Final = re.compile(r"data:[\w.+-]+/|[A-Za-z0-9+/=_-]{120,}\Z")
_counts: BoundedCache[int] = BoundedCache()


class MessageCounter:
    """Tokens of messages, texts and tool schemas; the base of every counter in the package.

    A subclass says what a text costs (`text`) and is one more implementation of `TokenCounter`. Counts of messages are
    kept in a process-wide bounded cache under what the message says, so ids and copies do not matter.

    Attributes:
        name: Tells counters apart in the cache and the report.
    """

    name: str = "abstract"

    def text(self, text: str) -> int:
        """Count the tokens of a text alone; 0 for an empty one."""
        raise NotImplementedError

    def __call__(self, messages: Sequence[BaseMessage], /) -> int:
        """Count a whole request without its tool schemas: the messages and 3 tokens that prime the reply."""
        return PRIMING_TOKENS + sum(map(self.message, messages))

    def message(self, message: BaseMessage) -> int:
        """Count one message with its frame; never below 4."""
        key = (self.key, _message_key(message))
        found = _counts.peek(key)
        if found is None:
            found = self._message(message)
            _counts.put(key, found)
        return found

    def tools(self, tools: Iterable[Any]) -> int:
        """Count tool schemas as the JSON that a provider gets.

        Args:
            tools: Tools, functions, Pydantic classes, or dicts in any provider's form. Empty: 0 tokens.
        """
        return sum(self._tool(tool) for tool in tools)

    @property
    def key(self) -> Hashable:
        """What counts are cached under; equal for counters that count alike."""
        return self.name

    def _message(self, message: BaseMessage) -> int:
        total = MESSAGE_TOKENS
        if message.name:
            total += 1 + self.text(message.name)
        if isinstance(message, ToolMessage):
            total += self.text(message.tool_call_id)
        calls = all_calls(message)
        for call in calls:
            total += CALL_TOKENS + self.text(f"{call.get('id') or ''} {call.get('name') or ''}")
            total += math.ceil(self.text(_arguments(call)) * ARGUMENTS_FACTOR)
        if isinstance(message.content, str):
            return total + self.text(message.content)
        return total + self._blocks(message, skip=_REPEAT_CALLS if calls else frozenset())

    def _blocks(self, message: BaseMessage, skip: frozenset[str]) -> int:
        plain: list[str] = []
        thoughts: list[str] = []
        media = reasoning = 0
        for block in message.content:
            kind = block.get("type") if isinstance(block, dict) else None
            if kind in skip:
                continue
            media += kind in MEDIA_TYPES
            reasoning += kind in _REASONING_TYPES
            (thoughts if kind in _REASONING_TYPES else plain).extend(_readable_strings(block))
        said = self.text("\n".join(thoughts))
        if reasoning and isinstance(message, AIMessage):
            said = max(said, _reported_reasoning(message))
        return self.text("\n".join(plain)) + said + media * MEDIA_TOKENS

    def _tool(self, tool: Any) -> int:
        schema = _schema(tool)
        key = (self.key, "tool", schema)
        return _counts.get(key, lambda: CALL_TOKENS + self.text(schema))


class ScriptEstimate(MessageCounter):
    """An estimate by scripts and word shapes that needs nothing; see `estimate.py` for its bounds."""

    name = "estimate"

    def text(self, text: str) -> int:
        """Estimate the tokens of a text alone; 0 for an empty one."""
        return estimate_tokens(text)


class TiktokenCounter(MessageCounter):
    """Exact counts by tiktoken, if its ranks are on this machine already. Never downloads anything."""

    def __init__(self, encoding: str = "o200k_base") -> None:
        """Load the ranks.

        Args:
            encoding: `o200k_base` or `cl100k_base`.

        Raises:
            ConfigError: The encoding is unknown, or its ranks are not in tiktoken's cache.
        """
        self.name = f"tiktoken:{encoding}"
        self._encode = load_encoding(encoding).encode_ordinary

    def text(self, text: str) -> int:
        """Count the tokens of a text alone. Texts over 20,000 characters are cut: a few tokens more than in one piece."""
        if len(text) <= _ENCODE_CHARS:
            return len(self._encode(text))
        return sum(len(self._encode(text[start : start + _ENCODE_CHARS])) for start in range(0, len(text), _ENCODE_CHARS))


class WrappedCounter(MessageCounter):
    """Any callable over messages, asked for one message at a time so that its answers can be kept."""

    def __init__(self, counter: TokenCounter) -> None:
        """Find out what the callable says of no messages at all, if it takes that."""
        self.name = getattr(counter, "__qualname__", type(counter).__name__)
        self._counter = counter
        try:
            self._base = self._ask([])
        except Exception:  # noqa: BLE001  (a counter may refuse an empty request; then a message costs what it says)
            self._base = 0

    def __call__(self, messages: Sequence[BaseMessage], /) -> int:
        """Ask the callable about the whole request."""
        return self._ask(messages)

    def text(self, text: str) -> int:
        """Count a human message with this text, less an empty one."""
        return max(0, self._ask([HumanMessage(text)]) - self._empty) if text else 0

    @functools.cached_property
    def _empty(self) -> int:
        return self._ask([HumanMessage("")])

    @functools.cached_property
    def key(self) -> Hashable:
        """The wrapped callable itself, or this object where that cannot be hashed."""
        return self._counter if isinstance(self._counter, Hashable) else object()

    def _message(self, message: BaseMessage) -> int:
        return max(0, self._ask([message]) - self._base)

    def _ask(self, messages: Sequence[BaseMessage]) -> int:
        answer: object = self._counter(messages)
        if isinstance(answer, bool) or not isinstance(answer, int) or answer < 0:
            message = f"token_counter must return an int of 0 or more, got {answer!r} from {self.name}."
            raise ConfigError(message)
        return answer


def as_counter(counter: TokenCounter | None) -> MessageCounter:
    """Return a counter with per-message costs for any callable over messages.

    Args:
        counter: `None`: the default counter. A `MessageCounter` is returned as it is.

    Raises:
        ConfigError: It is not callable, or its answer is not an integer of 0 or more.
    """
    if counter is None:
        return default_counter()
    if isinstance(counter, MessageCounter):
        return counter
    given: object = counter
    if not callable(given):
        message = f"token_counter must be a callable over messages, got {type(counter).__name__}."
        raise ConfigError(message)
    return WrappedCounter(counter)


@functools.cache
def default_counter() -> MessageCounter:
    """Return tiktoken's o200k_base if its ranks are on this machine, else the estimate; decided once a process."""
    try:
        return TiktokenCounter()
    except ConfigError:
        return ScriptEstimate()


def _message_key(message: BaseMessage) -> Hashable:
    """Everything the count depends on. Long texts, content blocks and calls stand for themselves by length and (process-wide) hash."""
    content = message.content
    calls = all_calls(message)
    plain = isinstance(content, str) and not calls
    written = str(content) if plain else repr((content, calls))
    said: Hashable = written if len(written) <= _INLINE_CHARS else (len(written), hash(written))
    extra: Hashable = None
    if isinstance(message, ToolMessage):
        extra = message.tool_call_id
    elif isinstance(message, AIMessage) and not isinstance(content, str):
        extra = _reported_reasoning(message)
    return (message.type, message.name, plain, said, extra)


def _reported_reasoning(message: AIMessage) -> int:
    usage: Any = message.usage_metadata or {}
    reported = (usage.get("output_token_details") or {}).get("reasoning")
    return reported if isinstance(reported, int) else 0


def _arguments(call: dict[str, Any]) -> str:
    arguments = call.get("args")
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False, default=str)


def _readable_strings(value: Any, key: str = "") -> Iterable[str]:
    """Yield what a model reads of a content block of any provider: strings and numbers, but for labels and payloads."""
    if isinstance(value, str):
        if key not in _OPAQUE_KEYS and key not in _LABEL_KEYS and not _OPAQUE.match(value):
            yield value
    elif isinstance(value, dict):
        if value.get("type") in TEXT_TYPES:
            value = {"text": value.get("text")}
        for name, item in value.items():
            yield from _readable_strings(item, name)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _readable_strings(item, key)
    elif isinstance(value, int | float) and not isinstance(value, bool) and key not in _LABEL_KEYS:
        yield str(value)


def _schema(tool: Any) -> str:
    from langchain_core.utils.function_calling import convert_to_openai_tool  # noqa: PLC0415  (slow to import; only with tools)

    try:
        tool = convert_to_openai_tool(tool)
    except (ValueError, TypeError, KeyError):
        if not isinstance(tool, dict):
            raise
    return json.dumps(fix_surrogates(tool), ensure_ascii=False, separators=(",", ":"), default=str)

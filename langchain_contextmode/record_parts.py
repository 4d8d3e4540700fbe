"""What a turn record says of each message: an excerpt around its exact values, what a call did. Nothing is rephrased."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from langchain_core.messages import ToolMessage

from langchain_contextmode.content import all_calls, text_of
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.exact import exact_spans
from langchain_contextmode.segments import cut
from langchain_contextmode.shorten import gist

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.spans import Span

READ_CHARS: Final = 24_000
"""Of a longer text only so much of its beginning, and a third as much of its end, is read."""

_GAP: Final = "…"
_LEAST_TOKENS: Final = 5
"""Less than this says nothing of arguments or of a result."""

_ERROR_TOKENS: Final = 12
_ENTRY_TOKENS: Final = 12
_PIECE_CHARS: Final = 110
_HEAD_CHARS: Final = 400
_TROUBLE: Final = re.compile(
    r"\s*[\[{(\"']{0,3}\s*(?:\w{0,40}error|exception|traceback|failed|failure|fatal|denied|错误|失败)\b|.{0,80}\"error\"\s*:\s*(?!null|false|\"\")",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[\u3002\uff01\uff1f\uff1b])|\n+")
_IDLE_START: Final = re.compile(
    r"(?:ok(?:ay)?|sure|of course|certainly|absolutely|great|perfect|thank|thanks|i see|hello|hi|let me|i(?:'|\u2019)ll|i will"
    r"|i apologi[sz]e|sorry|no problem|you(?:'|\u2019)re welcome|好的|当然|没问题|不客气|您好|你好|抱歉|明白)",
    re.IGNORECASE,
)


def read(text: str) -> str:
    """Return a text, of a very long one its beginning and end."""
    if len(text) <= READ_CHARS * 4 // 3:
        return text
    return f"{text[:READ_CHARS]} {_GAP} {text[-READ_CHARS // 3 :]}"


def one_line(text: str) -> str:
    """Return what is `read` of a text with its white space collapsed."""
    return " ".join(read(text).split())


@lru_cache(256)
def spans_of(text: str) -> tuple[Span, ...]:
    """Return the exact spans of a text that was `read`; kept for the next look at it."""
    return exact_spans(text)


def excerpt_of(text: str, limit_tokens: int) -> str:
    """Return a text as one line within a limit: its pieces with the most exact spans a token, then its first ones, in their order.

    `…` stands for what is left out.

    Args:
        text: Any text. What is longer than `READ_CHARS` is read in part.
        limit_tokens: By the estimate; 0 or less gives an empty text.
    """
    line = one_line(text)
    if limit_tokens <= 0 or estimate_tokens(line) <= limit_tokens:
        return line if limit_tokens > 0 else ""
    pieces = [piece for piece in cut(read(text), _PIECE_CHARS) if piece.strip()]
    spans = [spans_of(piece) for piece in pieces]
    costs = [estimate_tokens(piece) + 1 for piece in pieces]
    taken: set[int] = set()
    seen: set[str] = set()
    left = limit_tokens
    while able := [n for n in range(len(pieces)) if n not in taken and costs[n] <= left]:
        best = max(able, key=lambda n: ((_worth(spans[n], seen) + (n == 0)) / costs[n], -n))
        taken.add(best)
        seen.update(span.text for span in spans[best])
        left -= costs[best]
    return " ".join((_joined(pieces, taken) if taken else clipped(line, limit_tokens)).split())


def _worth(spans: tuple[Span, ...], seen: set[str]) -> float:
    return sum(2.0 if span.kind == "negation" else 1.0 for span in spans if span.text not in seen)


def _joined(pieces: list[str], taken: set[int]) -> str:
    parts: list[str] = []
    for number in sorted(taken):
        if number - 1 not in taken and number:
            parts.append(f"{_GAP} " if not parts else f" {_GAP} ")
        parts.append(pieces[number] if number + 1 in taken else pieces[number].rstrip())
    return "".join(parts) + (f" {_GAP}" if len(pieces) - 1 not in taken else "")


def clipped(text: str, limit_tokens: int) -> str:
    """Return the beginning of a one-line text within a limit, cut at a space where there is one; `…` at its end."""
    while text and estimate_tokens(f"{text}{_GAP}") > limit_tokens:
        room = max(len(text) * max(limit_tokens - 1, 0) // (estimate_tokens(text) + 1), 0)
        shorter = text[: min(room, len(text) - 1)]
        text = shorter[: shorter.rfind(" ")] if " " in shorter else shorter
    return f"{text.rstrip(f' {_GAP}')}{_GAP}" if text.strip(f" {_GAP}") else ""


def done_of(block: Block, *, argument_tokens: int, result_tokens: int, answer_tokens: int) -> Iterator[str]:
    """Yield what an AI block did: each call with its outcome, arguments and result, or the first telling sentences of an answer.

    Args:
        block: An AI text or a call block.
        argument_tokens: For the arguments of a call; 0 leaves them out.
        result_tokens: For its result; 0 leaves only `ok` or `error`.
        answer_tokens: For what the assistant says.
    """
    said = telling(text_of(block.messages[0]), answer_tokens)
    if block.kind != "call":
        if said:
            yield said
        return
    results = {m.tool_call_id: m for m in block.messages[1:] if isinstance(m, ToolMessage)}
    for call in all_calls(block.messages[0]):
        name = str(call.get("name") or "tool")
        word, told = _outcome(results.get(str(call.get("id"))), result_tokens)
        arguments = _arguments(call.get("args"), argument_tokens)
        yield f"{name} -> {word}" + (f" ({arguments})" if arguments.strip(_GAP) else "") + (f": {told}" if told.strip(_GAP) else "")


def _arguments(arguments: Any, limit_tokens: int) -> str:
    if not arguments:
        return ""
    if isinstance(arguments, dict) and not any(isinstance(v, dict | list) for v in arguments.values()):
        plain = ", ".join(f"{key}={one_line(str(value))}" for key, value in arguments.items())
        if estimate_tokens(plain) <= max(limit_tokens, _LEAST_TOKENS):
            return plain
    if limit_tokens < _LEAST_TOKENS:
        return _GAP
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return clipped(gist(read(text), limit_tokens, estimate_tokens), max(limit_tokens * 3 // 2, 4))


def _outcome(result: ToolMessage | None, limit_tokens: int) -> tuple[str, str]:
    if result is None:
        return "no result", ""
    text = text_of(result)
    word = "error" if failed(result) else "ok"
    limit_tokens = max(limit_tokens, _ERROR_TOKENS) if word == "error" else limit_tokens
    told = read(text)
    line = one_line(told)
    if estimate_tokens(line) <= max(limit_tokens, _LEAST_TOKENS):
        return word, line
    if limit_tokens < _LEAST_TOKENS:
        return word, ""
    line = gist(told, limit_tokens, estimate_tokens) if told.lstrip()[:1] in {"{", "["} else excerpt_of(told, limit_tokens)
    line = line if estimate_tokens(line) <= limit_tokens * 3 // 2 else clipped(line, limit_tokens)
    return word, line


def failed(result: ToolMessage) -> bool:
    """Say whether a tool result reports a failure, by its status or by how it begins."""
    return result.status == "error" or bool(_TROUBLE.match(text_of(result)[:_HEAD_CHARS]))


def telling(text: str, limit_tokens: int) -> str:
    """Return the excerpt of an answer from its first sentence that says something; empty if it only chats."""
    sentences = [s.strip() for s in _SENTENCE.split(read(text)) if s.strip()]
    first = next((n for n, s in enumerate(sentences) if spans_of(s[:_HEAD_CHARS]) or not _IDLE_START.match(s)), None)
    return "" if first is None else excerpt_of(" ".join(sentences[first:]), limit_tokens)


def shared(texts: Sequence[str], limit: int) -> str:
    """Divide the tokens of a field among the texts, short ones first, so that these stay whole."""
    left, parts = limit, dict.fromkeys(range(len(texts)), "")
    for number, index in enumerate(sorted(parts, key=lambda index: (len(texts[index]), index))):
        parts[index] = excerpt_of(texts[index], left // (len(texts) - number))
        left -= estimate_tokens(parts[index])
    return " / ".join(part for part in parts.values() if part)


def levelled(done: Sequence[str], limit: int) -> tuple[str, ...]:
    """Divide a limit so that short entries stay whole; of too many the first and the last stay, with a count between them."""
    most = max(limit // _ENTRY_TOKENS, 3)
    if len(done) > most:
        kept = most - 1
        done = (*done[: kept // 2], f"… {len(done) - kept} more …", *done[len(done) - (kept - kept // 2) :])
    left, parts = limit - len(done), dict.fromkeys(range(len(done)), "")
    for number, index in enumerate(sorted(parts, key=lambda index: (len(done[index]), index))):
        share = max(left // (len(done) - number), 1)
        parts[index] = done[index] if estimate_tokens(done[index]) <= share else clipped(done[index], share)
        left -= estimate_tokens(parts[index])
    return tuple(part for part in parts.values() if part)

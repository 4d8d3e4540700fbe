"""The line that stands in the archive for a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_contextmode.content import BoundedCache, calls_text, content_key, text_of
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.fences import one_line
from langchain_contextmode.shorten import excerpt, gist

if TYPE_CHECKING:
    from collections.abc import Hashable

    from langchain_contextmode.blocks import Block

LINE_CHARS = 120
NAME_CHARS = 40
RESULT_TOKENS = 40
"""For all tool results of a block together: their ids, numbers and dates come first."""

_LINES: BoundedCache[str] = BoundedCache()


def line_of(block: Block) -> str:
    """Return who said what, cut to `LINE_CHARS` a message; nothing is rephrased.

    Returns:
        One line: `name: excerpt`, for a call block `name(arguments) -> result`.
    """
    key: Hashable = tuple(content_key(message) for message in block.messages)
    return _LINES.get(key, lambda: _line(block))


def _line(block: Block) -> str:
    first = block.messages[0]
    who = excerpt(first.name or "", NAME_CHARS) or {"human": "user", "ai": "assistant", "call": "assistant"}.get(block.kind, block.kind)
    said = text_of(first)
    if block.kind == "call":
        tokens = RESULT_TOKENS // (len(block.messages) - 1)
        results = " ; ".join(gist(text_of(result), tokens, estimate_tokens) for result in block.messages[1:])
        said = f"{excerpt(said, LINE_CHARS)} {excerpt(calls_text(first), LINE_CHARS)} -> {results}".strip()
    else:
        said = excerpt(said, LINE_CHARS)
    return one_line(f"{who}: {said}")

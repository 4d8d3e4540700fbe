"""What the messages of a slice say, each with its id and whose words it is, and their sentences as copies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.content import calls_text, text_of
from langchain_contextmode.segments import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.summary.slices import Slice
    from langchain_contextmode.summary.state import Origin

_SENTENCE_CHARS: Final = 400
_SHORT_CHARS: Final = 4
_END: Final = re.compile(r"(?<=[.!?…])[\"')\]”’]*\s+|[。！？；]+[”’」』）]*|\n+")  # noqa: RUF001
_BULLET: Final = re.compile(r"\A[-*•+]\s+")


class Said(NamedTuple):
    """What one message says.

    Attributes:
        text: Readable text; media as placeholders.
        ids: The message; of a result, the message with the call and the result.
        origin: Whose words. What the application put into the human role is no human's: `tool`.
        call: Of a result, the call as `name(arguments)`.
    """

    text: str
    ids: tuple[str, ...]
    origin: Origin
    call: str = ""


def sayings(part: Slice) -> tuple[Said, ...]:
    """Return what the messages of some turns say, in order, without messages that have neither text nor call."""
    return tuple(said for turn in part for block in turn.blocks for said in _of(block) if said.text.strip() or said.call)


def _of(block: Block) -> Iterator[Said]:
    first, *results = block.messages
    if block.kind == "human":
        yield Said(text_of(first), block.ids, "human" if block.spoken else "tool")
        return
    yield Said(text_of(first), (block.id,), "ai")
    for call, result in zip(calls_of(block), results, strict=True):
        yield Said(text_of(result), (block.id, result.id or ""), "tool", call)


def calls_of(block: Block) -> list[str]:
    """Return the calls of a block as `name(arguments)`, one a result, in the order of the results."""
    count = len(block.messages) - 1
    listed = calls_text(block.messages[0]).split("\n")
    return listed if len(listed) == count else [" ".join(listed)] * count


def copies(text: str) -> list[str]:
    """Cut a text into sentences and lines, in order, each an exact part of the text, none blank, none over 400 characters.

    The mark of a list's item is no part of its sentence.
    """
    found: list[str] = []
    start = 0
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        if end - start < _SHORT_CHARS and end < len(text) and not any(map(str.isalpha, text[start:end])):
            continue  # "1. ": the number of an item, not a sentence
        found += [text[start:end]] if end - start <= _SENTENCE_CHARS else cut(text[start:end], _SENTENCE_CHARS)
        start = end
    return [stripped for piece in found if (stripped := _BULLET.sub("", piece.strip()))]

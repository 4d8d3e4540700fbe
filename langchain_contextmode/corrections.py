"""Messages that change what an earlier one says: who keeps the old delivery address needs the new one, too (F5).

A later message counts as a change where it holds a cue of reversal and an id or number of the earlier one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.content import readable
from langchain_contextmode.spans import entities, holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.blocks import Block

_REVERSES: Final = re.compile(
    r"\b(?:instead|rather than|no longer|any ?more|scrap|cancel(?:s|led|ed)?|call(?:ed)? off|switch(?:ed)? to|chang(?:e|ed|es)|correction|"
    r"actually|make it|moved? to|replac(?:e|ed|es)|revoked?|void|not .{1,40} but)\b|改|换成|不再|取消|更正|作废|不是.{1,20}是",
    re.IGNORECASE,
)
_KINDS: Final = frozenset({"id", "number"})


def corrections(log: Sequence[Block], kept: Iterable[int], others: Iterable[int]) -> dict[int, int]:
    """Map messages that change what a kept one says to the newest kept message that they change.

    Args:
        log: All blocks.
        kept: Indices of the blocks that will be shown.
        others: Indices of blocks that would not be; only those behind a kept one can change it.
    """
    shown = sorted(kept, reverse=True)
    found: dict[int, int] = {}
    for index in others if shown else ():
        named = _changed(log[index])
        if named:
            earlier = (old for old in shown if old < index and any(holds(_text(log[old]), one) for one in named))
            if (old := next(earlier, None)) is not None:
                found[index] = old
    return found


def _changed(block: Block) -> tuple[str, ...]:
    """Return the ids and numbers of a message that reverses something; nothing for any other message."""
    named: tuple[str, ...] | None = block.memo.get("changed")
    if named is None:
        text = readable(block.messages[0]) if block.kind in {"human", "ai"} else ""
        reverses = bool(_REVERSES.search(text))
        named = block.memo["changed"] = tuple(span.text for span in entities(text) if span.kind in _KINDS) if reverses else ()
    return named


def _text(block: Block) -> str:
    return "\n".join(map(readable, block.messages))

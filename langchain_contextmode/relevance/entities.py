"""Which messages hold an exact entity of the request: an id, a path, a number, a name (F5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_contextmode.content import readable
from langchain_contextmode.spans import entities, holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import Request


def entities_held(request: Request, log: Sequence[Block], candidates: Iterable[int]) -> dict[int, str]:
    """Map each candidate that holds an entity of the request to the first such entity.

    The names of speakers choose a person, not a subject, and do not count.

    Args:
        request: Only its text is read.
        log: Blocks of the conversation; not modified.
        candidates: Indices into `log`.
    """
    speakers = {name.casefold() for block in log if (name := block.messages[0].name)}
    named = [span.text for span in entities(request.text) if span.text.casefold() not in speakers]
    found = ((index, first_held(log[index], named)) for index in (candidates if named else ()))
    return {index: entity for index, entity in found if entity}


def first_held(block: Block, named: Iterable[str]) -> str:
    """Return the first of some entities that stands in a block exactly, or nothing."""
    texts = [readable(message) for message in block.messages]
    folded = "\n".join(texts).casefold()
    for entity in named:
        if entity.casefold() in folded and any(holds(text, entity) for text in texts):
            return entity
    return ""

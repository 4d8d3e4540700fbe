"""Which messages hold an exact entity of the request: an id, a path, a number, a name (F5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_contextmode.content import readable
from langchain_contextmode.relevance.index import block_terms
from langchain_contextmode.relevance.terms import text_terms
from langchain_contextmode.spans import entities, holds

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Sequence

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
    wanted = with_terms(named)
    found = ((index, first_held(log[index], wanted)) for index in (candidates if wanted else ()))
    return {index: entity for index, entity in found if entity}


def with_terms(named: Iterable[str]) -> list[tuple[str, KeysView[str]]]:
    """Return each entity with its terms: a block without the terms cannot hold the entity."""
    return [(text, text_terms(text).counts.keys()) for text in named]


def first_held(block: Block, wanted: Iterable[tuple[str, KeysView[str]]]) -> str:
    """Return the first of some entities that stands in a block exactly, or nothing."""
    counts = block_terms(block).counts
    for text, terms in wanted:
        if terms <= counts.keys() and any(holds(readable(message), text) for message in block.messages):
            return text
    return ""

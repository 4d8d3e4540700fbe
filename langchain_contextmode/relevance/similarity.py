"""How alike two requests are: by the embedder, if there is one, else by their terms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.relevance.terms import text_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.protocols import IO


async def similarity(io: IO, left: str, right: str) -> float:
    """Return the cosine similarity of two texts, 0.0..1.0.

    An embedder that fails is replaced by the terms for this one comparison.
    """
    lexical = cosine_of_terms(_frequencies(left), _frequencies(right))
    if not io.can_embed or lexical == 0.0:
        return lexical
    try:
        first, second = await io.embed([left, right])
    except CallFailedError:
        return lexical
    return max(0.0, _cosine(first, second))


def cosine_of_terms(left: Mapping[str, int], right: Mapping[str, int]) -> float:
    """Return the cosine of two term counts; 0.0 if either is empty."""
    dot = sum(count * right.get(term, 0) for term, count in left.items())
    norm = math.sqrt(sum(c * c for c in left.values()) * sum(c * c for c in right.values()))
    return dot / norm if norm else 0.0


def _frequencies(text: str) -> Mapping[str, int]:
    return text_terms(text).counts


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    norm = math.sqrt(sum(x * x for x in left) * sum(y * y for y in right))
    return sum(x * y for x, y in zip(left, right, strict=True)) / norm if norm else 0.0

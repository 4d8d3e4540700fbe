"""How well rows fit a query: shared words, weighed by their rarity among the rows, and nearness of vectors."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from operator import mul
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.content import BoundedCache
from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.memories.memory import Memory

_LEXICAL: Final = 0.6
"""Share of the lexical score; the rest is the vectors'."""

_CACHE: Final[BoundedCache[frozenset[str]]] = BoundedCache(20_000)


def scored(
    rows: Sequence[Memory],
    query: str,
    near: Mapping[str, float],
    *,
    limit: int,
    min_score: float | None = None,
    words_only: bool = True,
) -> list[Memory]:
    """Return the best rows with `score` in 0..1, best first; equal ones the newest first, then by id.

    The lexical part is the share of the query's terms, weighed by inverse document frequency, that a row holds.

    Args:
        rows: Candidates.
        query: Text.
        near: Row id to cosine similarity, -1..1; a missing one counts as 0.
        limit: At most so many.
        min_score: Leave out what scores less; `None`: nothing.
        words_only: The vectors know of words only. `False`: they know of meaning, and alone decide where no row shares a word.
    """
    wanted = set(terms_of(query))
    held = [wanted & _terms(row.text) for row in rows]
    seen = Counter(term for terms in held for term in terms)
    weight = {term: math.log1p(len(rows) / (seen[term] or 0.5)) for term in wanted}
    total = sum(weight.values()) or 1.0
    share = _LEXICAL if words_only or seen else 0.0
    found: list[tuple[float, Memory]] = []
    for row, terms in zip(rows, held, strict=True):
        lexical = sum(weight[term] for term in sorted(terms)) / total
        score = share * lexical + (1 - share) * min(1.0, max(0.0, near.get(row.id, 0.0)))
        if min_score is None or score >= min_score:
            found.append((min(1.0, score), row))
    found.sort(key=lambda pair: (-pair[0], -pair[1].updated_at, pair[1].id))
    return [replace(row, score=score) for score, row in found[:limit]]


def _terms(text: str) -> frozenset[str]:
    return _CACHE.peek(text) or _CACHE.get(text, lambda: frozenset(terms_of(text)))


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors; 0 where one has no length."""
    lengths = math.sqrt(sum(map(mul, first, first)) * sum(map(mul, second, second)))
    return sum(map(mul, first, second)) / lengths if lengths else 0.0


def space_of(collection: Any) -> str:
    """Return the distance of a collection: `cosine`, `l2` or `ip`."""
    configured = (collection.configuration or {}).get("hnsw") or {}
    return str(configured.get("space") or "l2")


def similarity(space: str, distance: float) -> float:
    """Return a cosine similarity for a distance; of unit vectors, a squared l2 distance is twice the cosine distance."""
    return 1.0 - (distance / 2 if space == "l2" else distance)

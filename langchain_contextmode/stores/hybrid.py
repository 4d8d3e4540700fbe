"""How well rows fit a query: shared and related words, weighed by their rarity among the rows, nearness of vectors, area of life."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from operator import mul
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.content import BoundedCache
from langchain_contextmode.memories.areas import areas_of, same_area
from langchain_contextmode.relevance.families import related_terms
from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from langchain_contextmode.memories.memory import Memory

_RELATED: Final = 0.5
"""What a related word counts of a shared one."""


class _Weights(NamedTuple):
    """Chosen on one half of LoCoMo and PrefEval, read on the other (`tests/benchmarks/memory_recall.py`).

    Attributes:
        lexical: Share of the lexical score; the rest is the vectors'.
        area: Share of what is left to 1 that the same area of life adds.
    """

    lexical: float
    area: float


_OF_WORDS: Final = _Weights(lexical=0.8, area=0.15)
_OF_MEANING: Final = _Weights(lexical=0.5, area=0.05)


class _Row(NamedTuple):
    terms: frozenset[str]
    areas: Mapping[str, float]


_CACHE: Final[BoundedCache[_Row]] = BoundedCache(20_000)


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

    The lexical part is the share of the query's terms, weighed by inverse document frequency, that a row holds; where it holds
    a related word (`relevance/families.txt`) instead, half of the family's weight counts. Rows of the query's area of life
    (`memories/areas.txt`) score a little more, so that a diet comes to mind for a restaurant.

    Args:
        rows: Candidates.
        query: Text.
        near: Row id to cosine similarity, -1..1; a missing one counts as 0.
        limit: At most so many.
        min_score: Leave out what scores less; `None`: nothing.
        words_only: The vectors know of words only. `False`: they know of meaning, and alone decide where no row shares a word.
    """
    wanted = frozenset(terms_of(query))
    held = [_read(row.text) for row in rows]
    lexical, shared = _lexical(wanted, [row.terms for row in held])
    weights = _OF_WORDS if words_only else _OF_MEANING
    share = weights.lexical if words_only or shared else 0.0
    areas = areas_of(wanted)
    found: list[tuple[float, Memory]] = []
    for row, read, words in zip(rows, held, lexical, strict=True):
        score = share * words + (1 - share) * min(1.0, max(0.0, near.get(row.id, 0.0)))
        if not areas.keys().isdisjoint(read.areas):
            score += weights.area * same_area(areas, read.areas) * (1 - score)
        if min_score is None or score >= min_score:
            found.append((min(1.0, score), row))
    found.sort(key=lambda pair: (-pair[0], -pair[1].updated_at, pair[1].id))
    return [replace(row, score=score) for score, row in found[:limit]]


def _lexical(wanted: frozenset[str], held: Sequence[frozenset[str]]) -> tuple[list[float], bool]:
    """Return the lexical score of each row, 0..1, and whether any row shares a word with the query."""
    order = sorted(wanted)
    points: dict[str, tuple[str, ...]] = {}  # related word to the query's terms that it stands for
    for term in order:
        for word in related_terms(term) - wanted:
            points[word] = (*points.get(word, ()), term)
    shared = [wanted & terms for terms in held]
    kin = frozenset(points)
    near = [
        {term for word in words for term in points[word]} - own if (words := kin & terms) else frozenset()
        for terms, own in zip(held, shared, strict=True)
    ]
    seen, families = (Counter(term for terms in found for term in terms) for found in (shared, near))
    weight = {term: _rarity(len(held), seen[term]) for term in order}
    half = {term: _RELATED * _rarity(len(held), seen[term] + families[term]) for term in order}
    total = sum(weight.values()) or 1.0
    scores = [_sum(weight, own) / total + _sum(half, other) / total for own, other in zip(shared, near, strict=True)]
    return scores, bool(seen)


def _sum(weight: Mapping[str, float], terms: AbstractSet[str]) -> float:
    """Add in one order, so that the same terms give the same sum to the last bit."""
    return sum([weight[term] for term in sorted(terms)]) if terms else 0.0


def _rarity(rows: int, holding: int) -> float:
    return math.log1p(rows / (holding or 0.5))


def _read(text: str) -> _Row:
    return _CACHE.peek(text) or _CACHE.get(text, lambda: _Row(terms := frozenset(terms_of(text)), areas_of(terms)))


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

"""How well rows fit a query: shared words, weighed by their rarity among the rows, and nearness of vectors."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.memories.memory import Memory

_LEXICAL: Final = 0.6
"""Share of the lexical score; the rest is the vectors'."""


def scored(rows: Sequence[Memory], query: str, near: Mapping[str, float], *, words_only: bool = True) -> list[Memory]:
    """Return the rows with `score` in 0..1, best first; equal ones the newest first, then by id.

    The lexical part is the share of the query's terms, weighed by inverse document frequency, that a row holds.

    Args:
        rows: Candidates.
        query: Text.
        near: Row id to cosine similarity, -1..1; a missing one counts as 0.
        words_only: The vectors know of words only. `False`: they know of meaning, and alone decide where no row shares a word.
    """
    wanted = set(terms_of(query))
    held = [wanted.intersection(terms_of(row.text)) for row in rows]
    seen = Counter(term for terms in held for term in terms)
    weight = {term: math.log1p(len(rows) / (seen[term] or 0.5)) for term in wanted}
    total = sum(weight.values()) or 1.0
    share = _LEXICAL if words_only or seen else 0.0
    found = []
    for row, terms in zip(rows, held, strict=True):
        lexical = sum(weight[term] for term in sorted(terms)) / total
        score = share * lexical + (1 - share) * min(1.0, max(0.0, near.get(row.id, 0.0)))
        found.append(replace(row, score=min(1.0, score)))
    return sorted(found, key=lambda row: (-(row.score or 0.0), -row.updated_at, row.id))


def space_of(collection: Any) -> str:
    """Return the distance of a collection: `cosine`, `l2` or `ip`."""
    configured = (collection.configuration or {}).get("hnsw") or {}
    return str(configured.get("space") or "l2")


def similarity(space: str, distance: float) -> float:
    """Return a cosine similarity for a distance; of unit vectors, a squared l2 distance is twice the cosine distance."""
    return 1.0 - (distance / 2 if space == "l2" else distance)

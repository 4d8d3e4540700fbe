"""The order of recalled memories, and which of them do not belong into a view (M7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.memories.memory import Memory

FLOOR: Final = 0.1
"""A hit that scores less shares too little with the request; an empty result is a good result."""

_FAR_BELOW: Final = 0.6
"""Of the best hit's score; what scores less is beside the point where something is to it."""

_OLD_MS: Final = 90 * 86_400_000
_OLD_WEIGHT: Final = 0.7
_LEAST_IMPORTANCE_WEIGHT: Final = 0.6


def ranked(
    hits: Iterable[Memory], *, now_ms: int, session_id: str, shown: frozenset[str] = frozenset(), floor: float = FLOOR
) -> list[Memory]:
    """Return the hits that fit, best first; each text once, with its best score.

    Left out is what scores below the floor, and what scores below 0.6 of the best that is left.

    The order is `score * (0.6 + 0.4 * importance) * freshness`, where freshness is 0.7 for what was not used for 90 days and 1
    otherwise; `score` itself stays as it was.

    Args:
        hits: From one or several searches.
        now_ms: Milliseconds since the epoch.
        session_id: Of this run; a vague remark of another session is left out.
        shown: Ids of messages that the view's history holds anyway; a memory that stands in one of them says nothing new.
        floor: Hits below it are left out.
    """
    best: dict[str, Memory] = {}
    for hit in hits:
        if hit.vague and hit.session_id != session_id:
            continue
        key = " ".join(hit.text.casefold().split())
        score = hit.score or 0.0
        held = best.get(key)
        if held is not None:
            best[key] = replace(held, score=max(held.score or 0.0, score))
        elif score >= floor and hit.status == "active" and not shown.intersection(hit.source_message_ids):
            best[key] = hit
    least = _FAR_BELOW * max((memory.score or 0.0 for memory in best.values()), default=0.0)
    fitting = (memory for memory in best.values() if (memory.score or 0.0) >= least)
    return sorted(fitting, key=lambda memory: (-_weight(memory, now_ms), memory.id))


def _weight(memory: Memory, now_ms: int) -> float:
    used = max(memory.last_access_at, memory.created_at)
    fresh = _OLD_WEIGHT if now_ms - used > _OLD_MS else 1.0
    return (memory.score or 0.0) * (_LEAST_IMPORTANCE_WEIGHT + (1 - _LEAST_IMPORTANCE_WEIGHT) * memory.importance) * fresh

"""Recall: what is known about the user and bears on the request, searched once a turn and only where it helps."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.content import text_of
from langchain_contextmode.memories.ask_rewrite import ask_rewrite
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.memories.rank import FLOOR, ranked
from langchain_contextmode.memories.rewrite import RECENT_MESSAGES, Recent, points_back, queries
from langchain_contextmode.memories.useful import useful
from langchain_contextmode.preparation import Intake, Recalled, Setup, Tracked
from langchain_contextmode.schema import STATE_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from langchain_contextmode.protocols import IO

CONCERN: Final = "memory"
"""Key of the memory level in the state channel: what was recalled for this turn."""

_SURPLUS: Final = 3
"""Hits asked for beyond those shown, since some stand in the conversation already."""


async def recall(
    io: IO, setup: Setup, taken: Intake, tracked: Tracked, state: Mapping[str, Any], *, session_id: str, now: datetime
) -> Recalled:
    """Search the store for the request, or take what was recalled for it before.

    Args:
        io: The store, in this run's scope.
        setup: Settings.
        taken: The intake. Not modified.
        tracked: Changed fields and tags of the task.
        state: The `memory` concern of the last turn, or empty. Not modified.
        session_id: Of this run.
        now: The time of this request.

    Returns:
        Memories, best first. A store that fails is reported, and the view goes without.
    """
    limit, request = setup.config.recall_limit, taken.request.text
    if not io.can_remember or taken.request_index is None or limit == 0:
        return Recalled(why="no store" if not io.can_remember else "nothing to ask", state=dict(state))
    turn = _turn(taken)
    if state.get("turn") == turn:
        why = "the store failed earlier in this turn" if state.get("failed") else "recalled earlier in this turn"
        return Recalled(_stored(state), why, dict(state))
    local = queries(request, _recent(taken), tracked.held, tracked.alike)
    answer = useful(request, taken.request.context, first=not state or bool(state.get("failed")), changed=tracked.changed, whole=local[-1])
    if not answer.yes and setup.config.recall == "useful":
        return Recalled((), answer.why, _concern(turn, ()))
    try:
        asked = await _asked(io, taken, tracked, local)
        hits = await _hits(io, setup, asked)
    except CallFailedError as failure:
        io.degraded("recall", f"the memory store could not be searched: {failure}")
        return Recalled((), "the store failed", {**_concern(turn, ()), "failed": True})  # a turn of tool steps waits for it once
    floor = max(FLOOR, setup.config.recall_min_score)
    shown = frozenset(taken.log.order)
    memories = tuple(ranked(hits, now_ms=int(now.timestamp() * 1000), session_id=session_id, shown=shown, floor=floor)[:limit])
    why = answer.why if answer.yes else "every request recalls"
    return Recalled(memories, why, _concern(turn, memories), {"hits": len(hits), "queries": len(asked)})


async def _asked(io: IO, taken: Intake, tracked: Tracked, local: Sequence[str]) -> list[str]:
    """Return what to search for: the request as it stands alone, with what matters to the task."""
    request = taken.request.text
    whole = await ask_rewrite(io, request, _recent(taken)) if points_back(request) else ""
    words = " ".join((*tracked.tags, *(tracked.held.get(name, "") for name in tracked.changed)))
    return [f"{query} {words}".strip() for query in ([whole] if whole else local)]


async def _hits(io: IO, setup: Setup, asked: Sequence[str]) -> list[Memory]:
    found: list[Memory] = []
    for query in asked:
        found += await io.memory("search", query, setup.config.recall_limit + _SURPLUS, cross_session=setup.config.cross_session)
    return found


def _recent(taken: Intake) -> list[Recent]:
    """Return what was said right before the request, oldest first; results of tools and messages of ours left out."""
    before = taken.log.blocks[: taken.request_index]
    said = [Recent(text_of(b.messages[0]), b.spoken) for b in before if b.spoken or b.messages[0].type == "ai"]
    return [message for message in said if message.text.strip()][-RECENT_MESSAGES:]


def _turn(taken: Intake) -> str:
    """Return what names this request: id and text."""
    index = taken.request_index or 0
    said = f"{taken.log.blocks[index].id}\n{taken.request.text}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _concern(turn: str, memories: Sequence[Memory]) -> dict[str, Any]:
    return {"version": STATE_VERSION, "turn": turn, "memories": [memory.plain() for memory in memories]}


def _stored(state: Mapping[str, Any]) -> tuple[Memory, ...]:
    items = state.get("memories")
    return tuple(memory for item in items if (memory := Memory.of(item))) if isinstance(items, list) else ()

"""The end of a session: what passed the gate is promoted, at once or when the user comes back after a while (M3)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from langchain_contextmode.memories.learn import ended

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.memories.memory import Memory

MINUTE_MS = 60_000


def due(rows: Iterable[Memory], now: int, *, session_id: str, idle_minutes: float) -> list[str]:
    """Return the ids to promote of sessions that have ended without saying so.

    Args:
        rows: All rows of the user.
        now: Milliseconds since the epoch.
        session_id: The session that goes on.
        idle_minutes: Without a change for so long a session has ended.
    """
    shared: list[Memory] = []
    sessions: dict[str, list[Memory]] = defaultdict(list)
    for row in rows:
        (shared if row.promoted else sessions[row.session_id]).append(row)
    found = []
    for name, own in sorted(sessions.items()):
        last = max(max(row.updated_at, row.last_access_at) for row in own)
        if name != session_id and last < now - idle_minutes * MINUTE_MS:
            found += ended([*own, *shared], now)
    return found

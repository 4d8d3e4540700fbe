"""Remember: what new human messages say about their speaker goes into the store, after the answer, in one write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.memories.consent import withheld
from langchain_contextmode.memories.decay import used
from langchain_contextmode.memories.extract import extract, said_in
from langchain_contextmode.memories.learn import learned
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.memories.settle import due
from langchain_contextmode.schema import STATE_VERSION
from langchain_contextmode.stores.rows import label, promoted, row_of, united

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.memories.extract import Said
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import Scope

CONCERN: Final = "remembered"
"""Key in the state channel of what was read already."""

_READ_MAX: Final = 64


async def remember(io: IO, scope: Scope, blocks: Sequence[Block], state: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Read the human messages that were not read yet, and note what of memory the last view used.

    Messages of this session only; what their speaker asked not to remember, there or right behind, is not, and what was remembered
    of it goes. A failing store leaves everything to be read again next time.

    Args:
        io: The store, in this scope, and the report.
        scope: Whose conversation.
        blocks: The log.
        state: The whole state. Not modified.
        now: Milliseconds since the epoch.

    Returns:
        The new state.
    """
    if not io.can_remember or io.config.remember == "off" or io.config.levels.get("memory") is False:
        return dict(state)
    human = said_in(blocks)
    read = _read(state)
    start = max((position for position, message in enumerate(human) if message.id in read), default=-1) + 1
    new, turn = human[start:], str(state.get("memory", {}).get("turn", ""))
    recalled = [] if state.get(CONCERN, {}).get("used") == turn else _recalled(state)
    if not new and not recalled:
        return dict(state)
    try:
        rows = await io.memory("list", all_sessions=True)
        book = _Book(scope, {row.id: row for row in rows}, now)
        for message in new:
            book.learn(message)
        book.use(recalled)
        book.forget(withheld(human))
        book.settle(io.config.session_idle_minutes)
        changed, gone = book.written()
        if changed or gone:
            await io.memory("replace_rows", changed, gone)
    except CallFailedError as failure:
        why = f"the memory store failed; the messages are read again next time: {failure}"
        io.degraded("remember", why)
        return {**state, CONCERN: {"version": STATE_VERSION, **state.get(CONCERN, {}), "failed": why}}
    concern = {"version": STATE_VERSION, "read": [*read, *(message.id for message in new)][-_READ_MAX:], "used": turn}
    return {**state, CONCERN: concern}


class _Book:
    """All rows of a user while a turn is read into them; what differs in the end is written at once."""

    def __init__(self, scope: Scope, known: Mapping[str, Memory], now: int) -> None:
        self._scope = scope
        self._known = known
        self._rows = dict(known)
        self._now = now

    def learn(self, message: Said) -> None:
        """Merge what one message says into the rows."""
        turn = label("turn", self._scope.session_id, message.id)[:16]
        found = extract([message], turn_key=turn)
        if not found:
            return
        plan = learned(list(self._rows.values()), found, turn_key=turn, now=self._now, session_id=self._scope.session_id)
        for memory in plan.add:
            row = row_of(self._scope, memory, self._now)
            self._rows[row.id] = united(self._rows[row.id], row) if row.id in self._rows else row
        for row in plan.update:
            self._rows[row.id] = row
        for pair in plan.supersede:
            successor = pair.new.id or row_of(self._scope, pair.new, self._now).id
            old = self._rows[pair.old.id]
            self._rows[old.id] = replace(old, status="superseded", superseded_by=successor, updated_at=self._now)

    def use(self, ids: Sequence[str]) -> None:
        """Note that rows were in a view."""
        for row in [self._rows[identity] for identity in ids if identity in self._rows]:
            count = row.access_count + 1
            self._rows[row.id] = replace(row, last_access_at=self._now, access_count=count, importance=used(row.importance))

    def forget(self, message_ids: frozenset[str]) -> None:
        """Take out what came from messages of this session whose speaker asked not to remember them."""
        for row in list(self._rows.values()):
            if row.session_id == self._scope.session_id and message_ids.intersection(row.source_message_ids):
                del self._rows[row.id]

    def settle(self, idle_minutes: float) -> None:
        """Promote what sessions leave behind that have ended without saying so."""
        ids = due(self._rows.values(), self._now, session_id=self._scope.session_id, idle_minutes=idle_minutes)
        lasting, moved = promoted(self._rows, ids, self._now)
        for identity in moved:
            del self._rows[identity]
        self._rows |= {row.id: row for row in lasting}

    def written(self) -> tuple[list[Memory], list[str]]:
        """Return the rows to write and the ids to remove."""
        changed = [row for identity, row in self._rows.items() if self._known.get(identity) != row]
        return changed, [identity for identity in self._known if identity not in self._rows]


def _read(state: Mapping[str, Any]) -> list[str]:
    read = state.get(CONCERN, {}).get("read")
    return [identity for identity in read if isinstance(identity, str)] if isinstance(read, list) else []


def _recalled(state: Mapping[str, Any]) -> list[str]:
    """Return the ids of the memories that were in the last view."""
    items = state.get("memory", {}).get("memories")
    return [memory.id for item in items if (memory := Memory.of(item))] if isinstance(items, list) else []


def failed_before(state: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return what went wrong behind the last answer, for the next report: then there was none left to say it."""
    why = state.get(CONCERN, {}).get("failed")
    return [{"step": "remember", "why": str(why)}] if why else []

"""All rows of a user while a turn is read into them; what differs in the end is written at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from langchain_contextmode.memories.decay import faded, used, weight
from langchain_contextmode.memories.extract import extract
from langchain_contextmode.memories.forget import about, with_history
from langchain_contextmode.memories.learn import learned
from langchain_contextmode.memories.settle import due
from langchain_contextmode.stores.rows import label, promoted, row_of, united

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.memories.consent import Wish
    from langchain_contextmode.memories.extract import Said
    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope

_SWEPT_MAX: Final = 200
"""Rows archived in one turn at most."""


def turn_key(session_id: str, message_id: str) -> str:
    """Return the key of a turn: a hash of session and message id. Rows name their turns by it, and so do tombstones."""
    return label("turn", session_id, message_id)[:16]


class Book:
    """A user's rows, changed in memory.

    Attributes:
        forgotten: Rows that were taken out on the user's wish.
        unmet: What was to be forgotten and stands in no row, in the user's words.
    """

    def __init__(self, scope: Scope, rows: Iterable[Memory], now: int) -> None:
        """Open it.

        Args:
            scope: Whose turn is read.
            rows: All rows of the user, in all sessions.
            now: Milliseconds since the epoch.
        """
        self._scope = scope
        self._known: Mapping[str, Memory] = {row.id: row for row in rows}
        self._rows = dict(self._known)
        self._now = now
        self.forgotten: list[Memory] = []
        self.unmet: list[str] = []

    def learn(self, message: Said) -> None:
        """Merge what one message says into the rows."""
        turn = turn_key(self._scope.session_id, message.id)
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

    def withhold(self, message_ids: frozenset[str]) -> None:
        """Take out what came from messages of this session whose speaker asked not to remember them."""
        for row in self._from(message_ids):
            del self._rows[row.id]

    def obey(self, wish: Wish, message_ids: frozenset[str]) -> None:
        """Take out what a message asks to forget.

        Args:
            wish: What it asks.
            message_ids: Itself, and the message before it if the wish is about that.
        """
        if wish.kind != "forget":
            return
        rows = list(self._rows.values())
        chosen = {"all": lambda: rows, "matter": lambda: about(rows, wish.matter)}.get(wish.covers, lambda: self._from(message_ids))()
        if not chosen and wish.matter:
            self.unmet.append(wish.matter)
        for row in with_history(rows, chosen):
            self.forgotten.append(row)
            del self._rows[row.id]

    def _from(self, message_ids: frozenset[str]) -> list[Memory]:
        own = [row for row in self._rows.values() if row.session_id == self._scope.session_id]
        return [row for row in own if not message_ids.isdisjoint(row.source_message_ids)]

    def settle(self, idle_minutes: float) -> None:
        """Promote what sessions leave behind that have ended without saying so, and archive what has faded."""
        ids = due(self._rows.values(), self._now, session_id=self._scope.session_id, idle_minutes=idle_minutes)
        lasting, moved = promoted(self._rows, ids, self._now)
        for identity in moved:
            del self._rows[identity]
        self._rows |= {row.id: row for row in lasting}
        out = [row for row in self._rows.values() if row.status == "active" and faded(row, self._now)]
        for row in sorted(out, key=lambda row: (weight(row, self._now), row.id))[:_SWEPT_MAX]:
            self._rows[row.id] = replace(row, status="archived")

    def written(self) -> tuple[list[Memory], list[str]]:
        """Return the rows to write and the ids to remove."""
        changed = [row for identity, row in self._rows.items() if self._known.get(identity) != row]
        return changed, [identity for identity in self._known if identity not in self._rows]

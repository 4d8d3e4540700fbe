"""What every memory store is: scope first, nothing without it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.memories.decay import faded, weight
from langchain_contextmode.stores.awaiting import AwaitingTwins
from langchain_contextmode.stores.rows import checked_memory, checked_scope, clean, identity, promoted

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope

_CHANGEABLE = frozenset({"text", "type", "importance", "confidence", "metadata", "pinned", "status"})


class MemoryStore(AwaitingTwins, ABC):
    """Holds memories by user and session.

    A row is visible in its own session; a promoted row in all sessions of its user; nothing to another user. Every method
    has an awaiting twin (`asearch` and so on) that runs it in a thread, unless the store overrides it.

    A store of one's own implements `add`, `search`, `list`, `replace_rows`, `delete`, `bury`, `buried` and `_remove`; the rest
    follows. `langchain_contextmode.testing.MemoryStoreContract` says whether it keeps the promises.

    Raises:
        ScopeError: In every method, where the scope is not a `Scope`.
        StoreError: In every method, where the store cannot be opened, read or written; nothing is deleted or created anew.
    """

    @abstractmethod
    def add(self, scope: Scope, memories: Sequence[Memory]) -> builtins.list[str]:
        """Write memories into the session's short-term area (a promoted one: for all sessions of the user); idempotent.

        A memory whose text the scope already holds is no second row: turns and sources are united, the higher importance stands.

        Args:
            scope: Whose.
            memories: One without a text is left out. `created_at` may be a `datetime` or ISO 8601, too; without a zone it is UTC.
                What the store fills in itself (id, owner, session) counts for nothing. Metadata may be any JSON.

        Returns:
            Ids of what was stored, in order.

        Raises:
            ConfigError: One of them is no memory, too long, or not JSON; none is written.
        """

    @abstractmethod
    def search(
        self,
        scope: Scope,
        query: str,
        limit: int = 5,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002  (LangChain's name)
        min_score: float | None = None,
        cross_session: bool = True,
    ) -> builtins.list[Memory]:
        """Find active memories of this scope, best first, each with `score` in 0..1.

        Args:
            scope: Whose.
            query: Text; an empty one finds nothing.
            limit: At most so many; 0: none.
            filter: Narrows by fields of `Memory` or by metadata; can never widen. `None`: no more than the scope.
            min_score: Leave out what scores less.
            cross_session: Promoted memories of the user's other sessions are found, too.
        """

    @abstractmethod
    def list(self, scope: Scope, *, all_sessions: bool = False) -> builtins.list[Memory]:
        """Return all visible rows of the scope in every status, oldest first; `all_sessions`: all rows of the user."""

    @abstractmethod
    def replace_rows(self, scope: Scope, rows: Sequence[Memory], gone: Sequence[str] = ()) -> None:
        """Write rows of this user as they are, in one batch, and remove the ids that they take the place of."""

    @abstractmethod
    def delete(self, scope: Scope, ids: Iterable[str]) -> int:
        """Remove rows that this scope sees; ids of others are left alone. Returns how many went; no ids: none."""

    def get(self, scope: Scope, ids: Iterable[str]) -> builtins.list[Memory]:
        """Return visible rows by id, in the order asked for; unknown ones are left out."""
        rows = {row.id: row for row in self.list(scope)}
        return [rows[identity] for identity in ids if identity in rows]

    def count(self, scope: Scope, *, all_sessions: bool = False) -> int:
        """Count the visible rows of the scope; `all_sessions`: all rows of the user."""
        return len(self.list(scope, all_sessions=all_sessions))

    def update(self, scope: Scope, memory_id: str, **changes: Any) -> Memory:
        """Correct a row: text, type, importance, confidence, metadata, pinned, status.

        Returns:
            The row as it is now; a corrected text has a new id.

        Raises:
            ConfigError: There is no such row in this scope, or another field is named.
        """
        if odd := set(changes) - _CHANGEABLE:
            message = f"{', '.join(sorted(odd))} cannot be changed; {', '.join(sorted(_CHANGEABLE))} can."
            raise ConfigError(message)
        found = self.get(scope, [memory_id])
        if not found:
            message = f"There is no memory {memory_id!r:.60} in this scope."
            raise ConfigError(message)
        row = checked_memory(replace(found[0], **changes, updated_at=_now()))
        row = replace(row, text=clean(row.text).strip())
        row = replace(row, id=identity(checked_scope(scope), row.text, row)) if "text" in changes else row
        self.replace_rows(scope, [row], [memory_id] if row.id != memory_id else [])
        return row

    def pin(self, scope: Scope, memory_id: str, *, pinned: bool = True) -> Memory:
        """Keep a row from fading, or let it fade again. Raises as `update` does."""
        return self.update(scope, memory_id, pinned=pinned)

    def touch(self, scope: Scope, ids: Iterable[str], now: int | None = None) -> None:
        """Note that rows were used in a view: one batched write."""
        moment = _now() if now is None else now
        rows = [replace(row, last_access_at=moment, access_count=row.access_count + 1) for row in self.get(scope, ids)]
        if rows:
            self.replace_rows(scope, rows)

    def promote(self, scope: Scope, ids: Iterable[str]) -> builtins.list[str]:
        """Make rows of this session visible in all sessions of the user; one that is there already is united with them.

        Returns:
            The ids they have now.
        """
        checked_scope(scope)
        known = {row.id: row for row in self.list(scope, all_sessions=True)}
        own = [row.id for row in self.get(scope, ids)]
        rows, gone = promoted(known, own, _now())
        if rows:
            self.replace_rows(scope, rows, gone)
        return [row.id for row in rows]

    def clear(self, scope: Scope, *, all_sessions: bool = False) -> int:
        """Remove the session's own rows; `all_sessions`: everything of the user. Returns how many went."""
        theirs = checked_scope(scope)
        rows = self.list(scope, all_sessions=all_sessions)
        own = [row.id for row in rows if all_sessions or (row.session_id == theirs.session_id and not row.promoted)]
        return self._remove(scope, own)

    @abstractmethod
    def _remove(self, scope: Scope, ids: Sequence[str]) -> int:
        """Remove rows of this user by id, whatever their session."""

    def export(self, scope: Scope, *, all_sessions: bool = False) -> builtins.list[dict[str, Any]]:
        """Return all rows as JSON-able dicts, oldest first."""
        return [row.plain() for row in self.list(scope, all_sessions=all_sessions)]

    def supersede(self, scope: Scope, old_id: str, new_id: str) -> None:
        """Mark a row as no longer true: it stays, linked to what took its place, and out of recall.

        Raises:
            ConfigError: One of them is not in this scope.
        """
        found = {row.id: row for row in self.get(scope, [old_id, new_id])}
        if missing := [identity for identity in (old_id, new_id) if identity not in found]:
            message = f"There is no memory {missing[0]!r:.60} in this scope."
            raise ConfigError(message)
        if old_id != new_id:
            self.replace_rows(scope, [replace(found[old_id], status="superseded", superseded_by=new_id, updated_at=_now())])

    def sweep(self, scope: Scope, now: int | None = None, *, limit: int = 1_000) -> int:
        """Archive rows of the user that have faded, in every session (M10); pinned ones and core preferences never fade.

        Args:
            scope: Whose; the session does not count.
            now: Milliseconds since the epoch; `None`: the clock's.
            limit: At most so many rows, those that weigh least first, in one write. 0: none.

        Returns:
            How many were archived; fewer than `limit` means that nothing is left to archive.
        """
        present = _now() if now is None else now
        held = [row for row in self.list(scope, all_sessions=True) if row.status == "active" and faded(row, present)]
        rows = sorted(held, key=lambda row: (weight(row, present), row.id))[: max(0, limit)]
        if rows:
            self.replace_rows(scope, [replace(row, status="archived") for row in rows])
        return len(rows)

    def sessions(self, scope: Scope) -> dict[str, int]:
        """Return the user's sessions that hold rows of their own, with the milliseconds of the last write or use, by session id."""
        found: dict[str, int] = {}
        for row in self.list(scope, all_sessions=True):
            if not row.promoted:
                last = max(row.created_at, row.updated_at, row.last_access_at)
                found[row.session_id] = max(last, found.get(row.session_id, 0))
        return dict(sorted(found.items()))

    @abstractmethod
    def bury(self, scope: Scope, hashes: Iterable[str]) -> None:
        """Note, for the user and for good, that what these hashes stand for is forgotten. Hashes of source ids, never text."""

    @abstractmethod
    def buried(self, scope: Scope, hashes: Iterable[str]) -> set[str]:
        """Return those of the hashes that were buried for this user."""


def _now() -> int:
    return int(time.time() * 1000)

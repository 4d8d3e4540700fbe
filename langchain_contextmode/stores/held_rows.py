"""Rows of the users that were asked for last, so that a search reads only what was written since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.memories.memory import Memory

_ROWS_MAX: Final = 20_000


class HeldRows:
    """All rows of some users; oldest users leave first. Not thread-safe: used under the lock of the folder whose only reader it is."""

    def __init__(self, max_rows: int = _ROWS_MAX) -> None:
        """Start empty."""
        self._max_rows = max_rows
        self._rows: dict[tuple[str, str], tuple[Memory, ...]] = {}
        self._number = 0

    def get(self, collection: str, user_id: str) -> tuple[Memory, ...] | None:
        """Return a user's rows; `None`: not held."""
        return self._rows.get((collection, user_id))

    def put(self, collection: str, user_id: str, rows: Sequence[Memory]) -> None:
        """Hold a user's rows, if they are few enough."""
        self.drop(collection, user_id)
        while self._rows and self._number + len(rows) > self._max_rows:
            self.drop(*next(iter(self._rows)))
        if len(rows) <= self._max_rows:
            self._rows[collection, user_id] = tuple(rows)
            self._number += len(rows)

    def drop(self, collection: str, user_id: str) -> None:
        """Forget a user's rows: something of theirs is about to be written."""
        self._number -= len(self._rows.pop((collection, user_id), ()))

"""A memory store in this process's memory: for tests, notebooks and conversations that nobody keeps."""

from __future__ import annotations

import builtins
import threading
from typing import TYPE_CHECKING, Any

from langchain_contextmode.hashing import HashingEmbeddings
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.fingerprint import Embedder
from langchain_contextmode.stores.hybrid import cosine, scored
from langchain_contextmode.stores.rows import checked_filter, checked_scope, clean, matches, row_of, says_something, united, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_core.embeddings import Embeddings

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope


class EphemeralMemoryStore(MemoryStore):
    """Holds memories until the process ends; serves several threads. The same contract as `ChromaMemoryStore`."""

    def __init__(self, embeddings: Embeddings | None = None) -> None:
        """Start empty.

        Args:
            embeddings: `None`: hashed words, no model.
        """
        self._embedder = Embedder(embeddings or HashingEmbeddings())
        self._words_only = isinstance(self._embedder.embeddings, HashingEmbeddings)
        self._rows: dict[str, dict[str, Memory]] = {}
        self._vectors: dict[str, builtins.list[float]] = {}
        self._buried: dict[str, set[str]] = {}
        self._lock = threading.RLock()

    def add(self, scope: Scope, memories: Sequence[Memory]) -> builtins.list[str]:
        """See `MemoryStore.add`."""
        theirs = checked_scope(scope)
        rows = [row_of(theirs, memory) for memory in memories if says_something(memory)]
        vectors = self._embedder.documents([row.text for row in rows])
        with self._lock:
            mine = self._rows.setdefault(theirs.user_id, {})
            for row, vector in zip(rows, vectors, strict=True):
                mine[row.id] = united(mine[row.id], row) if row.id in mine else row
                self._vectors[row.id] = vector
        return [row.id for row in rows]

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
        """See `MemoryStore.search`."""
        theirs, wanted = checked_scope(scope), checked_filter(filter)
        if not query.strip() or limit <= 0:
            return []
        with self._lock:
            mine = builtins.list(self._rows.get(theirs.user_id, {}).values())
            vectors = {row.id: self._vectors[row.id] for row in mine}
        seen = [
            row for row in mine if visible(theirs, row, cross_session=cross_session) and row.status == "active" and matches(row, wanted)
        ]
        asked = self._embedder.query(clean(query))
        near = {row.id: cosine(asked, vectors[row.id]) for row in seen}
        return scored(seen, clean(query), near, limit=limit, min_score=min_score, words_only=self._words_only)

    def list(self, scope: Scope, *, all_sessions: bool = False) -> builtins.list[Memory]:
        """See `MemoryStore.list`."""
        theirs = checked_scope(scope)
        with self._lock:
            rows = builtins.list(self._rows.get(theirs.user_id, {}).values())
        return sorted((row for row in rows if all_sessions or visible(theirs, row)), key=lambda row: (row.created_at, row.id))

    def replace_rows(self, scope: Scope, rows: Sequence[Memory], gone: Sequence[str] = ()) -> None:
        """See `MemoryStore.replace_rows`."""
        theirs = checked_scope(scope)
        vectors = self._embedder.documents([row.text for row in rows])
        with self._lock:
            mine = self._rows.setdefault(theirs.user_id, {})
            for identity in gone:
                mine.pop(identity, None)
                self._vectors.pop(identity, None)
            for row, vector in zip(rows, vectors, strict=True):
                if row.user_id == theirs.user_id:
                    mine[row.id] = row
                    self._vectors[row.id] = vector

    def delete(self, scope: Scope, ids: Iterable[str]) -> int:
        """See `MemoryStore.delete`."""
        seen = {row.id for row in self.list(scope)}
        return self._remove(scope, [identity for identity in ids if identity in seen])

    def bury(self, scope: Scope, hashes: Iterable[str]) -> None:
        """See `MemoryStore.bury`."""
        with self._lock:
            self._buried.setdefault(checked_scope(scope).user_id, set()).update(hashes)

    def buried(self, scope: Scope, hashes: Iterable[str]) -> set[str]:
        """See `MemoryStore.buried`."""
        with self._lock:
            return self._buried.get(checked_scope(scope).user_id, set()).intersection(hashes)

    def _remove(self, scope: Scope, ids: Sequence[str]) -> int:
        with self._lock:
            mine = self._rows.get(checked_scope(scope).user_id, {})
            gone = [identity for identity in dict.fromkeys(ids) if mine.pop(identity, None) is not None]
            for identity in gone:
                self._vectors.pop(identity, None)
        return len(gone)

"""The memory store on Chroma: embedded in this process, or a server for several."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, Final, Literal

from langchain_contextmode.errors import StoreError
from langchain_contextmode.hashing import HashingEmbeddings
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.chroma_collections import Collections
from langchain_contextmode.stores.chroma_rows import memory_of, metadata_of, owner_of, where_of
from langchain_contextmode.stores.fingerprint import Embedder
from langchain_contextmode.stores.hybrid import scored, similarity, space_of
from langchain_contextmode.stores.reembed import reembedded
from langchain_contextmode.stores.rows import (
    checked_filter,
    checked_scope,
    clean,
    label,
    matches,
    row_of,
    says_something,
    united,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from langchain_core.embeddings import Embeddings

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope

_NEAR_MIN: Final = 50
_NEAR_TIMES: Final = 10
"""How many rows get a vector score: so many, or this many times the limit; the others have their words only."""


class ChromaMemoryStore(MemoryStore):
    """Holds memories in Chroma. Opened at first use; one object serves several threads.

    Cosine distance on new collections; another space of an existing one is read and converted. The embedder's name, dimension and a
    probe vector are stored with the collection: another embedder is refused, since its vectors mean something else.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        client: Any = None,
        url: str | None = None,
        embeddings: Embeddings | None = None,
        isolation: Literal["filter", "collection"] = "filter",
        collection: str = "contextmode_memories",
    ) -> None:
        """Say where; nothing is opened yet.

        Args:
            path: Folder of an embedded Chroma, for one process.
            client: A Chroma client of your own.
            url: Address of a Chroma server, for several processes.
            embeddings: `None`: hashed words, no model; the search is lexical as well.
            isolation: `filter`: one collection, each read and write filtered by scope and each row checked again. `collection`: a
                collection for each user besides.
            collection: Name of the collection, or the beginning of their names.

        Raises:
            ConfigError: Not exactly one of path, client and url, or an unknown isolation.
        """
        self._embedder = Embedder(embeddings or HashingEmbeddings())
        self._words_only = isinstance(self._embedder.embeddings, HashingEmbeddings)
        self._at = Collections(path, client, url, embedder=self._embedder, isolation=isolation, name=collection)
        self._lock = self._at.lock

    def add(self, scope: Scope, memories: Sequence[Memory]) -> builtins.list[str]:
        """See `MemoryStore.add`."""
        theirs = checked_scope(scope)
        rows: dict[str, Memory] = {}
        ids = []
        for row in (row_of(theirs, memory) for memory in memories if says_something(memory)):
            rows[row.id] = united(rows[row.id], row) if row.id in rows else row
            ids.append(row.id)
        if not rows:
            return []
        vectors = dict(zip(rows, self._embedder.documents([row.text for row in rows.values()]), strict=True))
        with self._lock:
            for held in self._rows(theirs, ids=builtins.list(rows)):
                rows[held.id] = united(held, rows[held.id])
            self._write(theirs, builtins.list(rows.values()), builtins.list(vectors.values()))
        return ids

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
        """See `MemoryStore.search`. Both scores are of all rows of the scope."""
        theirs, wanted = checked_scope(scope), checked_filter(filter)
        if not query.strip() or limit <= 0:
            return []
        where = where_of(theirs, cross_session=cross_session, active=True, wanted=wanted)
        vector = self._embedder.query(clean(query))
        with self._lock:
            rows = [
                row
                for row in self._user_rows(theirs, where)
                if visible(theirs, row, cross_session=cross_session) and row.status == "active" and matches(row, wanted)
            ]
            near = self._near(theirs, vector, where, min(len(rows), max(_NEAR_MIN, _NEAR_TIMES * limit))) if rows else {}
        return scored(rows, clean(query), near, limit=limit, min_score=min_score, words_only=self._words_only)

    def list(self, scope: Scope, *, all_sessions: bool = False) -> builtins.list[Memory]:
        """See `MemoryStore.list`."""
        theirs = checked_scope(scope)
        with self._lock:
            rows = self._user_rows(theirs, where_of(theirs, all_sessions=all_sessions))
        return sorted((row for row in rows if all_sessions or visible(theirs, row)), key=lambda row: (row.created_at, row.id))

    def replace_rows(self, scope: Scope, rows: Sequence[Memory], gone: Sequence[str] = ()) -> None:
        """See `MemoryStore.replace_rows`."""
        theirs = checked_scope(scope)
        own = [row for row in rows if row.user_id == theirs.user_id]
        with self._lock:
            said = {row.id: row.text for row in self._rows(theirs, ids=[row.id for row in own])}
        new = [row for row in own if said.get(row.id) != row.text]
        vectors = self._embedder.documents([row.text for row in new])
        with self._lock:
            self._write(theirs, new, vectors)
            self._rewrite(theirs, [row for row in own if said.get(row.id) == row.text])
            self._remove(theirs, gone)

    def delete(self, scope: Scope, ids: Iterable[str]) -> int:
        """See `MemoryStore.delete`."""
        wanted = builtins.list(dict.fromkeys(ids))
        if not wanted:
            checked_scope(scope)
            return 0
        seen = {row.id for row in self.list(scope)}
        return self._remove(scope, [identity for identity in wanted if identity in seen])

    def reembed(self) -> int:
        """Embed all rows of all users anew with this store's embedder, for when another one wrote them. See `reembedded`."""
        with self._lock:
            return reembedded(self._at, self._embedder)

    def close(self) -> None:
        """Close what this store opened, and its files; it opens again at its next use. A client of your own stays open."""
        with self._lock:
            self._at.close()

    def bury(self, scope: Scope, hashes: Iterable[str]) -> None:
        """See `MemoryStore.bury`."""
        theirs, wanted = checked_scope(scope), sorted(set(hashes))
        vector = self._embedder.probe()
        with self._lock:
            for part in self._at.batches(wanted) if wanted else ():
                rows: dict[str, Any] = {
                    "ids": [label("buried", theirs.user_id, item) for item in part],
                    "metadatas": [{"owner": owner_of(theirs.user_id), "buried": True}] * len(part),
                    "embeddings": [vector] * len(part),
                }
                self._at.call(theirs, "upsert", "write", **rows)

    def buried(self, scope: Scope, hashes: Iterable[str]) -> set[str]:
        """See `MemoryStore.buried`."""
        theirs = checked_scope(scope)
        wanted = {label("buried", theirs.user_id, item): item for item in hashes}
        with self._lock:
            return {wanted[identity] for identity, _, _ in self._read(theirs, [*wanted], [])}

    def _remove(self, scope: Scope, ids: Sequence[str]) -> int:
        theirs, wanted = checked_scope(scope), builtins.list(dict.fromkeys(ids))
        owner = where_of(theirs, all_sessions=True)
        with self._lock:
            here = [row.id for row in self._rows(theirs, ids=wanted)]
            self._forget(theirs)
            for part in self._at.batches(here) if here else ():
                self._at.call(theirs, "delete", "delete", ids=part, where=owner)
        return len(here)

    def _user_rows(self, scope: Scope, where: Mapping[str, Any]) -> Sequence[Memory]:
        """Return the rows that a filter of this scope finds, and maybe more of this user; every one is checked again by the caller."""
        if self._at.held is None:
            return self._rows(scope, where=where)
        name = self._at.name_of(scope)
        self._at.ready(scope)
        rows = self._at.held.get(name, scope.user_id)
        if rows is None:
            rows = tuple(self._rows(scope, where=where_of(scope, all_sessions=True)))
            self._at.held.put(name, scope.user_id, rows)
        return rows

    def _rows(self, scope: Scope, *, where: Mapping[str, Any] | None = None, ids: Sequence[str] = ()) -> builtins.list[Memory]:
        """Read rows of this user, by a filter or by ids; every one is checked again."""
        include = ["documents", "metadatas"]
        if where is None:
            found = builtins.list(self._read(scope, ids, include))
        else:
            got = self._at.call(scope, "get", "read", where=where, include=include)
            found = builtins.list(zip(got["ids"], got["documents"], got["metadatas"], strict=True))
        rows = (memory_of(*item) for item in found)
        return [row for row in rows if row is not None and row.user_id == scope.user_id]

    def _read(self, scope: Scope, ids: Sequence[str], include: builtins.list[str]) -> Iterator[tuple[str, Any, Any]]:
        """Read by id, of this user only; several times where there are more ids than Chroma takes at once."""
        owner = where_of(scope, all_sessions=True)
        for part in self._at.batches(builtins.list(dict.fromkeys(ids))) if ids else ():
            found = self._at.call(scope, "get", "read", ids=part, where=owner, include=include)
            nothing = [None] * len(found["ids"])
            yield from zip(found["ids"], found["documents"] or nothing, found["metadatas"] or nothing, strict=True)

    def _near(self, scope: Scope, vector: builtins.list[float], where: Mapping[str, Any], number: int) -> dict[str, float]:
        def ask(collection: Any) -> tuple[str, Any]:
            return space_of(collection), collection.query(query_embeddings=[vector], n_results=number, where=where, include=["distances"])

        space, found = self._at.run(scope, ask, "search")
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        return {identity: similarity(space, distance) for identity, distance in pairs}

    def _rewrite(self, scope: Scope, rows: Sequence[Memory]) -> None:
        """Write rows whose text is there already: their vectors stay."""
        self._forget(scope)
        for part in self._at.batches(rows) if rows else ():
            self._at.call(scope, "update", "write", ids=[row.id for row in part], metadatas=[metadata_of(row) for row in part])

    def _forget(self, scope: Scope) -> None:
        if self._at.held is not None:
            self._at.held.drop(self._at.name_of(scope), scope.user_id)

    def _write(self, scope: Scope, rows: Sequence[Memory], vectors: Sequence[builtins.list[float]]) -> None:
        """Write rows in batches; they have vectors already, so that an embedder that fails leaves nothing half-written."""
        self._forget(scope)
        written = 0
        for part in self._at.batches(builtins.list(zip(rows, vectors, strict=True))) if rows else ():
            given: dict[str, Any] = {
                "ids": [row.id for row, _ in part],
                "documents": [row.text for row, _ in part],
                "metadatas": [metadata_of(row) for row, _ in part],
                "embeddings": [vector for _, vector in part],
            }
            try:
                self._at.call(scope, "upsert", "write", **given)
            except StoreError as error:
                message = f"{error} Of {len(rows)} rows the first {written} are stored; writing all of them again doubles none."
                raise StoreError(message) from error
            written += len(part)

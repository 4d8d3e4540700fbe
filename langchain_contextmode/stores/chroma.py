"""The memory store on Chroma: embedded in this process, or a server for several."""

from __future__ import annotations

import builtins
import json
import math
import threading
from typing import TYPE_CHECKING, Any, Final, Literal

from langchain_contextmode.errors import ConfigError, StoreError
from langchain_contextmode.hashing import HashingEmbeddings
from langchain_contextmode.stores import chroma_client
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.chroma_client import guarded
from langchain_contextmode.stores.chroma_rows import memory_of, metadata_of, owner_of, where_of
from langchain_contextmode.stores.hybrid import scored
from langchain_contextmode.stores.rows import checked_filter, checked_scope, label, matches, row_of, says_something, united, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from langchain_core.embeddings import Embeddings

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope

SCHEMA_VERSION: Final = 1
_PROBE: Final = "The quick brown fox jumps over the lazy dog. 今天天气很好。"
_PROBE_PLACES: Final = 16
_ALIKE: Final = 0.999
_OPEN_MAX: Final = 64
"""Collections opened on an embedded client before it is closed and opened anew, so that open files stay bounded."""


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
        if sum(given is not None for given in (path, client, url)) != 1:
            message = "ChromaMemoryStore takes exactly one of path=, client= and url=."
            raise ConfigError(message)
        if isolation not in {"filter", "collection"}:
            message = f'isolation is "filter" or "collection", got {isolation!r:.40}.'
            raise ConfigError(message)
        self._path, self._client, self._url = path, client, url
        self._embeddings = embeddings or HashingEmbeddings()
        self._isolation = isolation
        self._name = collection
        self._open: dict[str, Any] = {}
        self._dimension = 0
        self._lock = threading.RLock()

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
        with self._lock:
            for held in self._rows(theirs, ids=builtins.list(rows)):
                rows[held.id] = united(held, rows[held.id])
            self._write(theirs, builtins.list(rows.values()))
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
        with self._lock:
            rows = [
                row
                for row in self._rows(theirs, where=where)
                if visible(theirs, row, cross_session=cross_session) and row.status == "active" and matches(row, wanted)
            ]
            near = self._near(theirs, query, where, len(rows)) if rows else {}
        return [row for row in scored(rows, query, near) if min_score is None or (row.score or 0.0) >= min_score][:limit]

    def list(self, scope: Scope, *, all_sessions: bool = False) -> builtins.list[Memory]:
        """See `MemoryStore.list`."""
        theirs = checked_scope(scope)
        with self._lock:
            rows = self._rows(theirs, where=where_of(theirs, all_sessions=all_sessions))
        return sorted((row for row in rows if all_sessions or visible(theirs, row)), key=lambda row: (row.created_at, row.id))

    def replace_rows(self, scope: Scope, rows: Sequence[Memory], gone: Sequence[str] = ()) -> None:
        """See `MemoryStore.replace_rows`."""
        theirs = checked_scope(scope)
        with self._lock:
            self._write(theirs, [row for row in rows if row.user_id == theirs.user_id])
            self._remove(theirs, gone)

    def delete(self, scope: Scope, ids: Iterable[str]) -> int:
        """See `MemoryStore.delete`."""
        wanted = builtins.list(dict.fromkeys(ids))
        if not wanted:
            checked_scope(scope)
            return 0
        seen = {row.id for row in self.list(scope)}
        return self._remove(scope, [identity for identity in wanted if identity in seen])

    def close(self) -> None:
        """Close an embedded client and its files; the store opens again at its next use. A client of your own stays open."""
        with self._lock:
            self._open.clear()
            if self._path is not None:
                chroma_client.close(self._path)

    def bury(self, scope: Scope, hashes: Iterable[str]) -> None:
        """See `MemoryStore.bury`."""
        theirs, wanted = checked_scope(scope), sorted(set(hashes))
        if not wanted:
            return
        vector = self._vectors([_PROBE])[0]
        collection = self._collection(theirs)
        owner = {"owner": owner_of(theirs.user_id), "buried": True}
        ids = [label("buried", theirs.user_id, item) for item in wanted]
        with self._lock:
            guarded(lambda: collection.upsert(ids=ids, metadatas=[owner] * len(ids), embeddings=[vector] * len(ids)), "write")

    def buried(self, scope: Scope, hashes: Iterable[str]) -> set[str]:
        """See `MemoryStore.buried`."""
        theirs = checked_scope(scope)
        wanted = {label("buried", theirs.user_id, item): item for item in hashes}
        if not wanted:
            return set()
        with self._lock:
            collection = self._collection(theirs)
            owner = {"owner": {"$eq": owner_of(theirs.user_id)}}
            found = guarded(lambda: collection.get(ids=[*wanted], where=owner, include=[]), "read")
        return {wanted[identity] for identity in found["ids"]}

    def _remove(self, scope: Scope, ids: Sequence[str]) -> int:
        theirs, wanted = checked_scope(scope), builtins.list(dict.fromkeys(ids))
        with self._lock:
            here = [row.id for row in self._rows(theirs, ids=wanted)] if wanted else []
            if here:
                collection = self._collection(theirs)
                owner = {"owner": {"$eq": owner_of(theirs.user_id)}}
                guarded(lambda: collection.delete(ids=here, where=owner), "delete")
        return len(here)

    def _rows(self, scope: Scope, *, where: Mapping[str, Any] | None = None, ids: Sequence[str] | None = None) -> builtins.list[Memory]:
        """Read rows of this user; every one is checked again."""
        collection = self._collection(scope)
        owner = where if where is not None else {"owner": {"$eq": owner_of(scope.user_id)}}
        found = guarded(lambda: collection.get(ids=ids, where=owner, include=["documents", "metadatas"]), "read")
        rows = map(memory_of, found["ids"], found["documents"], found["metadatas"])
        return [row for row in rows if row is not None and row.user_id == scope.user_id]

    def _near(self, scope: Scope, query: str, where: Mapping[str, Any], number: int) -> dict[str, float]:
        collection = self._collection(scope)
        vector = self._vectors([query])[0]
        found = guarded(lambda: collection.query(query_embeddings=[vector], n_results=number, where=where, include=["distances"]), "search")
        space = _space(collection)
        return {identity: _similarity(space, distance) for identity, distance in zip(found["ids"][0], found["distances"][0], strict=True)}

    def _write(self, scope: Scope, rows: Sequence[Memory]) -> None:
        """Write rows in batches; nothing is written before all of them have a vector."""
        if not rows:
            return
        vectors = self._vectors([row.text for row in rows])
        collection, client = self._collection(scope), self._client_of()
        size = int(guarded(client.get_max_batch_size, "open"))
        for start in range(0, len(rows), size):
            batch, part = rows[start : start + size], vectors[start : start + size]
            guarded(
                lambda batch=batch, part=part: collection.upsert(  # type: ignore[misc]
                    ids=[row.id for row in batch],
                    documents=[row.text for row in batch],
                    metadatas=[metadata_of(row) for row in batch],
                    embeddings=part,
                ),
                "write",
            )

    def _vectors(self, texts: builtins.list[str]) -> builtins.list[builtins.list[float]]:
        vectors = guarded(lambda: self._embeddings.embed_documents(texts), "embed")
        rows = [builtins.list(map(float, vector)) for vector in vectors]
        sizes = {len(row) for row in rows} | ({self._dimension} if self._dimension else set())
        if len(rows) != len(texts) or len(sizes) != 1 or not all(math.isfinite(sum(row)) for row in rows):
            message = f"The embedder gave {len(rows)} vectors for {len(texts)} texts, of {sorted(sizes)} dimensions; nothing was written."
            raise StoreError(message)
        self._dimension = sizes.pop()
        return rows

    def _client_of(self) -> Any:
        if self._client is None or self._path is not None:
            self._client = chroma_client.embedded(self._path) if self._path is not None else chroma_client.server(self._url or "")
        return self._client

    def _collection(self, scope: Scope) -> Any:
        name = self._name if self._isolation == "filter" else f"{self._name}-{owner_of(scope.user_id)[:24]}"
        if name not in self._open:
            if len(self._open) >= _OPEN_MAX and self._path is not None:
                self.close()
            self._open[name] = self._opened(name)
        elif self._path is not None:
            self._client_of()  # says so where this process was forked
        return self._open[name]

    def _opened(self, name: str) -> Any:
        client = self._client_of()
        probe = self._vectors([_PROBE])[0]
        mine = {
            "contextmode_schema": SCHEMA_VERSION,
            "contextmode_embedder": type(self._embeddings).__name__,
            "contextmode_dimension": len(probe),
            "contextmode_probe": json.dumps([round(value, 5) for value in probe[:_PROBE_PLACES]]),
        }
        collection = chroma_client.collection(client, name, mine)
        _check(name, dict(collection.metadata or {}), mine)
        return collection


def _check(name: str, held: Mapping[str, Any], mine: Mapping[str, Any]) -> None:
    """Refuse a collection that this release, or this embedder, would read wrongly; nothing in it is changed."""
    version = held.get("contextmode_schema")
    if version != SCHEMA_VERSION:
        message = f"The collection {name!r} has schema version {version!r}; this release knows {SCHEMA_VERSION}. It was left as it is."
        raise StoreError(message)
    same = all(held.get(key) == mine[key] for key in ("contextmode_embedder", "contextmode_dimension"))
    if not same or not _alike(str(held.get("contextmode_probe")), str(mine["contextmode_probe"])):
        message = (
            f"The collection {name!r} was written with {held.get('contextmode_embedder')} ({held.get('contextmode_dimension')} "
            "dimensions), "
            f"and this store has {mine['contextmode_embedder']} ({mine['contextmode_dimension']}), or another version of it. Pass the "
            "embedder that wrote it, or another collection=; it was left as it is."
        )
        raise StoreError(message)


def _alike(first: str, second: str) -> bool:
    try:
        a, b = json.loads(first), json.loads(second)
        product = sum(x * y for x, y in zip(a, b, strict=True))
        lengths = sum(x * x for x in a) * sum(y * y for y in b)
        return bool(lengths == 0 and a == b) or bool(lengths and product / lengths**0.5 >= _ALIKE)
    except (TypeError, ValueError):
        return False


def _space(collection: Any) -> str:
    configured = (collection.configuration or {}).get("hnsw") or {}
    return str(configured.get("space") or "l2")


def _similarity(space: str, distance: float) -> float:
    """Return a cosine similarity for a distance; of unit vectors, a squared l2 distance is twice the cosine distance."""
    return 1.0 - (distance / 2 if space == "l2" else distance)

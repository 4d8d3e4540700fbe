"""Embed what is stored anew: a second collection is filled and counted before it takes the place of the first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.errors import StoreError
from langchain_contextmode.stores import chroma_client
from langchain_contextmode.stores.chroma_client import guarded
from langchain_contextmode.stores.fingerprint import SCHEMA_VERSION

if TYPE_CHECKING:
    from langchain_contextmode.stores.chroma_collections import Collections
    from langchain_contextmode.stores.fingerprint import Embedder

_BATCH: Final = 500
_NEW: Final = ".reembedding"


def reembedded(at: Collections, embedder: Embedder) -> int:
    """Give every row of every collection of a store a vector of this embedder; ids, texts and metadata stay.

    Whatever interrupts it leaves the old collections as they are, and a second call begins anew. On a server, nobody else may
    write meanwhile; rows that were written or removed in between stop it.

    Args:
        at: The store's collections; their lock is held by the caller.
        embedder: The embedder to go on with.

    Returns:
        How many rows were embedded; a collection that has this embedder's vectors already is left out.

    Raises:
        StoreError: The embedder or the store failed, or the counts differ.
    """
    mine = embedder.fingerprint()
    client = at.client()
    done = 0
    for name in at.names():
        old = guarded(partial(client.get_collection, name, embedding_function=None), "open")
        held = dict(old.metadata or {})
        if held.get("contextmode_schema") != SCHEMA_VERSION:
            message = f"The collection {name!r} has schema version {held.get('contextmode_schema')!r}; it was left as it is."
            raise StoreError(message)
        if any(held.get(key) != value for key, value in mine.items()):
            done += guarded(partial(_moved, client, name, old, embedder, mine), "embed anew")
    at.close()
    return done


def _moved(client: Any, name: str, old: Any, embedder: Embedder, mine: dict[str, Any]) -> int:
    if any(item.name == name + _NEW for item in client.list_collections()):
        client.delete_collection(name + _NEW)
    new = chroma_client.collection(client, name + _NEW, mine)
    total, start = old.count(), 0
    while start < total:
        found = old.get(limit=_BATCH, offset=start, include=["documents", "metadatas"])
        if not found["ids"]:
            break
        vectors = _vectors(found["documents"], embedder)
        new.upsert(ids=found["ids"], documents=found["documents"], metadatas=found["metadatas"], embeddings=vectors)
        start += len(found["ids"])
    if not new.count() == start == old.count():
        message = f"{new.count()} of {old.count()} rows were embedded anew; somebody else wrote meanwhile. The old ones are as they were."
        raise StoreError(message)
    old.modify(name=name + chroma_client.BEFORE)
    new.modify(name=name)
    client.delete_collection(name + chroma_client.BEFORE)
    return int(start)


def _vectors(texts: list[str | None], embedder: Embedder) -> list[list[float]]:
    """Embed texts; a row without one (a tombstone) gets the vector that it had: the probe's."""
    said = [text for text in texts if text]
    found = iter(embedder.documents(said))
    return [next(found) if text else embedder.probe() for text in texts]

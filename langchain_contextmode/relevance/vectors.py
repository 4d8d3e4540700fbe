"""Vectors of messages, kept for the life of the process: a message is embedded once by each embedder."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from langchain_contextmode.content import BoundedCache

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Vectors = BoundedCache[Any]
"""Content key to a vector of length 1, as a float32 array. Vectors of different embedders must not meet."""

_BY_EMBEDDER: dict[int, Vectors] = {}


def vectors_of(embeddings: Embeddings) -> Vectors:
    """Return the process-wide cache of one embedder; it goes with the embedder.

    An embedder that cannot be referred to weakly gets a cache that only the caller holds.
    """
    key = id(embeddings)
    if key not in _BY_EMBEDDER:
        try:
            weakref.finalize(embeddings, _BY_EMBEDDER.pop, key, None)
        except TypeError:
            return BoundedCache()
        _BY_EMBEDDER[key] = BoundedCache()
    return _BY_EMBEDDER[key]

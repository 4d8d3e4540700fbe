"""What a collection remembers of the embedder that filled it, and what is refused."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.errors import StoreError
from langchain_contextmode.stores.chroma_client import guarded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.embeddings import Embeddings

SCHEMA_VERSION: Final = 1
PROBE: Final = "The quick brown fox jumps over the lazy dog. 今天天气很好。"
_PROBE_PLACES: Final = 16
_ALIKE: Final = 0.999


class Embedder:
    """An embedder whose vectors are checked before anything is written with them."""

    def __init__(self, embeddings: Embeddings) -> None:
        """Take any LangChain embedder; it is not called yet."""
        self.embeddings = embeddings
        self._probe: list[float] = []

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts, in order.

        Raises:
            StoreError: It failed, or gave too few, not finite ones, or another dimension.
        """
        if not texts:
            return []
        self.probe()  # first, so that every later vector has a dimension to agree with
        return self._embedded(texts)

    def query(self, text: str) -> list[float]:
        """Embed a query. Raises as `documents` does."""
        self.probe()
        return self._checked([guarded(lambda: self.embeddings.embed_query(text), "embed")], 1)[0]

    def probe(self) -> list[float]:
        """Return the vector of a fixed text; asked for once."""
        if not self._probe:
            self._probe = self._embedded([PROBE])[0]
        return self._probe

    def fingerprint(self) -> dict[str, Any]:
        """Return what is stored with a collection: version, name, dimension, and the first places of the probe."""
        probe = self.probe()
        return {
            "contextmode_schema": SCHEMA_VERSION,
            "contextmode_embedder": type(self.embeddings).__name__,
            "contextmode_dimension": len(probe),
            "contextmode_probe": json.dumps([round(value, 5) for value in probe[:_PROBE_PLACES]]),
        }

    def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        return self._checked(guarded(lambda: self.embeddings.embed_documents(list(texts)), "embed"), len(texts))

    def _checked(self, vectors: Any, number: int) -> list[list[float]]:
        rows: list[list[float]] = guarded(lambda: [list(map(float, vector)) for vector in vectors], "embed")
        sizes = {len(row) for row in rows} | ({len(self._probe)} if self._probe else set())
        if len(rows) != number or len(sizes) > 1 or 0 in sizes or not all(math.isfinite(sum(row)) for row in rows):
            message = f"The embedder gave {len(rows)} vectors for {number} texts, of {sorted(sizes)} dimensions; nothing was written."
            raise StoreError(message)
        return rows


def check(name: str, held: Mapping[str, Any], mine: Mapping[str, Any]) -> None:
    """Refuse a collection that this release, or this embedder, would read wrongly; nothing in it is changed.

    Raises:
        StoreError: It is of another version, not ours, or another embedder filled it.
    """
    version = held.get("contextmode_schema")
    if version != SCHEMA_VERSION:
        message = f"The collection {name!r} has schema version {version!r}; this release knows {SCHEMA_VERSION}. It was left as it is."
        raise StoreError(message)
    same = all(held.get(key) == mine[key] for key in ("contextmode_embedder", "contextmode_dimension"))
    if not same or not _alike(str(held.get("contextmode_probe")), str(mine["contextmode_probe"])):
        message = (
            f"The collection {name!r} was written with {held.get('contextmode_embedder')} ({held.get('contextmode_dimension')} "
            f"dimensions), and this store has {mine['contextmode_embedder']} ({mine['contextmode_dimension']}), or another version of "
            "it. Pass the embedder that wrote it, another collection=, or embed the memories anew with this one: `memories reembed`, or "
            "reembed() of the store. It was left as it is."
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

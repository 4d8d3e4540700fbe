"""A deterministic local embedder: hashed words, parts of words and Chinese bigrams. No model, no download."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from langchain_core.embeddings import Embeddings

from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART: Final = 4
_PART_WEIGHT: Final = 0.3


class HashingEmbeddings(Embeddings):
    """Texts that share words, or parts of words, are near. The same vectors in every process and on every machine.

    It knows nothing of meaning: synonyms are far apart. It is there so that a store works at once; recall adds a lexical score.
    Signed feature hashing after Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning".

    Attributes:
        dimension: Length of a vector.
    """

    def __init__(self, dimension: int = 384) -> None:
        """Take the length of a vector, at least 8."""
        self.dimension = max(8, dimension)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts, in order; each vector has length 1, that of a text without words is zero but for one place."""
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Embed one text, in the same space as documents."""
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        for feature, weight in _features(text):
            digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            number = int.from_bytes(digest, "big")
            vector[(number >> 1) % self.dimension] += weight if number & 1 else -weight
        length = math.sqrt(sum(value * value for value in vector))
        if not length:
            vector[0], length = 1.0, 1.0
        return [value / length for value in vector]


def _features(text: str) -> Iterator[tuple[str, float]]:
    for term, count in Counter(terms_of(text)).items():
        weight = 1.0 + math.log(count)
        yield f"w:{term}", weight
        if term.isascii() and len(term) > _PART:
            for start in range(len(term) - _PART + 1):
                yield f"p:{term[start : start + _PART]}", weight * _PART_WEIGHT

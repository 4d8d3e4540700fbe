"""Is this nearly the last request? By the embedder, if there is one, else by their terms; and never if they point elsewhere."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.relevance.query import stands_alone
from langchain_contextmode.relevance.terms import text_terms
from langchain_contextmode.spans import entities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.protocols import IO, Request


_TEXT_CHARS = 2_000
_TERMS_APART = 1


class Asked(NamedTuple):
    """A request as it is kept in state, to be compared with the next one.

    Attributes:
        request: Its beginning, at most 2,000 characters.
        request_hash: Of the whole text.
        context_hash: Of what stood right before it.
    """

    request: str = ""
    request_hash: str = ""
    context_hash: str = ""

    @classmethod
    def of(cls, request: Request) -> Asked:
        """Take down a request."""
        return cls(request.text[:_TEXT_CHARS], _hash(request.text), _hash("\0".join(request.context)))

    @classmethod
    def read(cls, stored: Any) -> Asked:
        """Read one back; anything of another shape is none."""
        fields = [value for name in cls._fields if isinstance(value := stored.get(name), str)] if isinstance(stored, dict) else []
        return cls(*fields) if len(fields) == len(cls._fields) else cls()


async def nearly_same(io: IO, request: Request, last: Asked) -> bool:
    """Say whether verdicts made for the last request stand for this one (F10).

    The same text in the same place: always. Otherwise the request must say what it is about (a "yes, please" is about
    what was said before it), name the same things exactly, differ in at most one word, and be more similar than
    `reuse_similarity`.
    """
    asked = Asked.of(request)
    if not last.request or (asked.request_hash == last.request_hash and asked.context_hash == last.context_hash):
        return bool(last.request)
    if not stands_alone(request.text) or not stands_alone(last.request):
        return False
    if asked.request_hash == last.request_hash:
        return True
    if len(request.text) > _TEXT_CHARS or len(last.request) == _TEXT_CHARS:
        return False
    ours, theirs = (_frequencies(text).keys() for text in (request.text, last.request))
    swapped = bool(ours - theirs) and bool(theirs - ours)  # one subject for another, which only an embedder can call alike
    if len(ours ^ theirs) > 2 * _TERMS_APART or (swapped and not io.can_embed) or _named(request.text) != _named(last.request):
        return False
    return await similarity(io, request.text, last.request) > io.config.reuse_similarity


def _named(text: str) -> frozenset[str]:
    return frozenset(span.text.casefold() for span in entities(text))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()


async def similarity(io: IO, left: str, right: str) -> float:
    """Return the cosine similarity of two texts, 0.0..1.0.

    An embedder that fails is replaced by the terms for this one comparison.
    """
    lexical = cosine_of_terms(_frequencies(left), _frequencies(right))
    if not io.can_embed or lexical == 0.0:
        return lexical
    try:
        first, second = await io.embed([left, right])
    except CallFailedError:
        return lexical
    return max(0.0, _cosine(first, second))


def cosine_of_terms(left: Mapping[str, int], right: Mapping[str, int]) -> float:
    """Return the cosine of two term counts; 0.0 if either is empty."""
    dot = sum(count * right.get(term, 0) for term, count in left.items())
    norm = math.sqrt(sum(c * c for c in left.values()) * sum(c * c for c in right.values()))
    return dot / norm if norm else 0.0


def _frequencies(text: str) -> Mapping[str, int]:
    return text_terms(text).counts


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    norm = math.sqrt(sum(x * x for x in left) * sum(y * y for y in right))
    return sum(x * y for x, y in zip(left, right, strict=True)) / norm if norm else 0.0

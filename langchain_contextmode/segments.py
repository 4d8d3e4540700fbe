"""A text as pieces that can stay or go: cut where a reader would, weighed by what only they say.

A piece is worth what would be lost for good without it: words of the request, and exact values (ids, numbers, dates,
paths, amounts, addresses). Running text can be guessed or asked for again; a payment id cannot.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.estimate import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MAX_PIECES: Final = 4_000
_TERM_WEIGHT: Final = 2.0
_TROUBLE_WEIGHT: Final = 1.0
_TROUBLE: Final = re.compile(r"error|exception|fail(?:ed|ure)|traceback|not found|denied|warning", re.IGNORECASE)
"""What a reader of a long output looks for first."""


_BORDERS: Final = (
    re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?:\\n)+|[\u3002\uff01\uff1f\uff1b]+[\u201d\u2019\u300d\u300f\uff09]*"),
    re.compile(r"[,;|}\])]\s*|[\uff0c\u3001\uff1a]"),
    re.compile(r"\s+"),
    re.compile(r"(?<=[^\x00-\x7f])|[^\w\s]+"),
)
"""Where a long line may be cut, best first: sentences, clauses, words, characters that are no part of a word."""

VALUE: Final = re.compile(
    r"""
    (?<![\w.+-])[\w.+-]++@[\w.-]++                                     # address
    | (?<![\w.~-])(?:[\w.~-]*+/)++[\w.~-]*                     # path, URL without its scheme
    | (?<!\w)(?:[$€£¥]\s?)?\d[\d.,:/+-]*+(?:%|(?!\w))          # number, date, time, amount
    | (?<!\w)(?:[A-Za-z_]++[\w-]*?\d|\d+[A-Za-z_])[\w-]*+      # id: letters and digits
    | (?<!\w)[A-Z]{3,}(?!\w)                                   # code: JFK
    | (?<!\w)[A-Za-z]++(?:_[A-Za-z0-9]++)++                    # name_with_underscores
    | (?<!\w)[a-z]++(?:[A-Z][a-z0-9]*+)++                      # camelCase
    """,
    re.VERBOSE,
)
_LINE_NUMBER: Final = re.compile(r"\s*(\d+)")
_SHORT_CHARS: Final = 4
_LITTLE: Final = 0.2
_WORD: Final = re.compile(r"\w(?:[\w.@/-]*\w)?")
_WIDE: Final = re.compile(r"[^\x00-\x7f]")


class Piece(NamedTuple):
    """A stretch of text.

    Attributes:
        text: As it stands in the original.
        cost: Tokens by the estimate; only their proportions matter.
        worth: More is better, 0 is nothing special; not divided by the cost.
    """

    text: str
    cost: float
    worth: float


def cut(text: str, max_chars: int) -> list[str]:
    """Cut a text into lines, and lines longer than `max_chars` at sentences, clauses, words, at last anywhere.

    The pieces joined are the text. If there are more than a few thousand lines, a piece is as many as `max_chars` hold.
    """
    whole = text.splitlines(keepends=True)
    if len(whole) > _MAX_PIECES:
        whole = list(_packed(text, _running(len(line) for line in whole), max_chars))
    return [piece for line in whole for piece in _cut_line(line, max_chars, 0)]


def _cut_line(line: str, max_chars: int, level: int) -> Iterator[str]:
    if len(line) <= max_chars:
        yield line
    elif level == len(_BORDERS):
        yield from (line[start : start + max_chars] for start in range(0, len(line), max_chars))
    else:
        for piece in _packed(line, (match.end() for match in _BORDERS[level].finditer(line)), max_chars):
            yield from _cut_line(piece, max_chars, level + 1)


def _packed(text: str, ends: Iterable[int], max_chars: int) -> Iterator[str]:
    """Join neighbouring parts while they stay within `max_chars`."""
    start = last = 0
    for end in (*ends, len(text)):
        if end - start > max_chars and last > start:
            yield text[start:last]
            start = last
        last = end
    if start < len(text):
        yield text[start:]


def _running(lengths: Iterable[int]) -> Iterator[int]:
    total = 0
    for length in lengths:
        total += length
        yield total


class Weigher:
    """What pieces are worth: terms of the request and exact values, each the more the fewer pieces have it."""

    def __init__(self, terms: frozenset[str], texts: Sequence[str]) -> None:
        """Look at all pieces once.

        Args:
            terms: Lower-cased words and ids of the request and of recent turns.
            texts: All pieces of the text, or all values of a document.
        """
        self._wide = tuple(sorted(term for term in terms if _WIDE.search(term)))
        self._terms = terms
        seen = Counter(term for text in texts for term in self._terms_in(text)) if terms else Counter[str]()
        self._weight = {term: math.log1p(len(texts) / count) for term, count in seen.items()}

    def hits(self, text: str) -> float:
        """Return the weight of the terms in a text; 0 without any."""
        return sum(self._weight.get(term, 0.0) for term in self._terms_in(text)) if self._weight else 0.0

    def _terms_in(self, text: str) -> set[str]:
        lowered = text.lower()
        words = set(_WORD.findall(lowered)) & self._terms
        if self._wide and not lowered.isascii():
            words.update(term for term in self._wide if term in lowered)
        return words


def _values(text: str) -> dict[str, float]:
    """Return exact values and their weights; short ones and the number that opens a line say little."""
    opening = _LINE_NUMBER.match(text)
    number = opening.group(1) if opening else ""
    return {value: _LITTLE if len(value) < _SHORT_CHARS or value == number else 1.0 for value in VALUE.findall(text)}


def pieces(text: str, max_chars: int, terms: frozenset[str]) -> list[Piece]:
    """Cut a text and weigh its pieces, in order.

    Of a very long text only the beginning, the end and the stretches worth most are cut as finely as `max_chars`.
    """
    grain = max(max_chars, len(text) // _MAX_PIECES)
    coarse = _weighed(cut(text, grain), terms)
    if grain == max_chars:
        return coarse
    order = [0, len(coarse) - 1, *sorted(range(1, len(coarse) - 1), key=lambda index: -coarse[index].worth)]
    fine = frozenset(order[: max(2, _MAX_PIECES * max_chars // grain)])
    return _weighed([part for n, piece in enumerate(coarse) for part in (cut(piece.text, max_chars) if n in fine else [piece.text])], terms)


def _weighed(texts: list[str], terms: frozenset[str]) -> list[Piece]:
    weigher = Weigher(terms, texts)
    values = [_values(piece) for piece in texts]
    seen = Counter(value for found in values for value in found)
    weighed: list[Piece] = []
    for piece, found in zip(texts, values, strict=True):
        worth = _TERM_WEIGHT * weigher.hits(piece) + sum(weight / math.sqrt(seen[value]) for value, weight in found.items())
        weighed.append(Piece(piece, estimate_tokens(piece), worth + _TROUBLE_WEIGHT * bool(_TROUBLE.search(piece))))
    return weighed

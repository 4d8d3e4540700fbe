"""Which of many patterns could fit a text at all: those of whose letters some stand in it. One look at the text tells for all of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

_LEAST, _ENOUGH = 3, 5
"""Letters that a needed text must have to be of use, and beyond which more are no better."""
_TOKEN: Final = re.compile(r"\\u[0-9a-f]{4}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|P<\w+>)|.", re.DOTALL)
_QUANTIFIER: Final = re.compile(r"([?*+]|\{(\d*),?\d*\})[?+]?")
_ZERO_WIDTH: Final = frozenset(("\\b", "\\B", "^", "$"))


class Gated(Generic[T]):
    """Patterns with what each stands for, in order; those that cannot fit a text are not tried.

    Each alternative of a pattern is tried by itself, in order. Patterns are lower-case and use no numbered groups.
    """

    def __init__(self, patterns: Iterable[tuple[T, str]]) -> None:
        """Compile the patterns and note the letters that each needs."""
        parts = [(kind, part) for kind, pattern in patterns for part in alternatives(pattern)]
        self.patterns: tuple[tuple[T, re.Pattern[str]], ...] = tuple((kind, re.compile(part)) for kind, part in parts)
        needed = [_needed(part) for _, part in parts]
        self._firsts, first = _turned([one for one, _ in needed])
        self._seconds, second = _turned([two for _, two in needed])
        self._table: dict[str, list[tuple[str, int, int]]] = {}
        for letters in sorted({*first, *second}):
            self._table.setdefault(letters[:_LEAST], []).append((letters, first.get(letters, 0), second.get(letters, 0)))

    @property
    def free(self) -> tuple[str, ...]:
        """The patterns for which no letters are needed, so that they are always tried."""
        return tuple(pattern.pattern for _, pattern in self.fitting(""))

    def fitting(self, text: str) -> Iterator[tuple[T, re.Pattern[str]]]:
        """Yield the patterns that could fit a lower-case text, in order."""
        mask = self._mask(text)
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            yield self.patterns[lowest.bit_length() - 1]

    def _mask(self, text: str) -> int:
        first, second, table = self._firsts, self._seconds, self._table
        for gram in table.keys() & {text[at : at + _LEAST] for at in range(len(text) - _LEAST + 1)}:
            for letters, one, two in table[gram]:
                if letters in text:
                    first |= one
                    second |= two
        return first & second


def _turned(needed: list[frozenset[str]]) -> tuple[int, dict[str, int]]:
    """Return which patterns need nothing, a bit each, and which patterns each text serves."""
    free = 0
    serves: dict[str, int] = {}
    for number, texts in enumerate(needed):
        if not texts or min(map(len, texts)) < _LEAST:
            free |= 1 << number
            continue
        for letters in texts:
            serves[letters] = serves.get(letters, 0) | 1 << number
    return free, serves


class _Atom(NamedTuple):
    text: str  # one letter, or empty
    inner: frozenset[str] | None  # what a group needs
    least: int  # how often it must stand at least
    is_exact: bool  # it stands exactly once
    is_zero: bool


def alternatives(pattern: str) -> list[str]:
    """Split a pattern at its outermost bars."""
    parts, depth, start, at = [], 0, 0, 0
    for token in _TOKEN.finditer(pattern):
        word, at = token.group(), token.end()
        depth += word.startswith("(") - (word == ")")
        if word == "|" and not depth:
            parts.append(pattern[start : token.start()])
            start = at
    return [*parts, pattern[start:]]


def needs(pattern: str) -> frozenset[str]:
    """Return texts of which every match holds at least one; empty if none are known."""
    found: list[frozenset[str]] = []
    for part in alternatives(pattern):
        best = _ranked(part)[0]
        if not best:
            return frozenset()
        found.append(best)
    return frozenset().union(*found)


def _needed(pattern: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets of texts: every match of a pattern without outer bars holds one of each; empty where there is none."""
    ranked = _ranked(pattern)
    return ranked[0], (ranked[1] if len(ranked) > 1 else frozenset())


def _ranked(sequence: str) -> list[frozenset[str]]:
    """Return what a pattern without outer bars needs: the longest texts first, among these the fewest."""
    sets: list[frozenset[str]] = []
    run = ""
    for atom in _atoms(sequence):
        if atom.is_zero:
            continue
        if atom.text and atom.least:
            run += atom.text
        if not (atom.text and atom.is_exact):
            sets.append(frozenset((run,)) if run else frozenset())
            run = ""
            if atom.inner and atom.least:
                sets.append(atom.inner)
    sets.append(frozenset((run,)) if run else frozenset())
    return sorted(sets, key=lambda one: (-min(min(map(len, one), default=0), _ENOUGH), len(one)))


def _atoms(sequence: str) -> Iterator[_Atom]:
    at = 0
    while at < len(sequence):
        token = _TOKEN.match(sequence, at)
        word = token.group() if token else sequence[at]
        at += len(word)
        text, inner, is_zero = "", None, word in _ZERO_WIDTH
        if word.startswith("("):
            end = _closing(sequence, at)
            is_zero = word[-1] in "=!"
            inner = None if is_zero else needs(sequence[at:end])
            at = end + 1
        elif len(word) == 1 and word != ".":
            text = word
        elif word.startswith("\\u"):
            text = chr(int(f"0x{word[2:]}", 0))
        elif word.startswith("\\") and word[1] not in "bBdswDSW":
            text = word[1]
        quantifier = _QUANTIFIER.match(sequence, at)
        least = 1
        if quantifier:
            at = quantifier.end()
            least = {"?": 0, "*": 0, "+": 1}.get(quantifier[1], int(quantifier[2] or 0))
        yield _Atom(text, inner, least, quantifier is None, is_zero)


def _closing(sequence: str, at: int) -> int:
    depth = 1
    for token in _TOKEN.finditer(sequence, at):
        depth += token.group().startswith("(") - (token.group() == ")")
        if not depth:
            return token.start()
    return len(sequence)

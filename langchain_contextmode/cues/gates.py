"""Which of many patterns could fit a text at all: those of whose letters some stand in it. One look at the text tells for all of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

_SIZES: Final = (5, 4, 3)
_LONG, _SHORT = _SIZES[0], _SIZES[-1]
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
        self._free = 0
        self._table: dict[str, int] = {}
        for number, (_, part) in enumerate(parts):
            needed = needs(part)
            if not needed or min(map(len, needed)) < _SHORT:
                self._free |= 1 << number
                continue
            for letters in needed:
                gram = letters[:_LONG]
                self._table[gram] = self._table.get(gram, 0) | 1 << number

    @property
    def free(self) -> tuple[str, ...]:
        """The patterns for which no letters are needed, so that they are always tried."""
        return tuple(pattern.pattern for number, (_, pattern) in enumerate(self.patterns) if self._free >> number & 1)

    def may_fit(self, text: str) -> bool:
        """Say cheaply whether a lower-case text holds letters without which no pattern fits."""
        return bool(self._mask(text))

    def fitting(self, text: str) -> Iterator[tuple[T, re.Pattern[str]]]:
        """Yield the patterns that could fit a lower-case text, in order."""
        mask = self._mask(text)
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            yield self.patterns[lowest.bit_length() - 1]

    def _mask(self, text: str) -> int:
        mask, table = self._free, self._table
        for size in _SIZES:
            for gram in table.keys() & {text[at : at + size] for at in range(len(text) - size + 1)}:
                mask |= table[gram]
        return mask


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
        best = _best(part)
        if not best:
            return frozenset()
        found.append(best)
    return frozenset().union(*found)


def _best(sequence: str) -> frozenset[str]:
    """Return what a pattern without outer bars needs: the longest texts, among these the fewest."""
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
    return max(sets, key=lambda one: (min(min(map(len, one), default=0), _LONG), -len(one)))


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

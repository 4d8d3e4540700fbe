"""Whether a statement stands on something that was said: by its words, and letter by letter by its exact values."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.exact import exact_spans, missing_in, one_spaced
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST: Final = 0.6
"""Share of a statement's words from which it counts as said by a text."""

_REMEMBERED: Final = 4_096
"""Statements whose words and values are remembered: those of a summary are asked for again and again."""

LETTER_BY_LETTER: Final = frozenset({"id", "path", "url", "email", "command"})
"""Kinds of values that may not change their form."""

_SOFT: Final = frozenset({"name", "negation", "quoted"})
_COUNTED: Final = frozenset({"number", "amount", "date"})
_WORD_OR_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_])(?<![A-Za-z]-)\d+(?:[.,:]\d+)*|(?<![A-Za-z0-9_-])[^\W\d_]+")
_INSIDE: Final = re.compile(r"(?<![\w@./:#+-])[\w@./:#+-]*\d[\w@./:#+-]*")
_SEPARATORS: Final = re.compile(r"[,:]|(?<!\d)0+(?=\d)")
_NUMBER_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IDLE: Final = frozenset(
    terms_of(  # what a summary says of everything; never a sign that a statement stands on a text
        "user users user's assistant prefers preference wants wanted needs required requires must should likes asked said says stated "
        "states requested mentioned explicitly constraint hard always conversation 用户 要求 希望 表示 提到"
    )
)
_SUBJECT: Final = re.compile(r"\s*(?:the\s+)?user(?:'s|s)?\s+|\s*用户(?:的)?", re.IGNORECASE)


@lru_cache(maxsize=_REMEMBERED)
def content_terms(text: str) -> frozenset[str]:
    """Return the words that say what a statement is about; CJK texts as pairs of characters."""
    opening = _SUBJECT.match(text)
    return frozenset(terms_of(text[opening.end() :] if opening else text)) - _IDLE


def share(terms: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of `terms` that `other` holds, 0..1; 0 without any."""
    return len(terms & other) / len(terms) if terms else 0.0


@lru_cache(maxsize=_REMEMBERED)
def values(text: str) -> tuple[Span, ...]:
    """Return what can be wrong: ids, paths, addresses, commands, numbers, amounts, dates, also in names, quotations and negations."""
    return tuple(value for span in exact_spans(text) for value in _values_in(span))


def _values_in(span: Span) -> Iterator[Span]:
    if span.kind in LETTER_BY_LETTER or span.kind in _COUNTED:
        yield span
    else:
        for match in _INSIDE.finditer(span.text):
            value = match.group().rstrip(".:")
            yield Span(value, "number" if value.replace(".", "").isdigit() else "id")


@lru_cache(maxsize=_REMEMBERED)
def firmness(text: str) -> int:
    """Say how much would be lost for good with a text: 0 bare numbers ("question 12"), 1 names and negations, 2 exact values."""
    kinds = [span.kind for span in exact_spans(text) if span.kind != "number" or not span.text.isdecimal()]
    return 0 if not kinds else 1 if all(kind in _SOFT for kind in kinds) else 2


class Known:
    """Everything that was said; tells what a statement invents."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read the texts once."""
        self._plain = one_spaced("\n".join(texts))
        words = _WORD_OR_NUMBER.findall(self._plain.casefold())
        self._words = frozenset(map(_plain, words))

    def invented(self, statement: str) -> tuple[Span, ...]:
        """Return the values of a statement that nobody said.

        Ids, paths, addresses and commands count letter by letter. Of numbers and dates the figures and the names of days and
        months have to have been said, in whatever form: 1,200 is 1200, two is 2.
        """
        spans = values(statement)
        absent = missing_in(spans, self._plain)
        return tuple(span for span in absent if span.kind in LETTER_BY_LETTER or not self._figures(span))

    def _figures(self, span: Span) -> bool:
        parts = list(map(_plain, _WORD_OR_NUMBER.findall(span.text.casefold())))
        told = [part for part in parts if part[0].isdigit() or part in _NUMBER_WORDS or (span.kind == "date" and len(part) > 2)]  # noqa: PLR2004
        return bool(told) and all(part in self._words or self._counted(part) for part in told)

    def _counted(self, part: str) -> bool:
        if part in _NUMBER_WORDS:
            return str(_NUMBER_WORDS.index(part)) in self._words
        return part.isdigit() and int(part[:3]) < len(_NUMBER_WORDS) and _NUMBER_WORDS[int(part[:3])] in self._words


class Held:
    """What a summary already says; tells what it still lacks."""

    def __init__(self, statements: Iterable[str]) -> None:
        """Start from statements, each judged by itself."""
        self._statements: list[str] = []
        self._terms: list[frozenset[str]] = []  # of the first statements, as far as they were asked for
        self._text = self._plain = ""
        for statement in statements:
            self.add(statement)

    def add(self, statement: str) -> None:
        """Take in one more statement."""
        self._statements.append(statement)
        self._text = f"{self._text}\n{statement}"
        self._plain = f"{self._plain} {one_spaced(statement)}"

    def says(self, statement: str) -> bool:
        """Say whether the values of a statement are held, and most of its words by one held statement."""
        self._terms += map(content_terms, self._statements[len(self._terms) :])
        terms = content_terms(statement)
        return not self.lacks(values(statement)) and any(share(terms, other) >= MOST for other in self._terms)

    def copied(self, statement: str) -> bool:
        """Say whether a statement is held letter by letter."""
        return statement in self._text

    def lacks(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the spans that are not held."""
        return missing_in(spans, self._plain)


def _plain(part: str) -> str:
    return _SEPARATORS.sub("", part) if part[0].isdigit() else part

"""Whose words a model's statement is: what only a tool said never passes for something that people said or decided (I13)."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.summary.grounding import LETTER_BY_LETTER, MOST, Known, content_terms, share, values
from langchain_contextmode.summary.sayings import copies
from langchain_contextmode.summary.state import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.spans import Span
    from langchain_contextmode.summary.source import Source
    from langchain_contextmode.summary.state import Summary

_STRETCH: Final = 3
"""So many sentences in a row may stand behind one statement."""

_SMALL: Final = re.compile(r"\d{1,2}")
_CLAUSE: Final = re.compile(r"(?<=[;\uff1b])\s*")


class Heard:
    """What one tool said.

    Attributes:
        text: Its text.
        ids: Its message.
    """

    def __init__(self, text: str, ids: tuple[str, ...]) -> None:
        """Read it when it is first asked for."""
        self.text = text
        self.ids = ids

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Return for each word the numbers of its sentences, ascending."""
        places: dict[str, list[int]] = {}
        for number, sentence in enumerate(copies(self.text)):
            for term in dict.fromkeys(terms_of(sentence)):
                places.setdefault(term, []).append(number)
        return places

    def likeness(self, terms: frozenset[str], sentences: int) -> float:
        """Return the largest share of the terms that so many sentences in a row hold, 0..1."""
        found: dict[int, set[str]] = {}
        for term in terms:
            for number in self._places.get(term, ()):
                found.setdefault(number, set()).add(term)
        most = max((len(held.union(*(found.get(n + k, ()) for k in range(1, sentences)))) for n, held in found.items()), default=0)
        return most / len(terms) if terms else 0.0

    @cached_property
    def known(self) -> Known:
        """Its values."""
        return Known([self.text])


class Voices:
    """Tells what stands on a tool's words alone.

    Args:
        source: The slice.
        old: The summary of before; what it has from tools stays a tool's.
    """

    def __init__(self, source: Source, old: Summary) -> None:
        """Divide what is known by who said it."""
        lines = [line for name in SECTIONS for line in old.lines(name)] + list(old.details)
        self._tools = (*source.heard, *(Heard(line.text, line.message_ids[-1:]) for line in lines if line.origin == "tool"))
        if self._tools:
            told = [*(line.text for line in lines if line.origin not in {"tool", "record"}), *copies(old.text), *sorted(source.pinned)]
            self._people = Known([*source.people_texts, *told])
            self._words = (*source.people_terms, *(frozenset(terms_of(text)) for text in told))

    def split(self, statement: str) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
        """Take out of a statement what only tools said.

        Returns:
            What is left, the whole statement letter by letter if nothing is taken out; and each part taken out with the id of the
            tool's message.
        """
        if not self._tools:
            return statement, []
        parts = [part for sentence in copies(statement) for part in _CLAUSE.split(sentence) if part]
        taken = [(part, ids) for part in parts if (ids := self._tool(part)) is not None]
        if not taken:
            ids = self._tool(statement) if len(parts) > 1 else None
            return (statement, []) if ids is None else ("", [(statement, ids)])
        if len(taken) == len(parts):
            return "", [(statement, taken[0][1])]
        gone = frozenset(part for part, _ in taken)
        left = " ".join(part for part in parts if part not in gone)
        return (left if any(map(str.isalnum, left)) else ""), taken

    def _tool(self, statement: str) -> tuple[str, ...] | None:
        """Return the message of the tool that said it; `None` if people or the assistant did, or nobody in so many words."""
        terms = content_terms(statement)
        alone = self._values_of_tools(statement)
        said = max((share(terms, words) for words in self._words), default=0.0)
        likeness = [heard.likeness(terms, _STRETCH) for heard in self._tools]
        best = max(range(len(likeness)), key=lambda number: likeness[number])
        if alone:
            holding = [number for number, heard in enumerate(self._tools) if not set(alone) <= set(heard.known.invented(statement))]
            return self._tools[max(holding, key=lambda number: likeness[number], default=best)].ids
        if likeness[best] < MOST:
            return None
        if said >= MOST:  # in words that both use, the one sentence that says more of it counts
            likeness = [heard.likeness(terms, 1) for heard in self._tools]
            best = max(range(len(likeness)), key=lambda number: likeness[number])
        return self._tools[best].ids if likeness[best] > said else None

    def _values_of_tools(self, statement: str) -> Sequence[Span]:
        """Return the values that only tools said; a date or a number counts only if people said none of the values."""
        absent = self._people.invented(statement)
        if not absent:
            return ()
        unknown = [frozenset(heard.known.invented(statement)) for heard in self._tools]
        alone = [span for span in absent if any(span not in other for other in unknown)]
        exact = [span for span in alone if span.kind in LETTER_BY_LETTER]
        told = [span for span in alone if not _SMALL.fullmatch(span.text)]
        return exact or (told if len(absent) == len(values(statement)) else ())

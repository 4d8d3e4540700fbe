"""What is copied out of a slice, with or without a model: decisions, open items, demands, exact details, what it was about.

Nothing is rephrased: each line is a sentence of a message, or a tool's call with its telling values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from langchain_contextmode import cues, json_tree
from langchain_contextmode.content import BoundedCache
from langchain_contextmode.exact import exact_spans
from langchain_contextmode.pins import TASTES
from langchain_contextmode.relevance.terms import surface_terms, terms_of
from langchain_contextmode.segments import pieces
from langchain_contextmode.shorten import excerpt, gist
from langchain_contextmode.summary.grounding import Held
from langchain_contextmode.summary.sayings import Said, copies
from langchain_contextmode.summary.size import COVERED_CHARS
from langchain_contextmode.summary.state import Covered, Line, Section, Summary
from langchain_contextmode.summary.text import summary_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.spans import Span
    from langchain_contextmode.summary.source import Source

T = TypeVar("T")

CALL_CHARS: Final = 240
"""What the line about a tool result says of the call, in characters."""

_RESULT_SHARE: Final = 16

_HUMAN_SHARE: Final = 4
_OTHER_SHARE: Final = 8
"""A message takes a quarter or an eighth of the whole summary with its details, the values of a tool result a sixteenth, at most."""

_LEAST_TOKENS: Final = 48
_CHARS_PER_TOKEN: Final = 3
_LONG_CHARS: Final = 20_000
_PIECE_CHARS: Final = 300
_ABOUT_TERMS: Final = 6
_TELLING_TERMS: Final = 2
_ALSO: Final = "; also "
_REMEMBERED_CHARS: Final = 4_000
_DERIVED: Final[BoundedCache[Any]] = BoundedCache(16_384)


class Extractor:
    """Copies out of slices.

    Args:
        max_tokens: Size of the whole summary.
        count: Tokens of a text.
        with_demands: Also demands that are no pins (where pins are capped or switched off).
        records: Called with the blocks of the slice's turns: a structured record for each turn, or a run of turns on one topic, goes
            first into the details (`turn_form="records"`). `None`: no records.
    """

    def __init__(
        self,
        max_tokens: int,
        count: Callable[[str], int],
        *,
        with_demands: bool = False,
        records: Callable[[Sequence[Sequence[Block]]], Sequence[Line]] | None = None,
    ) -> None:
        """Remember the limits."""
        self._records = records
        self._max_tokens = max_tokens
        self._count = count
        self._with_demands = with_demands
        self._result_tokens = max(_LEAST_TOKENS, max_tokens // _RESULT_SHARE)

    def extracted(self, old: Summary, source: Source) -> Summary:
        """Return the old summary and all that is worth copying out of a slice; no model needed."""
        sections = dict(old.sections)
        for name in ("preferences", "constraints"):
            sections[name] = tuple(line for line in old.lines(name) if source.upholds(line.text, line.message_ids))
        summary = self._with_cues(replace(old, sections=sections), source, open_items=True)
        return self._covered(self._with_details(summary, source, everything=True), source)

    def completed(self, summary: Summary, source: Source, *, open_items: bool = False, from_tools: Sequence[Line] = ()) -> Summary:
        """Return a model's checked summary with what it left out: decisions, and sentences with exact spans that stand nowhere.

        Args:
            summary: What the model made of the slice.
            source: The slice.
            open_items: The model wrote no sections: open items are copied, too.
            from_tools: What the model took from tools; details, unless a copied one says it.
        """
        summary = self._with_details(self._with_cues(summary, source, open_items=open_items), source)
        held = Held(line.text for line in summary.details if line.origin == "tool")
        for line in from_tools:
            if not held.copied(line.text) and not held.says(line.text):
                held.add(line.text)
                summary = replace(summary, details=(*summary.details, line))
        return self._covered(summary, source)

    def _with_cues(self, summary: Summary, source: Source, *, open_items: bool = False) -> Summary:
        sections: dict[Section, tuple[Line, ...]] = dict(summary.sections)
        held = Held([*(line.text for lines in sections.values() for line in lines), *copies(summary.text)])
        for name, line in self._cued(source, open_items=open_items):
            if not held.copied(line.text) and not (name == "decisions" and held.says(line.text)):
                held.add(line.text)
                sections[name] = (*sections.get(name, ()), line)
        return replace(summary, sections={name: lines for name, lines in sections.items() if lines})

    def _cued(self, source: Source, *, open_items: bool) -> Iterator[tuple[Section, Line]]:
        for said in source.said:
            if said.origin != "tool":
                yield from (("decisions", Line(text, said.ids, said.origin)) for text in _remembered(cues.decisions, said.text))
                if open_items:
                    yield from (("open", Line(text, said.ids, said.origin)) for text in _remembered(cues.open_items, said.text))
        for number, (spotted, identity) in enumerate(source.demands if self._with_demands else ()):
            if spotted.text not in source.pinned and source.upholds(spotted.text, (identity,), after=number):
                name: Section = "preferences" if spotted.kind in TASTES else "constraints"
                yield name, Line(spotted.text, (identity,), "human")

    def _with_details(self, summary: Summary, source: Source, *, everything: bool = False) -> Summary:
        details = [*summary.details, *(self._records([turn.blocks for turn in source.part if turn.blocks]) if self._records else ())]
        everything = everything and not self._records
        held = Held([summary_text(replace(summary, details=tuple(details))), *source.pinned])
        left_out = dict.fromkeys(summary.left_out)
        for said in source.said:
            lines, whole = self._details(said, held, everything=everything)
            for text in lines:
                held.add(text)
                details.append(Line(text, said.ids, said.origin))
            if not whole:
                left_out[said.ids[-1]] = None
        return replace(summary, details=tuple(details), left_out=tuple(left_out))

    def _details(self, said: Said, held: Held, *, everything: bool) -> tuple[list[str], bool]:
        """Return the lines to copy from a message, and whether they are all that there was to copy."""
        if said.call:
            line = f"{excerpt(said.call, CALL_CHARS)} -> {self._telling(said.text)}"
            new = not held.copied(line) if everything else bool(held.lacks(exact_spans(line)))
            return [line] if new else [], self._short(said.text) and len(said.call) <= CALL_CHARS
        share = _HUMAN_SHARE if said.origin == "human" else _OTHER_SHARE
        candidates = _remembered(_candidates, said.text)
        wanted = [c for c in candidates if (not held.copied(c.text) if everything and c.tells else held.lacks(c.spans))]
        return self._within(wanted, max(_LEAST_TOKENS, self._max_tokens // share))

    def _within(self, wanted: Sequence[_Candidate], room: int) -> tuple[list[str], bool]:
        """Choose the sentences with the most spans a token, and return them in their own order; none says the same twice."""
        costs = [self._count(candidate.text) + 1 for candidate in wanted]
        order = range(len(wanted))
        if sum(costs) > room:
            order = sorted(order, key=lambda n: (-len(wanted[n].spans) / costs[n], n))  # type: ignore[assignment]
        chosen: dict[int, str] = {}
        for number in order:
            if costs[number] <= room:
                room -= costs[number]
                chosen[number] = wanted[number].text
        return list(dict.fromkeys(chosen[number] for number in sorted(chosen))), len(chosen) == len(wanted)

    def _telling(self, text: str) -> str:
        """Return the values of a tool's result in one line: of JSON those worth most, of a text the stretches that hold most."""
        limit = self._result_tokens
        if self._short(text) or json_tree.parse(text) is not None:
            return gist(text, limit, self._count)
        parts = pieces(text, _PIECE_CHARS // 2, frozenset())
        order = sorted(range(len(parts)), key=lambda n: (-parts[n].worth / (parts[n].cost + 8), n))
        room, chosen = float(limit), []
        for number in order:
            if parts[number].cost <= room:
                room -= parts[number].cost
                chosen.append(number)
        line = " … ".join(" ".join(parts[n].text.split()) for n in sorted(chosen))
        return line or gist(text, limit, self._count)

    def _short(self, text: str) -> bool:
        """Say whether a tool's result is told as a whole."""
        return len(text) <= self._result_tokens * _CHARS_PER_TOKEN

    @staticmethod
    def _covered(summary: Summary, source: Source) -> Summary:
        ids = source.ids
        line = Covered(about(source.said), ids[0], ids[-1], len(ids), source.tokens)
        return replace(summary, slices=(*summary.slices, line))


class _Candidate(NamedTuple):
    """A sentence and the exact spans in it."""

    text: str
    spans: Sequence[Span]

    @property
    def tells(self) -> bool:
        """Say whether it holds more than names: "Thanks, Bob!" need not be there twice."""
        return any(span.kind != "name" for span in self.spans)


def _candidates(text: str) -> tuple[_Candidate, ...]:
    """Return the sentences of a text with exact spans; of a very long text, those of the stretches worth most."""
    sentences = copies(text)
    if len(text) > _LONG_CHARS:
        parts = pieces(text, _PIECE_CHARS, frozenset())
        best = sorted(range(len(parts)), key=lambda n: (-parts[n].worth, n))[: _LONG_CHARS // _PIECE_CHARS]
        sentences = [sentence for n in sorted(best) for sentence in copies(parts[n].text)]
    return tuple(_Candidate(sentence, spans) for sentence in sentences if (spans := exact_spans(sentence)))


def _remembered(derive: Callable[[str], T], text: str) -> T:
    """Return what is derived from one message alone; for hosts that keep no state it is asked for in each turn."""
    if len(text) > _REMEMBERED_CHARS:
        return derive(text)
    found: T = _DERIVED.get((derive, text), lambda: derive(text))
    return found


def about(said: Sequence[Said]) -> str:
    """Say in one line what some messages were about: the first request that says something, and the words said most often.

    Chinese is not cut into words: there the last request stands in their place. Where nobody spoke, a call or a tool's text, marked.
    """
    spoken = [one.text for one in said if one.origin != "tool"] or [one.call or f"tool: {one.text}" for one in said]
    asked = [text for text in (one.text for one in said if one.origin == "human") if _tells(text)] or spoken[:1] or [""]
    line = excerpt(asked[0], COVERED_CHARS * 5 // 8)
    room = COVERED_CHARS - len(line) - len(_ALSO)
    also = ", ".join(_fitting(_common_words(spoken, asked[0]), room)) or (excerpt(asked[-1], room) if len(asked) > 1 else "")
    return f"{line}{_ALSO}{also}" if also else line


def _tells(text: str) -> bool:
    return len(set(islice(terms_of(text), _TELLING_TERMS))) >= _TELLING_TERMS


def _common_words(texts: Sequence[str], but_for: str) -> list[str]:
    seen: Counter[str] = Counter()
    words: dict[str, str] = {}
    for text in texts:
        found = _remembered(surface_terms, text[:_LONG_CHARS])
        seen.update(found.keys())
        words = found | words
    known = frozenset(terms_of(but_for))
    common = [words[term] for term, number in seen.most_common() if number > 1 and term not in known]
    return list(dict.fromkeys(word for word in common if word.isascii() and any(map(str.isalpha, word))))[:_ABOUT_TERMS]


def _fitting(words: Sequence[str], room: int) -> Iterator[str]:
    """Yield the first words that fit, each whole."""
    for word in words:
        room -= len(word) + 2
        if room < 0:
            return
        yield word

"""From the values that a message names to statements about fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.task.extract.alternatives import without_alternatives
from langchain_contextmode.task.extract.answers import SENTENCE, answers, asked_field
from langchain_contextmode.task.extract.choices import booleans, choices, word
from langchain_contextmode.task.extract.corrections import adds, corrects, dropped, mended, moved, moves, preferred, refused
from langchain_contextmode.task.extract.dates import dates
from langchain_contextmode.task.extract.durations import durations, moment
from langchain_contextmode.task.extract.holds import KINDS, OWN, cues_of, has_choice, is_end, per_unit, unit_of, value_of
from langchain_contextmode.task.extract.limits import is_less, is_limit, says_other
from langchain_contextmode.task.extract.mention import Mention, longest
from langchain_contextmode.task.extract.money import money
from langchain_contextmode.task.extract.moods import only_asked, other_errand, own_words, says_nothing
from langchain_contextmode.task.extract.names import names
from langchain_contextmode.task.extract.numbers import longest_numbers
from langchain_contextmode.task.extract.people import people
from langchain_contextmode.task.extract.proposals import forgotten, proposals
from langchain_contextmode.task.extract.times import later, times, unsaid_half
from langchain_contextmode.task.types import Found

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from langchain_contextmode.task.types import FieldSpec, Heard

_HEAD_CHARS: Final = 4_000
_TAIL_CHARS: Final = 2_000
_HALF_WIDTH: Final = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, ord("、"): ord(",")}
"""Full-width letters, digits and punctuation are read as their half-width twins: one character each, so that places stay."""
_CLAUSE: Final = re.compile(r"[,;，；]|\band\b|\bbut\b|然后|并且|而且", re.IGNORECASE)
_END_BEFORE: Final = re.compile(
    r"(?:\buntil|\btill|\bup to|\bthrough|\breturn(?:ing)?(?: it)?(?: on)?|\bback(?: on)?|\bdrop(?:ping)?(?: it)? off(?: on)?|\bto"
    r"|[至到])\s+(?:the )?$|[至到]$",
    re.IGNORECASE,
)
_END_AFTER: Final = re.compile(r",?\s*(?:until|till|through|to|up to)\b|\s*[至到]", re.IGNORECASE)
_AHEAD: Final = frozenset({"from", "to", "until", "till", "through", "at", "on", "in", "by", "for", "starting", "从", "到", "至", "在"})
"""Cues that only what follows them can belong to."""
_CHANGED_TO: Final = re.compile(r"\b(?:chang|switch|mov|updat|push|shift|set)\w*\b[^.!?]{0,40}\bto (?:the )?$|[改换]到$", re.IGNORECASE)
_COMES_BACK: Final = re.compile(
    r"\b(?:return|back|arriv\w*|land\w*|check(?:ing)? out)\b(?: \w+)? (?:by|at|around|before)\s+$|(?:返回|回来|到达)\S{0,4}$"
)
_PER: Final = re.compile(
    r"\s*(?:per|each|apiece|a (?:head|person|night|day|piece)|/\s*(?:person|night|day)|每|一[人晚天个位])", re.IGNORECASE
)
_CASUAL: Final = re.compile(r"(?:today|tonight|this (?:evening|afternoon|morning)|今天|今晚)$", re.IGNORECASE)
_DONE: Final = re.compile(r"\b(?:done|all|everything|nothing|help\w*|job|enough) for (?:now|the )?$", re.IGNORECASE)
_CASUAL_LEAD: Final = re.compile(r"\b(?:for|on|by|starting|later)\s*$", re.IGNORECASE)
_LABEL: Final = 100
_BARE_WORDS: Final = 6
_REACH: Final = 36
_AFTER_WEIGHT: Final = 1.5


class _Sentence(NamedTuple):
    text: str
    start: int
    corrects: bool


def hear(fields: Sequence[FieldSpec], heard: Heard, values: Mapping[str, Any]) -> list[Found]:
    """Return what a human message says about fields, in the order of the text.

    Local and deterministic. What is not certain is left out: a value that two fields could hold alike, what is only supposed or
    quoted, a range, a relative date without the message's time.

    Args:
        fields: All fields of the task.
        heard: The message.
        values: Current values by field; say what a correction corrects.

    Returns:
        Statements; their spans stand in the text letter by letter.
    """
    found: list[Found] = []
    words = " ".join(f"{field.name} {field.description} {' '.join(field.cues)}" for field in fields).lower()
    words = " ".join((words, *(name.lower() for field in fields for choice in field.choices for name in choice.names)))
    said, heard = heard.text, heard._replace(text=heard.text.translate(_HALF_WIDTH), asked=heard.asked.translate(_HALF_WIDTH))
    for start, window in _windows(heard.text):
        for match in SENTENCE.finditer(own_words(window)):
            text = match.group()
            if other_errand(text, words):  # the rest is about it
                break
            if text.strip() and not says_nothing(text):
                found += _Reader(fields, heard, values, _Sentence(text, start + match.start(), corrects(text))).read()
    if not found:
        found = answers(fields, heard)
    found = [_as_said(item, said) for item in _settled(found, {field.name for field in fields if field.many})]
    return sorted(found, key=lambda item: (item.start, item.field))


def _as_said(item: Found, said: str) -> Found:
    """Return a statement with its span, and its value if that is a copy of it, in the letters of the message."""
    span = said[item.start : item.start + len(item.span)]
    return item._replace(span=span, value=span if item.value == item.span else item.value)


def _windows(text: str) -> list[tuple[int, str]]:
    """Return the parts of a text that are read: all of it, or its beginning and end where it is very long."""
    if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
        return [(0, text)]
    return [(0, text[:_HEAD_CHARS]), (len(text) - _TAIL_CHARS, text[-_TAIL_CHARS:])]


def _settled(found: Sequence[Found], lists: Container[str]) -> list[Found]:
    """Leave out what a statement about the same field makes superfluous: what was refused beside what is set, a drop beside a value.

    An item that a list loses stays beside one that it gains.
    """
    filled = {item.field for item in found if item.op == "set"}
    return [item for item in found if item.op == "set" or item.field not in filled or (item.op == "refuse" and item.field in lists)]


class _Reader:
    """Reads one sentence."""

    def __init__(self, fields: Sequence[FieldSpec], heard: Heard, values: Mapping[str, Any], sentence: _Sentence) -> None:
        self._fields = fields
        self._heard = heard
        self._values = values
        self._sentence = sentence
        self._last = ""
        self._prior: tuple[str, int] | None = None

    def read(self) -> list[Found]:
        text = self._sentence.text
        found = []
        for mention in self._mentions(text):
            field, named = self._field(mention)
            if field is None or mention.bound == "range" or is_less(text, mention) or only_asked(text, mention) or is_limit(text, mention):
                continue
            value = value_of(field, mention)
            if field.kind == "time" and self._later(field, mention):
                value = later(value)
            if value is None or (mention.kind == "money" and _PER.match(text, mention.end) and not per_unit(field)):
                continue
            op = "refuse" if mention.kind != "boolean" and refused(text, mention.start, mention.end, field.cues) else "set"
            if preferred(text, mention.start):
                op = "refuse"
            self._last = field.name if op == "refuse" else self._last
            self._prior = (field.name, mention.end) if op == "set" else self._prior
            start = self._sentence.start + mention.start
            span = text[mention.start : mention.end]
            joins = field.many and adds(text, mention.start, mention.end, self._heard.asked)
            corrected = self._sentence.corrects and op == "set"
            found.append(Found(field.name, value, span, start, op, corrected, named, joins))  # type: ignore[arg-type]
        found = self._newest(found)
        taken = {item.field for item in found}
        return found + [item for item in self._drops(text) if item.field not in taken]

    def _later(self, field: FieldSpec, mention: Mention) -> bool:
        """Say whether a time without its half of the day takes the place of one after noon: "make it half past eight" after 7 pm."""
        held = self._values.get(field.name)
        amends = self._sentence.corrects or len(self._heard.text.split()) <= _BARE_WORDS
        return isinstance(held, str) and held >= "12" and amends and unsaid_half(self._sentence.text[mention.start : mention.end])

    def _newest(self, found: list[Found]) -> list[Found]:
        """Leave out the old value where one sentence names the old and the new one."""
        kept: list[Found] = []
        offset = self._sentence.start
        for item in found:
            last = kept[-1] if kept else None
            here = item.start - offset
            if last and (last.field, last.op, item.op) == (item.field, "set", "set"):
                there = last.start - offset
                end = there + len(last.span)
                if moved(self._sentence.text, (there, end), (here, here + len(item.span))) or mended(self._sentence.text, end, here):
                    kept[-1] = item._replace(corrects=True)
                    continue
            kept.append(item)
        return kept

    def _mentions(self, text: str) -> list[Mention]:
        counted = sorted(longest_numbers(text), key=lambda number: number.start)
        special: list[Mention] = [
            *choices(text, self._fields),
            *booleans(text, self._fields),
            *names(text, self._fields),
            *proposals(text, self._fields, self._heard, self._values),
            *money(text, counted),
            *people(text, counted),
            *durations(text, counted),
            *dates(text, self._heard.said_at),
            *times(text),
        ]
        plain = [Mention("number", number.value, number.start, number.end) for number in counted if not moment(text, number)]
        return without_alternatives(text, longest([*special, *plain]))

    def _drops(self, text: str) -> list[Found]:
        found = [
            Found(name, text[start:end], text[start:end], self._sentence.start + start, "refuse", corrects=True)
            for name, start, end in forgotten(text, self._fields, self._values)
        ]
        for field in self._fields:
            if field.kind == "boolean":
                continue
            for start, end in dropped(text, field):
                found.append(Found(field.name, None, text[start:end], self._sentence.start + start, "clear", corrects=True))
                break
        return found

    def _field(self, mention: Mention) -> tuple[FieldSpec | None, bool]:
        """Return the one field that a mention belongs to, and whether its words say so."""
        if mention.fields:
            field = next(field for field in self._fields if field.name == mention.fields[0])
            if mention.kind == "choice" and self._rivals(mention):
                near = self._nearest(mention, [other for other in self._fields if other.choices and has_choice(other, mention.value)])
                return (near, True) if near else (None, False)
            return field, mention.named or bool(self._distance(field, mention))
        return self._by_kind(mention)

    def _by_kind(self, mention: Mention) -> tuple[FieldSpec | None, bool]:
        candidates = [field for field in self._fields if field.kind in KINDS.get(mention.kind, ()) and value_of(field, mention) is not None]
        if mention.kind == "number" and len(self._heard.text.split()) > _BARE_WORDS:  # then only its words make it money or people
            candidates = [field for field in candidates if field.kind not in {"money", "people"} or self._distance(field, mention)]
        lead = self._sentence.text[: mention.start]
        if mention.kind == "people":
            candidates = [field for field in candidates if field.kind == "people" or self._counts(field, mention)]
        if mention.kind == "time" and _COMES_BACK.search(lead[-24:]):
            candidates = [field for field in candidates if is_end(field)]
        if mention.kind == "date" and _END_BEFORE.search(lead[-24:]) and not _CHANGED_TO.search(lead):
            candidates = [field for field in candidates if is_end(field)]
        elif mention.kind in {"date", "time"} and _END_AFTER.match(self._sentence.text, mention.end) and not moves(lead, mention.start):
            candidates = [field for field in candidates if not is_end(field)]
        if near := self._nearest(mention, candidates):
            return near, True
        return self._by_context(mention, candidates), False

    def _counts(self, field: FieldSpec, mention: Mention) -> bool:
        """Say whether the words of a count name the field: "2 tickets" for a field of tickets, and not 2 adults for one of rooms."""
        said = self._sentence.text[mention.start : mention.end]
        return any(word(cue).search(said) for cue in cues_of(field))

    def _by_context(self, mention: Mention, candidates: Sequence[FieldSpec]) -> FieldSpec | None:
        """Return the field that the question before, the kind alone, or a refusal in the same sentence points at."""
        text = self._sentence.text
        if mention.kind == "date" and _DONE.search(text[: mention.start]):
            return None
        own: Sequence[FieldSpec] = [field for field in candidates if field.kind == OWN[mention.kind]]
        if mention.kind in {"date", "time"}:
            own = candidates
        if asked := asked_field(self._heard.asked, own or candidates):
            return asked
        casual = mention.kind == "date" and _CASUAL.search(text[mention.start : mention.end])
        if casual and not _CASUAL_LEAD.search(text[: mention.start][-12:]):
            return None
        if len(own) == 1 and not says_other(text, mention):
            return own[0]
        if self._prior and mended(text, self._prior[1], mention.start):
            return next((field for field in candidates if field.name == self._prior[0]), None)
        return next((field for field in candidates if field.name == self._last and self._sentence.corrects), None)

    def _rivals(self, mention: Mention) -> bool:
        return sum(has_choice(field, mention.value) for field in self._fields if field.choices) > 1

    def _nearest(self, mention: Mention, candidates: Sequence[FieldSpec]) -> FieldSpec | None:
        """Return the candidate whose cue stands nearest in the same clause; `None` where two are as near, or none is."""
        ranked = sorted((distance, i) for i, field in enumerate(candidates) if (distance := self._distance(field, mention)))
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return candidates[ranked[0][1]]

    def _distance(self, field: FieldSpec, mention: Mention) -> float:
        """Return how far the nearest cue of a field is, in characters (at least 1); 0: none in reach."""
        text = self._sentence.text
        if field.unit and mention.kind == "number" and unit_of(field).match(text, mention.end):
            return 1.0
        best = 0.0
        for cue in cues_of(field):
            for match in word(cue).finditer(text):
                if match.start() < mention.end and mention.start < match.end():
                    distance = 1.0
                elif match.end() <= mention.start:
                    distance = 1.0 + mention.start - match.end()
                    gap = text[match.end() : mention.start]
                elif match.group().lower() in _AHEAD:
                    continue
                else:
                    distance = _AFTER_WEIGHT * (1.0 + match.start() - mention.end)
                    gap = text[mention.end : match.start()]
                if distance > 1.0 and _no_count(field, mention, match.group(), gap):
                    continue
                if distance > 1.0 and (distance > _REACH or _CLAUSE.search(gap)):
                    continue
                best = distance if not best else min(best, distance)
        return best


def _no_count(field: FieldSpec, mention: Mention, cue: str, gap: str) -> bool:
    """Say whether a cue beside a number is part of a name or of another word: "room 1203", 人均两百."""
    if not cue.isascii():
        return len(cue) == 1 and bool(gap.strip()) and mention.kind == "number"
    label = mention.kind == "number" and field.kind in {"integer", "people"} and mention.value >= _LABEL
    return label and not gap.strip() and not cue.lower().endswith("s")

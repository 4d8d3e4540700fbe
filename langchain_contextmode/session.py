"""The session block of the view: pins, summary, and what stands behind the window, in one delimited background message.

Human role, marked as data, never an instruction with system authority. Copied lines name their message by id, so that
the original can be brought back. What stands verbatim elsewhere in the view is not repeated.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.conversation import context_message
from langchain_contextmode.fences import escaped, fenced, one_line, reference
from langchain_contextmode.pins import TASTES
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.size import detail_worth
from langchain_contextmode.summary.state import Covered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.schema import ArchiveEntry, Pin
    from langchain_contextmode.summary.state import Line, Section, Summary

TAG = "session"
_INTRO = "Earlier context. It is data, not a message; newer messages win."
_CONSTRAINTS = "Constraints, in the user's own words, still binding:"
_PREFERENCES = "Preferences, in the user's own words:"
_HEADINGS = (
    _CONSTRAINTS,
    _PREFERENCES,
    "Decisions made:",
    "Open items:",
    "Summary of older turns:",
    "Exact details, copied:",
    "Removed from the history, in one line each:",
    "Older messages not shown; an id brings the original back:",
)
_SECTIONS: dict[Section, int] = {"constraints": 0, "preferences": 1, "decisions": 2, "open": 3}
_TEXT, _DETAILS, _REMOVED, _NOTICE = 4, 5, 6, 7
_NOTICE_SHARE = 0.15
"""Of the block's room, for the lines on what is left out."""

_NOTICE_TOKENS = 64
"""One line on all that is left out may use so much beyond the block's room, if pins may use twice as much."""

_ABOUT_CHARS = 60
_COMMON_LINES, _COMMON_SHARE = 4, 0.2
_CUT_IDS = 12
"""Pins without room are named by id, this many at most; the rest by number."""


class _Entry(NamedTuple):
    """One line of the block.

    Attributes:
        heading: Number of the heading it stands under.
        text: As shown.
        ids: Messages that make it superfluous when they are verbatim in the view.
        prior: Order among lines that are worth the same to the request; 0 first.
        pin: The pin it shows.
        cost: Tokens.
        value: What it shares with the request; 0 for nothing.
    """

    heading: int
    text: str
    ids: tuple[str, ...] = ()
    prior: tuple[int, ...] = (0,)
    pin: Pin | None = None
    cost: int = 0
    value: float = 0.0


class Rooms(NamedTuple):
    """Tokens of the block.

    Attributes:
        preferences: Frame and pins, as far as preferences need them.
        demands: The same, as far as constraints need them.
        others: Everything else, beside the pins.
    """

    preferences: int
    demands: int
    others: int


class Block(NamedTuple):
    """The block as it stands in the view.

    Attributes:
        message: The message; `None` where there is nothing to say.
        pins: The pins in it.
        cut: Active pins that are neither in it nor verbatim in the view.
        tokens: Of the text.
        others: Tokens of its lines that are no pins, headings included, each counted by itself.
        told: It says something of what is left out.
    """

    message: HumanMessage | None
    pins: tuple[Pin, ...]
    cut: tuple[Pin, ...]
    tokens: int
    others: int
    told: bool


class Session:
    """All that the block could hold for one request; `block` chooses.

    Attributes:
        pins: The active pins, oldest first.
        pruned: Some of what the block stands for is no longer in the log.
        restorable: What is no longer in the log can be brought back by id.
        slices: The summary's account of its slices.

    Args:
        count: Tokens of a text.
        request: Texts of the request and of the messages before it; they say what is relevant.
        pins: Active pins, oldest first.
        summary: The summary after this turn.
        removed: Lines of pruned messages.
        lines_max: Lines of pruned messages shown at most.
    """

    def __init__(
        self,
        count: Callable[[str], int],
        request: Iterable[str],
        pins: Sequence[Pin],
        summary: Summary,
        *,
        removed: Sequence[ArchiveEntry] = (),
        lines_max: int = 8,
    ) -> None:
        """Render and weigh every line once."""
        self._count = count
        self.pins = tuple(pins)
        self.pruned = bool(removed) or summary.pruned > 0 or (not summary.empty and not summary.through)
        self.restorable = any(entry.message_ids for entry in removed)
        self.slices = summary.slices
        self._lines_max = lines_max
        wanted = frozenset(term for text in request for term in terms_of(text))
        entries = list(_entries(pins, summary, removed))
        values = _values([entry.text for entry in entries], wanted)
        self._entries = [e._replace(cost=count(e.text) + 1, value=value) for e, value in zip(entries, values, strict=True)]
        self._headings = [count(heading) + 1 for heading in _HEADINGS]
        self._frame = count(fenced(TAG, _INTRO)) + 1

    def block(
        self, shown: frozenset[str], rooms: Rooms, *, whole: bool = False, relevant_only: bool = False, left_out: Sequence[Covered] = ()
    ) -> Block:
        """Choose what is in the block.

        Pins come first, by relevance, constraints before preferences, and then the newest; then the sections, details and notices.

        Args:
            shown: Ids of messages that are verbatim in the view.
            rooms: Tokens of the block.
            whole: All that was summarised is verbatim in the view, so that only pins and copied lines can say more.
            left_out: What the view leaves out, section by section, oldest first.
            relevant_only: Leave out details that share no word with the request.
        """
        entries = [e for e in self._entries if (not shown.issuperset(e.ids) if e.ids else not whole or e.pin)]
        pins = [entry for entry in entries if entry.pin]
        chosen = _Choice(self._frame, self._headings)
        for number in sorted(range(len(pins)), key=lambda number: (-pins[number].value, pins[number].heading, -number)):
            binding = pins[number].heading == _SECTIONS["constraints"]
            chosen.add(pins[number], rooms.demands if binding else rooms.preferences)
        shown_pins = tuple(entry.pin for entry in pins if entry in chosen and entry.pin)
        cut = tuple(entry.pin for entry in pins if entry not in chosen and entry.pin)
        used_by_pins = chosen.used
        room = used_by_pins + rooms.others
        notices = self._notices(left_out, int(rooms.others * _NOTICE_SHARE))
        floor = chosen.used + _NOTICE_TOKENS if rooms.demands >= 2 * _NOTICE_TOKENS else 0
        for entry in notices:
            chosen.add(entry, max(room, floor) if entry is notices[0] else room)
        if cut:
            room = chosen.used  # before anything else comes what the user demanded
        rest = [entry for entry in entries if not entry.pin]
        removed = sorted((entry for entry in rest if entry.heading == _REMOVED), key=lambda entry: -entry.value)[: self._lines_max]
        for entry in _by_rank([*(entry for entry in rest if entry.heading != _REMOVED), *removed]):
            if entry.value or entry.heading < _TEXT or not relevant_only:
                chosen.add(entry, room)
        text = self._text([entry for entry in [*entries, *notices] if entry in chosen], cut)
        return Block(
            context_message(text, TAG) if text else None,
            shown_pins,
            cut,
            self._count(text) if text else 0,
            chosen.used - used_by_pins,
            chosen.used > used_by_pins,
        )

    def _notices(self, slices: Sequence[Covered], room: int) -> list[_Entry]:
        """Return a line for each of the newest slices that fit, and one for all that are older."""
        lines: list[_Entry] = []
        older = list(slices)
        while older:
            alone = self._notice(older[-1])
            rest = self._notice(_joined(older[:-1])) if older[:-1] else None
            if alone.cost + (rest.cost if rest else 0) > room:
                break
            lines.insert(0, alone)
            room -= alone.cost
            older.pop()
        return [self._notice(_joined(older)), *lines] if older else lines

    def _notice(self, item: Covered) -> _Entry:
        text = _notice(item)
        return _Entry(_NOTICE, text, cost=self._count(text) + 1)

    def _text(self, entries: Sequence[_Entry], cut: Sequence[Pin]) -> str:
        parts: list[str] = []
        for number, heading in enumerate(_HEADINGS):
            lines = [entry.text for entry in entries if entry.heading == number]
            if lines:
                parts += [heading, *lines]
        if cut:
            named = ", ".join(dict.fromkeys(reference(pin.message_id) for pin in cut[-_CUT_IDS:] if pin.message_id))
            parts.append(f"No room for {len(cut)} more of the user's demands; they stand in: {named or 'the application'}.")
        return fenced(TAG, "\n".join([_INTRO, *parts])) if parts else ""


class _Choice:
    """The entries let in, and what they use, headings and frame included."""

    def __init__(self, frame: int, headings: Sequence[int]) -> None:
        self.used = frame
        self._headings = headings
        self._in: set[int] = set()
        self._opened: set[int] = set()

    def __contains__(self, entry: _Entry) -> bool:
        return id(entry) in self._in

    def add(self, entry: _Entry, room: int) -> None:
        """Let an entry in if it fits."""
        cost = entry.cost + (0 if entry.heading in self._opened else self._headings[entry.heading])
        if self.used + cost <= room:
            self.used += cost
            self._in.add(id(entry))
            self._opened.add(entry.heading)


def _by_rank(entries: Sequence[_Entry]) -> list[_Entry]:
    """Sections before details; what bears on the request first; then by whose it is and what it holds; then the newest."""
    newest_first = list(reversed(entries))
    return sorted(newest_first, key=lambda entry: (entry.heading >= _TEXT and not entry.value, -entry.value, entry.prior))


def _entries(pins: Sequence[Pin], summary: Summary, removed: Sequence[ArchiveEntry]) -> Iterator[_Entry]:
    for pin in pins:
        heading = _SECTIONS["preferences" if pin.kind in TASTES else "constraints"]
        ids = (pin.message_id,) if pin.message_id else ()
        yield _Entry(heading, _line(pin.text, ids), ids, pin=pin)
    pinned = {(pin.message_id, pin.text) for pin in pins}
    for section, heading in _SECTIONS.items():
        for line in summary.lines(section):
            if not any((identity, line.text) in pinned for identity in line.message_ids):
                yield _Entry(heading, _told(line), _source(line))
    for text in summary.text.splitlines():
        if text.strip():
            yield _Entry(_TEXT, escaped(one_line(text)), prior=(1,))
    for line in summary.details:
        yield _Entry(_DETAILS, _told(line), _source(line), (1, -detail_worth(line)))
    for entry in removed:
        yield _Entry(_REMOVED, _line(entry.text, entry.message_ids), entry.message_ids, (2,))


def _joined(slices: Sequence[Covered]) -> Covered:
    """Return one entry for several slices; what they were about is told by the newest ones."""
    about = excerpt("; ".join(item.text for item in reversed(slices)), _ABOUT_CHARS) if len(slices) > 1 else slices[0].text
    messages, tokens = sum(item.messages for item in slices), sum(item.tokens for item in slices)
    named = [item for item in slices if item.first_id]
    return Covered(about, named[0].first_id if named else "", named[-1].last_id if named else "", messages, tokens)


def _source(line: Line) -> tuple[str, ...]:
    """Return the messages that make the line superfluous when they are in the view: none for a model's prose."""
    if line.origin == "model":
        return ()
    return line.message_ids[:1] if line.origin == "record" else line.message_ids


def _told(line: Line) -> str:
    said = {"ai": "assistant: ", "tool": "tool: ", "record": "turn: "}.get(line.origin, "")
    return _line(f"{said}{line.text}", line.message_ids if line.origin != "model" else ())


def _line(text: str, ids: Sequence[str]) -> str:
    named = f"[{', '.join(map(reference, ids))}] " if ids else ""
    return f"- {named}{escaped(one_line(text))}"


def _notice(item: Covered) -> str:
    ends = " to ".join(dict.fromkeys(reference(identity) for identity in (item.first_id, item.last_id) if identity))
    place = f" [{ends}]" if ends else ", no longer stored"
    return f"- {item.messages} messages, {item.tokens} tokens{place}: {escaped(one_line(item.text))}"


def _values(texts: Sequence[str], wanted: frozenset[str]) -> list[float]:
    """Weigh the terms that each line shares with the request by their rarity among the lines; what many lines hold says nothing."""
    found = [wanted.intersection(terms_of(text)) for text in texts] if wanted else [frozenset[str]() for _ in texts]
    seen = Counter(term for terms in found for term in terms)
    common = max(_COMMON_LINES, len(texts) * _COMMON_SHARE)
    telling = [sorted(term for term in terms if seen[term] <= common or any(map(str.isdigit, term))) for terms in found]
    return [sum(math.log1p(len(texts) / seen[term]) for term in terms) for terms in telling]

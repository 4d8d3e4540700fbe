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
from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.schema import ArchiveEntry, Pin
    from langchain_contextmode.summary.state import Covered, Line, Section, Summary

TAG = "session"
_INTRO = "Background from earlier in this conversation. It is data, not a message; where newer messages differ, they hold."
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
    "Older turns that this view leaves out; an id brings the original back:",
)
_SECTIONS: dict[Section, int] = {"constraints": 0, "preferences": 1, "decisions": 2, "open": 3}
_TEXT, _DETAILS, _REMOVED, _NOTICE = 4, 5, 6, 7
_PREFERENCE_KINDS = frozenset({"preference", "dislike", "format"})
_NOTICE_TOKENS_SHARE = 0.15
_CUT_IDS = 12
"""Pins without room are named by id, this many at most; the rest by number."""


class _Entry(NamedTuple):
    """One line of the block: under which heading, the line as shown, its cost, what it is worth to the request."""

    heading: int
    text: str
    cost: int
    value: float
    ids: tuple[str, ...]
    pin: Pin | None = None


class Block(NamedTuple):
    """The block as it stands in the view.

    Attributes:
        message: The message; `None` where there is nothing to say.
        pins: The pins in it.
        cut: Active pins that are neither in it nor verbatim in the view.
        tokens: Of the text.
    """

    message: HumanMessage | None
    pins: tuple[Pin, ...]
    cut: tuple[Pin, ...]
    tokens: int


class Session:
    """All that the block could hold for one request; `block` chooses.

    Attributes:
        pins: The active pins, oldest first.
        pruned: Some of what the block stands for is no longer in the log.

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
        self.pruned = bool(removed) or (not summary.empty and not summary.through)
        self._lines_max = lines_max
        wanted = frozenset(term for text in request for term in terms_of(text))
        rows = list(_rows(pins, summary, removed))
        values = _values([row[1] for row in rows], wanted)
        self._entries = [
            _Entry(heading, text, count(text) + 1, value, ids, pin) for (heading, text, ids, pin), value in zip(rows, values, strict=True)
        ]
        self._headings = [count(heading) + 1 for heading in _HEADINGS]
        self._frame = count(fenced(TAG, _INTRO)) + 1

    def block(self, shown: frozenset[str], room: int, pins_room: int, *, whole: bool = False, relevant_only: bool = False) -> Block:
        """Choose what is in the block.

        Pins come first, by relevance and then the newest; then the sections, details and notices.

        Args:
            shown: Ids of messages that are verbatim in the view.
            room: Tokens of the block.
            pins_room: Tokens that pins may use, if they need more than `room`.
            whole: All that was summarised is verbatim in the view, so that only pins and copied lines can say more.
            relevant_only: Leave out what shares no word with the request; pins stay.
        """
        entries = [e for e in self._entries if (not shown.issuperset(e.ids) if e.ids else not whole or e.pin)]
        pins = [entry for entry in entries if entry.pin]
        chosen = _Choice(self._frame, self._headings)
        for number in sorted(range(len(pins)), key=lambda number: (-pins[number].value, -number)):
            chosen.add(pins[number], max(room, pins_room))
        shown_pins = tuple(entry.pin for entry in pins if entry in chosen and entry.pin)
        cut = tuple(entry.pin for entry in pins if entry not in chosen and entry.pin)
        rest = [entry for entry in entries if not entry.pin]
        notices = [entry for entry in rest if entry.heading == _NOTICE]
        removed = sorted((entry for entry in rest if entry.heading == _REMOVED), key=lambda entry: -entry.value)[: self._lines_max]
        told = [entry for entry in rest if entry.heading not in {_NOTICE, _REMOVED}]
        notice_room = int(room * _NOTICE_TOKENS_SHARE)
        for entry in reversed(notices):
            chosen.add(entry, min(room, chosen.used + notice_room))
            notice_room -= entry.cost if entry in chosen else 0
        for entry in _by_rank([*told, *removed]):
            if entry.value or not relevant_only:
                chosen.add(entry, room)
        text = self._text([entry for entry in entries if entry in chosen], cut)
        return Block(context_message(text, TAG) if text else None, shown_pins, cut, self._count(text) if text else 0)

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
    """What bears on the request first; then sections before details; the newest first among equals."""
    newest_first = list(reversed(entries))
    return sorted(newest_first, key=lambda entry: (entry.heading >= _DETAILS, -entry.value))


def _rows(pins: Sequence[Pin], summary: Summary, removed: Sequence[ArchiveEntry]) -> Iterator[tuple[int, str, tuple[str, ...], Pin | None]]:
    for pin in pins:
        heading = _SECTIONS["preferences" if pin.kind in _PREFERENCE_KINDS else "constraints"]
        ids = (pin.message_id,) if pin.message_id else ()
        yield heading, _line(pin.text, ids), ids, pin
    pinned = {(pin.message_id, pin.text) for pin in pins}
    for section, heading in _SECTIONS.items():
        for line in summary.lines(section):
            if not any((identity, line.text) in pinned for identity in line.message_ids):
                yield heading, _told(line), _source(line), None
    for text in summary.text.splitlines():
        if text.strip():
            yield _TEXT, escaped(one_line(text)), (), None
    for line in summary.details:
        yield _DETAILS, _told(line), _source(line), None
    for entry in removed:
        yield _REMOVED, _line(entry.text, entry.message_ids), entry.message_ids, None
    for item in summary.slices:
        yield _NOTICE, _notice(item), (), None


def _source(line: Line) -> tuple[str, ...]:
    """Return the messages that make the line superfluous when they are in the view: none for a model's prose."""
    return () if line.origin == "model" else line.message_ids


def _told(line: Line) -> str:
    said = {"ai": "assistant: ", "tool": "tool: "}.get(line.origin, "")
    return _line(f"{said}{line.text}", line.message_ids if line.origin != "model" else ())


def _line(text: str, ids: Sequence[str]) -> str:
    named = f"[{', '.join(map(reference, ids))}] " if ids else ""
    return f"- {named}{escaped(one_line(text))}"


def _notice(item: Covered) -> str:
    ends = " to ".join(dict.fromkeys((reference(item.first_id), reference(item.last_id))))
    return f"- {item.messages} messages, {item.tokens} tokens [{ends}]: {escaped(one_line(item.text))}"


def _values(texts: Sequence[str], wanted: frozenset[str]) -> list[float]:
    """Weigh the terms that each line shares with the request by their rarity among the lines."""
    found = [wanted.intersection(terms_of(text)) for text in texts] if wanted else [frozenset[str]() for _ in texts]
    seen = Counter(term for terms in found for term in terms)
    return [sum(math.log1p(len(texts) / seen[term]) for term in sorted(terms)) for terms in found]

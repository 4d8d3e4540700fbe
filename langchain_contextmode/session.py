"""The session block of the view: pins, summary, and what stands behind the window, in one delimited background message.

Human role, marked as data, never an instruction with system authority. Copied lines name their message by id, so that
the original can be brought back. What stands verbatim elsewhere in the view is not repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.conversation import context_message
from langchain_contextmode.fences import fenced, reference
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.session_lines import (
    HEADINGS,
    NOTICE,
    REMOVED,
    SECTION_HEADINGS,
    TEXT,
    Entry,
    entries_of,
    joined,
    notice_text,
    values_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.schema import ArchiveEntry, Pin
    from langchain_contextmode.summary.state import Covered, Summary

TAG = "session"
_INTRO = "Earlier context. It is data, not a message; newer messages win."
_NOTICE_SHARE = 0.15
"""Of the block's room, for the lines on what is left out."""

NOTICE_TOKENS = 64
"""One line on all that is left out may use so much beyond the block's room, if pins may use twice as much."""

_MESSAGE_TOKENS = 8
_CUT_IDS = 12
"""Pins without room are named by id, this many at most; the rest by number."""


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
        superseded: Message id to words in it that a task field no longer holds.
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
        superseded: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Render and weigh every line once."""
        self._count = count
        self.pins = tuple(pins)
        self.pruned = bool(removed) or summary.pruned > 0 or (not summary.empty and not summary.through)
        self.restorable = any(entry.message_ids for entry in removed)
        self.slices = summary.slices
        self._lines_max = lines_max
        wanted = frozenset(term for text in request for term in terms_of(text))
        entries = list(entries_of(pins, summary, removed, superseded or {}))
        values = values_of([entry.text for entry in entries], wanted)
        self._entries = [e._replace(cost=count(e.text) + 1, value=value) for e, value in zip(entries, values, strict=True)]
        self._headings = [count(heading) + 1 for heading in HEADINGS]
        self._frame = count(fenced(TAG, _INTRO)) + 1

    def reserve(self, shown: frozenset[str], rooms: Rooms) -> int:
        """Return tokens that the block will not exceed beside these verbatim messages, its message included.

        Args:
            shown: As for `block`.
            rooms: As for `block`; `others` is taken as used up.
        """
        pins = [entry for entry in self._entries if entry.pin and not (entry.ids and shown.issuperset(entry.ids))]
        if not pins and not rooms.others:
            return 0
        chosen = self._with_pins(pins, rooms)
        cut = [entry.pin for entry in pins if entry not in chosen and entry.pin]
        return chosen.used + rooms.others + (self._count(_cut_line(cut)) + 1 if cut else 0) + _MESSAGE_TOKENS

    def _with_pins(self, pins: Sequence[Entry], rooms: Rooms) -> _Choice:
        """Let pins in: by relevance, constraints before preferences, and then the newest."""
        chosen = _Choice(self._frame, self._headings)
        for number in sorted(range(len(pins)), key=lambda number: (-pins[number].value, pins[number].heading, -number)):
            binding = pins[number].heading == SECTION_HEADINGS["constraints"]
            chosen.add(pins[number], rooms.demands if binding else rooms.preferences)
        return chosen

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
        chosen = self._with_pins(pins, rooms)
        shown_pins = tuple(entry.pin for entry in pins if entry in chosen and entry.pin)
        cut = tuple(entry.pin for entry in pins if entry not in chosen and entry.pin)
        used_by_pins = chosen.used
        room = used_by_pins + rooms.others
        notices = self._notices(left_out, int(rooms.others * _NOTICE_SHARE))
        floor = chosen.used + NOTICE_TOKENS if rooms.demands >= 2 * NOTICE_TOKENS else 0
        for entry in notices:
            chosen.add(entry, max(room, floor) if entry is notices[0] else room)
        if cut:
            room = chosen.used  # before anything else comes what the user demanded
        rest = [entry for entry in entries if not entry.pin]
        removed = sorted((entry for entry in rest if entry.heading == REMOVED), key=lambda entry: -entry.value)[: self._lines_max]
        for entry in _by_rank([*(entry for entry in rest if entry.heading != REMOVED), *removed]):
            if entry.value or entry.heading < TEXT or not relevant_only:
                chosen.add(entry, room)
        text = self._text([entry for entry in [*entries, *notices] if entry in chosen], cut)
        return Block(
            context_message(text, TAG, "background") if text else None,
            shown_pins,
            cut,
            self._count(text) if text else 0,
            chosen.used - used_by_pins,
            chosen.used > used_by_pins,
        )

    def _notices(self, slices: Sequence[Covered], room: int) -> list[Entry]:
        """Return a line for each of the newest slices that fit, and one for all that are older."""
        lines: list[Entry] = []
        older = list(slices)
        while older:
            alone = self._notice(older[-1])
            rest = self._notice(joined(older[:-1])) if older[:-1] else None
            if alone.cost + (rest.cost if rest else 0) > room:
                break
            lines.insert(0, alone)
            room -= alone.cost
            older.pop()
        return [self._notice(joined(older)), *lines] if older else lines

    def _notice(self, item: Covered) -> Entry:
        text = notice_text(item)
        return Entry(NOTICE, text, cost=self._count(text) + 1)

    def _text(self, entries: Sequence[Entry], cut: Sequence[Pin]) -> str:
        parts: list[str] = []
        for number, heading in enumerate(HEADINGS):
            lines = [entry.text for entry in entries if entry.heading == number]
            if lines:
                parts += [heading, *lines]
        if cut:
            parts.append(_cut_line(cut))
        return fenced(TAG, "\n".join([_INTRO, *parts])) if parts else ""


def _cut_line(cut: Sequence[Pin]) -> str:
    named = ", ".join(dict.fromkeys(reference(pin.message_id) for pin in cut[-_CUT_IDS:] if pin.message_id))
    return f"No room for {len(cut)} more of the user's demands; they stand in: {named or 'the application'}."


class _Choice:
    """The entries let in, and what they use, headings and frame included."""

    def __init__(self, frame: int, headings: Sequence[int]) -> None:
        self.used = frame
        self._headings = headings
        self._in: set[int] = set()
        self._opened: set[int] = set()

    def __contains__(self, entry: Entry) -> bool:
        return id(entry) in self._in

    def add(self, entry: Entry, room: int) -> None:
        """Let an entry in if it fits."""
        cost = entry.cost + (0 if entry.heading in self._opened else self._headings[entry.heading])
        if self.used + cost <= room:
            self.used += cost
            self._in.add(id(entry))
            self._opened.add(entry.heading)


def _by_rank(entries: Sequence[Entry]) -> list[Entry]:
    """Sections before details; what bears on the request first; then by whose it is and what it holds; then the newest."""
    newest_first = list(reversed(entries))
    return sorted(newest_first, key=lambda entry: (entry.heading >= TEXT and not entry.value, -entry.value, entry.prior))

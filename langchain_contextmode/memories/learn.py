"""What changes in a store when something new was said: pure functions over the rows it holds (M3, M4, M8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.memories.attributes import same_statement, supersedes
from langchain_contextmode.memories.decay import used
from langchain_contextmode.memories.gate import heirs, passes
from langchain_contextmode.memories.secrets import secret_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.memories.memory import Memory

_TURNS_MAX: Final = 20


class Superseded(NamedTuple):
    """A row that is no longer true.

    Attributes:
        old: As the store holds it.
        new: What took its place; one of `add` or `update`. Its id is the store's to fill in where it is new.
    """

    old: Memory
    new: Memory


class Refused(NamedTuple):
    """What is not stored.

    Attributes:
        why: In words, without the text.
        source_message_ids: Where it stands.
    """

    why: str
    source_message_ids: tuple[str, ...]


class Plan(NamedTuple):
    """What to do in the store, in this order; empty tuples where there is nothing to do.

    Attributes:
        add: New rows of this session.
        update: Rows that changed, with their ids: said again, stressed, true again.
        supersede: Rows whose status becomes `superseded`, and by what.
        promote: Of `add` and `update`, what passed the gate and is not promoted yet; promotion is due at the session's end.
        counted: Of `add` and `update`, remarks in passing: kept for counting only.
        refused: What is not stored, and why.
    """

    add: tuple[Memory, ...] = ()
    update: tuple[Memory, ...] = ()
    supersede: tuple[Superseded, ...] = ()
    promote: tuple[Memory, ...] = ()
    counted: tuple[Memory, ...] = ()
    refused: tuple[Refused, ...] = ()


def learned(existing: Sequence[Memory], new: Sequence[Memory], *, turn_key: str, now: int, session_id: str = "") -> Plan:
    """Merge what was found in a turn with what the store holds.

    The same turn twice changes nothing. A statement said again unites its turns, counted across the user's sessions; one that takes
    the place of a promoted one is to be promoted itself, so that no later session finds neither. What is stored stays in the words
    in which it was said first. Costs a comparison of each new statement with each row.

    Args:
        existing: All rows of the user, of all sessions and in every status, as stored. Not modified.
        new: Memories found in this turn, in order. Not modified.
        turn_key: Of this turn; different for every turn of the user, so it holds the session as well.
        now: Milliseconds since the epoch, set as `updated_at` of what changes.
        session_id: This session. Rows of other sessions that are not promoted are counted and not changed; empty: all rows are of
            this session.
    """
    book = _Book(list(existing), session_id, now)
    for memory in new:
        book.take(replace(memory, turns=_joined(memory.turns, (turn_key,)) if turn_key else memory.turns))
    return book.plan()


class _Book:
    """The rows while a turn is merged into them."""

    def __init__(self, rows: list[Memory], session_id: str, now: int) -> None:
        self.rows = rows
        self.stored = list(rows)
        self.known = len(rows)
        self.session_id = session_id
        self.now = now
        self.replaced: list[tuple[int, int]] = []
        self.lifted: set[int] = set()
        self.heirs = heirs(rows)
        self.refused: list[Refused] = []

    def take(self, memory: Memory) -> None:
        """Merge one memory."""
        if kind := secret_in(memory.text):
            self.refused.append(Refused(f"it holds a {kind}", memory.source_message_ids))
            return
        same = [number for number, row in enumerate(self.rows) if same_statement(memory, row)]
        if memory.turns and any(set(memory.turns) <= set(self.rows[number].turns) for number in same if self._own(self.rows[number])):
            return
        place = self._merged(memory, same)
        if not memory.vague:
            self._supersede(place)

    def _own(self, row: Memory) -> bool:
        """Say whether a row may be changed here: of this session, or of all."""
        return not self.session_id or row.promoted or row.session_id in {"", self.session_id}

    def _merged(self, memory: Memory, same: Sequence[int]) -> int:
        """Put a memory into the row that says the same, or into a new one that knows the turns of the others; return its place."""
        own = [number for number in same if self._own(self.rows[number])]
        turns = _joined(*(self.rows[number].turns for number in same), memory.turns)
        stressed = memory.emphasised or any(self.rows[number].emphasised for number in same)
        if not own:
            self.rows.append(replace(memory, turns=turns, emphasised=stressed))
            return len(self.rows) - 1
        place = max(
            own, key=lambda number: (self.rows[number].status == "active", not self.rows[number].vague, self.rows[number].promoted, number)
        )
        row = self.rows[place]
        if row.vague and not memory.vague:  # said clearly at last: the clear words stand
            row = replace(row, **{name: getattr(memory, name) for name in _SAID})
        self.rows[place] = replace(
            row,
            turns=turns,
            source_message_ids=_joined(row.source_message_ids, memory.source_message_ids),
            importance=round(max(used(row.importance), memory.importance), 4),
            confidence=max(row.confidence, memory.confidence),
            emphasised=stressed and not row.vague,
            status="active",
            superseded_by="",
            updated_at=self.now,
        )
        return place

    def _supersede(self, place: int) -> None:
        """Mark what the memory at a place makes untrue."""
        memory = self.rows[place]
        for number, row in enumerate(self.rows):
            if number != place and row.status == "active" and supersedes(memory, row):
                self.rows[number] = replace(row, status="superseded", superseded_by=memory.id, updated_at=self.now)
                self.replaced.append((number, place))
                if row.promoted or passes(row) or number in self.lifted or row.id in self.heirs:
                    self.lifted.add(place)

    def plan(self) -> Plan:
        """Return what changed; what was found and made untrue in one turn is not stored."""
        gone = {old for old, _ in self.replaced if old >= self.known and self.rows[old].status == "superseded"}
        add = [number for number in range(self.known, len(self.rows)) if number not in gone]
        update = [
            number for number in range(self.known) if self.rows[number] != self.stored[number] and self.rows[number].status == "active"
        ]
        changed = [self.rows[number] for number in (*add, *update)]
        lifted = {id(self.rows[number]) for number in self.lifted}
        return Plan(
            add=tuple(self.rows[number] for number in add),
            update=tuple(self.rows[number] for number in update),
            supersede=tuple(
                Superseded(self.stored[old], self.rows[new])
                for old, new in self.replaced
                if old < self.known and self.rows[old].status == "superseded"
            ),
            promote=tuple(row for row in changed if not row.promoted and (passes(row) or (id(row) in lifted and not row.vague))),
            counted=tuple(row for row in changed if row.vague),
            refused=tuple(self.refused),
        )


_SAID: Final = ("text", "type", "subject", "attribute", "value", "polarity", "vague", "confidence")


def ended(rows: Iterable[Memory], now: int) -> list[str]:
    """Return the ids of the rows to promote when a session has ended, in order.

    Promoted is what passed the gate, what took the place of something that had, and the topics of the session (`archive`).

    Args:
        rows: Of the session, and the promoted ones of its user; in every status.
        now: Milliseconds since the epoch; a row made later than that is left for the next end.
    """
    held = list(rows)
    next_in_line = heirs(held)
    return [
        row.id
        for row in held
        if not row.promoted
        and row.status == "active"
        and row.created_at <= now
        and (row.type == "archive" or passes(row) or (row.id in next_in_line and not row.vague))
    ]


def _joined(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for group in groups for key in group))[-_TURNS_MAX:]

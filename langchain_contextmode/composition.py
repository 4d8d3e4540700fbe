"""Session block and history together: what one leaves out, the other has to hold."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import text_of
from langchain_contextmode.errors import BudgetError
from langchain_contextmode.relevance.query import stands_alone
from langchain_contextmode.session import Rooms
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.state import Covered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.draft import Draft, Drafter
    from langchain_contextmode.preparation import Intake
    from langchain_contextmode.schema import Pin
    from langchain_contextmode.session import Block, Session

_PINS_SHARE = 0.5
"""Of the room beside the must set; pins may take so much of it before history gets any (S4)."""

_BLOCK_SHARE = 0.4
"""Of the room beside the must set; the rest of the block takes no more, however large the knowledge pool is."""

_TIGHT_SHARE = 1 / 3
"""Share of the block's room for what bears on the request, where not all that is worth keeping fits.

A request that says nothing by itself ("go on") is answered from the state of affairs: then the block has its whole room.
"""

_TRIES = 4
_WORTH_TELLING = 128
"""Tokens; where the view leaves out less, saying so would cost about as much."""

_ABOUT_CHARS = 60
_BETWEEN = " … "


class Composed(NamedTuple):
    """The view, and what became of the pins.

    Attributes:
        draft: The view.
        shown: Pins in the session block.
        cut: Active pins that stand neither there nor verbatim in the view.
        told: The session block says something of what is left out.
        again: How often history and block were planned anew, since a demand was no longer verbatim in the view.
    """

    draft: Draft
    shown: tuple[Pin, ...] = ()
    cut: tuple[Pin, ...] = ()
    told: bool = False
    again: int = 0


def compose(taken: Intake, drafter: Drafter, session: Session, room: int, covered: frozenset[str]) -> Composed:
    """Return the view: the whole conversation where that fits and is no larger, else what the plan allows.

    Args:
        taken: The intake.
        drafter: Makes drafts.
        session: What the session block could hold.
        room: Tokens that the view has beside the must set, the newest call at its shortest.
        covered: Ids of the messages behind the summary's watermark that are still in the log.
    """
    return _Composer(taken, drafter, session, room, covered).best()


class _Composer:
    def __init__(self, taken: Intake, drafter: Drafter, session: Session, room: int, covered: frozenset[str]) -> None:
        self._taken = taken
        self._drafter = drafter
        self._session = session
        self._covered = covered
        self._least = room
        self._room = -1
        self._divide(drafter.room)

    def _divide(self, room: int) -> bool:
        """Take shares of a room for the block; say whether that changed anything."""
        unused = max(0, self._taken.budget.view - self._drafter.wants()) if self._session.pruned else 0
        before = self._room
        self._room = min(self._taken.budget.knowledge + unused, int(room * _BLOCK_SHARE))
        self._pins_room = int(room * _PINS_SHARE)
        return self._room != before

    def best(self) -> Composed:
        taken = self._taken
        if not taken.gate.now:
            plain = self._plain()
            if plain.draft.tokens <= taken.budget.view:
                return plain
        fitted = self._fitted()
        if fitted.draft.tokens >= taken.plain_tokens:  # a reduced view is never larger than the plain one
            plain = self._plain()
            if plain.draft.tokens <= min(taken.budget.view, fitted.draft.tokens):
                return plain
        return fitted

    def _plain(self) -> Composed:
        block = self._block(frozenset(self._taken.log.order), tight=False, left_out=self._pruned())
        return Composed(self._drafter.plain(block.message), block.pins, block.cut, block.told)

    def _fitted(self) -> Composed:
        """Plan, and plan again with what turned out not to be verbatim in the view; never more than four times."""
        shown = self._sure()
        tight = self._drafter.wants() > self._taken.budget.view
        left_out = self._left_out(None)
        for attempt in range(_TRIES):
            block = self._block(shown, tight=tight or attempt > 0, left_out=left_out)
            try:
                draft = self._drafter.fitted(block.message)
            except BudgetError:
                if block.message is None:
                    raise
                if attempt + 1 < _TRIES and self._divide(self._least):  # the newest call needs more than its share
                    continue
                return Composed(self._drafter.fitted(None), (), (*block.pins, *block.cut), again=attempt + 1)
            verbatim = draft.verbatim()
            told = {(pin.message_id, pin.text) for pin in (*block.pins, *block.cut)}
            lost = [pin for pin in self._session.pins if pin.message_id not in verbatim and (pin.message_id, pin.text) not in told]
            if not lost:
                break
            shown = shown & verbatim if attempt + 2 < _TRIES else frozenset()
        return self._without_doubles(draft, block, tight=tight)._replace(again=attempt)

    def _without_doubles(self, draft: Draft, block: Block, *, tight: bool) -> Composed:
        """Leave out of the block what turned out to be verbatim in the view, and say what the view leaves out.

        The room that this frees goes to other lines of the block.
        """
        verbatim = draft.verbatim()
        told = self._left_out(draft)
        for left_out in (told, [item._replace(text="") for item in told], ()):
            again = self._block(verbatim, tight=tight, limit=block.others, left_out=left_out)
            finished = self._drafter.again(draft, again.message)
            if len(again.cut) <= len(block.cut) and finished.tokens <= draft.tokens:  # as much as was planned, whatever room is left
                return Composed(finished, again.pins, again.cut, again.told)
        return Composed(draft, block.pins, tuple(pin for pin in block.cut if pin.message_id not in verbatim), block.told)

    def _left_out(self, draft: Draft | None) -> list[Covered]:
        """Say section by section what a draft leaves out of the history (S5); without a draft, what it could be at most."""
        blocks = self._taken.log.blocks
        shown = self._drafter.told(draft) if draft else frozenset[int]()
        out = [index for index in sorted((*self._taken.older, *self._taken.recent)) if index not in shown]
        found = self._pruned()
        for item in self._session.slices if out else ():
            start, end = self._place.get(item.first_id), self._place.get(item.last_id)
            if start is not None and end is not None:
                found += self._section([index for index in out if start <= index <= end], item.text)
                out = [index for index in out if not start <= index <= end]
        asked = [text_of(blocks[index].messages[0]) for index in out if blocks[index].kind == "human"]
        about = _BETWEEN.join(excerpt(text, _ABOUT_CHARS) for text in dict.fromkeys((*asked[:1], *asked[-1:])))
        found += self._section(out, about)
        return found if sum(item.tokens for item in found) >= _WORTH_TELLING else []

    def _section(self, indices: Sequence[int], about: str) -> list[Covered]:
        blocks = [self._taken.log.blocks[index] for index in indices]
        messages, tokens = sum(len(block.ids) for block in blocks), sum(self._taken.costs[index] for index in indices)
        return [Covered(about, blocks[0].id, blocks[-1].ids[-1], messages, tokens)] if blocks else []

    def _pruned(self) -> list[Covered]:
        """Return the sections whose messages are no longer in the log; named by ids only where those bring something back."""
        gone = [item for item in self._session.slices if item.last_id not in self._place] if self._session.pruned else []
        return gone if self._session.restorable else [item._replace(first_id="", last_id="") for item in gone]

    @cached_property
    def _place(self) -> dict[str, int]:
        return {identity: block.index for block in self._taken.log.blocks for identity in block.ids} if self._session.slices else {}

    def _sure(self) -> frozenset[str]:
        """Return the ids of what may be verbatim in the view: the must set, and what is worth keeping."""
        taken = self._taken
        indices = (*taken.fixed, *taken.restored, *self._drafter.kept)
        return frozenset(identity for index in indices for identity in taken.log.blocks[index].ids)

    def _block(self, shown: frozenset[str], *, tight: bool, limit: int | None = None, left_out: Sequence[Covered] = ()) -> Block:
        whole = not self._session.pruned and shown.issuperset(self._covered)
        rooms = Rooms(self._room, max(self._room, self._pins_room), self._room if limit is None else limit)
        full = self._session.block(shown, rooms, whole=whole, left_out=left_out)
        if not tight and full.tokens + self._drafter.wants() <= self._taken.budget.view:
            return full
        if not self._taken.gate.now:
            return full
        specific = stands_alone(self._taken.request.text)
        if specific and not self._session.pruned:  # else the block holds what nothing else holds
            rooms = rooms._replace(others=min(rooms.others, int(self._room * _TIGHT_SHARE)))
        return self._session.block(shown, rooms, whole=whole, relevant_only=specific, left_out=left_out)

"""Session block and history together: what one leaves out, the other has to hold."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import text_of
from langchain_contextmode.relevance.query import stands_alone
from langchain_contextmode.session import NOTICE_TOKENS, Rooms
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.state import Covered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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

_FRAME_TOKENS = 16
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
    """

    draft: Draft
    shown: tuple[Pin, ...] = ()
    cut: tuple[Pin, ...] = ()
    told: bool = False


def compose(taken: Intake, drafter: Drafter, session: Session, covered: frozenset[str]) -> Composed:
    """Return the view: the whole conversation where that fits and is no larger, else what the plan allows.

    Args:
        taken: The intake.
        drafter: Makes drafts.
        session: What the session block could hold.
        covered: Ids of the messages behind the summary's watermark that are still in the log.
    """
    return _Composer(taken, drafter, session, covered).best()


class _Composer:
    def __init__(self, taken: Intake, drafter: Drafter, session: Session, covered: frozenset[str]) -> None:
        self._taken = taken
        self._drafter = drafter
        self._session = session
        self._covered = covered
        unused = max(0, taken.budget.view - drafter.wants()) if session.pruned else 0
        knowledge = max(0, taken.budget.knowledge - drafter.memories_tokens)
        self._room = min(knowledge + unused, int(drafter.room * _BLOCK_SHARE))
        self._pins_room = max(self._room, int(drafter.room * _PINS_SHARE))

    def best(self) -> Composed:
        taken = self._taken
        if not taken.gate.now:
            plain = self._plain()
            if plain.draft.tokens <= taken.budget.view:
                return plain
        fitted = self._fitted()
        if fitted.draft.tokens >= taken.plain_tokens + self._drafter.beside_tokens:  # a reduced view is never larger than the plain one
            plain = self._plain()
            if plain.draft.tokens <= min(taken.budget.view, fitted.draft.tokens):
                return plain
        return fitted

    def _plain(self) -> Composed:
        block = self._block(frozenset(self._taken.log.order), tight=False, left_out=self._pruned())
        return Composed(self._drafter.plain(block.message), block.pins, block.cut, block.told)

    def _fitted(self) -> Composed:
        """Plan the history with room for the block that goes with it.

        The block is a function of what of the history is verbatim in the view: while a turn's steps change nothing of that, the
        block stays, and with it the provider's cached prefix.
        """
        taken, tight = self._taken, self._drafter.wants() > self._taken.budget.view
        most = self._left_out(None)
        others = self._block(self._sure(), tight=tight, left_out=most).others
        if most and self._pins_room >= 2 * NOTICE_TOKENS:  # as the block itself decides
            others = max(others, NOTICE_TOKENS)
        draft = self._drafter.fitted(lambda history: self._reserve(history, others))
        shown, told = draft.verbatim(before=taken.request_index if taken.request_index is not None else -1), self._left_out(draft)
        for left_out, limit in ((told, others), ([], others), ([], 0)):
            block = self._block(shown, tight=tight, limit=limit, left_out=left_out)
            finished = self._drafter.again(draft, block.message)
            if finished.tokens <= taken.budget.view:
                return Composed(finished, block.pins, block.cut, block.told)
        self._room = self._pins_room = max(0, taken.budget.view - draft.tokens - _FRAME_TOKENS)  # the newest call took its room
        block = self._block(shown, tight=True, limit=0)
        finished = self._drafter.again(draft, block.message)
        if finished.tokens <= taken.budget.view:
            return Composed(finished, block.pins, block.cut)
        return Composed(draft, (), (*block.pins, *block.cut))

    def _reserve(self, history: Mapping[int, int | None], others: int) -> int:
        blocks = self._taken.log.blocks
        indices = (*self._taken.fixed, *(index for index, limit in history.items() if limit is None))
        shown = frozenset(identity for index in indices for identity in blocks[index].ids)
        return self._session.reserve(shown, Rooms(self._room, self._pins_room, others))

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
        rooms = Rooms(self._room, self._pins_room, self._room if limit is None else limit)
        full = self._session.block(shown, rooms, whole=whole, left_out=left_out)
        if not tight and full.tokens + self._drafter.wants() <= self._taken.budget.view:
            return full
        if not self._taken.gate.now:
            return full
        specific = stands_alone(self._taken.request.text)
        if specific and not self._session.pruned:  # else the block holds what nothing else holds
            rooms = rooms._replace(others=min(rooms.others, int(self._room * _TIGHT_SHARE)))
        return self._session.block(shown, rooms, whole=whole, relevant_only=specific, left_out=left_out)

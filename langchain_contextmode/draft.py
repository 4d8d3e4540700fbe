"""A plan carried out: the view in its order, counted as a whole, inside the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.blocks import Block
from langchain_contextmode.content import namespace
from langchain_contextmode.conversation import context_message, render
from langchain_contextmode.errors import BudgetError
from langchain_contextmode.lines import Lines, archive_message
from langchain_contextmode.must import remedy
from langchain_contextmode.plan import Plan, Planner, Room
from langchain_contextmode.preparation import NOTHING_BESIDE, Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from langchain_core.messages import BaseMessage, HumanMessage

    from langchain_contextmode.compact import Compactor
    from langchain_contextmode.preparation import Intake, Setup
    from langchain_contextmode.selection import Item

_ATTEMPTS = 4
_ADDED = frozenset({"marker", "older"})
_OLDER_NOTE = "(Earlier messages that bear on the request:)"
_LINES_FLOOR = 1 / 3
"""Share of the knowledge pool that archive lines have, however much the session block takes."""


class Draft(NamedTuple):
    """A plan carried out.

    Attributes:
        plan: The plan.
        shown: Block index to the block in its final form.
        messages: The view.
        tokens: Of the messages and the tool schemas.
        lead: The session block, if there is one.
        archive: The archive lines, if there are any.
    """

    plan: Plan
    shown: dict[int, Block]
    messages: list[BaseMessage]
    tokens: int
    lead: HumanMessage | None = None
    archive: HumanMessage | None = None

    def verbatim(self, *, before: int | None = None) -> frozenset[str]:
        """Return the ids of messages that stand in the view letter by letter, up to a block of this index; `None`: all."""
        blocks = [block for index, block in self.shown.items() if before is None or index <= before]
        return frozenset(identity for block in blocks for identity in block.ids if identity not in block.altered)


class Drafter:
    """Makes drafts for one request.

    Args:
        setup: Collaborators.
        taken: The intake.
        fixed: Blocks that are always there, in their final form, by index.
        compactor: Costs and shortens blocks.
        items: History that competes for the room.
        lines: Which blocks share an archive line.
        beside: Task board and memories, as they stand in every draft.
    """

    def __init__(
        self,
        setup: Setup,
        taken: Intake,
        *,
        fixed: Mapping[int, Block],
        compactor: Compactor,
        items: Sequence[Item],
        lines: Lines,
        beside: Beside = NOTHING_BESIDE,
    ) -> None:
        """Count what does not change from draft to draft."""
        self._setup = setup
        self._taken = taken
        self._fixed = fixed
        self._compactor = compactor
        self._items = items
        self._lines = lines
        self.beside = beside
        self.beside_tokens = sum(setup.counter.message(message) for message in beside if message)
        self._base = sum(map(compactor.cost, fixed.values())) + self.beside_tokens + taken.tools_tokens + setup.counter([])

    def plain(self, lead: HumanMessage | None) -> Draft:
        """Return the whole conversation as it stands, behind the session block."""
        taken = self._taken
        return self._draft(Plan(limits=dict.fromkeys((*taken.older, *taken.recent, *taken.turn))), lead, whole=True)

    @property
    def memories_tokens(self) -> int:
        """Tokens of the recalled memories; they use the pool of the session block."""
        return self._setup.counter.message(self.beside.memories) if self.beside.memories else 0

    def told(self, draft: Draft) -> frozenset[int]:
        """Return the indices of the blocks that a draft shows, as messages or as lines."""
        return frozenset(draft.shown) | self._lines.covered(draft.plan.lines)

    @property
    def kept(self) -> list[int]:
        """Indices of the history that is worth keeping, whether it fits or not."""
        return [item.block.index for item in self._items if item.keep]

    def wants(self) -> int:
        """Tokens of the view when the request came, if everything worth keeping were in it, without session block and lines.

        What follows the request does not count, so that a turn's steps change nothing of what stands before them.
        """
        return self._base + sum(item.cost for item in self._items if item.keep)

    @property
    def room(self) -> int:
        """Tokens that the view has beside the blocks that are always there."""
        return max(self._taken.budget.view - self._base, 0)

    def fitted(self, lead: Callable[[Mapping[int, int | None]], int]) -> Draft:
        """Plan until the rendered view, counted as a whole, is inside the budget; each attempt is strictly smaller.

        Args:
            lead: Tokens that the session block will need beside a history: block index to token limit, as in `Plan`.

        Returns:
            A draft without session block. Where the newest call alone takes the block's room, that room is not free.

        Raises:
            BudgetError: Not even the smallest view fits.
        """
        counter, budget, blocks = self._setup.counter, self._taken.budget, self._taken.log.blocks
        first = lead(dict.fromkeys(self.kept))
        turn = [blocks[index] for index in self._taken.turn]
        spare, best = 0, None
        for _ in range(_ATTEMPTS):
            room = Room(
                total=max(budget.view - self._base - spare, 0),
                view=budget.view,
                lines=max(budget.knowledge - first, int(budget.knowledge * _LINES_FLOOR)),
                lines_shown=self._setup.config.archive_lines_limit,
                line_cost=lambda block: counter.text(self._lines.rendered(block)) + 1,
                joined=self._lines.joined,
                frame=counter.message(archive_message([])),
                history=sum(self._taken.costs[index] for index in (*self._taken.older, *self._taken.recent)),
                markers=self._markers,
                lead=lead,
                steady=self._setup.config.layout == "cache_stable",
            )
            draft = self._draft(Planner(self._compactor, self._items, turn, room).plan(), None)
            history = {index: limit for index, limit in draft.plan.limits.items() if index not in self._taken.turn}
            over = draft.tokens + lead(history) - budget.view
            if over <= 0:
                return draft
            if draft.tokens <= budget.view and (best is None or draft.tokens < best.tokens):
                best = draft
            spare += over + 8
        if best is not None:
            return best
        message = f"The smallest view found has {draft.tokens} tokens, {budget.view} are allowed. {remedy(self._setup)}"
        raise BudgetError(message, needed_tokens=draft.tokens, budget_tokens=budget.view, parts={"tools": self._taken.tools_tokens})

    def again(self, draft: Draft, lead: HumanMessage | None) -> Draft:
        """Return a draft with another session block, everything else as it was."""
        return self._draft(draft.plan, lead)

    def _markers(self, indices: Iterable[int]) -> int:
        """Tokens of what rendering adds between these blocks and the fixed ones."""
        shown = {index: self._taken.log.blocks[index] for index in (*self._fixed, *indices)}
        added = render(self._ordered(shown, None, None), alternate_roles=self._setup.config.alternate_roles)
        return sum(self._setup.counter.message(message) for message in added if namespace(message).get("source") in _ADDED)

    def _draft(self, plan: Plan, lead: HumanMessage | None, *, whole: bool = False) -> Draft:
        blocks = self._taken.log.blocks
        shown = dict(self._fixed)
        for index, limit in plan.limits.items():
            shown[index] = blocks[index] if limit is None else self._compactor.shortened(blocks[index], limit)
        archive = self._lines.message(blocks[index] for index in plan.lines) if plan.lines else None
        ordered = self._ordered(shown, lead, archive, whole=whole)
        messages = render(ordered, alternate_roles=self._setup.config.alternate_roles, reserved=self._taken.log.order)
        return Draft(plan, shown, messages, self._setup.counter(messages) + self._taken.tools_tokens, lead, archive)

    def _ordered(
        self, shown: Mapping[int, Block], lead: HumanMessage | None, archive: HumanMessage | None, *, whole: bool = False
    ) -> list[Block]:
        """Put blocks in the order of the layout.

        `attention`: board, session block and memories in front, lines right before the request. `cache_stable`: all of that
        behind the history, the board last.
        """
        taken = self._taken
        start = taken.request_index if taken.request_index is not None else -1
        history = [shown[index] for index in sorted(shown) if index < start]
        rest = [shown[index] for index in sorted(shown) if index >= start]
        board, session, memories, lines = (
            [_own(message)] if message else [] for message in (self.beside.board, lead, self.beside.memories, archive)
        )
        if self._setup.config.layout == "attention":
            return [*board, *session, *memories, *history, *lines, *rest]
        if taken.gate.now and not whole:
            older = frozenset((*taken.older, *taken.restored))
            moving = [block for block in history if block.index in older]
            steady = [block for block in history if block.index not in older]
            note = [_own(context_message(_OLDER_NOTE, "older"))] if moving and any(block.kind != "system" for block in steady) else []
            history = [*steady, *note, *moving]
        return [*history, *session, *memories, *lines, *board, *rest]


def _own(message: BaseMessage) -> Block:
    return Block((message,), "human", -1)

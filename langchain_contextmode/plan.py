"""Which block is in the view, and in which form, so that everything fits.

The plan is a fold over the current turn: it starts with the history as it was when the newest human message arrived,
then takes the turn's blocks one by one. As long as they fit, each is appended and nothing before it changes, so the
provider's prompt cache keeps its prefix. When one does not fit, everything is reduced to a target well below the budget
at once, in this order: tool results of the turn, oldest first; history, lowest value per token first, down to a floor;
completed call blocks of the turn become archive lines, oldest first; the rest of the history; last of all the results
of the newest call. The fold needs no stored state: the same log gives the same view, also after a fork or a restart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.selection import SHORT_LEVELS, Item, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.compact import Compactor

REDUCE_TO = 0.8
"""A forced change frees at least a fifth of the budget, so that the next one is some steps away."""

MIN_TARGET_SHARE = 0.25
"""Where the must set alone takes most of the budget, a forced change still leaves this share of the free room in use."""

HISTORY_FLOOR = 0.25
"""Share of the free room that history keeps until completed call blocks of the turn had to go."""

LINE_PAYS = 0.5
"""Lines cost at most this share of what leaving messages out saves; when the budget is short, each line by itself."""

LINES_SHARE = 0.15
"""Share of the room that lines may take from messages when the budget is short."""

STEP_LINES_SHARE = 0.25
"""Share of the room that lines of the turn's own steps may take from the newest result."""

_MARKER_TRIES, _MARKER_SLACK = 9, 0.03

TURN_LINES_SHARE = 0.5
"""Share of the shown lines that steps of the current turn may take, newest first."""


class Room(NamedTuple):
    """Limits of a plan, in tokens.

    Attributes:
        total: For history, turn and lines together.
        view: The whole view's budget.
        lines: At most this much of `total` for archive lines.
        lines_shown: Number of lines at most.
        line_cost: Tokens of one block's line.
        frame: Tokens around the lines.
        history: Tokens of the whole history as it stands; lines never cost more than `LINE_PAYS` of what leaving
            messages out has saved.
        markers: Tokens of what rendering adds between these blocks of history and turn (opening, gaps, closing).
        lead: Tokens of what stands before the history because of what is, or is not, in it: block index to token limit, as in `Plan`.
        steady: Recent messages come first, verbatim.
        joined: Blocks whose line another one's includes.
    """

    total: int
    view: int
    lines: int
    lines_shown: int
    line_cost: Callable[[Block], int]
    frame: int
    history: int
    markers: Callable[[Iterable[int]], int]
    lead: Callable[[Mapping[int, int | None]], int] = lambda _: 0
    steady: bool = False
    joined: frozenset[int] = frozenset()

    @property
    def target(self) -> int:
        """What a forced change reduces to."""
        return max(self.total - self.view + int(self.view * REDUCE_TO), int(self.total * MIN_TARGET_SHARE))


@dataclass(slots=True)
class Plan:
    """The outcome.

    Attributes:
        limits: Block index to its token limit; `None` means verbatim. Blocks that are not named are out.
        lines: Blocks shown as archive lines, in conversation order.
        archived: Turn blocks that left, oldest first.
        tokens: Sum of all planned parts.
        changes: How often the turn forced a reduction.
    """

    limits: dict[int, int | None] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    archived: list[int] = field(default_factory=list)
    tokens: int = 0
    changes: int = 0


class Planner:
    """Plans one view.

    Args:
        compactor: Costs and shortens blocks.
        items: History that may be kept or shown as lines, in conversation order.
        turn: Blocks after the request, in order.
        room: The limits.
    """

    def __init__(self, compactor: Compactor, items: Sequence[Item], turn: Sequence[Block], room: Room) -> None:
        """Start with nothing chosen."""
        self._compactor = compactor
        self._items = {item.block.index: item for item in items}
        self._turn = turn
        self._room = room
        self._costs: dict[tuple[int, int | None], int] = {(item.block.index, None): item.cost for item in items}
        self._history: dict[int, int | None] = {}
        self._steps: dict[int, int | None] = {}
        self._archived: list[int] = []
        self._lines: list[int] = []
        self._changes = 0
        self._used_history = self._used_steps = self._used_lines = self._used_markers = 0

    def plan(self) -> Plan:
        """Run the fold over the turn and return its last state."""
        self._start()
        for position, block in enumerate(self._turn):
            self._set_step(block, None)
            if position == 0 or "ai" in {block.kind, self._turn[position - 1].kind}:
                self._count_markers()
            if self._used > self._room.total:
                self._reduce(position)
        return Plan(self._history | self._steps, sorted(self._lines), self._archived, self._used, self._changes)

    @property
    def _used(self) -> int:
        return self._used_history + self._used_steps + self._used_lines + self._used_markers

    def _count_markers(self) -> None:
        self._used_markers = self._room.markers([*self._history, *self._steps]) + self._room.lead(self._history)

    def _start(self) -> None:
        """Choose the history for an empty turn: all that is kept if it fits, else the best of it and lines for the rest."""
        self._choose_history(self._room.total)
        kept = sum(item.keep for item in self._items.values())
        if len(self._history) == kept and not any(self._history.values()):
            self._choose_lines(self._room.total - self._used, pays=None)
        else:
            self._make_room_for_lines(self._room.total)

    def _reduce(self, newest: int) -> None:
        """Bring the sum down to the target, giving up the least first."""
        self._changes += 1
        target = self._room.target
        self._lines, self._used_lines = [], 0
        current = next((b for b in reversed(self._turn[: newest + 1]) if b.kind == "call"), None)
        done = [block for block in self._turn[: newest + 1] if block is not current]
        for level in SHORT_LEVELS:
            self._shorten_steps(done, level, target)
        floor = min(int(self._room.total * HISTORY_FLOOR), self._used_history)
        if self._used > target:
            self._choose_history_and_lines(max(target - self._used_steps, floor))
        self._archive_steps(done, target)
        if self._used > target:
            self._choose_history_and_lines(max(target - self._used_steps, 0))
        if self._used > target and current is not None:
            others = self._used - self._cost(current, self._steps[current.index])
            self._set_step(current, max(target - others - self._steps_reserve(), 1))
        self._count_markers()
        if self._archived:
            self._choose_lines(target - self._used + self._used_lines, pays=LINE_PAYS)

    def _choose_history_and_lines(self, room: int) -> None:
        self._choose_history(room)
        self._make_room_for_lines(room)

    def _make_room_for_lines(self, room: int) -> None:
        """Divide a room that is too small for all: lines first where they pay, messages with the rest."""
        if reserve := self._line_reserve():
            self._choose_history(max(room - reserve, 0))
        self._choose_lines(room - self._used_history - self._used_markers, pays=LINE_PAYS)

    def _cost(self, block: Block, limit: int | None) -> int:
        key = (block.index, limit)
        if key not in self._costs:
            self._costs[key] = self._compactor.cost(block if limit is None else self._compactor.shortened(block, limit))
        return self._costs[key]

    def _set_step(self, block: Block, limit: int | None) -> None:
        if block.index in self._steps:
            self._used_steps -= self._cost(block, self._steps[block.index])
        self._steps[block.index] = limit
        self._used_steps += self._cost(block, limit)

    def _shorten_steps(self, blocks: Iterable[Block], level: int, target: int) -> None:
        for block in blocks:
            if self._used <= target:
                return
            able = self._compactor.able(block)
            if block.index in self._steps and able > level:
                self._set_step(block, self._cost(block, None) - able + level)

    def _archive_steps(self, blocks: Iterable[Block], target: int) -> None:
        for block in blocks:
            if self._used <= target:
                return
            if block.index in self._steps:
                self._used_steps -= self._cost(block, self._steps.pop(block.index))
                self._archived.append(block.index)

    def _choose_history(self, room: int) -> None:
        """Choose messages for a room that also holds the markers between them."""
        items = [item for item in self._items.values() if item.keep]
        low, high, spare = 0, -1, 0  # messages leave until the markers fit, too; then as many come back as just fit
        for _ in range(_MARKER_TRIES):
            self._take(select(items, room - spare, self._compactor.able, steady=self._room.steady))
            over = self._used_history + self._used_markers - room
            if over <= 0 and (spare == 0 or -over <= room * _MARKER_SLACK):
                return
            if over <= 0:
                high = spare
            else:
                low = spare
            spare = (low + high) // 2 if high >= 0 else min(max(spare + over, 2 * spare), room)
        self._take(select(items, room - high if high >= 0 else 0, self._compactor.able, steady=self._room.steady))

    def _take(self, history: dict[int, int | None]) -> None:
        self._history = history
        self._used_history = sum(self._cost(self._items[index].block, limit) for index, limit in history.items())
        self._count_markers()

    def _line_reserve(self) -> int:
        """Tokens to leave free for lines that would pay, their frame included; 0 without such lines."""
        wanted = sum(map(self._room.line_cost, self._line_candidates(LINE_PAYS)[: self._room.lines_shown]))
        return min(wanted + self._room.frame, self._room.lines, int(self._room.total * LINES_SHARE)) if wanted else 0

    def _steps_reserve(self) -> int:
        """Tokens to leave free beside the newest call for the lines of the steps that left: what they found is not found again."""
        steps = {block.index: block for block in self._turn}
        newest = self._archived[::-1][: int(self._room.lines_shown * TURN_LINES_SHARE)]
        wanted = sum(self._room.line_cost(steps[index]) for index in newest)
        return min(wanted + self._room.frame, self._room.lines, int(self._room.total * STEP_LINES_SHARE)) if wanted else 0

    def _line_candidates(self, pays: float | None) -> list[Block]:
        """Return blocks that may be shown as lines, best first: the newest steps that left, then the history by value."""
        steps = {block.index: block for block in self._turn}
        turn_lines = int(self._room.lines_shown * TURN_LINES_SHARE)
        left = [steps[index] for index in reversed(self._archived)][:turn_lines]
        apart = [item for index, item in self._items.items() if index not in self._history and index not in self._room.joined]
        out = sorted(apart, key=lambda item: item.value, reverse=True)
        left += [item.block for item in out[: self._room.lines_shown * 2]]
        return [b for b in left if pays is None or self._room.line_cost(b) <= self._cost(b, None) * pays]

    def _choose_lines(self, room: int, pays: float | None) -> None:
        saved = self._room.history - self._used_history + sum(self._cost(b, None) for b in self._turn if b.index in self._archived)
        room = min(room, self._room.lines, int(saved * LINE_PAYS))
        self._lines, used = [], self._room.frame
        for block in self._line_candidates(pays):
            cost = self._room.line_cost(block)
            if len(self._lines) < self._room.lines_shown and used + cost <= room:
                self._lines.append(block.index)
                used += cost
        self._used_lines = used if self._lines else 0

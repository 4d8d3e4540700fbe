"""Which turns are due: whole turns before the window, in slices, once what is not summarised has grown too long (S1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.summary.coverage import coverable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.preparation import Intake
    from langchain_contextmode.summary.coverage import Reach

LEAST_WINDOW_TURNS = 5
"""So many turns stay whole however long they are, the current one included, unless `window_turns` is less."""


class Turn(NamedTuple):
    """A human block up to the next one.

    Attributes:
        blocks: Oldest first; no system blocks, no calls that wait for their result.
        tokens: What they cost verbatim.
    """

    blocks: tuple[Block, ...]
    tokens: int


Slice = tuple[Turn, ...]
"""Turns that are summarised together, oldest first."""


def due(config: ContextConfig, taken: Intake, reached: Reach) -> list[Slice]:
    """Return the slices that are to be summarised now, oldest first; mostly none.

    A round takes half a slice of turns at least, so that there is at most one in so many turns.
    """
    if config.summarize_above_tokens is None or taken.request_index is None or config.levels.get("session") is False:
        return []
    start = _start(taken, reached)
    blocks = taken.log.blocks
    tokens = sum(taken.costs[block.index] for block in blocks[start:] if block.kind != "system")
    if tokens <= min(config.summarize_above_tokens, taken.budget.history):
        return []
    turns = _turns(blocks[start : taken.request_index], taken.costs)
    size = config.summary_slice_turns
    least = min(LEAST_WINDOW_TURNS, config.window_turns)
    window = max(least, min(len(turns) + 1 - size, config.window_turns))
    available = len(turns) + 1 - window
    whole = [tuple(turns[first : first + size]) for first in range(0, available - size + 1, size)]
    if not whole and available >= max(1, size // 2):
        whole = [tuple(turns[:available])]
    return [part for part in whole if any(turn.blocks for turn in part)]


def _start(taken: Intake, reached: Reach) -> int:
    """Return the first block that counts; originals of pruned messages that were put back in front of the log do not."""
    start = reached.ahead
    restored = frozenset(taken.restored) if reached.pruned else frozenset[int]()
    while start in restored:
        start += 1
    return start


def _turns(blocks: Sequence[Block], costs: Sequence[int]) -> list[Turn]:
    """Cut the blocks before the request into turns; what precedes the first human belongs to the first turn, if that is here."""
    groups: list[list[Block]] = []
    heard = False
    for block in blocks:
        if block.kind == "system":
            continue
        if not groups or (heard and block.spoken):
            groups.append([])
        heard = heard or block.spoken
        groups[-1].append(block)
    closed = [tuple(block for block in group if coverable(block)) for group in groups]
    return [Turn(group, sum(costs[block.index] for block in group)) for group in closed]

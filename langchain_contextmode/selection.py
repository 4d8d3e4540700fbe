"""Which messages of the history are kept, and how long, when the room is too small for all of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_contextmode.blocks import Block

RECENT_SHARE = 0.3
"""Share of the history's room that the newest messages have before relevance decides about them too."""

SHORT_LEVELS = (1_000, 600, 400, 250, 150)
"""Tokens to which long texts and tool results are shortened, level by level, before whole messages leave."""

_SIZE_PER_POINT = 12.0


class Item(NamedTuple):
    """A block of the history that may be in the view.

    Attributes:
        block: The block.
        cost: Tokens verbatim.
        value: What it is worth to the request, in points of relevance.
        keep: May be in the view as a message; otherwise only as a line.
        recent: It belongs to the newest messages before the request.
    """

    block: Block
    cost: int
    value: float
    keep: bool = True
    recent: bool = False


def density(value: float, tokens: int) -> float:
    """Return what a block is worth per token, for a greedy choice: highest first.

    exp(12 * value) / tokens. What fills a pool lies close together between 8 and 10, and the chance that a block matters
    grows steeply there: a tenth of a point makes up for three times the size. So size decides between blocks of like value
    (ten short hits before one long listing), and chatter of a few tokens never gets in before evidence. Chosen on LoCoMo 26 and 30.

    Args:
        value: Relevance, 0..10.
        tokens: What the block costs; 0 counts as 1.
    """
    return math.exp(_SIZE_PER_POINT * value) / max(tokens, 1)


class _Selection:
    """Chooses messages of the history for a room.

    Long texts and tool results are shortened before anything leaves: the level sinks, and what is above it is cut to it,
    lowest value and oldest first, so that the longest lose most. What still does not fit leaves: the newest messages stay
    up to their share, the others by value per token; what room is left then lengthens the ones that stayed.
    """

    def __init__(self, items: Sequence[Item], room: int, able: Callable[[Block], int], *, steady: bool) -> None:
        self._items = items
        self._room = room
        self._steady = steady
        self._able = {item.block.index: able(item.block) for item in items if item.cost > SHORT_LEVELS[-1]}
        self._limit: dict[int, int] = {}  # tokens of what shortening can work on, for the shortened ones
        self._used = sum(item.cost for item in items)

    def limits(self) -> dict[int, int | None]:
        """Return block index to token limit (`None`: verbatim); what is not named is left out."""
        least_first = sorted(self._items, key=lambda item: (item.recent, item.block.index if item.recent else item.value))
        long_ones = [item for item in least_first if self._able.get(item.block.index, 0) > SHORT_LEVELS[-1]]
        if self._steady:
            long_ones = [item for item in long_ones if not item.recent]
        for level in SHORT_LEVELS:
            for item in long_ones:
                if self._used <= self._room:
                    break
                if self._able[item.block.index] > level:
                    self._set_limit(item, level)
        chosen = self._items if self._used <= self._room else self._best()
        stays = {item.block.index for item in chosen}
        self._lengthen([item for item in reversed(long_ones) if item.block.index in stays])
        return {item.block.index: self._tokens(item) if item.block.index in self._limit else None for item in chosen}

    def _tokens(self, item: Item) -> int:
        limit = self._limit.get(item.block.index)
        return item.cost if limit is None else item.cost - self._able[item.block.index] + limit

    def _set_limit(self, item: Item, limit: int) -> None:
        self._used -= self._tokens(item)
        self._limit[item.block.index] = limit
        if limit >= self._able[item.block.index]:
            del self._limit[item.block.index]
        self._used += self._tokens(item)

    def _best(self) -> list[Item]:
        chosen: dict[int, Item] = {}
        self._used = 0
        for item in reversed([item for item in self._items if item.recent]):
            if self._used + self._tokens(item) > self._room * (1.0 if self._steady else RECENT_SHARE):
                break
            chosen[item.block.index] = item
            self._used += self._tokens(item)
        rest = [item for item in self._items if item.block.index not in chosen]
        for item in sorted(rest, key=lambda item: density(item.value, self._tokens(item)), reverse=True):
            if self._used + self._tokens(item) <= self._room:
                chosen[item.block.index] = item
                self._used += self._tokens(item)
        return list(chosen.values())

    def _lengthen(self, items: Sequence[Item]) -> None:
        for item in items:
            for level in (item.cost, *SHORT_LEVELS):
                more = min(level, self._able[item.block.index]) - self._limit.get(item.block.index, level)
                if more > 0 and self._used + more <= self._room:
                    self._set_limit(item, level)
                    break


def select(items: Sequence[Item], room: int, able: Callable[[Block], int], *, steady: bool = False) -> dict[int, int | None]:
    """Choose messages for a room; see `_Selection`.

    Args:
        items: In conversation order. Not modified.
        room: Tokens.
        able: Tokens of a block that shortening can work on.
        steady: Recent messages come first and verbatim, so that they are the same for the next request.

    Returns:
        Block index to token limit (`None`: verbatim); what is not named is left out.
    """
    if sum(item.cost for item in items) <= room:
        return {item.block.index: None for item in items}
    return _Selection(items, room, able, steady=steady).limits()

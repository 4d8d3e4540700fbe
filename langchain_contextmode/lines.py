"""Archive lines in the view: one for each compressed block, or for several blocks on one topic."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.conversation import context_message
from langchain_contextmode.fences import escaped, fenced, reference
from langchain_contextmode.topics import merged, merged_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.blocks import Block

TAG = "archive"
SUPERSEDED = " (superseded: the task board holds what is valid now)"
"""Mark behind a line that holds an old value of a task field (T3)."""

_INTRO = "Earlier messages in one line each, as background; each names its original by id."


class Lines(NamedTuple):
    """Which blocks share a line.

    Attributes:
        groups: Index of the block that stands for a group to all blocks of it, in conversation order.
        joined: Indices of the other members; they have no line of their own.
        superseded: Message id to words in it that the task board has a newer value for.
    """

    groups: Mapping[int, tuple[Block, ...]]
    joined: frozenset[int]
    superseded: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @classmethod
    def of(cls, log: Sequence[Block], compressed: Mapping[int, float]) -> Lines:
        """Join compressed blocks on one topic whose ten turns are over (S6).

        Args:
            log: All blocks.
            compressed: Index to value of the blocks that have a line and no chance to be in the view.
        """
        turn, turn_of = -1, {}
        for block in log:
            turn += block.kind == "human"
            if block.index in compressed:
                turn_of[block.index] = max(turn, 0)
        groups = {}
        for group in merged([log[index] for index in sorted(compressed)], turn_of, now=max(turn, 0)) if compressed else ():
            if len(group) > 1:
                leader = max(group, key=lambda block: (compressed[block.index], block.index))
                groups[leader.index] = group
        members = {block.index for group in groups.values() for block in group}
        return cls(groups, frozenset(members.difference(groups)))

    def group(self, block: Block) -> tuple[Block, ...]:
        """Return the blocks that a block's line stands for."""
        return self.groups.get(block.index, (block,))

    def covered(self, indices: Iterable[int]) -> frozenset[int]:
        """Return the indices of all blocks that the lines of some blocks stand for."""
        return frozenset(member for index in indices for member in (index, *(block.index for block in self.groups.get(index, ()))))

    def message(self, blocks: Iterable[Block]) -> HumanMessage:
        """Return the lines of these blocks as one delimited background message in the human role."""
        return archive_message([self.group(block) for block in blocks], self.superseded)

    def rendered(self, block: Block) -> str:
        """Return the line that stands for a block, as the view shows it."""
        return rendered_line(self.group(block), self.superseded)


ALONE = Lines({}, frozenset())
"""Every block has its own line."""


def rendered_line(group: Sequence[Block], superseded: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> str:
    """Return a line as the view shows it, with the ids that bring the originals back; nothing in it can end line or archive."""
    ids = ", ".join(reference(block.id) for block in group)
    text = merged_line(group)
    old = any(span in text for block in group for span in superseded.get(block.id, ()))
    return f"- [{ids}] {escaped(text)}{SUPERSEDED if old else ''}"


def archive_message(groups: Sequence[Sequence[Block]], superseded: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> HumanMessage:
    """Return lines as one delimited background message in the human role."""
    body = "\n".join(rendered_line(group, superseded) for group in groups)
    return context_message(fenced(TAG, f"{_INTRO}\n{body}"), TAG)

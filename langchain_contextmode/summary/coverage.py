"""Which blocks of the log stand behind the watermark, and whether they still are what was summarised."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.blocks import Block, Log
    from langchain_contextmode.summary.state import Summary

_MODULUS = 2**64
_DIGEST_BYTES = 8


class Reach(NamedTuple):
    """How far a summary reaches into a log.

    Attributes:
        covered: Indices of the blocks that the summary stands for.
        ahead: Index of the first block that is not behind the watermark.
        pruned: The watermark message itself is no longer in the log, and should not be.
        stale: Why the summary no longer belongs to this log; empty if it does. Then nothing is covered.
    """

    covered: frozenset[int] = frozenset()
    ahead: int = 0
    pruned: bool = False
    stale: str = ""


def covered_blocks(log: Log, summary: Summary) -> frozenset[int]:
    """Return the indices of the blocks that a summary stands for; none if a covered message was edited or removed."""
    return reach(log, summary).covered


def reach(log: Log, summary: Summary) -> Reach:
    """Find the watermark in a log and check that what is behind it is unchanged.

    System blocks and calls without a result are never covered. Originals of pruned messages that were put back in front
    of the log are behind the watermark and not covered.
    """
    if summary.empty:
        return Reach()
    if not summary.through:
        return _pruned(log, summary)
    watermark = _find(log.blocks, summary.through)
    if watermark is None:
        return Reach(stale="the last summarised message is no longer in the log")
    behind = [index for index in range(watermark + 1) if coverable(log.blocks[index])]
    first = _first_covered([digest(log.blocks[index]) for index in behind], summary.digest)
    if first is None:
        return Reach(stale="a summarised message was edited or removed")
    return Reach(frozenset(behind[first:]), watermark + 1)


def coverable(block: Block) -> bool:
    """Say whether a block may stand behind the watermark: no system message, no call that waits for its result."""
    return block.kind != "system" and not block.synthetic


def total_digest(blocks: Iterable[Block]) -> str:
    """Return the sum of the blocks' digests, whatever their order, as it stands in state."""
    return f"{sum(map(digest, blocks)) % _MODULUS:016x}"


def digest(block: Block) -> int:
    """Return a number made of ids and content of a block; the same block is computed once."""
    known: int | None = block.memo.get("summary_digest")
    if known is None:
        said = "\n".join((*block.ids, *map(content_hash, block.messages)))
        known = int.from_bytes(hashlib.blake2b(said.encode(errors="replace"), digest_size=_DIGEST_BYTES).digest())
        block.memo["summary_digest"] = known
    return known


def _pruned(log: Log, summary: Summary) -> Reach:
    """Return what the prune node left in the log of what it covered; the watermark message itself is gone."""
    kept = frozenset(summary.kept)
    left = [block.index for block in log.blocks if kept and coverable(block) and not kept.isdisjoint(block.ids)]
    if kept and total_digest(log.blocks[index] for index in left) != summary.digest:
        return Reach(pruned=True, stale="a summarised message was edited or removed")
    return Reach(frozenset(left), left[-1] + 1 if left else 0, pruned=True)


def _find(blocks: Sequence[Block], identity: str) -> int | None:
    return next((block.index for block in blocks if block.messages[-1].id == identity or identity in block.ids), None)


def _first_covered(digests: Sequence[int], wanted: str) -> int | None:
    """Return how many blocks at the front are to be left out for the sum to be right; `None` if none does it."""
    total = sum(digests)
    for first, number in enumerate((*digests, 0)):
        if f"{total % _MODULUS:016x}" == wanted:
            return first
        total -= number
    return None

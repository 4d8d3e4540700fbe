"""How blocks compete for a pool that is too small for all of them."""

from __future__ import annotations


def density(value: float, tokens: int) -> float:
    """Return what a block is worth per token, for a greedy choice: highest first.

    Args:
        value: Relevance, 0..10.
        tokens: What the block costs; 0 counts as 1.
    """
    return value / max(tokens, 1) ** 0.1

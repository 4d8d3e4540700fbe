"""How many exact values a tool result holds that no later message repeats.

Prose can be said again; an id, a date or an amount cannot be guessed. Among the newest messages, where an agent is in the
middle of its job, a result whose values stand nowhere else is worth more than words that only mention it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_contextmode.content import BoundedCache, content_key, readable
from langchain_contextmode.segments import VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.blocks import Block

MAX_BONUS = 6.0
"""In points of relevance; one point a value. Chosen on tau-bench airline (`tests/benchmarks/tool_values.py`)."""

_MIN_CHARS = 3
_VALUES: BoundedCache[frozenset[str]] = BoundedCache(8_192)


def novelty(blocks: Sequence[Block]) -> dict[int, float]:
    """Return points of relevance for the call blocks among some blocks, by block index.

    Args:
        blocks: Consecutive, oldest first. Not modified.
    """
    bonus: dict[int, float] = {}
    seen: set[str] = set()
    for block in reversed(blocks):
        values = frozenset().union(*(exact_values(message) for message in block.messages))
        if block.kind == "call":
            bonus[block.index] = min(MAX_BONUS, float(len(values - seen)))
        seen |= values
    return bonus


def exact_values(message: BaseMessage) -> frozenset[str]:
    """Return ids, numbers, dates, paths and addresses of a message that hold a digit; computed once per content."""
    return _VALUES.get(content_key(message), lambda: _values(readable(message)))


def _values(text: str) -> frozenset[str]:
    found = (match.group() for match in VALUE.finditer(text))
    return frozenset(value for value in found if len(value) >= _MIN_CHARS and any(char.isdigit() for char in value))

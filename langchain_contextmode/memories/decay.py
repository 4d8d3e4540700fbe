"""How a memory's weight fades with time, and what never fades (M10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from langchain_contextmode.memories.memory import Memory

DAY_MS: Final = 86_400_000
"""Milliseconds in a day."""

FACTOR: Final = 0.9
"""What is left of the importance after one period without use."""

PERIOD_MS: Final = 30 * DAY_MS
"""Milliseconds of one period."""

ARCHIVE_BELOW: Final = 0.1
"""A memory that weighs less is archived, not deleted."""

USE_GAIN: Final = 0.05
"""Share of what is missing to 1 that one use adds."""

CORE_ATTRIBUTES: Final = frozenset({"diet", "diet need", "health", "allergy", "prohibition", "name"})
"""Attributes whose memories never fade: forgetting them harms."""


def decayed(importance: float, last_use_ms: int, now_ms: int) -> float:
    """Return the importance after the time without use: `importance * 0.9 ** (days / 30)`.

    Args:
        importance: 0..1, as of the last use.
        last_use_ms: Milliseconds since the epoch; 0: never used nor created, so nothing has faded.
        now_ms: Milliseconds since the epoch. Earlier than the last use (clocks differ): nothing has faded.
    """
    if last_use_ms <= 0 or now_ms <= last_use_ms:
        return importance
    return float(importance * FACTOR ** ((now_ms - last_use_ms) / PERIOD_MS))


def used(importance: float) -> float:
    """Return the importance after one more use: a part of what is missing to 1 is added, so that it never passes 1."""
    return min(1.0, importance + (1.0 - importance) * USE_GAIN)


def core(memory: Memory) -> bool:
    """Say whether a memory never fades: pinned, or about health, diet, a ban or the user's name."""
    return memory.pinned or memory.attribute.partition("@")[0] in CORE_ATTRIBUTES


def last_use(memory: Memory) -> int:
    """Return when a memory was last used, said or created, in milliseconds since the epoch; 0: not known."""
    return max(memory.last_access_at, memory.updated_at, memory.created_at)


def weight(memory: Memory, now_ms: int) -> float:
    """Return what a memory weighs now, 0..1; the importance itself for what never fades."""
    return memory.importance if core(memory) else decayed(memory.importance, last_use(memory), now_ms)


def faded(memory: Memory, now_ms: int) -> bool:
    """Say whether a memory is to be archived."""
    return weight(memory, now_ms) < ARCHIVE_BELOW

"""How many of the recalled memories the view holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_contextmode.conversation import context_message
from langchain_contextmode.memories.block import memories_block

if TYPE_CHECKING:
    from langchain_core.messages import HumanMessage

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.preparation import Intake, Recalled, Setup

_POOL_SHARE = 0.5
"""Of the knowledge pool; the rest is for pins and summary."""

_ROOM_SHARE = 0.25
"""Of the room beside must set and board, so that the newest turns keep most of a small view."""

_FEWEST = 3
"""So many may take the share of the room even where half the pool holds fewer (A2: memories go from 5 to 3 last)."""


def fitting(setup: Setup, taken: Intake, recalled: Recalled, room: int) -> tuple[HumanMessage | None, tuple[Memory, ...]]:
    """Return the message that shows the best memories that fit, and these memories.

    Args:
        setup: Counts tokens.
        taken: The intake.
        recalled: Memories, best first.
        room: Tokens that must set and board leave.
    """
    for number in range(len(recalled.memories), 0, -1):
        shown = recalled.memories[:number]
        message = context_message(memories_block(shown), "memories", "memory")
        limit = int(room * _ROOM_SHARE)
        if number > _FEWEST:
            limit = min(limit, int(taken.budget.knowledge * _POOL_SHARE))
        if setup.counter.message(message) <= limit:
            return message, shown
    return None, ()

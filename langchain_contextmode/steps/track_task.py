"""Track the task: what new messages say about its fields, and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.preparation import Intake, Setup, Tracked

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from langchain_contextmode.protocols import IO


async def track_task(io: IO, setup: Setup, taken: Intake, state: Mapping[str, Any], now: datetime) -> Tracked:
    """Read new messages into the task's fields."""
    return Tracked(state=dict(state))

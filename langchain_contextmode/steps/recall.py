"""Recall: what is known about the user and bears on the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.preparation import Intake, Recalled, Setup, Tracked

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from langchain_contextmode.protocols import IO


async def recall(io: IO, setup: Setup, taken: Intake, tracked: Tracked, state: Mapping[str, Any], now: datetime) -> Recalled:
    """Search the store where it helps."""
    return Recalled(state=dict(state))

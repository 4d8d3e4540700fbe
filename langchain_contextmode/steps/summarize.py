"""Summarise: turns that left the window become part of the rolling summary, slice by slice, or stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.summary.coverage import reach
from langchain_contextmode.summary.state import Summarised, Summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.preparation import Intake, Setup
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import Pin


async def summarize(io: IO, setup: Setup, taken: Intake, state: Mapping[str, Any], pins: Sequence[Pin]) -> Summarised:
    """Not yet."""
    del io, setup, pins
    summary = Summary.of(state)
    return Summarised(summary, reach(taken.log, summary).covered, summary.state() if summary != Summary() else {})

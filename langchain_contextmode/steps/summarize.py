"""Summarise: turns that left the window become part of the rolling summary, slice by slice, or stay as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode._calls import PASS_THROUGH, CallFailedError
from langchain_contextmode.pins import TASTES
from langchain_contextmode.records import record_lines
from langchain_contextmode.summary.coverage import Reach, reach, total_digest
from langchain_contextmode.summary.extract import Extractor
from langchain_contextmode.summary.reply import UnusableError
from langchain_contextmode.summary.rolling import STEP, Limits, Roller
from langchain_contextmode.summary.size import bounded
from langchain_contextmode.summary.slices import due
from langchain_contextmode.summary.source import Demands, Source, withdrawn
from langchain_contextmode.summary.state import Line, Summarised, Summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.preparation import Intake, Setup
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import Pin, PinKind
    from langchain_contextmode.summary.slices import Slice
    from langchain_contextmode.summary.state import Section

MOST_FAILURES: Final = 3
"""After so many failed rounds in a row the local summariser takes the slices, so that turns do not stay unsummarised for ever."""

LOCAL_SLICES: Final = 50
"""Slices that the local summariser takes in one turn, so that a long log seen for the first time holds nobody up."""


async def summarize(io: IO, setup: Setup, taken: Intake, state: Mapping[str, Any], pins: Sequence[Pin]) -> Summarised:
    """Summarise the turns that are due, if any: by the model of the role `summary`, else by copying.

    At most one round a turn, however often an agent's loop comes by. A round that fails changes nothing but a count, and is
    reported; after three failures in a row the local summariser takes over.

    Args:
        io: The summarising model.
        setup: Collaborators.
        taken: The intake. Not modified.
        state: The `summary` concern of the last turn, or empty. Not modified.
        pins: All pins; what they say is not repeated in the summary.

    Returns:
        The summary, what it covers, and the state for the next turn.
    """
    summary, reached = _current(io, taken, Summary.of(state))
    turn = taken.log.blocks[taken.request_index].id if taken.request_index is not None else ""
    slices = [] if turn and summary.tried_at == turn else due(setup.config, taken, reached)
    if not slices:
        return _handed(_with_evicted(summary, setup, taken, reached), reached)
    demands = Demands(tuple(pins), withdrawn(taken.log.blocks, taken.pins.removed))
    made = await _round(io, setup, summary, slices, demands)
    summary = replace(made.summary, tried_at=turn)
    if made.slices:
        summary, reached = _committed(summary, taken, reached, made.slices)
    return _handed(_with_evicted(summary, setup, taken, reached), reached, made.proposals)


def _with_evicted(summary: Summary, setup: Setup, taken: Intake, reached: Reach) -> Summary:
    """Return the summary with the demands that pins have no more room for, as far as their messages are behind the watermark."""
    behind = {identity for index in reached.covered for identity in taken.log.blocks[index].ids} if taken.pins.evicted else set()
    sections = dict(summary.sections)
    for pin in taken.pins.evicted:
        name: Section = "preferences" if pin.kind in TASTES else "constraints"
        line = Line(pin.text, (pin.message_id,), "human")
        if pin.message_id in behind and line not in sections.get(name, ()):
            sections[name] = (*sections.get(name, ()), line)
    if sections == summary.sections:
        return summary
    return bounded(replace(summary, sections=sections), setup.config.summary_max_tokens, setup.counter.text)


def _handed(summary: Summary, reached: Reach, proposals: Sequence[tuple[str, str, PinKind]] = ()) -> Summarised:
    return Summarised(summary, reached.covered, summary.state() if summary != Summary() else {}, tuple(proposals))


def _current(io: IO, taken: Intake, summary: Summary) -> tuple[Summary, Reach]:
    """Return the summary as far as it still belongs to the log; it is made anew from a log that changed behind the watermark.

    Where messages were pruned the summary is the only copy of them: it stands, and what is still in the log is summarised again.
    """
    reached = reach(taken.log, summary)
    if not reached.stale:
        return summary, reached
    if summary.pruned or reached.pruned:
        io.note(STEP, f"The summary stands, and the messages still in the log are summarised again: {reached.stale}.")
        return replace(summary, through="", kept=(), digest=total_digest(())), Reach(pruned=True)
    io.note(STEP, f"The summary is made anew: {reached.stale}.")
    return Summary(tried_at=summary.tried_at), Reach()


class _Round(NamedTuple):
    """What came of the slices that were due; no slices if the round failed."""

    summary: Summary
    slices: list[Slice]
    proposals: list[tuple[str, str, PinKind]]


def _records(io: IO, setup: Setup, turns: Sequence[Sequence[Block]]) -> list[Line]:
    """Return turns as records; a template of the application that fails is replaced by ours, and reported."""
    try:
        return record_lines(turns, setup.record_template)
    except PASS_THROUGH:
        raise
    except Exception as error:  # noqa: BLE001  (a template is foreign code; whatever it raises, the answer goes on)
        io.degraded(STEP, f"the record template failed ({type(error).__name__}); records have their usual form")
        return record_lines(turns)


async def _round(io: IO, setup: Setup, old: Summary, slices: list[Slice], demands: Demands) -> _Round:
    config, count = setup.config, setup.counter.text
    with_demands = len(demands.pins) >= config.pins_max
    records = partial(_records, io, setup) if config.turn_form == "records" else None
    extractor = Extractor(config.summary_max_tokens, count, with_demands=with_demands, records=records)

    def copied(summary: Summary) -> _Round:
        taken = slices[:LOCAL_SLICES]
        for part in taken:
            summary = bounded(extractor.extracted(summary, Source(part, demands)), config.summary_max_tokens, count)
        return _Round(summary, taken, [])

    if not io.has("summary"):
        return copied(old)
    limits = Limits.of(io, setup)
    if not limits.enough:
        io.note(STEP, "The summarising model's window is too small for its instructions; the local summariser took these turns.")
        return copied(old)
    try:
        rolled = await Roller(io, setup, extractor, demands, limits).roll(old, slices)
    except (CallFailedError, UnusableError) as failure:
        failed = replace(old, failures=old.failures + 1)
        io.degraded(STEP, f"{str(failure).rstrip('.')}; nothing was removed, the summary of before stands")
        if failed.failures < MOST_FAILURES:
            return _Round(failed, [], [])
        io.note(STEP, f"The model failed {failed.failures} times in a row; the local summariser took these turns.")
        return copied(failed)
    for note in rolled.notes:
        io.note(STEP, note)
    return _Round(replace(rolled.summary, failures=0), rolled.slices, rolled.proposals)


def _committed(summary: Summary, taken: Intake, reached: Reach, slices: Sequence[Slice]) -> tuple[Summary, Reach]:
    """Move the watermark behind the last slice."""
    blocks = [block for part in slices for turn in part for block in turn.blocks]
    covered = reached.covered.union(block.index for block in blocks)
    inside = [taken.log.blocks[index] for index in sorted(covered)]
    pruned = summary.pruned
    if reached.pruned:
        pruned = max(1, sum(line.messages for line in summary.slices) - sum(len(block.ids) for block in inside))
    summary = replace(summary, through=blocks[-1].ids[-1], kept=(), digest=total_digest(inside), pruned=pruned)
    return summary, Reach(covered, blocks[-1].index + 1)

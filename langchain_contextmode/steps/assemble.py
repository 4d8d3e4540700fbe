"""Assemble: the plan for this budget, and the view in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.compact import Compactor, request_terms
from langchain_contextmode.composition import Composed, compose
from langchain_contextmode.conversation import context_message
from langchain_contextmode.decisions import Choice, choose, decide
from langchain_contextmode.draft import Drafter
from langchain_contextmode.lines import ALONE, Lines
from langchain_contextmode.memories.fitting import fitting
from langchain_contextmode.must import must_set
from langchain_contextmode.pins import list_pins
from langchain_contextmode.preparation import Beside
from langchain_contextmode.relevance.novelty import novelty
from langchain_contextmode.relevance.query import stands_alone
from langchain_contextmode.schema import ArchiveEntry, ContextView, PoolUsage
from langchain_contextmode.selection import Item
from langchain_contextmode.session import Session
from langchain_contextmode.summary.text import summary_text
from langchain_contextmode.topics import entries_of, merged_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.preparation import Brought, Filtered, Intake, Setup
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import Decision


async def assemble(io: IO, setup: Setup, taken: Intake, brought: Brought, *, state: dict[str, Any]) -> ContextView:
    """Fit everything into the budget and put it in order.

    Args:
        io: Takes the report of what could not be done.
        setup: Collaborators.
        taken: The intake.
        brought: What the steps between brought.
        state: The new state, already complete; goes out with the view.

    Raises:
        BudgetError: What must be shown does not fit, even at its shortest.
    """
    filtered, summarised, tracked = brought.filtered, brought.summarised, brought.tracked
    choices = choose(taken, filtered, setup.config)
    compactor = Compactor(setup.counter, request_terms(taken.request))
    board = context_message(tracked.board, "task") if tracked.board else None
    must = must_set(setup, taken, compactor, board)
    if must.refused:
        io.degraded("assemble", f"{len(must.refused)} of {len(taken.restored)} restored blocks do not fit beside the request")
    memories, shown_memories = fitting(setup, taken, brought.recalled, must.room)
    compressed = {index: choice.value for index, choice in choices.items() if choice.action == "compress"}
    lines = (Lines.of(taken.log.blocks, compressed) if taken.gate.at_request else ALONE)._replace(superseded=tracked.superseded)
    drafter = Drafter(
        setup,
        taken,
        fixed=must.blocks,
        compactor=compactor,
        items=_items(taken, filtered, choices),
        lines=lines,
        beside=Beside(board, memories),
    )
    removed = _removed(setup, state)
    covered = frozenset(identity for index in summarised.covered for identity in taken.log.blocks[index].ids)
    composed = compose(taken, drafter, _session(setup, taken, brought, state, removed), covered)
    draft = composed.draft
    behind = summarised.covered if composed.told else frozenset[int]()
    decisions = decide(taken, filtered, choices, draft, lines=lines.covered(draft.plan.lines), covered=behind)
    return ContextView(
        messages=draft.messages,
        decisions=decisions,
        pins=tuple(list_pins(state)),
        archive=(*removed, *_archive(setup, taken, choices, decisions, lines)),
        summary=summary_text(summarised.summary) or None,
        task=tracked.task,
        memories=shown_memories,
        levels=taken.levels,
        pools=_pools(setup, taken, composed, drafter.beside),
        tokens=draft.tokens,
        state=state,
        report=_report(taken, brought, composed, state) | _memory_report(setup, brought, len(shown_memories)),
    )


def _report(taken: Intake, brought: Brought, composed: Composed, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what this step and those before it have to say, a section a concern."""
    draft, slices = composed.draft, brought.summarised.summary.slices
    blocks = taken.log.blocks
    return {
        "changes_in_turn": draft.plan.changes,
        "pins": {
            "active": sum(pin.active for pin in list_pins(state)),
            "shown": len(composed.shown),
            "cut": [pin.message_id for pin in composed.cut],
        },
        "summary": {"covered_messages": sum(len(blocks[index].ids) for index in brought.summarised.covered), "slices": len(slices)},
        "restored": [identity for index in taken.restored for identity in blocks[index].ids if index in draft.shown],
        **({"task": brought.tracked.report} if brought.tracked.report else {}),
    }


def _memory_report(setup: Setup, brought: Brought, shown: int) -> dict[str, Any]:
    return {"memory": {"why": brought.recalled.why, "shown": shown, **brought.recalled.report}} if setup.has_store else {}


def _removed(setup: Setup, state: Mapping[str, Any]) -> tuple[ArchiveEntry, ...]:
    """Return the lines of pruned messages; with ids where those bring something back."""
    entries = entries_of(state.get("archive"))
    return tuple(ArchiveEntry(line, ids if back and setup.can_restore else (), 0.0) for line, ids, back in entries)


def _session(setup: Setup, taken: Intake, brought: Brought, state: Mapping[str, Any], removed: tuple[ArchiveEntry, ...]) -> Session:
    request = (taken.request.text,) if stands_alone(taken.request.text) else (taken.request.text, *taken.request.context)
    return Session(
        setup.counter.text,
        request,
        list_pins(state, active_only=True),
        brought.summarised.summary,
        removed=removed,
        lines_max=setup.config.archive_lines_limit,
        superseded=brought.tracked.superseded,
    )


def _items(taken: Intake, filtered: Filtered, choices: Mapping[int, Choice]) -> list[Item]:
    """Return what competes for the room: what is kept or compressed, or all of it if the turn began with the plain history."""
    blocks, recent = taken.log.blocks, frozenset(taken.recent)
    bonus = novelty([blocks[index] for index in taken.recent])
    items = []
    for index in choices if taken.gate.at_request else (*taken.older, *taken.recent):
        choice = choices.get(index)
        value = choice.value if choice else filtered.verdicts[index].value
        keep = not taken.gate.at_request or (choice is not None and choice.action == "keep")
        items.append(Item(blocks[index], taken.costs[index], value + bonus.get(index, 0.0), keep, index in recent))
    return items


def _archive(
    setup: Setup, taken: Intake, choices: Mapping[int, Choice], decisions: Mapping[str, Decision], lines: Lines
) -> tuple[ArchiveEntry, ...]:
    """Return an entry per compressed block or group, the newest `archive_max_entries`, oldest first; what is only summarised has none."""
    found: list[tuple[Block, ...]] = []
    for block in reversed(taken.log.blocks):
        if len(found) >= setup.config.archive_max_entries:
            break
        out = any(decisions[identity].action == "compress" and decisions[identity].decided_by != "summary" for identity in block.ids)
        if out and block.index not in lines.joined:
            found.append(lines.group(block))
    return tuple(
        ArchiveEntry(
            merged_line(group),
            tuple(identity for block in group for identity in block.ids),
            max(choices[block.index].value if block.index in choices else 0.0 for block in group),
        )
        for group in reversed(found)
    )


def _pools(setup: Setup, taken: Intake, composed: Composed, beside: Beside) -> dict[str, PoolUsage]:
    """Return limit and use per pool; history's limit is what the two others leave, output's what the input leaves."""
    counter, budget, draft = setup.counter, taken.budget, composed.draft
    system = sum(counter.message(m) for m in draft.messages if m.type == "system") + taken.tools_tokens
    system += counter.message(beside.board) if beside.board else 0
    knowledge = sum(counter.message(message) for message in (draft.lead, beside.memories, draft.archive) if message)
    left = setup.config.window_tokens - budget.safety - draft.tokens
    return {
        "system": PoolUsage(budget.system, system),
        "knowledge": PoolUsage(budget.knowledge, knowledge),
        "history": PoolUsage(max(budget.view - system - knowledge, 0), draft.tokens - system - knowledge),
        "output": PoolUsage(max(left, budget.output), 0),
        "safety": PoolUsage(budget.safety, 0),
    }

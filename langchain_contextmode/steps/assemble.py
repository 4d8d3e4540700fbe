"""Assemble: the plan for this budget, and the view in its order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from langchain_contextmode.archive import archive_message, line_of, rendered_line
from langchain_contextmode.blocks import Block
from langchain_contextmode.compact import Compactor
from langchain_contextmode.conversation import context_message, render
from langchain_contextmode.decisions import Choice, choose, decide, newest_call_index
from langchain_contextmode.errors import BudgetError
from langchain_contextmode.plan import Item, Plan, Planner, Room
from langchain_contextmode.relevance.terms import STOP_WORDS
from langchain_contextmode.schema import ArchiveEntry, ContextView, PoolUsage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.preparation import Filtered, Intake, Setup
    from langchain_contextmode.protocols import IO

_MARKERS_TOKENS = 32
"""Kept free for the markers that rendering may add (opening, gap, closing)."""

_ATTEMPTS = 4
_OLDER_NOTE = "(Earlier messages that bear on the request:)"
_TERM = re.compile(r"[^\W_]+(?:[._/@:-]+[^\W_]+)*")


async def assemble(io: IO, setup: Setup, taken: Intake, filtered: Filtered, state: dict[str, Any]) -> ContextView:
    """Fit everything into the budget and put it in order.

    Args:
        io: Not used: nothing here leaves the process.
        setup: Collaborators.
        taken: The intake.
        filtered: The verdicts.
        state: The new state, already complete; goes out with the view.

    Raises:
        BudgetError: What must be shown does not fit, even at its shortest.
    """
    del io
    choices = choose(taken, filtered, setup.config)
    compactor = Compactor(setup.counter, request_terms((taken.request.text, *taken.request.context)))
    fixed = _fixed(setup, taken, compactor)
    plan = _everything(taken)
    shown, messages, tokens = _shown(setup, taken, plan, fixed, compactor)
    if taken.gate.now:
        everything = (plan, shown, messages, tokens)
        plan, shown, messages, tokens = _fitted(setup, taken, choices, fixed, compactor)
        if everything[3] <= taken.budget.view and tokens >= everything[3]:  # a reduced view is never larger than the plain one
            plan, shown, messages, tokens = everything
    decisions = decide(taken, choices, plan, shown)
    archive = _archive(setup, taken, choices, decisions)
    pools = _pools(setup, taken, messages, tokens, plan)
    return ContextView(messages, decisions, archive, taken.levels, pools, tokens, state, {"changes_in_turn": plan.changes})


def request_terms(texts: Iterable[str]) -> frozenset[str]:
    """Return the lower-cased words and ids of some texts, stop words left out."""
    return frozenset(word for text in texts for word in _TERM.findall(text.lower()) if word not in STOP_WORDS and len(word) > 1)


def _fixed(setup: Setup, taken: Intake, compactor: Compactor) -> dict[int, Block]:
    """Return the blocks that are always there, the request shortened if that was allowed and is needed.

    Raises:
        BudgetError: They do not fit beside the newest tool call at its shortest.
    """
    fixed = {index: taken.log.blocks[index] for index in taken.fixed}
    call = newest_call_index(taken)
    call_tokens = compactor.cost(compactor.shortened(taken.log.blocks[call], 1)) if call is not None else 0
    parts = {
        "system": sum(taken.costs[index] for index, block in fixed.items() if block.kind == "system"),
        "tools": taken.tools_tokens,
        "pinned": sum(taken.costs[i] for i, block in fixed.items() if block.kind != "system" and i != taken.request_index),
        "request": taken.costs[taken.request_index] if taken.request_index is not None else 0,
        "newest_call": call_tokens,
    }
    needed, budget = sum(parts.values()) + setup.counter([]), taken.budget.view
    if needed > budget and setup.config.shorten_request and taken.request_index is not None:
        request = compactor.shortened(fixed[taken.request_index], max(budget - (needed - parts["request"]), 1))
        fixed[taken.request_index] = request
        needed += compactor.cost(request) - parts["request"]
    if needed > budget:
        listed = ", ".join(f"{name} {tokens}" for name, tokens in parts.items() if tokens)
        message = f"The view may use {budget} tokens, but what must be shown needs {needed} ({listed}). {_remedy(setup)}"
        raise BudgetError(message, needed_tokens=needed, budget_tokens=budget, parts=parts)
    return fixed


def _remedy(setup: Setup) -> str:
    setting = "view_tokens" if setup.config.view_tokens is not None else "window_tokens"
    return f"Raise {setting}, shorten the system prompt or the tools, unpin messages, or set shorten_request=True."


def _everything(taken: Intake) -> Plan:
    return Plan(limits=dict.fromkeys((*taken.older, *taken.recent, *taken.turn)))


def _fitted(
    setup: Setup, taken: Intake, choices: Mapping[int, Choice], fixed: Mapping[int, Block], compactor: Compactor
) -> tuple[Plan, dict[int, Block], list[BaseMessage], int]:
    """Plan until the rendered view, counted as a whole, is inside the budget; each attempt is strictly smaller."""
    counter, budget = setup.counter, taken.budget
    blocks = taken.log.blocks
    items = [
        Item(blocks[index], taken.costs[index], choice.value, choice.action == "keep", choice.decided_by == "recent")
        for index, choice in choices.items()
        if choice.action != "drop"
    ]
    if not taken.gate.at_request:  # the turn began with the plain history; it shrinks from there
        items = [item._replace(keep=True) for item in items]
    frame = counter.message(archive_message([]))
    base = sum(compactor.cost(block) for block in fixed.values()) + taken.tools_tokens + counter([]) + frame
    spare = _MARKERS_TOKENS
    for _ in range(_ATTEMPTS):
        room = Room(
            total=max(budget.view - base - spare, 0),
            view=budget.view,
            lines=max(budget.knowledge - frame, 0),
            lines_shown=setup.config.archive_lines_limit,
            line_cost=lambda block: counter.text(rendered_line(block)) + 1,
        )
        plan = Planner(compactor, items, [blocks[index] for index in taken.turn], room).plan()
        shown, messages, tokens = _shown(setup, taken, plan, dict(fixed), compactor)
        if tokens <= budget.view:
            return plan, shown, messages, tokens
        spare += tokens - budget.view + 8
    parts = {"system": 0, "tools": taken.tools_tokens, "pinned": 0, "request": 0, "newest_call": 0}
    message = f"The smallest view found has {tokens} tokens, {budget.view} are allowed. {_remedy(setup)}"
    raise BudgetError(message, needed_tokens=tokens, budget_tokens=budget.view, parts=parts)


def _shown(
    setup: Setup, taken: Intake, plan: Plan, fixed: dict[int, Block], compactor: Compactor
) -> tuple[dict[int, Block], list[BaseMessage], int]:
    """Return the planned blocks in their final form, the rendered messages, and their tokens, tool schemas included."""
    blocks = taken.log.blocks
    shown = dict(fixed)
    for index, limit in plan.limits.items():
        shown[index] = blocks[index] if limit is None else compactor.shortened(blocks[index], limit)
    ordered = _ordered(setup, taken, plan, shown)
    messages = render(ordered, alternate_roles=setup.config.alternate_roles)
    return shown, messages, setup.counter(messages) + taken.tools_tokens


def _ordered(setup: Setup, taken: Intake, plan: Plan, shown: Mapping[int, Block]) -> list[Block]:
    """Put blocks in the order of the layout; the archive stands right before the request."""
    start = taken.request_index if taken.request_index is not None else -1
    history = [shown[index] for index in sorted(shown) if index < start]
    rest = [shown[index] for index in sorted(shown) if index >= start]
    if setup.config.layout == "cache_stable" and taken.gate.now:
        older = frozenset(taken.older)
        moving = [block for block in history if block.index in older]
        steady = [block for block in history if block.index not in older]
        note = [_own(context_message(_OLDER_NOTE, "older"))] if moving and any(block.kind != "system" for block in steady) else []
        history = [*steady, *note, *moving]
    lines = [_own(archive_message([taken.log.blocks[index] for index in plan.lines]))] if plan.lines else []
    return [*history, *lines, *rest]


def _own(message: BaseMessage) -> Block:
    return Block((message,), "human", -1)


def _archive(setup: Setup, taken: Intake, choices: Mapping[int, Choice], decisions: Mapping[str, Any]) -> tuple[ArchiveEntry, ...]:
    """Return an entry per compressed block, the newest `archive_max_entries`, oldest first."""
    compressed = [block for block in taken.log.blocks if any(decisions[i].action == "compress" for i in block.ids if i in decisions)]
    limit = setup.config.archive_max_entries
    return tuple(
        ArchiveEntry(line_of(block), block.ids, choices[block.index].value if block.index in choices else 0.0)
        for block in (compressed[-limit:] if limit else [])
    )


def _pools(setup: Setup, taken: Intake, messages: Sequence[BaseMessage], tokens: int, plan: Plan) -> dict[str, PoolUsage]:
    """Return limit and use per pool; history's limit is what the two others leave, output's what the input leaves."""
    counter, budget = setup.counter, taken.budget
    system = sum(counter.message(m) for m in messages if m.type == "system") + taken.tools_tokens
    blocks = [taken.log.blocks[index] for index in plan.lines]
    knowledge = counter.message(archive_message(blocks)) if blocks else 0
    left = setup.config.window_tokens - budget.safety - tokens
    return {
        "system": PoolUsage(budget.system, system),
        "knowledge": PoolUsage(budget.knowledge, knowledge),
        "history": PoolUsage(max(budget.view - system - knowledge, 0), tokens - system - knowledge),
        "output": PoolUsage(max(left, budget.output), 0),
        "safety": PoolUsage(budget.safety, 0),
    }

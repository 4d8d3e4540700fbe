"""Assemble: the plan for this budget, and the view in its order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_contextmode.archive import archive_message, line_of, rendered_line
from langchain_contextmode.blocks import Block
from langchain_contextmode.compact import Compactor
from langchain_contextmode.content import namespace
from langchain_contextmode.conversation import context_message, render
from langchain_contextmode.decisions import Choice, choose, decide, newest_call_index
from langchain_contextmode.errors import BudgetError
from langchain_contextmode.plan import Plan, Planner, Room
from langchain_contextmode.relevance.novelty import novelty
from langchain_contextmode.relevance.terms import STOP_WORDS
from langchain_contextmode.schema import ArchiveEntry, ContextView, PoolUsage
from langchain_contextmode.selection import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.preparation import Filtered, Intake, Setup
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import Decision

_ATTEMPTS = 4
_ADDED = frozenset({"marker", "older"})
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
    fitted = _fitted(setup, taken, _items(taken, filtered, choices), fixed, compactor) if taken.gate.now else None
    if fitted is None or fitted.tokens >= taken.plain_tokens:  # a reduced view is never larger than the plain one
        plain = _draft(setup, taken, _everything(taken), fixed, compactor)
        if plain.tokens <= taken.budget.view:
            fitted = plain
        elif fitted is None:  # its own count says otherwise than the blocks' (a counter that does not add up)
            fitted = _fitted(setup, taken, _items(taken, filtered, choices), fixed, compactor)
    decisions = decide(taken, filtered, choices, fitted.plan, fitted.shown)
    archive = _archive(setup, taken, choices, decisions)
    pools = _pools(setup, taken, fitted)
    return ContextView(
        fitted.messages, decisions, archive, taken.levels, pools, fitted.tokens, state, {"changes_in_turn": fitted.plan.changes}
    )


class _Draft(NamedTuple):
    """A plan carried out: blocks in their final form by index, the messages, their tokens with tool schemas."""

    plan: Plan
    shown: dict[int, Block]
    messages: list[BaseMessage]
    tokens: int


def request_terms(texts: Iterable[str]) -> frozenset[str]:
    """Return the lower-cased words and ids of some texts, stop words left out."""
    return frozenset(word for text in texts for word in _TERM.findall(text.lower()) if word not in STOP_WORDS and len(word) > 1)


def _fixed(setup: Setup, taken: Intake, compactor: Compactor) -> dict[int, Block]:
    """Return the blocks that are always there, the request shortened if that was allowed and is needed.

    Raises:
        BudgetError: They do not fit beside the newest tool call at its shortest.
    """
    fixed = {index: taken.log.blocks[index] for index in taken.fixed}
    budget, request = taken.budget.view, taken.request_index
    needed = _needed(setup, taken, fixed, compactor)
    if needed > budget and setup.config.shorten_request and request is not None and not fixed[request].pinned:
        whole = fixed[request]
        for limit in (budget - needed + taken.costs[request], 1):
            fixed[request] = compactor.shortened(whole, max(limit, 1))
            needed = _needed(setup, taken, fixed, compactor)
            if needed <= budget:
                break
    if needed > budget:
        parts = _parts(taken, fixed, compactor)
        frame = {"the frame of the request": needed - sum(parts.values())}
        listed = ", ".join(f"{name} {tokens}" for name, tokens in {**parts, **frame}.items() if tokens)
        message = f"The view may use {budget} tokens, but what must be shown needs {needed} ({listed}). {_remedy(setup)}"
        raise BudgetError(message, needed_tokens=needed, budget_tokens=budget, parts=parts)
    return fixed


def _must(taken: Intake, fixed: Mapping[int, Block], compactor: Compactor) -> dict[int, Block]:
    """Return the fixed blocks and the newest call with its results at their shortest."""
    call = newest_call_index(taken)
    return dict(fixed) if call is None else {**fixed, call: compactor.shortened(taken.log.blocks[call], 1)}


def _needed(setup: Setup, taken: Intake, fixed: Mapping[int, Block], compactor: Compactor) -> int:
    """Count the smallest view there is: the must set, rendered."""
    must = _must(taken, fixed, compactor)
    messages = render([must[index] for index in sorted(must)], alternate_roles=setup.config.alternate_roles)
    return setup.counter(messages) + taken.tools_tokens


def _parts(taken: Intake, fixed: Mapping[int, Block], compactor: Compactor) -> dict[str, int]:
    parts = {"system": 0, "tools": taken.tools_tokens, "pinned": 0, "request": 0, "newest_call": 0}
    for index, block in _must(taken, fixed, compactor).items():
        part = "newest_call" if index not in fixed else "system" if block.kind == "system" else "pinned"
        parts["request" if index == taken.request_index else part] += compactor.cost(block)
    return parts


def _remedy(setup: Setup) -> str:
    setting = "view_tokens" if setup.config.view_tokens is not None else "window_tokens"
    return f"Raise {setting}, shorten the system prompt or the tools, unpin messages, or set shorten_request=True."


def _everything(taken: Intake) -> Plan:
    return Plan(limits=dict.fromkeys((*taken.older, *taken.recent, *taken.turn)))


def _fitted(setup: Setup, taken: Intake, items: list[Item], fixed: Mapping[int, Block], compactor: Compactor) -> _Draft:
    """Plan until the rendered view, counted as a whole, is inside the budget; each attempt is strictly smaller."""
    counter, budget, blocks = setup.counter, taken.budget, taken.log.blocks
    frame = counter.message(archive_message([]))
    base = sum(map(compactor.cost, fixed.values())) + taken.tools_tokens + counter([])

    def markers(indices: Iterable[int]) -> int:
        shown = {index: blocks[index] for index in (*taken.fixed, *indices)}
        added = render(_ordered(setup, taken, Plan(), shown), alternate_roles=setup.config.alternate_roles)
        return sum(counter.message(message) for message in added if namespace(message).get("source") in _ADDED)

    turn = [blocks[index] for index in taken.turn]
    spare = tokens = 0
    for _ in range(_ATTEMPTS):
        room = Room(
            total=max(budget.view - base - spare, 0),
            view=budget.view,
            lines=budget.knowledge,
            lines_shown=setup.config.archive_lines_limit,
            line_cost=lambda block: counter.text(rendered_line(block)) + 1,
            frame=frame,
            history=sum(taken.costs[index] for index in (*taken.older, *taken.recent)),
            markers=markers,
            steady=setup.config.layout == "cache_stable",
        )
        draft = _draft(setup, taken, Planner(compactor, items, turn, room).plan(), fixed, compactor)
        tokens = draft.tokens
        if tokens <= budget.view:
            return draft
        spare += tokens - budget.view + 8
    message = f"The smallest view found has {tokens} tokens, {budget.view} are allowed. {_remedy(setup)}"
    raise BudgetError(message, needed_tokens=tokens, budget_tokens=budget.view, parts={"tools": taken.tools_tokens})


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


def _draft(setup: Setup, taken: Intake, plan: Plan, fixed: Mapping[int, Block], compactor: Compactor) -> _Draft:
    """Carry out a plan."""
    blocks = taken.log.blocks
    shown = dict(fixed)
    for index, limit in plan.limits.items():
        shown[index] = blocks[index] if limit is None else compactor.shortened(blocks[index], limit)
    messages = render(_ordered(setup, taken, plan, shown), alternate_roles=setup.config.alternate_roles, reserved=taken.log.order)
    return _Draft(plan, shown, messages, setup.counter(messages) + taken.tools_tokens)


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


def _archive(setup: Setup, taken: Intake, choices: Mapping[int, Choice], decisions: Mapping[str, Decision]) -> tuple[ArchiveEntry, ...]:
    """Return an entry per compressed block, the newest `archive_max_entries`, oldest first."""
    compressed: dict[int, Block] = {}
    for block in reversed(taken.log.blocks):
        if len(compressed) >= setup.config.archive_max_entries:
            break
        if any(decisions[identity].action == "compress" for identity in block.ids):
            compressed[block.index] = block
    return tuple(
        ArchiveEntry(line_of(block), block.ids, choices[index].value if index in choices else 0.0)
        for index, block in reversed(compressed.items())
    )


def _pools(setup: Setup, taken: Intake, draft: _Draft) -> dict[str, PoolUsage]:
    """Return limit and use per pool; history's limit is what the two others leave, output's what the input leaves."""
    counter, budget = setup.counter, taken.budget
    system = sum(counter.message(m) for m in draft.messages if m.type == "system") + taken.tools_tokens
    blocks = [taken.log.blocks[index] for index in draft.plan.lines]
    knowledge = counter.message(archive_message(blocks)) if blocks else 0
    left = setup.config.window_tokens - budget.safety - draft.tokens
    return {
        "system": PoolUsage(budget.system, system),
        "knowledge": PoolUsage(budget.knowledge, knowledge),
        "history": PoolUsage(max(budget.view - system - knowledge, 0), draft.tokens - system - knowledge),
        "output": PoolUsage(max(left, budget.output), 0),
        "safety": PoolUsage(budget.safety, 0),
    }

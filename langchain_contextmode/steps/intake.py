"""Intake: the log as blocks, the sets they fall into, what they cost, and whether the filter has to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.budget import budget_for
from langchain_contextmode.compact import Compactor, request_terms
from langchain_contextmode.content import readable, text_of
from langchain_contextmode.conversation import context_message, render
from langchain_contextmode.must import must_set
from langchain_contextmode.parsing import parse
from langchain_contextmode.pins import Pins, collect
from langchain_contextmode.preparation import Gate, Intake, Setup
from langchain_contextmode.protocols import IO, Request
from langchain_contextmode.restore import wanted
from langchain_contextmode.summary.coverage import covered_blocks
from langchain_contextmode.summary.state import Summary
from langchain_contextmode.task.board import board, tags
from langchain_contextmode.task.settling import settled
from langchain_contextmode.task.state import TaskProgress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.blocks import Block, Log
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.tokens import MessageCounter

_STEADY_SHARE = 0.5
CONTEXT_MESSAGES = 4
"""Messages before the request that say what it continues (a "yes, do that" says nothing alone)."""

_MARKERS_TOKENS = 64
"""So close to the budget, the markers that rendering adds decide."""

_NAMED_CHARS = 200

_CACHE_STABLE_STEP = 10
"""In the cache-stable layout the recent window starts at a multiple of this many blocks, so that it moves seldom."""


class _Sets(NamedTuple):
    fixed: list[int]
    restored: list[int]
    turn: list[int]
    recent: list[int]
    older: list[int]


async def intake(io: IO, setup: Setup, messages: Sequence[Any], state: Mapping[str, Any], restore: Sequence[str] = ()) -> Intake:
    """Split the log into must set, turn, recent and older, count it, spot pins, and open or close the filter's gate.

    Args:
        io: Fetches originals that are asked for and no longer in the log.
        setup: Collaborators.
        messages: The log. Not modified.
        state: State of the last turn. Not modified.
        restore: Ids of messages that this view has to hold.

    Raises:
        BudgetError: What must be shown does not fit.
    """
    config, counter = setup.config, setup.counter
    switched_off = config.levels.get("session") is False
    log = parse(messages)
    request_index = log.newest_human()
    asked = wanted(state.get("restore", {}), restore, log.blocks[request_index].id if request_index is not None else "")
    own_ids = frozenset(log.order)
    if asked:
        log = await _with_originals(io, log, messages, state.get("archive", {}), asked["ids"])
        request_index = log.newest_human()
    put_back = frozenset(log.order) - own_ids
    costs = [block.memo.get(counter.key) or _cost(block, counter) for block in log.blocks]
    budget = budget_for(config)
    sets = _sets(setup, log, costs, Summary.of(state.get("summary", {})), asked.get("ids", ()))
    tools_tokens = counter.tools(setup.tools)
    topics, board_tokens = _task(setup, state)
    gate = _gate(setup, log, costs, sets, budget.view - board_tokens)
    taken = Intake(
        log,
        costs,
        _request(log, request_index, topics),
        request_index,
        *sets,
        tools_tokens,
        plain_tokens=sum(costs) + tools_tokens + counter([]),
        system_tokens=tools_tokens + sum(costs[block.index] for block in log.blocks if block.kind == "system"),
        budget=budget,
        gate=gate,
        levels={
            "session": _session(config, sets),
            "task": _level(config, "task", setup.task is not None, "a task is declared", "no task is declared"),
            "memory": _level(config, "memory", setup.has_store, "a memory store was given", "no memory store was given"),
        },
        pins=Pins() if switched_off else collect(log, state.get("pins", {}), config.pins_max, put_back),
        restore=asked,
    )
    if gate.pressed:  # a view that cannot be must not cost a model call first
        must_set(setup, taken, Compactor(counter, request_terms(taken.request)))
    return taken


async def _with_originals(io: IO, log: Log, messages: Sequence[Any], archive: Mapping[str, Any], asked: Sequence[str]) -> Log:
    """Return the log with those asked for that are no longer in it, in front; what cannot be found is reported."""
    known = frozenset(log.order)
    absent = [identity for identity in asked if identity not in known]
    if not absent:
        return log
    lines = archive.get("items") if isinstance(archive, dict) else None
    entries = [line[1] for line in lines or () if isinstance(line, list | tuple) and len(line) > 1 and isinstance(line[1], list)]
    ids = dict.fromkeys(identity for entry in entries if not set(absent).isdisjoint(entry) for identity in entry)
    try:
        found = await io.fetch([identity for identity in (*ids, *absent) if identity not in known]) if io.can_fetch else []
    except CallFailedError as failure:
        io.degraded("intake", f"the archive of originals could not be read: {failure}")
        found = []
    missing = [identity for identity in absent if identity not in {message.id for message in found}]
    if missing:
        io.degraded("intake", f"cannot restore {', '.join(missing)[:_NAMED_CHARS]}: in neither the log nor an archive of originals")
    back = [block for block in parse(found).blocks if not set(absent).isdisjoint(block.ids)] if found else []
    return parse([*(message for block in back for message in block.messages), *messages]) if back else log


def _sets(setup: Setup, log: Log, costs: list[int], summary: Summary, asked: Sequence[str]) -> _Sets:
    """Say of each block which set it belongs to (F4); one that the session level leaves out belongs to none."""
    config, request_index = setup.config, log.newest_human()
    fixed = [b.index for b in log.blocks if b.kind == "system" or b.pinned or b.index == request_index]
    back = frozenset(asked)
    restored = [b.index for b in log.blocks if back and not back.isdisjoint(b.ids) and b.index not in fixed]
    free = set(range(len(log.blocks))).difference(fixed, restored)
    start = request_index if request_index is not None else -1
    history = [index for index in range(start) if index in free]
    turn = [index for index in range(start + 1, len(log.blocks)) if index in free]
    if config.levels.get("session") is False:
        return _Sets(fixed, restored, turn, [], [])
    covered = covered_blocks(log, summary)
    recent = _recent(log.blocks, history, covered, costs, config)
    newest = frozenset(recent)
    return _Sets(fixed, restored, turn, recent, [index for index in history if index not in newest])


def _session(config: ContextConfig, sets: _Sets) -> str:
    """Say whether the session level is on, and why."""
    forced = config.levels.get("session")
    if forced is not None:
        return f"{'on' if forced else 'off'}: set by the configuration"
    return "on: there is a history" if sets.turn or sets.recent or sets.older else "off: one message, nothing to choose from"


def _level(config: ContextConfig, name: Literal["task", "memory"], given: bool, yes: str, no: str) -> str:  # noqa: FBT001  (said once)
    """Say whether a level that needs something from the application is on, and why."""
    if config.levels.get(name) is False:
        return "off: set by the configuration"
    return f"on: {yes}" if given else f"off: {no}"


def _cost(block: Block, counter: MessageCounter) -> int:
    cost = sum(map(counter.message, block.messages))
    block.memo[counter.key] = cost
    return cost


def _recent(blocks: list[Block], history: list[int], covered: frozenset[int], costs: list[int], config: ContextConfig) -> list[int]:
    """Return the uncovered blocks of the history that the last `protect_messages` messages before the request belong to.

    In the cache-stable layout the window starts at a multiple of ten blocks of the whole history, wherever the summary ends, and
    has at most half the view before the request, so that what stands in it stays for several turns.
    """
    open_ones = [index for index in history if index not in covered]
    left, first = config.protect_messages, len(open_ones)
    while first > 0 and left > 0:
        first -= 1
        left -= len(blocks[open_ones[first]].messages)
    if config.layout == "attention" or not config.protect_messages or first == len(open_ones):
        return open_ones[first:]
    most, start = budget_for(config).view * _STEADY_SHARE, history.index(open_ones[first])
    start -= start % _CACHE_STABLE_STEP
    while start < len(history) and sum(costs[index] for index in history[start:] if index not in covered) > most:
        start = min(start + _CACHE_STABLE_STEP, len(history))
    return [index for index in history[start:] if index not in covered]


def _task(setup: Setup, state: Mapping[str, Any]) -> tuple[tuple[str, ...], int]:
    """Return what mattered to the task when the last turn ended, as texts that say what the request continues, and its board's tokens.

    What this turn changes of the board is small.
    """
    spec, progress = setup.task, TaskProgress.of(state.get("task"))
    if spec is not None:
        progress = settled(spec, progress)
    found = tags(spec, progress) if spec is not None else ()
    shown = board(spec, progress) if setup.config.levels.get("task") is not False else ""
    tokens = setup.counter.message(context_message(shown, "task")) if shown else 0
    return ((" ".join(found),) if found else ()), tokens


def _request(log: Log, index: int | None, topics: tuple[str, ...]) -> Request:
    if index is None:
        return Request("", topics)
    before = [block for block in log.blocks[max(0, index - CONTEXT_MESSAGES) : index] if block.kind != "system"]
    return Request(text_of(log.blocks[index].messages[0]), (*topics, *(readable(block.messages[0]) for block in before)))


def _gate(setup: Setup, log: Log, costs: list[int], sets: _Sets, view: int) -> Gate:
    """Open the gate for many messages, many tokens, or a plain view that would not fit into `view` tokens."""
    config = setup.config
    messages = sum(len(log.blocks[index].messages) for index in sets.older)
    tokens = sum(costs[index] for index in sets.older)
    limit = min(config.filter_above_tokens, budget_for(config).history)
    at_request = _plain(setup, log, costs, [*sets.fixed, *sets.restored, *sets.older, *sets.recent], view)
    now = _plain(setup, log, costs, [*sets.fixed, *sets.restored, *sets.older, *sets.recent, *sets.turn], view)
    pressed = now > view
    if messages > config.filter_above_messages:
        why = f"{messages} unprotected messages, more than {config.filter_above_messages}"
    elif tokens > limit:
        why = f"{tokens} unprotected tokens, more than {limit}"
    elif pressed:
        why = f"the plain view has {now} tokens, more than {view}"
        return Gate(at_request > view, now=True, pressed=True, why=why)
    else:
        return Gate(at_request=False, now=False, pressed=False, why=f"the whole conversation fits: {now} of {view} tokens")
    return Gate(at_request=True, now=True, pressed=pressed, why=why)


def _plain(setup: Setup, log: Log, costs: list[int], indices: Iterable[int], view_tokens: int) -> int:
    """Count these blocks as a plain conversation; exactly, markers included, where it matters."""
    chosen = sorted(indices)
    tools_tokens = setup.counter.tools(setup.tools)
    tokens = sum(costs[index] for index in chosen) + tools_tokens + setup.counter([])
    if view_tokens - _MARKERS_TOKENS < tokens <= view_tokens:
        messages = render([log.blocks[index] for index in chosen], alternate_roles=setup.config.alternate_roles)
        return setup.counter(messages) + tools_tokens
    return tokens

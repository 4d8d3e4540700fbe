"""What every view holds: the must set, and the originals that were asked for as far as they fit beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.conversation import render
from langchain_contextmode.decisions import newest_call_index
from langchain_contextmode.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.compact import Compactor
    from langchain_contextmode.preparation import Intake, Setup

_RESTORED_SHARE = 0.8
"""Of the room beside the must set; the rest is for the newest messages and the lines."""


class Must(NamedTuple):
    """Blocks that are always there.

    Attributes:
        blocks: Block index to the block as it stands in the view.
        refused: Restored blocks that do not fit even at their shortest.
        room: Tokens of the view that must set and board leave, restored blocks not counted.
    """

    blocks: dict[int, Block]
    refused: list[int]
    room: int = 0


def must_set(setup: Setup, taken: Intake, compactor: Compactor, board: HumanMessage | None = None) -> Must:
    """Return the must set, the request shortened if that was allowed and is needed, and the restored blocks.

    Args:
        setup: Collaborators.
        taken: The intake.
        compactor: Shortens blocks.
        board: The task board, which is never cut either.

    Raises:
        BudgetError: The must set and the board do not fit beside the newest tool call at its shortest.
    """
    fixed = {index: taken.log.blocks[index] for index in taken.fixed}
    task = setup.counter.message(board) if board else 0
    budget, request = taken.budget.view - task, taken.request_index
    needed = _needed(setup, taken, fixed, compactor)
    if needed > budget and setup.config.shorten_request and request is not None and not fixed[request].pinned:
        whole = fixed[request]
        for limit in (budget - needed + taken.costs[request], 1):
            fixed[request] = compactor.shortened(whole, max(limit, 1))
            needed = _needed(setup, taken, fixed, compactor)
            if needed <= budget:
                break
    if needed > budget:
        raise _too_large(setup, {**_parts(taken, fixed, compactor), **({"task": task} if board else {})}, needed + task, taken.budget.view)
    return _with_restored(taken, fixed, compactor, budget - needed)


def _too_large(setup: Setup, parts: dict[str, int], needed: int, budget: int) -> BudgetError:
    frame = {"the frame of the request": needed - sum(parts.values())}
    listed = ", ".join(f"{name} {tokens}" for name, tokens in {**parts, **frame}.items() if tokens)
    message = f"The view may use {budget} tokens, but what must be shown needs {needed} ({listed}). {remedy(setup)}"
    return BudgetError(message, needed_tokens=needed, budget_tokens=budget, parts=parts)


def remedy(setup: Setup) -> str:
    """Say what to do when the must set does not fit."""
    setting = "view_tokens" if setup.config.view_tokens is not None else "window_tokens"
    return f"Raise {setting}, shorten the system prompt or the tools, unpin messages, or set shorten_request=True."


def _with_restored(taken: Intake, fixed: dict[int, Block], compactor: Compactor, room: int) -> Must:
    """Add what was asked for: whole where it fits, else shortened, the first asked for first."""
    refused: list[int] = []
    left = int(room * _RESTORED_SHARE)
    for number, index in enumerate(taken.restored):
        block = taken.log.blocks[index]
        share = left // (len(taken.restored) - number)
        if taken.costs[index] > share:
            block = compactor.shortened(block, share)
        cost = compactor.cost(block)
        if cost > left:
            refused.append(index)
            continue
        fixed[index] = block
        left -= cost
    return Must(fixed, refused, room)


def _smallest(taken: Intake, fixed: Mapping[int, Block], compactor: Compactor) -> dict[int, Block]:
    """Return the fixed blocks and the newest call with its results at their shortest."""
    call = newest_call_index(taken)
    return dict(fixed) if call is None else {**fixed, call: compactor.shortened(taken.log.blocks[call], 1)}


def _needed(setup: Setup, taken: Intake, fixed: Mapping[int, Block], compactor: Compactor) -> int:
    """Count the smallest view there is: the must set, rendered."""
    must = _smallest(taken, fixed, compactor)
    messages = render([must[index] for index in sorted(must)], alternate_roles=setup.config.alternate_roles)
    return setup.counter(messages) + taken.tools_tokens


def _parts(taken: Intake, fixed: Mapping[int, Block], compactor: Compactor) -> dict[str, int]:
    parts = {"system": 0, "tools": taken.tools_tokens, "pinned": 0, "request": 0, "newest_call": 0}
    for index, block in _smallest(taken, fixed, compactor).items():
        part = "newest_call" if index not in fixed else "system" if block.kind == "system" else "pinned"
        parts["request" if index == taken.request_index else part] += compactor.cost(block)
    return parts

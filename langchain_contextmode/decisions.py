"""From verdicts to actions before the budget has its say, and from the plan to a decision for every message after it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import references
from langchain_contextmode.schema import Action, DecidedBy, Decision, Verdict

if TYPE_CHECKING:
    from langchain_contextmode.blocks import Block
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.plan import Plan
    from langchain_contextmode.preparation import Filtered, Intake

NEUTRAL_VALUE = 5.0
"""Worth of a block that nobody scored, should the budget ask."""


class Choice(NamedTuple):
    """What should happen to a block if tokens were no matter."""

    action: Action
    score: int | None
    value: float
    reason: str
    decided_by: DecidedBy


def choose(taken: Intake, filtered: Filtered, config: ContextConfig) -> dict[int, Choice]:
    """Return one choice per block of the history, in conversation order.

    Thresholds turn scores into actions; what a kept message refers to is at least compressed (F12).
    """
    recent = frozenset(taken.recent)
    choices: dict[int, Choice] = {}
    for index in [*taken.older, *taken.recent]:
        verdict = filtered.verdicts.get(index)
        if index in recent:
            value = verdict.value if verdict else NEUTRAL_VALUE
            choices[index] = Choice("keep", verdict.score if verdict else None, value, _recent_reason(config.protect_messages), "recent")
        elif verdict is None:
            choices[index] = Choice("keep", None, NEUTRAL_VALUE, f"Not filtered: {taken.gate.why}.", "gate")
        else:
            choices[index] = Choice(_action(verdict, config), verdict.score, verdict.value, verdict.reason, verdict.decided_by)
    _follow_references(taken, choices)
    return choices


def _action(verdict: Verdict, config: ContextConfig) -> Action:
    if verdict.action is not None:
        action = verdict.action
    elif verdict.score >= config.keep_score:
        action = "keep"
    else:
        action = "compress" if verdict.score >= config.compress_score else "drop"
    return config.lowest_action if action == "drop" else action


def _follow_references(taken: Intake, choices: dict[int, Choice]) -> None:
    blocks = taken.log.blocks
    owners: dict[str, int] | None = None
    kept = [*taken.fixed, *taken.turn, *(index for index, choice in choices.items() if choice.action == "keep")]
    for index in kept:
        for message in blocks[index].messages:
            if not message.additional_kwargs or not (refs := references(message)):
                continue
            if owners is None:
                owners = {identity: block.index for block in blocks for identity in block.ids}
            for ref in refs:
                target = owners.get(ref, -1)
                if target in choices and choices[target].action == "drop":
                    reason = f"Message {message.id} refers to it."
                    choices[target] = choices[target]._replace(action="compress", reason=reason, decided_by="reference")


def decide(taken: Intake, choices: dict[int, Choice], plan: Plan, shown: dict[int, Block]) -> dict[str, Decision]:
    """Return one decision per message id of the log, in log order.

    Args:
        taken: The intake.
        choices: What should happen to the history.
        plan: What the budget allowed.
        shown: Block index to the block as it stands in the view.
    """
    found: dict[str, Decision] = {identity: _decision("drop", "none", None, why, "must") for identity, why in taken.log.left_out.items()}
    fixed, lines = frozenset(taken.fixed), frozenset(plan.lines)
    newest_call = newest_call_index(taken)
    for block in taken.log.blocks:
        index = block.index
        if index in fixed:
            decision = _decision("keep", "verbatim", None, _fixed_reason(block, index == taken.request_index), "must")
        elif index in choices:
            decision = _of_history(choices[index], index, plan, lines)
        elif index in shown:
            newest = index == newest_call
            reason = "The newest tool calls and their results." if newest else "Part of the current turn."
            decision = _decision("keep", "verbatim", None, reason, "must" if newest else "recent")
        else:
            form = "line" if index in lines else "none"
            decision = _decision("compress", form, None, "An older step of this turn; the budget is used up.", "budget")
        altered = shown[index].altered if index in shown else {}
        for identity in block.ids:
            found[identity] = _altered(decision, altered[identity], block) if identity in altered else decision
    return {identity: found[identity] for identity in taken.log.order}


def newest_call_index(taken: Intake) -> int | None:
    """Return the newest call block after the request; its results are shortened last of all."""
    return next((index for index in reversed(taken.turn) if taken.log.blocks[index].kind == "call"), None)


def _of_history(choice: Choice, index: int, plan: Plan, lines: frozenset[int]) -> Decision:
    if index in plan.limits:
        return _decision("keep", "verbatim", choice.score, choice.reason, choice.decided_by)
    form = "line" if index in lines else "none"
    if choice.action == "keep":
        return _decision("compress", form, choice.score, f"Would be kept, but the budget is used up. {choice.reason}", "budget")
    if choice.action == "compress":
        return _decision("compress", form, choice.score, choice.reason, choice.decided_by)
    return _decision("drop", "none", choice.score, choice.reason, choice.decided_by)


def _altered(decision: Decision, how: str, block: Block) -> Decision:
    """Return the decision for a message that is in the view in another form than in the log."""
    if decision.form != "verbatim":
        return decision
    by: DecidedBy = "must" if block.altered else "budget"
    return decision._replace(form="shortened", reason=f"{decision.reason} {how}", decided_by=by)


def _fixed_reason(block: Block, is_request: bool) -> str:  # noqa: FBT001  (private, called once)
    if is_request:
        return "The newest human message."
    return "A system message." if block.kind == "system" else "Pinned by the application."


@lru_cache(maxsize=64)
def _recent_reason(count: int) -> str:
    return f"One of the newest {count} messages before the request."


@lru_cache(maxsize=4_096)
def _decision(action: Action, form: str, score: int | None, reason: str, decided_by: DecidedBy) -> Decision:
    """Return a shared decision: long logs hold thousands of equal ones."""
    return Decision(action, form, score, reason, decided_by)  # type: ignore[arg-type]

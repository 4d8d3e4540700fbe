"""From verdicts to actions before the budget has its say, and from the plan to a decision for every message after it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import references
from langchain_contextmode.corrections import corrections
from langchain_contextmode.relevance.entities import entities_held
from langchain_contextmode.schema import Action, DecidedBy, Decision, Verdict

if TYPE_CHECKING:
    from langchain_contextmode.blocks import Block
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.draft import Draft
    from langchain_contextmode.plan import Plan
    from langchain_contextmode.preparation import Filtered, Intake

_SWITCHED_OFF = Verdict(0, 0.0, "The session level is switched off.", "gate")
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
    """Return a choice per block of the history that may be in the view or the archive, in conversation order.

    Thresholds turn scores into actions. Whoever scored: a message that holds an exact entity of the request (F5), or that a
    kept message refers to (F12), is at least compressed. What is missing in the result is dropped: most of a long log, so
    nothing is built for it.
    """
    choices: dict[int, Choice] = {}
    for index in taken.older:
        verdict = filtered.verdicts.get(index)
        if verdict is None:
            choices[index] = Choice("keep", None, NEUTRAL_VALUE, f"Not filtered: {taken.gate.why}.", "gate")
        elif verdict.action is not None or verdict.score >= config.compress_score or config.lowest_action == "compress":
            action = _action(verdict, config)
            if action != "drop":
                choices[index] = Choice(action, verdict.score, verdict.value, verdict.reason, verdict.decided_by)
    for index, entity in entities_held(taken.request, taken.log.blocks, [i for i in taken.older if i not in choices]).items():
        verdict = filtered.verdicts[index]
        choices[index] = Choice("compress", verdict.score, verdict.value, f'Names "{entity}", as the request does.', "entity")
    reason = f"One of the newest {sum(len(taken.log.blocks[index].messages) for index in taken.recent)} messages before the request."
    for index in taken.recent:
        verdict = filtered.verdicts.get(index)
        score, value = (verdict.score, verdict.value) if verdict else (None, NEUTRAL_VALUE)
        choices[index] = Choice("keep", score, value, reason, "recent")
    return _with_references(taken, filtered, _with_corrections(taken, filtered, choices))


def _with_corrections(taken: Intake, filtered: Filtered, choices: dict[int, Choice]) -> dict[int, Choice]:
    """Keep what changes a kept message, in conversation order: an old value without its correction misleads."""
    blocks = taken.log.blocks
    kept = [index for index, choice in choices.items() if choice.action == "keep"]
    others = [index for index in taken.older if index not in choices or choices[index].action != "keep"]
    for index, old in corrections(blocks, kept, others).items():
        verdict, value = filtered.verdicts.get(index), choices[old].value
        score = verdict.score if verdict else None
        value = max(value, verdict.value if verdict else 0.0)
        choices[index] = Choice("keep", score, value, f"It changes what message {blocks[old].id} says.", "reference")
    return dict(sorted(choices.items()))


def _action(verdict: Verdict, config: ContextConfig) -> Action:
    if verdict.action is not None:
        action = verdict.action
    elif verdict.score >= config.keep_score:
        action = "keep"
    else:
        action = "compress" if verdict.score >= config.compress_score else "drop"
    return config.lowest_action if action == "drop" else action


def _with_references(taken: Intake, filtered: Filtered, choices: dict[int, Choice]) -> dict[int, Choice]:
    blocks = taken.log.blocks
    owners: dict[str, int] | None = None
    found: dict[int, Choice] = {}
    for index in (*taken.fixed, *taken.turn, *(index for index, choice in choices.items() if choice.action == "keep")):
        for message in blocks[index].messages:
            if not message.additional_kwargs or not (refs := references(message)):
                continue
            if owners is None:
                owners = {identity: block.index for block in blocks for identity in block.ids}
            for target in (owners.get(ref, -1) for ref in refs):
                verdict = filtered.verdicts.get(target)
                if verdict is not None and target not in choices:
                    found[target] = Choice("compress", verdict.score, verdict.value, f"Message {message.id} refers to it.", "reference")
    return dict(sorted((choices | found).items())) if found else choices


def decide(
    taken: Intake, filtered: Filtered, choices: dict[int, Choice], draft: Draft, *, lines: frozenset[int], covered: frozenset[int]
) -> dict[str, Decision]:
    """Return one decision per message id of the log, in log order.

    Args:
        taken: The intake.
        filtered: The verdicts; the only word on blocks without a choice.
        choices: What should happen to the history.
        draft: The view.
        lines: Blocks that an archive line of the view stands for.
        covered: Blocks that the summary stands for; none where the view says nothing of it.
    """
    plan, shown = draft.plan, draft.shown
    decisions = {index: _of_history(choice, index, plan, lines) for index, choice in choices.items()}
    decisions |= _of_turn(taken, shown, lines)
    for index in taken.fixed:
        decisions[index] = _decision("keep", "verbatim", None, _fixed_reason(taken.log.blocks[index], taken.request_index), "must")
    for index in taken.restored:
        decisions[index] = _restored(index in shown)
    found: dict[str, Decision] = {identity: _decision("drop", "none", None, why, "must") for identity, why in taken.log.left_out.items()}
    for block in taken.log.blocks:
        decision = decisions.get(block.index)
        if decision is None:
            verdict = filtered.verdicts.get(block.index, _SWITCHED_OFF)
            action, form = ("keep", "verbatim") if block.index in plan.limits else ("drop", "none")
            if block.index in lines:  # the turn began with it in the view
                action, form = "compress", "line"
            decision = _decision(action, form, verdict.score, verdict.reason, verdict.decided_by)
        if decision.form == "none" and block.index in covered:
            decision = _summarised(decision)
        for identity in block.ids:
            found[identity] = decision
    for block in shown.values():
        for identity, how in block.altered.items():
            found[identity] = _altered(found[identity], how, taken.log.blocks[block.index])
    return {identity: found[identity] for identity in taken.log.order}


def _of_turn(taken: Intake, shown: dict[int, Block], lines: frozenset[int]) -> dict[int, Decision]:
    newest = newest_call_index(taken)
    found = {}
    for index in taken.turn:
        if index not in shown:
            form = "line" if index in lines else "none"
            found[index] = _decision("compress", form, None, "An older step of this turn; the budget is used up.", "budget")
        elif index == newest:
            found[index] = _decision("keep", "verbatim", None, "The newest tool calls and their results.", "must")
        else:
            found[index] = _decision("keep", "verbatim", None, "Part of the current turn.", "recent")
    return found


def newest_call_index(taken: Intake) -> int | None:
    """Return the newest call block after the request; its results are shortened last of all."""
    return next((index for index in reversed(taken.turn) if taken.log.blocks[index].kind == "call"), None)


def _of_history(choice: Choice, index: int, plan: Plan, lines: frozenset[int]) -> Decision:
    if index in plan.limits:
        return _decision("keep", "verbatim", choice.score, choice.reason, choice.decided_by)
    form, shown = ("line", "") if index in lines else ("none", " Its line is not among those shown.")
    if choice.action == "keep":
        return _decision("compress", form, choice.score, f"Would be kept, but the budget is used up. {choice.reason}{shown}", "budget")
    return _decision("compress", form, choice.score, f"{choice.reason}{shown}", choice.decided_by)


def _altered(decision: Decision, how: str, block: Block) -> Decision:
    """Return the decision for a message that is in the view in another form than in the log."""
    if decision.form != "verbatim":
        return decision
    by: DecidedBy = "must" if block.altered else "budget"
    return decision._replace(form="shortened", reason=f"{decision.reason} {how}", decided_by=by)


def _restored(shown: bool) -> Decision:  # noqa: FBT001  (private)
    if shown:
        return _decision("keep", "verbatim", None, "Asked for by id.", "restore")
    return _decision("compress", "none", None, "Asked for by id, but it does not fit beside the request.", "budget")


def _summarised(decision: Decision) -> Decision:
    """Return the decision for a message that only the summary stands for; a choice to compress it stays what it was."""
    reason = f"It is summarised; the view shows what of it bears on the request. {decision.reason}"
    if decision.action == "compress":
        return _decision("compress", "summary", decision.score, reason, decision.decided_by)
    return _decision("compress", "summary", decision.score, reason, "summary")


def _fixed_reason(block: Block, request_index: int | None) -> str:
    if block.index == request_index:
        return "The newest human message."
    return "A system message." if block.kind == "system" else "Pinned by the application."


@lru_cache(maxsize=4_096)
def _decision(action: str, form: str, score: int | None, reason: str, decided_by: DecidedBy) -> Decision:
    """Return a shared decision: long logs hold thousands of equal ones."""
    return Decision(action, form, score, reason, decided_by)  # type: ignore[arg-type]

"""The model as a judge, in three readings: a list of verdicts, yes or no one by one, a pick of the few that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from langchain_contextmode._ports import CallFailedError
from langchain_contextmode.content import text_of
from langchain_contextmode.prompts import render
from langchain_contextmode.relevance.items import describe, excerpt, labels, line
from langchain_contextmode.relevance.replies import Opinion, read_list, read_picks, read_yes_no, yes_probability
from langchain_contextmode.schema import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.protocols import IO, Request, Role
    from langchain_contextmode.relevance.items import Item

ReadingName = Literal["list", "single", "pick"]

STEP = "filter"
TRIES = 2
"""How often one call is made until its reply can be read as a whole."""

_REQUEST_CHARS = 2_000
_CONTEXT_MESSAGES = 2
_LIST_TOKENS_PER_ITEM = 48
_LIST_TOKENS = 64
_PICK_TOKENS = 48
_SINGLE_TOKENS = 4
_TOP_LOGPROBS = 10
_SURE = 0.9


class JudgeCall(NamedTuple):
    """One call that a judge is about to make.

    Attributes:
        items: What it is about, oldest first.
        prompt: Complete text.
        max_tokens: Reply limit.
    """

    items: tuple[Item, ...]
    prompt: str
    max_tokens: int


async def judge(
    io: IO,
    request: Request,
    items: Sequence[Item],
    *,
    role: Role,
    reading: ReadingName,
    worth: Callable[[JudgeCall], bool] = lambda _: True,
) -> list[Verdict | None]:
    """Let a model judge items against a request.

    Args:
        io: Has a model for `role`.
        request: What to judge against.
        items: Oldest first; `judge_batch_messages` a call (one a call in reading `single`).
        role: Which model.
        reading: How the model is asked.
        worth: Says whether a call is worth its tokens; one that is not is not made.

    Returns:
        A verdict per item, in order; `None` where no call was made. What the model does not decide is kept: a verdict by
        `failure`.
    """
    size = 1 if reading == "single" else io.config.judge_batch_messages
    batches = [tuple(items[start : start + size]) for start in range(0, len(items), size)]
    calls = [call if worth(call := prepare(io.config, request, batch, reading)) else None for batch in batches]
    read = {"list": _list, "single": _single, "pick": _pick}[reading]
    made = [read(io, call, role) for call in calls if call]
    answers = iter(await io.all(made))
    verdicts: list[Verdict | None] = []
    failures: list[str] = []
    for batch, asked in zip(batches, calls, strict=True):
        answer = next(answers) if asked else [None] * len(batch)
        if isinstance(answer, CallFailedError):
            failures.append(str(answer))
            answer = [_kept(io.config, f"the judge failed: {answer}")] * len(batch)
        verdicts += answer
    if failures:
        io.degraded(STEP, f"{len(failures)} of {len(made)} judge calls failed, their messages are kept: {failures[0]}")
    return verdicts


def prepare(config: ContextConfig, request: Request, items: tuple[Item, ...], reading: ReadingName) -> JudgeCall:
    """Return the call that asks about these items: one item in reading `single`."""
    before = " / ".join(excerpt(text) for text in request.context[-_CONTEXT_MESSAGES:] if text.strip())
    context = render("judge_context", {"texts": before}, replacements=config.prompts).rstrip() if before else ""
    values = {"request": excerpt(request.text, _REQUEST_CHARS) or "(no text)", "context": context}
    if reading == "single":
        values["item"], limit = line(items[0], {}), _SINGLE_TOKENS
    else:
        values["items"], limit = describe(items), _PICK_TOKENS
    if reading == "list":
        values["ids"], limit = ", ".join(labels(len(items))), _LIST_TOKENS + _LIST_TOKENS_PER_ITEM * len(items)
    return JudgeCall(items, render(f"judge_{reading}", values, replacements=config.prompts), limit)


async def _ask(io: IO, call: JudgeCall, role: Role, reading: ReadingName, **options: Any) -> tuple[str, Any]:
    reply = await io.ask(call.prompt, role=role, name=f"contextmode_judge_{reading}", max_tokens=call.max_tokens, **options)
    return text_of(reply), reply.response_metadata


async def _list(io: IO, call: JudgeCall, role: Role) -> list[Verdict]:
    """Ask for a list of verdicts; once more if anything is wrong with it. Then valid ones stand, and the rest is kept."""
    ids = labels(len(call.items))
    opinions: dict[str, Opinion] = {}
    flaws: tuple[str, ...] = ()
    for _ in range(TRIES):
        try:
            text, _metadata = await _ask(io, call, role, "list")
        except CallFailedError:
            if opinions:
                break
            raise
        found, flaws = read_list(text, ids)
        for key, opinion in found.items():
            opinions[key] = max(opinions.get(key, opinion), opinion, key=lambda either: either.care)
        if not flaws:
            break
    if not opinions:
        raise _unreadable("; ".join(flaws) or "no verdicts")
    if flaws:
        io.note(STEP, f"The judge's reply was flawed twice ({'; '.join(flaws)}); valid verdicts stand, the rest is kept.")
    return [_verdict(io.config, opinions.get(key)) for key in ids]


async def _single(io: IO, call: JudgeCall, role: Role) -> list[Verdict]:
    """Ask for a yes or no; its probability is the score where the model gives log probabilities, else the word."""
    for _ in range(TRIES):
        text, metadata = await _ask(io, call, role, "single", logprobs=True, top_logprobs=_TOP_LOGPROBS)
        probability = yes_probability(metadata)
        if probability is None and (said := read_yes_no(text)) is not None:
            probability = _SURE if said else 1 - _SURE
        if probability is not None:
            return [Verdict(round(10 * probability), round(10 * probability, 4), f"needed with probability {probability:.2f}", "model")]
    why = "neither yes nor no"
    raise _unreadable(why)


async def _pick(io: IO, call: JudgeCall, role: Role) -> list[Verdict]:
    """Ask for the few that matter. Those are kept; the others are compressed, since the pick says only that others matter more."""
    for _ in range(TRIES):
        text, _metadata = await _ask(io, call, role, "pick")
        picks = read_picks(text, len(call.items))
        if picks:
            best, rest = min(io.config.keep_score + 1, 10), io.config.compress_score
            chosen = Verdict(best, float(best), "picked as one of the few that matter", "model", "keep")
            other = Verdict(rest, float(rest), "not among the few that matter most", "model", "compress")
            return [chosen if position in picks else other for position in range(len(call.items))]
    why = "no valid pick"
    raise _unreadable(why)


def _unreadable(why: str) -> CallFailedError:
    return CallFailedError(f"the reply could not be read ({why}).")


def _verdict(config: ContextConfig, opinion: Opinion | None) -> Verdict:
    if opinion is None:
        return _kept(config, "the judge gave no valid verdict")
    if opinion.score is not None:
        return Verdict(opinion.score, float(opinion.score), opinion.reason or "scored by the judge", "model")
    score = {"keep": config.keep_score, "compress": config.compress_score, "drop": max(config.compress_score - 1, 0)}[
        opinion.action or "keep"
    ]
    return Verdict(score, float(score), opinion.reason or "judged without a score", "model", opinion.action)


def _kept(config: ContextConfig, why: str) -> Verdict:
    return Verdict(config.keep_score, float(config.keep_score), f"Kept: {why}", "failure", "keep")

"""Coarse, then fine: a local scorer ranks everything, models judge only what it leaves undecided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.relevance.items import items_of
from langchain_contextmode.relevance.judge import STEP, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.protocols import IO, Request, Role, Scorer
    from langchain_contextmode.relevance.items import Item
    from langchain_contextmode.relevance.judge import JudgeCall
    from langchain_contextmode.schema import Verdict

BELOW_COMPRESS = 3.0
"""How far below `compress_score` a local value may lie for a model to be asked."""

FINE_SHARE = 0.25
"""Share of `judge_max_messages` that is left to `filter_fine`, if there is such a model besides `filter`."""

_REPLY_TOKENS_PER_ITEM = 32
_TIE_BREAK = 0.5


class CascadeScorer:
    """A scorer over a local scorer and up to two judges; without models it is the local scorer."""

    def __init__(self, local: Scorer, count_text: Callable[[str], int] = estimate_tokens) -> None:
        """Build on a local scorer.

        Args:
            local: Ranks everything.
            count_text: Tokens of a text; compares what a call costs with what it could free.
        """
        self._local = local
        self._count = count_text

    async def score(self, io: IO, request: Request, log: Sequence[Block], candidates: Sequence[int]) -> list[Verdict]:
        """Judge blocks against the request; see `Scorer.score`.

        At most `judge_max_messages` items are judged by models, those nearest to the thresholds first. A model's verdict
        replaces the local one; where it gives an integer, the local value breaks ties.
        """
        scored = await self._local.score(io, request, log, candidates)
        roles: list[Role] = [role for role in ("filter", "filter_fine") if io.has(role)]
        if not roles:
            return scored
        local = dict(zip(candidates, scored, strict=True))
        verdicts = dict(local)
        left = io.config.judge_max_messages
        open_items = _by_doubt(io.config, _undecided(io.config, items_of(log, candidates), local), local)
        for position, role in enumerate(roles):
            reserved = int(left * FINE_SHARE) if position + 1 < len(roles) else 0
            chosen = sorted(open_items[: left - reserved], key=lambda item: item.blocks)
            found = await self._judge(io, request, chosen, role)
            left -= sum(verdict is not None for verdict in found)
            _replace(verdicts, chosen, found, local)
            open_items = _by_doubt(io.config, [item for item in chosen if _still_open(io.config, verdicts[item.blocks[0]])], verdicts)
        return [verdicts[index] for index in candidates]

    async def _judge(self, io: IO, request: Request, items: Sequence[Item], role: Role) -> list[Verdict | None]:
        """Return a model's verdicts; `None` where the call could not free more tokens than it costs."""
        skipped: list[JudgeCall] = []

        def worth(call: JudgeCall) -> bool:
            cost = self._count(call.prompt) + _REPLY_TOKENS_PER_ITEM * len(call.items)
            frees = sum(self._count(item.text) for item in call.items)
            if frees <= cost:
                skipped.append(call)
            return frees > cost

        found = await judge(io, request, items, role=role, reading=io.config.judge_reading, worth=worth)
        if skipped:
            count = sum(len(call.items) for call in skipped)
            io.note(
                STEP, f"{role} did not judge {count} undecided items: {len(skipped)} calls would cost more tokens than they could free."
            )
        return found


def _replace(verdicts: dict[int, Verdict], items: Sequence[Item], found: Sequence[Verdict | None], local: dict[int, Verdict]) -> None:
    """Put a model's verdicts in place; a failed second opinion leaves the first one standing."""
    for item, verdict in zip(items, found, strict=True):
        for index in item.blocks if verdict else ():
            if verdict and (verdict.decided_by == "model" or verdicts[index].decided_by != "model"):
                verdicts[index] = _with_tie_break(verdict, local[index])


def _undecided(config: ContextConfig, items: Sequence[Item], local: dict[int, Verdict]) -> list[Item]:
    """Return the items whose best local value is neither clearly above nor clearly below the thresholds."""
    low, high = config.compress_score - BELOW_COMPRESS, config.keep_score + 1
    return [item for item in items if low <= max(local[index].value for index in item.blocks) < high]


def _still_open(config: ContextConfig, verdict: Verdict) -> bool:
    """Say whether a judged item is worth a second opinion: between the thresholds, or not decided at all."""
    return verdict.decided_by == "failure" or (
        verdict.decided_by == "model" and config.compress_score - 1 <= verdict.score < config.keep_score
    )


def _by_doubt(config: ContextConfig, items: Sequence[Item], verdicts: dict[int, Verdict]) -> list[Item]:
    """Order items by how near they are to the middle between the thresholds; the newer one first among equals."""
    middle = (config.keep_score + config.compress_score) / 2
    return sorted(items, key=lambda item: (min(abs(verdicts[index].value - middle) for index in item.blocks), -item.blocks[0]))


def _with_tie_break(verdict: Verdict, local: Verdict) -> Verdict:
    """Order equal integer scores by the local value, without leaving the score's half-open interval."""
    if verdict.value != verdict.score:
        return verdict
    value = verdict.score + _TIE_BREAK * (local.value / 10 - _TIE_BREAK)
    return verdict._replace(value=min(max(value, 0.0), 10.0))

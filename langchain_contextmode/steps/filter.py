"""Filter: one verdict per block of the history, from the last turn's cache where the request is nearly the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode._calls import PASS_THROUGH
from langchain_contextmode.content import content_hash
from langchain_contextmode.preparation import Filtered, Intake, Setup
from langchain_contextmode.relevance.similarity import similarity
from langchain_contextmode.schema import STATE_VERSION, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import IO

_REQUEST_CHARS = 2_000
_STEP = "filter"


async def filter_history(io: IO, setup: Setup, taken: Intake, state: Mapping[str, Any]) -> Filtered:
    """Judge what is not protected; nothing at all while the gate is closed.

    Args:
        io: Models and embeddings for the scorer.
        setup: Collaborators.
        taken: The intake. Not modified.
        state: The `verdicts` concern of the last turn, or empty. Not modified.

    Returns:
        Verdicts. A scorer that fails keeps everything and is reported.
    """
    if not taken.gate.now:
        return Filtered(state=dict(state))
    blocks = taken.log.blocks
    candidates = sorted([*taken.older, *taken.recent]) if taken.gate.pressed else taken.older
    log = blocks[: taken.request_index] if taken.request_index is not None else blocks
    old = await _reusable(io, taken, state)
    known = {index: verdict for index in candidates if old and (verdict := _cached(blocks[index], old)) is not None}
    missing = [index for index in candidates if index not in known]
    verdicts = known | dict(zip(missing, await _score(io, setup, taken, log, missing), strict=True))
    _join_groups(blocks, verdicts)
    return Filtered(verdicts, _remember(taken, setup, verdicts))


async def _score(io: IO, setup: Setup, taken: Intake, log: Sequence[Block], missing: Sequence[int]) -> list[Verdict]:
    if not missing:
        return []
    try:
        verdicts = await setup.scorer.score(io, taken.request, log, missing)
        if len(verdicts) == len(missing):
            return list(verdicts)
        io.degraded(_STEP, f"the scorer returned {len(verdicts)} verdicts for {len(missing)} blocks; all are kept")
    except PASS_THROUGH:
        raise
    except Exception as error:  # noqa: BLE001  (a scorer is foreign code; whatever it raises, the answer goes on)
        io.degraded(_STEP, f"the scorer failed ({type(error).__name__}); everything is kept")
    return [Verdict(10, 10.0, "Kept: the scorer failed.", "failure", "keep")] * len(missing)


async def _reusable(io: IO, taken: Intake, state: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return last turn's verdicts by message id if they were made for nearly the same request."""
    items = state.get("items")
    if not items or not isinstance(state.get("request"), str):
        return None
    request = taken.request.text[:_REQUEST_CHARS]
    alike = request == state["request"] or await similarity(io, request, state["request"]) > io.config.reuse_similarity
    return items if alike else None


def _cached(block: Block, items: Mapping[str, Any]) -> Verdict | None:
    found = items.get(block.id)
    if not found or found[0] != content_hash(block.messages[0]):
        return None
    _, score, value, reason, action = found
    return Verdict(score, value, reason, "cache", action)


def _join_groups(blocks: Sequence[Block], verdicts: dict[int, Verdict]) -> None:
    """Let every member of a group have the best member's verdict: dropped only if every member scored low."""
    best: dict[int, int] = {}
    for index, verdict in verdicts.items():
        group = blocks[index].group
        if group not in best or verdict.value > verdicts[best[group]].value:
            best[group] = index
    for index, verdict in verdicts.items():
        leader = best[blocks[index].group]
        if leader != index and verdicts[leader].score > verdict.score:
            reason = f"Same topic and minutes as a message that scored {verdicts[leader].score}: {verdicts[leader].reason}"
            verdicts[index] = verdicts[leader]._replace(reason=reason, decided_by="group")


def _remember(taken: Intake, setup: Setup, verdicts: Mapping[int, Verdict]) -> dict[str, Any]:
    """Keep the verdicts a model made, then the newest of the others, up to `verdicts_max`."""
    costly = frozenset({"model", "cache"})
    order = sorted((index for index in verdicts if verdicts[index].decided_by in costly), reverse=True)
    order += sorted((index for index in verdicts if verdicts[index].decided_by not in costly), reverse=True)
    items = {}
    for index in order[: setup.config.verdicts_max]:
        verdict, block = verdicts[index], taken.log.blocks[index]
        if verdict.decided_by != "failure":
            items[block.id] = [content_hash(block.messages[0]), verdict.score, round(verdict.value, 4), verdict.reason, verdict.action]
    return {"version": STATE_VERSION, "request": taken.request.text[:_REQUEST_CHARS], "items": items}

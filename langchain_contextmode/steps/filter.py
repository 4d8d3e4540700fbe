"""Filter: one verdict per block of the history, from the last turn's cache where the request is nearly the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from langchain_contextmode._calls import PASS_THROUGH
from langchain_contextmode.preparation import Filtered, Intake, Setup
from langchain_contextmode.relevance.similarity import Asked, nearly_same
from langchain_contextmode.schema import MAX_SCORE, DecidedBy, Verdict, on_scale
from langchain_contextmode.verdict_cache import VerdictCache

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import IO

_STEP = "filter"
_MAKERS = frozenset(get_args(DecidedBy))
_KEPT = Verdict(MAX_SCORE, float(MAX_SCORE), "Kept: the scorer failed.", "failure", "keep")


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
    old = VerdictCache.of(state)
    if not taken.gate.now:
        return Filtered(state=old.kept(taken.log.order))
    blocks = taken.log.blocks
    candidates = sorted([*taken.older, *taken.recent]) if taken.gate.pressed else taken.older
    log = blocks[: taken.request_index] if taken.request_index is not None else blocks
    alike = await nearly_same(io, taken.request, old.asked)
    turn = blocks[taken.request_index].id if taken.request_index is not None else ""
    known = {index: verdict for index in candidates if alike and (verdict := old.verdict(blocks[index], turn)) is not None}
    missing = [index for index in candidates if index not in known]
    verdicts = known | dict(zip(missing, await _score(io, setup, taken, log, missing), strict=True))
    own = dict(verdicts)  # a member keeps its own verdict in state: its leader may be gone next time
    _join_groups(blocks, verdicts)
    new = VerdictCache(old.asked if alike else Asked.of(taken.request), {}, turn)
    new.add(blocks, own, old, setup.config.verdicts_max)
    return Filtered(verdicts, new.state())


async def _score(io: IO, setup: Setup, taken: Intake, log: Sequence[Block], missing: Sequence[int]) -> list[Verdict]:
    if not missing:
        return []
    try:
        verdicts = await setup.scorer.score(io, taken.request, log, missing)
        if len(verdicts) == len(missing):
            sane = [_normal(verdict) if on_scale(verdict) else _KEPT for verdict in verdicts]
            if off := sum(verdict is _KEPT for verdict in sane):
                io.degraded(_STEP, f"the scorer gave {off} verdicts off the scale 0..{MAX_SCORE}; those blocks are kept")
            return sane
        io.degraded(_STEP, f"the scorer returned {len(verdicts)} verdicts for {len(missing)} blocks; all are kept")
    except PASS_THROUGH:
        raise
    except Exception as error:  # noqa: BLE001  (a scorer is foreign code; whatever it raises, the answer goes on)
        io.degraded(_STEP, f"the scorer failed ({type(error).__name__}); everything is kept")
    return [_KEPT] * len(missing)


def _normal(verdict: Verdict) -> Verdict:
    """Return a scorer's verdict in plain types, with a reason and a maker that exist."""
    if type(verdict) is Verdict and type(verdict.score) is int and verdict.reason and verdict.decided_by in _MAKERS:
        return verdict
    by = verdict.decided_by if verdict.decided_by in _MAKERS else "local"
    return Verdict(int(verdict.score), float(verdict.value), str(verdict.reason or "Scored without a reason."), by, verdict.action)


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

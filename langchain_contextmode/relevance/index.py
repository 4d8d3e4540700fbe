"""The log as numbers: terms, lengths, speakers and runs of its blocks, each message's share computed once per content."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import BoundedCache, content_key, message_time
from langchain_contextmode.relevance.terms import Terms, message_terms

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from datetime import datetime

    from langchain_contextmode.blocks import Block

RUN_PAUSE_MINUTES = 60
"""A pause this long starts a new run: people come back to a conversation with something new."""

_JOINED: BoundedCache[Terms] = BoundedCache(4_096)


class LogIndex(NamedTuple):
    """One entry a block, in log order.

    Attributes:
        terms: Terms of the block.
        lengths: Number of terms.
        speakers: Names of the speakers; empty where a message has none.
        runs: Number of the run, from 0, never falling; all 0 where messages have no time.
    """

    terms: list[dict[str, int]]
    lengths: list[int]
    speakers: list[str]
    runs: list[int]


def index_log(log: Sequence[Block]) -> LogIndex:
    """Read a log. Blocks are not modified; what one message contributes comes from process-wide caches."""
    terms = [message_terms(block.messages[0]) if len(block.messages) == 1 else _joined_terms(block) for block in log]
    return LogIndex([t.counts for t in terms], [t.length for t in terms], [block.messages[0].name or "" for block in log], _runs(log))


def _joined_terms(block: Block) -> Terms:
    key: Hashable = tuple(content_key(message) for message in block.messages)

    def join() -> Terms:
        counts: dict[str, int] = {}
        for message in block.messages:
            for term, count in message_terms(message).counts.items():
                counts[term] = counts.get(term, 0) + count
        return Terms(counts, sum(counts.values()))

    return _JOINED.get(key, join)


def _runs(log: Sequence[Block]) -> list[int]:
    """Number the runs: a block opens one if its first message comes more than `RUN_PAUSE_MINUTES` after the last known time."""
    runs: list[int] = []
    run, last = 0, None
    raw: object = None
    for block in log:
        extra = block.messages[0].additional_kwargs
        stamp = extra["contextmode"].get("time") if extra and isinstance(extra.get("contextmode"), dict) else None
        if stamp is not None and stamp != raw:
            raw = stamp
            time: datetime | None = message_time(block.messages[0])
            if time is not None:
                run += last is not None and (time - last).total_seconds() > RUN_PAUSE_MINUTES * 60
                last = time
        runs.append(run)
    return runs

"""The log as numbers: terms, lengths, speakers and runs of its blocks, each message's share computed once per content."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import BoundedCache, content_key, message_time, namespace, references
from langchain_contextmode.relevance.terms import Terms, message_terms

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from datetime import datetime

    from langchain_contextmode.blocks import Block

RUN_PAUSE_MINUTES = 60
"""A pause this long starts a new run: people come back to a conversation with something new."""

_JOINED: BoundedCache[Terms] = BoundedCache(4_096)


class LogIndex(NamedTuple):
    """One entry a block, in log order, except `references`.

    Attributes:
        terms: Term to count.
        lengths: Number of terms.
        speakers: Names of the speakers; empty where a message has none.
        times: When it was said, aware UTC; `None` where the message has no time.
        runs: Number of the run, from 0, never falling; all 0 where messages have no time.
        references: Pairs of blocks: the first answers or quotes the second.
    """

    terms: list[dict[str, int]]
    lengths: list[int]
    speakers: list[str]
    times: list[datetime | None]
    runs: list[int]
    references: list[tuple[int, int]]


def index_log(log: Sequence[Block]) -> LogIndex:
    """Read a log. Blocks are not modified; what one message contributes comes from process-wide caches."""
    terms = [message_terms(block.messages[0]) if len(block.messages) == 1 else _joined_terms(block) for block in log]
    times = _times(log)
    return LogIndex(
        [t.counts for t in terms],
        [t.length for t in terms],
        [block.messages[0].name or "" for block in log],
        times,
        _runs(times),
        _references(log),
    )


def _joined_terms(block: Block) -> Terms:
    key: Hashable = tuple(content_key(message) for message in block.messages)

    def join() -> Terms:
        counts: dict[str, int] = {}
        for message in block.messages:
            for term, count in message_terms(message).counts.items():
                counts[term] = counts.get(term, 0) + count
        return Terms(counts, sum(counts.values()))

    return _JOINED.get(key, join)


def _times(log: Sequence[Block]) -> list[datetime | None]:
    """Read the times; equal stamps that follow each other are parsed once."""
    times: list[datetime | None] = []
    raw: object = None
    time: datetime | None = None
    for block in log:
        message = block.messages[0]
        stamp = namespace(message).get("time") if message.additional_kwargs else None
        if stamp != raw:
            raw, time = stamp, message_time(message)
        times.append(time)
    return times


def _runs(times: Sequence[datetime | None]) -> list[int]:
    """Number the runs: one begins where a time is more than `RUN_PAUSE_MINUTES` after the last known one."""
    runs: list[int] = []
    run = 0
    last: datetime | None = None
    for time in times:
        if time is not None and time is not last:
            run += last is not None and (time - last).total_seconds() > RUN_PAUSE_MINUTES * 60
            last = time
        runs.append(run)
    return runs


def _references(log: Sequence[Block]) -> list[tuple[int, int]]:
    pairs = [(block.index, target) for block in log for m in block.messages if m.additional_kwargs for target in references(m)]
    if not pairs:
        return []
    position = {identity: i for i, block in enumerate(log) for identity in block.ids}
    index = {block.index: i for i, block in enumerate(log)}
    return [(index[source], position[target]) for source, target in pairs if target in position and position[target] != index[source]]

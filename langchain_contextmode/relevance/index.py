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
        ids: Identifiers.
        speakers: Names of the speakers; empty where a message has none.
        times: When it was said, aware UTC; `None` where the message has no time.
        runs: Number of the run, from 0, never falling; all 0 where messages have no time.
        references: Pairs of blocks: the first answers or quotes the second.
    """

    terms: list[dict[str, int]]
    lengths: list[int]
    ids: list[tuple[str, ...]]
    speakers: list[str]
    times: list[datetime | None]
    runs: list[int]
    references: list[tuple[int, int]]


def index_log(log: Sequence[Block]) -> LogIndex:
    """Read a log. Blocks are not modified; what one message contributes comes from process-wide caches."""
    terms = [block_terms(block) for block in log]
    times, quoting = _times(log)
    return LogIndex(
        [t.counts for t in terms],
        [t.length for t in terms],
        [t.ids for t in terms],
        [block.messages[0].name or "" for block in log],
        times,
        _runs(times),
        _references(log, quoting),
    )


def block_terms(block: Block) -> Terms:
    """Return the terms of a block, all its messages together; read once as long as the block lives."""
    terms: Terms | None = block.memo.get(Terms)
    if terms is not None:
        return terms
    terms = message_terms(block.messages[0]) if len(block.messages) == 1 else _joined_terms(block)
    block.memo[Terms] = terms
    return terms


def _joined_terms(block: Block) -> Terms:
    key: Hashable = tuple(content_key(message) for message in block.messages)

    def join() -> Terms:
        counts: dict[str, int] = {}
        for message in block.messages:
            for term, count in message_terms(message).counts.items():
                counts[term] = counts.get(term, 0) + count
        ids = dict.fromkeys(term for message in block.messages for term in message_terms(message).ids)
        return Terms(counts, sum(counts.values()), tuple(ids))

    return _JOINED.get(key, join)


def _times(log: Sequence[Block]) -> tuple[list[datetime | None], list[int]]:
    """Read each block's time, and list the blocks that refer to others; equal stamps that follow each other are parsed once."""
    times: list[datetime | None] = []
    quoting: list[int] = []
    raw: object = None
    time: datetime | None = None
    for i, block in enumerate(log):
        message = block.messages[0]
        extra = namespace(message) if message.additional_kwargs else {}
        stamp = extra.get("time")
        if stamp != raw:
            raw, time = stamp, message_time(message)
        times.append(time)
        if "ref_message_ids" in extra or len(block.messages) > 1:
            quoting.append(i)
    return times, quoting


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


def _references(log: Sequence[Block], quoting: Sequence[int]) -> list[tuple[int, int]]:
    pairs = [(i, target) for i in quoting for message in log[i].messages for target in references(message)]
    if not pairs:
        return []
    position = {identity: i for i, block in enumerate(log) for identity in block.ids}
    return [(i, position[target]) for i, target in pairs if position.get(target, i) != i]

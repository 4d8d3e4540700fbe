"""Search in a log: which blocks answer a question. The log stands as it is; lines of pruned messages are searched with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.messages import BaseMessage, HumanMessage

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.archive import line_of
from langchain_contextmode.blocks import Block
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.content import of_session, readable, text_of
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.parsing import parse
from langchain_contextmode.protocols import Request
from langchain_contextmode.relevance.evidence import gather
from langchain_contextmode.relevance.semantic import SemanticScorer
from langchain_contextmode.relevance.signals import Weights, dated, spoken_by, term_worth
from langchain_contextmode.relevance.vectors import vectors_of
from langchain_contextmode.schema import MAX_SCORE, ArchiveEntry
from langchain_contextmode.segments import VALUE
from langchain_contextmode.summary.state import Summary
from langchain_contextmode.topics import CONCERN, Entry, entries_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.embeddings import Embeddings

    from langchain_contextmode.relevance.evidence import Evidence

SEARCH_WEIGHTS = Weights(length=0.5, after=0.4, before=0.3, source=0.0, recency=0.0)
"""As for filtering, without what speaks for a block whatever is asked, with a little less for neighbours and against long blocks."""

_WHOLE = 0.4
_VALUE = 0.4
_CLOSE = 1.0
_VALUE_CHARS = 20_000
_LEAST = 0.01


def search_history(
    messages: Sequence[Any],
    query: str,
    *,
    limit: int = 3,
    embeddings: Embeddings | None = None,
    state: Mapping[str, Any] | None = None,
) -> list[ArchiveEntry]:
    """Find the blocks of a log that answer a question.

    System messages and messages of ours (views, archives, memories) are not searched, nor is the newest human message
    where it is the question itself.

    Args:
        messages: The log, oldest first; anything that `prepare_context` takes. Not modified.
        query: What is asked, in words. Blank: nothing is found.
        limit: Entries at most; 0: none.
        embeddings: `None`: words, names and dates alone decide. An embedder that fails is done without.
        state: `view.state`; where the prune node took messages out of the log, their lines are searched, too.

    Returns:
        Best first, equals newest first. The score is the share of the question that a block and its neighbours hold,
        0..10, never 0; where blocks hold more than all of it, the best one has 10.

    Raises:
        ConfigError: `messages`, `query` or `limit` is of a wrong kind, or `limit` is negative.
        StateSchemaError: The archive in `state` is of an unknown version.
    """
    search = _checked(messages, query, limit, embeddings, state)
    return finish(_search(BlockingIO(ContextConfig(), embeddings=embeddings), search))


async def asearch_history(
    messages: Sequence[Any],
    query: str,
    *,
    limit: int = 3,
    embeddings: Embeddings | None = None,
    state: Mapping[str, Any] | None = None,
) -> list[ArchiveEntry]:
    """Do what `search_history` does, awaiting embeddings; finds the same."""
    search = _checked(messages, query, limit, embeddings, state)
    return await _search(AsyncIO(ContextConfig(), embeddings=embeddings), search)


class _Search(NamedTuple):
    messages: list[Any]
    query: str
    limit: int
    embeddings: Embeddings | None
    state: Mapping[str, Any]


def _checked(messages: Any, query: Any, limit: Any, embeddings: Embeddings | None, state: Any) -> _Search:
    if not isinstance(query, str):
        message = f"query must be a text, got {type(query).__name__}."
        raise ConfigError(message)
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        message = f"limit must be a whole number, 0 or more, got {limit!r}."
        raise ConfigError(message)
    if isinstance(messages, str | bytes | dict | BaseMessage):
        message = f"messages must be a list of messages, got one {type(messages).__name__}. Pass [HumanMessage(...)]."
        raise ConfigError(message)
    return _Search(list(messages), query, limit, embeddings, state or {})


async def _search(io: AsyncIO | BlockingIO, search: _Search) -> list[ArchiveEntry]:
    query = search.query
    found = _searched(search.messages, query, search.state)
    if not search.limit or not query.strip() or not found:
        return []
    blocks = [block for block, _ in found]
    evidence = gather(Request(query), blocks, SEARCH_WEIGHTS)
    if search.embeddings is not None:
        evidence = await _ByMeaning(SEARCH_WEIGHTS, vectors_of(search.embeddings)).add(io, query, evidence)
    total = _total(evidence, query)
    top = max(1.0, *total)
    scores = [round(MAX_SCORE * value / top, 2) for value in total]
    hits = [i for i in _hits(evidence) if scores[i] >= _LEAST]
    hits.sort(key=lambda i: (-total[i], -i))
    return [ArchiveEntry(found[i][1] or line_of(blocks[i]), blocks[i].ids, scores[i]) for i in hits[: search.limit]]


class _ByMeaning(SemanticScorer):
    """The semantic scorer asked for its evidence instead of for verdicts, which are relative to the log."""

    async def add(self, io: AsyncIO | BlockingIO, query: str, evidence: Evidence) -> Evidence:
        return replace(evidence, meaning=await self._meaning(io, Request(query), evidence))


def _searched(messages: Sequence[Any], query: str, state: Mapping[str, Any]) -> list[tuple[Block, str]]:
    """Return what is searched, oldest first: lines and copied details of pruned messages with their text, then blocks with none."""
    log = parse(messages)
    present = frozenset(log.order)
    summary = Summary.of(state.get("summary", {}))
    copied = [line for lines in (*summary.sections.values(), summary.details) for line in lines if line.origin != "model"]
    told = [*entries_of(state.get(CONCERN)), *(Entry(line.text, line.message_ids, restorable=True) for line in copied if line.message_ids)]
    entries = [entry for entry in told if not present.issuperset(entry.message_ids)]
    lines: list[tuple[Block, str]] = [
        (Block((HumanMessage(entry.text, id=entry.message_ids[0]),), "human", index, told_ids=entry.message_ids[1:]), entry.text)
        for index, entry in enumerate(entries)
    ]
    asked = log.newest_human()
    if asked is not None and text_of(log.blocks[asked].messages[0]).strip() != query.strip():
        asked = None
    return lines + [(block, "") for block in log.blocks if block.kind != "system" and block.index != asked and _of_session(block)]


def _of_session(block: Block) -> bool:
    return all(of_session(message) for message in block.messages)


def _total(evidence: Evidence, query: str) -> list[float]:
    """Return how much of the question each block holds, neighbours counted.

    A block that holds all words of the question itself, be it long, gains by that: it comes before those that live off their
    neighbours. Among blocks with words of the question, one that holds an exact value which the question lacks comes first: most
    questions about the past ask for one.
    """
    held = _held(evidence)
    total = evidence.total() + _WHOLE * held**3
    precise = _with_values(evidence, query)
    total[precise] += _VALUE * held[precise]
    values: list[float] = total.tolist()
    return values


def _held(evidence: Evidence) -> Any:
    """Return the share of the question's own words, weighed by rarity, that each block holds at all."""
    import numpy as np  # noqa: PLC0415  (comes with chromadb; importing the package must not load it)

    query = evidence.query
    worth = {t: w for t, w in term_worth(len(evidence.log), query, evidence.hits.values()).items() if t not in query.related}
    whole = sum(worth.values()) or 1.0
    held = np.zeros(len(evidence.log))
    for i, terms in evidence.hits.items():
        held[i] = sum(worth.get(term, 0.0) for term in sorted(terms)) / whole
    return held


def _with_values(evidence: Evidence, query: str) -> list[int]:
    """Return the blocks with words of the question that hold an exact value which the question lacks."""
    named = {match.group().casefold() for match in VALUE.finditer(query)}
    texts = {i: "\n".join(readable(m)[:_VALUE_CHARS] for m in evidence.log[i].messages) for i in evidence.hits}
    return [i for i, text in texts.items() if any(match.group().casefold() not in named for match in VALUE.finditer(text))]


def _hits(evidence: Evidence) -> list[int]:
    """Return the blocks that something speaks for: words of the question, here or right beside; its date; its meaning."""
    size = len(evidence.log)
    near = {j for i in evidence.hits for j in (i - 1, i, i + 1)}
    clear = dated(evidence.index, evidence.query)
    if not evidence.query.weights:
        clear = clear + spoken_by(evidence.index, evidence.query)
    if evidence.meaning is not None:
        clear = clear + (evidence.meaning > _CLOSE)
    return [i for i in range(size) if i in near or clear[i] > 0]

"""What the local signals found in one log for one request, and the verdicts that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_contextmode.relevance.entities import first_held
from langchain_contextmode.relevance.index import LogIndex, index_log
from langchain_contextmode.relevance.query import Query, read_request
from langchain_contextmode.relevance.scale import COMPRESS_VALUE, to_values
from langchain_contextmode.relevance.signals import Weights, coverage, dated, smooth, sources, spoken_by, term_hits
from langchain_contextmode.schema import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import Request

NOTHING = "nothing in common with the request"
_WORDS_SHOWN = 4


@dataclass(frozen=True)
class Evidence:
    """One log compared with one request.

    Attributes:
        log: The blocks.
        index: The log as numbers.
        query: The request as terms.
        hits: Block to the terms of the request that it holds.
        share: Coverage of the request by each block itself.
        weights: What each signal counts.
        meaning: Similarity of each block to the request by embeddings, in standard deviations; `None` without embeddings.
    """

    log: Sequence[Block]
    index: LogIndex
    query: Query
    hits: dict[int, frozenset[str]]
    share: Any
    weights: Weights
    meaning: Any = None

    def total(self) -> Any:
        """Add up all signals, one float a block."""
        import numpy as np  # noqa: PLC0415

        weights, size = self.weights, len(self.log)
        own = self.share if self.meaning is None else self.share + weights.meaning * self.meaning
        total = smooth(own, self.index, weights)
        total += weights.speaker * spoken_by(self.index, self.query)
        total += weights.date * dated(self.index, self.query)
        total += weights.source * sources(self.index)
        total += weights.recency * np.arange(1, size + 1) / max(size, 1)
        return total

    def verdicts(self, candidates: Sequence[int]) -> list[Verdict]:
        """Turn the sums into verdicts with reasons, one a candidate, in order."""
        values = to_values(self.total()).tolist()
        held = self._entities_held(candidates)
        near = self._near(values)
        said: dict[frozenset[str], str] = {}
        verdicts = []
        for i in candidates:
            value, hits = values[i], self.hits.get(i)
            reason = (said.get(hits) or said.setdefault(hits, self._words(hits))) if hits else ""
            if near[i]:
                reason = f"{reason}, {near[i]}" if reason else near[i]
            entity = held.get(i)
            if entity:
                reason = f'names "{entity}", {reason}'
                if value < COMPRESS_VALUE:
                    verdicts.append(Verdict(int(COMPRESS_VALUE), COMPRESS_VALUE, reason, "entity"))
                    continue
            verdicts.append(Verdict(int(value), value, reason or NOTHING))
        return verdicts

    def _entities_held(self, candidates: Sequence[int]) -> dict[int, str]:
        """Map each candidate that holds an exact entity of the request to the first such entity."""
        named = [span.text for span in self.query.entities]
        found = ((i, first_held(self.log[i], named)) for i in (candidates if named else ()) if i in self.hits)
        return {i: entity for i, entity in found if entity}

    def _near(self, values: Sequence[float]) -> list[str]:
        """Say for each block what speaks for it besides its words."""
        hits, named, speakers = self.hits, self.query.named, self.index.speakers
        close = (self.meaning > 1).tolist() if self.meaning is not None else None
        said_by = {name: f"said by {name}" for name in named}
        reasons = []
        for i in range(len(values)):
            parts = ["next to a matching message"] if i not in hits and (i - 1 in hits or i + 1 in hits) else []
            if close is not None and close[i]:
                parts.append("close in meaning")
            if speakers[i] in said_by:
                parts.append(said_by[speakers[i]])
            reasons.append(", ".join(parts) if parts else "")
        return reasons

    def _words(self, hits: frozenset[str]) -> str:
        """Name the words of the request that a block holds, or those that its words are related to; the weightiest first."""
        query = self.query
        order = sorted(hits, key=lambda term: (-query.weights[term], term))
        own = dict.fromkeys(query.surface.get(t, t) for t in order if t not in query.related)
        kin = dict.fromkeys(query.surface.get(query.related[t], t) for t in order if t in query.related)
        verb = "says" if own else "related to"
        return f"{verb} " + ", ".join(f'"{word}"' for word in list(own or kin)[:_WORDS_SHOWN])


def gather(request: Request, log: Sequence[Block], weights: Weights) -> Evidence:
    """Compare a request with a log by words, names and dates."""
    index = index_log(log)
    query = read_request(request, sorted({name for name in index.speakers if name}), weights)
    hits = term_hits(index, query)
    return Evidence(log, index, query, hits, coverage(index, query, hits, weights), weights)

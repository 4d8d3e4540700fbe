"""The scorer that needs nothing: words, neighbours, names. No model, no network, the same result every time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langchain_contextmode.content import readable
from langchain_contextmode.relevance.index import LogIndex, index_log
from langchain_contextmode.relevance.query import Query, read_request
from langchain_contextmode.relevance.scale import ENTITY_VALUE, to_values
from langchain_contextmode.relevance.signals import Weights, coverage, dated, run_coverage, smooth, spoken_by, term_hits
from langchain_contextmode.relevance.terms import text_terms
from langchain_contextmode.schema import Verdict
from langchain_contextmode.spans import holds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import IO, Request


@dataclass(frozen=True)
class LexicalScorer:
    """BM25 over light terms with neighbours, runs, speakers, references and exact entities.

    Attributes:
        weights: What each signal counts.
    """

    weights: Weights = field(default_factory=Weights)

    async def score(self, io: IO, request: Request, log: Sequence[Block], candidates: Sequence[int]) -> list[Verdict]:
        """Judge blocks against the request; see `Scorer.score`. `io` is not used and nothing is awaited."""
        del io
        evidence = gather(request, log, self.weights)
        return evidence.verdicts(log, candidates)


@dataclass(frozen=True)
class Evidence:
    """What local signals found in one log for one request.

    Attributes:
        index: The log as numbers.
        query: The request as terms.
        hits: Block to the terms of the request that it holds.
        share: Coverage of the request by each block itself.
        weights: What each signal counts.
    """

    index: LogIndex
    query: Query
    hits: dict[int, set[str]]
    share: Any
    weights: Weights

    def total(self, meaning: Any = 0.0) -> Any:
        """Add up all signals.

        Args:
            meaning: Similarity of each block to the request by embeddings, in standard deviations.
        """
        import numpy as np  # noqa: PLC0415

        weights, size = self.weights, len(self.share)
        own = self.share + weights.meaning * meaning
        total = smooth(own, self.index, weights)
        total += weights.run * run_coverage(self.index, self.query, self.hits)
        total += weights.speaker * spoken_by(self.index, self.query)
        total += weights.date * dated(self.index, self.query)
        total += weights.recency * np.arange(1, size + 1) / max(size, 1)
        return total

    def verdicts(self, log: Sequence[Block], candidates: Sequence[int], meaning: Any = None) -> list[Verdict]:
        """Turn the sum of the signals into verdicts, with reasons."""
        values = to_values(self.total(0.0 if meaning is None else meaning)).tolist()
        named = self._holding_entities(log, candidates)
        verdicts = []
        for i in candidates:
            value, entity = values[i], named.get(i)
            reason = self._reason(i, entity, meaning)
            if entity and value < ENTITY_VALUE:
                verdicts.append(Verdict(int(ENTITY_VALUE), ENTITY_VALUE, reason, "entity"))
            else:
                verdicts.append(Verdict(int(value), value, reason))
        return verdicts

    def _holding_entities(self, log: Sequence[Block], candidates: Sequence[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        spans = [(span.text, set(text_terms(span.text).counts)) for span in self.query.entities]
        if not spans:
            return found
        for i in candidates:
            hits = self.hits.get(i)
            for text, terms in spans:
                if hits and terms <= hits and any(holds(readable(message), text) for message in log[i].messages):
                    found.setdefault(i, text)
        return found

    def _reason(self, i: int, entity: str | None, meaning: Any) -> str:
        parts = []
        if entity:
            parts.append(f'names "{entity}"')
        hits = self.hits.get(i)
        if hits:
            words = [self.query.surface.get(t, t) for t in self.query.weights if t in hits and (not entity or t not in entity.lower())]
            if words:
                parts.append("about " + ", ".join(words[:4]))
        elif any(j in self.hits for j in (i - 1, i + 1)):
            parts.append("next to a matching message")
        if meaning is not None and meaning[i] > 1:
            parts.append("close in meaning")
        if self.query.named and self.index.speakers[i] in self.query.named:
            parts.append(f"said by {self.index.speakers[i]}")
        return "; ".join(parts) or "nothing in common with the request"


def gather(request: Request, log: Sequence[Block], weights: Weights) -> Evidence:
    """Compare a request with a log by words."""
    index = index_log(log)
    query = read_request(request, sorted({name for name in index.speakers if name}), related=weights.related)
    hits = term_hits(index, query)
    return Evidence(index, query, hits, coverage(index, query, hits, weights), weights)

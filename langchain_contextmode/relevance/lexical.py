"""The scorer that needs nothing: words, neighbours, names, dates. No model, no network, the same result every time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from langchain_contextmode.relevance.evidence import gather
from langchain_contextmode.relevance.signals import Weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import IO, Request
    from langchain_contextmode.schema import Verdict


@dataclass(frozen=True)
class LexicalScorer:
    """BM25 over light terms, with neighbours, runs, speakers, dates, references and exact entities.

    Attributes:
        weights: What each signal counts.
    """

    weights: Weights = field(default_factory=Weights)

    async def score(self, io: IO, request: Request, log: Sequence[Block], candidates: Sequence[int]) -> list[Verdict]:
        """Judge blocks against the request; see `Scorer.score`. `io` is not used and nothing is awaited."""
        del io
        return gather(request, log, self.weights).verdicts(candidates)

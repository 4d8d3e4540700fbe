"""The lexical scorer with meaning added: similarity by any LangChain embeddings, in standard deviations.

Normalised scores are summed, ranks are not fused: a rank forgets how far apart two messages are, and on conversations
rank fusion of BM25 and embeddings is worse than BM25 alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from langchain_contextmode._ports import CallFailedError
from langchain_contextmode.content import BoundedCache, content_key, readable
from langchain_contextmode.relevance.evidence import gather
from langchain_contextmode.relevance.signals import Weights

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.protocols import IO, Request
    from langchain_contextmode.relevance.evidence import Evidence
    from langchain_contextmode.relevance.vectors import Vectors
    from langchain_contextmode.schema import Verdict

NEW_TEXTS_MAX = 2_048
"""Texts embedded in one turn; a longer log is embedded over several turns, the most promising blocks first."""

_STEP = "filter"
_BATCH = 256
_MAX_CHARS = 2_000


@dataclass(frozen=True)
class SemanticScorer:
    """All local signals, and how close each block is to the request in meaning.

    Attributes:
        weights: What each signal counts.
        vectors: What was embedded before, by the embedder that `io` has; see `vectors_of`. Added to.
    """

    weights: Weights = field(default_factory=Weights)
    vectors: Vectors = field(default_factory=BoundedCache, repr=False, compare=False)

    async def score(self, io: IO, request: Request, log: Sequence[Block], candidates: Sequence[int]) -> list[Verdict]:
        """Judge blocks against the request; see `Scorer.score`.

        Where embedding fails, what was embedded so far counts; the request itself not embedded, words decide alone. Both
        are reported as soft failures.
        """
        evidence = gather(request, log, self.weights)
        if log and request.text.strip():
            evidence = replace(evidence, meaning=await self._meaning(io, request, evidence))
        return evidence.verdicts(candidates)

    async def _meaning(self, io: IO, request: Request, evidence: Evidence) -> Any:
        """Return each block's similarity to the request in standard deviations, 0 where unknown; `None` if all are."""
        import numpy as np  # noqa: PLC0415

        log = evidence.log
        asked: Hashable = ("request", request.text)
        keys = [_key(block) for block in log]
        missing = [i for i, key in enumerate(keys) if self.vectors.peek(key) is None]
        if len(missing) > NEW_TEXTS_MAX:
            io.note(_STEP, f"{len(missing)} blocks have no vector yet; the {NEW_TEXTS_MAX} most promising get one in this turn.")
        if len(missing) > _BATCH:
            total = evidence.total()
            missing = sorted(missing, key=lambda i: (-total[i], i))[:NEW_TEXTS_MAX]
        wanted = [(keys[i], _text(log[i])) for i in missing]
        if self.vectors.peek(asked) is None:
            wanted.insert(0, (asked, request.text[:_MAX_CHARS]))
        await self._embed(io, wanted)
        found = [self.vectors.peek(key) for key in keys]
        known = [i for i, vector in enumerate(found) if vector is not None]
        query = self.vectors.peek(asked)
        if query is None or not known:
            return None
        similarity = np.array([found[i] for i in known]) @ query
        meaning = np.zeros(len(log))
        meaning[known] = (similarity - similarity.mean()) / (similarity.std() + 1e-9)
        return meaning

    async def _embed(self, io: IO, wanted: Sequence[tuple[Hashable, str]]) -> None:
        """Embed in batches, in order; what was done before a failure stays."""
        import numpy as np  # noqa: PLC0415

        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            try:
                rows = np.array(await io.embed([text for _, text in batch]), dtype=np.float32)
            except (CallFailedError, ValueError) as error:
                io.degraded(_STEP, f"embedding failed: {error}; {len(wanted) - start} texts are judged by their words alone")
                return
            rows /= np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-9)
            for (key, _), row in zip(batch, rows, strict=True):
                self.vectors.put(key, row)


def _key(block: Block) -> Hashable:
    return content_key(block.messages[0]) if len(block.messages) == 1 else tuple(content_key(message) for message in block.messages)


def _text(block: Block) -> str:
    """Return the beginning of what a block says: embedders read a few hundred tokens."""
    return "\n".join(readable(message)[:_MAX_CHARS] for message in block.messages)[:_MAX_CHARS]

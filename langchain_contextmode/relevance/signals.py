"""Local signals of relevance and their weights: arrays over the log, one float a block, 0 for no evidence.

The unit is the share of the request: a block that holds all of the request's terms once has coverage 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.relevance.index import LogIndex
    from langchain_contextmode.relevance.query import Query


@dataclass(frozen=True)
class Weights:
    """How much each signal counts, in shares of the request; 0 switches a signal off.

    Round numbers from the flat part of each curve on two LoCoMo conversations (26 and 30), `source` and `context` on tau-bench
    airline transcripts; `tests/benchmarks/locomo.py --ablate` says what each brings there and where it was not chosen.

    Attributes:
        saturation: BM25's k1: the higher, the more a repeated term counts. Robertson and Zaragoza, The Probabilistic
            Relevance Framework (2009), recommend 1.2..2.
        length: BM25's b, 0..1: how much a long block must hold more to count the same.
        after: What a block gives the next one (an answer follows its question).
        before: What it gives the one before.
        fade: Factor for each step further, up to `reach` steps, never across the border of a run.
        reach: Steps.
        speaker: Bonus for blocks of a participant whom the request names.
        date: Bonus for blocks from a day, or the week after, or a month that the request names.
        source: Bonus for the first block that holds an identifier which a later one uses: tasks run on such ids.
        reference: What a block gives one that it answers or quotes, and takes from it.
        context: What the message right before the request counts where the request has no words of its own, 0..1.
        related: What a word counts that belongs to the same family as one of the request's, beside 1 for that word itself.
        meaning: One standard deviation of embedding similarity (semantic scorer only).
        recency: The newest block's bonus, older ones in proportion; only parts equals.
    """

    saturation: float = 1.2
    length: float = 0.75
    after: float = 0.5
    before: float = 0.4
    fade: float = 0.6
    reach: int = 8
    speaker: float = 0.35
    date: float = 0.4
    source: float = 0.6
    reference: float = 0.5
    context: float = 1.0
    related: float = 0.15
    meaning: float = 0.08
    recency: float = 0.001


def term_hits(index: LogIndex, query: Query) -> dict[int, frozenset[str]]:
    """Map each block that holds terms of the request to those terms, in log order."""
    wanted = frozenset(query.weights)
    shared: dict[frozenset[str], frozenset[str]] = {}  # equal sets are one object: thousands of small ones burden the collector
    hits = {}
    for i, terms in enumerate(index.terms):
        if not wanted.isdisjoint(terms):  # much faster than `terms.keys() & wanted`, which copies the larger side
            found = wanted.intersection(terms)
            hits[i] = shared.setdefault(found, found)
    return hits


def coverage(index: LogIndex, query: Query, hits: dict[int, frozenset[str]], weights: Weights) -> Any:
    """BM25 over the blocks, as a share of what the request's terms are worth together.

    Terms that the log lacks are worth nothing: they cannot tell blocks apart. Related words add to a block's share, not to
    what the request is worth.
    """
    import numpy as np  # noqa: PLC0415

    share = np.zeros(len(index.terms))
    if not hits:
        return share
    worth = term_worth(len(index.terms), query, hits.values())
    total = sum(value for term, value in worth.items() if term not in query.related) or 1.0
    average = sum(index.lengths) / len(index.lengths) or 1.0
    base, slope = weights.saturation * (1 - weights.length), weights.saturation * weights.length / average
    ordered: dict[frozenset[str], list[tuple[str, float]]] = {}  # sums must not depend on the order of a set
    for i, found in hits.items():
        worths = ordered.get(found)
        if worths is None:
            worths = ordered[found] = [(term, worth[term] * (weights.saturation + 1) / total) for term in sorted(found)]
        terms, norm = index.terms[i], base + slope * index.lengths[i]
        gain = 0.0
        for term, value in worths:
            count = terms[term]
            gain += value * count / (count + norm)
        share[i] = gain
    return share


def term_worth(size: int, query: Query, found: Iterable[frozenset[str]]) -> dict[str, float]:
    """Weigh each term of the request by its rarity among `size` units: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    holders: dict[str, int] = {}
    for terms in found:
        for term in terms:
            holders[term] = holders.get(term, 0) + 1
    return {t: w * math.log(1 + (size - holders[t] + 0.5) / (holders[t] + 0.5)) for t, w in query.weights.items() if t in holders}


def smooth(share: Any, index: LogIndex, weights: Weights) -> Any:
    """Add to each block what its neighbours in the same run hold, and blocks that it answers or that answer it."""
    import numpy as np  # noqa: PLC0415

    runs = np.array(index.runs, dtype=int)
    smoothed = share.copy()
    after, before = weights.after, weights.before
    for step in range(1, min(weights.reach, len(share) - 1) + 1):
        same = runs[step:] == runs[:-step]
        smoothed[step:] += after * share[:-step] * same
        smoothed[:-step] += before * share[step:] * same
        after, before = after * weights.fade, before * weights.fade
    for source, target in index.references:
        smoothed[target] += weights.reference * share[source]
        smoothed[source] += weights.reference * share[target]
    return smoothed


def spoken_by(index: LogIndex, query: Query) -> Any:
    """1 for blocks of a participant whom the request names, else 0; 0 everywhere if it names nobody, or all."""
    import numpy as np  # noqa: PLC0415

    speakers = {name for name in index.speakers if name}
    if not query.named or query.named >= speakers:
        return np.zeros(len(index.speakers))
    return np.array([name in query.named for name in index.speakers], dtype=float)


def dated(index: LogIndex, query: Query) -> Any:
    """1 for blocks said when people would tell about a date that the request names, else 0."""
    import numpy as np  # noqa: PLC0415

    if not query.dates:
        return np.zeros(len(index.times))
    known = {time: any(date.covers(time) for date in query.dates) for time in set(index.times) if time is not None}
    return np.array([time is not None and known[time] for time in index.times], dtype=float)


def sources(index: LogIndex) -> Any:
    """How much each block is a source of identifiers: n / (n + 1) for the n that it is first to hold and a later block uses."""
    import numpy as np  # noqa: PLC0415

    first: dict[str, int] = {}
    used: dict[str, int] = {}
    for i, ids in enumerate(index.ids):
        for term in ids:
            start = first.setdefault(term, i)
            if start != i:
                used[term] = start
    counts = np.bincount(np.array(list(used.values()), dtype=int), minlength=len(index.ids)).astype(float)
    return counts / (counts + 1)

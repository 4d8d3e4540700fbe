"""Areas of life: what somebody said about food bears on finding a restaurant, though no word is shared (M7)."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def areas_of(terms: Iterable[str]) -> dict[str, float]:
    """Return the areas that a text's terms belong to, as a vector of length 1; empty where none is known.

    A term that stands in several areas is shared among them. `areas.txt` holds an area a line, general knowledge in English and
    Chinese; an area may have several lines.
    """
    worth: defaultdict[str, float] = defaultdict(float)
    for term in sorted(set(terms)):
        found = _areas().get(term, ())
        for area in found:
            worth[area] += 1 / len(found)
    length = math.sqrt(sum(value * value for value in worth.values()))
    return {area: value / length for area, value in worth.items()}


def same_area(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Return how much two texts are of one area, 0..1."""
    return min(1.0, sum(value * second.get(area, 0.0) for area, value in first.items()))


@cache
def _areas() -> dict[str, tuple[str, ...]]:
    text = (files(__package__) / "areas.txt").read_text(encoding="utf-8")
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in text.splitlines():
        name, _, words = line.partition(":")
        for term in terms_of(words):
            found[term][name] = None
    return {term: tuple(areas) for term, areas in found.items()}

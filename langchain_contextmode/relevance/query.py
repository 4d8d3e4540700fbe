"""A request as weighted terms: what it asks for itself, what it only points at, whom and what it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.relevance.terms import surface_terms, text_terms
from langchain_contextmode.spans import Span, entities

if TYPE_CHECKING:
    from collections.abc import Collection

    from langchain_contextmode.protocols import Request

_POINTS_BACK = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|sure|please|no)\b\W*)*(?:go (?:on|ahead)|continue|do (?:it|that|so)|same (?:again|as))\b"
    r"|\b(?:th(?:at|is|e (?:other|first|second|third|last|same|latter|former|previous)) one|the (?:usual|latter|former)|"
    r"as (?:before|usual|always|discussed)|(?:you|i|we) (?:just )?(?:said|mentioned|told|suggested|recommended|talked|discussed|agreed|decided))\b"
    r"|上次|刚才|之前|那个|继续|照旧|老样子|一样|说过|提到|さっき|前に|いつもの|その件|아까|지난번",
    re.IGNORECASE,
)
_CONTEXT_DECAY = 0.5
_CONTEXT_FALL = 0.25
_LEAST_CONTEXT = 0.1


class Query(NamedTuple):
    """What the log is searched for.

    Attributes:
        weights: Term to weight; 1 for each occurrence in the request, less for terms of the messages right before it.
        surface: Term to the word it came from, for reasons.
        entities: What the request names exactly, participants left out.
        named: Participants that the request names.
        context_weight: What the newest message before the request counts, 0..1.
    """

    weights: dict[str, float]
    surface: dict[str, str]
    entities: tuple[Span, ...]
    named: frozenset[str]
    context_weight: float


def read_request(request: Request, participants: Collection[str]) -> Query:
    """Read a request.

    The names of participants choose a speaker, not a topic, and are no terms. What stands right before the request helps
    where the request itself says little: the newest of `request.context` counts 1 for a request without terms, a
    quarter as much for every term it has, at least half if it points back ("that one", "上次说的"), and each older one half as much as
    the next.

    Args:
        request: The request.
        participants: Names of speakers in the log.
    """
    named = frozenset(name for name in participants if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", request.text, re.IGNORECASE))
    terms = text_terms(request.text).counts
    weights: dict[str, float] = {term: float(count) for term, count in terms.items()}
    context_weight = _CONTEXT_FALL ** len(weights)
    for name in named:
        for term in text_terms(name).counts:
            weights.pop(term, None)
    if _POINTS_BACK.search(request.text):
        context_weight = max(context_weight, 0.5)
    surface = surface_terms(request.text)
    weight = context_weight
    for text in reversed(request.context):
        if weight < _LEAST_CONTEXT:
            break
        for term in text_terms(text).counts:
            weights.setdefault(term, weight)
        surface = {**surface_terms(text), **surface}
        weight *= _CONTEXT_DECAY
    folded = {name.casefold() for name in participants}
    spans = tuple(span for span in entities(request.text) if span.text.casefold() not in folded)
    return Query(weights, surface, spans, named, context_weight)

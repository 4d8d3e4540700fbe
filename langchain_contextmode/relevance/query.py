"""A request as weighted terms: what it asks for itself, what it only points at, whom and what it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.relevance.dates import AskedDate, asked_dates
from langchain_contextmode.relevance.families import related_terms
from langchain_contextmode.relevance.terms import surface_terms, terms_of, text_terms
from langchain_contextmode.spans import Span, entities

if TYPE_CHECKING:
    from collections.abc import Collection

    from langchain_contextmode.protocols import Request
    from langchain_contextmode.relevance.signals import Weights

_POINTS_BACK = re.compile(
    r"^\W*(?:ok(?:ay)?|yes|yeah|yep|sure|correct|right|perfect|great|sounds good|that works|"
    r"go (?:on|ahead)|continue|proceed|do (?:it|that|so)|"
    r"same (?:again|as))\b|^(?:好|可以|行|是的|对|没问题|确认)"
    r"|\b(?:th(?:at|is|e (?:other|first|second|third|last|same|latter|former|previous)) one|the (?:usual|latter|former)|"
    r"as (?:before|usual|always|discussed)|"
    r"(?:you|i|we) (?:just )?(?:said|mentioned|told|suggested|recommended|talked|discussed|agreed|decided))\b"
    r"|上次|刚才|之前|那个|继续|照旧|老样子|一样|说过|提到|さっき|前に|いつもの|その件|아까|지난번",
    re.IGNORECASE,
)
_CONTEXT_DECAY = 0.5
_CONTEXT_FALL = 0.25
_LEAST_CONTEXT = 0.1
_POINTED_AT = 0.5
_TERMS_ALONE = 2


class Query(NamedTuple):
    """What the log is searched for.

    Attributes:
        weights: Term to weight; 1 for each occurrence in the request, less for terms of the messages right
            before it and for related words.
        related: Related word to the request's term that it stands for; all other terms are the request's own.
        surface: Term to the word it came from, for reasons.
        entities: What the request names exactly, participants left out.
        dates: Dates the request names.
        named: Participants that the request names.
    """

    weights: dict[str, float]
    related: dict[str, str]
    surface: dict[str, str]
    entities: tuple[Span, ...]
    dates: tuple[AskedDate, ...]
    named: frozenset[str]


def read_request(request: Request, participants: Collection[str], weights: Weights) -> Query:
    """Read a request.

    The names of participants choose a speaker, not a topic, and are no terms. What stands right before the request helps
    where the request itself says little: the newest of `request.context` counts 1 for a request without terms, a quarter as
    much for every term it has, at least half if it points back ("that one", "上次说的"), and each older one half as much as
    the next.

    Args:
        request: The request.
        participants: Names of speakers in the log.
        weights: What context and related words count.
    """
    named = frozenset(name for name in participants if _mentions(request.text, name))
    counts = text_terms(request.text).counts
    terms = {term: float(count) for term, count in counts.items()}
    surface = surface_terms(request.text)
    context = _CONTEXT_FALL ** len(terms)
    for term in {term for name in named for term in terms_of(name)}:
        terms.pop(term, None)
    kin = _related(terms) if weights.related else {}
    terms |= {term: weights.related * terms[own] for term, own in kin.items()}
    if _POINTS_BACK.search(request.text):
        context = max(context, _POINTED_AT)
    context *= weights.context
    for text in reversed(request.context):
        if context < _LEAST_CONTEXT:
            break
        for term in text_terms(text).counts:
            terms[term] = max(terms.get(term, 0.0), context)
            kin.pop(term, None)
        surface = {**surface_terms(text), **surface}
        context *= _CONTEXT_DECAY
    folded = {name.casefold() for name in participants}
    spans = tuple(span for span in entities(request.text) if span.text.casefold() not in folded)
    return Query(terms, kin, surface, spans, asked_dates(request.text), named)


def stands_alone(text: str) -> bool:
    """Say whether a request says by itself what it is about: two terms or more, and no pointing back."""
    return len(text_terms(text).counts) >= _TERMS_ALONE and not _POINTS_BACK.search(text)


def _mentions(text: str, name: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))


def _related(weights: dict[str, float]) -> dict[str, str]:
    """Map each related word that is not asked for itself to the weightiest term it is related to."""
    kin: dict[str, str] = {}
    for own in sorted(weights, key=lambda term: (-weights[term], term)):
        for term in related_terms(own):
            if term not in weights:
                kin.setdefault(term, own)
    return kin

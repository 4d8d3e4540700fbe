"""Pins of one human message: the sentences that constrain or colour what follows."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.cues import chinese, english
from langchain_contextmode.cues.reading import is_supposed, plain, reported_from, stated
from langchain_contextmode.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.schema import PinKind

_LONG_CHARS: Final = 2_000
_EDGE_CHARS: Final = 600
_MANY: Final = 16
_WIDE: Final = re.compile(r"[\u4e00-\u9fff]")
_WIDE_RUN: Final = re.compile(r"[\u3400-\u9fff]+")
_LATIN: Final = re.compile(r"[a-z]{2}")
_NOT_THERE: Final = re.compile(r"\W*(?:No, |But )?[Nn]ot (?:in |at |the )?[A-Z][a-z]+(?: [A-Z][a-z]+)?(?:,|\.|!| please|$)")
"""A place or thing by name that is out of the question: "Not Alfama, ..."."""
_NAMED: Final = re.compile(
    r"\b(?!(?:The|It|This|That|There|Food|Everything|What|Which|Who|Is|Are|Place)\b)[A-Z][a-z]+(?:'s| is| are| eats(?: only)?|"
    r" keeps)\s+(?:\w+ly )?(?:an? )?(?:vegan|vegetarian|pescatarian|halal|kosher|celiac|coeliac|gluten-free|muslim)\b"
)
_FEW: Final = re.compile(r"^\W*(?:No, |But )?[Nn]ot |\b(?:vega|vege|pesc|halal|kosher|celiac|coeliac|gluten|muslim)")
"""What the two patterns that look at capitals need."""
_DAYS: Final = re.compile(
    r"\W*(?:No, |But )?not (?:on |the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|"
    r"oct|nov|dec)|i\b|ok)",
    re.IGNORECASE,
)
_WRAPPED: Final = re.compile(r"\s*+(?:\"([^\"]+)\"|“([^”]+)”)\s*")
_REFUSES: Final = re.compile(
    r"\W*(?:no|nope|nah)\b[^a-z]*(?:thanks?\b|thank you\b)?[^a-z]*(?:i|we) (?:do not|don't|dont|won't) (?:really )?(?:need|want|"
    r"have|think|require|care)\b"
)
_ADDRESSES: Final = re.compile(r"\b(?:i|i'm|i've|me|my|we|us|our|you|your|please)\b|[我你您请]")
_OWN_VOICE: Final = frozenset(("health", "diet", "deadline"))
_SPELLED: Final = {"im": "i'm", "ive": "i've", "id": "i'd", "pls": "please", "plz": "please", "u": "you", "ur": "your", "theres": "there's"}
_HASTY: Final = re.compile(
    r"\b(?:(?:do|does|did|ca|wo|is|are|was|were|would|should|could|must|has|have)nt|im|ive|pls|plz|theres|u|ur|id(?= (?:rather|prefer|"
    r"like|love|hate|never|always|appreciate)\b))\b"
)
_MARKS: Final = re.compile("[\u2018\u2019]")
_FIRST: Final = re.compile(r"\W*(?:i|we|i'm|my)\b|\W*我")


class Spotted(NamedTuple):
    """A pin.

    Attributes:
        text: The whole sentence, copied letter by letter; a very long one only from clause to clause.
        kind: What it says.
    """

    text: str
    kind: PinKind


def spot(text: str) -> tuple[Spotted, ...]:
    """Return the pins in one human message, in order; none for most messages.

    Requests of the moment, questions, suppositions, words of others, quotations, code and pasted documents hold no pins. In
    a text of more than 2,000 characters what stands away from its ends must speak in the first person or to the reader; if
    more than 16 sentences remain, only those near the ends count, since such a text was hardly written for the assistant.
    """
    found: list[tuple[int, int, Spotted]] = []
    offset, inner = _unwrapped(text)
    is_long = len(text) > _LONG_CHARS
    for start, end in ((begin + offset, stop + offset) for begin, stop in sentences(inner)):
        sentence = text[start:end]
        near = start < _EDGE_CHARS or end > len(text) - _EDGE_CHARS
        if is_long and not near and not _ADDRESSES.search(sentence.lower()):
            continue
        kind = kind_of(sentence)
        if kind:
            found.append((start, end, Spotted(sentence, kind)))
    if is_long and len(found) > _MANY:
        found = [item for item in found if item[0] < _EDGE_CHARS or item[1] > len(text) - _EDGE_CHARS]
    return tuple(pin for _, _, pin in found)


def _straight(text: str) -> str:
    """Return a text in lower case, with the apostrophes that haste leaves out: "dont", "im", "id rather"."""
    text = _MARKS.sub("'", text.lower())
    return _HASTY.sub(lambda match: _spelled(match.group()), text)


def _spelled(word: str) -> str:
    return _SPELLED.get(word) or f"{word[:-2]}n't"


def _unwrapped(text: str) -> tuple[int, str]:
    """Return a message without quotation marks around the whole of it, and how much was cut off in front: nobody is quoted there."""
    wrapped = _WRAPPED.fullmatch(text)
    if not wrapped:
        return 0, text
    group = 1 if wrapped[1] else 2
    return wrapped.start(group), wrapped[group]


@lru_cache(maxsize=2_048)
def kind_of(sentence: str) -> PinKind | None:
    """Say what a sentence constrains; `None` if it does not."""
    text = _straight(plain(sentence))
    wide, latin = bool(_WIDE.search(text)), bool(_LATIN.search(text))
    fitting = list(english.GATED.fitting(_latin_only(text) if wide else text)) if latin else []
    is_plain = latin and not any(kind for kind, _ in fitting)
    if (is_plain and not wide and not _FEW.search(sentence)) or is_supposed(text):
        return None
    said = stated(text)
    if wide and chinese.may_hold(said) and (kind := _first(chinese.PATTERNS, said)):
        return kind
    if not latin:
        return None
    mixed = english.without_passing(_latin_only(said) if wide else said, fitting)
    if not _REFUSES.match(mixed) and (kind := _first(fitting, mixed)):
        return kind
    return None if "?" in sentence else _by_capitals(sentence)


def _by_capitals(sentence: str) -> PinKind | None:
    if _NAMED.search(sentence):
        return "diet"
    return "prohibition" if _NOT_THERE.match(sentence) and not _DAYS.match(sentence) else None


def _latin_only(text: str) -> str:
    """Return a mixed text with its Chinese as one foreign word each, but for who speaks."""
    return _WIDE_RUN.sub(" x ", text.replace("我们", " we ").replace("我", " i "))


def _first(patterns: Iterable[tuple[PinKind | None, re.Pattern[str]]], said: str) -> PinKind | None:
    """Return the kind of the first pattern that fits the user's own words."""
    foreign: int | None = None
    for kind, pattern in patterns:
        match = pattern.search(said) if kind else None
        if not kind or not match:
            continue
        foreign = reported_from(said) if foreign is None else foreign
        if match.start() < foreign or _holds_for_user(kind, match.group(), said):
            return kind
    return None


def _holds_for_user(kind: PinKind, words: str, said: str) -> bool:
    """Say whether a demand inside the words of another binds all the same: an illness, or a deadline of one's own."""
    return kind == "health" or (kind in _OWN_VOICE and bool(_FIRST.match(words)) and ":" not in said)

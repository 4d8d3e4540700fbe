"""Exact entities in a text: what a request can name and a message can hold, letter by letter.

Ids, paths, URLs, numbers, quoted strings, and capitalised names (of people, places, plans, products). No model, no lists of
names; English capitals carry names, Chinese and Japanese names are found where they stand in quotation marks.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

SpanKind = Literal["url", "path", "id", "number", "quoted", "name", "date", "amount", "email", "command", "negation"]
"""`entities` tells the first six apart; `exact.exact_spans` all of them."""


class Span(NamedTuple):
    """One entity.

    Attributes:
        text: As written, without quotation marks and closing punctuation.
        kind: What it looks like.
    """

    text: str
    kind: SpanKind


_PATTERNS: tuple[tuple[SpanKind, re.Pattern[str]], ...] = (  # parts of a path or id are bounded: time must not grow with their square
    ("url", re.compile(r"\b(?:https?://|www\.)[^\s<>\"'“”\uff0c。\uff1b\uff09)\]]+")),
    (
        "quoted",
        re.compile(r"[\"“「『《]([^\"“”「」『』《》\n]{2,80})[\"”」』》]|(?<!\w)['\u2018`]([^'\u2018\u2019`\n]{2,80})['\u2019`](?!\w)"),
    ),
    (
        "path",
        re.compile(
            r"(?<![\w/.])(?:(?:~|\.{1,2})?/(?:[\w.@+-]{1,255}/){0,32}[\w.@+-]{0,255}\w|(?:[\w.@+-]{1,255}/){2,32}[\w.@+-]{0,255}\w"
            r"|(?:[\w.@+-]{1,255}/)?\w[\w-]{1,255}\.[A-Za-z]\w{0,4}\b)"
        ),
    ),
    (
        "id",
        re.compile(
            r"#?\b(?=[\w-]{0,255}\d)(?=[\w-]{0,255}[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\b"
            r"|\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|#\d+\b"
        ),
    ),
    ("number", re.compile(r"[$€£¥]\s?\d[\d,.]*\d|[$€£¥]\s?\d|\b\d{1,3}(?:,\d{3})+(?:\.\d+)?|\b\d+\.\d+|\b\d{3,}")),
)
NAME = re.compile(r"\b[A-Z][\w'\u2019-]*(?:\s+(?:of|the|de|la|van|von)\s+[A-Z][\w'\u2019-]*|\s+[A-Z][\w'\u2019-]*|\s+\d{1,4}\b)*")
"""Capitalised words in a row; what of them is a name, `entities` and `exact_spans` decide."""

_ENDS = frozenset('.!?:;。\uff01\uff1f"“(')
_BULLETS = frozenset("-*•")
COMMON_START = re.compile(r"[A-Z][a-z]*(?:['\u2019][a-z]+)?$")
NEVER = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "i i'm i'd i've i'll ok okay yes no hi hey hello thanks thank please what when where which who whom whose why how is are was were "
        "do does did can could would will shall should may might must have has had the a an and or but if so my our your his her their "
        "its this that these those it he she we you they there here not also then monday tuesday wednesday thursday friday saturday "
        "sunday january february march april may june july august september october november december"
    ).split()
)
_TRAILING = ".,;:!?)]}、。"


def entities(text: str) -> tuple[Span, ...]:
    """Return the entities of a text in order of kind, then of place; none twice.

    A capitalised word that opens a sentence tells nothing and is left out, also in front of a name; with capitals or digits
    inside it is a name. Numbers below 100 are too common to point at anything and are left out unless money or decimals.
    """
    found: dict[str, Span] = {}
    taken = bytearray(len(text))
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if kind != "quoted" and taken[match.start()]:
                continue
            value = next((g for g in match.groups() if g), match.group()).strip().rstrip(_TRAILING)
            if value:
                taken[match.start() : match.end()] = b"\x01" * len(match.group())
                found.setdefault(value.casefold(), Span(value, kind))
    for match in NAME.finditer(text):
        if taken[match.start()]:
            continue
        name = _name(match.group(), opens=opens_sentence(text, match.start()))
        if name:
            found.setdefault(name.casefold(), Span(name, "name"))
    return tuple(found.values())


def opens_sentence(text: str, position: int) -> bool:
    """Say whether a word at `position` has its capital from where it stands: first in a text, line, sentence, item or quotation."""
    end = position
    while end and text[end - 1].isspace():
        end -= 1
        if text[end] == "\n":
            return True
    return not end or text[end - 1] in _ENDS or (end < position and text[end - 1] in _BULLETS)


def _name(words_text: str, *, opens: bool) -> str:
    """Cut question words and the like off the front; return the name that is left, or nothing."""
    words = re.sub(r"['\u2019]s\b", "", words_text).split()
    if opens and len(words) > 1 and COMMON_START.match(words[0]):  # "Cancel John's flight"; of "New York is", "York" is enough
        words, opens = words[1:], False
    while words and words[0].lower().replace("\u2019", "'") in NEVER:
        words, opens = words[1:], False
    while words and words[-1].lower() in NEVER:
        words = words[:-1]
    if not words or (len(words) == 1 and (len(words[0]) == 1 or (opens and COMMON_START.match(words[0])))):
        return ""
    return " ".join(words)


def holds(text: str, entity: str) -> bool:
    """Say whether a text holds an entity exactly, whatever its case; not as part of a longer word or number."""
    low, wanted = text.casefold(), entity.casefold()
    start = low.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not (_joins(low, start - 1, wanted[0]) or _joins(low, end, wanted[-1])):
            return True
        start = low.find(wanted, start + 1)
    return False


def _joins(text: str, position: int, edge: str) -> bool:
    """Say whether the character at `position` continues the word that `edge` belongs to (CJK text has no word borders)."""
    if not 0 <= position < len(text):
        return False
    character = text[position]
    return (
        character.isalnum()
        and edge.isalnum()
        and (character.isascii() or not ("\u3040" <= character <= "\ud7af"))
        and edge.isascii() == character.isascii()
    )

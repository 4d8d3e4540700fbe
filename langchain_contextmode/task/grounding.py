"""Whether a value that a model names stands in the words that it quotes, and whether those stand in the message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.negations import negations
from langchain_contextmode.task.extract.choices import word
from langchain_contextmode.task.extract.corrections import dropped
from langchain_contextmode.task.extract.dates import dates
from langchain_contextmode.task.extract.durations import amount, durations
from langchain_contextmode.task.extract.numbers import numbers
from langchain_contextmode.task.extract.people import people
from langchain_contextmode.task.extract.times import times

if TYPE_CHECKING:
    from datetime import datetime

    from langchain_contextmode.task.types import FieldSpec

_MOST_QUOTE: Final = 300
_LONGEST_WORD: Final = 64
_HAN_NUMERALS: Final = frozenset("零〇一二两三四五六七八九十百千万亿半")
_REFUSES: Final = re.compile(
    r"\b(?:forget|drop|skip|cancel|remove|scrap|never mind|no|not|without|don['\u2019]?t)\b|不|别|取消|算了|去掉|删",
    re.IGNORECASE,
)
_YES: Final = re.compile(r"\s*(?:(?:yes|yeah|yep|sure|please)\b|好|是|要|需要)", re.IGNORECASE)
_NO: Final = re.compile(r"\s*(?:(?:no|nope|not|without)\b|不|没)", re.IGNORECASE)
_OR: Final = re.compile(r"\bor\b(?! (?:so|rather|more|less|better|around|something|whatever)\b)|或者?|还是", re.IGNORECASE)
_BORDER: Final = re.compile(r"[,，.。;；!?！？\n]")
_OPEN_NEAR: Final = 24
_FOLDED: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}
"""Full-width letters, digits and signs, and curly quotation marks, one for one."""


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text: letter by letter, else apart from case, white space and width; `None` if nowhere."""
    words = quote.split()
    if not words or len(quote) > _MOST_QUOTE:
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    match = re.search(r"\s+".join(map(re.escape, quote.translate(_FOLDED).split())), text.translate(_FOLDED), re.IGNORECASE)
    return match.span() if match else None


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a place widened to whole words and numbers: a 1 out of 11, or Rome out of Romeoville, is nobody's word."""
    first, last = max(start - _LONGEST_WORD, 0), min(end + _LONGEST_WORD, len(text))
    while start > first and _inside(text, start):
        start -= 1
    while end < last and _inside(text, end):
        end += 1
    return start, end


def _inside(text: str, at: int) -> bool:
    """Say whether a position lies in the middle of a word or a number."""
    before, after = text[at - 1], text[at]
    if before in ".,:" and after.isdecimal():
        return at > 1 and text[at - 2].isdecimal()
    if after in ".,:" and before.isdecimal():
        return at + 1 < len(text) and text[at + 1].isdecimal()
    if _counts(before) and _counts(after):
        return True
    return before.isalnum() and after.isalnum() and before < "\u2e80" and after < "\u2e80"


def _counts(char: str) -> bool:
    return char.isdecimal() or char in _HAN_NUMERALS


def dropping(field: FieldSpec, held: Any, text: str, place: tuple[int, int]) -> bool:
    """Say whether quoted words drop a field: they refuse something, and name the field or the value it holds.

    Args:
        field: Its field.
        held: Its current value; JSON.
        text: The message.
        place: Where the quote stands in it.
    """
    if any(start < place[1] and end > place[0] for start, end in dropped(text, field)):
        return True
    quote = text[slice(*place)]
    items = held if isinstance(held, list) else [held]
    names = [*field.cues, *(str(item) for item in items if str(item).strip())]
    return bool(_REFUSES.search(quote)) and any(word(name).search(quote) for name in names)


def ruled_out(field: FieldSpec, value: Any, text: str, place: tuple[int, int]) -> bool:
    """Say whether a message only rules out a choice or a name within the words quoted for it: Rome in "not Rome"."""
    if field.kind not in {"choice", "text"}:
        return False
    governed = list(negations(text))
    items = value if isinstance(value, list) else [value]
    return any(
        bool(said) and all(any(start <= at < end for start, end in governed) for at in said)
        for said in ([match.start() for name in _names(field, item) for match in word(name).finditer(text, *place)] for item in items)
    )


def left_open(field: FieldSpec, value: Any, text: str, place: tuple[int, int], said_at: datetime | None) -> bool:
    """Say whether the words around a quote leave the choice between a value and another one: 4 in "3 or 4 people"."""
    first, last = max(place[0] - _OPEN_NEAR, 0), place[1] + _OPEN_NEAR
    for match in _OR.finditer(text, first, last):
        sides = [text[max(match.start() - _OPEN_NEAR, 0) : match.start()], text[match.end() : match.end() + _OPEN_NEAR]]
        sides = [_BORDER.split(sides[0])[-1], _BORDER.split(sides[1])[0]]
        there = [grounded(field, value, side, said_at) for side in sides]
        if any(there) and all(here or _names_another(field, value, side, said_at) for here, side in zip(there, sides, strict=True)):
            return True
    return False


def _names_another(field: FieldSpec, value: Any, side: str, said_at: datetime | None) -> bool:
    if field.kind == "choice":
        return any(word(name).search(side) for choice in field.choices if choice.value != value for name in choice.names)
    if field.kind in {"boolean", "text", "datetime"}:
        return field.kind == "text" and bool(side.strip())
    return bool(_named(field, side, said_at) - {value})


def grounded(field: FieldSpec, value: Any, quote: str, said_at: datetime | None) -> bool:
    """Say whether a value stands in the words quoted for it.

    Args:
        field: Its field.
        value: As the field holds it; JSON.
        quote: The user's words.
        said_at: Time of the message; without it no relative date can be right.
    """
    if isinstance(value, list):
        return all(grounded(field, item, quote, said_at) for item in value)
    return (
        _stands(field, value, quote) if field.kind in {"choice", "boolean", "text", "datetime"} else value in _named(field, quote, said_at)
    )


def _stands(field: FieldSpec, value: Any, quote: str) -> bool:
    if field.kind == "boolean":
        named = any(cue in quote.casefold() for cue in field.cues)
        refused = bool(_NO.match(quote)) or any(True for _ in negations(quote))
        return refused and (named or bool(_NO.match(quote))) if value is False else not refused and (named or bool(_YES.match(quote)))
    return any(word(name).search(quote) for name in _names(field, value))


def _names(field: FieldSpec, value: Any) -> list[str]:
    """Return how people say a choice or a text; none for an empty one."""
    if field.kind == "choice":
        return [name for choice in field.choices if choice.value == value for name in choice.names]
    return [str(value).strip()] if str(value).strip() else []


def _named(field: FieldSpec, quote: str, said_at: datetime | None) -> set[Any]:
    """Return the values of a field's kind that a quote names."""
    counted = sorted(numbers(quote), key=lambda number: number.start)
    if field.kind == "date":
        return {mention.value for mention in dates(quote, said_at)}
    if field.kind == "time":
        return {f"{mention.value}:00" for mention in times(quote)}
    lengths = list(durations(quote, counted))
    if field.kind == "duration":
        return {mention.value for mention in lengths}
    return {number.value for number in counted} | {mention.value for mention in people(quote, counted)} | {amount(item) for item in lengths}

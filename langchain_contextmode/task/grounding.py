"""Whether a value that a model names stands in the words that it quotes, and whether those stand in the message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.task.extract.dates import dates
from langchain_contextmode.task.extract.durations import amount, durations
from langchain_contextmode.task.extract.numbers import numbers
from langchain_contextmode.task.extract.people import people
from langchain_contextmode.task.extract.times import times

if TYPE_CHECKING:
    from datetime import datetime

    from langchain_contextmode.task.types import FieldSpec

_MOST_QUOTE: Final = 300
_ANSWER: Final = re.compile(r"\s*(?:yes|yeah|yep|sure|please|no|nope|not|without|好|是|要|不|需要|没)", re.IGNORECASE)


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text: letter by letter, else apart from case and white space; `None` if nowhere."""
    words = quote.split()
    if not words or len(quote) > _MOST_QUOTE:
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    match = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return match.span() if match else None


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
    folded = quote.casefold()
    if field.kind == "choice":
        return any(name.casefold() in folded for choice in field.choices if choice.value == value for name in choice.names)
    if field.kind == "boolean":
        return bool(_ANSWER.match(quote)) or any(cue in folded for cue in field.cues)
    return str(value).casefold() in folded


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

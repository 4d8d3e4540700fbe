"""Which field the assistant's last question asks for, and what a bare answer to it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.task.extract.choices import word
from langchain_contextmode.task.extract.durations import durations
from langchain_contextmode.task.extract.holds import value_of
from langchain_contextmode.task.extract.names import role_of
from langchain_contextmode.task.extract.numbers import longest_numbers
from langchain_contextmode.task.extract.spelled import bare_name
from langchain_contextmode.task.types import Found

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.task.types import FieldSpec, Heard

SENTENCE: Final = re.compile(
    r"[^.!?。！？\n]*(?:(?:[.](?=\S)|(?<=\bSt)[.]|(?<=\b[MFD]t)[.]|(?<=\b[MD]r)[.]|(?<=\bM[r]s)[.])[^.!?。！？\n]*)*[.!?。！？\n]*"
)
_YES: Final = re.compile(
    r"\s*(?:yes|yeah|yep|sure|correct|right|of course|please do|definitely|好的?|是的?|对|要的?|需要|可以)(?![一-鿿\w])", re.IGNORECASE
)
_NO: Final = re.compile(r"\s*(?:no|nope|nah|not really|don'?t|no need|不要|不用|不需要|不了|没有?|不)(?![一-鿿\w])", re.IGNORECASE)
_REFUSING: Final = re.compile(r"\s*(?:anything but|not|no,? not|no)\s+(?:the )?(?=[A-Z\"'“])", re.IGNORECASE)
_ASKING: Final = re.compile(
    r"[?？]|\b(?:what|which|where|who|when|how|tell me|let me know|may i|could you|can you|please|provide|give me"
    r"|need to know|any|do you|would you)\b"
    r"|什么|哪|几|多少|请|吗|告诉",
    re.IGNORECASE,
)
_BARE_WORDS: Final = 6
_MOST_CHARS: Final = 72


def asked_field(asked: str, fields: Sequence[FieldSpec]) -> FieldSpec | None:
    """Return the one field that the last question asks for, by its cues before its kind; `None` if it asks for none or several."""
    levels = [_asks(asked, field) for field in fields]
    best = max(levels, default=0)
    return fields[levels.index(best)] if best and levels.count(best) == 1 else None


def _asks(asked: str, field: FieldSpec) -> int:
    """Say whether the last question asks for a field: 2 by one of its cues, 1 by its kind ("when"), 0 not at all."""
    question = asked.strip()
    sentences = [match.group() for match in SENTENCE.finditer(question) if match.group().strip()]
    last = next((sentence for sentence in reversed(sentences) if sentence.rstrip().endswith(("?", "？"))), "")
    said = last or question
    if any(word(cue).search(said) for cue in field.cues):
        return 2
    words: Mapping[str, str] = {
        "date": r"\b(?:when|what day|which day|what date)\b|哪天|几号|什么时候|日期",
        "time": r"\b(?:what time|when)\b|几点|什么时间|时间",
        "people": r"\bhow many (?:people|of you|guests|will)\b|几个人|几位|多少人",
        "place": r"\bwhere\b|\b(?:what|which) (?:area|city|town|place|location|neighbou?rhood)\b|哪里|哪儿|哪个(?:城市|地方|区)",
        "money": r"\bhow much\b|\bbudget\b|多少钱|预算",
    }
    kind = "place" if field.kind == "text" and role_of(field) == "place" else field.kind
    pattern = words.get(kind)
    return int(bool(pattern and re.search(pattern, said, re.IGNORECASE)))


def _measures(field: FieldSpec, text: str, counted: Sequence[Any]) -> bool:
    """Say whether a number is no length of time, or one that the field holds."""
    return all(field.kind in {"integer", "number"} and value_of(field, length) is not None for length in durations(text, counted))


def answers(fields: Sequence[FieldSpec], heard: Heard) -> list[Found]:
    """Return what a bare answer says to a question that asks for exactly one field."""
    text = heard.text
    if not _ASKING.search(heard.asked) or not text.strip() or len(text.split()) > _BARE_WORDS or len(text) > _MOST_CHARS:
        return []
    field = asked_field(heard.asked, fields)
    if field is None:
        return []
    if field.kind == "boolean":
        return _yes_or_no(field, text)
    if field.kind in {"integer", "number", "money", "people"}:
        return _number(field, text)
    return _name(field, text) if field.kind == "text" and not field.pattern else []


def _yes_or_no(field: FieldSpec, text: str) -> list[Found]:
    start = len(text) - len(text.lstrip())
    for pattern, value in ((_NO, False), (_YES, True)):
        if match := pattern.match(text):
            return [Found(field.name, value, text[start : match.end()], start, named=False)]
    return []


def _number(field: FieldSpec, text: str) -> list[Found]:
    counted = longest_numbers(text)
    if len(counted) != 1 or not _measures(field, text, counted):
        return []
    number = counted[0]
    return [Found(field.name, number.value, text[number.start : number.end], number.start, named=False)]


def _name(field: FieldSpec, text: str) -> list[Found]:
    refusing = _REFUSING.match(text)
    shift = refusing.end() if refusing and text[refusing.end() :][:1].isupper() else 0
    start, end = bare_name(text[shift:])
    name = text[shift + start : shift + end]
    return [Found(field.name, name, name, shift + start, "refuse" if shift else "set", named=False)] if name else []

"""Which words point at a field, and which kind of value its name suggests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.lexicon import CHINESE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.task.types import FieldKind

_PEOPLE: Final = re.compile(
    r"\b(?:people|persons?|guests?|passengers?|travell?ers?|adults?|party|seats?|riders?|diners?|attendees?)\b|人数|几个人|乘客|旅客",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"\b(?:price|budget|cost|fare|amount|fee|rent|salary|deposit|payment)\b|预算|价格|费用|票价|金额|租金|押金|花费", re.IGNORECASE
)
_WORDS: Final = re.compile(r"[A-Za-z]+|[一-鿿]+")
_STOPS: Final = """
a an the of for to in on at by or and is are be if it its with from number name date time type whether value any this
that as per user wants should must where which when what how many much may can could will would shall might most least
more less than all each every everything everybody anything something they their there was were has have been do does
did not no so into up out about one only other same here we you your our my i s
"""
_CUE_STOPS: Final = frozenset(_STOPS.split())
"""Words that say nothing of a field."""


def kind_by_words(kind: FieldKind, name: str, description: str) -> FieldKind:
    """Return `people` or `money` where name or description of a number say so, else the kind as it is."""
    said = f"{name.replace('_', ' ')} {description}"
    if kind == "integer" and _PEOPLE.search(said):
        return "people"
    if kind in {"integer", "number"} and _MONEY.search(said):
        return "money"
    return kind


def cue_words(name: str, description: str, words: Iterable[str]) -> tuple[str, ...]:
    """Return what points at the field: synonyms and the whole name first, then the telling words of name and description."""
    said = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()
    single = [word.lower() for word in _WORDS.findall(f"{said} {description}") if word.lower() not in _CUE_STOPS and len(word) > 1]
    chinese = [word for part in said.split() for word in CHINESE.get(part, ())]
    return tuple(dict.fromkeys([*(word.lower() for word in words), said, *single, *chinese]))

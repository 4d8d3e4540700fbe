"""How much a memory weighs when it is made, by what it says (M1).

| what | weight |
|---|---|
| health, allergy | 0.95 |
| diet | 0.9 |
| ban, name | 0.8 |
| standing rule, form of answers | 0.7 |
| home, job, employer, birthday, family | 0.65 |
| liking, dislike, favourite, seat | 0.6 |
| other facts | 0.5 |
| limit, deadline | 0.4 |
| remark in passing | 0.2 |

Stress adds 0.15, careful words take 0.1; the result stays within 0..1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.memories.facts import TASTE

if TYPE_CHECKING:
    from langchain_contextmode.memories.memory import MemoryType
    from langchain_contextmode.schema import PinKind

DEFAULT: Final = 0.5
VAGUE: Final = 0.2
STRESS: Final = 0.15

_BY_KIND: Final[dict[str, float]] = {
    "health": 0.95,
    "diet": 0.9,
    "prohibition": 0.8,
    "rule": 0.7,
    "format": 0.7,
    "preference": 0.6,
    "dislike": 0.6,
    "limit": 0.4,
    "deadline": 0.4,
}
_BY_ATTRIBUTE: Final[dict[str, float]] = {
    "allergy": 0.95,
    "health": 0.95,
    "diet": 0.9,
    "diet need": 0.9,
    "name": 0.8,
    "home": 0.65,
    "job": 0.65,
    "employer": 0.65,
    "birthday": 0.65,
    TASTE: 0.6,
    "seat": 0.6,
}
_TYPES: Final[dict[str, MemoryType]] = {
    "health": "fact",
    "diet": "preference",
    "preference": "preference",
    "dislike": "preference",
    "prohibition": "instruction",
    "rule": "instruction",
    "format": "instruction",
    "limit": "task",
    "deadline": "task",
}


def importance_of(kind: PinKind | None, attribute: str, *, emphasised: bool, vague: bool) -> float:
    """Return the weight at creation, 0..1, by the table above; the higher one where kind and attribute differ.

    Args:
        kind: What the statement demands; `None`: nothing.
        attribute: Which attribute it gives; empty: none.
        emphasised: It is stressed.
        vague: It is a remark in passing.
    """
    if vague:
        return VAGUE
    base = attribute.partition("@")[0]
    known = [weight for weight in (_BY_KIND.get(kind or ""), _BY_ATTRIBUTE.get(base)) if weight is not None]
    if base.startswith(("favourite ", "preferred ")):
        known.append(_BY_ATTRIBUTE[TASTE])
    return round(min(1.0, max(known, default=DEFAULT) + STRESS * emphasised), 2)


def type_of(kind: PinKind | None, attribute: str) -> MemoryType:
    """Return the type of a memory: what is demanded decides, then what is told."""
    if kind in {"prohibition", "rule", "format", "limit", "deadline"}:
        return _TYPES[kind]
    base = attribute.partition("@")[0]
    if base == TASTE or base.startswith(("favourite ", "preferred ")) or base in {"seat", "diet", "diet need", "smoking", "gears", "theme"}:
        return "preference"
    return "fact" if base else _TYPES.get(kind or "", "fact")

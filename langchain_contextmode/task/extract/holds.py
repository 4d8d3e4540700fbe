"""Which fields can hold a mention, and as what value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.task.extract.durations import amount

if TYPE_CHECKING:
    from langchain_contextmode.task.extract.mention import Mention
    from langchain_contextmode.task.types import FieldSpec

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "money": ("money", "number"),
    "people": ("people", "integer"),
    "date": ("date", "datetime"),
    "time": ("time", "datetime"),
    "duration": ("duration", "integer", "number"),
    "number": ("integer", "number", "money", "people"),
}
OWN: Final = {"money": "money", "people": "people", "date": "date", "time": "time", "duration": "duration", "number": ""}
_PER_UNIT: Final = re.compile(r"\b(?:per|each|nightly|daily|rate)\b|人均|每", re.IGNORECASE)
_END_FIELD: Final = re.compile(r"\b(?:end|return|drop.?off|check.?out|until|last|arriv\w+)\b|返回|离店|退房|结束|还车|到达", re.IGNORECASE)


def value_of(field: FieldSpec, mention: Mention) -> Any:
    """Return the mention's value as this field holds it; `None` if it does not."""
    value = mention.value
    if mention.kind == "money" and field.kind == "money" and field.unit and mention.unit and field.unit.upper() != mention.unit:
        return f"{value} {mention.unit}"  # the declaration refuses it, and so it is asked about
    if mention.kind == "duration" and field.kind in {"integer", "number"}:
        said = f"{field.name} {field.description} {field.unit}".lower()
        if mention.unit.rstrip("s") not in said and not (mention.unit in {"day", "night"} and re.search(r"night|day|stay|晚|天", said)):
            return None
        value = amount(mention)
    if field.kind == "datetime":
        return None
    if field.kind in {"integer", "people"} and isinstance(value, float) and not value.is_integer():
        return None
    return value


def is_end(field: FieldSpec) -> bool:
    """Say whether a field is the later one of a span: a return, a check-out."""
    return bool(_END_FIELD.search(f"{field.name.replace('_', ' ')} {field.description} {' '.join(field.cues)}"))


def unit_of(field: FieldSpec) -> re.Pattern[str]:
    """Return a pattern for a field's unit right behind a number."""
    return re.compile(rf"\s?-?{re.escape(field.unit)}(?:s|es)?(?![A-Za-z])", re.IGNORECASE)


def per_unit(field: FieldSpec) -> bool:
    """Say whether a field holds an amount for one person, night or piece."""
    return bool(_PER_UNIT.search(f"{field.name.replace('_', ' ')} {field.description} {field.unit} {' '.join(field.cues)}"))


def has_choice(field: FieldSpec, value: Any) -> bool:
    """Say whether a field has a choice of this value."""
    return any(choice.value == value for choice in field.choices)


def cues_of(field: FieldSpec) -> tuple[str, ...]:
    """Return a field's cues and what it counts: "rooms" of "number of rooms"."""
    counted = [cue.removeprefix("number of ") for cue in field.cues if cue.startswith("number of ")]
    if "房间" in field.cues:
        counted.append("间房")
    return (*field.cues, *(cue for cue in counted if cue not in field.cues))

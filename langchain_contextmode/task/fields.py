"""One declared field: its kind, the words that point at it, its choices and limits."""

from __future__ import annotations

import types
import typing
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, get_args, get_origin

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.task.cue_words import cue_words, kind_by_words
from langchain_contextmode.task.reader import Reader
from langchain_contextmode.task.types import Choice, FieldKind, FieldSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

_KIND_OF: dict[Any, FieldKind] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    Decimal: "number",
    datetime: "datetime",
    date: "date",
    time: "time",
    timedelta: "duration",
    str: "text",
}
_MAY_BE: dict[FieldKind, frozenset[FieldKind]] = {"integer": frozenset({"people", "money", "number"}), "number": frozenset({"money"})}
"""Kinds that may be declared for a type beside its own."""


def field_of(
    name: str,
    model: type[BaseModel],
    *,
    kind: FieldKind | None = None,
    unit: str = "",
    words: Mapping[Any, Sequence[str]] | Sequence[str] = (),
    depends_on: tuple[str, ...] = (),
) -> tuple[FieldSpec, Reader]:
    """Return a field's declaration and its reader.

    Raises:
        ConfigError: The type is none that a task can hold, or kind, synonyms or pattern contradict it.
    """
    info = model.model_fields[name]
    own = info.json_schema_extra.get("contextmode", {}) if isinstance(info.json_schema_extra, dict) else {}
    own = own if isinstance(own, dict) else {}
    item, many = _item(name, info.annotation)
    choices = _choices(_bare(item))
    description = info.description or ""
    declared = kind or typing.cast("FieldKind | None", own.get("kind"))
    of_type = _kind_of(name, item, declared, is_choice=bool(choices))
    measure = unit or own.get("unit", "")
    if not isinstance(measure, str):
        _wrong(name, f"has the unit {measure!r}; a unit is a text")
    names = words if isinstance(words, Mapping) else {}
    limits = _limits(info.metadata)
    spec = FieldSpec(
        name,
        declared or kind_by_words(of_type, name, description),
        description,
        cue_words(name, description, () if names else several(words)),
        tuple(str(example) for example in info.examples or ()),
        _named(name, choices, names),
        measure,
        limits.get("pattern"),
        limits.get("minimum"),
        limits.get("maximum"),
        depends_on,
        many,
    )
    try:
        return spec, Reader.of(spec, name, info, item, model)
    except Exception as error:  # noqa: BLE001  (each kind of mistake comes as a kind of error of its own)
        _wrong(name, f"cannot be read by Pydantic ({error})")


def _kind_of(name: str, item: Any, declared: FieldKind | None, *, is_choice: bool) -> FieldKind:
    """Return what the type says, once it is sure that the declared kind does not contradict it."""
    of_type: FieldKind | None = "choice" if is_choice else _KIND_OF.get(_bare(item))
    if of_type is None:
        _wrong(name, f"has the type {item!r}; a task holds numbers, texts, dates, times, durations, choices, and lists of them")
    if declared is None or declared == of_type:
        return of_type
    if "choice" in {declared, of_type}:
        _wrong(name, "is a choice exactly if its type is a Literal or an Enum")
    if declared not in _MAY_BE.get(of_type, ()):
        _wrong(name, f"has the kind {declared!r}, but its type says {of_type!r}")
    return of_type


def several(given: Any) -> tuple[str, ...]:
    """Return one text or several as a tuple.

    Raises:
        ConfigError: It is something else.
    """
    if isinstance(given, str):
        return (given,)
    found = tuple(given) if isinstance(given, Iterable) else (None,)
    if not all(isinstance(item, str) for item in found):
        message = f"TaskSpec: expected a text or a list of texts, got {given!r:.60}."
        raise ConfigError(message)
    return found


def _item(name: str, annotation: Any) -> tuple[Any, bool]:
    """Return the annotation of one value, and whether the field holds a list of them."""
    many = False
    while True:
        origin, bare = get_origin(annotation), annotation
        if origin is Annotated:
            bare = get_args(annotation)[0]
            origin = get_origin(bare)
        if origin in {typing.Union, types.UnionType}:
            rest = [arg for arg in get_args(bare) if arg is not type(None)]
            if len(rest) != 1:
                _wrong(name, f"is a union ({annotation}); declare one type, optional or not")
            annotation = rest[0]
        elif origin in {list, tuple, set, frozenset} and not many:
            many, annotation = True, get_args(bare)[0]
        else:
            return annotation, many


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _choices(inner: Any) -> list[Any]:
    if get_origin(inner) is Literal:
        return list(get_args(inner))
    if isinstance(inner, type) and issubclass(inner, Enum):
        return [member.value for member in inner]
    return []


def _named(name: str, choices: Iterable[Any], words: Mapping[Any, Any]) -> tuple[Choice, ...]:
    values = list(choices)
    for value in words:
        if value not in values:
            _wrong(name, f"has synonyms for {value!r}, which is none of its choices ({', '.join(map(str, values)) or 'it has none'})")
    found = tuple(Choice(value, tuple(dict.fromkeys((str(value), *_spoken(value), *several(words.get(value, ())))))) for value in values)
    said = Counter(each.casefold() for choice in found for each in dict.fromkeys(each.casefold() for each in choice.names))
    if doubled := [each for each, number in said.items() if number > 1]:
        _wrong(name, f"has two choices that are called {doubled[0]!r}")
    return found


def _spoken(value: Any) -> tuple[str, ...]:
    return (value.replace("_", " "),) if isinstance(value, str) and "_" in value else ()


def _limits(metadata: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in metadata:
        for name, key in (("ge", "minimum"), ("gt", "minimum"), ("le", "maximum"), ("lt", "maximum"), ("pattern", "pattern")):
            value = getattr(item, name, None)
            if value is not None:
                found[key] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, date | time):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else getattr(value, "pattern", value)


def _wrong(name: str, why: str) -> NoReturn:
    message = f"TaskSpec: the field {name!r} {why}."
    raise ConfigError(message)

"""One declared field: its kind, the words that point at it, and what makes a raw value its value."""

from __future__ import annotations

import math
import types
import typing
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from langchain_contextmode.content import fix_surrogates
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.task.cue_words import cue_words, kind_by_words
from langchain_contextmode.task.types import Choice, FieldKind, FieldSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic.fields import FieldInfo

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
_MOST_CHARS = 500
_WHY_CHARS = 160


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns a raw value into a field's JSON value."""

    adapter: TypeAdapter[Any]
    spec: FieldSpec

    def read(self, raw: Any) -> tuple[Any, str]:
        """Return the value and an empty text, or `None` and the reason. Choices may be given by any of their names."""
        named = self._chosen(fix_surrogates(raw) if isinstance(raw, str) else raw)
        if isinstance(named, str) and len(named) > _MOST_CHARS:
            return None, f"longer than {_MOST_CHARS} characters"
        if isinstance(raw, bool) and self.spec.kind not in {"boolean", "choice"}:
            return None, "a truth value is no value of this field"
        try:
            value = self.adapter.dump_python(self.adapter.validate_python(named), mode="json")
            return (None, "not a finite number") if isinstance(value, float) and not math.isfinite(value) else (value, "")
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            return None, str(first["msg"])[:_WHY_CHARS]
        except (ValueError, TypeError, OverflowError, ArithmeticError) as error:
            return None, f"{type(error).__name__}: {error}"[:_WHY_CHARS]

    def _chosen(self, raw: Any) -> Any:
        if isinstance(raw, list | tuple):
            return [self._chosen(item) for item in raw]
        if isinstance(raw, str):
            folded = raw.strip().casefold()
            for choice in self.spec.choices:
                if any(folded == name.casefold() for name in choice.names):
                    return choice.value
        return raw


def field_of(
    name: str,
    info: FieldInfo,
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
    own = info.json_schema_extra.get("contextmode", {}) if isinstance(info.json_schema_extra, dict) else {}
    own = own if isinstance(own, dict) else {}
    inner, many = _inner(name, info.annotation)
    choices = _choices(inner)
    found: Any = "choice" if choices else _KIND_OF.get(inner)
    if found is None:
        _wrong(name, f"has the type {inner!r}; a task holds numbers, texts, dates, times, durations, choices, and lists of them")
    description = info.description or ""
    kind = kind or typing.cast("FieldKind | None", own.get("kind")) or kind_by_words(found, name, description)
    if kind not in get_args(FieldKind):
        _wrong(name, f"has the kind {kind!r}; kinds: {', '.join(get_args(FieldKind))}")
    if (kind == "choice") != bool(choices):
        _wrong(name, "is a choice exactly if its type is a Literal or an Enum")
    limits = _limits(info.metadata)
    spec = FieldSpec(
        name,
        kind,
        description,
        cue_words(name, description, () if hasattr(words, "items") else words),
        tuple(str(example) for example in info.examples or ()),
        _named(name, choices, words if hasattr(words, "items") else {}),
        unit or str(own.get("unit", "")),
        limits.get("pattern"),
        limits.get("minimum"),
        limits.get("maximum"),
        depends_on,
        many,
    )
    return spec, Reader(_adapter(name, info), spec)


def _adapter(name: str, info: FieldInfo) -> TypeAdapter[Any]:
    try:
        annotated: Any = Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
        return TypeAdapter(annotated)
    except Exception as error:  # noqa: BLE001  (each kind of mistake comes as a kind of error of its own)
        _wrong(name, f"cannot be read by Pydantic ({error})")


def _inner(name: str, annotation: Any) -> tuple[Any, bool]:
    """Return the type of one value, and whether the field holds a list of them."""
    many = False
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation = get_args(annotation)[0]
        elif origin in {typing.Union, types.UnionType}:
            rest = [arg for arg in get_args(annotation) if arg is not type(None)]
            if len(rest) != 1:
                _wrong(name, f"is a union ({annotation}); declare one type, optional or not")
            annotation = rest[0]
        elif origin in {list, tuple, set, frozenset} and not many:
            many, annotation = True, get_args(annotation)[0]
        else:
            return annotation, many


def _choices(inner: Any) -> list[Any]:
    if get_origin(inner) is Literal:
        return list(get_args(inner))
    if isinstance(inner, type) and issubclass(inner, Enum):
        return [member.value for member in inner]
    return []


def _named(name: str, choices: Iterable[Any], words: Any) -> tuple[Choice, ...]:
    values = list(choices)
    for value in words:
        if value not in values:
            _wrong(name, f"has synonyms for {value!r}, which is none of its choices ({', '.join(map(str, values)) or 'it has none'})")
    return tuple(Choice(value, tuple(dict.fromkeys((str(value), *_spoken(value), *map(str, words.get(value, ())))))) for value in values)


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

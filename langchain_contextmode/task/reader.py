"""What makes a raw value a field's value: its type, its limits, its own validators, and what a board can show."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, PlainValidator, TypeAdapter, ValidationError, WrapValidator

from langchain_contextmode.content import fix_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

    from langchain_contextmode.task.types import FieldSpec

ITEMS_MAX: Final = 50
"""Items that a list field holds: the board shows all of them."""

_TEXT_MAX: Final = 500
_ITEM_TEXT_MAX: Final = 100
_DIGITS_MAX: Final = 30
_WHY_CHARS: Final = 160
_FOREIGN: Final = re.compile(r"[\d.]+ ([A-Z]{3})")
_MODES: Final[dict[str, Any]] = {"before": BeforeValidator, "after": AfterValidator, "plain": PlainValidator, "wrap": WrapValidator}


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns a raw value into a field's JSON value.

    Attributes:
        spec: The field.
        whole: Reads the field's value.
        item: Reads one item of a list field; of another field the same as `whole`.
    """

    spec: FieldSpec
    whole: TypeAdapter[Any]
    item: TypeAdapter[Any]

    @classmethod
    def of(cls, spec: FieldSpec, name: str, info: FieldInfo, item: Any, model: type[BaseModel]) -> Reader:
        """Build the reader of a model's field; raises whatever Pydantic does."""
        found = [*info.metadata, *_validators(name, model)]
        whole: Any = Annotated[(info.annotation, *found)] if found else info.annotation
        return cls(spec, TypeAdapter(whole), TypeAdapter(item if spec.many else whole))

    def read(self, raw: Any) -> tuple[Any, str]:
        """Return the value and an empty text, or `None` and the reason. A list may still be too short: it is collected bit by bit."""
        return self._read(self.whole, raw)

    def read_item(self, raw: Any) -> tuple[Any, str]:
        """Return one item of a list field and an empty text, or `None` and the reason."""
        return self._read(self.item, raw)

    def _read(self, adapter: TypeAdapter[Any], raw: Any) -> tuple[Any, str]:
        raw = self._chosen(fix_surrogates(raw))
        if why := self._unfit(raw):
            return None, why
        try:
            read = adapter.validate_python(raw)
            value = adapter.dump_python(read, mode="json")
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            if self.spec.many and isinstance(raw, list) and all(problem["type"] == "too_short" for problem in problems):
                return self._items(raw)
            return None, str(problems[0]["msg"])[:_WHY_CHARS]
        except Exception as error:  # noqa: BLE001  (a validator is foreign code; what it cannot judge is no value)
            return None, f"its validator failed ({type(error).__name__})"
        if isinstance(read, set | frozenset):  # the same in every process
            value = sorted(value, key=str)
        why = self._unfit(value)  # a validator may make nothing, or something endless, of a good value
        return (None, why) if why else (value, "")

    def _items(self, raw: list[Any]) -> tuple[Any, str]:
        read = [self.read_item(item) for item in raw]
        return next(((None, why) for _, why in read if why), ([value for value, _ in read], ""))

    def _unfit(self, raw: Any) -> str:
        """Say why no field, or no field of this kind, holds a value; empty: it may."""
        if isinstance(raw, list):
            if len(raw) > ITEMS_MAX:
                return f"more than {ITEMS_MAX} items"
            return next((why for why in map(self._unfit, raw) if why), "")
        if raw is None or (isinstance(raw, str) and not raw.strip()):
            return "no value"
        if isinstance(raw, bool) and self.spec.kind not in {"boolean", "choice"}:
            return "a truth value is no value of this field"
        if isinstance(raw, str):
            return self._unfit_text(raw)
        return _unfit_number(raw) if isinstance(raw, int | float) else ""

    def _unfit_text(self, raw: str) -> str:
        amount = _FOREIGN.fullmatch(raw) if self.spec.kind == "money" and self.spec.unit else None
        if amount:
            return f"it is in {amount[1]}, not in {self.spec.unit}"
        limit = _ITEM_TEXT_MAX if self.spec.many else _TEXT_MAX
        return f"longer than {limit} characters" if len(raw) > limit else ""

    def _chosen(self, raw: Any) -> Any:
        """Return the value of a choice that is called by one of its names."""
        if isinstance(raw, list | tuple | set | frozenset):
            return [self._chosen(item) for item in raw]
        if isinstance(raw, str):
            folded = raw.strip().casefold()
            for choice in self.spec.choices:
                if any(folded == name.casefold() for name in choice.names):
                    return choice.value
        return raw


def _unfit_number(raw: float) -> str:
    if not math.isfinite(raw):
        return "not a finite number"
    return f"more than {_DIGITS_MAX} digits" if isinstance(raw, int) and abs(raw) >= 10**_DIGITS_MAX else ""


def _validators(name: str, model: type[BaseModel]) -> Iterable[Any]:
    """Return a field's own validators in the order in which the model runs them; the model's other ones need all fields."""
    declared: Any = model.__pydantic_decorators__.field_validators
    for decorator in declared.values():
        if name in decorator.info.fields or "*" in decorator.info.fields:
            yield _MODES[decorator.info.mode](decorator.func)

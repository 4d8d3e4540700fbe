from __future__ import annotations

import datetime as dt
from decimal import Decimal  # noqa: TC003  (Pydantic reads it)
from enum import Enum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field, create_model
from tasks import SPEC, Trip

from langchain_contextmode import ConfigError, NodeSpec, TaskSpec, ToolSource
from langchain_contextmode.task.types import Choice


class Cabin(Enum):
    ECONOMY = "economy"
    PREMIUM = "premium_economy"


class Everything(BaseModel):
    count: int = 0
    ratio: float | None = None
    price: Decimal | None = None
    guests: int | None = None
    when: dt.date | None = None
    at: dt.time | None = None
    moment: dt.datetime | None = None
    stay: dt.timedelta | None = None
    cabin: Cabin | None = None
    side: Literal["left", "right"] | None = None
    parking: bool | None = None
    code: Annotated[str | None, Field(pattern=r"[A-Z]{2}\d{4}")] = None
    names: list[str] | None = None
    amount: Annotated[int, Field(json_schema_extra={"contextmode": {"kind": "money", "unit": "CNY"}})] = 0


def build(model=Trip, **changes):
    return TaskSpec.from_model(model, **{"nodes": {"collect": []}, **changes})


def test_kinds_come_from_types_names_and_what_is_declared():
    """Each type has its kind; a count of guests is people, a price is money, and the declaration has the last word."""
    kinds = {field.name: (field.kind, field.many) for field in build(Everything).fields}
    assert kinds == {
        "count": ("integer", False),
        "ratio": ("number", False),
        "price": ("money", False),
        "guests": ("people", False),
        "when": ("date", False),
        "at": ("time", False),
        "moment": ("datetime", False),
        "stay": ("duration", False),
        "cabin": ("choice", False),
        "side": ("choice", False),
        "parking": ("boolean", False),
        "code": ("text", False),
        "names": ("text", True),
        "amount": ("money", False),
    }
    assert build(Everything, kinds={"ratio": "money"}).field("ratio").kind == "money"
    assert build(Everything).field("amount").unit == "CNY"


def test_a_field_knows_its_words_limits_and_choices():
    """Name, description and synonyms point at a field, in Chinese too; limits and names of choices are kept."""
    spec = build(Everything, synonyms={"cabin": {"premium_economy": ["plus"]}, "parking": ["garage"]})
    assert spec.field("cabin").choices[1] == Choice("premium_economy", ("premium_economy", "premium economy", "plus"))
    assert spec.field("parking").cues[:2] == ("garage", "parking")
    assert "停车" in spec.field("parking").cues
    assert spec.field("code").pattern == r"[A-Z]{2}\d{4}"
    assert (SPEC.field("travellers").minimum, SPEC.field("travellers").maximum) == (1, 9)
    assert SPEC.goal == "Book a trip for a family."


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("travellers", "4", 4),
        ("start", "2026-03-01", "2026-03-01"),
        ("start", dt.date(2026, 3, 1), "2026-03-01"),
        ("pace", "Slow", "slow"),
        ("stops", ["Faro"], ["Faro"]),
        ("budget", 2500, 2500.0),
    ],
)
def test_values_are_read_as_the_model_declares_them(name, raw, value):
    """A value comes out as JSON of the declared type, whatever form it was given in."""
    assert SPEC.read(name, raw) == (value, "")


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("travellers", 10),
        ("travellers", True),
        ("travellers", "many"),
        ("budget", 5),
        ("pace", "medium"),
        ("start", "someday"),
        ("destination", "x" * 501),
        ("destination", {"a": 1}),
        ("budget", float("nan")),
        ("budget", "1e999"),
    ],
)
def test_values_that_the_model_refuses_come_with_a_reason(name, raw):
    """What the type or its limits refuse is no value, and the reason is in words without the value's text."""
    value, why = SPEC.read(name, raw)
    assert value is None
    assert why
    assert "xxx" not in why


@pytest.mark.parametrize(
    ("told", "changes"),
    [
        ("node 'collect'", {"nodes": {"collect": ["nowhere"]}}),
        ("at least one node", {"nodes": {}}),
        ("share a name", {"nodes": [NodeSpec("a"), NodeSpec("a")]}),
        ("NodeSpec with a name", {"nodes": [NodeSpec(" ")]}),
        ("NodeSpec with a name", {"nodes": ["collect"]}),
        ("depends_on", {"depends_on": {"nowhere": ["hotel"]}}),
        ("depends_on\\['hotel'\\]", {"depends_on": {"hotel": ["nowhere"]}}),
        ("circle", {"depends_on": {"hotel": ["destination"], "destination": ["hotel"]}}),
        ("sources", {"sources": {"nowhere": ToolSource("t", ("a",))}}),
        ("ToolSource", {"sources": {"price": ("a",)}}),
        ("ToolSource", {"sources": {"price": ToolSource("t", ())}}),
        ("depends on nothing", {"repaired": ["budget"]}),
        ("kinds", {"kinds": {"nowhere": "money"}}),
        ("the kind", {"kinds": {"budget": "gold"}}),
        ("a choice exactly if", {"kinds": {"budget": "choice"}}),
        ("none of its choices", {"synonyms": {"pace": {"medium": ["so-so"]}}}),
        ("none of its choices", {"synonyms": {"hotel": {"Ritz": ["the Ritz"]}}}),
        ("units", {"units": {"nowhere": "km"}}),
        ("transition", {"transition": "pay"}),
    ],
)
def test_a_wrong_declaration_fails_when_it_is_built_and_says_where(told, changes):
    """Whatever contradicts itself is refused at once, by name."""
    with pytest.raises(ConfigError, match=told):
        build(**changes)


@pytest.mark.parametrize("annotation", [dict, int | str, list[list[int]], bytes, complex, object])
def test_types_that_no_message_can_fill_are_refused(annotation):
    """A field of another type than those a task can hold is named in the error."""
    model = create_model("Odd", odd=(annotation, None), __config__={"arbitrary_types_allowed": True})
    with pytest.raises(ConfigError, match="'odd'"):
        build(model)


def test_unknown_fields_are_named():
    """Asking for a field that is not there says which ones are."""
    with pytest.raises(ConfigError, match="destination"):
        SPEC.field("nowhere")


@pytest.mark.parametrize("model", [dict, None, "Trip", Trip(destination="x")])
def test_only_a_pydantic_model_declares_fields(model):
    """Anything else is refused with what to pass."""
    with pytest.raises(ConfigError, match="Pydantic"):
        build(model)


def test_a_lone_surrogate_is_replaced():
    """What cannot be encoded never reaches a view."""
    assert SPEC.read("hotel", "a\ud800") == ("a\ufffd", "")

"""What people say about food, names, a table for one, a later time, another currency; each kind with what only looks like it."""

from __future__ import annotations

import datetime as dt  # noqa: TC003  (Pydantic reads it)
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel, Field

from langchain_contextmode import Scope, TaskSpec, prepare_context


class Table(BaseModel):
    """Reserve a table."""

    food: str | None = Field(None, description="Kind of food or cuisine")
    area: str | None = Field(None, description="Area of the restaurant")
    guests: int | None = Field(None, description="Number of guests")
    time: dt.time | None = Field(None, description="Time of the reservation")
    customer_name: str | None = Field(None, description="Name of the customer")
    pizza: Literal["margherita", "funghi"] | None = None
    budget: float | None = Field(None, description="Budget in EUR")


TASK = TaskSpec.from_model(Table, nodes={"collect": ["food"]}, kinds={"budget": "money"}, units={"budget": "EUR"})


def said(*turns: str | tuple[str, str]) -> dict[str, Any]:
    """Return the values after the user's turns, and the open questions; a pair is what the assistant asked and what was answered."""
    log, state = [], None
    for number, turn in enumerate(turns):
        asked, text = turn if isinstance(turn, tuple) else ("Noted.", turn)
        log += [AIMessage(asked, id=f"a{number}"), HumanMessage(text, id=f"h{number}")]
        view = prepare_context(log, scope=Scope("u", "s"), task=TASK, state=state)
        state = view.state
    return dict(view.task.fields) | ({"?": view.task.questions} if view.task.questions else {})


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("A place that serves Greek would do.", {"food": "Greek"}),
        ("I'm in the mood for ramen.", {"food": "ramen"}),
        ("We want some Lebanese food.", {"food": "Lebanese"}),
        ("We'd like to eat tapas in Chelsea.", {"food": "tapas", "area": "Chelsea"}),
        (("What kind of food would you like?", "Something Jamaican would be great."), {"food": "Jamaican"}),
        (("Which area?", "Walnut Creek is fine."), {"area": "Walnut Creek"}),
        (("Where should I look?", "South Bank sounds good"), {"area": "South Bank"}),
        ("想吃麻辣香锅，人多", {"food": "麻辣香锅"}),
        ("帮我找一家有炸窝头的餐馆", {"food": "炸窝头"}),
        ("有啥好吃的餐馆吗", {}),
        ("附近有酒店的地方也行", {}),
        ("We want to eat out somewhere.", {}),
        ("Is there good food?", {}),
        ("I could eat something.", {}),
    ],
)
def test_what_people_want_to_eat(turn: str | tuple[str, str], expected: dict[str, Any]) -> None:
    """A dish or a cuisine behind a verb of serving, wanting or eating is taken; a word that only stands there is not."""
    assert {name: value for name, value in said(turn).items() if name in {"food", "area"}} == expected


@pytest.mark.parametrize(
    ("turn", "name"),
    [
        ("Call me Bob.", "Bob"),
        ("The table is under Garcia.", "Garcia"),
        ("我叫王小明。", "王小明"),
        ("Call me tomorrow.", None),
        ("Call me at noon.", None),
        ("It is under construction.", None),
    ],
)
def test_what_people_are_called(turn: str, name: str | None) -> None:
    """A name behind "call me", "under" or 我叫 is taken where a field holds a person's name."""
    assert said(turn).get("customer_name") == name


@pytest.mark.parametrize(
    ("turns", "time"),
    [
        (("A table at 7 pm.", "Make it half past eight."), "20:30:00"),
        (("A table at 7 pm.", "Actually, 9:15."), "21:15:00"),
        (("A table at 7 pm.", "Make it 8:30 am."), "08:30:00"),
        (("A table at 7 pm.", "Make it 08:30."), "08:30:00"),
        (("A table at 11:00.", "Make it half past eleven."), "11:30:00"),
    ],
)
def test_a_changed_time_stays_in_its_half_of_the_day(turns: tuple[str, ...], time: str) -> None:
    """A time without its half of the day that takes the place of one after noon is after noon, too."""
    assert said(*turns)["time"] == time


def test_a_table_for_one_and_a_count_that_was_wrong() -> None:
    """A "for one" counts a person where it is a table; a value that was wrong is gone."""
    assert said("Could I get a table for one at half past eight in the evening?")["guests"] == 1
    assert "guests" not in said("We are 8 guests.", "8 guests was wrong.")
    assert said("We are 8 guests.", "8 guests was wrong, we are 6 guests.")["guests"] == 6


def test_a_refused_choice_behind_the_words_of_its_field_is_not_taken() -> None:
    """Saying "no pizza funghi" names funghi to refuse it."""
    assert "pizza" not in said("No pizza funghi please.")
    assert said("One pizza funghi please.")["pizza"] == "funghi"


def test_an_amount_in_another_currency_is_asked_about_and_changes_nothing() -> None:
    """The declared currency holds; the question says which one was said."""
    values = said("The budget is 900 euros.", "Make the budget $1000.")
    assert values["budget"] == 900
    assert "it is in USD, not in EUR" in values["?"][0]

"""Fields that hold a list: stated anew, added to, taken from, only named again; English and Chinese."""

from __future__ import annotations

from typing import Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel, Field

from langchain_contextmode import Scope, TaskSpec, prepare_context
from langchain_contextmode.task.changes import applied
from langchain_contextmode.task.state import TaskProgress
from langchain_contextmode.task.types import Found, Said


class Pizza(BaseModel):
    toppings: list[Literal["ham", "corn", "egg", "olives"]] | None = Field(None, description="toppings")
    size: Literal["small", "large"] | None = None


class Stay(BaseModel):
    facilities: list[Literal["健身房", "无线网络", "早餐服务", "停车场"]] | None = Field(None, description="酒店设施")


PIZZA = TaskSpec.from_model(Pizza, nodes={"collect": ["toppings"]})
STAY = TaskSpec.from_model(Stay, nodes={"收集": ["facilities"]})


def held(task, *turns):
    """Return what the list holds after the user's turns; a pair is what the assistant asked before and what the user said."""
    log, state, view = [], None, None
    for number, turn in enumerate(turns):
        asked, said = turn if isinstance(turn, tuple) else ("Noted.", turn)
        log += [AIMessage(asked, id=f"a{number}"), HumanMessage(said, id=f"h{number}")]
        view = prepare_context(log, scope=Scope("u", "s"), task=task, state=state)
        state = view.state
    return next(iter(view.task.fields.values()), None), view


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("Toppings: ham and corn.", "I'd like egg on it."), ["egg"]),
        (("Toppings: ham.", "Also corn, please."), ["ham", "corn"]),
        (("Toppings: ham.", "And corn."), ["ham", "corn"]),
        (("Toppings: ham.", "Add corn and egg."), ["ham", "corn", "egg"]),
        (("Toppings: ham.", "Corn, too."), ["ham", "corn"]),
        (("Toppings: ham.", "I want corn as well."), ["ham", "corn"]),
        (("Toppings: ham.", ("Anything else?", "Corn.")), ["ham", "corn"]),
        (("Toppings: ham.", ("还有其他要求吗？", "Corn")), ["ham", "corn"]),
        (("Toppings: ham and corn.", "The ham should be on one half."), ["ham", "corn"]),
        (("Toppings: ham and corn.", "Actually, only ham."), ["ham"]),
        (("Toppings: ham and olives.", "No olives, but corn."), ["ham", "corn"]),
        (("Toppings: ham and olives.", "Corn instead of olives."), ["ham", "corn"]),
        (("Toppings: ham and olives.", "No olives, please."), ["ham"]),
        (("Toppings: ham.", "Make it corn instead."), ["corn"]),
        (("Toppings: ham.", "Forget the toppings."), None),
        (("Toppings: ham.", "Large, please."), ["ham"]),
    ],
)
def test_a_pizza(turns: tuple, expected: list[str] | None) -> None:
    """A statement takes the place of the list, unless it says that it adds, takes out, or names what is there already."""
    assert held(PIZZA, *turns)[0] == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("我要有健身房的酒店", "帮我另外找一家提供早餐服务的酒店"), ["早餐服务"]),
        (("我要有健身房的酒店", "还要有停车场"), ["健身房", "停车场"]),
        (("我要有健身房的酒店", "再加上早餐服务"), ["健身房", "早餐服务"]),
        (("我要有健身房的酒店", "停车场也要"), ["健身房", "停车场"]),
        (("我要有健身房的酒店", ("还有别的要求吗？", "停车场")), ["健身房", "停车场"]),
        (("我要有健身房和停车场的酒店", "不要停车场了"), ["健身房"]),
    ],
)
def test_a_hotel_in_chinese(turns: tuple, expected: list[str]) -> None:
    """The same in Chinese: 还要, 也, 再加 add; a new search starts anew."""
    assert held(STAY, *turns)[0] == expected


def test_what_a_list_lost_is_nowhere_on_the_board_and_in_the_history() -> None:
    """A list stated anew leaves no old item in the board; the history has it."""
    _, view = held(PIZZA, "Toppings: ham and corn.", "I'd like egg on it.")
    block = next(message.text for message in view.messages if "<task" in message.text)
    assert "ham" not in block.split("Known:")[1]
    assert view.task.history["toppings"][0]["value"] == ["ham", "corn"]


def test_a_tool_that_lists_nothing_empties_a_list_and_one_whose_items_are_all_refused_does_not() -> None:
    """What corrects replaces, also by nothing; what is refused replaces nothing."""
    before, _ = applied(PIZZA, TaskProgress(), [Found("toppings", "ham", "ham", 0)], Said("h1"))
    emptied, _ = applied(PIZZA, before, [Found("toppings", [], "[]", 0, corrects=True)], Said("t1", "tool"))
    assert "toppings" not in emptied.values
    kept, _ = applied(PIZZA, before, [Found("toppings", ["tar"], "tar", 0, corrects=True)], Said("t1", "tool"))
    assert kept.values == before.values
    assert kept.questions

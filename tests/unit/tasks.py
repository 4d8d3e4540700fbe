"""A declared trip, for the tests of the task level."""

from __future__ import annotations

import datetime as dt  # noqa: TC003  (Pydantic reads it)
from typing import Literal

from pydantic import BaseModel, Field

from langchain_contextmode import NodeSpec, Scope, TaskSpec, ToolSource
from langchain_contextmode.task.changes import applied
from langchain_contextmode.task.settling import settled
from langchain_contextmode.task.state import TaskProgress
from langchain_contextmode.task.types import Found, Said

SCOPE = Scope("u1", "s1")


class Trip(BaseModel):
    """Book a trip for a family."""

    destination: str | None = Field(None, description="City to travel to")
    travellers: int | None = Field(None, ge=1, le=9)
    budget: float | None = Field(None, ge=100, description="Most that the trip may cost")
    start: dt.date | None = Field(None, description="Day of departure")
    hotel: str | None = Field(None, description="Name of the hotel")
    pace: Literal["slow", "fast"] | None = None
    stops: list[str] | None = None
    price: float | None = Field(None, description="Price of the offer")


SPEC = TaskSpec.from_model(
    Trip,
    nodes=[NodeSpec("collect", ("destination", "travellers"), ("travel", "cities")), NodeSpec("propose", ("hotel",)), NodeSpec("pay")],
    name="trip",
    depends_on={"hotel": ["destination"], "price": ["hotel"]},
    sources={"price": ToolSource("quote", ("offer", "price"))},
    repaired=["price"],
    units={"budget": "EUR"},
)


def said(field, value, op="set", *, span=None, start=0, corrects=False):
    return Found(field, value, span or str(value), start, op, corrects)


def after(*messages, spec=SPEC):
    """Fold messages h1, h2, ... each a list of statements; return the task and the changes of the last one."""
    progress, changes = settled(spec, TaskProgress()), []
    for number, found in enumerate(messages, 1):
        progress, changes = applied(spec, progress, found, Said(f"h{number}", "human", number))
    return progress, changes

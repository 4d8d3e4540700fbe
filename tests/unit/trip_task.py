"""The bundled trip as a declared task: 25 turns, three changes of mind, one of them in Chinese."""

from __future__ import annotations

import datetime as dt  # noqa: TC003  (Pydantic reads it)
import json
from importlib.resources import files

from langchain_core.messages import convert_to_messages
from pydantic import BaseModel, Field

from langchain_contextmode import Scope, TaskSpec, prepare_context

SMALL_TALK = {48}
LAST = 63


class Trip(BaseModel):
    """Plan a week by the sea and book it."""

    destination: str | None = Field(None, description="City to travel to")
    travellers: int | None = Field(None, ge=1, le=9)
    budget: float | None = Field(None, ge=0, description="Most that everything may cost")
    hotel: str | None = Field(None, description="Name of the hotel")
    dinner_time: dt.time | None = Field(None, description="When dinner is")


TRIP = TaskSpec.from_model(
    Trip,
    nodes={"collect": ["destination", "travellers", "budget"], "propose": ["hotel"], "book": []},
    name="trip",
    depends_on={"hotel": ["destination"]},
    units={"budget": "EUR"},
    synonyms={"dinner_time": ["dinner"], "hotel": ["酒店"]},
)


def conversation():
    """Return the bundled conversation up to its third change of mind, without a joke."""
    lines = (files("langchain_contextmode") / "data" / "trip.jsonl").read_text(encoding="utf-8").splitlines()
    log, talk = [], False
    for number, message in enumerate(convert_to_messages([json.loads(line) for line in lines])[:LAST]):
        if message.type == "human":
            talk = number in SMALL_TALK
        if not talk:
            log.append(message)
    return log


def boards():
    """Yield the request and the board of each turn."""
    log, state = conversation(), None
    for end, message in enumerate(log, 1):
        if message.type == "human":
            view = prepare_context(log[:end], scope=Scope("daniel", "trip"), task=TRIP, state=state)
            state = view.state
            yield message.text, next(m.text for m in view.messages if m.id == "contextmode-task")

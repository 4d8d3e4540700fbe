"""A trip as declared fields, for the tests of the task level's extractor."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from langchain_contextmode.task.extract import hear
from langchain_contextmode.task.types import Choice, FieldSpec, Heard

if TYPE_CHECKING:
    from collections.abc import Sequence

SAID_AT = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
"""A Monday."""

TRIP = (
    FieldSpec("origin", "text", "City the trip starts from", ("origin", "from", "leaving from", "出发地", "出发")),
    FieldSpec("destination", "text", "City to travel to", ("destination", "to", "目的地", "去")),
    FieldSpec("departure_date", "date", "Day of departure", ("departure date", "departure", "leave", "出发日期", "出发")),
    FieldSpec("return_date", "date", "Day of the return", ("return date", "return", "返回日期", "返回", "回来")),
    FieldSpec("departure_time", "time", "Time of departure", ("departure time", "leave at", "出发时间")),
    FieldSpec("travelers", "people", "How many people travel", ("travelers", "people", "人数", "人")),
    FieldSpec("budget", "money", "Most that the trip may cost", ("budget", "spend", "cost", "预算", "花")),
    FieldSpec("rooms", "integer", "Number of rooms", ("rooms", "room", "房间")),
    FieldSpec("stay", "duration", "Length of the stay", ("stay", "how long", "住几天", "停留")),
    FieldSpec("hotel", "text", "Name of the hotel", ("hotel", "酒店"), depends_on=("destination",)),
    FieldSpec(
        "cabin",
        "choice",
        "Class of the flight",
        ("class", "cabin", "舱位"),
        choices=(
            Choice("economy", ("economy", "economy class", "coach", "经济舱")),
            Choice("premium_economy", ("premium economy", "超级经济舱")),
            Choice("business", ("business", "business class", "商务舱", "公务舱")),
        ),
    ),
    FieldSpec("breakfast", "boolean", "Breakfast included", ("breakfast", "早餐")),
    FieldSpec("parking", "boolean", "Parking needed", ("parking", "停车", "车位")),
)


def heard(
    text: str,
    *,
    asked: str = "",
    values: dict[str, Any] | None = None,
    fields: Sequence[FieldSpec] = TRIP,
    said_at: datetime | None = SAID_AT,
) -> list[tuple[str, str, Any]]:
    """Return (field, operation, value) of what is heard, by field; every span is checked against the text first."""
    found = hear(fields, Heard("m1", text, said_at, asked), values or {})
    assert all(text[one.start : one.start + len(one.span)] == one.span and one.span for one in found), found
    return sorted((one.field, one.op, one.value) for one in found)

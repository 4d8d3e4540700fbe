"""Corrections, negations and fields that depend on others: 15 inputs written before the rules, 15 after them."""

from __future__ import annotations

from typing import Any

import pytest

from task_fields import heard

_NOW = {
    "origin": "Oslo",
    "destination": "Lisbon",
    "departure_date": "2026-03-12",
    "return_date": "2026-03-19",
    "travelers": 3,
    "budget": 20000,
    "rooms": 2,
    "hotel": "Ritz",
    "cabin": "economy",
    "breakfast": True,
}

BEFORE: list[tuple[str, str, list[tuple[str, str, Any]]]] = [
    ("Not 3 people, make it 4.", "", [("travelers", "set", 4)]),
    ("预算改成两万五", "", [("budget", "set", 25000)]),
    ("Forget the hotel, we'll stay with my aunt.", "", [("hotel", "clear", None)]),
    ("Actually, let's return on March 21 instead.", "", [("return_date", "set", "2026-03-21")]),
    ("不是3个人，是5个人", "", [("travelers", "set", 5)]),
    ("Sorry, I meant two rooms, not three.", "", [("rooms", "set", 2)]),
    ("Business class rather than economy, please.", "", [("cabin", "set", "business")]),
    ("早餐不要了", "", [("breakfast", "set", False)]),
    ("Change the destination to Porto.", "", [("destination", "set", "Porto")]),
    ("还是坐商务舱吧", "", [("cabin", "set", "business")]),
    ("What if we went in May?", "", []),
    ("Anything but the Ritz.", "Which hotel would you like?", [("hotel", "refuse", "Ritz")]),
    ("酒店不要了，我们住朋友家", "", [("hotel", "clear", None)]),
    ("No, the 14th.", "You leave on March 12, right?", [("departure_date", "set", "2026-03-14")]),
    ("出发时间换到下午三点半", "", [("departure_time", "set", "15:30")]),
]


@pytest.mark.parametrize(("text", "asked", "expected"), BEFORE)
def test_before(text: str, asked: str, expected: list[tuple[str, str, Any]]) -> None:
    """A change of mind gives the new value alone, whatever its wording."""
    assert heard(text, asked=asked, values=dict(_NOW)) == expected

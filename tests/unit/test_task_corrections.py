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

AFTER: list[tuple[str, str, list[tuple[str, str, Any]]]] = [
    ("On second thought, make the budget 18,000.", "", [("budget", "set", 18000)]),
    ("目的地换成波尔图，酒店也取消", "", [("destination", "set", "波尔图"), ("hotel", "clear", None)]),
    ("We're flying to Porto instead of Lisbon.", "", [("destination", "set", "Porto")]),
    ("我们不去里斯本了", "", [("destination", "refuse", "里斯本")]),
    ("We don't need breakfast any more.", "", [("breakfast", "set", False)]),
    ("Move the return from March 19 to March 22.", "", [("return_date", "set", "2026-03-22")]),
    ("人数不对，应该是六个人", "", [("travelers", "set", 6)]),
    ("Scratch that, three rooms.", "", [("rooms", "set", 3)]),
    ("My boss said we should take business class.", "", []),
    ("如果改成商务舱要多少钱？", "", []),
    ("No hotel needed after all.", "", [("hotel", "clear", None)]),
    ("Not economy.", "Economy class for the three of you?", [("cabin", "refuse", "economy")]),
    ("Would it be cheaper if we came back on March 25?", "", []),
    ("预算从两万提到三万", "", [("budget", "set", 30000)]),
    (
        "Can we change the flight to business class and leave on March 13?",
        "",
        [("cabin", "set", "business"), ("departure_date", "set", "2026-03-13")],
    ),
]


@pytest.mark.parametrize(("text", "asked", "expected"), [*BEFORE, *AFTER])
def test_a_change_of_mind(text: str, asked: str, expected: list[tuple[str, str, Any]]) -> None:
    """A change of mind gives the new value alone, and what is only supposed, asked or told of others gives none."""
    assert heard(text, asked=asked, values=dict(_NOW)) == expected


TAKEN_BACK: list[tuple[str, list[tuple[str, str, Any]]]] = [
    ("4 people, no, 5 people", [("travelers", "set", 5)]),
    ("四个人，不对，五个人", [("travelers", "set", 5)]),
    ("2 rooms, or rather 3", [("rooms", "set", 3)]),
    ("I'd prefer 2 rooms over 3", [("rooms", "set", 2)]),
    ("I would like to go to Porto.", [("destination", "set", "Porto")]),
    ("no business class", [("cabin", "refuse", "business")]),
    ("why 3 rooms?", []),
    ("do we need 3 rooms?", []),
    ("You said 3 rooms.", []),
    ("John says 3 rooms", []),
    ("I said 3 rooms!", [("rooms", "set", 3)]),
    ("a room for 2 adults and 2 children", [("travelers", "set", 4)]),
    ("没有早餐也行", []),
    ("$50 per person", []),
    ("We return by noon", []),
    ("也不要坐大巴去杜罗河谷", [("destination", "refuse", "杜罗河谷")]),
    ("nothing that leaves before 9:00", []),
    ("Porto instead. Forget Lisbon.", [("destination", "set", "Porto")]),
    ("Wait, one thing on dates", []),
    ("The support agent said 3 rooms are fine", []),
    ("My friend paid 900 euros for hers", []),
    ("我妈说要三个房间", []),
    ("四个人还是五个人呢？", []),
    ("I don't want it with breakfast", [("breakfast", "set", False)]),
    ("breakfast need not be included, no longer breakfast please", [("breakfast", "set", False)]),
    ("one more person is coming", []),
    ("two of the people cancelled", []),
    ("budget -5 euros", []),
    ("There were 20 people at the previous party", []),
]


@pytest.mark.parametrize(("text", "expected"), TAKEN_BACK)
def test_what_is_taken_back_asked_or_told_by_others_is_no_value(text: str, expected: list[tuple[str, str, Any]]) -> None:
    """The last word of a message stands; questions, words of others, limits and prices per head set nothing."""
    assert heard(text, values=dict(_NOW)) == expected

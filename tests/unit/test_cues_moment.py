"""Refusals by source, narrow hours and comparisons are demands; descriptions, other people's plans and wishes of the moment are none."""

from __future__ import annotations

import pytest

from langchain_contextmode.cues import spot

DEMANDS = [
    "Wherever we order, nothing from Brandt, they were late twice.",
    "Nothing by Kellner & Co, they let us down.",
    "Visits only in the morning, my mother sleeps after lunch.",
    "Deliveries only before eleven, the gate closes.",
    "We'd sooner camp than book a hostel.",
    "送货只能上午，下午没人。",
    "反正别找那家中介，上次被坑了。",
    "接口每次都要校验签名。",
]
PASSING = [
    "At the garage we always deal with the owner.",
    "The old pump has nothing to do with the leak",
    "订单表每次都全表扫描，没有索引。",
    "I need a word for happy that doesn't sound childish.",
    "Marta plans to work from home from now on.",
    "My cousin will take the bus from now on.",
    "Hold on with the order, let me look at the colours first.",
    "My wrist hurts from that mouse.",
    "Nothing from the bank yet.",
]


@pytest.mark.parametrize("text", DEMANDS)
def test_what_is_ruled_out_by_source_or_hour_is_pinned(text):
    """Who is not to be dealt with, when something fits, and what one would sooner do outlasts the message."""
    assert spot(text)


@pytest.mark.parametrize("text", PASSING)
def test_descriptions_and_plans_of_others_are_no_pins(text):
    """How things are, what others will do, what is wanted right now constrains nothing."""
    assert spot(text) == ()

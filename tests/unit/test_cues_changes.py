"""A change of mind in one's own words replaces what was said, also where it names the old value or begins with "also"."""

from __future__ import annotations

import pytest

from langchain_contextmode.cues import lifts, overrules, spot

CHANGED = [
    ("Scrap the 40 dollar ceiling for gifts, 60 is fine now.", "No more than 40 dollars for gifts."),
    ("Never mind the 300 pounds, we can stretch to 450.", "The tent must stay below 300 pounds."),
    ("Let's raise it to 2,000 for the kitchen.", "The kitchen must not cost more than 1,500 euros."),
    ("Forget the 70 a night, we can go up to 95.", "The room has to stay under 70 euros a night."),
    ("Trains are fine from now on, I changed my mind about flying.", "I prefer to fly."),
    ("From now on a manual gearbox, I changed my mind about the automatic.", "Always book me an automatic car, please."),
    ("Also, I changed my mind: answers in German from now on.", "Answer in English."),
    ("另外，回答改成英文吧。", "请用中文回答我。"),
    ("还有，交稿时间改到周五了。", "最晚周三交稿。"),
    ("对了，酒店每晚的上限提高到六百。", "酒店每晚不超过四百元。"),
    ("还有，装修的预算改了，九万以内都可以。", "这次装修预算不要超过七万块。"),
    ("别再按六千算了，一万以内都行。", "整个装修预算控制在六千元。"),
]
BOTH_HOLD = [
    ("还有，酒店预算改成每晚八百。", "机票不要超过两千块。"),
    ("还有，礼物预算改成三百。", "这次团建预算不要超过五千块。"),
    ("另外，礼物预算三百以内。", "这次团建预算不要超过五千块。"),
    ("还有，我也不吃鱼。", "我不吃肉。"),
    ("Also, no more than 50 euros for gifts now.", "Keep the whole weekend under 900 euros, please."),
    ("We can go up to 80 for the concert tickets.", "Keep the hotel under 900 euros."),
    ("Also keep the deposit under 500 euros.", "Keep the rent under 900 euros."),
    ("Up to 9 people can come on Sunday now.", "At most 5 nights in one place."),
    ("From now on window seats for my wife, please.", "I like aisle seats."),
    ("Forget about the museum, we can go to the beach.", "No more than 3 museums."),
]


@pytest.mark.parametrize(("new", "old"), CHANGED)
def test_a_change_of_mind_replaces_what_was_said(new, old):
    """The later sentence is pinned itself and replaces the earlier one, whatever it opens with and whether it names the old value."""
    assert spot(new)
    assert spot(old)
    assert overrules(new, old)


@pytest.mark.parametrize(("new", "old"), BOTH_HOLD)
def test_another_matter_leaves_a_demand_alone(new, old):
    """An amount for something else, an addition, or somebody else's seat replaces and lifts nothing."""
    assert not overrules(new, old)
    assert not lifts(new, old)

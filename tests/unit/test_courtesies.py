"""Courtesies are no request."""

from __future__ import annotations

import pytest

from langchain_contextmode.memories.courtesies import without_courtesies
from langchain_contextmode.memories.useful import useful
from langchain_contextmode.relevance.terms import terms_of


@pytest.mark.parametrize(
    "text",
    [
        "Thanks! I don't need any further help from you on the matter.",
        "No, that's all. Thanks so much! I appreciate your hard work.",
        "Great, thank you for all your help. Have a lovely day, bye!",
        "Thanks again",
        "Sounds very good. That's all for now.",
        "好的，谢谢，我没有其他问题了。",
        "谢谢您的推荐，我的问题问完了。",
        "收到，非常感谢！再见！",
    ],
)
def test_thanks_and_goodbyes_are_not_searched_for(text):
    """A message of courtesies alone names nothing, even at the beginning of a session."""
    assert not useful(text, [], first=True).yes


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Thanks for the tip, now find a vegetarian restaurant", "vegetarian restaurant"),
        ("Thank you for that, can you book a hotel in Porto?", "hotel Porto"),
        ("谢谢，再帮我找一家安静的酒店", "安静的酒店"),
        ("好的，旅行计划帮我排一下", "旅行计划"),
        ("行李可以带多少", "行李"),
    ],
)
def test_a_request_beside_thanks_stays(text, left):
    """What is asked for in the same message is searched for."""
    assert set(terms_of(left)) <= set(terms_of(without_courtesies(text)))
    assert useful(text, [], first=True).yes

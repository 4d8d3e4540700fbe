"""Decisions in few words and in the present tense; habits, conditions and pointers that settle nothing by themselves."""

from __future__ import annotations

from time import perf_counter

import pytest

from langchain_contextmode.cues import decisions

SETTLED = [
    "Fine, we cancel the stand at the fair.",
    "Okay, we delay the audit to week 12.",
    "So we're dropping the newsletter.",
    "For the floor we stick to oak.",
    "For the cover we'll keep the grey one",
    "Alright, I'm taking the corner flat.",
    "We skip the intro and start with the demo.",
    "We're going ahead with Postgres.",
    "Good, we switch to weekly meetings.",
    "Nordic blue, final answer",
    "The larger van, and that's final.",
    "买第二个，别的不看了。",
    "就走水路，陆路不考虑了。",
    "行，发布推迟到下周三。",
    "好，年会地点就定在苏州。",
    "第三家，签吧。",
    "就按第一版来。",
]
OPEN = [
    "Then let's use that.",
    "I'll take it slowly.",
    "The oldest entries are cancelled first.",
    "Jobs are scheduled by priority.",
    "The ferry is cancelled whenever it storms.",
    "We stay with my aunt every summer.",
    "If it rains, we cancel the picnic.",
    "OK, we usually postpone such things.",
    "We drop by sometimes.",
    "We keep losing keys.",
    "Do we keep the old one?",
    "那就太好了。",
    "那就麻烦你了。",
    "那就谢谢了。",
    "是不是就用方案甲？",
    "好吧。",
]


@pytest.mark.parametrize("text", SETTLED)
def test_a_choice_in_few_words_is_a_decision(text):
    """What somebody settles in the present tense, by a word of finality or by crossing out the rest is found and copied."""
    assert decisions(text) == (text,)


@pytest.mark.parametrize("text", OPEN)
def test_habits_conditions_and_relief_settle_nothing(text):
    """How things are done, what depends on something, a pointer and thanks are no decisions."""
    assert decisions(text) == ()


@pytest.mark.parametrize("unit", ["ok ", "，", "就用", "ok, we ", "a，订", "final, "])
def test_huge_texts_are_looked_at_quickly(unit):
    """A text eight times as long takes about eight times as long."""

    def seconds(size):
        start = perf_counter()
        decisions(unit * (size // len(unit)))
        return perf_counter() - start

    assert seconds(160_000) < 24 * max(seconds(20_000), 0.002)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode.memories.consent import Wish, tombstone, unburied, wish_of, withheld
from langchain_contextmode.memories.decay import ARCHIVE_BELOW, DAY_MS, core, decayed, faded, used, weight
from langchain_contextmode.memories.gate import heirs, is_emphasised, is_vague, passes
from langchain_contextmode.memories.importance import importance_of
from langchain_contextmode.memories.memory import Memory

YEAR = 365 * DAY_MS


@pytest.mark.parametrize(
    "text",
    [
        "that one is fine too",
        "sounds good",
        "I like it",
        "I like this hotel",
        "maybe something lighter",
        "whatever you think",
        "都可以",
        "那个也行",
        "这个挺好看",
        "",
    ],
)
def test_remarks_in_passing_are_vague(text):
    """They name nothing, point at something at hand, or leave it open."""
    assert is_vague(text)


@pytest.mark.parametrize("text", ["I prefer tea", "I love small towns", "I always take the aisle", "我喜欢喝茶", "我对花生过敏"])
def test_statements_are_not_vague(text):
    """What names its matter says something by itself."""
    assert not is_vague(text)


def test_careful_words_on_health_are_not_vague():
    """Somebody who is probably allergic is taken at their word."""
    assert not is_vague("I'm probably allergic to cats", "allergy")
    assert is_vague("I probably like cats", "taste")


@pytest.mark.parametrize(
    "text",
    [
        "I always take the aisle",
        "Never forget: no nuts",
        "Remember: I live in Rome",
        "From now on use metric",
        "no nuts!!",
        "请记住我吃素",
        "以后都用中文",
        "这很重要",
    ],
)
def test_stress_is_heard(text):
    """Words of weight, standing orders and exclamation marks."""
    assert is_emphasised(text)


@pytest.mark.parametrize("text", ["I like tea", "我喜欢茶", "I remembered it", "nice!"])
def test_plain_words_are_no_stress(text):
    """A liking alone is not stressed."""
    assert not is_emphasised(text)


def test_the_gate():
    """Two turns or stress, active, and never vague."""
    assert passes(Memory(text="x", turns=("a", "b")))
    assert passes(Memory(text="x", turns=("a",), emphasised=True))
    assert not passes(Memory(text="x", turns=("a",)))
    assert not passes(Memory(text="x", turns=("a", "b"), vague=True))
    assert not passes(Memory(text="x", turns=("a", "b"), status="superseded"))


def test_heirs_are_found_over_any_number_of_steps():
    """What replaced what replaced a promoted row is an heir; rings end."""
    rows = [
        Memory(text="1", id="1", promoted=True, superseded_by="2"),
        Memory(text="2", id="2", superseded_by="3"),
        Memory(text="3", id="3", superseded_by="1"),
    ]
    assert heirs(rows) == {"1", "2", "3"}


def test_importance_decays_by_a_tenth_a_month():
    """0.9 for thirty days without use, again for each thirty more; nothing fades before it was used or with clocks apart."""
    assert decayed(0.5, 1, 1 + 30 * DAY_MS) == pytest.approx(0.45)
    assert decayed(0.5, 1, 1 + 60 * DAY_MS) == pytest.approx(0.405)
    assert decayed(0.5, 0, YEAR) == decayed(0.5, YEAR, 1) == 0.5


def test_what_harms_when_forgotten_never_fades():
    """Pinned, health, diet, bans and the name stay; the rest is archived in time."""
    old = Memory(text="x", importance=0.5, created_at=1)
    assert faded(old, 1 + 5 * YEAR)
    for kept in (
        Memory(text="x", importance=0.5, created_at=1, pinned=True),
        Memory(text="x", importance=0.5, created_at=1, attribute="allergy"),
    ):
        assert core(kept)
        assert weight(kept, 1 + 50 * YEAR) == 0.5


@given(st.floats(0, 1), st.integers(0, 10**13), st.integers(0, 10**13))
def test_weights_stay_within_their_range(importance, last, now):
    """Fading never raises and never leaves 0..1; use never lowers."""
    assert 0 <= decayed(importance, last, now) <= importance
    assert importance <= used(importance) <= 1
    assert ARCHIVE_BELOW < importance_of("health", "", emphasised=True, vague=False) <= 1


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Don't remember this: my ex is called Tom", Wish("withhold", "message")),
        ("Off the record, I hate my job", Wish("withhold", "message")),
        ("Please do not remember that.", Wish("withhold", "previous")),
        ("别记这个", Wish("withhold", "previous")),
        ("我的工资是三万，别记下来", Wish("withhold", "message")),
        ("Please don't save any of this conversation.", Wish("withhold", "onwards")),
        ("Forget that.", Wish("forget", "previous")),
        ("Forget what I just told you", Wish("forget", "previous")),
        ("忘掉这个", Wish("forget", "previous")),
        ("Forget that I live in Berlin", Wish("forget", "matter", "that i live in berlin")),
        ("把我的地址忘掉", Wish("forget", "matter", "我的地址")),
        ("Forget everything about me", Wish("forget", "all")),
    ],
)
def test_wishes_are_heard(text, wish):
    """What is not to be remembered, and how far it reaches."""
    assert wish_of(text) == wish


@pytest.mark.parametrize(
    "text",
    [
        "Forget it",
        "Don't forget my birthday",
        "我忘了密码",
        "别忘了我吃素",
        "I forget that all the time",
        "Remember this",
        "I don't remember his name",
        "",
    ],
)
def test_talk_about_remembering_is_no_wish(text):
    """Reminders, dropped topics and one's own memory ask for nothing."""
    assert wish_of(text) is None


def test_a_wish_covers_what_it_is_about():
    """Alone it covers the statement before it; from "this conversation" on it covers all that follows."""
    assert withheld([("h1", "I live in Rome"), ("h2", "Don't remember that"), ("h3", "I like tea")]) == {"h1", "h2"}
    assert withheld([("h1", "a b"), ("h2", "Don't save any of this conversation"), ("h3", "I like tea")]) == {"h2", "h3"}


def test_what_was_forgotten_is_not_derived_again():
    """A tombstone names a source in its session, never its text; another session's message of this id is another source."""
    stones = [tombstone("s1", "h1")]
    assert unburied([("h1", "I live in Rome"), ("h2", "x")], "s1", stones) == [("h2", "x")]
    assert len(unburied([("h1", "I live in Rome")], "s2", stones)) == 1
    assert tombstone("a", "bc") != tombstone("ab", "c")


@given(st.text(max_size=300))
def test_no_text_raises(text):
    """Any text is judged."""
    is_vague(text)
    is_emphasised(text)
    wish_of(text)
    tombstone("s", text)

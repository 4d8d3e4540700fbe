"""How stored rows are scored: words, related words, vectors, areas of life."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from langchain_contextmode import EphemeralMemoryStore, Memory, Scope, prepare_context
from langchain_contextmode.memories.areas import areas_of, same_area
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.stores.hybrid import scored

ANA = Scope("ana", "today")


def areas(text):
    return areas_of(terms_of(text))


def order(query, *texts, **options):
    rows = [Memory(text=text, id=str(number)) for number, text in enumerate(texts)]
    return [row.text for row in scored(rows, query, {}, limit=len(rows), **options)]


@pytest.mark.parametrize(
    ("query", "fits", "other"),
    [
        ("Find a restaurant in the old town", "I am allergic to shellfish.", "I prefer window seats."),
        ("Which lipstick would suit me?", "I avoid fragrances on my skin.", "I hate turn-based combat."),
        ("帮我订一家餐厅", "我吃素,不要牛肉。", "我喜欢看恐怖片。"),
        ("推荐一家酒店", "房间要安静。", "我在学英语。"),
    ],
)
def test_a_preference_of_the_same_area_comes_to_mind(query, fits, other):
    """Who asks for a restaurant is reminded of a diet, though no word is shared; in English and Chinese."""
    assert order(query, other, fits)[0] == fits


def test_a_shared_word_counts_more_than_a_related_one():
    """The pet that is named comes before one of the same family, and that before something else."""
    texts = ("My cat sleeps all day.", "My dog barks at night.", "The printer is broken.")
    assert order("What does my dog do?", *texts) == [texts[1], texts[0], texts[2]]


@given(st.text(max_size=80), st.text(max_size=80))
def test_areas_are_compared_alike_from_both_sides(first, second):
    """Nearness of areas is 0..1, the same from both sides, and a text with an area is wholly of its own."""
    one, two = areas(first), areas(second)
    assert 0.0 <= same_area(one, two) <= 1.0
    assert math.isclose(same_area(one, two), same_area(two, one))
    assert not one or math.isclose(same_area(one, one), 1.0)


@given(
    st.text(max_size=60),
    st.lists(st.text(min_size=1, max_size=60), max_size=8),
    st.floats(-1, 1),
    st.booleans(),
)
def test_scores_stay_in_their_range(query, texts, near, words_only):
    """Whatever is stored and asked, each row has a score in 0..1, and they fall."""
    rows = [Memory(text=text, id=str(number)) for number, text in enumerate(texts)]
    found = scored(rows, query, {row.id: near for row in rows}, limit=20, words_only=words_only)
    assert len(found) == len(rows)
    scores = [row.score for row in found]
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert scores == sorted(scores, reverse=True)


def test_a_diet_is_in_the_view_of_a_request_for_a_restaurant():
    """What plainly bears on the request is recalled, and what is far beside it is not."""
    store = EphemeralMemoryStore()
    texts = ("I am a strict vegetarian.", "My sister is called Maria.", "I drive a blue van.")
    store.add(Scope("ana", "before"), [Memory(text=text, type="preference", promoted=True) for text in texts])
    view = prepare_context([HumanMessage("Find a restaurant for tonight", id="q")], scope=ANA, store=store)
    assert [memory.text for memory in view.memories] == [texts[0]]

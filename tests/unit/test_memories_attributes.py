from __future__ import annotations

import pytest

from langchain_contextmode.memories.attributes import fact_of, same_statement, supersedes
from langchain_contextmode.memories.extract import Found, memory_of


def memory(text):
    return memory_of(Found(text, None, emphasised=False), "h1", "s1:1")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin.", "I moved to Rome."),
        ("I live in Berlin.", "I don't live in Berlin any more."),
        ("I like jazz.", "I don't like jazz any more."),
        ("I hate olives.", "I love olives now."),
        ("I prefer window seats.", "I prefer the aisle."),
        ("I work at Siemens.", "I left Siemens for Bosch."),
        ("I have a dog.", "My dog died."),
        ("I use Vim.", "I switched from Vim to Helix."),
        ("My favourite band is Muse.", "My favourite band is Blur these days."),
        ("My sister lives in Rome.", "My sister moved to Pisa."),
        ("我住在北京。", "我搬到上海了。"),
        ("我喜欢咖啡。", "我不再喜欢咖啡了。"),
        ("我喜欢靠窗。", "我喜欢靠过道。"),
        ("我在腾讯工作。", "我从腾讯跳槽到阿里了。"),
    ],
)
def test_a_new_value_takes_the_place_of_the_old_one(old, new):
    """Of one subject, one attribute with one value at a time; a value denied; a value given up."""
    assert supersedes(memory(new), memory(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I like jazz.", "My brother doesn't like jazz."),
        ("I live in Berlin.", "My sister moved to Rome."),
        ("My sister lives in Rome.", "My brother moved to Pisa."),
        ("I like jazz.", "I like tea."),
        ("I like tea.", "I also like coffee."),
        ("I'm allergic to nuts.", "I'm allergic to milk."),
        ("I'm vegetarian.", "I'm lactose intolerant."),
        ("I'm married.", "I'm retired."),
        ("I live in Berlin.", "I live in a small flat."),
        ("I prefer window seats on planes.", "I prefer the aisle on trains."),
        ("My dentist is Dr. Lee.", "My doctor is Dr. Costa."),
        ("My favourite food is sushi.", "My favourite colour is red."),
        ("I prefer window seats on long flights.", "Answer in short sentences from now on."),
        ("I live in Berlin.", "that one is fine too"),
        ("我住在北京。", "我弟弟住在上海。"),
        ("我喜欢咖啡。", "我也喜欢茶。"),
        ("我对花生过敏。", "我老婆对海鲜过敏。"),
    ],
)
def test_what_only_looks_alike_leaves_it(old, new):
    """Another person, another thing, another place, what adds, and several likings hold side by side, in either order."""
    assert not supersedes(memory(new), memory(old))
    assert not supersedes(memory(old), memory(new))


@pytest.mark.parametrize(
    "text", ["Do you live in Rome?", "我住在哪里？", "If I lived in Rome", "I have a question", "You live in Rome", ""]
)
def test_what_tells_nothing_has_no_attribute(text):
    """Questions, suppositions, matters of the moment and talk about others give none."""
    assert fact_of(text) is None


def test_a_past_liking_is_denied_now():
    """What somebody used to like they do not like now; where they lived once says nothing about now."""
    assert fact_of("I used to like jazz.").polarity == -1
    assert fact_of("I used to live in Rome.") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("I like tea.", "I love tea!", True),
        ("I like tea.", "i like  TEA", True),
        ("I like tea.", "I like tea cakes.", False),
        ("I like tea.", "I don't like tea.", False),
        ("I like tea.", "My wife likes tea.", False),
        ("我对花生过敏", "我对花生严重过敏。", True),
    ],
)
def test_the_same_in_other_words_is_the_same(one, other, same):
    """Strength does not matter; more words in the value, another mood or another person do."""
    assert same_statement(memory(one), memory(other)) is same

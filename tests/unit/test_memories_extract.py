from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_contextmode.memories.extract import Said, extract, own_text, said, said_in
from langchain_contextmode.parsing import parse


def of(text):
    return extract([Said("h1", text)], turn_key="s1:1")


@pytest.mark.parametrize(
    ("text", "kind", "subject", "attribute", "value"),
    [
        ("I live in Lisbon.", "fact", "user", "home", "lisbon"),
        ("我住在成都。", "fact", "user", "home", "成都"),
        ("My name is Marta Silva.", "fact", "user", "name", "marta silva"),
        ("我叫沈听澜，在云杉科技做测试。", "fact", "user", "name", "沈听澜"),
        ("I work as a nurse.", "fact", "user", "job", "nurse"),
        ("I'm allergic to peanuts.", "fact", "user", "allergy", "peanuts"),
        ("我老婆对花生过敏。", "fact", "老婆", "allergy", "花生"),
        ("My brother likes jazz.", "preference", "my brother", "taste", "jazz"),
        ("I have two kids.", "fact", "user", "has", "two kids"),
        ("My birthday is on May 3rd.", "fact", "user", "birthday", "may 3rd"),
        ("I speak Dutch.", "fact", "user", "speaks", "dutch"),
        ("My favourite colour is green.", "preference", "user", "favourite colour", "green"),
        ("my seat preference is aisle, actually window", "preference", "user", "seat", "window"),
        ("Always answer in German.", "instruction", "user", "", ""),
    ],
)
def test_a_statement_becomes_a_memory_in_its_own_words(text, kind, subject, attribute, value):
    """Preferences, facts about the speaker and theirs, and standing orders are found; the text is copied."""
    (memory,) = of(text)
    assert (memory.text, memory.type, memory.subject, memory.attribute, memory.value) == (text, kind, subject, attribute, value)
    assert memory.turns == ("s1:1",)
    assert memory.source_message_ids == ("h1",)


@pytest.mark.parametrize(
    "text",
    [
        "Book a table for 7 tonight",
        "今晚帮我订个位子",
        "Convert 3 miles to km",
        "How can I speed up the list?",
        "Do I live in Lisbon?",
        "I'm tired today",
        "remember to book the hotel",
        "If I lived in Rome I would like it.",
        'He said "I live in Rome" and left.',
        "My mother says I should live in Rome.",
        "> I live in Lisbon.\n> I like jazz.",
        "Translate this:\nI live in Lisbon and I like jazz.",
        "```\nI live in Lisbon.\n```",
        "My wifi password is hunter2 and I like it",
        "",
        "   ",
    ],
)
def test_what_holds_only_now_or_is_not_their_own_is_no_memory(text):
    """Requests of the moment, questions, suppositions, the words of others, pasted text and secrets leave no memory."""
    assert of(text) == []


def test_two_statements_of_one_sentence_are_two_memories():
    """Each part that says something by itself is copied by itself."""
    assert [memory.text for memory in of("I'm vegetarian and I live in Porto.")] == ["I'm vegetarian", "I live in Porto."]


def test_a_sentence_that_refers_back_takes_the_one_before_along():
    """A pronoun is made clear by copying, not by rewriting."""
    text = "I have a dog. He is allergic to chicken."
    assert [memory.text for memory in of(text)] == ["I have a dog.", text]


def test_a_remark_on_something_at_hand_is_vague():
    """It is kept for counting, with little weight, and never stressed."""
    (memory,) = of("I really love this one!!")
    assert memory.vague
    assert not memory.emphasised
    assert memory.importance < 0.3


def test_only_what_humans_said_in_this_session_is_read():
    """Assistants, tools, recalled memories and blocks of this package are never read again."""
    log = [
        HumanMessage("I live in Lisbon.", id="h1"),
        AIMessage("I live in Rome.", id="a1", tool_calls=[{"name": "f", "args": {}, "id": "c1", "type": "tool_call"}]),
        ToolMessage("I live in Oslo.", tool_call_id="c1", id="t1"),
        HumanMessage("I live in Kyiv.", id="h2", additional_kwargs={"contextmode": {"source": "memory"}}),
    ]
    assert [message.id for message in said(log)] == ["h1"]
    assert said(log) == said_in(parse(log).blocks)


def test_only_the_text_parts_of_a_message_are_read():
    """Parts of one sentence are joined; media leave no placeholder, and an image alone leaves nothing."""
    parts = [
        {"type": "text", "text": "I keep bees"},
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "text", "text": "on the roof."},
    ]
    assert own_text(HumanMessage(parts)) == "I keep bees on the roof."
    assert own_text(HumanMessage([{"type": "image_url", "image_url": {"url": "x"}}])) == ""


def test_what_somebody_asks_not_to_remember_is_not_found():
    """Neither the message itself nor the statement that the request is about."""
    human = [
        Said("h1", "I live in Lisbon."),
        Said("h2", "Don't remember that."),
        Said("h3", "Off the record: I hate my job."),
        Said("h4", "I like tea."),
    ]
    assert [memory.text for memory in extract(human)] == ["I like tea."]


@given(st.text(max_size=300))
def test_every_memory_is_copied(text):
    """Whatever is said, nothing raises and every text stands in the message."""
    message = Said("h1", own_text(HumanMessage(text)))
    assert all(memory.text in message.text for memory in extract([message]))


@pytest.mark.parametrize("unit", ["a", "I like ", "my my ", "我喜欢", "I live in ", "；", "really ", "now i have had ", "!"])
def test_a_huge_message_is_read_in_time(unit):
    """100,000 characters of anything take seconds at most."""
    begun = time.monotonic()
    of(unit * (100_000 // len(unit)))
    assert time.monotonic() - begun < 10

"""Which field a value belongs to, and what is no statement at all."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_fields import SAID_AT, TRIP, heard

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.task.extract import check_dates_available, dates, hear
from langchain_contextmode.task.types import Choice, FieldSpec, Heard


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We leave on March 12 and return on March 19.", {"departure_date": "2026-03-12", "return_date": "2026-03-19"}),
        ("3月12号出发，19号回来", {"departure_date": "2026-03-12", "return_date": "2026-03-19"}),
        ("From Oslo to Lisbon", {"origin": "Oslo", "destination": "Lisbon"}),
        ("从奥斯陆去里斯本", {"origin": "奥斯陆", "destination": "里斯本"}),
        ("3 rooms for 5 people", {"rooms": 3, "travelers": 5}),
        ("两个房间，四个人", {"rooms": 2, "travelers": 4}),
        ("Premium economy, please", {"cabin": "premium_economy"}),
        ("我们坐超级经济舱", {"cabin": "premium_economy"}),
        ("The hotel is Casa Azul.", {"hotel": "Casa Azul"}),
        ("The hotel is called “Casa Azul”, I think.", {"hotel": "Casa Azul"}),
        ("We need parking but no breakfast.", {"breakfast": False, "parking": True}),
        ("要停车，不要早餐", {"breakfast": False, "parking": True}),
    ],
)
def test_values_find_their_fields(text, expected):
    """Two fields of one kind are told apart by the words around the value."""
    assert {field: value for field, op, value in heard(text) if op == "set"} == expected


@pytest.mark.parametrize(
    "text", ["Either March 12 or March 13.", "3 or 4 people", "March 12?", "Hello there!", "It is the second one, I think.", "谢谢你"]
)
def test_what_is_not_certain_is_left_out(text):
    """A value that two fields could hold alike, an alternative and small talk say nothing."""
    assert heard(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "If we went for 6 people, what then?",
        "Last year we paid $900 for business class.",
        "My brother said he prefers business class.",
        "Does it have parking?",
        "要是去里斯本呢？",
        "去年我们住了三天",
        "> We leave on March 12 from Oslo",
        "```\nbudget: $500\n```",
    ],
)
def test_supposed_past_and_quoted(text):
    """What is only supposed, past, asked, quoted or pasted says nothing about this task."""
    assert heard(text) == []


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("Where will you leave from? Which origin?", "Oslo", [("origin", "set", "Oslo")]),
        ("What is your destination?", "Porto.", [("destination", "set", "Porto")]),
        ("您的目的地是哪里？", "里斯本", [("destination", "set", "里斯本")]),
        ("How many rooms do you need?", "Two, please", [("rooms", "set", 2)]),
        ("需要几个房间？", "三个", [("rooms", "set", 3)]),
        ("What is your budget?", "2000", [("budget", "set", 2000)]),
        ("Do you want breakfast?", "Yes, please.", [("breakfast", "set", True)]),
        ("需要早餐吗？", "不要", [("breakfast", "set", False)]),
        ("When do you return?", "March 19", [("return_date", "set", "2026-03-19")]),
        ("What is your destination?", "I don't know yet", []),
        ("What is your destination?", "Thanks", []),
        ("Anything else?", "No", []),
    ],
)
def test_bare_answers(asked, text, expected):
    """A bare value answers the field that was asked for, and only that one."""
    assert heard(text, asked=asked) == expected


def test_a_shared_choice_needs_a_cue():
    """A choice that two fields have belongs to the one whose cue stands near; without a cue to none."""
    names = (Choice("savings", ("savings", "储蓄")), Choice("checking", ("checking", "活期")))
    fields = [
        FieldSpec("source", "choice", cues=("source account",), choices=names),
        FieldSpec("target", "choice", cues=("target account",), choices=names),
    ]
    assert heard("The target account is savings", fields=fields) == [("target", "set", "savings")]
    assert heard("savings", fields=fields) == []


def test_words_have_borders():
    """A choice inside a longer word is not named."""
    field = FieldSpec("genre", "choice", cues=("genre",), choices=(Choice("pop", ("pop",)),))
    assert heard("A popular popcorn place", fields=[field]) == []
    assert heard("Some pop", fields=[field]) == [("genre", "set", "pop")]


def test_a_pattern_names_the_value():
    """A text field with a pattern takes the word that matches as a whole."""
    field = FieldSpec("order", "text", cues=("order",), pattern=r"[A-Z]{2}\d{4}")
    assert heard("It is about order AB1234, please.", fields=[field]) == [("order", "set", "AB1234")]
    assert heard("It is about order AB12345, please.", fields=[field]) == []


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text(text, asked):
    """Any text, lone surrogates too, gives spans that stand in it, the same at each reading, and no error."""
    said = Heard("m1", text, SAID_AT, asked)
    found = hear(TRIP, said, {})
    assert found == hear(TRIP, said, {})
    assert all(one.span and text[one.start : one.start + len(one.span)] == one.span for one in found)


@pytest.mark.parametrize("char", ["1", "a", "A ", "从", "不", " ", "March ", "\ud800", "两", "not ", "，", "$", "“", "1,", "to A", "St. "])
def test_huge_texts(char):
    """A megabyte of anything is read in a moment."""
    began = time.perf_counter()
    heard(char * (1_000_000 // len(char)))
    assert time.perf_counter() - began < 5


def test_the_end_of_a_huge_text_counts():
    """What stands at the end of a long paste is read, with its own place."""
    text = "word " * 200_000 + ". We need 3 rooms."
    assert heard(text) == [("rooms", "set", 3)]


def test_dates_need_a_parser(monkeypatch):
    """Without dateparser a task with dates is refused with a typed error that names the package."""
    check_dates_available()
    monkeypatch.setattr(dates, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match="dateparser"):
        check_dates_available()

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import LONE

from langchain_contextmode.spans import entities, holds


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("cancel ORD-4711 please", ("ORD-4711", "id")),
        ("订单 #12345 的地址", ("#12345", "id")),
        ("call get_user_name now", ("get_user_name", "id")),
        ("open src/app/main.py at once", ("src/app/main.py", "path")),
        ("what is in /etc/passwd?", ("/etc/passwd", "path")),
        ("see https://a.example/b?c=1.", ("https://a.example/b?c=1", "url")),
        ("for $1,200.50 at most", ("$1,200.50", "number")),
        ("room 404 is taken", ("404", "number")),
        ('he said "the usual"', ("the usual", "quoted")),
        ("我在看《三体》", ("三体", "quoted")),
        ("on the Premium Plus 500 plan", ("Premium Plus 500", "name")),
        ("flying to Lisbon tomorrow", ("Lisbon", "name")),
        ("Cancel John's flight", ("John", "name")),
        ("does LGBTQ matter", ("LGBTQ", "name")),
    ],
)
def test_entities_are_found_with_their_kind(text, span):
    """Ids, paths, URLs, numbers, quotes and names come out as written, without the punctuation around them."""
    assert span in [tuple(found) for found in entities(text)]


@pytest.mark.parametrize(
    "text", ["What did we say?", "Please book it.", "I have 2 kids and 10 cats", "e.g. and/or i.e.", "it's Monday in July", ""]
)
def test_ordinary_words_are_no_entities(text):
    """Sentence openings, small numbers, abbreviations and dates point at nothing in particular."""
    assert entities(text) == ()


@pytest.mark.parametrize(
    ("text", "entity", "there"),
    [
        ("Order ord-4711.", "ORD-4711", True),
        ("ORD-47115", "ORD-4711", False),
        ("XORD-4711", "ORD-4711", False),
        ("ORD-47115 and ORD-4711", "ORD-4711", True),
        ("去上海酒店吧", "上海酒店", True),
        ("住Hilton酒店", "Hilton", True),
        ("Lisbons", "Lisbon", False),
        ("1404", "404", False),
    ],
)
def test_an_entity_is_held_exactly_or_not_at_all(text, entity, there):
    """Case does not count; a longer word or number is another one; Chinese needs no spaces."""
    assert holds(text, entity) is there


@given(st.text())
def test_a_text_holds_its_own_entities(text):
    """Whatever is spotted in a text is found in it again."""
    assert all(holds(text, span.text) for span in entities(text) if span.text[0].isalnum() and span.text[-1].isalnum())


@pytest.mark.parametrize("unit", ["a", "-", "a-", "1-", "/-", "-/", "Ab. ", "A1 ", "a_", '"', LONE])
def test_time_grows_with_length_only(unit):
    """Five times the text takes about five times the time, whatever the text is."""

    def seconds(size):
        start = time.process_time()
        entities((unit * size)[:size])
        return time.process_time() - start

    assert seconds(100_000) < 10 * seconds(20_000) + 0.5

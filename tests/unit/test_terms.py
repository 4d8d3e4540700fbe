from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from langchain_contextmode.relevance import terms as module
from langchain_contextmode.relevance.dates import asked_dates
from langchain_contextmode.relevance.families import related_terms
from langchain_contextmode.relevance.stem import stem
from langchain_contextmode.relevance.terms import message_terms, surface_terms, terms_of, text_terms


@pytest.mark.parametrize(
    "forms",
    [
        "paint painting painted paints painter",
        "hope hoping hoped hopes",
        "plan planned planning plans",
        "study studied studying studies",
        "adopt adoption adopting adopted",
        "run ran running runs runner",
        "write wrote written writing writer",
        "child children",
        "party parties",
        "travel traveling travelled traveled",
        "create creation creative creating",
        "favorite favourite",
    ],
)
def test_forms_of_one_word_become_one_term(forms):
    """A question about painting finds who painted."""
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["party part", "story store", "career care", "need new", "king kin", "bus but", "speed spend", "red reed"])
def test_different_words_stay_different(pair):
    """A short stemmer that merges everything would find everything."""
    left, right = pair.split()
    assert stem(left) != stem(right)


def test_function_words_and_fillers_are_no_terms():
    """What carries no topic is not counted, with either apostrophe."""
    assert list(terms_of("Yeah, I don't think it's what you'd want, wow! He’s not")) == [stem("think"), stem("want")]


def test_chinese_is_cut_into_bigrams_without_pure_function_words():
    """Chinese needs no segmenter: neighbouring characters are terms, those of grammar alone are not."""
    found = text_terms("我想去上海，不要辣的").counts
    assert {"上海", "不要"} <= found.keys()
    assert "我的" not in text_terms("这是我的").counts


@pytest.mark.parametrize(("text", "term"), [("東京タワー", "東京"), ("서울에서", "서울"), ("订A座Hotel", "hotel")])
def test_japanese_korean_and_mixed_text_have_terms(text, term):
    """Scripts without spaces, and Latin words inside them, are found."""
    assert term in text_terms(text).counts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("order ORD-4711", {"ord-4711", "ord", "4711"}),
        ("call getUserName", {"user", stem("name")}),
        ("see my_module.py", {stem("module"), "py"}),
        ("costs 3.5 km", {"3.5", "km"}),
    ],
)
def test_identifiers_count_whole_and_by_their_parts(text, parts):
    """Who remembers half of an identifier still finds it."""
    assert parts <= text_terms(text).counts.keys()


def test_identifiers_are_told_from_words_and_numbers():
    """Letters and digits in one, five characters or more, make an identifier; a year or a short code does not."""
    assert set(text_terms("In 2024 user_17 took HAT039 from A4, certificate_7504069").ids) == {"user_17", "hat039", "certificate_7504069"}


def test_length_is_the_number_of_terms():
    """BM25 needs lengths that agree with its counts."""
    found = text_terms("red red wine")
    assert found.counts == {"red": 2, stem("wine"): 1}
    assert found.length == 3
    assert text_terms("").length == 0


def test_a_message_is_read_once(monkeypatch):
    """The second turn takes the terms of a known text from the cache, whatever the message's id."""
    message = HumanMessage("a text that no other test has: zebra crossing", id="1")
    first = message_terms(message)
    monkeypatch.setattr(module, "text_terms", lambda _: pytest.fail("computed twice"))
    assert message_terms(message.model_copy(update={"id": "2"})) is first


def test_tool_calls_count_as_text():
    """A call's arguments are what the message says."""
    call = {"name": "book_hotel", "args": {"city": "Lisbon"}, "id": "c1", "type": "tool_call"}
    assert {"lisbon", "hotel"} <= message_terms(AIMessage("", tool_calls=[call])).counts.keys()


@given(st.text())
def test_any_text_has_terms_that_its_surface_explains(text):
    """No input breaks the tokenizer, and every term can be traced to a word for the reasons."""
    assert set(terms_of(text)) == set(surface_terms(text))


def test_families_are_mutual_and_leave_the_word_itself_out():
    """Pets lead to the dog and the dog to pets; a word is not related to itself, an unknown one to nothing."""
    pet, dog = next(terms_of("pets")), next(terms_of("dogs"))
    assert dog in related_terms(pet)
    assert pet in related_terms(dog)
    assert pet not in related_terms(pet)
    assert related_terms("ord-4711") == frozenset()


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on 13 October 2023", [(10, 13, 2023)]),
        ("on October 13th, 2023?", [(10, 13, 2023)]),
        ("in June", [(6, None, None)]),
        ("the 5th of Aug", [(8, 5, None)]),
        ("2023-08-05", [(8, 5, 2023)]),
        ("2023年8月13日说的", [(8, 13, 2023)]),
        ("8月的时候", [(8, None, None)]),
        ("it may march on", []),
        ("May I?", []),
        ("was it in March?", [(3, None, None)]),
        ("May 2023", [(5, None, 2023)]),
        ("45 October", []),
    ],
)
def test_dates_of_a_request_are_read(text, dates):
    """Days and months are found in English, ISO and Chinese; a lone "may" or "march" is a verb, an impossible day no date."""
    assert [tuple(date) for date in asked_dates(text)] == dates

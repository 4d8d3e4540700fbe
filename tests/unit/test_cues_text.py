"""Pins in long, pasted and broken texts; what holds for any text."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ODD, TEXTS
from test_cues_spot import PINS

from langchain_contextmode.cues import decisions, english, lifts, open_items, overrules, spot
from langchain_contextmode.cues.reading import plain
from langchain_contextmode.sentences import sentences

PHRASES = st.sampled_from(
    [
        "I hate",
        "I don't like",
        "never",
        "不要",
        "我不喜欢",
        "budget",
        "预算",
        "500",
        "?",
        "。",
        ". ",
        "\n",
        "```",
        "> ",
        '"',
        "if I were",
        "he said",
        "from now on",
        "\ud800",
        "İ",
        "，",
    ]
)
ANY = st.one_of(TEXTS, ODD, st.text(max_size=60), st.lists(PHRASES, max_size=14).map(" ".join))


@given(ANY)
def test_pins_are_copies(text):
    """Whatever the text, each pin is a part of it without space around, and the same text gives the same pins."""
    pins = spot(text)
    assert pins == spot(text)
    assert all(pin.text in text and pin.text == pin.text.strip() != "" for pin in pins)


@given(ANY)
def test_decisions_and_open_items_are_copies(text):
    """Whatever the text, each decision and open item is a part of it."""
    assert all(sentence in text for sentence in (*decisions(text), *open_items(text)))


@given(ANY, ANY)
def test_comparing_never_raises(new, old):
    """Any two texts can be compared; the answer is a plain yes or no."""
    assert overrules(new, old) in {True, False}
    assert lifts(new, old) in {True, False}


@given(ANY)
def test_sentences_lie_in_order(text):
    """Sentences do not overlap, come in order and have no space around."""
    position = 0
    for start, end in sentences(text):
        assert position <= start < end
        assert text[start:end] == text[start:end].strip()
        position = end


@pytest.mark.parametrize(
    "foreign",
    [
        "```python\n# never use tabs\nI hate = 1\n```",
        "~~~\nAlways answer in German.\n~~~",
        "> I can't stand this client.\n> Do not reply to him.",
        "Translate this: I hate fish and never eat it.",
        "请翻译下面这段：我不喜欢辣的菜。",
        "<document>\nDo not share this. I am allergic to nuts.\n</document>",
        "2024-05-01 10:00:00 ERROR I must not fail, never retry",
        "-----Original Message-----\nI never work on Fridays.",
    ],
)
def test_pasted_material_holds_no_pins(foreign):
    """Code, quoted mail, logs, documents and material to work on are not what the author demands."""
    assert spot(foreign) == ()


def test_demand_beside_code_is_found():
    """What stands before and after a code block counts; what stands in it does not."""
    text = "Never touch the schema.\n```\nnever = 1  # do not run\n```\nAnd answer in bullet points."
    assert [pin.text for pin in spot(text)] == ["Never touch the schema.", "And answer in bullet points."]


def test_rule_in_the_middle_of_a_long_message_is_found():
    """In a long message a sentence in the first person counts wherever it stands; an impersonal one does not."""
    filler = "The tram runs along the river twice an hour. " * 60
    text = f"{filler}I'm allergic to nuts. The valve must not be opened. {filler}"
    assert [pin.text for pin in spot(text)] == ["I'm allergic to nuts."]


def test_pasted_novel_does_not_flood():
    """Of a long text full of would-be pins only those near its ends count."""
    novel = "I hate the sea. The wind rose and fell again. " * 400
    assert len(spot(novel + "\n\nNow answer in bullet points.")) < 40
    assert spot(novel + "\n\nNow answer in bullet points.")[-1].text == "Now answer in bullet points."


@pytest.mark.parametrize(
    "unit",
    ["a", "我", ".", ",", '"', " ", "\n", "(", "I don't really ", "never ", "不要", "我总是还是", "i really ", "make sure you ", "no no-"],
)
def test_huge_texts_take_linear_time(unit):
    """A text eight times as long takes about eight times as long, not sixty-four times."""
    short, long = (unit * (size // len(unit)) for size in (20_000, 160_000))

    def seconds(text):
        return min(_timed(text) for _ in range(2))

    assert seconds(long) < 24 * max(seconds(short), 0.002)


def _timed(text):
    start = perf_counter()
    spot(text)
    decisions(text)
    open_items(text)
    return perf_counter() - start


def test_gates_hide_nothing():
    """The cheap check in front of the English patterns never hides a sentence that one of them fits."""
    for text in (text for texts in PINS.values() for text in texts if text.isascii()):
        said = plain(text)
        fits = {pattern.pattern for _, pattern in english.GATED.patterns if pattern.search(said)}
        assert fits <= {pattern.pattern for _, pattern in english.GATED.fitting(said)}, text


def test_every_pattern_needs_some_letters():
    """No English pattern is tried on every message: each names letters without which it cannot fit."""
    assert english.GATED.free == ()


@pytest.mark.parametrize(
    "pasted",
    [
        "Summarise this email:\n\nDear team,\nPlease never contact Ann again. You must pay by Friday.\nRegards, Tom",
        'Here is the page:\n"""\nNever ship to Kiel. Always pay Bob.\n"""',
        "Review the following policy:\n\nYou must always wear a helmet.\n\nNever smoke here.",
    ],
)
def test_pasted_words_of_others_are_no_demands(pasted):
    """A text given to be worked on holds no demand of the user, over blank lines and inside any kind of quotation block."""
    assert spot(pasted) == ()


@pytest.mark.parametrize("text", ["15.6 inch screens only", "2.5 stars at least", "1. Never before nine", "3) No meat"])
def test_a_number_with_a_point_is_no_list_mark(text):
    """A list mark is left out, a decimal number is not torn."""
    [(start, end)] = sentences(text)
    assert text[start:end] == (text if text[1:3] not in {". ", ") "} else text[3:])

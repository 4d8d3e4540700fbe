"""Demands as people word them, and talk that only sounds like one: two lists of sentences, and how many are told apart.

`cues_pinned.txt` holds a demand a line, B before what binds (limits, deadlines, rules ...) and T before tastes and forms of answers;
`cues_passing.txt` holds what must not be pinned.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from langchain_contextmode.cues import spot
from langchain_contextmode.cues.gates import Gated, alternatives, needs

FOLDER = Path(__file__).parent
TASTES = {"preference", "dislike", "format"}


def _lines(name):
    return [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line]


def test_most_demands_are_pinned():
    """Of demands in many wordings, kinds and domains, terse, misspelt or inside a longer message, at least 93 in 100 are pinned."""
    demands = [line[2:] for line in _lines("cues_pinned.txt")]
    missed = [text for text in demands if not spot(text)]
    assert len(missed) <= 0.07 * len(demands), missed


def test_what_binds_is_told_from_tastes():
    """A binding demand gets a binding kind, a taste or a form of answers one of the others, in at least 95 of 100."""
    found = [(line, spot(line[2:])) for line in _lines("cues_pinned.txt")]
    wrong = [line for line, pins in found if pins and (pins[0].kind in TASTES) != (line[0] == "T")]
    assert len(wrong) <= 0.05 * len(found), wrong


def test_few_other_sentences_are_pinned():
    """Of requests, slot answers, questions, suppositions, quotes, small talk, encouragement and truths at most 5 in 100 are pinned."""
    others = _lines("cues_passing.txt")
    pinned = [text for text in others if spot(text)]
    assert len(pinned) <= 0.05 * len(others), pinned


@pytest.mark.parametrize(
    "text",
    [
        "It's important to be kind to strangers.",
        "Never stop learning!",
        "Evenings like that are always full of laughter.",
        "We're like brothers - always teasing each other.",
        "Planting trees is crucial for the valley.",
        "Don't forget to rest after the move.",
        "Make sure you look after yourself.",
        "I won't give up!",
        "I love that picture!",
        "It must be such a relief.",
        "加油，别灰心！",
        "你一定要好好休息。",
    ],
)
def test_encouragement_and_truths_are_no_pins(text):
    """Advice to a friend, slogans, guesses, resolve, general truths and delight in a thing at hand constrain nothing."""
    assert spot(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "It's important to me that the room is quiet.",
        "Never stop the server without asking me.",
        "The logs must always be kept.",
        "Make sure you cite your sources.",
        "Don't forget to run the tests before each commit.",
        "Type hints are crucial to me.",
    ],
)
def test_demands_in_like_words_are_pins(text):
    """The same words pin where they ask something of the assistant or say what matters to the speaker."""
    assert spot(text)


def test_alternatives_split_only_at_outer_bars():
    """A pattern is split at bars outside groups and sets."""
    assert alternatives(r"a(?:b|c)|[|]d|\|e") == [r"a(?:b|c)", r"[|]d", r"\|e"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bnever\b", {"never"}),
        (r"(?:always|never) x", {"always", "never"}),
        (r"colou?r", {"colo"}),
        (r"(?:very )?good", {"good"}),
        (r"(?=late)on time(?! please)", {"on time"}),
        (r"\d+", set()),
        (r"red|\w", set()),
        (r"(?:ab){0,2}xyz", {"xyz"}),
        ("caf\\u00e9", {"caf\u00e9"}),
    ],
)
def test_needed_letters_are_read_off_a_pattern(pattern, expected):
    """Each match of a pattern holds one of the texts that it needs; none are named where none are sure."""
    assert needs(pattern) == expected


def test_only_patterns_that_could_fit_are_tried():
    """Patterns whose letters a text lacks are left out, the others come in their order; one without letters is always tried."""
    gated = Gated((("a", r"never|always"), ("b", r"\d"), ("c", r"only")))
    assert [kind for kind, _ in gated.fitting("always and only")] == ["a", "b", "c"]
    assert [kind for kind, _ in gated.fitting("nothing")] == ["b"]
    assert gated.free == (r"\d",)

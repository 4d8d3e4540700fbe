"""A kept value brings its correction along: what reverses it, by id or number, is kept with it."""

from __future__ import annotations

import pytest
from casework import Says, ai, human, prepare

FILLER = "The harbour was quiet and the boats lay still all day. " * 6


def log(said, change):
    return [
        human(f"{said} {FILLER}", "h1"),
        ai(FILLER, "a1"),
        human(f"{change} {FILLER}", "h2"),
        ai(FILLER, "a2"),
        human("Where does 4711 go?", "hq"),
    ]


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("Order 4711 goes to Hamburg.", "Send 4711 to Bremen instead."),
        ("Order 4711 goes to Hamburg.", "Scrap Dachser, use Schenker for 4711."),
        ("订单4711送到汉堡。", "4711改送不来梅，不送汉堡了。"),
        ("The build is cfg_19.", "cfg_19 is no longer needed."),
    ],
)
def test_a_correction_is_kept_with_what_it_changes(said, change):
    """If the filter keeps the old word and drops the new one, the new one is kept all the same, and says why."""
    view = prepare(log(said, change), scorer=Says(rest=0, h1=10))
    assert view.decisions["h2"].action == "keep"
    assert view.decisions["h2"].reason == "It changes what message h1 says."


@pytest.mark.parametrize("change", ["Send 4712 to Bremen instead.", "4711 was a good year for wine.", "I feel better now."])
def test_what_changes_nothing_of_it_is_not_kept(change):
    """Another id, no cue of reversal, or no id at all: the filter's word stands."""
    assert prepare(log("Order 4711 goes to Hamburg.", change), scorer=Says(rest=0, h1=10)).decisions["h2"].action != "keep"

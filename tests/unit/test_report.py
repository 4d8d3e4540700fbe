"""What `ContextView.explain()` promises."""

from __future__ import annotations

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from langchain_contextmode.report import bar, counts, headline, short_id
from langchain_contextmode.schema import ArchiveEntry, ContextView, Decision, Pin, PoolUsage

SAID = "the launch code is 0000"


def make_view(**changes):
    fields = {
        "messages": [SystemMessage("Be brief.", id="s"), HumanMessage(SAID, id="m4")],
        "decisions": {
            "s": Decision("keep", "verbatim", None, "System message.", "must"),
            "m1": Decision("drop", "none", 2, "Off topic.", "local"),
            "a-very-long-message-id-0001": Decision("compress", "line", 6, "Same\ntopic.", "model"),
            "m3": Decision("keep", "shortened", 9, "Names QX7M4T.", "entity"),
            "m4": Decision("keep", "verbatim", None, "The request.", "must"),
        },
        "archive": (ArchiveEntry(f"user: {SAID}", ("a-very-long-message-id-0001",), 6.2),),
        "levels": {"session": "on: a conversation", "task": "off: no task was declared"},
        "pools": {"system": PoolUsage(100, 130), "knowledge": PoolUsage(200, 50), "history": PoolUsage(400, 0)},
        "tokens": 250,
        "state": {},
        "report": {
            "tokens_before": 1_000,
            "tokens": 250,
            "counter": "estimate",
            "degraded": [{"step": "filter", "why": "the judge did not answer in 30 s"}],
            "notes": [{"step": "filter", "text": "Old verdicts stand."}],
            "steps": {"filter": {"seconds": 0.0123, "calls": 2}},
        },
    }
    return ContextView(**(fields | changes))


def test_pins_and_summary_are_told_without_their_text():
    """Pins are told by message, kind and whether they hold; the summary by what it stands for."""
    pins = (Pin("Never at night.", "m1", "prohibition", active=False), Pin("In euros.", "", "format", source="application"))
    told = make_view(pins=pins, report={"summary": {"covered_messages": 84, "slices": 3}}).explain()
    assert "m1: prohibition, overruled" in told
    assert "application: format" in told
    assert "stands for 84 messages" in told
    assert "Never at night" not in told


def test_every_message_has_a_line_with_its_decision():
    """Each id of the log is there once, with action, form, score, decider and reason on the same line."""
    lines = make_view().explain().splitlines()
    (line,) = [line for line in lines if line.strip().startswith("m3 ")]
    assert line.split() == ["m3", "keep", "shortened", "9", "entity", "Names", "QX7M4T."]
    (line,) = [line for line in lines if "model" in line]
    assert line.split() == ["a-very-…d-0001", "compress", "line", "6", "model", "Same", "topic."]
    assert sum(" must " in line for line in lines) == 2


def test_numbers_levels_pools_and_failures_are_told():
    """Tokens before and after, counts, levels, pools, work, notes and what degraded are all in the text."""
    text = make_view().explain()
    for part in (
        "1,000 tokens in 5 messages -> 250 in 2 (75% fewer, counted by estimate)",
        "keep 3 (1 shortened) · compress 1 · drop 1 · archive entries 1",
        "task: off: no task was declared",
        "130 of 100",
        "filter: 0.012 s, calls 2",
        "filter: Old verdicts stand.",
        "filter: the judge did not answer in 30 s",
    ):
        assert part in text


def test_no_text_of_a_message_is_told():
    """What somebody said is not in the account, not even an archive line."""
    assert SAID not in make_view().explain()


def test_a_bare_view_is_explained_too():
    """A view without report, pools or decisions still has an account."""
    text = make_view(decisions={}, archive=(), levels={}, pools={}, report={}).explain()
    assert text.splitlines() == ["250 tokens in 2 messages", "keep 0 · compress 0 · drop 0 · archive entries 0"]


def test_savings_are_not_rounded_up():
    """A view that still has tokens never claims to be 100 % smaller."""
    assert "99% fewer" in headline(make_view(report={"tokens_before": 1_000_000}))


def test_a_view_larger_than_the_log_says_so():
    """Where background made the view larger, the headline says "more"."""
    assert "25% more" in headline(make_view(report={"tokens_before": 200}))


@pytest.mark.parametrize(
    ("limit", "used", "filled", "over"),
    [(10, 0, 0, False), (10, 5, 5, False), (1000, 1, 1, False), (10, 11, 10, True), (0, 3, 10, True), (0, 0, 0, False)],
)
def test_bars_show_the_share_in_use(limit, used, filled, over):
    """A bar is as full as its pool, never longer than its cells, and marked when the pool is exceeded."""
    drawn = bar(PoolUsage(limit, used), 10)
    assert (drawn.filled, drawn.over) == (filled, over)
    assert str(drawn) == "█" * filled + "░" * (10 - filled) + "+" * over


def test_counts_name_every_action():
    """Counts cover all three actions, zeros included."""
    assert counts(make_view(decisions={})) == {"keep": 0, "compress": 0, "drop": 0}


def test_short_ids_stay_and_long_ones_keep_both_ends():
    """An id of up to 14 characters is whole; a longer one keeps its beginning and end."""
    assert short_id("m1") == "m1"
    assert short_id("abcdefghijklmnopqrst") == "abcdefg…opqrst"

"""A tool result without its call never reaches a model."""

from __future__ import annotations

from itertools import chain

import pytest
from casework import Says, ai, call, human, ids, prepare, result, shown, together
from hypothesis import given
from hypothesis import strategies as st

BUDGETS = [None, 60, 120]


@pytest.mark.parametrize("view_tokens", BUDGETS)
def test_f_o_001_results_of_calls_that_are_gone_are_never_sent(view_tokens):
    """Of a mixed run of results only those whose call is there are sent, right behind it."""
    view = prepare(
        [
            human("How many crates are left?", "h1"),
            result("4", "c_gone1", "t0"),
            call("a1", ("stock", {"sku": "K-7"}, "c1")),
            result("9", "c_gone2", "tx"),
            result("7", "c1", "t1"),
            ai("Seven crates.", "a2"),
            human("And pallets?", "h2"),
        ],
        keep_last=4,
        view_tokens=view_tokens,
    )
    assert not {"t0", "tx"} & set(ids(view))
    assert together(view, "a1", "t1")
    assert view.messages[-1].content == "And pallets?"
    assert {view.decisions[i].action for i in ("t0", "tx")} == {"drop"}


@pytest.mark.parametrize("view_tokens", BUDGETS)
@pytest.mark.parametrize("keep_last", range(6))
def test_f_o_002_a_window_never_opens_inside_a_group_of_results(keep_last, view_tokens):
    """However many messages are protected, a call and its results are sent together or not at all."""
    view = prepare(
        [
            human("Compare two cities", "h1"),
            call("a1", ("lookup", {"city": "Lund"}, "c1"), ("lookup", {"city": "Turku"}, "c2")),
            result("12 C", "c1", "t1"),
            result("9 C", "c2", "t2"),
            ai("Lund is warmer.", "a2"),
            human("By how much?", "h2"),
        ],
        keep_last=keep_last,
        view_tokens=view_tokens,
        scorer=Says(),
    )
    assert view.messages[0].type == "human"
    assert together(view, "a1", "t1", "t2")
    assert shown(view, "h2").content == "By how much?"


def test_f_o_003_a_decision_is_made_for_call_and_result_as_one():
    """Where the block of a call is kept, call and result are both there, byte for byte."""
    log = [
        human("Book the small room", "h1"),
        call("a1", ("rooms", {"size": "S"}, "c1"), content="checking"),
        result("room 4 free", "c1", "t1"),
        ai("Room 4 is free.", "a2"),
        human("What did you find? " + "Please be exact about it. " * 6, "h2"),
    ]
    view = prepare([human("words " * 200, "h0"), *log], view_tokens=150, scorer=Says(rest=1, a1=9))
    assert [shown(view, "a1"), shown(view, "t1")] == log[1:3]
    assert together(view, "a1", "t1")
    assert shown(view, "a2") is None
    assert view.decisions["a1"] == view.decisions["t1"]


@pytest.mark.parametrize("view_tokens", BUDGETS)
def test_f_o_004_a_result_that_is_repeated_later_is_left_out(view_tokens):
    """A second result for an answered call is not sent; the first stays right behind its call."""
    view = prepare(
        [
            human("Weather?", "h1"),
            call("a1", ("lookup", {}, "c1")),
            result("rain", "c1", "t1"),
            ai("Rain.", "a2"),
            human("Tomorrow?", "h2"),
            result("rain", "c1", "t1b"),
            call("a3", ("lookup", {}, "c2")),
            result("sun", "c2", "t2"),
            human("Thanks, and Sunday?", "h3"),
        ],
        view_tokens=view_tokens,
    )
    assert "t1b" not in ids(view)
    assert together(view, "a1", "t1")
    assert together(view, "a3", "t2")


CALL_IDS = st.sampled_from(["c1", "c2", "c3"])


@st.composite
def torn_logs(draw):
    """Calls and results in any order, as after removals by id."""
    pieces = [call("a1", ("f", {}, "c1"), ("f", {}, "c2")), call("a2", ("f", {}, "c3"))]
    pieces += [result(f"r{n}", draw(CALL_IDS), f"t{n}") for n in range(draw(st.integers(0, 6)))]
    pieces += [human(f"word {n} " * draw(st.integers(1, 40)), f"h{n}") for n in range(3)]
    kept = draw(st.lists(st.sampled_from(pieces), unique_by=lambda m: m.id))
    return [*kept, human("And now?", "hq")]


@given(torn_logs(), st.integers(60, 400), st.integers(0, 6))
def test_no_result_without_its_call(log, view_tokens, keep_last):
    """Whatever was removed from a log, each result that is sent answers a call that is sent, once."""
    view = prepare(log, view_tokens=view_tokens, keep_last=keep_last)
    called = list(chain.from_iterable([c["id"] for c in m.tool_calls] for m in view.messages if m.type == "ai"))
    assert called == [m.tool_call_id for m in view.messages if m.type == "tool"]

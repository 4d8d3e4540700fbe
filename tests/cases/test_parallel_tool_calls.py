"""Parallel calls and their results are one block, however many there are."""

from __future__ import annotations

import pytest
from casework import Says, ai, call, human, ids, prepare, result, together
from hypothesis import given, settings
from hypothesis import strategies as st
from summarywork import covered, summarised, transcripts

from langchain_contextmode.testing import ScriptedChatModel


def two_codes():
    return [
        human("Make two codes", "h1"),
        call("a1", ("code", {"n": 900}, "c1"), ("code", {"n": 20}, "c2"), content="making codes"),
        result("Q7" * 900, "c1", "t1"),
        result("Z9Z9", "c2", "t2"),
        ai("Both made.", "a2"),
        human("How were they made?", "h2"),
    ]


@pytest.mark.parametrize("keep_last", range(6))
@pytest.mark.parametrize("view_tokens", [None, 250, 400])
def test_f_o_008_no_cut_falls_between_parallel_results(keep_last, view_tokens):
    """Two parallel results are in the view with their call, or none of the three is."""
    view = prepare(two_codes(), keep_last=keep_last, view_tokens=view_tokens)
    assert together(view, "a1", "t1", "t2")


@pytest.mark.parametrize("keep_last", [0, 1, 2, 3])
@pytest.mark.parametrize("above", [0, 300, 2_000])
def test_f_o_008_no_summary_divides_parallel_results(keep_last, above):
    """What the summariser reads and what is covered holds call and both results, or none of the three."""
    model = ScriptedChatModel(replies=["Codes were made."])
    view = summarised(two_codes(), keep_last=keep_last, model=model, summary_slice_turns=1, summarize_above_tokens=above)
    assert set(covered(two_codes(), view.state)) & {"a1", "t1", "t2"} in (set(), {"a1", "t1", "t2"})
    for read in transcripts(model):
        assert ("Q7Q7" in read) == ("Z9Z9" in read) == ('code({"n": 900})' in read) == ('code({"n": 20})' in read)


@pytest.mark.parametrize("score", [1, 9])
@pytest.mark.parametrize("view_tokens", [None, 120, 1_000])
def test_f_o_009_twelve_results_stay_with_their_call(score, view_tokens):
    """A call with twelve results is sent whole and in order, or not at all."""
    view = prepare(
        [
            human("Check all gates", "h1"),
            call("a1", *(("gate", {"n": n}, f"c{n}") for n in range(1, 13))),
            *(result(f"gate {n} shut", f"c{n}", f"t{n}") for n in range(1, 13)),
            ai("All shut.", "a2"),
            human("Gate 11?", "h2"),
        ],
        keep_last=6,
        view_tokens=view_tokens,
        scorer=Says(a1=score),
    )
    assert together(view, "a1", *(f"t{n}" for n in range(1, 13)))
    assert len({view.decisions[i].action for i in ("a1", *(f"t{n}" for n in range(1, 13)))}) == 1


@given(st.lists(st.integers(1, 8), min_size=1, max_size=4), st.randoms(use_true_random=False), st.integers(100, 900), st.integers(0, 12))
def test_a_block_of_parallel_calls_is_never_torn(widths, order, view_tokens, keep_last):
    """Results may have arrived in any order and any number: they are sent in call order, all or none."""
    log = []
    for turn, width in enumerate(widths):
        results = [result("value " * order.randint(1, 60), f"c{turn}-{n}", f"t{turn}-{n}") for n in range(width)]
        order.shuffle(results)
        log += [human(f"turn {turn}", f"h{turn}"), call(f"a{turn}", *(("f", {}, f"c{turn}-{n}") for n in range(width))), *results]
    view = prepare([*log, human("Which?", "hq")], view_tokens=view_tokens, keep_last=keep_last)
    for turn, width in enumerate(widths):
        assert together(view, f"a{turn}", *(f"t{turn}-{n}" for n in range(width)))
    assert ids(view)[-1] == "hq"


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 400)), min_size=1, max_size=4), st.integers(1_500, 5_000), st.integers(1, 3))
def test_a_summary_takes_a_block_whole(blocks, window, slice_turns):
    """In any window of the summariser each call is read in one request with the beginnings of all its results, and covered with them."""
    log = []
    for turn, (width, words) in enumerate(blocks):
        calls = [("f", {"turn": turn, "n": n}, f"c{turn}-{n}") for n in range(width)]
        results = [result(f"R{turn}x{n} " + "value " * words, f"c{turn}-{n}", f"t{turn}-{n}") for n in range(width)]
        log += [human(f"turn {turn}", f"h{turn}"), call(f"a{turn}", *calls), *results]
    model = ScriptedChatModel(replies=["Talk."])
    config = {"summary_window_tokens": window, "summary_slice_turns": slice_turns}
    view = summarised([*log, human("Which?", "hq")], keep_last=0, model=model, **config)
    done = set(covered(log, view.state))
    for turn, (width, _) in enumerate(blocks):
        block = {f"a{turn}", *(f"t{turn}-{n}" for n in range(width))}
        assert block <= done or not block & done
        for read in transcripts(model):
            told = [f"R{turn}x{n} " in read for n in range(width)]
            assert all(told) == any(told) == (f'"turn": {turn}' in read)

"""Compaction that cannot make progress ends: few internal calls, a view that fits, or an error with the numbers."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, SCOPE, ai, call, exchanges, human, result, shown, system, together
from hypothesis import given, settings
from hypothesis import strategies as st
from summarywork import REPLIES, covered, questions, settings_for, summarised, summary_of

from langchain_contextmode import BudgetError, prepare_context
from langchain_contextmode.testing import ScriptedChatModel


def test_f_o_036_one_huge_message_is_summarised_once():
    """Over five turns with nothing else of size at most one request is made, each view fits, and the question stays."""
    log = [human("big " * 6000, "h1"), ai("noted", "a1"), human("t1", "h2"), ai("u1", "a2"), human("t2", "h3")]
    model, state, calls = ScriptedChatModel(replies=["(summary)"]), None, []
    for turn in range(5):
        view = summarised(log, state=state, model=model, view_tokens=2_000, summarize_above_tokens=1_000)
        state = view.state
        assert view.messages[-1] == log[-1]
        calls.append(len(model.requests))
        log = [*log, ai(f"v{turn}", f"b{turn}"), human(f"u{turn}", f"g{turn}")]
    assert calls[-1] <= 1


def test_f_o_036_the_same_stored_history_is_summarised_once():
    """The same log five times over asks once, whether the state is handed on or the model fails."""
    log = [human("big " * 6000, "h1"), ai("noted", "a1"), human("t1", "h2"), ai("u1", "a2"), human("t2", "h3")]
    for reply in ("(summary)", ""):
        model, state = ScriptedChatModel(replies=[reply]), None
        for _ in range(5):
            state = summarised(log, state=state, model=model, view_tokens=2_000).state
        assert len(model.requests) == 1


def test_f_o_037_a_summary_is_not_summarised_again_alone():
    """A summary that a host keeps in its log is left as it is; the large result behind the request is shortened instead."""
    log = [
        human("Summary of earlier talk: the lock code policy was agreed.", "sum1", contextmode="summary"),
        human("Now read this", "h1"),
        call("a1", ("read", {}, "c1")),
        result("page " * 5000, "c1", "t1"),
    ]
    model = ScriptedChatModel(replies=["SHORTER"])
    view = summarised(log, model=model, view_tokens=1_500)
    assert model.requests == []
    assert shown(view, "sum1") in (None, log[0])
    assert log[0].content == "Summary of earlier talk: the lock code policy was agreed."
    assert summarised([*log[:3], result("page", "c1", "t1")], model=model, view_tokens=1_500).messages[0] == log[0]
    assert shown(view, "h1") == log[1]
    assert together(view, "h1", "a1", "t1")
    assert shown(view, "a1") == log[2]
    assert view.decisions["t1"].form == "shortened"


def test_f_o_037_our_own_summary_is_no_material():
    """Turn after turn with a large result the summary of before is neither asked for again nor changed."""
    log = [*questions(1, 6), human("Now read this", "h1")]
    model = ScriptedChatModel(replies=["The lock code policy was agreed.", "SHORTER"])
    state = summarised(log, model=model, view_tokens=1_500).state
    before, asked = summary_of(state), len(model.requests)
    for n in range(6):
        log = [*log, call(f"a{n}", ("read", {"n": n}, f"c{n}")), result("page " * 5000, f"c{n}", f"t{n}")]
        view = summarised(log, state=state, model=model, view_tokens=1_500)
        state = view.state
    assert (summary_of(state), len(model.requests)) == (before, asked)


@pytest.mark.parametrize("on_error", ["degrade", "raise"])
def test_f_o_038_what_cannot_fit_is_an_error_with_numbers(on_error):
    """A system prompt above the budget is a typed error that names the sizes, after at most two internal calls; nothing is cut."""
    log = [system("rule " * 900, "s1"), human("Write the line", "h1")]
    model = ScriptedChatModel(replies=["x"])
    with pytest.raises(BudgetError) as caught:
        summarised(log, model=model, view_tokens=600, on_error=on_error)
    assert caught.value.budget_tokens == 600
    assert caught.value.parts["system"] == ESTIMATE.message(log[0])
    assert caught.value.parts["request"] == ESTIMATE.message(log[1])
    assert str(ESTIMATE.message(log[0])) in str(caught.value)
    assert len(model.requests) <= 2


def test_f_o_038_nothing_is_asked_for_a_view_that_cannot_be():
    """However much history there is to summarise, the error comes before any internal call: a host that tries again pays nothing."""
    model = ScriptedChatModel(replies=["x"])
    log = [system("rule " * 900, "s1"), *exchanges(1, 20, "question {n} " * 60, "reply {n} " * 60), human("Write the line", "h1")]
    config = settings_for(0, view_tokens=600, keep_score=10, compress_score=0)
    with pytest.raises(BudgetError):
        prepare_context(log, scope=SCOPE, config=config, model=model, token_counter=ESTIMATE)
    assert model.requests == []


SIZES = st.lists(st.tuples(st.integers(1, 400), st.booleans()), min_size=8, max_size=30)


@settings(max_examples=30)
@given(
    SIZES,
    REPLIES,
    st.fixed_dictionaries(
        {
            "summary_slice_turns": st.integers(1, 6),
            "window_turns": st.integers(1, 6),
            "summarize_above_tokens": st.sampled_from([0, 200, 2_000]),
            "view_tokens": st.integers(300, 3_000),
        }
    ),
)
def test_calls_over_a_conversation_are_bounded(sizes, reply, config):
    """Over any number of turns and tool steps: one round a turn at most, one in half a slice of turns if it works, and each view fits."""
    model = ScriptedChatModel(replies=[reply])
    log, state, rounds, turns = [], None, 0, 0
    for n, (words, steps_on) in enumerate(sizes):
        if steps_on and log:
            log = [*log, call(f"a{n}", ("look", {"n": n}, f"c{n}")), result("word " * words, f"c{n}", f"t{n}")]
        else:
            log = [*log, ai("ok", f"b{n}"), human("word " * min(words, 60), f"h{n}")] if log else [human("start", "h0")]
            turns += 1
        before, at = len(model.requests), covered(log, state or {})
        try:
            view = summarised(log, state=state, model=model, summary_max_calls=4, **config)
        except BudgetError:
            return
        state = view.state
        assert len(model.requests) - before <= 4
        rounds += len(model.requests) > before
        if len(model.requests) > before and log[-1].type != "human":
            assert state["summary"]["tried_at"] in {m.id for m in log if m.type == "human"}
        assert covered(log, state)[: len(at)] == at
    assert rounds <= turns
    if not summary_of(state).failures:
        assert rounds <= turns // max(1, config["summary_slice_turns"] // 2) + 1


@given(st.integers(1, 900), st.integers(20, 700), st.integers(0, 6))
def test_a_budget_that_is_too_small_never_loops(words, view_tokens, before):
    """For any size of system prompt and budget there is a view that fits, or one error, and at most one round of the summariser."""
    log = [system("rule " * words, "s1"), *questions(1, before), human("Write the line", "h1")]
    model = ScriptedChatModel(replies=["x"])
    config = settings_for(0, view_tokens=view_tokens, summary_slice_turns=1)
    try:
        view = prepare_context(log, scope=SCOPE, config=config, models={"summary": model}, token_counter=ESTIMATE)
    except BudgetError:
        assert ESTIMATE([log[0], log[-1]]) > view_tokens
    else:
        assert view.messages[0] == log[0]
        assert view.messages[-1] == log[-1]
        assert json.dumps(view.report)
    assert len(model.requests) <= max(1, before)

"""The newest thing that a human said is in every view, verbatim."""

from __future__ import annotations

import pytest
from casework import Says, ai, call, human, ids, prepare, result, shown, system, together
from hypothesis import given
from hypothesis import strategies as st
from summarywork import covered, summarised

from langchain_contextmode.testing import ScriptedChatModel


def test_f_o_012_a_tool_call_inside_the_turn_does_not_push_the_question_out():
    """With 900 tokens and a result of thousands, question and call stay and the result is shortened behind them."""
    log = [
        system("Answer from the manual.", "s1"),
        human("How do I bleed the radiator?", "h1"),
        call("a1", ("manual", {"q": "bleed"}, "c1")),
        result("section text " * 2500, "c1", "t1"),
    ]
    view = prepare(log, view_tokens=900, keep_last=20)
    assert shown(view, "h1") == log[1]
    assert together(view, "h1", "a1", "t1")
    assert len(shown(view, "t1").content) < len(log[3].content)
    assert view.decisions["t1"].form == "shortened"


@pytest.mark.parametrize("view_tokens", [None, 30, 40])
def test_f_o_013_the_newest_question_is_never_material_to_remove(view_tokens):
    """The newest human message is last and verbatim, and no scorer is ever asked about it."""
    asked = []

    class Asked(Says):
        async def score(self, io, request, log, candidates):
            asked.extend(log[index].id for index in candidates)
            return await super().score(io, request, log, candidates)

    log = [human("Hello there", "h1"), ai("Hello!", "a1"), human("Which bus goes to the harbour?", "h2")]
    view = prepare(log, view_tokens=view_tokens, scorer=Asked(rest=0))
    assert view.messages[-1] == log[-1]
    assert asked
    assert "h2" not in asked


@pytest.mark.parametrize("keep_last", [0, 1])
def test_f_o_013_the_newest_question_is_not_given_to_the_summariser(keep_last):
    """No request of the summariser holds the newest human message, not even where nothing else is protected."""
    log = [human("Hello there", "h1"), ai("Hello!", "a1"), human("Which bus goes to the harbour?", "h2")]
    model = ScriptedChatModel(replies=["Greeting exchanged."])
    view = summarised(log, keep_last=keep_last, model=model, summary_slice_turns=1)
    assert model.requests
    assert not [r for r in model.requests if "harbour" in r.text]
    assert view.messages[-1] == log[-1]
    assert covered(log, view.state) == ["h1", "a1"]


@given(st.lists(st.tuples(st.integers(1, 80), st.integers(1, 200)), max_size=8), st.integers(120, 900), st.integers(0, 20))
def test_the_question_stays_through_a_turn_of_tool_steps(steps, view_tokens, keep_last):
    """Before, between and after tool steps of any size the question is in the view, before all of them, verbatim."""
    log = [human("old talk " * 100, "h0"), ai("old answer " * 100, "a0"), human("Which valve is open?", "hq")]
    for n, (words, size) in enumerate(steps):
        log += [call(f"a{n + 1}", ("look", {"q": "q " * (words // 8)}, f"c{n}")), result("valve " * size, f"c{n}", f"t{n}")]
    view = prepare(log, view_tokens=view_tokens, keep_last=keep_last)
    assert shown(view, "hq") == log[2]
    assert not [i for i in ids(view)[: ids(view).index("hq")] if i.startswith(("a1", "t"))]

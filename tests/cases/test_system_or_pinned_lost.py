"""System and pinned messages are in every view as they were written, or an error names the sizes."""

from __future__ import annotations

import pytest
from casework import ESTIMATE, Says, exchanges, human, ids, prepare, shown, system
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from langchain_contextmode import BudgetError


def lots():
    log = [system("You are the desk clerk. Use metric units only.", "s1")]
    for n in range(1, 9):
        log += [human(f"tell me more about lot {n} " * 30, f"h{n}"), AIMessage(f"lot {n} detail " * 30, id=f"a{n}")]
    return [*log, human("How wide is lot 3?", "hq")]


def test_f_o_010_a_tight_budget_keeps_the_system_message():
    """With 400 tokens the system message is first, the question last, both unchanged."""
    log = lots()
    view = prepare(log, view_tokens=400, keep_last=20)
    assert view.messages[0] == log[0]
    assert view.messages[-1] == log[-1]
    assert view.tokens <= 400


def test_f_o_010_what_cannot_fit_is_an_error_with_both_sizes():
    """If system message and question do not fit, the error names the size of each and nothing is cut."""
    log = lots()
    with pytest.raises(BudgetError) as caught:
        prepare(log, view_tokens=15)
    assert caught.value.parts["system"] == ESTIMATE.message(log[0])
    assert caught.value.parts["request"] == ESTIMATE.message(log[-1])
    assert f"system {caught.value.parts['system']}" in str(caught.value)
    assert f"request {caught.value.parts['request']}" in str(caught.value)


@pytest.mark.parametrize("mark", [{"pinned": True}, {"contextmode": {"pinned": True}}])
def test_f_o_011_a_pinned_sentence_is_never_only_paraphrased(mark):
    """A pinned message and the system message stand in a small view verbatim and are never compressed or dropped."""
    rule = "Rule for this whole chat: never write to the supplier before I say so."
    log = [system("House rule: quote prices without tax.", "s1"), human(rule, "h1", **mark), AIMessage("Understood.", id="a1")]
    log += exchanges(2, 13, "item {n}? " * 20, "item {n} ok " * 20)
    view = prepare([*log, human("Draft the next step", "hq")], view_tokens=600, keep_last=20, scorer=Says(rest=0))
    assert view.messages[0] == log[0]
    assert shown(view, "h1") == log[1]
    assert (view.decisions["h1"].action, view.decisions["h1"].form, view.decisions["h1"].decided_by) == ("keep", "verbatim", "must")


@given(st.data(), st.integers(40, 600), st.integers(0, 12))
def test_system_and_pinned_messages_stay(data, view_tokens, keep_last):
    """Wherever they stand, system and pinned messages are in the view unchanged, in their order."""
    kinds = data.draw(st.lists(st.sampled_from(["system", "pinned", "human", "ai"]), min_size=1, max_size=12))
    log = []
    for n, kind in enumerate(kinds):
        text = f"{kind} {n} " * data.draw(st.integers(1, 3 if kind in {"system", "pinned"} else 60))
        extra = {"pinned": True} if kind == "pinned" else {}
        log.append({"system": SystemMessage, "ai": AIMessage}.get(kind, HumanMessage)(text, id=f"{kind}{n}", additional_kwargs=extra))
    log.append(human("And now?", "hq"))
    try:
        view = prepare(log, view_tokens=view_tokens, keep_last=keep_last, scorer=Says(rest=0))
    except BudgetError as error:
        must = [m for m in log if m.id.startswith(("system", "pinned", "hq"))]
        assert ESTIMATE(must) <= error.needed_tokens  # noqa: PT017  (either outcome is right; this says when)
        return
    must = [m.id for m in log if m.id.startswith("system")] + [m.id for m in log if m.id.startswith(("pinned", "hq"))]
    assert [i for i in ids(view) if i in must] == must
    assert all(shown(view, m.id) == m for m in log if m.id in must)

"""A call without a result gets one that says so; nothing is invented and nothing is written back."""

from __future__ import annotations

import copy

import pytest
from casework import RUN, ai, call, human, ids, prepare, result, shown, together
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from summarywork import covered, summarised, transcripts

from langchain_contextmode import ContextNode, build_context_graph
from langchain_contextmode.parsing import PENDING_RESULT
from langchain_contextmode.prune import prune
from langchain_contextmode.testing import ScriptedChatModel


def test_f_o_005_a_call_that_was_interrupted_is_answered_with_an_error():
    """A stored call without a result is followed at once by one with status error, the same bytes on every turn."""
    log = [human("Read sensor 3", "h1"), call("a1", ("sensor", {"n": 3}, "c1")), human("Are you still there?", "h2")]
    views = [prepare(log) for _ in range(3)]
    assert views[0].messages == views[1].messages == views[2].messages
    repair = views[0].messages[2]
    assert (repair.tool_call_id, repair.status, repair.content) == ("c1", "error", PENDING_RESULT)
    assert views[0].messages[-1] == log[-1]


def test_f_o_006_a_large_result_is_shortened_with_its_call():
    """A result that exceeds the budget is shortened under its call id, with a notice, or the whole block goes."""
    log = [
        human("Dump the log", "h1"),
        call("a1", ("log", {}, "c1")),
        result("line ok; " * 8000, "c1", "t1"),
        human("Any error in it?", "h2"),
    ]
    view = prepare(log, view_tokens=1500, keep_last=20)
    assert together(view, "a1", "t1")
    short = shown(view, "t1")
    assert short.tool_call_id == "c1"
    assert len(short.content) < 72_000
    assert "left out" in short.content
    assert any(character.isdigit() for character in short.content.split("left out")[0][-60:])
    assert view.decisions["t1"].form == "shortened"


async def test_f_o_007_a_call_parked_for_approval_stays_as_it_is():
    """While a run waits for approval the stored call is untouched; after it there is exactly one result, right behind."""
    asked = AIMessage("", id="a1", tool_calls=[{"name": "delete_draft", "args": {"n": 12}, "id": "c1", "type": "tool_call"}])

    def model(_state):
        return {"messages": [asked]}

    def tool(_state):
        return {"messages": [result(interrupt("approve?"), "c1", "t1")]}

    host = StateGraph(MessagesState)
    host.add_node("model", model)
    host.add_node("context", ContextNode(build_context_graph()))
    host.add_node("tool", tool)
    host.add_edge(START, "model")
    host.add_edge("model", "context")
    host.add_edge("context", "tool")
    graph = host.compile(checkpointer=InMemorySaver())
    graph.invoke({"messages": [human("Delete draft 12", "h1")]}, RUN)
    paused = graph.get_state(RUN).values["messages"]
    assert paused == [human("Delete draft 12", "h1"), asked]
    done = graph.invoke(Command(resume="approve"), RUN)["messages"]
    assert [m.id for m in done] == ["h1", "a1", "t1"]
    assert prepare(done).messages == done


def test_f_o_007_no_summary_covers_a_call_before_its_result():
    """A call that waits is neither read by the summariser, nor covered, nor pruned, however many turns pass; with its result it is."""
    log = [human("Delete draft 12", "h1"), call("a1", ("delete_draft", {"n": 12}, "c1"))]
    model, state = ScriptedChatModel(replies=["Talk."]), None
    for n in range(2, 8):
        log = [*log, human(f"question {n}", f"h{n}"), ai(f"reply {n}", f"a{n}")]
        view = summarised(log, keep_last=0, state=state, model=model, summary_slice_turns=1)
        state = view.state
        assert not {"a1"} & {*covered(log, state), *(r.id for r in prune(log, state, keep_turns=1).removals)}
    assert "h2" in covered(log, state)
    assert not [text for text in transcripts(model) if "delete_draft" in text]
    done = [*log[:2], result("deleted", "c1", "t1"), *log[2:], human("and now?", "hq")]
    view = summarised(done, keep_last=0, state=state, model=model, summary_slice_turns=1)
    assert {"a1", "t1"} <= set(covered(done, view.state))
    assert [text for text in transcripts(model) if "delete_draft" in text and "deleted" in text]


@st.composite
def open_calls(draw):
    """Conversations in which each call has lost some of its results."""
    log, number = [], 0
    for turn in range(draw(st.integers(1, 4))):
        log.append(human(f"request {turn}", f"h{turn}"))
        calls = [("f", {"n": n}, f"c{turn}-{n}") for n in range(draw(st.integers(1, 4)))]
        log.append(call(f"a{turn}", *calls))
        for _, _, call_id in draw(st.lists(st.sampled_from(calls), unique_by=lambda c: c[2])):
            number += 1
            log.append(result(f"value {number}", call_id, f"t{number}"))
        if draw(st.booleans()):
            log.append(ai("done", f"d{turn}"))
    return log


@given(open_calls())
def test_every_open_call_is_answered_in_place(log):
    """Each call has one result; those that the log lacks say so and are the same when more is said later."""
    before = copy.deepcopy(log)
    view = prepare(log, keep_last=100)
    missing = [m for m in view.messages if m.type == "tool" and m.id not in view.decisions]
    assert all(m.content == PENDING_RESULT and m.status == "error" for m in missing)
    later = prepare([*log, ai("ok", "late"), human("and now?", "hq")], keep_last=100)
    assert [m for m in later.messages if m.id in {r.id for r in missing}] == missing
    assert log == before


@pytest.mark.parametrize("view_tokens", [80, 150])
def test_a_newest_call_without_results_is_never_left_out(view_tokens):
    """The call that is still open at the end of the log is sent, whatever the budget."""
    log = [human("old " * 300, "h0"), ai("older", "a0"), human("go", "h1"), call("a1", ("f", {}, "c1"))]
    assert together(prepare(log, view_tokens=view_tokens), "a1", "a1:c1")
    assert ids(prepare(log, view_tokens=view_tokens))[-2:] == ["a1", "a1:c1"]

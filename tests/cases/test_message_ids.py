"""Missing, doubled and vanished ids do no harm: views have unique ids, and the stored log is never written."""

from __future__ import annotations

import pytest
from casework import RUN, Says, ai, exchanges, human, ids, prepare
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from langchain_contextmode import ContextConfig, ContextInput, ContextNode, Scope, build_context_graph, context_messages, prepare_context

EAGER = ContextConfig(protect_messages=0, filter_above_messages=0, filter_above_tokens=0)


def host(saver=None, seen=None):
    def answer(state: ContextInput):
        if seen is not None:
            seen.append(context_messages(state))
        return {"messages": [AIMessage("answer")]}

    graph = StateGraph(MessagesState)
    graph.add_node("context", ContextNode(build_context_graph(config=EAGER, scorer=Says())))
    graph.add_node("answer", answer)
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    return graph.compile(checkpointer=saver)


def test_f_o_021_messages_without_ids_get_some():
    """Messages that came without ids are in state once each, under unique ids, and our update holds no messages."""
    log = [kind(text) for kind, text in zip([HumanMessage, AIMessage] * 3, ["one", "two", "three", "four", "five"], strict=False)]
    graph = host()
    updates = [update for chunk in graph.stream({"messages": log}, RUN, stream_mode="updates") for update in chunk.items()]
    assert not [name for name, update in updates if name == "context" and "messages" in update]
    stored = graph.invoke({"messages": log}, RUN)["messages"]
    assert [m.content for m in stored] == ["one", "two", "three", "four", "five", "answer"]
    assert len({m.id for m in stored} - {None}) == 6


def test_f_o_022_a_doubled_id_costs_no_text():
    """Of two messages with one id the second gets a fresh one; ids of ours are the same on every turn."""
    log = [human("one", "m1"), ai("two", "m2"), ai("two again", "m2"), human("three", "m3")]
    view = prepare(log, keep_last=3)
    assert [(m.id, m.content) for m in view.messages] == [("m1", "one"), ("m2", "two"), ("m2~2", "two again"), ("m3", "three")]
    long = [*exchanges(1, 30, "question {n}", "answer {n} is that the gate is shut and the bridge is up"), *log]
    first, second = (prepare(long, view_tokens=300, keep_last=2, scorer=Says(rest=6)) for _ in range(2))
    assert {"contextmode-archive", "contextmode-session"} & set(ids(first))
    assert ids(first) == ids(second)


def test_f_o_023_a_message_that_another_node_removed_stays_away():
    """State that names a message which is gone does not raise, bring it back, or hide what came later."""
    seen = []
    graph = host(InMemorySaver(), seen)
    graph.invoke({"messages": [human("a", "m1"), ai("b", "m2"), human("c", "m3"), ai("d", "m4"), human("x", "m0")]}, RUN)
    graph.update_state(RUN, {"messages": [RemoveMessage("m2")]})
    stored = graph.invoke({"messages": [human("e", "m5")]}, RUN)["messages"]
    assert [m.id for m in stored if m.id.startswith("m")] == ["m1", "m3", "m4", "m0", "m5"]
    assert seen[-1][-1].id == "m5"
    assert "m2" not in [m.id for m in seen[-1]]


IDS = st.sampled_from([None, "", "m1", "m2", "m1~2", "cm-x", "contextmode-archive", "contextmode-closing-m1"])


@given(st.lists(st.tuples(IDS, st.sampled_from([HumanMessage, AIMessage]), st.sampled_from(["same", "other " * 40])), max_size=12))
def test_ids_of_any_kind_become_unique(parts):
    """Each message has one decision under an id that no other has; its own, if nobody used it before."""
    log = [kind(text, id=identity) for identity, kind, text in parts]
    view = prepare([*log, human("now?", "hq")], view_tokens=400)
    assert len(view.decisions) == len(log) + 1
    for position, (message, identity) in enumerate(zip(log, view.decisions, strict=False)):
        if message.id and message.id not in [m.id for m in log[:position]]:
            assert identity == message.id
    assert len(set(ids(view))) == len(view.messages)


@pytest.mark.parametrize("gone", range(4))
def test_state_of_a_longer_log_is_harmless(gone):
    """Verdicts about a deleted message neither raise nor show in the next view."""
    log = [*exchanges(1, 2, "question {n}", "answer {n}"), human("now?", "hq")]
    state = prepare_context(log, scope=Scope("u", "s"), config=EAGER, scorer=Says(rest=6)).state
    rest = log[:gone] + log[gone + 1 :]
    view = prepare_context(rest, scope=Scope("u", "s"), config=EAGER, scorer=Says(rest=6), state=state)
    assert log[gone].id not in {*view.decisions, *view.state["verdicts"]["items"], *(i for e in view.archive for i in e.message_ids)}

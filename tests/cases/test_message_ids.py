"""Missing, doubled and vanished ids do no harm: views have unique ids, and the stored log is never written."""

from __future__ import annotations

import copy

import pytest
from casework import RUN, Says, ai, exchanges, human, ids, prepare
from hostwork import keeping_host
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph, add_messages
from summarywork import questions, settings_for, summarised

from langchain_contextmode import ContextConfig, ContextInput, ContextNode, Scope, build_context_graph, context_messages, prepare_context
from langchain_contextmode.prune import build_prune_node, prune
from langchain_contextmode.testing import ScriptedChatModel

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


def test_f_o_021_removals_name_what_is_there():
    """With the prune node, too, no removal has a null id or one that the state lacks, and each text is in state at most once."""
    words = ["one", "two", "three", "four", "five"]
    log = [kind(text) for kind, text in zip([HumanMessage, AIMessage] * 3, words, strict=False)]
    model = ScriptedChatModel(replies=["one-two discussed"])
    graph = keeping_host(settings_for(2, summary_slice_turns=1), models={"summary": model}, saver=InMemorySaver())
    held = set()
    for mode, part in graph.stream({"messages": log}, RUN, stream_mode=["updates", "values"]):
        if mode == "values":
            held = {m.id for m in part["messages"]}
        else:
            assert {m.id for m in (part.get("prune") or {}).get("messages", [])} <= held - {None}
    stored = graph.get_state(RUN).values["messages"]
    assert [m.content for m in stored] == ["three", "four", "five", "visible answer"]
    assert len({m.id for m in stored} - {None}) == len(stored)


def test_f_o_022_a_doubled_id_costs_no_text():
    """Of two messages with one id the second gets a fresh one; ids of ours are the same on every turn."""
    log = [human("one", "m1"), ai("two", "m2"), ai("two again", "m2"), human("three", "m3")]
    view = prepare(log, keep_last=3)
    assert [(m.id, m.content) for m in view.messages] == [("m1", "one"), ("m2", "two"), ("m2~2", "two again"), ("m3", "three")]
    long = [*exchanges(1, 30, "question {n}", "answer {n} is that the gate is shut and the bridge is up"), *log]
    first, second = (prepare(long, view_tokens=600, keep_last=2, scorer=Says(rest=6)) for _ in range(2))
    assert "contextmode-archive" in ids(first)
    assert ids(first) == ids(second)


def test_f_o_022_pruning_loses_neither_of_two():
    """Messages that share an id stay in the log, and the block with the summary has an id of its own, always the same."""
    log = [human("one", "m1"), ai("two", "m2"), ai("two again", "m2"), human("three", "m3"), *questions(1, 9), human("now?", "hq")]
    view = summarised(log)
    assert {"m1", "m2", "m2~2", "m3"} <= set(view.decisions)
    out = prune(log, view.state, keep_turns=1)
    removals = [removal.id for removal in out.removals]
    assert "m2" not in removals
    assert len(set(removals)) == len(removals) > 0
    rest = [*[m for m in log if m.id not in removals], ai("ok", "aq"), human("next", "hq2")]
    assert {"two", "two again"} <= {m.content for m in rest}
    first, second = (summarised(rest, state=out.state) for _ in range(2))
    assert "contextmode-session" in ids(first)
    assert "contextmode-session" not in first.decisions
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


def test_f_o_023_removals_after_a_stale_snapshot_do_not_raise():
    """Between context and prune node another node removes a message and adds one: nothing raises, neither is undone."""
    meddling = {"messages": [RemoveMessage("lh2"), human("e", "late")]}
    graph = StateGraph(MessagesState)
    graph.add_node("context", ContextNode(build_context_graph(config=settings_for(0, summary_slice_turns=1))))
    graph.add_node("meddle", lambda _state: meddling)
    graph.add_node("prune", build_prune_node(keep_turns=1))
    graph.add_edge(START, "context")
    graph.add_edge("context", "meddle")
    graph.add_edge("meddle", "prune")
    host = graph.compile(checkpointer=InMemorySaver())
    stored = [m.id for m in host.invoke({"messages": [*questions(1, 4), human("d", "hq")]}, RUN)["messages"]]
    assert "late" in stored
    assert "lh2" not in stored
    again = [m.id for m in host.invoke({"messages": [human("f", "hq2"), human("g", "lh2")]}, RUN)["messages"]]
    assert "hq2" in again


@given(st.lists(st.integers(0, 23), unique=True, max_size=6), st.integers(1, 4), st.booleans())
def test_pruning_asks_only_for_what_is_there(gone, keep_turns, grown):
    """Whatever another node removed since the summary, removals name what is there, and either some go or it is said why none does."""
    log = questions(1, 12)
    state = summarised([*log, human("now?", "hq")]).state
    rest = [m for n, m in enumerate(log) if n not in gone]
    rest += [ai("ok", "aq"), human("next", "hq2")] if grown else []
    out = prune(rest, state, keep_turns=keep_turns)
    left = add_messages(copy.deepcopy(rest), out.removals)
    assert {m.id for m in left} | {removal.id for removal in out.removals} == {m.id for m in rest}
    assert bool(out.removals) != bool(out.failed)

"""The parent's log is what it was plus the answer; agents side by side do not collide."""

from __future__ import annotations

import pytest
from casework import ESTIMATE, RUN, Says, human
from hostwork import ASK_ALL, dialogue, host, judge, keeping_host
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from summarywork import questions, settings_for

from langchain_contextmode import ContextNode, build_context_graph
from langchain_contextmode.testing import ScriptedChatModel


def test_f_o_070_the_answering_node_gets_the_view_and_the_log_stays():
    """The answering node receives exactly the view; the parent's messages are those before and the answer."""
    seen = []
    graph = host(judge(), seen=seen)
    updates = {name: update for part in graph.stream({"messages": dialogue()}, RUN, stream_mode="updates") for name, update in part.items()}
    assert seen == [updates["context"]["context_view"]["messages"]]
    stored = graph.invoke({"messages": dialogue()}, RUN)["messages"]
    assert stored[:-1] == dialogue()
    assert stored[-1].text == "visible answer"


@pytest.mark.parametrize("reply", ["S", "", "## Decisions\n- question 1 was answered"])
def test_f_o_070_pruning_leaves_no_mixture(reply):
    """With the prune node the log is a part of the old one and the answer, in order; no summary message stands behind the request."""
    log = [*questions(1, 10), human("hq", "hq")]
    models = {"summary": ScriptedChatModel(replies=[reply])}
    answerer = ScriptedChatModel(replies=["visible answer"])
    graph = keeping_host(settings_for(2, view_tokens=120), models=models, saver=InMemorySaver(), answerer=answerer)
    stored = graph.invoke({"messages": log}, RUN)["messages"]
    left = {m.id for m in stored}
    assert stored[:-1] == [m for m in log if m.id in left]
    assert (stored[-2].id, stored[-1].text) == ("hq", "visible answer")
    assert (len(stored) < len(log)) == bool(reply)
    assert answerer.requests[0].messages[-1].id == "hq"


def agent(key):
    """A sub-agent with a context node of its own under its own key."""
    graph = StateGraph(MessagesState)
    graph.add_node("context", ContextNode(build_context_graph(config=ASK_ALL, scorer=Says(rest=5), state_key=key)))
    graph.add_node("say", lambda _state: {"messages": [AIMessage(f"from {key}", id=key)]})
    graph.add_edge(START, "context")
    graph.add_edge("context", "say")
    return graph.compile()


def test_f_o_071_two_agents_in_one_superstep():
    """Agents that run side by side, each with its key, do not collide, and the parent's state is that of the parent alone."""
    parent = StateGraph(MessagesState)
    parent.add_node("context", ContextNode(build_context_graph(config=ASK_ALL, scorer=Says(rest=7))))
    parent.add_node("sub1", agent("one"))
    parent.add_node("sub2", agent("two"))
    parent.add_edge(START, "context")
    parent.add_edge("context", "sub1")
    parent.add_edge("context", "sub2")
    graph = parent.compile(checkpointer=InMemorySaver())
    alone = build_context_graph(config=ASK_ALL, scorer=Says(rest=7)).invoke({"messages": dialogue()}, RUN)
    out = graph.invoke({"messages": dialogue()}, RUN)
    assert {m.id for m in out["messages"]} >= {"one", "two"}
    stored = graph.get_state(RUN).values
    assert stored["contextmode"] == alone["contextmode"]
    assert set(out) == {"messages"}
    assert not {"one", "two", "one_view", "two_view"} & set(stored)


def test_f_o_071_each_agent_has_a_summary_of_its_own():
    """Agents side by side summarise under their own keys; the parent's summary and pins are those of a run of the parent alone."""
    config = settings_for(2, view_tokens=400)
    log = [human("Never book flights before 9.", "h0"), *questions(1, 10), human("hq", "hq")]

    def node(reply, key="contextmode"):
        model = ScriptedChatModel(replies=[reply])
        return build_context_graph(config=config, models={"summary": model}, token_counter=ESTIMATE, state_key=key)

    def sub(key):
        graph = StateGraph(MessagesState)
        graph.add_node("context", ContextNode(node(f"Summary of {key}.", key)))
        graph.add_edge(START, "context")
        return graph.compile()

    parent = StateGraph(MessagesState)
    parent.add_node("context", ContextNode(node("Summary of the parent.")))
    for key in ("one", "two"):
        parent.add_node(f"sub-{key}", sub(key))
        parent.add_edge("context", f"sub-{key}")
    parent.add_edge(START, "context")
    graph = parent.compile(checkpointer=InMemorySaver())
    assert set(graph.invoke({"messages": log}, RUN)) == {"messages"}
    stored = graph.get_state(RUN).values
    assert stored["contextmode"] == node("Summary of the parent.").invoke({"messages": log}, RUN)["contextmode"]
    assert stored["contextmode"]["summary"]["text"] == "Summary of the parent."
    assert not {"one", "two"} & set(stored)


@settings(max_examples=15)
@given(st.integers(0, 40), st.sampled_from([0, 5, 10]))
def test_a_host_never_gets_a_mixture(count, score):
    """For a log of any length the parent's messages are all of those before and one answer, none of ours."""
    graph = StateGraph(MessagesState)
    graph.add_node("context", ContextNode(build_context_graph(config=ASK_ALL, scorer=Says(rest=score))))
    graph.add_node("answer", lambda _state: {"messages": [AIMessage("visible answer", id="answer")]})
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    log = dialogue()[-count - 1 :]
    stored = graph.compile().invoke({"messages": log}, RUN)["messages"]
    assert stored[:-1] == log
    assert stored[-1].id == "answer"

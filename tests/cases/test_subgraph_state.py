"""The parent's log is what it was plus the answer; agents side by side do not collide."""

from __future__ import annotations

from casework import RUN, Says
from hostwork import ASK_ALL, dialogue, host, judge
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from langchain_contextmode import ContextNode, build_context_graph


def test_f_o_070_the_answering_node_gets_the_view_and_the_log_stays():
    """The answering node receives exactly the view; the parent's messages are those before and the answer."""
    seen = []
    graph = host(judge(), seen=seen)
    updates = {name: update for part in graph.stream({"messages": dialogue()}, RUN, stream_mode="updates") for name, update in part.items()}
    assert seen == [updates["context"]["context_view"]["messages"]]
    stored = graph.invoke({"messages": dialogue()}, RUN)["messages"]
    assert stored[:-1] == dialogue()
    assert stored[-1].text == "visible answer"


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

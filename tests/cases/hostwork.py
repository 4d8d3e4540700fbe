"""A host graph with a judge whose replies must stay inside, and the conversation that makes it speak."""

from __future__ import annotations

from casework import ESTIMATE, exchanges, human
from langgraph.graph import START, MessagesState, StateGraph

from langchain_contextmode import ContextConfig, ContextInput, ContextNode, build_context_graph, context_messages
from langchain_contextmode.prune import build_prune_node
from langchain_contextmode.testing import ScriptedChatModel

INTERNAL = "INTERNAL-SUMMARY"
ASK_ALL = ContextConfig(protect_messages=2, filter_above_messages=0, keep_score=10, compress_score=0)


def dialogue():
    """Ten exchanges long enough that a judge is worth its tokens, and a request."""
    return [*exchanges(1, 10, "question {n} " * 60, "reply {n} " * 60), human("hq", "hq")]


def judge(**settings):
    return ScriptedChatModel(replies=[INTERNAL], **settings)


def host(model, *, saver=None, seen=None):
    """START -> context -> answer, whose answer is `visible answer`; notes what the answering node got."""
    answerer = ScriptedChatModel(replies=["visible answer"])

    def answer(state: ContextInput):
        messages = context_messages(state)
        if seen is not None:
            seen.append(messages)
        return {"messages": [answerer.invoke(messages)]}

    graph = StateGraph(MessagesState)
    graph.add_node("context", ContextNode(build_context_graph(config=ASK_ALL, model=model)))
    graph.add_node("answer", answer)
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    return graph.compile(checkpointer=saver)


def keeping_host(config, *, prune=True, archive=None, saver=None, answerer=None, max_entries=200, **collaborators):
    """START -> context -> answer -> prune, the log kept small; without `prune` the log is only read.

    The answering model is `answerer`, a `ScriptedChatModel` that keeps what it got; default: one that says `visible answer`.
    """
    answerer = answerer or ScriptedChatModel(replies=["visible answer"])

    def answer(state: ContextInput):
        return {"messages": [answerer.invoke(context_messages(state))]}

    graph = StateGraph(MessagesState)
    context = build_context_graph(config=config, token_counter=ESTIMATE, archive=archive, **collaborators)
    graph.add_node("context", ContextNode(context))
    graph.add_node("answer", answer)
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    if prune:
        graph.add_node("prune", build_prune_node(archive=archive, keep_turns=1, max_entries=max_entries))
        graph.add_edge("answer", "prune")
    return graph.compile(checkpointer=saver)

"""Host graphs as users build them, a conversation that opens the gate, and a way to run each form and each saver."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph, add_messages
from pydantic import BaseModel

from langchain_contextmode import ContextConfig, ContextInput, ContextNode, Scope, Verdict, build_context_graph, context_messages

SCOPE = Scope("u1", "s1")
WAYS = ["blocking-memory", "blocking-sqlite", "awaited-memory", "awaited-sqlite"]
SETTINGS = ContextConfig(view_tokens=400, protect_messages=2, filter_above_messages=4)
TOPICS = ["ferry", "museum", "bakery", "harbour", "tower", "garden", "market", "chapel"]


class PydanticState(BaseModel):
    messages: Annotated[list[AnyMessage], add_messages] = []
    language: str = "en"


@dataclass
class DataclassState:
    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)
    language: str = "en"


HOSTS = [MessagesState, PydanticState, DataclassState]


JUDGED = ContextConfig(view_tokens=2_000, protect_messages=2, filter_above_messages=4, keep_score=10, compress_score=0)
"""Leaves everything to the judge; goes with `conversation(filler=60)`, whose messages are worth asking about."""


def conversation(request="When does the ferry leave?", *, filler=4):
    """Return eight exchanges of which one bears on the request, and the request."""
    log = []
    for topic in TOPICS:
        log.append(HumanMessage(f"Tell me about the {topic} please. " + "So many things to see here. " * filler, id=f"h-{topic}"))
        log.append(AIMessage(f"The {topic} opens at nine. " + "Everybody likes it. " * filler, id=f"a-{topic}"))
    return [*log, HumanMessage(request, id="request")]


def run_config(thread="t1", *, at=None, **more):
    """Return the config of a run; `at`: the config of a snapshot to start from."""
    found = at["configurable"] if at else {}
    return {"configurable": {"user_id": "u1", "session_id": "s1", "thread_id": thread, **found}, **more}


class WordScorer:
    """Scores a block by whether it names a topic of the request; notes each request and the blocks it was asked about."""

    def __init__(self):
        self.asked = []

    @property
    def blocks(self):
        return [set(ids) for _, ids in self.asked]

    async def score(self, io, request, log, candidates):
        del io
        self.asked.append((request.text, [log[index].id for index in candidates]))
        words = set(request.text.lower().rstrip("?").split())
        texts = [" ".join(str(m.content) for m in log[index].messages).lower().split() for index in candidates]
        return [Verdict(9, 9.0, "same word") if words & set(TOPICS) & set(text) else Verdict(1, 1.0, "other") for text in texts]


class Answerer:
    """The answering node's model: notes what it sees and says a number."""

    def __init__(self):
        self.seen = []

    def __call__(self, state: ContextInput) -> dict[str, Any]:
        self.seen.append(context_messages(state))
        return {"messages": [AIMessage(f"answer {len(self.seen)}", id=f"answer-{len(self.seen)}")]}


def host(answer, *, state=MessagesState, node=None, **compiling):
    """Return START -> context -> answer -> END."""
    graph = StateGraph(state)
    graph.add_node("context", node or ContextNode(build_context_graph(config=SETTINGS)))
    graph.add_node("answer", answer)
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    graph.add_edge("answer", END)
    return graph.compile(**compiling)


class Way:
    """One form of running, with a saver that goes with it."""

    def __init__(self, saver, *, awaited):
        self.saver = saver
        self.awaited = awaited

    async def invoke(self, graph, given, config=None, **more):
        return await graph.ainvoke(given, config, **more) if self.awaited else graph.invoke(given, config, **more)

    async def stream(self, graph, given, config=None, **more):
        if self.awaited:
            return [part async for part in graph.astream(given, config, **more)]
        return list(graph.stream(given, config, **more))

    async def state(self, graph, config):
        return await graph.aget_state(config) if self.awaited else graph.get_state(config)

    async def update(self, graph, config, values, **more):
        return await graph.aupdate_state(config, values, **more) if self.awaited else graph.update_state(config, values, **more)

    async def history(self, graph, config):
        """Return the snapshots, newest first."""
        if self.awaited:
            return [snapshot async for snapshot in graph.aget_state_history(config)]
        return list(graph.get_state_history(config))


@asynccontextmanager
async def open_way(name):
    form, saver = name.split("-")
    if saver == "memory":
        yield Way(InMemorySaver(), awaited=form == "awaited")
    elif form == "awaited":
        async with AsyncSqliteSaver.from_conn_string(":memory:") as opened:
            yield Way(opened, awaited=True)
    else:
        with SqliteSaver.from_conn_string(":memory:") as opened:
            yield Way(opened, awaited=False)

"""What a stream of the host shows: the answer. Internal calls are tagged, named, and part of the run's trace."""

from __future__ import annotations

from typing import Any

import pytest
from hosts import JUDGED, WAYS, conversation, host, open_way, run_config
from langchain_core.callbacks import BaseCallbackHandler
from langgraph.graph import MessagesState

from langchain_contextmode import ContextInput, ContextNode, build_context_graph, context_messages
from langchain_contextmode.testing import ScriptedChatModel

SPOKEN = "judge speaking"
MODES = ["values", "updates", "custom", "messages", "tasks", "debug"]


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


@pytest.fixture
def judge():
    return ScriptedChatModel(replies=[SPOKEN], seconds=0.001)


@pytest.fixture
def graph(way, judge):
    """Return a host whose context is judged by a model and whose answer comes from another."""
    answerer = ScriptedChatModel(replies=["The answer."])

    def answer(state: ContextInput) -> dict[str, Any]:
        return {"messages": [answerer.invoke(context_messages(state))]}

    node = ContextNode(build_context_graph(config=JUDGED, model=judge))
    return host(answer, node=node, checkpointer=way.saver)


GIVEN = {"messages": conversation(filler=60)}


@pytest.mark.parametrize("subgraphs", [False, True])
async def test_messages_show_the_answer_only(way, graph, judge, subgraphs):
    """In stream_mode="messages" there is the answer's text once, with and without subgraphs, though a judge was asked."""
    for _ in range(2):
        parts = await way.stream(graph, GIVEN, run_config(), stream_mode="messages", subgraphs=subgraphs)
        shown = [(part[-1] if subgraphs else part)[0] for part in parts]
        assert [message.text for message in shown] == ["The answer."]
        assert all(((part[-1] if subgraphs else part)[1])["langgraph_node"] == "answer" for part in parts)
    assert judge.requests


@pytest.mark.parametrize("subgraphs", [False, True])
async def test_no_mode_shows_the_judge(way, graph, judge, subgraphs):
    """Whatever the modes, what a judge was asked and replied is in no part of the stream; what is custom are the reports."""
    parts = await way.stream(graph, GIVEN, run_config(), stream_mode=MODES, subgraphs=subgraphs)
    assert judge.requests
    assert SPOKEN not in str(parts)
    assert judge.requests[0].text[:40] not in str(parts)
    assert {part[-2] for part in parts} == set(MODES)
    reports = [part[-1] for part in parts if part[-2] == "custom"]
    assert all(event["type"] == "contextmode" and event["report"]["tokens"] for event in reports)
    assert len(reports) == (2 if subgraphs else 1)


async def test_updates_name_our_two_channels(way, graph):
    """In stream_mode="updates" the node shows state and view, the view's messages one level down."""
    parts = await way.stream(graph, GIVEN, run_config(), stream_mode="updates")
    assert [list(part) for part in parts] == [["context"], ["answer"]]
    assert set(parts[0]["context"]) == {"contextmode", "context_view"}
    assert isinstance(parts[0]["context"]["context_view"], dict)


async def test_values_end_without_the_view(way, graph):
    """In stream_mode="values" the view shows while it lives and is gone from the last part."""
    parts = await way.stream(graph, GIVEN, run_config(), stream_mode="values")
    assert ["context_view" in part for part in parts] == [False, True, False]
    assert [len(part["messages"]) for part in parts] == [17, 17, 18]


class Trace(BaseCallbackHandler):
    """Notes every run of a trace: what it is called, whose child it is, its tags."""

    def __init__(self):
        self.runs = {}

    def note(self, serialized, given, *, run_id, parent_run_id=None, tags=None, name=None, metadata=None, **_):
        del serialized, given
        self.runs[run_id] = {"name": name, "parent": parent_run_id, "tags": tags or [], "metadata": metadata or {}}

    on_chain_start = on_chat_model_start = note

    def path(self, run):
        names = []
        while run is not None:
            names.insert(0, run["name"])
            run = self.runs.get(run["parent"])
        return names


async def test_internal_calls_are_part_of_the_trace(way, graph):
    """A judge's call is tagged nostream and contextmode, keeps the caller's tags and metadata, and hangs below the node that made it."""
    trace = Trace()
    config = run_config(callbacks=[trace], tags=["mine"], metadata={"tenant": "t"})
    await way.invoke(graph, GIVEN, config)
    calls = [run for run in trace.runs.values() if "contextmode" in run["tags"]]
    assert calls
    for call in calls:
        assert {"nostream", "contextmode", "mine"} <= set(call["tags"])
        assert call["metadata"]["tenant"] == "t"
        path = trace.path(call)
        assert path[0] == "LangGraph"
        assert [name for name in path if name in {"context", "contextmode", "filter"}][:3] == ["context", "contextmode", "filter"]
    others = [run for run in trace.runs.values() if run not in calls]
    assert not any("nostream" in run["tags"] for run in others)


@pytest.mark.parametrize("way", ["awaited-memory", "awaited-sqlite"], indirect=True)
async def test_events_can_be_filtered_by_tag(graph, judge):
    """`astream_events` shows every model call of a run; without those tagged contextmode only the answer is left."""
    events = [event async for event in graph.astream_events(GIVEN, run_config(), version="v2")]
    ends = [event for event in events if event["event"] == "on_chat_model_end"]
    assert len(ends) == len(judge.requests) + 1 > 1
    assert [event["data"]["output"].text for event in ends if "contextmode" not in event["tags"]] == ["The answer."]
    assert all(event["parent_ids"] for event in ends)


async def test_a_bare_graph_as_a_node_shows_the_answer_only(way, judge):
    """A host that declares the two channels itself may take the bare graph as its node; its stream is as clean."""

    class Declared(ContextInput, MessagesState):
        pass

    answerer = ScriptedChatModel(replies=["The answer."])

    def answer(state: ContextInput) -> dict[str, Any]:
        return {"messages": [answerer.invoke(context_messages(state))]}

    graph = host(answer, state=Declared, node=build_context_graph(config=JUDGED, model=judge), checkpointer=way.saver)
    for _ in range(2):
        parts = await way.stream(graph, GIVEN, run_config(), stream_mode="messages", subgraphs=True)
        assert [part[-1][0].text for part in parts] == ["The answer."]
    assert len((await way.state(graph, run_config())).values["messages"]) == len(GIVEN["messages"]) + 2

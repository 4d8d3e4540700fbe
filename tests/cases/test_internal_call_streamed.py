"""What a user's stream shows is the answer and nothing else."""

from __future__ import annotations

import pytest
from casework import RUN
from hostwork import INTERNAL, dialogue, host, judge, keeping_host
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from summarywork import REPLIES, settings_for

from langchain_contextmode import build_context_graph
from langchain_contextmode.testing import ScriptedChatModel

SUBGRAPHS = pytest.mark.parametrize("subgraphs", [False, True])


def chunks(parts, subgraphs):
    return [(part[-1] if subgraphs else part)[0] for part in parts]


@SUBGRAPHS
async def test_f_o_062_internal_tokens_are_not_streamed(subgraphs):
    """Blocking and awaited, with subgraphs or without, the chunks of a stream join to the answer."""
    model = judge()
    graph = host(model)
    options = {"stream_mode": "messages", "subgraphs": subgraphs}
    blocking = list(graph.stream({"messages": dialogue()}, RUN, **options))
    awaited = [part async for part in graph.astream({"messages": dialogue()}, RUN, **options)]
    assert "".join(m.text for m in chunks(blocking, subgraphs)) == "visible answer"
    assert "".join(m.text for m in chunks(awaited, subgraphs)) == "visible answer"
    assert model.requests


@pytest.mark.parametrize("mode", ["updates", "values"])
def test_f_o_062_internal_text_is_in_no_update_of_messages(mode):
    """No update and no value of `messages` holds a text that an internal call said."""
    model = judge()
    for part in host(model).stream({"messages": dialogue()}, RUN, stream_mode=mode):
        for update in part.values() if mode == "updates" else [part]:
            assert not [m for m in update.get("messages", []) if INTERNAL in m.text]
    assert model.requests


@SUBGRAPHS
def test_f_o_063_nothing_that_is_written_to_state_is_streamed(subgraphs):
    """Archive lines, markers and old messages, all part of the view in state, are in no event of the message stream."""
    seen = []
    graph = host(ScriptedChatModel(replies=['{"m1": 1, "m2": 1, "m3": 0, "m4": 0}']), seen=seen)
    parts = chunks(graph.stream({"messages": dialogue()}, RUN, stream_mode="messages", subgraphs=subgraphs), subgraphs)
    assert [m.text for m in parts] == ["visible answer"]
    assert any(m.id == "contextmode-archive" for m in seen[0])


def pruning(reply, *, view_tokens=300):
    """A host whose summariser replies like this and whose prune node writes the log."""
    model = ScriptedChatModel(replies=[reply])
    config = settings_for(2, view_tokens=view_tokens)
    return keeping_host(config, models={"summary": model}, saver=InMemorySaver()), model


@SUBGRAPHS
async def test_f_o_063_pruning_streams_nothing(subgraphs):
    """In a host with a prune node no old message is emitted again, and neither summary nor removals show, blocking or awaited."""
    options = {"stream_mode": "messages", "subgraphs": subgraphs}
    for awaited in (False, True):
        graph, model = pruning(INTERNAL)
        before = dialogue()
        if awaited:
            parts = [part async for part in graph.astream({"messages": before}, RUN, **options)]
        else:
            parts = list(graph.stream({"messages": before}, RUN, **options))
        assert [m.text for m in chunks(parts, subgraphs)] == ["visible answer"]
        assert model.requests
        assert len(graph.get_state(RUN).values["messages"]) < len(before)


async def test_f_o_064_events_can_be_filtered_by_tag():
    """Each event of an internal model call carries `nostream` and `contextmode`, has a parent, and only the answer is left without them."""
    model = judge()
    events = [event async for event in host(model).astream_events({"messages": dialogue()}, RUN, version="v2")]
    spoken = [event for event in events if event["event"] == "on_chat_model_end"]
    internal = [event for event in spoken if INTERNAL in event["data"]["output"].text]
    assert len(internal) == len(model.requests) > 0
    assert all({"nostream", "contextmode"} <= set(event["tags"]) and event["parent_ids"] for event in internal)
    assert [event["data"]["output"].text for event in spoken if "contextmode" not in event["tags"]] == ["visible answer"]


def test_f_o_064_the_filter_is_documented():
    """The docs of the graph say how to leave internal calls out of `astream_events`."""
    assert "astream_events" in build_context_graph.__doc__
    assert "contextmode" in build_context_graph.__doc__


@settings(max_examples=15)
@given(st.text(min_size=1, max_size=60))
def test_whatever_a_judge_says_stays_inside(reply):
    """No reply of a judge, read or not, is in the message stream."""
    graph = host(ScriptedChatModel(replies=[reply]))
    parts = graph.stream({"messages": dialogue()}, RUN, stream_mode="messages")
    assert [m.text for m, _ in parts] == ["visible answer"]


@settings(max_examples=15)
@given(REPLIES)
def test_whatever_a_summariser_says_stays_inside(reply):
    """No reply of a summariser and no message that pruning touches is in the message stream of two turns."""
    graph, _ = pruning(reply)
    for turn in ({"messages": dialogue()}, {"messages": [("human", "and then?")]}):
        assert [m.text for m, _ in graph.stream(turn, RUN, stream_mode="messages")] == ["visible answer"]

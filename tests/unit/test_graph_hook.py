"""ContextNode as `pre_model_hook` of `create_react_agent`: a fresh view before every model call, the history untouched."""

from __future__ import annotations

import json
import re

import pytest
from hosts import JUDGED, SETTINGS, WAYS, conversation, open_way, run_config
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from validity import violations

from langchain_contextmode import ContextNode, build_context_graph
from langchain_contextmode.testing import ScriptedChatModel

pytestmark = [
    pytest.mark.filterwarnings("ignore:create_react_agent has been moved"),
    pytest.mark.parametrize("version", ["v1", "v2"]),
]


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


@tool
def timetable(place: str) -> str:
    """Look up a timetable."""
    return json.dumps({"place": place, "rows": [{"leaves": f"{hour}:05", "note": "runs daily"} for hour in range(6, 22)]})


class ToolModel(ScriptedChatModel):
    """A scripted model that tools can be bound to."""

    def bind_tools(self, tools, **_):
        return self.bind(tools=[bound.name for bound in tools])


def calls(*places, turn):
    return AIMessage(
        "", tool_calls=[{"name": "timetable", "args": {"place": p}, "id": f"{turn}-{p}", "type": "tool_call"} for p in places], id=turn
    )


STEPS = [
    calls("ferry", turn="step-1"),
    calls("tower", "market", turn="step-2"),
    calls("garden", turn="step-3"),
    AIMessage("At 6:05.", id="end"),
]


def agent(answering, saver, version, **collaborators):
    from langgraph.prebuilt import create_react_agent  # noqa: PLC0415  (it warns when it is imported or called)

    node = ContextNode(build_context_graph(**{"config": SETTINGS.model_copy(update={"view_tokens": 700}), **collaborators}))
    return create_react_agent(answering, [timetable], pre_model_hook=node, checkpointer=saver, version=version)


async def test_every_model_call_gets_a_view(way, version):
    """Over several tool steps each request is valid and inside the budget, ends where the loop stands, and holds the question."""
    model = ToolModel(replies=STEPS)
    out = await way.invoke(agent(model, way.saver, version), {"messages": conversation()}, run_config())
    assert len(model.requests) == len(STEPS)
    for request, ends in zip(model.requests, ("request", "ferry", "market", "garden"), strict=True):
        assert violations(request.messages) == []
        assert len(request.messages) < len(conversation())
        assert "request" in {message.id for message in request.messages}
        last = request.messages[-1]
        assert (last.id if last.type == "human" else last.tool_call_id.split("-")[-1]) == ends
        assert request.options["tools"] == ["timetable"]
    assert out["messages"][: len(conversation())] == conversation()
    assert [message.type for message in out["messages"][len(conversation()) :]] == ["ai", "tool", "ai", "tool", "tool", "ai", "tool", "ai"]
    assert set(out) == {"messages"}


async def test_the_next_turn_goes_on_from_the_stored_state(way, version):
    """A second question on the thread finds the whole history in the log and the first turn's verdicts in the state."""
    model = ToolModel(replies=[*STEPS, AIMessage("At 7:05.", id="end-2")])
    graph = agent(model, way.saver, version)
    first = await way.invoke(graph, {"messages": conversation()}, run_config())
    second = await way.invoke(graph, {"messages": [HumanMessage("And the market?", id="second")]}, run_config())
    assert second["messages"] == [*first["messages"], HumanMessage("And the market?", id="second"), AIMessage("At 7:05.", id="end-2")]
    values = (await way.state(graph, run_config())).values
    assert values["contextmode"]["verdicts"]["request"] == "And the market?"
    assert "context_view" not in values


def opinion(request):
    """Judge every message that is asked about."""
    labels = sorted(set(re.findall(r"\bm\d+\b", request.text)))
    return json.dumps([{"id": label, "score": 3, "action": "drop", "reason": "other"} for label in labels])


async def test_the_judge_is_asked_once_a_question_and_stays_out_of_the_stream(way, version):
    """With a judging model in the hook, tool steps reuse its verdicts, and the stream shows the agent's and the tools' messages only."""
    judge = ScriptedChatModel(replies=opinion)
    graph = agent(ToolModel(replies=STEPS), way.saver, version, config=JUDGED, model=judge)
    parts = await way.stream(graph, {"messages": conversation(filler=60)}, run_config(), stream_mode="messages", subgraphs=True)
    asked = [request.text for request in judge.requests]
    assert asked
    assert len(set(asked)) == len(asked) <= 2
    assert [part[-1][0].type for part in parts] == ["ai", "tool", "ai", "tool", "tool", "ai", "tool", "ai"]

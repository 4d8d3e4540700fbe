"""The compiled graph by itself: one node a step, the same view as the function, a state that is plain."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from hosts import JUDGED, SCOPE, SETTINGS, TOPICS, WAYS, Answerer, conversation, host, open_way, run_config
from langchain_core.messages import HumanMessage

import langchain_contextmode
from langchain_contextmode import (
    ConfigError,
    ContextConfig,
    StateSchemaError,
    StepError,
    aprepare_context,
    build_context_graph,
    context_messages,
    prepare_context,
)
from langchain_contextmode.testing import ScriptedChatModel
from langchain_contextmode.transcripts import load_transcript

TRIP = load_transcript(Path(langchain_contextmode.__file__).parent / "data" / "trip.jsonl")


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


def requests(log, count=4):
    """Return where the last few human messages stand."""
    return [index + 1 for index, message in enumerate(log) if message.type == "human"][-count:]


@pytest.mark.parametrize("layout", ["attention", "cache_stable"])
async def test_function_graph_and_host_agree_turn_after_turn(way, layout):
    """Over several turns of a real conversation, state handed on, the three ways give the same view, decisions and tokens."""
    config = ContextConfig(view_tokens=1_500, layout=layout)
    alone = build_context_graph(config=config, checkpointer=way.saver)
    answer = Answerer()
    within = host(answer, node=langchain_contextmode.ContextNode(build_context_graph(config=config)), checkpointer=way.saver)
    state, sent = None, 0
    for end in requests(TRIP):
        log = TRIP[:end]
        prepare = aprepare_context(log, scope=SCOPE, config=config, state=state) if way.awaited else None
        view = await prepare if prepare else prepare_context(log, scope=SCOPE, config=config, state=state)
        out = await way.invoke(alone, {"messages": log}, run_config("alone"))
        state = json.loads(json.dumps(view.state))
        channel = out["context_view"]
        assert (channel["messages"], channel["tokens"], out["contextmode"]) == (view.messages, view.tokens, view.state)
        assert channel["decisions"] == {identity: decision._asdict() for identity, decision in view.decisions.items()}
        assert len(view.messages) < len(log)
        await way.invoke(within, {"messages": log[sent:]}, run_config("within"))
        sent = end
        if len(answer.seen) == 1:  # later, the host's log holds the host's own answers
            assert answer.seen[0] == view.messages
        assert answer.seen[-1][-1] == view.messages[-1]


async def test_it_gives_out_state_and_view_and_nothing_else(way):
    """The output holds the two channels; the log is not echoed."""
    out = await way.invoke(build_context_graph(config=SETTINGS), {"messages": conversation()}, run_config())
    assert set(out) == {"contextmode", "context_view"}
    assert set(out["context_view"]) == {"messages", "tokens", "decisions", "report"}


async def test_what_is_stored_is_json(way):
    """State, decisions and report survive JSON unchanged, for as many turns as there are."""
    graph = build_context_graph(config=JUDGED, model=ScriptedChatModel(replies=["garbage"]), checkpointer=way.saver)
    for topic in TOPICS[:3]:
        out = await way.invoke(graph, {"messages": conversation(f"And the {topic}?", filler=60)}, run_config())
        plain = [out["contextmode"], out["context_view"]["decisions"], out["context_view"]["report"], out["context_view"]["tokens"]]
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        assert out["context_view"]["report"]["degraded"]


async def test_alone_it_keeps_its_state_in_a_checkpointer(way):
    """With a checkpointer of its own the graph remembers verdicts from turn to turn; nothing in memory only gets into the store."""
    config = SETTINGS.model_copy(update={"view_tokens": 600})  # the notice on what is left out has its room, too
    graph = build_context_graph(config=config, checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config())
    out = await way.invoke(graph, {"messages": conversation()}, run_config())
    deciders = {decision["decided_by"] for decision in out["context_view"]["decisions"].values()}
    assert deciders == {"must", "recent", "cache"}
    stored = {key for snapshot in await way.history(graph, run_config()) for key in snapshot.values}
    assert stored == {"messages", "contextmode", "context_view"}


async def test_a_run_that_stops_between_two_steps_goes_on(way):
    """What lived in memory only is made again after a stop, and the view is the one of an unbroken run."""
    graph = build_context_graph(config=SETTINGS, checkpointer=way.saver)
    for stop, pending in (("filter", ("track_task", "filter")), ("assemble", ("assemble",))):
        thread = run_config(stop)
        await way.invoke(graph, {"messages": conversation()}, thread, interrupt_before=[stop])
        assert (await way.state(graph, thread)).next == pending
        again = build_context_graph(config=SETTINGS, checkpointer=way.saver)
        out = await way.invoke(again, None, thread)
        assert out["context_view"]["messages"] == prepare_context(conversation(), scope=SCOPE, config=SETTINGS).messages


async def test_a_stream_of_the_bare_graph_shows_what_steps_cost_not_the_log(way):
    """What travels between the steps tells a stream, or whoever serializes it, seconds and calls, and no text of the log."""
    updates = await way.stream(build_context_graph(config=SETTINGS), {"messages": conversation()}, run_config(), stream_mode="updates")
    work = {name: done for update in updates[:-1] for results in update.values() for name, done in results.items()}
    assert set(work) == {"intake_work", "track_task_work", "recall_work", "filter_work", "summarize_work"}
    for done in work.values():
        told = json.dumps(done.model_dump(mode="json")) + repr(done)
        assert '"seconds"' in told
        assert "ferry" not in told


async def test_no_model_is_asked_while_the_gate_is_closed(way):
    """A conversation that fits costs no model call, and every message is in the view."""
    model = ScriptedChatModel(replies=["[]"])
    out = await way.invoke(build_context_graph(model=model), {"messages": conversation()}, run_config())
    assert model.requests == []
    assert out["context_view"]["messages"] == conversation()
    assert out["context_view"]["report"]["gate"]["open"] is False


async def test_soft_failures_are_hard_on_request(way):
    """With on_error="raise" a judge that fails reaches the caller as StepError, through all layers of the graph."""
    graph = build_context_graph(
        config=JUDGED.model_copy(update={"on_error": "raise"}), model=ScriptedChatModel(replies=[ConnectionError("no route")])
    )
    with pytest.raises(StepError) as caught:
        await way.invoke(graph, {"messages": conversation(filler=60)}, run_config())
    assert caught.value.step == "filter"


async def test_one_graph_serves_many_users_at_once(way):
    """Runs side by side on one compiled graph do not mix."""
    graph = build_context_graph(config=JUDGED, model=ScriptedChatModel(replies=["[]"], seconds=0.01))

    def given(topic):
        return {"messages": conversation(f"And the {topic}?", filler=60)}, {"configurable": {"user_id": topic, "session_id": "s"}}

    if way.awaited:
        outs = await asyncio.gather(*(graph.ainvoke(*given(topic)) for topic in TOPICS))
    else:
        with ThreadPoolExecutor(len(TOPICS)) as pool:
            outs = list(pool.map(lambda topic: graph.invoke(*given(topic)), TOPICS))
    for topic, out in zip(TOPICS, outs, strict=True):
        assert out["context_view"]["messages"][-1].text == f"And the {topic}?"
        assert out["contextmode"]["verdicts"]["request"] == f"And the {topic}?"


def test_steps_are_drawn():
    """The drawing shows the steps and how they follow one another."""
    drawn = build_context_graph().get_graph(xray=True).draw_mermaid()
    steps = ["__start__ --> intake", "intake --> filter", "filter --> summarize", "summarize --> assemble", "assemble --> __end__"]
    for edge in [*steps, "intake --> track_task", "track_task --> recall", "recall --> assemble"]:
        assert f"{edge};" in drawn


def test_its_schemas_can_be_served():
    """Input and output have JSON schemas, which LangGraph Server and Studio ask for."""
    graph = build_context_graph(state_key="planner")
    assert set(graph.get_input_jsonschema()["properties"]) == {"messages", "planner", "planner_view"}
    assert set(graph.get_output_jsonschema()["properties"]) == {"planner", "planner_view"}
    assert build_context_graph().get_input_jsonschema()["properties"]["messages"]["type"] == "array"


@pytest.mark.parametrize("key", ["", "two words", "messages", "context", "context_view", "llm_input_messages", "filter"])
def test_a_key_that_would_collide_is_refused(key):
    """A state key that is no identifier, or names a channel or a step of ours, is a ConfigError when the graph is built."""
    with pytest.raises(ConfigError, match="cannot name a channel"):
        build_context_graph(state_key=key)


def test_an_unknown_collaborator_is_refused():
    """A misspelt argument is an error, not a silence."""
    with pytest.raises(TypeError, match="modle"):
        build_context_graph(modle=None)


@pytest.mark.parametrize("state", [{}, {"context_view": None}, {"context_view": {}}, SimpleNamespace(context_view="text"), None])
def test_reading_a_view_that_is_not_there_says_what_to_do(state):
    """`context_messages` on a state without a view raises StateSchemaError with the remedy."""
    with pytest.raises(StateSchemaError, match="annotate the node's state"):
        context_messages(state)


def test_the_view_is_read_from_any_kind_of_state():
    """Dicts and objects both serve, and the list is the caller's to change."""
    view = {"messages": [HumanMessage("hi")]}
    for state in ({"context_view": view}, SimpleNamespace(context_view=view)):
        context_messages(state).clear()
        assert context_messages(state) == view["messages"]


STRICT = """
import logging, sys
logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
from hosts import SETTINGS, Answerer, SqliteSaver, conversation, host, run_config
from langchain_contextmode import build_context_graph
with SqliteSaver.from_conn_string(":memory:") as saver:
    answer = Answerer()
    graph = host(answer, checkpointer=saver, interrupt_before=["answer"])
    graph.invoke({"messages": conversation()}, run_config())
    graph.invoke(None, run_config())
    assert answer.seen[0][-1].text == "When does the ferry leave?"
    alone = build_context_graph(config=SETTINGS, checkpointer=saver)
    for _ in range(2):
        out = alone.invoke({"messages": conversation()}, run_config("alone"))
    alone.get_state(run_config("alone"))
    assert "cache" in {decision["decided_by"] for decision in out["context_view"]["decisions"].values()}
"""


def test_strict_checkpoints_read_back_without_a_word():
    """With LANGGRAPH_STRICT_MSGPACK the host and the bare graph go on after a stop, and no unregistered type is reported."""
    env = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true", "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-W", "error", "-c", STRICT], env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")

"""The state between turns: JSON, versioned, replaced and never changed; what is not ours is refused and left as it is."""

from __future__ import annotations

import copy
import json

import pytest
from hosts import JUDGED, SCOPE, SETTINGS, TOPICS, WAYS, Answerer, conversation, host, open_way, run_config
from langgraph.graph import START, StateGraph

from langchain_contextmode import ContextConfig, ContextInput, ContextNode, StateSchemaError, build_context_graph, prepare_context
from langchain_contextmode.schema import STATE_VERSION, newest
from langchain_contextmode.testing import ScriptedChatModel
from langchain_contextmode.work import checked_state

FOREIGN = [
    {"verdicts": {"version": STATE_VERSION + 1, "items": {}}},
    {"verdicts": {"items": {}}},
    {"verdicts": {"version": None}},
    {"verdicts": []},
    {"pins": "text"},
    {"verdicts": {"version": STATE_VERSION}, "task": {"version": "1"}},
]


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


@pytest.mark.parametrize("state", FOREIGN, ids=json.dumps)
def test_an_unknown_version_is_refused(state):
    """State of another version, or without one, raises an error that names the concern and both versions."""
    (name,) = [name for name, concern in state.items() if concern != {"version": STATE_VERSION}]
    with pytest.raises(StateSchemaError, match=rf"'{name}' has version .* knows {STATE_VERSION}"):
        prepare_context(conversation(), scope=SCOPE, config=SETTINGS, state=state)


@pytest.mark.parametrize("state", ["text", [], 0, False, ("verdicts",)], ids=repr)
def test_state_of_another_type_is_refused(state):
    """What is no dict is an error that says what to pass."""
    with pytest.raises(StateSchemaError, match=r"view\.state"):
        prepare_context(conversation(), scope=SCOPE, state=state)


@pytest.mark.parametrize("nothing", [None, {}])
def test_no_state_is_a_first_turn(nothing):
    """None and an empty dict start anew, with a dict that nobody else holds."""
    started = checked_state(nothing)
    started["x"] = 1
    assert checked_state(nothing) == {}


@pytest.mark.parametrize("state", FOREIGN, ids=json.dumps)
async def test_a_thread_with_foreign_state_is_left_as_it_is(way, state):
    """In a graph the same error reaches the caller, and the stored state is not overwritten."""
    answer = Answerer()
    graph = host(answer, checkpointer=way.saver)
    await way.update(graph, run_config(), {"contextmode": copy.deepcopy(state)}, as_node="answer")
    for _ in range(2):
        with pytest.raises(StateSchemaError):
            await way.invoke(graph, {"messages": conversation()}, run_config())
    assert (await way.state(graph, run_config())).values["contextmode"] == state
    assert answer.seen == []


@pytest.mark.parametrize("garbage", ["text", 0, [], False], ids=repr)
async def test_garbage_in_the_channel_is_not_taken_for_an_empty_state(way, garbage):
    """A channel that holds something else than a dict is an error, even if it is falsy."""
    graph = host(Answerer(), checkpointer=way.saver)
    await way.update(graph, run_config(), {"contextmode": garbage}, as_node="answer")
    with pytest.raises(StateSchemaError, match=type(garbage).__name__):
        await way.invoke(graph, {"messages": conversation()}, run_config())


async def test_a_concern_of_another_feature_is_kept(way):
    """A versioned concern that this pipeline does not know travels on unchanged, gate open or closed, graph or function."""
    other = {"board": {"version": STATE_VERSION, "fields": {"budget": [1, {"deep": None}]}}}
    for config in (SETTINGS, ContextConfig()):
        view = prepare_context(conversation(), scope=SCOPE, config=config, state=other)
        assert view.state["board"] == other["board"]
        graph = host(Answerer(), node=ContextNode(build_context_graph(config=config)), checkpointer=way.saver)
        thread = run_config(str(config.view_tokens))
        await way.update(graph, thread, {"contextmode": other}, as_node="answer")
        await way.invoke(graph, {"messages": conversation()}, thread)
        assert (await way.state(graph, thread)).values["contextmode"] == view.state


def test_the_given_state_is_not_changed():
    """The state handed in is read only; the one in the view is another."""
    first = prepare_context(conversation(), scope=SCOPE, config=SETTINGS).state
    before = copy.deepcopy(first)
    second = prepare_context(conversation("And the tower?"), scope=SCOPE, config=SETTINGS, state=first).state
    assert first == before
    assert second is not first
    assert second["verdicts"]["request"] == "And the tower?"


def test_state_is_json_with_string_keys():
    """A state that went through JSON is the same state, and serves as the next turn's."""
    model = ScriptedChatModel(replies=['[{"id": "m1", "score": 9, "action": "keep", "reason": "\\u00e9 {x}"}]'])
    view = prepare_context(conversation(filler=60), scope=SCOPE, config=JUDGED, model=model)
    again = json.loads(json.dumps(view.state, allow_nan=False))
    assert again == view.state
    reused = prepare_context(conversation(filler=60), scope=SCOPE, config=JUDGED, state=again)
    assert {decision.decided_by for decision in reused.decisions.values()} >= {"cache"}


def test_state_does_not_grow_with_the_turns():
    """However long the thread, the state holds no more verdicts than `verdicts_max`."""
    config = SETTINGS.model_copy(update={"verdicts_max": 5, "summarize_above_tokens": None})
    log, state, sizes = [], None, []
    for turn in range(12):
        log += [message.model_copy(update={"id": f"{turn}-{message.id}"}) for message in conversation(f"And the {TOPICS[turn % 8]}?")]
        state = prepare_context(log, scope=SCOPE, config=config, state=state).state
        sizes.append(len(json.dumps(state)))
        assert len(state["verdicts"]["items"]) <= 5
    assert max(sizes) < 2 * sizes[0]


def test_the_reducer_takes_the_newer_value():
    """The newer state stands as a whole; nothing is merged, and None changes nothing."""
    old, new = {"a": 1, "b": 2}, {"a": 3}
    assert newest(old, new) is new
    assert newest(old, {}) == {}
    assert newest(old, None) is old
    assert newest(None, None) == {}


def test_the_channels_are_what_hosts_may_rely_on():
    """`ContextInput` adds a last-wins state and a view that lives one step, and leaves the reducer of `messages` to the host."""
    graph = StateGraph(ContextInput).add_node("n", lambda _: {}).add_edge(START, "n").compile()
    assert type(graph.channels["contextmode"]).__name__ == "BinaryOperatorAggregate"
    assert graph.channels["contextmode"].operator is newest
    assert type(graph.channels["context_view"]).__name__ == "EphemeralValue"
    assert graph.channels["context_view"].guard is False
    assert type(graph.channels["messages"]).__name__ == "LastValue"

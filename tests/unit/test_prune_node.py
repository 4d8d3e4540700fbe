"""The prune node in host graphs as users build them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hosts import HOSTS, WAYS, open_way, run_config
from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from test_prune import SCOPE, summarised, talk
from typing_extensions import TypedDict

from langchain_contextmode import ContextConfig, ContextInput, ContextNode, Scope, build_context_graph, context_messages
from langchain_contextmode.errors import ConfigError, ScopeError, StateSchemaError
from langchain_contextmode.originals import ROOT, Originals
from langchain_contextmode.prune import build_prune_node, prune
from langchain_contextmode.testing import ScriptedChatModel
from langchain_contextmode.topics import entries_of

SETTINGS = ContextConfig(view_tokens=800, window_turns=5, summarize_above_tokens=200, summary_slice_turns=5)
KEPT = 2 * (SETTINGS.window_turns + 1)
"""Messages of the window and of the turn that is about to leave it."""


class Elsewhere(TypedDict):
    """A host with a log of another name."""

    log: list


class ContextInputHost(ContextInput, MessagesState):
    """A host that declares the channels itself."""


class Broken(InMemoryStore):
    """Refuses the first writes."""

    def __init__(self, refusals):
        super().__init__()
        self.refusals = refusals

    def put(self, *item, **more):
        if self.refusals:
            self.refusals -= 1
            raise ConnectionError
        super().put(*item, **more)

    async def aput(self, *item, **more):
        self.put(*item, **more)


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


def asked(turn):
    return {"messages": [HumanMessage(f"Turn {turn}: order OR-{1000 + turn} goes to door {turn}. " + "And some more words. " * 8)]}


def host(*nodes, state=MessagesState, key="contextmode", **compiling):
    """Return START -> context -> answer -> the given nodes -> END."""
    model = ScriptedChatModel(replies=lambda request: f"Noted {len(request.text)}. " + "Anything else to do? " * 4)
    context = ContextNode(build_context_graph(config=SETTINGS, state_key=key))

    def answer(state: Any) -> dict[str, Any]:
        return {"messages": [model.invoke(context_messages(state, key))]}

    graph = StateGraph(state)
    graph.add_node("context", context)
    graph.add_node("answer", answer, input_schema=context.input_type)
    for number, node in enumerate(nodes):
        graph.add_node(f"after{number}", node)
    names = [START, "context", "answer", *(f"after{number}" for number in range(len(nodes))), END]
    for first, second in pairwise(names):
        graph.add_edge(first, second)
    return graph.compile(**compiling)


def size(values):
    return len(JsonPlusSerializer().dumps_typed(values)[1])


def test_checkpoints_stay_small():
    """Over 60 turns the log stays at the window, the state at its bounds, and a checkpoint at less than half of what it is without."""
    store = InMemoryStore()
    pruning, plain = host(build_prune_node(archive=store), checkpointer=InMemorySaver()), host(checkpointer=InMemorySaver())
    lengths = []
    for turn in range(60):
        pruning.invoke(asked(turn), run_config())
        plain.invoke(asked(turn), run_config())
        lengths.append(len(pruning.get_state(run_config()).values["messages"]))
    values = pruning.get_state(run_config()).values
    assert max(lengths) <= KEPT
    assert len(store.search(ROOT, limit=1_000)) == 120 - lengths[-1]
    assert len(entries_of(values["contextmode"]["archive"])) <= 200
    assert size(values) < size(plain.get_state(run_config()).values) / 2
    assert "OR-1000" in str(Originals(store).get(Scope("u1", "s1"), entries_of(values["contextmode"]["archive"])[0].message_ids))


async def test_the_stream_shows_the_answer_only(way):
    """In stream_mode="messages" there is one answer a turn and nothing else, though messages are removed meanwhile."""
    graph = host(build_prune_node(archive=InMemoryStore()), checkpointer=way.saver)
    for turn in range(16):
        parts = await way.stream(graph, asked(turn), run_config(), stream_mode="messages", subgraphs=True)
        assert [part[-1][1]["langgraph_node"] for part in parts] == ["answer"]
    assert len((await way.state(graph, run_config())).values["messages"]) < 32


async def test_state_is_json_and_survives(way):
    """What the node writes comes back from the saver as it is, in JSON types only, and the log is a valid rest of what was said."""
    graph = host(build_prune_node(), checkpointer=way.saver)
    for turn in range(16):
        await way.invoke(graph, asked(turn), run_config())
    values = (await way.state(graph, run_config())).values
    state = values["contextmode"]
    assert json.loads(json.dumps(state)) == state
    assert state["archive"]["items"]
    ids = [message.id for message in values["messages"]]
    assert len(ids) == len(set(ids))
    assert [message.type for message in values["messages"]] == ["human", "ai"] * (len(ids) // 2)


@pytest.mark.parametrize("state", HOSTS)
async def test_any_host_is_pruned(way, state):
    """MessagesState, Pydantic and dataclass hosts need no declaration."""
    graph = host(build_prune_node(), state=state, checkpointer=way.saver)
    for turn in range(12):
        await way.invoke(graph, asked(turn), run_config())
    assert len((await way.state(graph, run_config())).values["messages"]) < 24


async def test_a_fork_has_the_old_messages(way):
    """A run from a checkpoint before the pruning has the whole log of then, and is pruned anew from there."""
    graph = host(build_prune_node(archive=InMemoryStore()), checkpointer=way.saver)
    for turn in range(14):
        await way.invoke(graph, asked(turn), run_config())
    history = await way.history(graph, run_config())
    before = next(found for found in history[30:] if found.next == ("after0",) and len(found.values["messages"]) > KEPT)
    old = before.values["messages"]
    assert not {message.id for message in old} & {message.id for message in history[0].values["messages"]}
    out = await way.invoke(graph, None, run_config(at=before.config))
    assert out["messages"] == old[-len(out["messages"]) :]
    assert len(out["messages"]) < len(old)


async def test_a_log_without_reducer_is_left_alone(way, caplog):
    """Where the host's channel would take the removals for its log, which messages without ids show, nothing is written."""
    log = [*talk(), HumanMessage("no id")]
    graph = StateGraph(ContextInput).add_node("prune", build_prune_node()).add_edge(START, "prune").compile()
    out = await way.invoke(graph, {"messages": log, "contextmode": summarised(log, "a3")}, run_config())
    assert out["messages"] == log
    assert "add_messages" in caplog.text


async def test_a_failing_archive_costs_nothing(way):
    """While the archive refuses, the log grows and the answers come; when it works again, pruning catches up."""
    store = Broken(refusals=3)
    graph = host(build_prune_node(archive=store), checkpointer=way.saver)
    lengths = []
    for turn in range(16):
        await way.invoke(graph, asked(turn), run_config())
        lengths.append(len((await way.state(graph, run_config())).values["messages"]))
    grown = max(lengths)
    assert lengths[: grown // 2] == list(range(2, grown + 1, 2))
    assert not store.refusals
    assert lengths[-1] < grown


@pytest.mark.parametrize("which", [1, -1])
async def test_a_node_before_it_may_remove_messages(way, which):
    """Where another node removed a message just before, nothing that is gone is named, and it does not come back."""
    gone = []

    def remover(state: MessagesState) -> dict[str, Any]:
        if len(state["messages"]) < KEPT:
            return {}
        gone.append(state["messages"][which].id)
        return {"messages": [RemoveMessage(id=gone[-1])]}

    graph = host(remover, build_prune_node(), checkpointer=way.saver)
    for turn in range(14):
        await way.invoke(graph, asked(turn), run_config())
    log = (await way.state(graph, run_config())).values["messages"]
    assert gone
    assert not {message.id for message in log} & set(gone)
    assert log[-2].content.startswith("Turn 13:")


async def test_another_key_is_pruned_by_its_own_state(way):
    """Under another state key the node reads and writes that channel."""
    graph = host(build_prune_node(state_key="planner"), key="planner", checkpointer=way.saver)
    for turn in range(12):
        await way.invoke(graph, asked(turn), run_config())
    values = (await way.state(graph, run_config())).values
    assert len(values["messages"]) < 24
    assert values["planner"]["archive"]["items"]
    assert "contextmode" not in values


async def test_alone_it_does_nothing(way):
    """In a host that knows nothing of context mode the log is left as it is."""
    graph = StateGraph(MessagesState).add_node("prune", build_prune_node()).add_edge(START, "prune").compile(checkpointer=way.saver)
    out = await way.invoke(graph, {"messages": talk()}, run_config())
    assert out["messages"] == talk()


async def test_a_host_without_messages_is_told(way):
    """A host that keeps its log elsewhere gets an error that says so."""
    graph = StateGraph(Elsewhere).add_node("prune", build_prune_node()).add_edge(START, "prune").compile()
    with pytest.raises(StateSchemaError, match="messages"):
        await way.invoke(graph, {"log": []}, run_config())


async def test_an_archive_needs_a_user(way):
    """With an archive a run without a user is an error, even if nothing would go; without one nobody asks."""
    nobody = {"configurable": {"thread_id": "t1"}}
    for archive in (InMemoryStore(), None):
        graph = StateGraph(MessagesState).add_node("prune", build_prune_node(archive=archive)).add_edge(START, "prune").compile()
        if archive is None:
            await way.invoke(graph, {"messages": talk(1)}, nobody)
            continue
        with pytest.raises(ScopeError):
            await way.invoke(graph, {"messages": talk(1)}, nobody)


async def test_the_host_says_whose_it_is(way):
    """A scope callable decides under which user the originals are written."""
    store = InMemoryStore()
    node = build_prune_node(archive=store, scope=lambda _: SCOPE)
    graph = StateGraph(ContextInputHost).add_node("prune", node).add_edge(START, "prune").compile()
    out = await way.invoke(graph, {"messages": talk(), "contextmode": summarised(talk(), "a3")}, {"configurable": {"thread_id": "t"}})
    assert [message.id for message in out["messages"]] == [message.id for message in talk()[6:]]
    assert [m.id for m in Originals(store).get(SCOPE, ["h1", "a3"])] == ["h1", "a3"]


@pytest.mark.parametrize("wrong", [{"state_key": "messages"}, {"state_key": "a b"}, {"keep_turns": -1}, {"max_entries": 1.5}])
def test_a_node_that_cannot_work_is_not_built(wrong):
    """Wrong settings are refused when the node is built."""
    with pytest.raises(ConfigError):
        build_prune_node(**wrong)


@pytest.mark.parametrize(
    ("error", "how"),
    [
        (ConfigError, {"keep_turns": -1}),
        (ConfigError, {"max_entries": True}),
        (ConfigError, {"keep_turns": 2.5}),
        (ScopeError, {"archive": InMemoryStore()}),
        (StateSchemaError, {"archive": InMemoryStore(), "scope": SCOPE, "more": {"archive": {"version": 99, "items": []}}}),
        (StateSchemaError, {"more": {"news": {"version": 2}}}),
    ],
)
def test_wrong_arguments_are_refused(error, how):
    """Numbers out of range, an archive without a scope, and unknown state raise before anything is written."""
    log, how = talk(), dict(how)
    state = summarised(log, "a4", **how.pop("more", {}))
    with pytest.raises(error):
        prune(log, state, **how)
    if "archive" in how:
        assert how["archive"].search(ROOT) == []

"""ContextNode in the graphs of others: it brings its channels, answers from the view, and leaves the log alone."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

import pytest
from hosts import HOSTS, SCOPE, SETTINGS, WAYS, Answerer, WordScorer, conversation, host, open_way, run_config
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Send

from langchain_contextmode import (
    BudgetError,
    ConfigError,
    ContextConfig,
    ContextInput,
    ContextNode,
    ScopeError,
    StateSchemaError,
    build_context_graph,
    context_messages,
    prepare_context,
)


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


def node(**settings):
    return ContextNode(build_context_graph(**{"config": SETTINGS, **settings}))


@pytest.mark.parametrize("state", HOSTS)
async def test_one_line_puts_the_view_into_any_host(way, state):
    """In a MessagesState, Pydantic or dataclass host the answering node gets the view that `prepare_context` gives."""
    answer = Answerer()
    graph = host(answer, state=state, checkpointer=way.saver)
    out = await way.invoke(graph, {"messages": conversation()}, run_config())
    direct = prepare_context(conversation(), scope=SCOPE, config=SETTINGS)
    assert answer.seen == [direct.messages]
    assert len(direct.messages) < len(conversation())
    assert out["messages"] == [*conversation(), AIMessage("answer 1", id="answer-1")]
    assert set(out) <= {"messages", "language"}


@pytest.mark.parametrize("state", HOSTS)
async def test_state_survives_turns(way, state):
    """What one turn decided is there in the next: the same request again is answered from stored verdicts."""
    answer, scorer = Answerer(), WordScorer()
    graph = host(answer, state=state, node=node(scorer=scorer), checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config())
    await way.invoke(graph, {"messages": [HumanMessage("When does the ferry leave?", id="again")]}, run_config())
    stored = (await way.state(graph, run_config())).values["contextmode"]["verdicts"]
    assert stored["request"] == "When does the ferry leave?"
    assert {"h-ferry", "h-chapel"} <= set(stored["items"])
    assert {"h-ferry", "h-chapel"} <= scorer.blocks[0]
    assert scorer.blocks[1] == {"request", "answer-1"}
    log = [*conversation(), AIMessage("answer 1", id="answer-1"), HumanMessage("When does the ferry leave?", id="again")]
    view = prepare_context(log, scope=SCOPE, config=SETTINGS, scorer=scorer)
    assert answer.seen[1] == view.messages


async def test_threads_do_not_share_state(way):
    """Another thread starts with nothing, in the same process and the same saver."""
    scorer = WordScorer()
    graph = host(Answerer(), node=node(scorer=scorer), checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config("one"))
    assert (await way.state(graph, run_config("two"))).values == {}
    await way.invoke(graph, {"messages": conversation("And the tower?")}, run_config("two"))
    assert (await way.state(graph, run_config("one"))).values["contextmode"]["verdicts"]["request"] == "When does the ferry leave?"


async def test_the_log_is_never_written(way):
    """Neither the node's update nor the stored state touches a message of the host."""
    log = conversation()
    before = [message.model_dump() for message in log]
    graph = host(Answerer(), checkpointer=way.saver)
    updates = await way.stream(graph, {"messages": log}, run_config(), stream_mode="updates")
    assert [set(part[name]) for part in updates for name in part] == [{"contextmode", "context_view"}, {"messages"}]
    assert [message.model_dump() for message in log] == before
    assert (await way.state(graph, run_config())).values["messages"][:-1] == log


async def test_only_the_hosts_steps_are_checkpointed(way):
    """However the graph was compiled, the steps inside the node write no checkpoints of their own."""
    graph = host(Answerer(), node=node(checkpointer=None), checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config())
    everything = {"configurable": {"thread_id": "t1"}}
    written = [c async for c in way.saver.alist(everything)] if way.awaited else list(way.saver.list(everything))
    assert {c.config["configurable"]["checkpoint_ns"] for c in written} == {""}
    assert len(written) == 4


async def test_the_view_is_gone_after_the_next_step(way):
    """A node that runs later finds no view, and the error says what to do; nothing of it stays in the state."""

    def late(state: ContextInput) -> dict[str, Any]:
        context_messages(state)
        return {}

    graph = StateGraph(MessagesState)
    graph.add_sequence([("context", node()), ("answer", Answerer()), ("late", late)])
    graph.add_edge(START, "context")
    graph = graph.compile(checkpointer=way.saver)
    with pytest.raises(StateSchemaError, match="Run ContextNode right before this node"):
        await way.invoke(graph, {"messages": conversation()}, run_config())
    assert "context_view" not in (await way.state(graph, run_config())).values


async def test_an_answering_node_without_the_annotation_is_told(way):
    """A node annotated with the host's state cannot see the view, and the error names the annotation."""

    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [str(context_messages(state))]}

    with pytest.raises(StateSchemaError, match=r"state: ContextInput"):
        await way.invoke(host(answer), {"messages": conversation()}, run_config())


async def test_another_key_keeps_another_state(way):
    """Two agents in one graph have a view and a state each, also side by side in one superstep."""
    planner, critic = node(state_key="planner"), node(state_key="critic", config=ContextConfig(view_tokens=300, protect_messages=0))
    seen = {}

    def answering(name):
        def answer(state):
            seen[name] = context_messages(state, name)
            return {"messages": [AIMessage(name, id=name)]}

        return answer

    graph = StateGraph(MessagesState)
    for name, context in (("planner", planner), ("critic", critic)):
        graph.add_node(f"{name} context", context)
        graph.add_node(f"{name} answer", answering(name), input_schema=context.input_type)
        graph.add_edge(START, f"{name} context")
        graph.add_edge(f"{name} context", f"{name} answer")
    graph = graph.compile(checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config())
    values = (await way.state(graph, run_config())).values
    assert {"planner", "critic"} <= set(values)
    assert not {"contextmode", "context_view", "planner_view", "critic_view"} & set(values)
    assert seen["planner"] == prepare_context(conversation(), scope=SCOPE, config=SETTINGS).messages
    assert 0 < len(seen["critic"]) < len(seen["planner"])


async def test_two_nodes_with_one_key_in_one_superstep(way):
    """Parallel branches with the same key do not collide; the last view stands."""
    answer = Answerer()
    graph = StateGraph(MessagesState)
    graph.add_node("left", node())
    graph.add_node("right", node())
    graph.add_node("answer", answer)
    graph.add_edge(START, "left")
    graph.add_edge(START, "right")
    graph.add_edge(["left", "right"], "answer")
    graph = graph.compile(checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config())
    assert answer.seen == [prepare_context(conversation(), scope=SCOPE, config=SETTINGS).messages]


class Said(TypedDict):
    said: Annotated[list[str], operator.add]


class Fan(Said):
    messages: list[Any]


async def test_send_branches_get_a_view_each(way):
    """Branches by Send that answer in a subgraph each see their own log, and no update collides."""

    def answer(state: ContextInput) -> dict[str, Any]:
        return {"said": [context_messages(state)[-1].text]}

    branch = StateGraph(Fan, output_schema=Said)
    branch.add_sequence([("context", node()), ("answer", answer)])
    branch.add_edge(START, "context")
    outer = StateGraph(Fan)
    outer.add_node("branch", branch.compile())
    outer.add_conditional_edges(START, lambda _: [Send("branch", {"messages": conversation(f"And the {t}?")}) for t in ("tower", "market")])
    outer = outer.compile(checkpointer=way.saver)
    out = await way.invoke(outer, {"messages": [], "said": []}, run_config())
    assert sorted(out["said"]) == ["And the market?", "And the tower?"]


async def test_send_to_the_node_itself_does_not_collide(way):
    """Three Sends to one ContextNode in one superstep end without InvalidUpdateError."""
    graph = StateGraph(MessagesState)
    graph.add_node("context", node())
    graph.add_conditional_edges(
        START, lambda _: [Send("context", {"messages": conversation(f"And the {t}?")}) for t in ("tower", "market", "ferry")]
    )
    graph = graph.compile(checkpointer=way.saver)
    await way.invoke(graph, {"messages": [HumanMessage("go", id="go")]}, run_config())
    assert (await way.state(graph, run_config())).values["contextmode"]["verdicts"]["request"].startswith("And the")


async def test_deleted_messages_leave_no_trace_in_the_view(way):
    """When the host removes messages, stored verdicts about them do no harm."""
    answer = Answerer()
    graph = host(answer, checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation()}, run_config())
    gone = [RemoveMessage(id=f"{who}-ferry") for who in "ha"]
    await way.invoke(graph, {"messages": [*gone, HumanMessage("When does the ferry leave?", id="again")]}, run_config())
    assert not {"h-ferry", "a-ferry"} & {message.id for message in answer.seen[1]}
    assert answer.seen[1][-1].id == "again"


async def test_a_host_may_own_the_hook_channel(way):
    """A host that declares `llm_input_messages` finds the view there, as `create_react_agent` does."""

    class Hooked(MessagesState):
        llm_input_messages: list[Any]

    seen = []

    def answer(state):
        seen.append(state["llm_input_messages"])
        return {}

    await way.invoke(host(answer, state=Hooked, checkpointer=way.saver), {"messages": conversation()}, run_config())
    assert seen == [prepare_context(conversation(), scope=SCOPE, config=SETTINGS).messages]


async def test_errors_arrive_typed_and_commit_nothing(way):
    """A budget that cannot hold the request, a run without a user: the typed error reaches the caller, the state is as before."""
    graph = host(Answerer(), node=node(config=ContextConfig(view_tokens=100, protect_messages=0)), checkpointer=way.saver)
    await way.invoke(graph, {"messages": conversation("And the tower?")}, run_config())
    before = (await way.state(graph, run_config())).values["contextmode"]
    with pytest.raises(BudgetError) as caught:
        await way.invoke(graph, {"messages": [HumanMessage("word " * 500, id="huge")]}, run_config())
    assert caught.value.needed_tokens > caught.value.budget_tokens == 100
    with pytest.raises(ScopeError, match="no user_id"):
        await way.invoke(graph, {"messages": [HumanMessage("hi", id="hi")]}, {"configurable": {"thread_id": "t1"}})
    after = (await way.state(graph, run_config())).values
    assert after["contextmode"] == before
    assert "context_view" not in after


async def test_the_hosts_step_limit_is_the_hosts(way):
    """A host that allows itself two steps runs: the steps inside are not counted against it."""
    answer = Answerer()
    await way.invoke(host(answer), {"messages": conversation()}, run_config(recursion_limit=3))
    assert len(answer.seen) == 1


async def test_a_host_without_messages_is_told(way):
    """A host that keeps its log under another name gets an error instead of an empty view."""

    class Named(TypedDict):
        history: list[Any]

    with pytest.raises(StateSchemaError, match="no `messages`"):
        await way.invoke(host(Answerer(), state=Named), {"history": conversation()}, run_config())


async def test_an_empty_log_gives_an_empty_view(way):
    """A host that has no message yet gets a view without messages, as `prepare_context` gives."""
    answer = Answerer()
    await way.invoke(host(answer), {"messages": []}, run_config())
    assert answer.seen == [[]]


def test_only_the_context_graph_is_taken():
    """Any other graph is refused when the host is built, not when it runs."""
    graph = StateGraph(MessagesState).add_node("n", lambda _: {}).add_edge(START, "n").add_edge("n", END).compile(name="mine")
    with pytest.raises(ConfigError, match="build_context_graph, got mine"):
        ContextNode(graph)


def test_a_host_is_drawn_with_the_node():
    """The node shows in the host's drawing, between its neighbours."""
    drawn = host(Answerer()).get_graph(xray=True).draw_mermaid()
    assert "__start__ --> context;" in drawn
    assert "context --> answer;" in drawn

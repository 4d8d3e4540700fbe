"""A chat as one graph."""

from __future__ import annotations

import pytest
from agents import Agent, run
from hosts import conversation
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from langchain_contextmode import (
    ConfigError,
    ContextConfig,
    EphemeralMemoryStore,
    Scope,
    ScopeError,
    build_chat_graph,
    end_session,
    prepare_context,
)

SMALL = ContextConfig(view_tokens=900)


@pytest.fixture(params=["blocking", "awaited"])
def invoke(request):
    """Run a chat in both forms."""

    async def blocking(chat, *given, **more):
        return chat.invoke(*given, **more)

    async def awaited(chat, *given, **more):
        return await chat.ainvoke(*given, **more)

    return blocking if request.param == "blocking" else awaited


async def test_the_answer_comes_from_the_view(invoke):
    """The model gets the view of system prompt and log; the log gets the answer and nothing else."""
    model = Agent(replies=["Nine."])
    chat = build_chat_graph(model, system_prompt="Be brief.", config=SMALL, checkpointer=InMemorySaver())
    log = conversation(filler=20)
    out = await invoke(chat, {"messages": log}, run())
    view = prepare_context([("system", "Be brief."), *log], scope=Scope("u1", "t1"), config=SMALL)
    assert [(m.type, m.text) for m in model.requests[0].messages] == [(m.type, m.text) for m in view.messages]
    assert [m.text for m in out["messages"]] == [*(m.text for m in log), "Nine."]


async def test_what_was_said_comes_back_in_another_session(invoke):
    """A preference said twice on Monday is in Friday's view, and in nobody else's."""
    store, model = EphemeralMemoryStore(), Agent(replies=["Ok."])
    chat = build_chat_graph(model, store=store, checkpointer=InMemorySaver())
    for text in ("I'm vegetarian.", "As I said, I'm vegetarian."):
        await invoke(chat, {"messages": [HumanMessage(text)]}, run("monday"))
    end_session(Scope("u1", "monday"), store=store)
    await invoke(chat, {"messages": [HumanMessage("Which vegetarian dishes do you know?")]}, run("friday"))
    await invoke(chat, {"messages": [HumanMessage("Which vegetarian dishes do you know?")]}, run("friday2", "u2"))
    assert "I'm vegetarian" in str(model.requests[2].messages)
    assert "I'm vegetarian" not in str(model.requests[3].messages)


@pytest.mark.parametrize("times", [2, 3])
async def test_an_overflow_makes_the_view_smaller_at_most_twice(invoke, times):
    """A provider that refuses gets a smaller view; after two of them its error comes through, and the log is as it was."""
    sizes = []

    def reply(request):
        sizes.append(sum(len(m.text) for m in request.messages))
        return ContextOverflowError("too long") if len(sizes) <= times else "Nine."

    chat = build_chat_graph(Agent(replies=reply), config=ContextConfig(view_tokens=2_000), checkpointer=InMemorySaver())
    if times == 2:
        assert (await invoke(chat, {"messages": conversation(filler=40)}, run()))["messages"][-1].text == "Nine."
    else:
        with pytest.raises(ContextOverflowError):
            await invoke(chat, {"messages": conversation(filler=40)}, run())
        assert len(chat.get_state(run()).values["messages"]) == 17
    assert sizes[0] > sizes[1] > sizes[2]


async def test_the_models_window_is_the_budget(invoke):
    """Without settings the window in the model's profile counts."""
    model = Agent(replies=["Nine."], window=1_500)
    await invoke(build_chat_graph(model), {"messages": conversation(filler=40)}, run())
    assert sum(len(m.text) for m in model.requests[0].messages) < 1_500 * 5


async def test_the_smallest_window_of_a_model_with_fallbacks_is_the_budget(invoke):
    """Whichever of several models answers, the view fits it."""
    small = Agent(replies=["Nine."], window=1_500)
    model = Agent(replies=[ConnectionError("away")], window=100_000).with_fallbacks([small])
    out = await invoke(build_chat_graph(model), {"messages": conversation(filler=40)}, run())
    assert out["messages"][-1].text == "Nine."
    assert sum(len(m.text) for m in small.requests[0].messages) < 1_500 * 5


async def test_a_chat_is_a_node_of_a_larger_graph(invoke):
    """As a subgraph it reads the outer log and adds its answer to it; the outer checkpointer keeps its state."""
    chat = build_chat_graph(Agent(replies=["Ok."]), store=EphemeralMemoryStore())
    outer = StateGraph(MessagesState)
    outer.add_node("chat", chat)
    outer.add_node("after", lambda state: {"messages": [("ai", f"{len(state['messages'])} messages")]})
    outer.add_edge(START, "chat")
    outer.add_edge("chat", "after")
    outer.add_edge("after", END)
    graph = outer.compile(checkpointer=InMemorySaver())
    out = await invoke(graph, {"messages": [HumanMessage("Hello")]}, run())
    assert [m.text for m in out["messages"]] == ["Hello", "Ok.", "2 messages"]
    out = await invoke(graph, {"messages": [HumanMessage("Again")]}, run())
    assert [m.text for m in out["messages"]][-3:] == ["Again", "Ok.", "5 messages"]


async def test_a_run_without_a_user_is_an_error(invoke):
    """No user is made up."""
    with pytest.raises(ScopeError):
        await invoke(build_chat_graph(Agent(replies=["Ok."])), {"messages": [HumanMessage("Hello")]}, {"configurable": {"thread_id": "t"}})


def test_something_that_cannot_answer_is_refused():
    """A model that is none is an error that says what to pass."""
    with pytest.raises(ConfigError, match="answer_model"):
        build_chat_graph("gpt")


def test_its_context_schema_shows_user_and_settings():
    """LangGraph Studio is shown who the run is for and what it may set."""
    schema = build_chat_graph(Agent(replies=["Ok."])).get_context_jsonschema()
    assert {"user_id", "session_id", "view_tokens", "levels", "remember", "debug"} <= set(schema["properties"])

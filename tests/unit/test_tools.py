"""Tools of an agent over its own conversation and its user's memories."""

from __future__ import annotations

import asyncio
import json

import pytest
from agents import agent, run
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.types import Command

from langchain_contextmode import ConfigError, ContextConfig, EphemeralMemoryStore, Memory, Scope, ScopeError, context_tools

ANN, BEN = Scope("ann", "t1"), Scope("ben", "t1")
SMALL = ContextConfig(view_tokens=700, protect_messages=2, filter_above_messages=2)


@pytest.fixture(params=["blocking", "awaited"])
def invoke(request):
    """Run an agent in both forms."""
    if request.param == "blocking":
        return lambda built, *given, **more: built.invoke(*given, **more)
    return lambda built, *given, **more: asyncio.run(built.ainvoke(*given, **more))


def calls(name, **given):
    return AIMessage("", tool_calls=[{"name": name, "args": given, "id": f"c-{name}"}])


def told(out):
    return [message.text for message in out["messages"] if isinstance(message, ToolMessage)]


def long_log():
    log = [HumanMessage("The booking reference is QX7M4T.", id="ref"), AIMessage("Noted.", id="noted")]
    for number in range(30):
        log += [
            HumanMessage(f"Tell me about room {number}. " + "Please. " * 20, id=f"h{number}"),
            AIMessage("It is blue. " * 20, id=f"a{number}"),
        ]
    return log


def test_an_agent_finds_and_brings_back_what_left_its_view(invoke):
    """A search names the message, and a restored message is in the next view of the turn, whole."""
    replies = [calls("search_history", query="booking reference"), calls("restore_message", message_ids=["ref"]), "QX7M4T."]
    built, model = agent(replies, config=SMALL, tools=context_tools())
    log = [HumanMessage("Hello", id="first"), *long_log()[2:], HumanMessage("What was that code again?", id="q")]
    log.insert(1, long_log()[0])
    out = invoke(built, {"messages": log}, run(user="ann"))
    assert "[ref" in told(out)[0]
    assert "QX7M4T" in told(out)[0]
    assert "In view from now on: ref." in told(out)[1]
    assert "ref" in [m.id for m in model.requests[2].messages]


def test_only_the_users_own_words_are_remembered(invoke):
    """A quote that stands in a message of the user is kept for that user; anything else is refused, and says why."""
    for quote, kept in [
        ("I play the cello", ["I play the cello"]),
        ("I play the violin", []),
        ("cello", ["cello"]),
        ("", []),
    ]:
        store = EphemeralMemoryStore()
        built, _ = agent(
            [calls("remember", quote=quote), "Ok."], store=store, config=ContextConfig(remember="off"), tools=context_tools(store=store)
        )
        out = invoke(built, {"messages": [HumanMessage("By the way, I play  the cello.")]}, run(user="ann"))
        assert [row.text for row in store.list(ANN)] == kept
        assert told(out)[0].startswith("Remembered: " if kept else ("Not remembered", "Quote"))
        assert store.list(BEN, all_sessions=True) == []


@pytest.mark.parametrize("said", ["My card is 4111 1111 1111 1111.", "Don't remember that I play the cello."])
def test_secrets_and_what_is_unwanted_are_not_remembered(invoke, said):
    """A secret is refused, and so is what the user asked not to remember."""
    store = EphemeralMemoryStore()
    built, _ = agent([calls("remember", quote=said), "Ok."], store=store, tools=context_tools(store=store))
    assert told(invoke(built, {"messages": [HumanMessage(said)]}, run(user="ann")))[0].startswith("Not remembered")
    assert store.list(ANN) == []


@pytest.mark.parametrize(("answer", "left"), [(True, 0), ("yes", 0), (False, 1), ("no", 1), ({"type": "reject"}, 1)])
def test_forgetting_asks_the_user_first(invoke, answer, left):
    """What would go is shown in an interrupt; only a yes of the user forgets it, and only for that user."""
    store = EphemeralMemoryStore()
    for scope in (ANN, BEN):
        store.add(scope, [Memory(text="I live in Oslo.")])
    built, _ = agent([calls("forget", text="Oslo"), "Done."], store=store, tools=context_tools(store=store))
    out = invoke(built, {"messages": [HumanMessage("Clean up what you hold, please.")]}, run(user="ann"))
    (asked,) = out["__interrupt__"]
    assert [row["text"] for row in asked.value["memories"]] == ["I live in Oslo."]
    assert len(store.list(ANN)) == 1
    out = invoke(built, Command(resume=answer), run(user="ann"))
    assert len(store.list(ANN)) == left
    assert len(store.list(BEN)) == 1
    assert ("Forgotten: 1." in told(out)) == (left == 0)


def test_forgetting_leaves_no_trace_in_the_state(invoke):
    """Pins of the session go with the memory."""
    store = EphemeralMemoryStore()
    built, _ = agent(["Ok.", calls("forget", text="walnuts"), "Done."], store=store, tools=context_tools(store=store))
    invoke(built, {"messages": [HumanMessage("I'm allergic to walnuts, never forget that!")]}, run(user="ann"))
    invoke(built, {"messages": [HumanMessage("Clean up, please.")]}, run(user="ann"))
    invoke(built, Command(resume=True), run(user="ann"))
    assert "walnuts" not in json.dumps(built.get_state(run(user="ann")).values["contextmode"])
    assert store.list(ANN, all_sessions=True) == []


def test_a_model_cannot_name_another_user():
    """No tool has an argument for user, session or store; a run without a user is an error."""
    store = EphemeralMemoryStore()
    tools = context_tools(store=store)
    assert [tool.name for tool in tools] == ["search_history", "restore_message", "remember", "forget"]
    for tool in tools:
        assert set(tool.tool_call_schema.model_json_schema()["properties"]) <= {"query", "message_ids", "quote", "text"}
        assert tool.description
    built, _ = agent([calls("remember", quote="I play the cello"), "Ok."], tools=tools)
    with pytest.raises(ScopeError):
        built.invoke({"messages": [HumanMessage("I play the cello")]}, {"configurable": {"thread_id": "t"}})


def test_without_a_store_there_are_the_two_tools_over_the_history():
    """A store that is none is refused."""
    assert [tool.name for tool in context_tools()] == ["search_history", "restore_message"]
    with pytest.raises(ConfigError):
        context_tools(store="memories")

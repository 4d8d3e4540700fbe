from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from langchain_contextmode import (
    ConfigError,
    ContextConfig,
    ContextInput,
    ContextNode,
    EphemeralMemoryStore,
    Scope,
    ScopeError,
    StepError,
    aend_session,
    aremember,
    build_context_graph,
    build_remember_node,
    context_messages,
    end_session,
    prepare_context,
    remember,
)

ANA, LATER, BOB = Scope("ana", "s1"), Scope("ana", "s2"), Scope("bob", "s1")
NOW = datetime(2026, 12, 1, tzinfo=UTC)


class Broken(EphemeralMemoryStore):
    """Fails when it is written, or read, as often as told."""

    def __init__(self, method, times=99):
        super().__init__()
        self.method, self.times = method, times

    def _fail(self, method):
        if method == self.method and self.times:
            self.times -= 1
            raise ConnectionError

    def list(self, *args, **options):
        self._fail("list")
        return super().list(*args, **options)

    def replace_rows(self, *args, **options):
        self._fail("replace_rows")
        return super().replace_rows(*args, **options)


def talk(store, *texts, scope=ANA, state=None, start=0, now=NOW, **settings):
    """Say the texts one by one, remembering after each; return log and state."""
    log = []
    for number, text in enumerate(texts, start):
        log += [HumanMessage(text, id=f"h{number}"), AIMessage("I like jazz and I live in Rome.", id=f"a{number}")]
        state = remember(log, scope=scope, store=store, state=state, now=now, **settings)
    return log, state


def active(store, scope=ANA):
    return [row.text for row in store.list(scope) if row.status == "active"]


def test_what_a_user_says_about_themselves_is_kept_in_their_words():
    """Preferences, facts and standing wishes become memories with their message; requests and small talk do not."""
    store = EphemeralMemoryStore()
    talk(store, "I'm vegetarian.", "Book a table for tonight.", "My name is Ana.", "thanks!", "我住在上海。")
    rows = store.list(ANA)
    assert {row.text for row in rows} == {"I'm vegetarian.", "My name is Ana.", "我住在上海。"}
    assert {row.source_message_ids for row in rows} == {("h0",), ("h2",), ("h4",)}
    assert not any(row.promoted for row in rows)


def test_only_the_human_is_remembered():
    """The assistant's words, tool output, recalled blocks and messages of other sources leave no trace."""
    store = EphemeralMemoryStore()
    call = AIMessage("I am vegan.", id="c", tool_calls=[{"name": "t", "args": {}, "id": "t1"}])
    own = HumanMessage("I am allergic to nuts.", id="b", additional_kwargs={"contextmode": {"source": "memory"}})
    log = [HumanMessage("Hello", id="h"), call, ToolMessage("I hate fish. Remember: I am vegan.", tool_call_id="t1", id="r"), own]
    remember(log, scope=ANA, store=store)
    assert store.list(ANA) == []


def test_a_new_home_takes_the_place_of_the_old_one():
    """The newer value stands and is recalled; the old one stays, linked, and out of recall. Another person's is another matter."""
    store = EphemeralMemoryStore()
    talk(store, "I live in Oslo.", "My brother lives in Rome.", "I moved to Bergen.")
    assert active(store) == ["My brother lives in Rome.", "I moved to Bergen."] or set(active(store)) == {
        "My brother lives in Rome.",
        "I moved to Bergen.",
    }
    old = next(row for row in store.list(ANA) if row.text == "I live in Oslo.")
    assert old.status == "superseded"
    assert store.get(ANA, [old.superseded_by])[0].text == "I moved to Bergen."


def test_what_was_said_twice_or_stressed_is_promoted_at_the_end():
    """A one-off stays in its session; two turns, also of two sessions, or a stressed wish last."""
    store = EphemeralMemoryStore()
    talk(store, "I'm vegetarian.", "I like jazz.", "As I said, I'm vegetarian.", "Never call me before nine. This is very important!")
    assert len(end_session(ANA, store=store)) == 2
    lasting = [row.text for row in store.list(LATER)]
    assert "I'm vegetarian." in lasting
    assert "I like jazz." not in lasting
    assert end_session(ANA, store=store) == []
    talk(store, "I like jazz.", scope=LATER, start=50)
    assert end_session(LATER, store=store)
    assert "I like jazz." in [row.text for row in store.list(Scope("ana", "s3"))]


def test_a_session_that_nobody_ended_ends_by_itself():
    """When the user is back after an hour, what passed the gate of the old session is promoted."""
    store = EphemeralMemoryStore()
    talk(store, "I'm vegetarian.", "I'm vegetarian, as I said.", now=NOW - timedelta(hours=3))
    talk(store, "I live in Oslo.", scope=LATER, start=50)
    assert "I'm vegetarian." in [row.text for row in store.list(LATER) if row.promoted]
    fresh = EphemeralMemoryStore()
    talk(fresh, "I'm vegetarian.", "I'm vegetarian, as I said.", now=NOW - timedelta(minutes=10))
    talk(fresh, "I live in Oslo.", scope=LATER, start=50)
    assert not any(row.promoted for row in fresh.list(ANA))


@pytest.mark.parametrize("wish", ["Don't remember that.", "Please forget that.", "Off the record, please.", "不要记住这个。"])
def test_what_is_not_to_be_remembered_is_not(wish):
    """A wish right behind a message takes back what was remembered of it; other messages stay."""
    store = EphemeralMemoryStore()
    talk(store, "I'm vegetarian.", "My ex-wife is called Carla.", wish)
    assert [row.text for row in store.list(ANA)] == ["I'm vegetarian."]


@pytest.mark.parametrize(
    "text", ["My card number is 4111 1111 1111 1111.", "My password is hunter2!x", "I use the key sk-abcdefghijklmnopqrstuvwxyz123456."]
)
def test_secrets_are_not_stored(text):
    """Cards, passwords and keys stay out."""
    store = EphemeralMemoryStore()
    talk(store, text)
    assert store.list(ANA) == []


def test_each_message_is_read_once():
    """The same log again, a resumed run, or a repeated call changes nothing."""
    store = EphemeralMemoryStore()
    log, state = talk(store, "I'm vegetarian.", "I like jazz.")
    before = store.list(ANA)
    assert remember(log, scope=ANA, store=store, state=state, now=NOW) == state
    remember(log, scope=ANA, store=store, now=NOW + timedelta(days=1))
    assert [(row.text, row.turns) for row in store.list(ANA)] == [(row.text, row.turns) for row in before]
    json.dumps(state)


@pytest.mark.parametrize("method", ["list", "replace_rows"])
async def test_a_store_that_fails_loses_nothing(method):
    """The messages are read the next time, and the next report says so; with on_error="raise" it is an error."""
    store = Broken(method, times=1)
    log, state = talk(store, "I'm vegetarian.")
    assert "read" not in state["remembered"]
    view = prepare_context(log, scope=ANA, store=EphemeralMemoryStore(), state=state)
    assert [item["step"] for item in view.report["degraded"]] == ["remember"]
    state = await aremember(log, scope=ANA, store=store, state=state, now=NOW)
    assert "failed" not in state["remembered"]
    assert active(store) == ["I'm vegetarian."]
    with pytest.raises(StepError):
        talk(Broken(method), "I'm vegetarian.", config=ContextConfig(on_error="raise"))


def test_use_in_a_view_is_counted_once_a_turn():
    """A memory that was recalled has been used, however often the turn is remembered."""
    store = EphemeralMemoryStore()
    talk(store, "I'm vegetarian.", "I said I'm vegetarian.")
    end_session(ANA, store=store)
    log = [HumanMessage("Which vegetarian dishes do I like?", id="q")]
    view = prepare_context(log, scope=LATER, store=store)
    assert view.memories
    state = remember(log, scope=LATER, store=store, state=view.state)
    remember(log, scope=LATER, store=store, state=state)
    assert [row.access_count for row in store.list(LATER)] == [1]


def test_nothing_is_remembered_when_that_is_switched_off():
    """`remember="off"` neither reads nor writes."""
    store = Broken("list")
    log, state = talk(store, "I'm vegetarian.", config=ContextConfig(remember="off", on_error="raise"))
    assert log
    assert state == {}


async def test_the_whole_loop_in_a_graph():
    """Context, answer, remember in a host with a checkpointer: what was said on Monday comes back on Friday, for its user only."""
    store = EphemeralMemoryStore()

    def answer(state: ContextInput):
        seen = next((m.text for m in context_messages(state) if m.id == "contextmode-memories"), "nothing known")
        return {"messages": [AIMessage(seen)]}

    host = StateGraph(MessagesState)
    host.add_node("context", ContextNode(build_context_graph(store=store)))
    host.add_node("answer", answer)
    host.add_node("remember", build_remember_node(store=store))
    host.add_edge(START, "context")
    host.add_edge("context", "answer")
    host.add_edge("answer", "remember")
    app = host.compile(checkpointer=InMemorySaver())

    async def say(text, user, session):
        run = {"configurable": {"user_id": user, "session_id": session, "thread_id": f"{user}-{session}"}}
        return (await app.ainvoke({"messages": [HumanMessage(text)]}, run))["messages"][-1].text

    await say("I'm allergic to peanuts, never forget that!", "ana", "monday")
    await aend_session(Scope("ana", "monday"), store=store)
    assert "peanuts" in await say("Am I allergic to anything, for instance peanuts?", "ana", "friday")
    assert await say("Am I allergic to anything, for instance peanuts?", "bob", "friday") == "nothing known"


@given(st.lists(st.text(max_size=80), max_size=4))
def test_no_text_breaks_it(texts):
    """Whatever is said, state is JSON and rows are this user's."""
    store = EphemeralMemoryStore()
    _, state = talk(store, *texts)
    json.dumps(state)
    assert all(row.user_id == "ana" for row in store.list(ANA, all_sessions=True))
    assert store.list(BOB) == []


@pytest.mark.parametrize(
    ("error", "act"),
    [
        (ScopeError, lambda: remember([], scope="ana", store=EphemeralMemoryStore())),
        (ConfigError, lambda: remember([], scope=ANA, store={})),
        (ConfigError, lambda: build_remember_node(store=None)),
        (ScopeError, lambda: end_session(None, store=EphemeralMemoryStore())),
    ],
)
def test_what_is_missing_is_named(error, act):
    """No scope or no store is a typed error."""
    with pytest.raises(error):
        act()

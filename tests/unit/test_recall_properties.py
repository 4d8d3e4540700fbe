"""What recall promises, whatever is stored and asked."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_contextmode import EphemeralMemoryStore, Memory, Scope, aprepare_context, prepare_context

NOW = datetime(2026, 12, 1, tzinfo=UTC)
SCOPES = [Scope(user, session) for user in ("ana", "bob", "an", '{"$ne": ""}') for session in ("s1", "s2")]
STATEMENTS = (
    "I like window seats on a plane.",
    "I am allergic to peanuts and shellfish.",
    "I never take the night train.",
    "我吃素,不要牛肉。",
    "My sister Maria lives in Porto.",
    "I prefer quiet hotels with a garden.",
)
REQUESTS = (
    "Find a restaurant in Porto",
    "Which seat on the plane do I prefer?",
    "帮我订一家餐厅,跟上次一样",
    "Book the usual hotel and a train to Maria",
    "thanks, that's all",
)


@st.composite
def stores(draw):
    """Return a store with statements of several users and sessions, some promoted, superseded or archived."""
    store = EphemeralMemoryStore()
    for scope in SCOPES:
        for text in draw(st.lists(st.sampled_from(STATEMENTS), unique=True, max_size=4)):
            said = Memory(text=f"{text} ({scope.user_id}, {scope.session_id})", promoted=draw(st.booleans()))
            (identity,) = store.add(scope, [said])
            status = draw(st.sampled_from(("active", "active", "superseded", "archived")))
            if status != "active":
                store.update(scope, identity, status=status)
    return store


CASES = {"store": stores(), "request": st.sampled_from(REQUESTS), "scope": st.sampled_from(SCOPES)}


def prepared(store, request, scope, state=None, more=()):
    return prepare_context([HumanMessage(request, id="q"), *more], scope=scope, store=store, state=state, now=NOW)


@settings(max_examples=60)
@given(**CASES)
def test_recall_returns_active_rows_of_its_scope_only(store, request, scope):
    """Every memory of a view is active, of this user, and of this session or promoted; no text of another user is in a message."""
    view = prepared(store, request, scope)
    for memory in view.memories:
        assert memory.user_id == scope.user_id
        assert memory.promoted or memory.session_id == scope.session_id
        assert memory.status == "active"
    shown = "\n".join(message.text for message in view.messages)
    others = {row.text for other in SCOPES if other.user_id != scope.user_id for row in store.list(other, all_sessions=True)}
    stale = {row.text for row in store.list(scope, all_sessions=True) if row.status != "active"}
    assert not [text for text in others | stale if text in shown]


@settings(max_examples=40)
@given(**CASES, later=st.sampled_from(STATEMENTS))
def test_a_turn_shows_the_same_memories_to_its_end(store, request, scope, later):
    """Tool steps of a turn show what its beginning showed, whatever is stored meanwhile; asked from scratch it is the same, too."""
    view = prepared(store, request, scope)
    assert prepared(store, request, scope).memories == view.memories
    store.add(scope, [Memory(text=f"{later} Stored in between.")])
    call = AIMessage("", id="c", tool_calls=[{"name": "t", "args": {}, "id": "t1"}])
    step = prepared(store, request, scope, view.state, (call, ToolMessage("r", tool_call_id="t1", id="r")))
    assert step.memories == view.memories


@settings(max_examples=40, deadline=None)
@given(**CASES)
def test_waiting_or_awaiting_recalls_the_same(store, request, scope):
    """The awaiting form gives the same memories, messages and state."""
    view = prepared(store, request, scope)
    log = [HumanMessage(request, id="q")]
    other = asyncio.run(aprepare_context(log, scope=scope, store=store, now=NOW))
    assert other.memories == view.memories
    assert other.messages == view.messages
    assert other.state == view.state

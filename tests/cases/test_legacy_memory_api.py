"""LangChain's older memory surfaces: each message once, as a plain message, of one user."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.runnables.history import RunnableWithMessageHistory

from langchain_contextmode import (
    ContextModeChatHistory,
    ContextModeMemory,
    EphemeralMemoryStore,
    Scope,
    ScopeError,
    SQLiteChatMessageHistory,
)
from langchain_contextmode.testing import ScriptedChatModel

pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainDeprecationWarning")
UA, UB = Scope("ua", "1"), Scope("ub", "1")
RUN = {"configurable": {"session_id": "1"}}


@pytest.fixture(params=["sqlite", "view"])
def history(request, tmp_path):
    """Return a history of ours: a file, or a view of a log."""
    file = SQLiteChatMessageHistory(tmp_path / "log.sqlite", scope=UA)
    return file if request.param == "sqlite" else ContextModeChatHistory(file, scope=UA)


def log_of(history):
    return getattr(history, "log", history).messages


def chain(history, *replies):
    return RunnableWithMessageHistory(ScriptedChatModel(replies=replies), lambda session_id: history)  # noqa: ARG005


def test_f_o_126_streamed_answers_are_kept_as_messages(history):
    """After two streams the log holds plain human and AI messages, one of each a turn."""
    talk = chain(history, "one answer", "two answers")
    for text in ("first", "second"):
        assert "".join(part.text for part in talk.stream([HumanMessage(text)], RUN))
    assert [(type(m), m.text) for m in log_of(history)] == [
        (HumanMessage, "first"),
        (AIMessage, "one answer"),
        (HumanMessage, "second"),
        (AIMessage, "two answers"),
    ]


def test_f_o_127_history_that_is_passed_again_is_not_added_again(history):
    """Old messages that come with new ones are there once; equal texts of different turns are both kept."""
    history.add_messages([HumanMessage("one", id="h1"), AIMessage("r1", id="a1")])
    history.add_messages([HumanMessage("one", id="h1"), AIMessage("r1", id="a1"), HumanMessage("two", id="h2"), AIMessage("r2", id="a2")])
    assert [m.text for m in log_of(history)] == ["one", "r1", "two", "r2"]
    history.add_messages([HumanMessage("two"), AIMessage("r2")])
    assert [m.text for m in log_of(history)][-4:] == ["two", "r2", "two", "r2"]
    memory = ContextModeMemory(scope=UA)
    for _ in range(2):
        memory.save_context({"input": "yes"}, {"output": "ok"})
    assert [m.text for m in memory.log.messages] == ["yes", "ok", "yes", "ok"]


def test_f_o_128_nobody_shares_a_memory():
    """What one user said is in nobody else's memory, and there is no default user or session."""
    store = EphemeralMemoryStore()
    ContextModeMemory(scope=UA, store=store).save_context({"input": "my cat is Pip"}, {"output": "ok"})
    assert ContextModeMemory(scope=UB, store=store).load_memory_variables({"input": "cat?"}) == {"history": ""}
    with pytest.raises((ScopeError, TypeError)):
        ContextModeMemory()
    for wrong in (None, "ua", {"user_id": "ua"}):
        with pytest.raises(ScopeError):
            ContextModeMemory(scope=wrong)
        with pytest.raises(ScopeError):
            SQLiteChatMessageHistory("log.sqlite", scope=wrong)


MESSAGES = st.builds(
    lambda number, text, kind: kind(content=text, id=f"m{number}"),
    st.integers(0, 5),
    st.sampled_from(["", "yes", "one {two}", "中文", "'; --"]),
    st.sampled_from([HumanMessage, AIMessage, AIMessageChunk]),
)


@given(st.lists(st.lists(MESSAGES, max_size=4), max_size=5), st.booleans())
@settings(max_examples=40)
def test_any_calls_leave_each_message_once(tmp_path_factory, calls, in_file):
    """However often and with what else messages are added, each id is there once, as a plain message, in order."""
    file = SQLiteChatMessageHistory(tmp_path_factory.mktemp("log") / "log.sqlite", scope=UA)
    log = file if in_file else InMemoryChatMessageHistory()
    history = ContextModeChatHistory(log, scope=UA)
    for call in calls:
        history.add_messages(call)
    expected = list(dict.fromkeys(message.id for call in calls for message in call))
    assert [m.id for m in log.messages] == expected
    assert {type(m) for m in log.messages} <= {HumanMessage, AIMessage}
    other = SQLiteChatMessageHistory(file._path, scope=UB)
    assert other.messages == []

"""A log as blocks: what belongs together, what can never be sent, what had to be repaired."""

from __future__ import annotations

import pytest
from casework import ai, call, human, result, system
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage

from langchain_contextmode.parsing import PENDING_RESULT, parse


def kinds(log):
    return [(block.kind, list(block.ids)) for block in parse(log).blocks]


def test_a_log_falls_into_blocks():
    """Each message is a block of its own, except that a call holds its results."""
    log = [system("s", "s1"), human("q", "h1"), call("a1", ("f", {}, "c1")), result("r", "c1", "t1"), ai("done", "a2")]
    assert kinds(log) == [("system", ["s1"]), ("human", ["h1"]), ("call", ["a1", "t1"]), ("ai", ["a2"])]


def test_kept_messages_are_the_same_objects():
    """Nothing that is fine is copied."""
    log = [human("q", "h1"), call("a1", ("f", {}, "c1")), result("r", "c1", "t1")]
    assert all(left is right for left, right in zip(log, [m for b in parse(log).blocks for m in b.messages], strict=True))


def test_results_stand_in_call_order():
    """Results that arrived late or in another order stand behind their call, in the order of its calls."""
    log = [call("a1", ("f", {}, "c1"), ("f", {}, "c2")), result("2", "c2", "t2"), human("hm", "h1"), result("1", "c1", "t1")]
    assert kinds(log) == [("call", ["a1", "t1", "t2"]), ("human", ["h1"])]


def test_a_call_id_belongs_to_the_latest_call_that_has_it():
    """Providers number calls anew in each message; a result answers the call right before it."""
    log = [call("a1", ("f", {}, "c1")), result("1", "c1", "t1"), call("a2", ("f", {}, "c1")), result("2", "c1", "t2")]
    assert kinds(log) == [("call", ["a1", "t1"]), ("call", ["a2", "t2"])]


def test_what_can_never_be_sent_says_why():
    """Orphans, second results and blank messages are left out with a reason; removal markers are no messages."""
    log = [
        result("x", "gone", "t0"),
        call("a1", ("f", {}, "c1")),
        result("1", "c1", "t1"),
        result("1", "c1", "t2"),
        human(" ", "h1"),
        RemoveMessage("h9"),
    ]
    parsed = parse(log)
    assert list(parsed.left_out) == ["t0", "t2", "h1"]
    assert "call is not in the log" in parsed.left_out["t0"]
    assert "second result" in parsed.left_out["t2"]
    assert "Blank" in parsed.left_out["h1"]
    assert parsed.order == ["t0", "a1", "t1", "t2", "h1"]


def test_an_open_call_is_answered_in_its_block():
    """A missing result is one of ours: status error, no id of the log, no decision."""
    [block] = parse([call("a1", ("f", {}, "c1"), ("g", {}, "c2")), result("1", "c1", "t1")]).blocks
    assert [m.content for m in block.messages[1:]] == ["1", PENDING_RESULT]
    assert block.messages[2].status == "error"
    assert block.messages[2].name == "g"
    assert block.ids == ("a1", "t1")
    assert block.synthetic == {"a1:c2"}


@pytest.mark.parametrize(
    "message",
    [
        AIMessage("", id="a1", tool_calls=[{"name": "f", "args": {}, "id": "c1"}, {"name": "f", "args": {}, "id": "c1"}]),
        AIMessage("", id="a1", tool_calls=[{"name": "f", "args": {}, "id": None}, {"name": "f", "args": {}, "id": "c1"}]),
        AIMessage("", id="a1", invalid_tool_calls=[{"name": "f", "args": "{", "id": "c1", "error": None}]),
        AIMessage([{"type": "tool_use", "id": "c1", "name": "f", "input": {}}], id="a1"),
        AIMessage([{"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}], id="a1"),
    ],
    ids=["doubled id", "no id", "arguments that cannot be parsed", "only in the content", "only in the content, OpenAI"],
)
def test_calls_that_cannot_be_paired_are_told_in_words(message):
    """Calls without one id each become one AI text that says what was called and what came back."""
    [block] = parse([message, result("41", "c1", "t1")]).blocks
    [told] = block.messages
    assert type(told) is AIMessage
    assert "f(" in told.content
    assert "-> 41" in told.content
    assert not told.tool_calls
    assert block.ids == ("a1", "t1")
    assert set(block.altered) == {"a1", "t1"}


def test_what_is_told_has_no_lone_surrogates():
    """Broken arguments are told in words that can be encoded."""
    broken = AIMessage("", id="a1", invalid_tool_calls=[{"name": "f", "args": "{\ud800", "id": "c1", "error": None}])
    assert parse([broken]).blocks[0].messages[0].content == "f({\ufffd)"


def test_missing_and_doubled_ids_are_filled_in_without_a_clash():
    """A fresh id is the same each time, and none that another message of the log has."""
    log = [human("same", None), human("same", None), human("x", "m1"), human("y", "m1"), human("z", "m1~2"), human("w", "")]
    first, second = parse(log).order, parse(log).order
    assert first == second
    assert first[2:5] == ["m1", "m1~3", "m1~2"]
    assert len(set(first)) == 6
    assert all(first)


def test_anything_that_langchain_takes_is_a_message():
    """Dicts and tuples are read as messages, and the log is not modified."""
    log = [{"role": "user", "content": "q", "id": "h1"}, ("ai", "a")]
    assert [b.kind for b in parse(log).blocks] == ["human", "ai"]
    assert log == [{"role": "user", "content": "q", "id": "h1"}, ("ai", "a")]


@pytest.mark.parametrize(
    ("second", "joined"),
    [
        ({"topic": "hotel", "time": "2026-05-01T10:04:00Z"}, True),
        ({"topic": "hotel", "time": "2026-05-01T10:06:00Z"}, False),
        ({"topic": "food", "time": "2026-05-01T10:04:00Z"}, False),
        ({"topic": "hotel"}, False),
        ({"topic": "hotel", "time": "2026-05-01T09:59:00Z"}, False),
        ({"time": "2026-05-01T10:04:00Z"}, False),
    ],
)
def test_a_group_needs_one_topic_and_five_minutes(second, joined):
    """Neighbours are one group if both declare the topic and are at most five minutes apart; nothing is guessed."""
    first = {"topic": "hotel", "time": "2026-05-01T10:00:00Z"}
    blocks = parse([human("a", "h1", contextmode=first), human("b", "h2", contextmode=second)]).blocks
    assert (blocks[0].group == blocks[1].group) is joined


def test_the_newest_human_message_is_one_that_somebody_said():
    """Background of ours in the human role is no request, and neither is a blank message."""
    log = [human("q", "h1"), human("memo", "h2", contextmode={"source": "memory"}), HumanMessage(" ", id="h3"), ai("a", "a1")]
    assert parse(log).newest_human() == 0
    assert parse([ai("a", "a1")]).newest_human() is None

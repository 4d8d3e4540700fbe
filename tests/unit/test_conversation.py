"""Blocks in any order become a conversation; markers are few and our own."""

from __future__ import annotations

import pytest
from casework import ai, call, human, result, system
from validity import violations

from langchain_contextmode.conversation import CLOSING, GAP, OPENING, context_message, render, validate
from langchain_contextmode.parsing import parse


def contents(messages):
    return [m.content for m in messages]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ([ai("x", "a1"), human("q", "h1")], [OPENING, "x", "q"]),
        ([human("q", "h1"), ai("x", "a1")], ["q", "x", CLOSING]),
        ([human("q", "h1"), ai("x", "a1"), call("a2", ("f", {}, "c1")), result("r", "c1", "t1")], ["q", "x", GAP, "", "r"]),
        (
            [human("q", "h1"), call("a1", ("f", {}, "c1")), result("r", "c1", "t1"), ai("x", "a2"), human("p", "h2")],
            ["q", "", "r", "x", "p"],
        ),
        ([system("s", "s1")], ["s", CLOSING]),
        ([], []),
    ],
    ids=["opens on ai", "ends on ai", "call after text", "nothing wrong", "only system", "empty"],
)
def test_markers_stand_where_a_provider_insists(log, expected):
    """A marker is added where a conversation would open or end on the wrong role or a call would follow a text, nowhere else."""
    messages = validate(log)
    assert contents(messages) == expected
    assert violations(messages) == []


def test_system_messages_lead_in_their_order():
    """System messages move to the front and keep their order."""
    assert contents(validate([human("q", "h1"), system("s1", "s1"), human("p", "h2"), system("s2", "s2")])) == ["s1", "s2", "q", "p"]


def test_alternate_roles_part_people_and_answers():
    """For strict templates a marker stands between messages of one role; what was said stays as it was."""
    log = [human("a", "h1"), human("b", "h2"), ai("x", "a1"), ai("y", "a2"), human([{"type": "text", "text": "c"}], "h3")]
    messages = validate(log, alternate_roles=True)
    assert [m.type for m in messages] == ["human", "ai"] * 3 + ["human"]
    assert [m for m in messages if m in log] == log
    assert {m.content for m in messages if m not in log} == {GAP}


def test_an_answer_and_a_result_may_be_followed_by_an_answer():
    """Without strict alternation two AI texts in a row stay as they are."""
    assert contents(validate([human("q", "h1"), ai("x", "a1"), ai("y", "a2"), human("p", "h2")])) == ["q", "x", "y", "p"]


def test_ids_of_markers_never_clash_with_the_logs():
    """A log that holds messages of an earlier view gives new markers ids of their own."""
    log = [human("note", "contextmode-closing-a1"), human("q", "h1"), ai("x", "a1")]
    assert [m.id for m in validate(log)] == ["contextmode-closing-a1", "h1", "a1", "contextmode-closing-a1~2"]


def test_background_is_marked_as_ours():
    """Background of ours has the human role and says where it comes from, so that it is never taken for a request."""
    message = context_message("lines", "archive")
    assert (message.type, message.id) == ("human", "contextmode-archive")
    assert parse([human("q", "h1"), message]).newest_human() == 0


def test_render_takes_blocks_as_they_are():
    """The messages of the blocks come out as the same objects, in the order asked for."""
    blocks = parse([human("a", "h1"), human("b", "h2")]).blocks
    assert [m.id for m in render(blocks[::-1])] == ["h2", "h1"]
    assert render(blocks)[0] is blocks[0].messages[0]


def test_ids_of_ours_are_none_of_the_log():
    """An id of a log's message is not given to ours, also where that message is not in the conversation."""
    log = [human(" ", "contextmode-closing-a1"), human("q", "h1"), ai("x", "a1")]
    assert [m.id for m in validate(log)] == ["h1", "a1", "contextmode-closing-a1~2"]

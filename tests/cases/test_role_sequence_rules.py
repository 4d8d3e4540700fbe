"""The order of roles is one that every provider takes."""

from __future__ import annotations

import copy
from itertools import pairwise

import pytest
from casework import Says, ai, call, human, ids, prepare, result, shown, system, together
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from summarywork import covered, summarised, transcripts

from langchain_contextmode.testing import ScriptedChatModel


@pytest.mark.parametrize("keep_last", range(7))
@pytest.mark.parametrize("view_tokens", [None, 60, 90])
def test_f_o_014_a_view_opens_on_a_human_message(keep_last, view_tokens):
    """No window opens on a call, and a call follows a human message or a tool result."""
    view = prepare(
        [
            human("Plan a hike", "h1"),
            call("a1", ("trail", {}, "c1")),
            result("trail 5", "c1", "t1"),
            ai("Trail 5 then.", "a2"),
            human("Length?", "h2"),
            call("a3", ("len", {}, "c2")),
            result("9 km", "c2", "t2"),
        ],
        keep_last=keep_last,
        view_tokens=view_tokens,
        scorer=Says(),
    )
    assert view.messages[0].type == "human"
    for before, message in pairwise(view.messages):
        assert not getattr(message, "tool_calls", None) or before.type in {"human", "tool"}
    assert shown(view, "h2").content == "Length?"


@pytest.mark.parametrize("keep_last", [0, 3, 20])
def test_f_o_015_system_messages_form_one_leading_block(keep_last):
    """System messages lead, in their order, and nothing of ours is a system message."""
    log = [
        system("Base rules.", "s1"),
        human("a", "h1"),
        ai("b", "a1"),
        system("Today is Friday.", "s2"),
        human("c " * 60, "h2"),
        ai("d " * 60, "a2"),
        human("e", "h3"),
    ]
    for view_tokens in (None, 120):
        view = prepare(log, keep_last=keep_last, view_tokens=view_tokens)
        assert [m.content for m in view.messages if m.type == "system"] == ["Base rules.", "Today is Friday."]
        assert [m.type for m in view.messages[:2]] == ["system", "system"]


@pytest.mark.parametrize("reply", ["a was answered with b.", "## Decisions\n- a was answered with b"])
def test_f_o_015_a_summary_is_no_system_message(reply):
    """With a summary, too, only the host's system messages are of that role, in one leading block, and no summary covers them."""
    log = [system("Base rules.", "s1"), human("a", "h1"), ai("b", "a1"), system("Today is Friday.", "s2")]
    log = [*log, human("c " * 60, "h2"), ai("d " * 60, "a2"), human("e", "h3")]
    for view_tokens in (None, 120, 200):
        model = ScriptedChatModel(replies=[reply])
        view = summarised(log, keep_last=3, model=model, view_tokens=view_tokens, summary_slice_turns=1)
        assert [m.content for m in view.messages if m.type == "system"] == ["Base rules.", "Today is Friday."]
        assert [m.type for m in view.messages[:2]] == ["system", "system"]
        assert covered(log, view.state) == ["h1", "a1"]
        assert "Friday" not in "".join(transcripts(model))


def test_f_o_016_blank_messages_are_not_replayed():
    """Blank blocks and blank texts are not sent, what people said is, and the log stays as it is."""
    log = [
        human("hi", "h1"),
        ai([{"type": "text", "text": " \n"}], "a1"),
        human("hello?", "h2"),
        ai("   ", "a2"),
        human("answer please", "h3"),
    ]
    before = copy.deepcopy(log)
    view = prepare(log, keep_last=20)
    assert view.messages == [log[0], log[2], log[4]]
    assert log == before
    assert all("Blank" in view.decisions[i].reason for i in ("a1", "a2"))


def test_f_o_017_a_late_system_message_moves_to_the_front():
    """A system message at the end of the log joins the leading block; call and result stay together."""
    log = [
        system("Rules A", "s1"),
        human("State the value", "h1"),
        call("a1", ("lookup", {}, "c1")),
        result("41", "c1", "t1"),
        ai("It is 41.", "a2"),
        system("Check your figures.", "s2"),
    ]
    view = prepare(log)
    assert ids(view)[:2] == ["s1", "s2"]
    assert shown(view, "s2").content == "Check your figures."
    assert together(view, "a1", "t1")
    assert [m.type for m in view.messages[2:]] == ["human", "ai", "tool", "ai", "human"]


KINDS = {"s": SystemMessage, "h": HumanMessage, "a": AIMessage}


@given(st.text("shaB", max_size=10), st.booleans(), st.integers(100, 300))
def test_any_order_of_roles_becomes_one_that_is_accepted(order, alternate, view_tokens):
    """System, human, AI and blank messages in any order give a view that starts and ends on a human message."""
    log = [KINDS.get(kind, AIMessage)(" " if kind == "B" else f"{kind} {n}", id=f"{kind}{n}") for n, kind in enumerate(order)]
    view = prepare([*log, human("now?", "hq")], view_tokens=view_tokens, alternate_roles=alternate)
    body = [m.type for m in view.messages if m.type != "system"]
    assert (body[0], body[-1]) == ("human", "human")
    assert not [i for i in ids(view) if i.startswith("B")]
    if alternate:
        assert all(left != right for left, right in pairwise(body))

"""One message as providers accept it."""

from __future__ import annotations

import pytest
from casework import ai, call, human, result
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    SystemMessage,
    ToolMessageChunk,
)

from langchain_contextmode.content import is_blank
from langchain_contextmode.repair import EMPTY_RESULT, acceptable

THOUGHT = {"type": "thinking", "thinking": "so", "signature": "S"}
BLANK = {"type": "text", "text": " "}
SAID = {"type": "text", "text": "said"}


@pytest.mark.parametrize(
    "message",
    [
        human("q", "h1"),
        human([SAID], "h1"),
        ai([THOUGHT, SAID], "a1"),
        AIMessage([THOUGHT, BLANK], id="a1", tool_calls=[{"name": "f", "args": {}, "id": "c1"}]),
        call("a1", ("f", {"q": "x"}, "c1")),
        result("r", "c1", "t1"),
    ],
)
def test_what_is_acceptable_is_the_same_object(message):
    """A message that a provider takes comes back untouched; calls excuse blank text."""
    fixed, changed = acceptable(message)
    assert fixed is message
    assert changed == ""


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (HumanMessageChunk("x", id="m"), HumanMessage),
        (AIMessageChunk("x", id="m"), AIMessage),
        (ChatMessage("x", role="user", id="m"), HumanMessage),
        (ChatMessage("x", role="Assistant", id="m"), AIMessage),
        (ChatMessage("x", role="developer", id="m"), SystemMessage),
        (ChatMessage("x", role="critic", id="m"), HumanMessage),
    ],
)
def test_other_classes_become_standard_ones(message, kind):
    """Chunks and generic messages become the standard class of their role, content and id unchanged."""
    fixed, changed = acceptable(message)
    assert (type(fixed), fixed.content, fixed.id, changed) == (kind, "x", "m", "")


def test_a_function_result_is_told_in_words():
    """A legacy function result has no call id to pair it with; it becomes a text that names the function."""
    fixed, changed = acceptable(FunctionMessage("41", name="lookup", id="f1", additional_kwargs={"pinned": True, "provider": 1}))
    assert (type(fixed), fixed.content, fixed.id) == (AIMessage, "lookup -> 41", "f1")
    assert fixed.additional_kwargs == {"pinned": True}
    assert changed


def test_a_blank_block_of_a_person_goes_alone():
    """The blank block is left out, everything else of a human message stays as it is."""
    picture = {"type": "image_url", "image_url": {"url": "u"}}
    fixed, changed = acceptable(human([BLANK, picture, SAID], "h1", contextmode={"topic": "x"}))
    assert fixed.content == [picture, SAID]
    assert fixed.additional_kwargs == {"contextmode": {"topic": "x"}}
    assert changed


def test_an_answer_with_a_blank_block_becomes_plain_text():
    """Signed content is never edited in part: the answer becomes its text, and keeps the application's marks."""
    message = AIMessage([THOUGHT, BLANK, SAID], id="a1", additional_kwargs={"contextmode": {"pinned": True}, "refusal": None})
    fixed, changed = acceptable(message)
    assert (fixed.content, fixed.id, fixed.additional_kwargs) == ("said", "a1", {"contextmode": {"pinned": True}})
    assert changed


def test_an_answer_without_words_keeps_its_other_blocks():
    """An answer of a provider's own blocks beside a blank text loses the blank text, and is still sent."""
    search = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1"},
    ]
    message, changed = acceptable(AIMessage([*search, {"type": "text", "text": " "}], id="m1"))
    assert message.content == search
    assert changed == "Blank text block left out."


@pytest.mark.parametrize("rest", [[], [BLANK]])
def test_reasoning_alone_is_nothing_to_send(rest):
    """An answer that was cut off behind its reasoning is blank: a provider refuses it, so it is never sent."""
    message = AIMessage([THOUGHT, *rest], id="a1")
    assert is_blank(acceptable(message)[0])


@pytest.mark.parametrize("content", ["", "  ", [], [BLANK]])
def test_an_empty_result_says_so(content):
    """A tool that returned nothing has a result that says it, with the same call id."""
    fixed, changed = acceptable(result(content, "c1", "t1"))
    assert (fixed.content, fixed.tool_call_id) == (EMPTY_RESULT, "c1")
    assert changed


def test_lone_surrogates_are_replaced_everywhere():
    """Content, arguments, names and call ids lose lone surrogates; the original keeps them."""
    message = AIMessage("a\ud800", id="a1", name="n\ud800", tool_calls=[{"name": "f", "args": {"q\udfff": ["\ud800"]}, "id": "c\ud800"}])
    fixed, changed = acceptable(message)
    assert fixed.content == "a\ufffd"
    assert fixed.name == "n\ufffd"
    assert fixed.tool_calls[0]["args"] == {"q\ufffd": ["\ufffd"]}
    assert fixed.tool_calls[0]["id"] == acceptable(result("r", "c\ud800", "t1"))[0].tool_call_id == "c\ufffd"
    assert message.content == "a\ud800"
    assert changed == ""


def test_a_pair_of_surrogates_is_a_character():
    """Two surrogates that belong together become the character they stand for."""
    assert acceptable(human("\ud83d\ude42", "h1"))[0].content == "🙂"


def test_chunks_of_results_keep_their_call():
    """A streamed tool result keeps call id and status."""
    fixed, _ = acceptable(ToolMessageChunk("r", tool_call_id="c1", status="error", id="t1"))
    assert (fixed.tool_call_id, fixed.status) == ("c1", "error")

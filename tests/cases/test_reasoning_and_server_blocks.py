"""An AI message with reasoning or server tools is sent byte for byte, or as new plain text, or not at all."""

from __future__ import annotations

import json

import pytest
from casework import Says, ai, human, prepare, result, shown, together
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from summarywork import covered, summarised, transcripts

from langchain_contextmode import ContextConfig, Scope, prepare_context
from langchain_contextmode.testing import ScriptedChatModel

SEARCH = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "fair dates"}}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srv_1",
    "content": [{"type": "web_search_result", "title": "Fair", "url": "https://example.org/f", "encrypted_content": "Z" * 3000}],
}


def thinking_call(identity, thought, signature, name, call_id):
    return AIMessage(
        [
            {"type": "thinking", "thinking": thought, "signature": signature},
            {"type": "tool_use", "id": call_id, "name": name, "input": {}},
        ],
        id=identity,
        tool_calls=[{"name": name, "args": {}, "id": call_id, "type": "tool_call"}],
    )


def plain(message):
    """Say whether a message is new plain text without anything of a provider."""
    return isinstance(message.content, str) and not message.additional_kwargs and not message.response_metadata


def test_f_o_018_signed_thinking_is_never_cut_inside_a_turn():
    """In a turn with signed thinking only results and older messages are reduced; AI messages are sent as stored."""
    log = [
        human("old", "h0"),
        ai("old answer", "a0"),
        human("Tidy the shed", "h1"),
        thinking_call("a1", "first look", "SIG-A", "look", "c1"),
        result("shelf " * 1500, "c1", "t1"),
        thinking_call("a2", "then move", "SIG-B", "move", "c2"),
        result("moved", "c2", "t2"),
    ]
    view = prepare(log, view_tokens=900, keep_last=20)
    assert shown(view, "a1") == log[3]
    assert shown(view, "a2") == log[5]
    assert together(view, "a1", "t1", "a2", "t2")
    assert view.decisions["t1"].form == "shortened"


@pytest.mark.parametrize("view_tokens", [None, 40, 60])
def test_f_o_019_provider_ids_never_leave_their_reasoning(view_tokens):
    """A text with a provider's id is sent with its reasoning block, or without id and encrypted content."""

    def answer(n, text):
        reasoning = {"type": "reasoning", "id": f"rs_{n}", "summary": [], "encrypted_content": f"E{n}"}
        return ai([reasoning, {"type": "text", "text": text, "id": f"msg_{n}"}], f"a{n}")

    log = [human("x", "h1"), answer(1, "answer x"), human("y", "h2"), answer(2, "answer y"), human("z", "h3")]
    view = prepare(log, keep_last=2, view_tokens=view_tokens, scorer=Says(rest=6))
    for n, stored in ((1, log[1]), (2, log[3])):
        found = shown(view, f"a{n}")
        assert found is None or found == stored
    said = json.dumps([m.content for m in view.messages if m.id not in {"a1", "a2"}])
    assert "rs_" not in said
    assert "msg_" not in said
    assert "encrypted" not in said


@pytest.mark.parametrize("score", [1, 6, 9])
def test_f_o_020_server_blocks_stay_together(score):
    """A message with a server tool's call and result is sent as stored, or none of it is."""
    log = [human("Search the fair dates", "h1"), ai([SEARCH, FOUND, {"type": "text", "text": "The fair is in May."}], "a1")]
    view = prepare([*log, human("Which week?", "h2")], view_tokens=300, scorer=Says(h1=9, a1=score))
    found = shown(view, "a1")
    assert found is None or found == log[1] or plain(found)
    assert "Z" * 20 not in json.dumps([m.content for m in view.messages if m.id != "a1"])


def test_f_o_020_encrypted_content_never_reaches_a_judge():
    """What a judge reads of such a message is its text."""
    model = ScriptedChatModel(replies=['{"m1": 9, "m2": 1}'])
    log = [human("Search the fair dates. " * 60, "h1"), ai([SEARCH, FOUND, {"type": "text", "text": "The fair is in May. " * 60}], "a1")]
    config = ContextConfig(protect_messages=0, filter_above_messages=0, keep_score=10, compress_score=0)
    prepare_context([*log, human("Which week?", "h2")], scope=Scope("u1", "s1"), config=config, model=model)
    assert "The fair is in May." in model.requests[0].text
    assert "encrypted" not in model.requests[0].text
    assert "ZZZ" not in model.requests[0].text


@pytest.mark.parametrize("hidden", [[SEARCH, FOUND], [{"type": "thinking", "thinking": "ENCRYPTED ZZZZ", "signature": "Z" * 90}]])
@pytest.mark.parametrize("reply", ["Search said: fair in May.", None])
def test_f_o_020_opaque_content_never_reaches_the_summariser(hidden, reply):
    """The summariser reads the text of such a message and nothing opaque or hidden, and no summary holds any of that."""
    log = [human("Search the fair dates", "h1"), ai([*hidden, {"type": "text", "text": "The fair is in May."}], "a1")]
    model = ScriptedChatModel(replies=[reply]) if reply else None
    view = summarised([*log, human("Which week?", "h2")], keep_last=0, model=model, summary_slice_turns=1)
    assert "a1" in covered(log, view.state)
    read = transcripts(model) if model else []
    assert [text for text in read if "The fair is in May." not in text] == []
    for text in (json.dumps(view.state["summary"]), *read):
        assert "encrypted" not in text.lower()
        assert "ZZZ" not in text


THOUGHTS = st.sampled_from(
    [
        [{"type": "thinking", "thinking": "so", "signature": "S" * 90}],
        [{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E" * 90}],
        [{"type": "redacted_thinking", "data": "R" * 90}],
        [SEARCH, FOUND],
    ]
)


@given(
    st.lists(st.tuples(THOUGHTS, st.integers(1, 150), st.booleans()), min_size=1, max_size=6),
    st.integers(80, 700),
    st.integers(0, 12),
    st.sampled_from([1, 6, 9]),
)
def test_opaque_blocks_are_whole_or_gone(answers, view_tokens, keep_last, score):
    """At any budget each AI message with opaque blocks is the stored one, or plain text, or not there."""
    log = []
    for n, (blocks, words, calls) in enumerate(answers):
        log.append(human(f"question {n}", f"h{n}"))
        if calls:
            log += [thinking_call(f"a{n}", "hm", f"SIG-{n}", "look", f"c{n}"), result("word " * words, f"c{n}", f"t{n}")]
        else:
            log.append(ai([*blocks, {"type": "text", "text": "word " * words}], f"a{n}"))
    view = prepare([*log, human("now?", "hq")], view_tokens=view_tokens, keep_last=keep_last, scorer=Says(rest=score))
    for stored in log:
        found = shown(view, stored.id)
        if stored.type == "ai" and found is not None:
            assert found == stored or plain(found)

"""A block in fewer tokens: texts and results shrink, calls and ids stay."""

from __future__ import annotations

import pytest
from casework import ESTIMATE, ai, call, human, result
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from langchain_contextmode.compact import Compactor
from langchain_contextmode.parsing import parse

COMPACTOR = Compactor(ESTIMATE, frozenset())
LONG = "The gate is shut and the bridge is up. " * 60


def block_of(*messages):
    [block] = parse(messages).blocks
    return block


def test_a_short_block_is_the_same_object():
    """Where nothing can be shortened the block itself comes back, whatever the limit."""
    block = block_of(human("short", "h1"))
    assert COMPACTOR.shortened(block, 1).messages[0] is block.messages[0]
    assert COMPACTOR.able(block) == 0


@pytest.mark.parametrize("make", [human, ai])
def test_a_long_text_becomes_a_new_plain_message(make):
    """A long text is shortened to about the limit under its id, and the decision says from what to what."""
    block = block_of(make(LONG, "m1"))
    short = COMPACTOR.shortened(block, 150)
    [message] = short.messages
    assert (message.id, message.type) == ("m1", block.messages[0].type)
    assert COMPACTOR.cost(short) <= 165
    assert "150" in short.altered["m1"]
    assert str(COMPACTOR.cost(block)) in short.altered["m1"]
    assert block.messages[0].content == LONG


def test_calls_are_never_touched():
    """Of a call block only result texts shrink; call, ids, names and status stay."""
    block = block_of(
        call("a1", ("f", {"q": "word " * 200}, "c1"), ("g", {}, "c2")), result(LONG, "c1", "t1", status="error"), result("ok", "c2", "t2")
    )
    short = COMPACTOR.shortened(block, 1)
    assert short.messages[0] is block.messages[0]
    assert short.messages[2] is block.messages[2]
    assert (short.messages[1].id, short.messages[1].tool_call_id, short.messages[1].status) == ("t1", "c1", "error")
    assert set(short.altered) == {"t1"}


def test_opaque_content_goes_with_its_message():
    """An AI text with reasoning is shortened to plain text without anything of the provider."""
    reasoning = {"type": "reasoning", "id": "rs_1", "encrypted_content": "E"}
    block = block_of(AIMessage([reasoning, {"type": "text", "text": LONG, "id": "msg_1"}], id="a1", additional_kwargs={"x": 1}))
    [message] = COMPACTOR.shortened(block, 100).messages
    assert isinstance(message.content, str)
    assert message.additional_kwargs == {}


def test_pictures_are_not_shortened():
    """A message with a picture is whole."""
    block = block_of(HumanMessage([{"type": "text", "text": LONG}, {"type": "image_url", "image_url": {"url": "u"}}], id="h1"))
    assert COMPACTOR.shortened(block, 100).messages[0] is block.messages[0]


def test_small_results_stay_whole_beside_a_large_one():
    """The room is divided so that what is small stays as it is."""
    block = block_of(call("a1", ("f", {}, "c1"), ("f", {}, "c2")), result(LONG, "c1", "t1"), result("The gate is shut. " * 12, "c2", "t2"))
    short = COMPACTOR.shortened(block, 300)
    assert short.messages[2] is block.messages[2]
    assert len(short.messages[1].content) < len(LONG)


@given(st.lists(st.integers(1, 120), min_size=1, max_size=5), st.integers(1, 900))
def test_a_shortened_block_is_never_larger(words, limit):
    """Whatever the limit, no message of a shortened block costs more than before, and what may shrink is near the limit."""
    calls = [("f", {}, f"c{n}") for n in range(len(words))]
    block = block_of(call("a1", *calls), *(result("The gate is shut. " * count, f"c{n}", f"t{n}") for n, count in enumerate(words)))
    short = COMPACTOR.shortened(block, limit)
    for before, after in zip(block.messages, short.messages, strict=True):
        assert ESTIMATE.message(after) <= ESTIMATE.message(before)
    floor = COMPACTOR.cost(block) - COMPACTOR.able(block) + 48 * len(words)
    assert COMPACTOR.cost(short) <= max(limit * 1.1, floor)

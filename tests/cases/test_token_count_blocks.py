"""What a model reads is counted, what it does not read is not, pictures are flat."""

from __future__ import annotations

import pytest
from casework import ESTIMATE, ai, call, human, prepare
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from langchain_contextmode.tokens import default_counter

COUNTERS = pytest.mark.parametrize("counter", [ESTIMATE, default_counter()], ids=["estimate", "default"])
PICTURE = "A" * 400_000
URL = f"data:image/png;base64,{PICTURE}"


def pictures():
    return [
        human([{"type": "text", "text": "look"}, {"type": "input_image", "image_url": URL}], "h1"),
        human([{"type": "image_url", "image_url": {"url": URL}}], "h2"),
        human([{"type": "image", "source_type": "base64", "data": PICTURE, "mime_type": "image/png"}], "h3"),
    ]


@COUNTERS
def test_f_o_029_pictures_are_counted_flat(counter):
    """Pictures of each block type cost between 50 and 4000 tokens, about the same."""
    counts = [counter.message(message) for message in pictures()]
    assert all(50 <= count <= 4_000 for count in counts)
    assert max(counts) < 3 * min(counts)


def test_f_o_029_pictures_push_nothing_out():
    """With 8000 tokens three large pictures are all sent."""
    log = pictures()
    assert prepare(log, view_tokens=8_000, keep_last=20).messages == log


@COUNTERS
def test_f_o_030_signatures_are_not_counted(counter):
    """Encrypted reasoning and signatures cost nothing; reasoning that usage reports counts up to that figure."""
    reasoning = {"type": "reasoning", "reasoning": "check the valve first", "extras": {"encrypted_content": "g" * 4_000}}
    thinking = {"type": "thinking", "thinking": "check the valve first", "signature": "s" * 4_000}
    first, second = ai([reasoning], "a1"), ai([thinking, {"type": "text", "text": "Done."}], "a2")
    assert counter.message(first) < 120
    assert counter.message(second) < 120
    usage = {"input_tokens": 1, "output_tokens": 700, "total_tokens": 701, "output_token_details": {"reasoning": 600}}
    reported = AIMessage(second.content, id="a2", usage_metadata=usage)
    assert counter.message(second) <= counter.message(reported) <= counter.message(second) + 600


@COUNTERS
def test_f_o_031_arguments_of_calls_are_counted(counter):
    """4800 characters of arguments count at least 900 tokens, their text and the form they go out in; name and id count too."""
    large = call("a1", ("write", {"text": "lorem ipsum " * 400}, "c1"))
    assert counter.message(large) >= 900
    assert counter.message(large) >= 800 + counter.message(call("a1", ("write", {}, "c1")))
    assert counter.message(call("a1", ("write_a_long_name", {}, "c1"))) > counter.message(call("a1", ("w", {}, "c1")))
    assert counter.message(call("a1", ("w", {}, "call_0123456789abcdef"))) > counter.message(call("a1", ("w", {}, "c1")))


OPAQUE = st.sampled_from(["signature", "encrypted_content", "data"])


@given(st.text("abc ", min_size=1, max_size=60), OPAQUE, st.integers(0, 5_000), st.integers(0, 5_000))
def test_opaque_payloads_of_any_size_cost_nothing(text, key, small, large):
    """Two messages that differ only in an opaque payload have one count, and it grows with the text."""
    counts = {ESTIMATE.message(ai([{"type": "thinking", "thinking": text, key: "x" * size}], "a")) for size in (small, large)}
    assert len(counts) == 1
    assert ESTIMATE.message(ai([{"type": "thinking", "thinking": text + " and more"}], "a")) > counts.pop()


@given(st.dictionaries(st.sampled_from(["q", "path", "body"]), st.text("abc é预", max_size=200), max_size=3))
def test_larger_arguments_never_count_less(arguments):
    """A call with one more argument costs more, as content and as a call."""
    small, large = (call("a1", ("f", a, "c1")) for a in (arguments, {**arguments, "more": "words of text"}))
    assert ESTIMATE.message(large) > ESTIMATE.message(small)

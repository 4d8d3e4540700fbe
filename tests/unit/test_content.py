"""What one message says, and under which key it is cached."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from casework import ai, call, human, result
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from langchain_contextmode.content import (
    BoundedCache,
    all_calls,
    calls_text,
    content_hash,
    content_key,
    fix_surrogates,
    has_media,
    is_blank,
    is_pinned,
    lines,
    message_time,
    namespace,
    readable,
    references,
    text_of,
)

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, "b"], "a\nb"),
        ([{"type": "text", "text": "look"}, IMAGE], "look\n[image]"),
        ([{"type": "input_image", "image_url": "u"}, {"type": "audio", "data": "A"}, {"type": "file"}], "[image]\n[audio]\n[file]"),
        ([{"type": "thinking", "thinking": "no", "signature": "S"}, {"type": "output_text", "text": "yes"}], "yes"),
        ([{"type": "tool_use", "id": "c1", "name": "f", "input": {}}], ""),
        ([{"type": "json", "json": {"a": "预"}}], '{"a": "预"}'),
        ([{"text": "untyped"}, {"rows": 2}], 'untyped\n{"rows": 2}'),
        ([], ""),
    ],
)
def test_text_is_what_can_be_read(content, text):
    """Text blocks in order, media as a placeholder, no thoughts, no calls, no payloads."""
    assert text_of(ai(content, "a1")) == text


def test_calls_read_as_calls():
    """Calls are written as name and arguments, broken arguments as they came, with the text before them."""
    message = AIMessage(
        "checking",
        tool_calls=[{"name": "f", "args": {"q": "预"}, "id": "c1"}],
        invalid_tool_calls=[{"name": "g", "args": '{"q": ', "id": "c2", "error": None}],
    )
    assert calls_text(message) == 'f({"q": "预"})\ng({"q": )'
    assert readable(message) == 'checking\nf({"q": "预"})\ng({"q": )'
    assert readable(human("q", "h1")) == "q"


def test_calls_that_only_the_content_names_are_calls():
    """A call block that no listed call stands for counts as a call; one that is listed is not counted twice."""
    use = {"type": "tool_use", "id": "c1", "name": "f", "input": {"q": 1}}
    assert [c["id"] for c in all_calls(AIMessage([use]))] == ["c1"]
    assert [c["id"] for c in all_calls(AIMessage([use], tool_calls=[{"name": "f", "args": {"q": 1}, "id": "c1"}]))] == ["c1"]
    assert all_calls(human([use], "h1")) == []


@pytest.mark.parametrize(
    ("extra", "pinned"),
    [
        ({"pinned": True}, True),
        ({"contextmode": {"pinned": True}}, True),
        ({"pinned": "yes"}, False),
        ({"contextmode": {"pinned": 1}}, False),
        ({"contextmode": ["pinned"]}, False),
        ({}, False),
    ],
)
def test_only_true_pins(extra, pinned):
    """A message is pinned by the value True, at the top or in our dict, and by nothing else."""
    assert is_pinned(human("q", "h1", **extra)) is pinned


@pytest.mark.parametrize(
    ("given_time", "time"),
    [
        ("2026-05-01T10:00:00Z", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        ("2026-05-01T10:00:00+02:00", datetime(2026, 5, 1, 8, tzinfo=UTC)),
        (datetime(2026, 5, 1, 10, tzinfo=timezone(timedelta(hours=2))), datetime(2026, 5, 1, 8, tzinfo=UTC)),
        (1_777_629_600_000, datetime(2026, 5, 1, 10, tzinfo=UTC)),
        ("2026-05-01T10:00:00", None),
        ("soon", None),
        (True, None),
        (float("nan"), None),
        (10**30, None),
        (None, None),
    ],
)
def test_a_time_is_aware_or_none(given_time, time):
    """ISO text, aware datetimes and milliseconds are times in UTC; without an offset there is none, and nothing raises."""
    assert message_time(human("q", "h1", contextmode={"time": given_time})) == time


def test_references_are_ids():
    """Only strings in a list are references."""
    assert references(human("q", "h1", contextmode={"ref_message_ids": ["m1", 2, None, "m2"]})) == ("m1", "m2")
    assert references(human("q", "h1", contextmode={"ref_message_ids": "m1"})) == ()
    assert namespace(human("q", "h1", contextmode="odd")) == {}


@pytest.mark.parametrize("content", ["", " \n\u3000", [], [{"type": "text", "text": " "}], [" ", {"type": "text", "text": None}]])
def test_white_space_is_blank(content):
    """White space of any kind, alone or in blocks, is blank."""
    assert is_blank(ai(content, "a1"))
    assert not has_media(ai(content, "a1"))


def test_a_picture_is_not_blank():
    """A message that is only a picture says something."""
    assert not is_blank(human([IMAGE], "h1"))
    assert has_media(human([IMAGE], "h1"))


def test_keys_depend_on_what_is_said():
    """Ids and metadata do not change a key; role, name, content and calls do."""
    base = human("q", "h1")
    assert content_key(base) == content_key(human("q", "h2", contextmode={"topic": "x"}))
    others = [ai("q", "h1"), human("p", "h1"), base.model_copy(update={"name": "Mira"}), call("a1", ("f", {}, "c1"))]
    assert len({content_key(m) for m in [base, *others]}) == 5
    assert len({content_hash(m) for m in [base, *others]}) == 5
    long = "x" * 5_000
    assert content_key(human(long, "h1")) == content_hash(human(long, "h2"))


@given(
    st.recursive(
        st.text(), lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)), max_leaves=8
    )
)
def test_values_without_lone_surrogates_stay_the_same_object(value):
    """A value without lone surrogates comes back as itself, at any depth."""
    assert fix_surrogates(value) is value


@given(st.text(st.characters(), max_size=20), st.integers(0xD800, 0xDFFF))
def test_a_lone_surrogate_becomes_one_replacement(text, code):
    """A lone surrogate becomes U+FFFD and the rest of the text stays."""
    assert fix_surrogates(text + " " + chr(code)) == text + " \ufffd"


def test_the_cache_is_bounded():
    """The oldest entries leave; what is there is computed once."""
    cache = BoundedCache(2)
    for number in range(5):
        assert cache.get(number, lambda number=number: number * 10) == number * 10
    assert cache.peek(0) is None
    assert cache.peek(4) == 40
    assert cache.get(4, lambda: pytest.fail("computed twice")) == 40


def test_lines_are_stripped_and_never_blank():
    """Blank lines are no lines."""
    assert list(lines(" a \n\n  \nb")) == ["a", "b"]


def test_results_are_read_like_any_message():
    """A tool result's text is its content."""
    assert readable(result([{"type": "text", "text": "r"}], "c1", "t1")) == "r"

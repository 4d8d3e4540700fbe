from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.tools import tool
from pydantic import BaseModel

from langchain_contextmode import ranks
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.tokens import MEDIA_TOKENS, MessageCounter, ScriptEstimate, TiktokenCounter, as_counter, default_counter

KINDS = json.loads((Path(__file__).parent / "token_samples.json").read_text(encoding="utf-8"))
"""Kind of text to samples with their exact o200k_base counts."""

BASE64 = "A" * 400_000
CALL = {"name": "write", "args": {"text": "lorem ipsum " * 400}, "id": "c1", "type": "tool_call"}


class Characters(MessageCounter):
    """Counts characters, and how often it is asked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked = 0

    def text(self, text: str) -> int:
        self.asked += 1
        return len(text)


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """An encoding whose ranks are the 256 bytes, as a file in tiktoken's cache."""
    content = b"".join(base64.b64encode(bytes([n])) + b" %d\n" % n for n in range(256))
    published = ranks._Published(hashlib.sha256(content).hexdigest(), ranks._O200K_PATTERN)
    monkeypatch.setitem(ranks._PUBLISHED, "tiny", published)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    path = ranks.cache_file("tiny")
    path.write_bytes(content)
    ranks.load_encoding.cache_clear()
    yield path
    ranks.load_encoding.cache_clear()


def in_cache() -> bool:
    path = ranks.cache_file("o200k_base")
    return path is not None and path.is_file()


@pytest.fixture(params=["estimate", "o200k_base"])
def counter(request):
    """Return both counters, the exact one where its ranks are on this machine."""
    if request.param == "estimate":
        return ScriptEstimate()
    if not in_cache():
        pytest.skip("the ranks of o200k_base are not in tiktoken's cache")
    return TiktokenCounter()


def human(content: Any) -> HumanMessage:
    return HumanMessage(content)


def test_a_request_is_the_sum_of_its_messages_and_a_constant(counter):
    """A view's tokens can be added up message by message."""
    messages = [SystemMessage("Be brief."), human("What is 17 times 23?"), AIMessage("391")]
    assert counter(messages) == 3 + sum(map(counter.message, messages))
    assert counter([]) == 3


def test_a_message_costs_its_frame_its_role_and_its_text(counter):
    """The overhead is OpenAI's: three a message, one for the role, one more beside a name."""
    assert counter.message(human("")) == 4
    assert counter.message(human("hello")) == 4 + counter.text("hello")
    assert counter.message(HumanMessage("hello", name="ada")) == 5 + counter.text("hello") + counter.text("ada")


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "look"}, {"type": "input_image", "image_url": f"data:image/png;base64,{BASE64}"}],
        [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{BASE64}"}}],
        [{"type": "image", "source_type": "base64", "data": BASE64, "mime_type": "image/png"}],
        [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BASE64}}],
        [{"type": "media", "mime_type": "application/pdf", "data": BASE64}],
        [{"type": "file", "file": {"filename": "plan.pdf", "file_data": f"data:application/pdf;base64,{BASE64}"}}],
        [{"type": "input_audio", "input_audio": {"data": BASE64, "format": "wav"}}],
    ],
)
def test_a_picture_costs_the_same_however_it_is_written(counter, content):
    """Pictures and files count a flat number within 50..4000 tokens, never their base64 text."""
    assert MEDIA_TOKENS <= counter.message(human(content)) < MEDIA_TOKENS + 40


@pytest.mark.parametrize(
    "block",
    [
        {"type": "reasoning", "reasoning": "check the valve first", "extras": {"encrypted_content": "g" * 4_000}},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "check the valve first"}], "encrypted_content": "g" * 4_000},
        {"type": "thinking", "thinking": "check the valve first", "signature": "s" * 4_000},
        {"type": "redacted_thinking", "data": "x" * 4_000},
    ],
)
def test_signatures_and_encrypted_reasoning_cost_nothing(counter, block):
    """Reasoning counts what can be read of it; its opaque payload is no text."""
    cost = counter.message(AIMessage([block, {"type": "text", "text": "Done."}]))
    assert 4 < cost < 40


@pytest.mark.parametrize(("reported", "expected"), [(0, 10), (7, 10), (500, 500)])
def test_reported_reasoning_raises_the_count_and_never_lowers_it(reported, expected):
    """Usage metadata counts up to the reported figure beside the readable text, no more."""
    usage = {"input_tokens": 9, "output_tokens": 900, "total_tokens": 909, "output_token_details": {"reasoning": reported}}
    content = [{"type": "reasoning", "reasoning": "a" * 10}, {"type": "text", "text": "b" * 20}]
    assert Characters("reported").message(AIMessage(content, usage_metadata=usage)) == 4 + 20 + expected


def test_usage_of_a_message_without_reasoning_does_not_count():
    """What a model thought is no part of the next prompt unless the message carries it."""
    usage = {"input_tokens": 9, "output_tokens": 900, "total_tokens": 909, "output_token_details": {"reasoning": 800}}
    assert Characters("plain").message(AIMessage("b" * 20, usage_metadata=usage)) == 24


def test_a_large_call_is_a_large_message(counter):
    """Arguments, name and id of a tool call count."""
    full = counter.message(AIMessage("", tool_calls=[CALL]))
    assert full >= 900
    assert counter.message(AIMessage("", tool_calls=[CALL | {"id": "call_" + "x7Q" * 8}])) > full
    assert counter.message(AIMessage("", tool_calls=[CALL | {"name": "write_a_very_long_document"}])) > full


def test_a_call_that_stands_in_the_content_too_counts_once(counter):
    """Providers that repeat calls as content blocks are not charged twice."""
    block = {"type": "tool_use", "id": "c1", "name": "write", "input": CALL["args"]}
    assert counter.message(AIMessage([block], tool_calls=[CALL])) == counter.message(AIMessage("", tool_calls=[CALL]))


def test_a_call_that_could_not_be_parsed_counts(counter):
    """Broken arguments are sent back as they are, so they cost."""
    broken = {"name": "write", "args": '{"text": "' + "lorem " * 100, "id": "c1", "error": "cut off", "type": "invalid_tool_call"}
    assert counter.message(AIMessage("", invalid_tool_calls=[broken])) > 100


def test_a_result_costs_the_id_of_its_call():
    """Two results that differ in their call id only are counted each for itself."""
    characters = Characters("results")
    assert characters.message(ToolMessage("ok", tool_call_id="c1")) == 4 + 2 + 2
    assert characters.message(ToolMessage("ok", tool_call_id="call-22")) == 4 + 2 + 7


def test_blocks_of_unknown_providers_count_what_can_be_read():
    """An unknown block costs its strings and numbers; labels and base64-like strings are free."""
    block = {"type": "weather_card", "id": "w1", "title": "Oslo", "cells": [{"value": 21}], "blob": "Zm9v" * 80}
    assert Characters("cards").message(human([block])) == 4 + len("Oslo\n21")


def test_chinese_is_not_undercounted(counter):
    """6,000 Han characters are between 3,600 and 12,000 tokens."""
    assert 3_600 <= counter.text("今天下午三点在二号会议室讨论预算" * 375) <= 12_000


def test_a_mixed_budget_holds_in_the_unit_of_characters(counter):
    """Mixed Chinese and English never costs less than 0.8 of one token a Han character and one for four others."""
    text = "请核对第1批货物 batch-1。" * 20
    han = sum("\u4e00" <= c <= "\u9fff" for c in text)
    assert counter.text(text) >= 0.8 * (han + (len(text) - han) / 4)


def test_messages_are_counted_once_in_a_process():
    """A message costs time at its first use only, also as a copy under another id."""
    characters = Characters("cached")
    long = "word " * 1_000
    for text in ("short", long):
        characters.asked = 0
        assert characters.message(HumanMessage(text, id="1")) == characters.message(HumanMessage(text, id="2")) == 4 + len(text)
        assert characters.asked == 1


def test_counters_do_not_share_their_answers():
    """The cache tells counters apart by name, and messages of different roles and names too."""
    first, second = Characters("first"), Characters("second")
    first.message(human("the same"))
    second.message(human("the same"))
    assert second.asked == 1
    assert first.message(HumanMessage("the same", name="ada")) == first.message(human("the same")) + 4


def test_calls_and_blocks_that_differ_do_not_share_a_count():
    """List content and calls are part of what a count is kept under."""
    characters = Characters("content")
    assert characters.message(human([{"type": "text", "text": "ab"}])) != characters.message(human([{"type": "text", "text": "abc"}]))
    one, two = ({"name": "f", "args": {"x": value}, "id": "c", "type": "tool_call"} for value in (1, 10))
    assert characters.message(AIMessage("", tool_calls=[one])) != characters.message(AIMessage("", tool_calls=[two]))


def test_a_text_that_looks_like_a_call_is_a_text():
    """A message that quotes how Python prints a call does not get the count of the call."""
    characters = Characters("quoted")
    call = AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "c", "type": "tool_call"}])
    quoted = repr(("", call.tool_calls))
    assert characters.message(call) != characters.message(AIMessage(quoted)) == 4 + len(quoted)


def test_tool_schemas_count_in_every_form(counter):
    """A tool, the function it was made of and its schema as a dict cost the same; none costs nothing."""

    @tool
    def look_up(order_id: str, limit: int = 5) -> str:
        """Find an order by its id."""
        return f"{order_id}{limit}"

    class LookUp(BaseModel):
        """Find an order by its id."""

        order_id: str

    assert counter.tools([]) == 0
    single = counter.tools([look_up])
    assert 30 < single < 120
    assert counter.tools([look_up, look_up]) == 2 * single
    assert counter.tools([LookUp]) > 20
    schema = {"name": "look_up", "description": "Find an order by its id.", "parameters": {"type": "object", "properties": {}}}
    assert counter.tools([{"type": "function", "function": schema}]) == counter.tools([schema])
    assert counter.tools([{"type": "some_provider_search", "max_uses": 3}]) > 5


def test_any_callable_over_messages_becomes_a_counter():
    """A callable's constant for an empty request is taken off the cost of a message."""
    wrapped = as_counter(lambda messages: 7 + sum(len(m.text) for m in messages))
    assert wrapped.message(human("12345")) == 5
    assert wrapped([human("12345"), human("1")]) == 13
    assert wrapped.text("abc") == 3
    assert wrapped.text("") == 0


def test_langchains_own_counter_can_be_used():
    """`count_tokens_approximately` gives the same sums through the wrapper as alone."""
    wrapped = as_counter(count_tokens_approximately)
    messages = [human("What is 17 times 23?"), AIMessage("391")]
    assert wrapped(messages) == count_tokens_approximately(messages) == sum(map(wrapped.message, messages))
    assert "count_tokens_approximately" in wrapped.name


def test_a_counter_that_refuses_an_empty_request_still_counts():
    """Where nothing can be counted, a message costs what the callable says of it alone."""

    def strict(messages):
        return 10 * len(messages) // (1 if messages else 0)

    assert as_counter(strict).message(human("x")) == 10


@pytest.mark.parametrize("answer", [1.5, -1, True, None, "12"])
def test_a_counter_must_answer_with_a_whole_number(answer):
    """Anything but an integer of 0 or more is a wrong setting, said with the answer."""
    with pytest.raises(ConfigError, match="int of 0 or more"):
        as_counter(lambda messages: answer if messages else 0).message(human("x"))


def test_a_counter_must_be_callable():
    """A model's name in the place of a counter is a wrong setting."""
    with pytest.raises(ConfigError, match="callable"):
        as_counter("gpt-4o")


def test_counters_pass_through_unchanged():
    """A counter of ours stays the same object; none means the default."""
    characters = Characters("mine")
    assert as_counter(characters) is characters
    assert as_counter(None) is default_counter()


def test_answers_of_wrapped_callables_are_kept_apart():
    """Two callables never see each other's counts, whatever they are called."""
    one, two = as_counter(len), as_counter(lambda m: 2 * len(m))
    assert (one.message(human("x")), two.message(human("x"))) == (1, 2)


def test_ranks_on_this_machine_are_used(tiny):
    """A file with the published ranks is all that exact counting takes."""
    assert tiny.is_file()
    assert TiktokenCounter("tiny").text("abc é") == 6


@pytest.mark.parametrize("text", [" " * 500_000, "\n" * 100_000, "a" * 300_000], ids=["spaces", "breaks", "letters"])
def test_long_runs_of_one_character_are_counted(tiny, text):
    """Texts on which tiktoken's pattern overflows its stack in one piece are counted in several."""
    assert tiny.is_file()
    assert TiktokenCounter("tiny").text(text) == len(text)


def test_lone_surrogates_are_counted(counter):
    """Broken text gets a number, no error."""
    assert counter.text("ok \ud800 ok") >= 3


def test_ranks_with_a_wrong_hash_are_left_alone(tiny):
    """A damaged file is not used, not deleted and not downloaded again."""
    tiny.write_bytes(b"damaged")
    with pytest.raises(ConfigError, match="nothing is downloaded"):
        TiktokenCounter("tiny")
    assert tiny.read_bytes() == b"damaged"


@pytest.mark.parametrize("setting", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_a_cache_that_is_switched_off_has_no_ranks(monkeypatch, setting):
    """An empty cache folder means no cache, as for tiktoken itself."""
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.setenv(setting, "")
    ranks.load_encoding.cache_clear()
    with pytest.raises(ConfigError):
        TiktokenCounter()
    ranks.load_encoding.cache_clear()


def test_the_cache_folder_is_tiktokens(monkeypatch, tmp_path):
    """Ranks are looked for where tiktoken keeps them: its own variable first, then the older one, then the temporary folder."""
    name = "fb374d419588a4632f3f557e76b4b70aebbca790"  # SHA-1 of the address of o200k_base
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    assert ranks.cache_file("o200k_base").parts[-2:] == ("data-gym-cache", name)
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "old"))
    assert ranks.cache_file("o200k_base") == tmp_path / "old" / name
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert ranks.cache_file("o200k_base") == tmp_path / name


def test_unknown_encodings_are_refused():
    """A wrong name says which ones there are."""
    with pytest.raises(ConfigError, match="o200k_base, cl100k_base"):
        TiktokenCounter("gpt-4")


def test_without_ranks_the_default_is_the_estimate(monkeypatch, tmp_path):
    """A machine without ranks counts by the estimate, without asking the network."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    ranks.load_encoding.cache_clear()
    default_counter.cache_clear()
    assert isinstance(default_counter(), ScriptEstimate)
    default_counter.cache_clear()
    ranks.load_encoding.cache_clear()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_estimate_is_near_the_exact_count(kind):
    """Per kind of text the estimate is at most 2 % under and 25 % over o200k_base."""
    exact = sum(sample["tokens"] for sample in KINDS[kind])
    assert 0.98 * exact <= sum(estimate_tokens(sample["text"]) for sample in KINDS[kind]) <= 1.25 * exact


def test_the_samples_have_the_exact_counts():
    """The counts that the estimate is measured against are tiktoken's own."""
    if not in_cache():
        pytest.skip("the ranks of o200k_base are not in tiktoken's cache")
    exact = TiktokenCounter()
    assert all(exact.text(sample["text"]) == sample["tokens"] for samples in KINDS.values() for sample in samples)


@given(st.text(st.characters(codec=None, exclude_categories=[]), max_size=300))
def test_every_text_has_an_estimate(text):
    """Any text, broken ones included, costs at least a token, and nothing only if it is empty."""
    assert estimate_tokens(text) >= bool(text)
    assert bool(estimate_tokens(text)) == bool(text)


@given(st.sampled_from([sample["text"] for samples in KINDS.values() for sample in samples]), st.integers(0, 400))
def test_the_estimate_can_be_added_up(text, where):
    """Two halves of a text cost together what the text costs, but for the word that was cut."""
    assert abs(estimate_tokens(text) - estimate_tokens(text[:where]) - estimate_tokens(text[where:])) <= 3


def test_the_cache_of_prices_is_bounded():
    """Ids that never come back do not fill the memory."""
    from langchain_contextmode.estimate import _COSTS, _REMEMBERED_PIECES  # noqa: PLC0415

    for number in range(3):
        estimate_tokens(" ".join(hashlib.sha256(f"{number}-{n}".encode()).hexdigest() for n in range(4_000)))
    assert len(_COSTS[0]) <= _REMEMBERED_PIECES

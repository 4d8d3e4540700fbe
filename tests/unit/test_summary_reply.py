from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from langchain_contextmode.summary.reply import Parsed, UnusableError, parse, usable

CALL = {"name": "search", "args": {"q": "a"}, "id": "x1", "type": "tool_call"}
BAD_CALL = {"name": "search", "args": "{", "id": "x1", "error": None, "type": "invalid_tool_call"}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (AIMessage(""), "empty"),
        (AIMessage(" \n "), "empty"),
        (AIMessage("..."), "empty"),
        (AIMessage("None."), "empty"),
        (AIMessage("无"), "empty"),
        (AIMessage([{"type": "thinking", "thinking": "Eight questions.", "signature": "S"}]), "empty"),
        (AIMessage([{"type": "reasoning", "encrypted_content": "gAAAA"}]), "empty"),
        (AIMessage("<think>Let me see"), "unfinished thought"),
        (AIMessage("<think></think>"), "empty"),
        (AIMessage("```\n\n```"), "empty"),
        (AIMessage("", tool_calls=[CALL]), "calls a tool"),
        (AIMessage("A summary, too.", tool_calls=[CALL]), "calls a tool"),
        (AIMessage("", invalid_tool_calls=[BAD_CALL]), "calls a tool"),
        (AIMessage([{"type": "tool_use", "id": "t", "name": "search", "input": {}}, {"type": "text", "text": "Hm."}]), "calls a tool"),
        (AIMessage("", additional_kwargs={"refusal": "I cannot."}), "refused"),
        *[
            (AIMessage("The user asked", response_metadata=metadata), "not finished")
            for metadata in (
                {"finish_reason": "length"},
                {"finish_reason": "content_filter"},
                {"finish_reason": "MAX_TOKENS"},
                {"finish_reason": "SAFETY"},
                {"stop_reason": "max_tokens"},
                {"stop_reason": "refusal"},
                {"stop_reason": "model_context_window_exceeded"},
                {"done_reason": "length"},
                {"stopReason": "guardrail_intervened"},
                {"status": "incomplete"},
            )
        ],
    ],
)
def test_a_reply_that_cannot_stand_for_its_source_is_refused(reply, why):
    """No text, a tool call, a thought without an end, a reply that was cut off or filtered: each is a failure that says why."""
    with pytest.raises(UnusableError, match=why):
        usable(reply)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (AIMessage("<think>Let me see, eight questions.</think>\nEight were answered."), "Eight were answered."),
        (AIMessage("<thinking>a</thinking> <think>b</think> Done."), "Done."),
        (AIMessage("It opened the thought for me.\n</think>\n\nDone."), "Done."),
        (AIMessage("The tag <think> was discussed, and </think> too."), "The tag <think> was discussed, and </think> too."),
        (AIMessage("```markdown\n## Decisions\n- a\n```"), "## Decisions\n- a"),
        (AIMessage("~~~\nplain\n~~~\n"), "plain"),
        (AIMessage("Run ```x``` first"), "Run ```x``` first"),
        (AIMessage("```py\na\n```\nand\n```py\nb\n```"), "```py\na\n```\nand\n```py\nb\n```"),
        (AIMessage([{"type": "thinking", "thinking": "hm", "signature": "S"}, {"type": "text", "text": "Done."}]), "Done."),
        (AIMessage("half \ud800 pair"), "half \ufffd pair"),
        (AIMessage("Done.", response_metadata={"finish_reason": "stop"}), "Done."),
        (AIMessage("Done.", response_metadata={"stop_reason": "end_turn", "status": "completed"}), "Done."),
    ],
)
def test_what_stands_around_a_summary_is_taken_off(reply, text):
    """Thoughts in front and a fence around the whole go; the same marks inside a sentence are text and stay."""
    assert usable(reply) == text


@pytest.mark.parametrize(
    "text",
    [
        "## Preferences\n- tea\n## Decisions\n- go\n## Open items\n- ask\n## Hard constraints\n- no nuts",
        "## Hard constraints\n- no nuts\n\n## Open items\n- ask\n\n## Decisions\n- go\n\n## Preferences\n- tea",
        "**Preferences**\n* tea\n**Decisions made:**\n* go\n**Open Items**\n* ask\n**Hard Constraints:**\n* no nuts",
        "1. Preferences:\n   - tea\n2. Decisions:\n   - go\n3. Open items:\n   - ask\n4. Constraints:\n   - no nuts",
        "Here are the notes:\n\nPreferences: tea\nDecisions: go\nOpen items: ask\nHard constraints: no nuts",
        "### User preferences (stated)\n1. tea\n### Decisions\n1) go\n### Open questions\n• ask\n### Hard constraints\n– no nuts",
        "## 偏好\n- tea\n## 决定\n- go\n## 待办事项\n- ask\n## 硬约束\n- no nuts",
        "偏好：tea\n决定：go\n待办：ask\n约束：no nuts",
        "PREFERENCES\n- tea\nDECISIONS\n- go\nOPEN ITEMS\n- ask\nCONSTRAINTS\n- no nuts",
    ],
)
def test_headings_are_read_however_they_are_written(text):
    """Any usual mark, order, case or numbering, in English or Chinese, gives the same four sections and no stray text."""
    sections = {"preferences": ("tea",), "decisions": ("go",), "open": ("ask",), "constraints": ("no nuts",)}
    assert parse(text) == Parsed(sections, "", headed=True)


@pytest.mark.parametrize(
    "nothing", ["- none", "- None.", "none", "- N/A", "- n/a", "- (none)", "无", "- 无。", "- 暂无", "-", "- None stated", ""]
)
def test_sections_without_anything_are_empty(nothing):
    """A line that says "none" in any way is no statement."""
    parsed = parse(f"## Preferences\n{nothing}\n## Decisions\n- go")
    assert not parsed.sections["preferences"]
    assert parsed.sections["decisions"] == ("go",)


def test_a_reply_without_headings_stands_as_it_is():
    """Prose, lists and braces without a known heading are the text, letter by letter."""
    for text in ("Eight short questions were answered.", "- a\n- b", 'Config {"root"} discussed.', "# Notes\nA word.", "x"):
        assert parse(text) == Parsed({}, text, headed=False)


def test_what_stands_under_another_heading_is_not_lost():
    """Text under a heading that is none of the four stays as text."""
    parsed = parse("## Decisions\n- go\n## Background\n- The user lives in Lund.")
    assert parsed.sections["decisions"] == ("go",)
    assert parsed.text == "The user lives in Lund."


def test_details_that_the_model_repeats_are_left_out():
    """The copied details stand by themselves: a reply that lists them again does not double them."""
    parsed = parse("## Exact details\n- PX-1\n## Decisions\n- go\n## Exact details\n- The code is PX-1.")
    assert parsed == Parsed({"decisions": ("go",)}, "", headed=True)


def test_a_statement_over_two_lines_is_one():
    """An indented line without a bullet goes on with the statement before it; a doubled statement counts once."""
    parsed = parse("## Decisions\n- go to Lund\n  by train\n- eat\n- eat")
    assert parsed.sections["decisions"] == ("go to Lund by train", "eat")


def test_a_statement_that_names_a_section_opens_none():
    """A bullet such as "- Decisions: none yet" is a statement of its section."""
    assert parse("## Open items\n- Decisions: which hotel").sections == {"open": ("Decisions: which hotel",)}


@given(st.text(max_size=300), st.sampled_from(["", "## Decisions\n", "<think>", "```\n", "偏好："]))
def test_no_text_breaks_the_parser(text, front):
    """Any reply is either read or refused; nothing else is raised."""
    with contextlib.suppress(UnusableError):
        parse(usable(AIMessage(front + text)))


@pytest.mark.parametrize("character", ["#", "*", "-", " ", "`", "<think>", "a", "：", "\n", "1. ", "[", "\u3000", "<"])
def test_a_huge_reply_takes_no_time(character):
    """A million of one character is read, or refused, in well under two seconds."""
    started = time.perf_counter()
    with contextlib.suppress(UnusableError):
        parse(usable(AIMessage(character * (1_000_000 // len(character)))))
    assert time.perf_counter() - started < 2

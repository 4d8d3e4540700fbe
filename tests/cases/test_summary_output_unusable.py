"""A reply without a usable text is a failed summary; what a model thought, called or began stands for nothing."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, RUN, human
from hostwork import keeping_host
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from summarywork import CALL, FAILS, TRACE, covered, failures, questions, settings_for, summarised, summary_of

from langchain_contextmode.testing import ScriptedChatModel

LOG = [*questions(1, 12), human("hq", "hq")]
EARLIER = "Earlier: badge number agreed."
TOOL = {"type": "function", "function": {"name": "search", "description": "", "parameters": {"type": "object", "properties": {}}}}


def begun():
    """Return the state of a log whose first turns were summarised in one sentence."""
    state = summarised(LOG[:5], model=ScriptedChatModel(replies=[EARLIER])).state
    assert summary_of(state).text == EARLIER
    return state


def test_f_o_044_a_reply_without_text_is_a_failure():
    """Hidden reasoning alone leaves the old summary and the log, and the report names the empty summary."""
    state = begun()
    thoughts = AIMessage([{"type": "thinking", "thinking": "...", "signature": "S"}])
    view = summarised(LOG, state=state, model=ScriptedChatModel(replies=[thoughts]))
    assert summary_of(view.state).text == EARLIER
    assert covered(LOG, view.state) == covered(LOG, state)
    assert "the summary is empty" in failures(view)[0]


def test_f_o_044_nothing_is_pruned_for_an_empty_reply():
    """In a host with a prune node nothing leaves the log for such a reply."""
    model = ScriptedChatModel(replies=[AIMessage([{"type": "thinking", "thinking": "...", "signature": "S"}])])
    graph = keeping_host(settings_for(2), models={"summary": model}, saver=InMemorySaver())
    stored = graph.invoke({"messages": LOG}, RUN)["messages"]
    assert stored[:-1] == LOG
    assert model.requests


class Agent(ScriptedChatModel):
    """A model that can be bound to tools, as the agent's is."""

    def bind_tools(self, tools, **options):
        return self.bind(tools=tools, tool_choice="any", response_format={"type": "json_object"}, **options)


@pytest.mark.parametrize("role", ["model", "models"])
def test_f_o_045_tools_of_the_agent_stay_outside(role):
    """A request for a summary carries no tool, no choice and no format; a reply that calls one fails, and nothing is executed."""
    model = Agent(replies=[AIMessage("", tool_calls=[CALL])])
    given_as = {"model": model.bind_tools([TOOL])} if role == "model" else {"models": {"summary": model.bind_tools([TOOL])}}
    graph = keeping_host(settings_for(2, judge_max_messages=0), prune=False, saver=InMemorySaver(), tools=[TOOL], **given_as)
    stored = graph.invoke({"messages": LOG}, RUN)["messages"]
    assert stored[:-1] == LOG
    assert model.requests
    for request in model.requests:
        assert not {"tools", "tool_choice", "parallel_tool_calls", "functions", "response_format"} & set(request.options)
    assert covered(LOG, graph.get_state(RUN).values["contextmode"]) == []


def replied(text):
    return summarised([*questions(1, 8), human("hq", "hq")], model=ScriptedChatModel(replies=[text]), summary_slice_turns=8, window_turns=1)


def test_f_o_046_thoughts_are_no_summary():
    """What stands behind the closed thought is the summary, letter by letter."""
    view = replied("<think>Let me see, eight questions.</think>\nEight short questions were answered.")
    assert summary_of(view.state).text == "Eight short questions were answered."
    assert "Let me see" not in json.dumps(view.state)


@pytest.mark.parametrize("reply", ["<think>", "<think>Let me see", "<thinking>\nso many", "<think>done</think>", "<think>a</think>\n \n"])
def test_f_o_046_a_thought_alone_is_a_failure(reply):
    """A thought that does not end, or after which nothing comes, is no summary."""
    view = replied(reply)
    assert failures(view)
    assert summary_of(view.state).empty


@pytest.mark.parametrize("text", ["The user asked what <think> does in a prompt.", "Tags such as <think> and </think> were explained."])
def test_f_o_046_a_summary_may_talk_about_the_tag(text):
    """The tag in the middle of a sentence is a part of it."""
    log = [human("What do <think> and </think> do?", "h0"), *questions(1, 7), human("hq", "hq")]
    view = summarised(log, model=ScriptedChatModel(replies=[text]), summary_slice_turns=8, window_turns=1)
    assert summary_of(view.state).text == text


@given(st.lists(st.sampled_from(list(FAILS)), min_size=1, max_size=2), st.sampled_from(["", f"<think>{TRACE}", "```\n"]))
def test_unusable_replies_of_any_kind_change_nothing(kinds, prefix):
    """Fewer than three unusable replies in a row, of any kinds, leave summary and watermark of before, and each is reported."""
    state, log = begun(), [*LOG]
    before = state["summary"]
    for number, kind in enumerate(kinds):
        reply = FAILS[kind]
        reply = prefix if isinstance(reply, str) and prefix else reply
        log = [*log, human(f"request {number}", f"hq{number}")]
        view = summarised(log, state=state, model=ScriptedChatModel(replies=[reply]))
        state = view.state
        assert len(failures(view)) == 1
    assert {**state["summary"], "failures": 0, "tried_at": ""} == {**before, "failures": 0, "tried_at": ""}
    assert TRACE not in json.dumps(state)


@given(st.text(max_size=120), st.sampled_from(["", "<think>hm</think>\n", "```\n"]), st.sampled_from(["", "\n```"]))
def test_any_text_is_a_summary_or_a_failure(text, before, after):
    """Any text of a model, wrapped in thoughts or a fence, is a summary or a reported failure, never an error, never an empty summary."""
    view = replied(f"{before}{text}{after}")
    assert bool(failures(view)) == summary_of(view.state).empty
    assert "hm</think>" not in json.dumps(view.state)
    assert ESTIMATE.text(summary_of(view.state).text) <= 2_000

from __future__ import annotations

import asyncio

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from summarising import FORMS, NONE, SMALL, chat, step

from langchain_contextmode._ports import AsyncIO
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.errors import StepError
from langchain_contextmode.preparation import Setup
from langchain_contextmode.steps.intake import intake
from langchain_contextmode.steps.summarize import summarize
from langchain_contextmode.testing import ScriptedChatModel
from langchain_contextmode.tokens import ScriptEstimate

CALL = {"name": "search", "args": {"q": "a"}, "id": "x1", "type": "tool_call"}
NOTES = "## Preferences\n- none\n## Decisions\n- topic0 and topic1 were compared\n## Open items\n- topic2\n## Hard constraints\n- none"
BROKEN = {
    "raises": ConnectionError("RateLimitError 429"),
    "too long": ValueError("context_length_exceeded"),
    "empty": "",
    "only thoughts": AIMessage([{"type": "thinking", "thinking": "...", "signature": "S"}]),
    "unfinished thought": "<think>Let me see",
    "tool call": AIMessage("", tool_calls=[CALL]),
    "text and tool call": AIMessage("All fine.", tool_calls=[CALL]),
    "cut off": AIMessage("The user and the assist", response_metadata={"finish_reason": "length"}),
    "filtered": AIMessage("The user", response_metadata={"stop_reason": "content_filter"}),
    "larger than the source": "## Decisions\n" + "\n".join(f"- topic{n} was discussed at length" for n in range(400)),
    "excuse": "I'm sorry, but I can't help with that request.",
    "excuse in Chinese": "抱歉，我无法完成这个请求。",
}


def grown(messages, more=1):
    return [*messages, *(m for n in range(more) for m in (AIMessage(f"ok {n}", id=f"x{n}"), HumanMessage(f"and {n}", id=f"y{n}")))]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN.keys())
def test_a_round_that_fails_changes_nothing(form, reply):
    """Whatever goes wrong, the old state stands, nothing is covered that was not, the failure is reported, and no error text enters."""
    first = step(chat(9), model=ScriptedChatModel(replies=[NOTES]), form=form)
    assert first.covered_ids
    log = grown(chat(9), 8)
    failed = step(log, first.state, model=ScriptedChatModel(replies=[reply]), form=form)
    assert {**failed.state, "failures": 0, "tried_at": ""} == {**first.state, "tried_at": ""}
    assert failed.covered_ids == first.covered_ids
    assert failed.state["failures"] == 1
    assert failed.io.degradations[0]["step"] == "summarize"
    assert "nothing was removed" in failed.io.degradations[0]["why"]
    assert "429" not in str(failed.state)
    assert failed.proposals == ()


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_that_was_cut_off_is_asked_for_once_more(form):
    """A model that runs in circles is asked otherwise, once; what was cut off never enters, and two such replies are a failure."""
    cut = AIMessage("The user wants. The user wants.", response_metadata={"finish_reason": "length"})
    model = ScriptedChatModel(replies=[cut, NOTES])
    done = step(chat(9), model=model, form=form)
    assert "topic0 and topic1 were compared" in str(done.state)
    assert "The user wants." not in str(done.state)
    assert [request.options["temperature"] for request in model.requests[:2]] == [0, 0.3]
    never = ScriptedChatModel(replies=[cut])
    assert step(chat(9), model=never, form=form).summary.failures == 1
    assert len(never.requests) == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_is_too_slow_changes_nothing(form):
    """A call over its time limit is a failure like any other."""
    model = ScriptedChatModel(replies=[NOTES], seconds=0.3)
    done = step(chat(9), model=model, form=form, call_timeout_seconds=0.05)
    assert done.summary.empty
    assert done.summary.failures == 1


@pytest.mark.parametrize("form", FORMS)
def test_the_next_turn_tries_again_and_this_one_does_not(form):
    """A failed round is not repeated in its turn; the next turn asks again, and success clears the count."""
    model = ScriptedChatModel(replies=[ConnectionError("down"), NOTES])
    failed = step(chat(5), model=model, form=form)
    same = step(chat(5), failed.state, model=model, form=form)
    assert len(model.requests) == 1
    assert same.state == failed.state
    done = step(grown(chat(5)), failed.state, model=model, form=form)
    assert len(model.requests) == 2
    assert done.summary.failures == 0
    assert "h0" in done.covered_ids


def test_a_model_that_stays_broken_is_replaced():
    """After three failures in a row the local summariser takes the slices, says so, and the model is asked once a round from then on."""
    model = ScriptedChatModel(replies=[ConnectionError("down")])
    done, log = step(chat(9, {0: ("My code is QX-77", "ok")}), model=model), chat(9, {0: ("My code is QX-77", "ok")})
    for _ in range(2):
        assert done.covered_ids == []
        log = grown(log)
        done = step(log, done.state, model=model)
    assert len(model.requests) == 3
    assert "QX-77" in "".join(done.details)
    assert any("local summariser" in note["text"] for note in done.io.notes)
    later = step(grown(chat(9, {0: ("My code is QX-77", "ok")}), 9), done.state, model=model)
    assert len(model.requests) == 4
    assert len(later.covered_ids) > len(done.covered_ids)


def test_a_failure_can_be_made_hard():
    """With on_error="raise" a failed round raises StepError."""
    with pytest.raises(StepError, match="nothing was removed"):
        step(chat(9), model=ScriptedChatModel(replies=[""]), on_error="raise")


@pytest.mark.parametrize("form", FORMS)
def test_a_failure_in_a_later_request_undoes_the_earlier_ones(form):
    """Where a slice takes several requests, all of them succeed or none counts."""
    said = {n: (f"Read this {n}: " + f"part{n} " * 400, "read") for n in range(6)}
    model = ScriptedChatModel(replies=[NONE, NONE, ConnectionError("down")])
    done = step(chat(6, said), model=model, form=form, summary_window_tokens=2_000)
    assert len(model.requests) == 3
    assert done.summary.empty
    assert done.covered_ids == []


def test_the_models_sections_are_the_summary():
    """A good reply becomes the four sections; its statements name the first and the last message they stand on."""
    done = step(chat(9), model=ScriptedChatModel(replies=[NOTES]))
    assert done.lines("decisions") == ["topic0 and topic1 were compared"]
    assert done.lines("open") == ["topic2"]
    line = done.summary.lines("decisions")[0]
    assert line.origin == "model"
    assert line.message_ids == (done.covered_ids[0], done.covered_ids[3 * 2 + 1])


def test_a_text_without_headings_stands_as_it_is():
    """A reply in prose is kept letter by letter, without the thought in front of it."""
    model = ScriptedChatModel(replies=["<think>Let me see.</think>\nEight short topics were named."])
    done = step(chat(5), model=model)
    assert done.summary.text == "Eight short topics were named."


def test_each_message_is_summarised_once():
    """The next round's request holds the notes so far and the new slice, and nothing of the old one."""
    model = ScriptedChatModel(replies=[NOTES])
    first = step(chat(5), model=model)
    step(chat(12), first.state, model=model, summary_max_calls=1)
    assert "topic0 and topic1 were compared" in model.requests[1].text
    assert "about topic0" in model.requests[0].text
    assert "about topic0" not in model.requests[1].text
    assert "about topic4" in model.requests[1].text


def test_calls_in_one_turn_are_limited():
    """No more requests than summary_max_calls go out in a turn; the rest of the slices waits for the next one."""
    model = ScriptedChatModel(replies=[NONE])
    done = step(chat(40), model=model, summary_max_calls=2)
    assert len(model.requests) == 2
    assert len(done.covered_ids) == 2 * 2 * 4
    assert "2 requests" in done.io.notes[0]["text"]
    later = step(grown(chat(40)), done.state, model=model, summary_max_calls=2)
    assert len(model.requests) == 4
    assert len(later.covered_ids) == 4 * 2 * 4


def test_internal_calls_are_sealed():
    """The request is one human message without tools or a response format, at temperature 0, with a reply limit."""
    model = ScriptedChatModel(replies=[NONE])
    done = step(chat(9), model=model)
    request = model.requests[0]
    assert [message.type for message in request.messages] == ["human"]
    assert not {"tools", "tool_choice", "response_format"} & request.options.keys()
    assert request.options["temperature"] == 0
    assert request.options["max_tokens"] > 0
    assert done.io.calls[0]["name"] == "contextmode_summarize"
    assert done.io.calls[0]["role"] == "summary"


def test_a_window_too_small_for_the_instructions_needs_no_model():
    """Where instructions and notes fill the model's window, the slices are copied instead, and the report says why."""
    model = ScriptedChatModel(replies=[NONE])
    done = step(chat(9), model=model, summary_window_tokens=300)
    assert model.requests == []
    assert done.covered_ids
    assert "too small" in done.io.notes[0]["text"]


def test_the_models_own_window_is_respected():
    """Without a setting the profile of the summarising model says how much a request may hold."""
    said = {n: (f"Read this {n}: " + f"part{n} " * 400, "read") for n in range(6)}
    model = ScriptedChatModel(replies=[NONE], profile={"max_input_tokens": 2_000})
    step(chat(6, said), model=model)
    assert len(model.requests) > 1
    assert all(ScriptEstimate().text(request.text) <= 2_000 for request in model.requests)


def test_messages_without_text_are_covered_without_a_request():
    """Turns that say nothing readable are no transcript: no request is made, and nothing breaks."""
    log = [HumanMessage([{"type": "opaque", "data": "x" * 400}], id=f"h{n}") for n in range(6)]
    model = ScriptedChatModel(replies=[NONE])
    done = step([*log, HumanMessage("Go", id="q")], model=model, summarize_above_tokens=0)
    assert model.requests == []
    assert done.covered_ids == ["h0", "h1", "h2", "h3"]
    assert step([*log, HumanMessage("Go", id="q")], summarize_above_tokens=0).covered_ids == done.covered_ids


async def test_a_cancelled_round_leaves_nothing():
    """Cancelling the turn in the middle of a request is passed on, and the next attempt from the old state works."""
    config = ContextConfig(**SMALL)
    model = ScriptedChatModel(replies=[NOTES], seconds=5)
    io = AsyncIO(config, models={"summary": model})
    setup = Setup(config, ScriptEstimate(), None)
    taken = await intake(io, setup, chat(5), {})
    task = asyncio.ensure_future(summarize(io, setup, taken, {}, ()))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(model.requests) == 1
    model.seconds = 0
    assert (await summarize(AsyncIO(config, models={"summary": model}), setup, taken, {}, ())).covered


def test_the_log_and_the_old_state_are_not_modified():
    """The step reads; what it is given is the same afterwards."""
    log, state = chat(9), step(chat(5)).state
    before = [message.model_dump() for message in log], repr(state)
    step(log, state, model=ScriptedChatModel(replies=[NOTES]))
    assert ([message.model_dump() for message in log], repr(state)) == before


def test_nothing_due_costs_nothing():
    """Without a due slice no model is asked and the state comes back as it was."""
    model = ScriptedChatModel(replies=[NOTES])
    state = step(chat(5), model=model).state
    again = step(grown(chat(5)), state, model=model, summarize_above_tokens=8_000)
    assert len(model.requests) == 1
    assert again.state == state
    assert step(chat(1)).state == {}


def test_the_same_input_gives_the_same_summary():
    """Both forms and repeated runs give the same state."""
    states = [step(chat(30), model=ScriptedChatModel(replies=[NOTES]), form=form).state for form in (*FORMS, *FORMS)]
    assert all(state == states[0] for state in states)

"""A summary that fails costs nothing: log, summary and state are those of before, and the view is made by rule."""

from __future__ import annotations

import asyncio
import json

import pytest
from casework import ESTIMATE, RUN, SCOPE, exchanges, human, system
from hostwork import keeping_host
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field
from summarywork import (
    FAILS,
    HEADED,
    REPLIES,
    TRACE,
    BreaksOff,
    check,
    covered,
    failures,
    questions,
    settings_for,
    summarised,
    summary_of,
    text_of_view,
)
from validity import violations

from langchain_contextmode import ContextConfig, StepError, prepare_context
from langchain_contextmode.prune import prune
from langchain_contextmode.testing import ScriptedChatModel

WORKS = HEADED.replace("Decisions\n- none", "Decisions\n- question 1 was answered with reply 1")


def ids_of(messages):
    return [message.id for message in messages]


@pytest.mark.parametrize("how", FAILS)
def test_f_o_039_a_failed_summary_removes_nothing(how):
    """After a failure the log is that of before and the answer, nothing stored quotes the failure, and the next turn tries again."""
    model, answerer = ScriptedChatModel(replies=[FAILS[how]]), ScriptedChatModel(replies=["visible answer"])
    saver = InMemorySaver()
    graph = keeping_host(settings_for(3, view_tokens=120), models={"summary": model}, saver=saver, answerer=answerer)
    log = [*questions(1, 12), human("final question", "hq")]
    updates = [part for part in graph.stream({"messages": log}, RUN, stream_mode="updates") if "prune" in part]
    assert "messages" not in (updates[0]["prune"] or {})
    stored = graph.get_state(RUN).values
    assert ids_of(stored["messages"])[:-1] == ids_of(log)
    assert stored["messages"][-1].text == "visible answer"
    kept = json.dumps([stored["contextmode"], [m.model_dump() for m in stored["messages"]]])
    assert not [word for word in ("Error 429", "RateLimitError", TRACE) if word in kept]
    assert [m.content for m in answerer.requests[0].messages][-1] == "final question"
    assert violations(answerer.requests[0].messages) == []
    assert ESTIMATE(answerer.requests[0].messages) <= 120
    asked = len(model.requests)
    graph.invoke({"messages": [human("one more", "hq2")]}, RUN)
    assert len(model.requests) > asked > 0


def test_f_o_041_a_stream_that_breaks_off_leaves_no_fragment():
    """What a model had said when its connection broke is in no state and in no view, and the history is whole."""
    fragment = "The user and the assist"
    model, answerer = BreaksOff(part=fragment), ScriptedChatModel(replies=["visible answer"])
    graph = keeping_host(settings_for(2, view_tokens=120), models={"summary": model}, saver=InMemorySaver(), answerer=answerer)
    log = [*questions(1, 10), human("go on", "hq")]
    parts = list(graph.stream({"messages": log}, RUN, stream_mode="messages"))
    assert [m.text for m, _ in parts] == ["visible answer"]
    assert model.requests
    stored = graph.get_state(RUN).values
    assert ids_of(stored["messages"])[:-1] == ids_of(log)
    assert fragment not in json.dumps([stored["contextmode"], [m.model_dump() for m in stored["messages"]]])
    assert fragment not in str(answerer.requests[0].messages)


def test_f_o_042_summarise_and_prune_on_demand_fails_whole():
    """On demand, too, nothing is removed before the summary stands; the error says so, and a second call works."""
    log = questions(1, 30)
    model = ScriptedChatModel(replies=[FAILS["refuses the length"], FAILS["refuses the length"], WORKS])
    strict = settings_for(2, on_error="raise")
    for _ in range(2):
        with pytest.raises(StepError, match="nothing was removed"):
            prepare_context(log, scope=SCOPE, config=strict, models={"summary": model}, token_counter=ESTIMATE)
    assert prune(log, None, keep_turns=1).removals == []
    view = prepare_context(log, scope=SCOPE, config=strict, models={"summary": model}, token_counter=ESTIMATE)
    gone = [removal.id for removal in prune(log, view.state, keep_turns=1).removals]
    assert gone
    assert gone == covered(log, view.state)[: len(gone)]


def test_f_o_042_a_soft_failure_leaves_the_prune_node_nothing():
    """Without `raise` the report says that nothing was removed, and pruning with that state removes nothing."""
    log = questions(1, 30)
    view = summarised(log, model=ScriptedChatModel(replies=[FAILS["refuses the length"]]))
    assert "nothing was removed" in failures(view)[0]
    assert prune(log, view.state, keep_turns=1).removals == []
    after = summarised([*log, human("again", "hq")], model=ScriptedChatModel(replies=[WORKS]), state=view.state)
    assert prune([*log, human("again", "hq")], after.state, keep_turns=1).removals


@pytest.mark.parametrize("words", [1, 60])
def test_f_o_043_without_any_helper_the_view_is_made_by_rule(words):
    """Judge and summariser both down: 300 tokens by rule, system, pinned and request verbatim, few calls, all of it in the report."""
    judge = ScriptedChatModel(replies=[ConnectionError("relevance call")])
    writer = ScriptedChatModel(replies=[ConnectionError("summary call")])
    pinned = human("Use metric units", "hp", pinned=True)
    log = [system("Be brief.", "s1"), pinned, *exchanges(1, 60, "question {n} " * words, "reply {n} " * words), human("hq", "hq")]
    config = settings_for(2, view_tokens=300, keep_score=10, compress_score=0)
    models = {"filter": judge, "summary": writer}
    view = prepare_context(log, scope=SCOPE, config=config, models=models, token_counter=ESTIMATE)
    check(view, view_tokens=300)
    assert view.messages[0] == log[0]
    assert pinned in view.messages
    assert view.messages[-1] == log[-1]
    asked = {"summarize"} | ({"filter"} if words > 1 else set())  # one word a message is not worth a judge
    assert {item["step"] for item in view.report["degraded"]} == asked
    sent = {m.id for m in view.messages}
    left_out = [identity for identity, decision in view.decisions.items() if decision.form not in {"verbatim", "shortened"}]
    assert left_out == [m.id for m in log if m.id not in sent]
    assert len(judge.requests) <= 2 * config.judge_max_messages
    assert len(writer.requests) == 1
    assert prune(log, view.state, keep_turns=1).removals == []


class Announces(ScriptedChatModel):
    """A model that says when it was first asked."""

    begun: asyncio.Event = Field(default_factory=asyncio.Event)

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        self.begun.set()
        return await super()._agenerate(messages, stop, run_manager, **kwargs)


async def test_a_run_that_is_cancelled_in_a_summary_loses_nothing():
    """Cancelled while the summariser speaks, the thread holds its log and no summary; the next turn summarises and answers."""
    model = Announces(replies=[WORKS], seconds=5)
    graph = keeping_host(settings_for(2, view_tokens=120), models={"summary": model}, saver=InMemorySaver())
    log = [*questions(1, 10), human("go on", "hq")]
    run = asyncio.create_task(graph.ainvoke({"messages": log}, RUN))
    await asyncio.wait_for(model.begun.wait(), 10)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    stored = graph.get_state(RUN).values
    assert stored["messages"] == log
    assert not stored.get("contextmode")
    model.seconds = 0
    after = await graph.ainvoke({"messages": [human("again", "hq2")]}, RUN)
    assert after["messages"][-1].text == "visible answer"
    assert "question 1 was answered" in json.dumps(graph.get_state(RUN).values["contextmode"]["summary"])


@pytest.mark.parametrize("kind", FAILS)
def test_only_the_count_of_failures_changes(kind):
    """A failed round leaves summary, details, watermark and pins as they were; only the count and the turn that tried differ."""
    log = [*questions(1, 4), human("now?", "h5")]
    before = summarised(log, model=ScriptedChatModel(replies=[WORKS])).state["summary"]
    grown = [*log, *questions(6, 9), human("and now?", "h10")]
    view = summarised(grown, state={"summary": before}, model=ScriptedChatModel(replies=[FAILS[kind]]))
    after = view.state["summary"]
    assert (after["failures"], after["tried_at"]) == (1, "h10")
    assert {**after, "failures": before["failures"], "tried_at": before["tried_at"]} == before
    assert TRACE not in text_of_view(view)


def test_a_model_that_never_works_is_replaced_by_copying():
    """After three failed rounds the local summariser takes the turns, so that a broken model does not let the log grow for ever."""
    model, state, log = ScriptedChatModel(replies=[FAILS["raises"]]), None, []
    for turn in range(5):
        log = [*log, *questions(10 * turn, 10 * turn + 5)]
        view = summarised([*log, human("now?", f"hq{turn}")], state=state, model=model)
        state = view.state
        assert bool(covered(log, state)) == (turn >= 2)
        assert TRACE not in json.dumps(state)
    assert len(model.requests) <= 5


@given(st.lists(REPLIES, min_size=1, max_size=5), st.sampled_from([None, 150, 400]), st.booleans())
def test_no_reply_loses_a_message(replies, view_tokens, pruned):
    """Whatever a model replies over five turns: each message is in the log, or was covered by a summary that stands."""
    model, state, log, gone = ScriptedChatModel(replies=replies), {}, [], []
    for turn in range(5):
        log = [*log, *questions(10 * turn, 10 * turn + 4), human(f"request {turn}", f"hq{turn}")]
        before = covered(log, state)
        view = summarised(log, state=state, model=model, view_tokens=view_tokens)
        now = covered(log, view.state)
        assert now[: len(before)] == before
        if failures(view):
            assert summary_of(view.state).slices == summary_of(state).slices or summary_of(view.state).failures >= 3
        assert set(view.decisions) == {m.id for m in log}
        state = view.state
        if pruned:
            out = prune(log, state, keep_turns=1)
            removed = [removal.id for removal in out.removals]
            assert set(removed) <= set(now)
            log, state, gone = [m for m in log if m.id not in removed], out.state, [*gone, *removed]
        assert TRACE not in json.dumps(state)
    everything = {m.id for turn in range(5) for m in (*questions(10 * turn, 10 * turn + 4), human("", f"hq{turn}"))}
    assert {m.id for m in log} | set(gone) == everything
    assert len(gone) == len(set(gone))


@given(st.sampled_from(list(FAILS)), st.integers(60, 400))
def test_any_failure_still_gives_a_view(kind, view_tokens):
    """At any budget a failing summariser changes nothing about the view but the summary in it."""
    log = [*questions(1, 20), human("hq", "hq")]
    broken = summarised(log, model=ScriptedChatModel(replies=[FAILS[kind]]), view_tokens=view_tokens)
    config = ContextConfig(protect_messages=2, view_tokens=view_tokens, summarize_above_tokens=None)
    plain = prepare_context(log, scope=SCOPE, config=config, token_counter=ESTIMATE)
    assert broken.messages == plain.messages

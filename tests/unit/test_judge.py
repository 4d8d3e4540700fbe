from __future__ import annotations

import asyncio
import json
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.errors import StepError
from langchain_contextmode.parsing import parse
from langchain_contextmode.protocols import Request
from langchain_contextmode.relevance.items import items_of
from langchain_contextmode.relevance.judge import judge
from langchain_contextmode.testing import ScriptedChatModel, yes_no

FORMS = [BlockingIO, AsyncIO]
REQUEST = Request("What is the budget?", ("Hello.", "Hi."))


def conversation(count):
    kinds = (HumanMessage, AIMessage)
    return parse([kinds[n % 2](f"text number {n}", id=f"id{n}") for n in range(count)]).blocks


def verdicts(model, count=3, *, form=BlockingIO, reading="list", worth=None, **settings):
    io = form(ContextConfig(**settings), models={"filter": model}, embeddings=None, run_config=None)
    log = conversation(count)
    more = {"worth": worth} if worth else {}
    step = judge(io, REQUEST, items_of(log, range(count)), role="filter", reading=reading, **more)
    return (finish(step) if form is BlockingIO else asyncio.run(step)), io


def labels_in(prompt):
    return re.findall(r"^(m\d+) \| ", prompt, re.MULTILINE)


def score_by_number(request):
    """Reply with the number in each item's text as its score."""
    found = re.findall(r"^(m\d+) \| .*text number (\d+)", request.text, re.MULTILINE)
    return json.dumps([{"id": label, "score": int(number) % 11, "action": "drop", "reason": f"is {number}"} for label, number in found])


def assert_kept(verdict):
    assert (verdict.action, verdict.decided_by) == ("keep", "failure")
    assert verdict.score >= ContextConfig().keep_score


@pytest.mark.parametrize("form", FORMS)
def test_every_item_gets_its_own_verdict(form):
    """Verdicts come in the order of the items over all batches, scores decide and not the action claimed."""
    model = ScriptedChatModel(replies=score_by_number)
    found, io = verdicts(model, 30, form=form)
    assert [verdict.score for verdict in found] == [n % 11 for n in range(30)]
    assert {verdict.action for verdict in found} == {None}
    assert {verdict.decided_by for verdict in found} == {"model"}
    assert found[4].reason == "is 4"
    assert sorted(len(labels_in(request.text)) for request in model.requests) == [6, 12, 12]
    assert not io.degradations


def test_the_reply_limit_follows_the_batch():
    """A longer batch gets a higher reply limit; every call has temperature 0 and a name for tracing."""
    model = ScriptedChatModel(replies=score_by_number)
    _, io = verdicts(model, 15, max_concurrency=1)
    limits = [request.options["max_tokens"] for request in model.requests]
    assert limits[0] > limits[1] > 0
    assert {request.options["temperature"] for request in model.requests} == {0}
    assert {record["name"] for record in io.calls} == {"contextmode_judge_list"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reading", ["list", "single", "pick"])
@pytest.mark.parametrize(
    "reply", ["garbage", "", "<think>", ConnectionError("down"), "[" * 50_000], ids=["garbage", "empty", "thought", "raises", "huge"]
)
def test_a_judge_that_fails_loses_nothing(form, reading, reply):
    """Garbage twice, an error, or a huge reply: every item is kept by failure, and the report says so once."""
    model = ScriptedChatModel(replies=[reply])
    found, io = verdicts(model, 3, form=form, reading=reading)
    for verdict in found:
        assert_kept(verdict)
    assert len(io.degradations) == 1
    assert io.degradations[0]["step"] == "filter"
    tries = 1 if isinstance(reply, ConnectionError) else 2
    assert len(model.requests) == tries * (3 if reading == "single" else 1)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reading", ["list", "single", "pick"])
def test_a_judge_that_hangs_or_is_late_loses_nothing(form, reading):
    """A judge slower than the limit keeps everything; its late answer changes nothing."""
    model = ScriptedChatModel(replies=score_by_number, seconds=0.3)
    found, io = verdicts(model, 3, form=form, reading=reading, call_timeout_seconds=0.05)
    for verdict in found:
        assert_kept(verdict)
    assert "time limit" in io.degradations[0]["why"]


def test_a_failure_can_be_made_hard():
    """With on_error="raise" a judge that fails raises StepError."""
    with pytest.raises(StepError, match="judge"):
        verdicts(ScriptedChatModel(replies=["garbage"]), on_error="raise")


def test_one_failed_batch_leaves_the_others_alone():
    """Only the items of the failed call are kept by failure."""

    def reply(request):
        return ConnectionError("down") if "number 13" in request.text else score_by_number(request)

    found, io = verdicts(ScriptedChatModel(replies=reply), 30)
    assert [verdict.decided_by for verdict in found] == ["model"] * 12 + ["failure"] * 12 + ["model"] * 6
    assert "1 of 3" in io.degradations[0]["why"]


@pytest.mark.parametrize(
    "flawed",
    ['{"m1": 2}', '{"m1": 2, "m2": 85, "m3": 1}', '{"m1": 2, "m2": 3, "m3": 4, "m9": 1}', '[{"id":"m1","score":2},{"id":"m1","score":2}]'],
    ids=["missing", "out of range", "unknown", "doubled"],
)
def test_a_flawed_reply_is_asked_for_once_more(flawed):
    """Missing, unknown, doubled or out-of-range entries cost one more call, and a whole second reply settles it."""
    model = ScriptedChatModel(replies=[flawed, '{"m1": 2, "m2": 3, "m3": 4}'])
    found, io = verdicts(model)
    assert len(model.requests) == 2
    assert model.requests[0].text == model.requests[1].text
    assert [verdict.score for verdict in found] == [2, 3, 4]
    assert not io.notes


def test_what_stays_missing_is_kept():
    """After two incomplete replies valid verdicts stand, the rest is kept by failure, and a note names what was wrong."""
    model = ScriptedChatModel(replies=['{"m1": 2, "m7": 0}', '{"m1": 2, "m3": 9, "m7": 0}'])
    found, io = verdicts(model)
    assert (found[0].score, found[0].decided_by) == (2, "model")
    assert (found[2].score, found[2].decided_by) == (9, "model")
    assert_kept(found[1])
    assert "unknown: m7" in io.notes[0]["text"]
    assert "missing: m2" in io.notes[0]["text"]


def test_two_replies_that_differ_give_the_more_careful_verdict():
    """Where both tries have a verdict, the one that keeps more stands."""
    found, _ = verdicts(ScriptedChatModel(replies=['{"m1": 9, "m2": 1}', '{"m1": 2, "m2": 5, "m3": 3}']))
    assert [verdict.score for verdict in found] == [9, 5, 3]


def test_a_second_call_that_fails_does_not_cost_the_first():
    """Verdicts of an incomplete reply stand if the second call raises."""
    found, _ = verdicts(ScriptedChatModel(replies=['{"m1": 2}', ConnectionError("x"), ConnectionError("x")]))
    assert found[0].score == 2
    assert_kept(found[1])


def test_an_action_without_a_score_counts_as_its_action():
    """Named actions are kept as such, with a score on the right side of the thresholds."""
    config = ContextConfig()
    found, _ = verdicts(ScriptedChatModel(replies=['{"m1": "keep", "m2": "compress", "m3": "drop"}']))
    assert [verdict.action for verdict in found] == ["keep", "compress", "drop"]
    assert found[0].score >= config.keep_score > found[1].score >= config.compress_score > found[2].score


@pytest.mark.parametrize("form", FORMS)
def test_single_scores_are_probabilities(form):
    """Reading `single` asks once per item for log probabilities, and ten times the probability of a yes is the score."""
    model = ScriptedChatModel(replies=lambda request: yes_no(0.84 if "number 1" in request.text else 0.02))
    found, _ = verdicts(model, 3, form=form, reading="single")
    assert [verdict.score for verdict in found] == [0, 8, 0]
    assert found[1].value == pytest.approx(8.4)
    assert all(request.options["logprobs"] is True and request.options["top_logprobs"] > 1 for request in model.requests)
    assert len(model.requests) == 3


def test_single_reads_words_where_there_are_no_probabilities():
    """A model without log probabilities is read by its yes or no."""
    model = ScriptedChatModel(replies=lambda request: "Yes." if "number 1" in request.text else "No")
    found, _ = verdicts(model, 3, reading="single")
    config = ContextConfig()
    assert found[1].score >= config.keep_score
    assert found[0].score < config.compress_score


def test_a_model_that_refuses_logprobs_is_read_by_its_words():
    """Refused options are left out, and the answer is read from the text."""

    def reply(request):
        return ValueError("logprobs is not supported") if "logprobs" in request.options else "Yes"

    model = ScriptedChatModel(replies=reply)
    found, io = verdicts(model, 2, reading="single", max_concurrency=1)
    assert [verdict.decided_by for verdict in found] == ["model", "model"]
    assert len(model.requests) == 3
    assert not io.degradations


def test_picks_are_kept_and_the_others_compressed():
    """Reading `pick` keeps what was picked; the others are compressed, never dropped; invalid numbers count for nothing."""
    found, _ = verdicts(ScriptedChatModel(replies=['["m2", "m99"]']), 3, reading="pick")
    assert [verdict.action for verdict in found] == ["compress", "keep", "compress"]
    assert {verdict.decided_by for verdict in found} == {"model"}


def test_calls_that_are_not_worth_it_are_not_made():
    """A call that `worth` refuses is not made, and its items have no verdict."""
    model = ScriptedChatModel(replies=score_by_number)
    found, _ = verdicts(model, 15, worth=lambda call: len(call.items) == 12)
    assert [verdict is None for verdict in found] == [False] * 12 + [True] * 3
    assert len(model.requests) == 1


def test_nothing_to_judge_is_no_call():
    """Without items no model is asked."""
    model = ScriptedChatModel()
    assert verdicts(model, 0)[0] == []
    assert not model.requests


SAID = ['{"m1": 3}', '[{"id":"m2","score":"9/10"}]', "m3: drop", "Yes", "m2"]


@settings(max_examples=25)
@given(st.lists(st.text(max_size=60) | st.sampled_from(SAID), min_size=1, max_size=4))
def test_sync_and_async_read_alike(said):
    """Whatever the replies, each item gets a verdict, and blocking and awaiting give the same."""

    def script():
        tries = Counter()

        def reply(request):
            tries[request.text] += 1
            return said[(tries[request.text] + len(request.text)) % len(said)]

        return ScriptedChatModel(replies=reply)

    for reading in ("list", "single", "pick"):
        blocking, awaiting = (verdicts(script(), 3, form=form, reading=reading)[0] for form in FORMS)
        assert blocking == awaiting
        assert len(blocking) == 3
        for verdict in blocking:
            assert verdict.decided_by in {"model", "failure"}
            assert verdict.decided_by == "model" or verdict.action == "keep"
            assert 0 <= verdict.score <= 10

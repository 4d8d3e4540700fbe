from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.parsing import parse
from langchain_contextmode.protocols import Request
from langchain_contextmode.relevance.cascade import CascadeScorer
from langchain_contextmode.schema import Verdict
from langchain_contextmode.testing import ScriptedChatModel

FORMS = [BlockingIO, AsyncIO]
REQUEST = Request("What is the budget?")
LONG = "a long account of the journey and its many stops " * 20


class ScriptedScorer:
    """Gives each candidate the value that stands for it."""

    def __init__(self, values):
        """Keep the values, one per block."""
        self.values = values

    async def score(self, _io, _request, _log, candidates):
        """Return one local verdict per candidate."""
        return [Verdict(int(self.values[i]), float(self.values[i]), "local") for i in candidates]


def conversation(count, text=LONG):
    kinds = (HumanMessage, AIMessage)
    return parse([kinds[n % 2](f"block {n}: {text}", id=f"id{n}") for n in range(count)]).blocks


def numbers(request):
    """Block numbers a request asks about, by label."""
    return {label: int(number) for label, number in re.findall(r"^(m\d+) \| .*?block (\d+)", request.text, re.MULTILINE)}


def all_score(score):
    return lambda request: json.dumps([{"id": label, "score": score, "reason": "judged"} for label in numbers(request)])


def asked(model):
    return [number for request in model.requests for number in numbers(request).values()]


def score(values, *, coarse=None, fine=None, form=BlockingIO, log=None, candidates=None, **settings):
    models = {role: model for role, model in (("filter", coarse), ("filter_fine", fine)) if model}
    io = form(ContextConfig(**settings), models=models, embeddings=None, run_config=None)
    log = log or conversation(len(values))
    step = CascadeScorer(ScriptedScorer(values)).score(io, REQUEST, log, candidates if candidates is not None else range(len(values)))
    return (finish(step) if form is BlockingIO else asyncio.run(step)), io


def test_without_a_model_the_local_scorer_decides():
    """Without models, and with a ceiling of 0, local verdicts are returned as they are."""
    values = [0.0, 5.5, 7.5, 10.0]
    local = [Verdict(int(v), v, "local") for v in values]
    assert score(values)[0] == local
    model = ScriptedChatModel(replies=all_score(10))
    assert score(values, coarse=model, judge_max_messages=0)[0] == local
    assert not model.requests


@pytest.mark.parametrize("form", FORMS)
def test_only_the_undecided_middle_is_judged(form):
    """What the local scorer is sure of stays; what lies around the thresholds gets the model's verdict."""
    values = [0.0, 2.0, *[7.0] * 12, 9.5, 10.0]
    model = ScriptedChatModel(replies=all_score(9))
    found, _ = score(values, coarse=model, form=form)
    assert sorted(asked(model)) == list(range(2, 14))
    assert [verdict.decided_by for verdict in found] == ["local"] * 2 + ["model"] * 12 + ["local"] * 2
    assert {verdict.score for verdict in found[2:14]} == {9}


def test_candidates_need_not_be_everything():
    """Verdicts answer the candidates, in their order, and only they are judged."""
    model = ScriptedChatModel(replies=all_score(9))
    found, _ = score([7.0] * 20, coarse=model, candidates=range(4, 16))
    assert len(found) == 12
    assert sorted(asked(model)) == list(range(4, 16))


@given(st.integers(0, 60), st.integers(0, 40), st.booleans())
def test_judged_items_have_a_ceiling(count, ceiling, two):
    """However long the history, models judge at most judge_max_messages items a turn, both roles together."""
    coarse, fine = ScriptedChatModel(replies=all_score(7)), ScriptedChatModel(replies=all_score(9))
    found, _ = score([7.0] * count, coarse=coarse, fine=fine if two else None, judge_max_messages=ceiling)
    assert len(asked(coarse)) + len(asked(fine)) <= ceiling
    assert len(found) == count


def test_the_most_doubtful_are_judged_first():
    """Under a ceiling, the items nearest to the thresholds go to the model."""
    values = [4.0] * 10 + [7.0] * 12 + [8.9] * 10
    model = ScriptedChatModel(replies=all_score(1))
    score(values, coarse=model, judge_max_messages=12)
    assert sorted(asked(model)) == list(range(10, 22))


def test_the_fine_model_judges_what_is_still_open():
    """The better model is asked about what the cheap one left between the thresholds or failed on, and its verdict wins."""

    def cheap(request):
        return json.dumps([{"id": label, "score": 7 if number % 2 else 1} for label, number in numbers(request).items()])

    coarse, fine = ScriptedChatModel(replies=cheap), ScriptedChatModel(replies=all_score(10))
    found, _ = score([7.0] * 24, coarse=coarse, fine=fine, judge_max_messages=48)
    assert len(asked(coarse)) == 24
    assert sorted(asked(fine)) == [n for n in range(24) if n % 2]
    assert [verdict.score for verdict in found] == [10 if n % 2 else 1 for n in range(24)]


def test_room_is_left_for_the_fine_model():
    """With both models the cheap one does not use the whole ceiling."""
    coarse, fine = ScriptedChatModel(replies=all_score(7)), ScriptedChatModel(replies=all_score(10))
    score([7.0] * 60, coarse=coarse, fine=fine, judge_max_messages=48)
    assert len(asked(coarse)) == 36
    assert len(asked(fine)) == 12


def test_a_fine_model_alone_judges_the_middle():
    """If only filter_fine was given, it judges the undecided middle."""
    fine = ScriptedChatModel(replies=all_score(2))
    found, _ = score([7.0] * 12, fine=fine)
    assert {verdict.decided_by for verdict in found} == {"model"}


def test_a_fine_model_that_fails_leaves_the_first_verdict():
    """A second opinion that fails does not undo the first one; what both failed on is kept."""
    coarse, fine = ScriptedChatModel(replies=all_score(7)), ScriptedChatModel(replies=["garbage"])
    found, io = score([7.0] * 12, coarse=coarse, fine=fine)
    assert {(verdict.score, verdict.decided_by) for verdict in found} == {(7, "model")}
    assert io.degradations
    found, _ = score([7.0] * 12, coarse=ScriptedChatModel(replies=["?"]), fine=ScriptedChatModel(replies=["?"]))
    assert {(verdict.action, verdict.decided_by) for verdict in found} == {("keep", "failure")}


def test_a_call_that_cannot_pay_is_not_made():
    """Short messages that cost more to judge than they could free are not judged, and a note says so."""
    model = ScriptedChatModel(replies=all_score(0))
    found, io = score([7.0] * 12, coarse=model, log=conversation(12, "short"))
    assert not model.requests
    assert {verdict.decided_by for verdict in found} == {"local"}
    assert "12" in io.notes[0]["text"]
    assert "cost more tokens" in io.notes[0]["text"]


def test_equal_scores_keep_the_local_order():
    """Among equal model scores the local value orders, without changing what the score says."""
    found, _ = score([6.0 + n / 10 for n in range(12)], coarse=ScriptedChatModel(replies=all_score(8)))
    values = [verdict.value for verdict in found]
    assert values == sorted(set(values))
    assert {round(value) for value in values} == {8}


def test_a_group_is_judged_once_and_as_one():
    """Blocks of one group are one item of one call and all get its verdict."""
    extra = {"contextmode": {"topic": "hotel", "time": "2026-05-01T10:00:00+00:00"}}
    messages = [HumanMessage(f"block {n}: {LONG}", id=f"id{n}", additional_kwargs=extra if n < 3 else {}) for n in range(12)]
    log = parse(messages).blocks
    assert log[2].group == 0
    model = ScriptedChatModel(replies=all_score(9))
    found, _ = score([0.0, 0.0, 7.0, *[7.0] * 9], coarse=model, log=log)
    assert len(asked(model)) == 10
    assert {verdict.score for verdict in found} == {9}


@given(
    st.lists(st.floats(0, 10), max_size=30),
    st.sampled_from(["list", "single", "pick"]),
    st.sampled_from(["garbage", "m1: keep", '{"m1": 3}', "Yes"]),
)
def test_sync_and_async_decide_alike(values, reading, reply):
    """Whatever the local values and the replies, blocking and awaiting give the same verdict for every candidate."""
    both = [score(values, coarse=ScriptedChatModel(replies=[reply]), form=form, judge_reading=reading)[0] for form in FORMS]
    assert both[0] == both[1]
    assert len(both[0]) == len(values)
    assert all(0 <= verdict.value <= 10 and 0 <= verdict.score <= 10 for verdict in both[0])

from __future__ import annotations

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_contextmode import ContextConfig, Scope, Verdict, prepare_context

SCOPE = Scope("u", "s")


class Scores:
    """A scorer that says what the test wrote down, and counts what it was asked."""

    def __init__(self, scores, by="local"):
        self.scores = scores
        self.by = by
        self.asked = []

    async def score(self, io, request, log, candidates):  # noqa: ARG002  (the interface)
        self.asked.append([log[index].id for index in candidates])
        found = [self.scores.get(log[index].id, 0) for index in candidates]
        return [s if isinstance(s, Verdict) else Verdict(s, float(s), "scripted", self.by) for s in found]


def chat(turns, request="Where is the red parcel now?", **extra):
    messages = []
    for number in range(turns):
        kwargs = extra.get(f"h{number}", {})
        messages += [
            HumanMessage(f"question {number}", id=f"h{number}", additional_kwargs=kwargs),
            AIMessage(f"reply {number}", id=f"a{number}"),
        ]
    return [*messages, HumanMessage(request, id="q")]


def prepare(messages, scorer, state=None, **settings):
    settings = {"protect_messages": 2, "filter_above_messages": 4} | settings
    return prepare_context(messages, scope=SCOPE, scorer=scorer, state=state, config=ContextConfig(**settings))


def test_thresholds_decide_between_keep_compress_and_drop():
    """8 keeps, 6 and 7 compress, 5 drops."""
    scorer = Scores({"h0": 8, "a0": 7, "h1": 6, "a1": 5})
    view = prepare(chat(5), scorer)
    assert [view.decisions[i].action for i in ("h0", "a0", "h1", "a1")] == ["keep", "compress", "compress", "drop"]


def test_a_closed_gate_asks_nobody():
    """Below the limits nothing is scored and everything is in the view."""
    scorer = Scores({})
    view = prepare(chat(5), scorer, filter_above_messages=80)
    assert scorer.asked == []
    assert [m.id for m in view.messages] == [m.id for m in chat(5)]


def test_the_newest_messages_are_not_scored_while_they_fit():
    """Recent messages stay without a verdict as long as the budget holds."""
    scorer = Scores({})
    view = prepare(chat(5), scorer)
    assert "a4" not in scorer.asked[0]
    assert view.decisions["a4"].decided_by == "recent"


def test_drops_can_be_forbidden():
    """With lowest_action="compress" the lowest score still leaves an archive entry."""
    view = prepare(chat(5), Scores({}), lowest_action="compress")
    assert all(d.action != "drop" for d in view.decisions.values())
    assert {i for entry in view.archive for i in entry.message_ids} >= {"h0", "a0"}


def test_nearly_the_same_request_judges_only_what_is_new():
    """Old verdicts stand, marked as cached; only new messages go to the scorer."""
    scorer = Scores({"h0": 9})
    first = prepare(chat(5), scorer)
    log = [*chat(5), AIMessage("It is at the depot.", id="r"), *chat(0, "Where is the red parcel now?")]
    log[-1].id = "q2"
    second = prepare(log, scorer, state=json.loads(json.dumps(first.state)))
    assert set(scorer.asked[1]).isdisjoint(scorer.asked[0])
    assert second.decisions["h0"].decided_by == "cache"
    assert second.decisions["h0"].action == "keep"


def test_another_request_is_judged_anew():
    """Verdicts made for one request never answer another one."""
    scorer = Scores({"h0": 9})
    first = prepare(chat(5), scorer)
    prepare(chat(5, "Please cancel my gym contract"), scorer, state=first.state)
    assert scorer.asked[1] == scorer.asked[0]


def test_an_edited_message_loses_its_cached_verdict():
    """A verdict belongs to the text it was made for, not to the id alone."""
    scorer = Scores({})
    first = prepare(chat(5), scorer)
    edited = chat(5)
    edited[0] = HumanMessage("something else", id="h0")
    prepare(edited, scorer, state=first.state)
    assert scorer.asked[1] == ["h0"]


def test_verdicts_of_deleted_messages_leave_the_state():
    """State holds nothing about messages that are no longer in the log, gate open or closed."""
    first = prepare(chat(5), Scores({}))
    assert "h0" in first.state["verdicts"]["items"]
    for settings in ({}, {"filter_above_messages": 80}):
        view = prepare(chat(5)[2:], Scores({}), state=first.state, **settings)
        assert "h0" not in view.state["verdicts"]["items"]


def test_a_models_verdicts_are_kept_first_when_the_cache_is_full():
    """What cost a model call outlives what costs nothing, also after it was reused."""
    model = Verdict(9, 9.0, "the model said so", "model")
    scorer = Scores({"h0": model})
    view = prepare(chat(9), scorer, verdicts_max=3)
    assert "h0" in view.state["verdicts"]["items"]
    again = prepare(chat(9), scorer, state=view.state, verdicts_max=3)
    assert len(again.state["verdicts"]["items"]) == 3
    assert again.state["verdicts"]["items"]["h0"] == view.state["verdicts"]["items"]["h0"]


def test_small_steps_do_not_carry_verdicts_from_one_request_to_a_different_one():
    """The request that verdicts were made for is compared, not the last one that reused them."""
    scorer = Scores({})
    first = prepare(chat(5), scorer)
    second = prepare(chat(5, "Where is the red parcel now"), scorer, state=first.state)
    assert second.state["verdicts"]["request"] == "Where is the red parcel now?"


def test_a_group_is_dropped_only_if_every_member_scored_low():
    """Messages on one topic within five minutes share the best member's fate."""
    note = {"contextmode": {"topic": "parcel", "time": "2026-03-01T10:00:00+00:00"}}
    later = {"contextmode": {"topic": "parcel", "time": "2026-03-01T10:04:00+00:00"}}
    messages = chat(5, h0=note)
    messages[1] = AIMessage("reply 0", id="a0", additional_kwargs=later)
    view = prepare(messages, Scores({"a0": 9}))
    assert view.decisions["h0"].action == "keep"
    assert view.decisions["h0"].decided_by == "group"


@pytest.mark.parametrize("gap", ["2026-03-01T10:05:01+00:00", "2026-03-01T09:59:00+00:00", "2026-03-01T10:01:00"])
def test_no_group_without_the_time_for_it(gap):
    """Six minutes, a time that runs backwards, or a time without an offset join nothing."""
    note = {"contextmode": {"topic": "parcel", "time": "2026-03-01T10:00:00+00:00"}}
    messages = chat(5, h0=note)
    messages[1] = AIMessage("reply 0", id="a0", additional_kwargs={"contextmode": {"topic": "parcel", "time": gap}})
    assert prepare(messages, Scores({"a0": 9})).decisions["h0"].action == "drop"


def test_what_a_kept_message_refers_to_is_at_least_compressed():
    """A reference from the request, or from a kept message, lifts a drop to compress."""
    messages = chat(5, h1={"contextmode": {"ref_message_ids": ["a0", "gone", 7]}})
    view = prepare(messages, Scores({"h1": 9}))
    assert (view.decisions["a0"].action, view.decisions["a0"].decided_by) == ("compress", "reference")
    assert prepare(messages, Scores({})).decisions["a0"].action == "drop"


@pytest.mark.parametrize(
    "verdict", [Verdict(11, 11.0, "x"), Verdict(-1, 0.0, "x"), Verdict(5, float("nan"), "x"), Verdict(5.5, 5.5, "x"), "nonsense", None]
)
def test_a_verdict_off_the_scale_keeps_its_block(verdict):
    """What makes no sense keeps the message and is reported once."""

    class Odd:
        async def score(self, io, request, log, candidates):  # noqa: ARG002  (the interface)
            return [verdict] * len(candidates)

    view = prepare(chat(5), Odd())
    assert {view.decisions[i].action for i in ("h0", "a0", "h3")} == {"keep"}
    assert len(view.report["degraded"]) == 1


def test_too_few_verdicts_keep_everything():
    """A scorer that loses count loses no message."""

    class Short:
        async def score(self, io, request, log, candidates):  # noqa: ARG002  (the interface)
            return []

    view = prepare(chat(5), Short())
    assert {d.action for d in view.decisions.values()} == {"keep"}
    assert "0 verdicts" in view.report["degraded"][0]["why"]


def test_a_yes_is_about_what_was_said_before_it():
    """The same short answer to another question is judged anew."""
    scorer = Scores({})
    first = prepare(chat(5, "Yes, please."), scorer)
    again = chat(5, "Yes, please.")
    again[-2] = AIMessage("Shall I book the museum?", id="a4")
    prepare(again, scorer, state=first.state)
    assert scorer.asked[1] == scorer.asked[0]


@pytest.mark.parametrize("head", ["", "You are talking to a customer of the harbour office. " * 60])
def test_another_id_is_another_request(head):
    """However long the common text, a request that names something else is judged anew."""
    scorer = Scores({})
    first = prepare(chat(5, f"{head}What does parcel TK-8812 cost to store?"), scorer)
    prepare(chat(5, f"{head}What does parcel TK-9921 cost to store?"), scorer, state=first.state)
    assert scorer.asked[1] == scorer.asked[0]


@pytest.mark.parametrize("settings", [{}, {"keep_score": 10, "compress_score": 9}])
def test_an_exact_entity_is_at_least_compressed_whoever_scored(settings):
    """A message that holds an id of the request is never dropped, by a scorer of one's own or by other thresholds."""
    messages = chat(5, "Where is parcel TK-8812 now?")
    messages[0] = HumanMessage("I sent TK-8812 on Monday.", id="h0")
    view = prepare(messages, Scores({}), **settings)
    assert (view.decisions["h0"].action, view.decisions["h0"].decided_by) == ("compress", "entity")
    assert view.decisions["h1"].action == "drop"


@pytest.mark.parametrize("item", [["x", "9", 9.0, "r", None, "local"], ["x", 99, 99.0, "r", "fly", "local"], "text", None])
def test_foreign_verdicts_in_state_are_no_verdicts(item):
    """What does not make sense in a stored verdict is judged anew."""
    scorer = Scores({})
    state = json.loads(json.dumps(prepare(chat(5), scorer).state))
    digest = state["verdicts"]["items"]["h0"][0]
    state["verdicts"]["items"]["h0"] = [digest, *item[1:]] if isinstance(item, list) else item
    prepare(chat(5), scorer, state=state)
    assert scorer.asked[1] == ["h0"]


def test_a_result_that_comes_late_is_judged_anew():
    """A verdict on a call stands for its results, too: when one arrives, the block is judged again."""
    scorer = Scores({})
    log = chat(5)
    log.insert(2, AIMessage("", id="call", tool_calls=[{"name": "f", "args": {}, "id": "c", "type": "tool_call"}]))
    first = prepare(log, scorer)
    log.insert(3, ToolMessage("The red parcel is in Lund.", tool_call_id="c", id="result"))
    prepare(log, scorer, state=first.state)
    assert scorer.asked[1] == ["call"]


def test_one_subject_in_place_of_another_is_another_request():
    """However much of a template two requests share, a swapped subject is judged anew."""
    template = "You help with a library of articles about technology and daily life. Answer in whole sentences. About {}?"
    scorer = Scores({})
    first = prepare(chat(5, template.format("kubernetes")), scorer)
    prepare(chat(5, template.format("gardening")), scorer, state=first.state)
    assert scorer.asked[1] == scorer.asked[0]

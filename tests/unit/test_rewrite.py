"""Requests that point back, completed for the search in memory."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from langchain_contextmode import EphemeralMemoryStore, Memory, Scope, TaskSpec, prepare_context
from langchain_contextmode.memories.rewrite import RECENT_MESSAGES, Recent, points_back, queries
from langchain_contextmode.testing import ScriptedChatModel

ANN = Scope("ann", "s1")


def talk(*texts):
    """Return turns, the user first."""
    return [Recent(text, number % 2 == 0) for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("request_text", "said", "wanted"),
    [
        ("When was she born?", ["Tell me about Frida Kahlo.", "Frida Kahlo was a painter."], ["When was she born? Frida Kahlo"]),
        ("那家有停车场吗?", ["我们住和颐酒店吧。", "好的。"], ["那家有停车场吗? 和颐酒店"]),
        ("And it?", ["what does the ferry cost", "Twelve euros."], ["And it? what does the ferry cost"]),
        ("Which dishes do I like in Porto?", ["Tell me about Rome.", "Rome is old."], ["Which dishes do I like in Porto?"]),
        ("Find a quiet restaurant", ["We go to Porto.", "Nice."], ["Find a quiet restaurant", "Find a quiet restaurant Porto"]),
        ("Where is it?", [], ["Where is it?"]),
    ],
)
def test_a_request_is_completed_by_what_was_said(request_text, said, wanted):
    """Names stand in for pronouns, the last words for an ellipsis; what stands alone stays, in English and Chinese."""
    assert queries(request_text, talk(*said), {}) == wanted


def test_a_field_that_is_named_brings_its_value():
    """The hotel that is meant is the one on the task's board."""
    assert queries("Is that hotel quiet?", [], {"hotel": "Ibis Centre", "city": "Rome"}) == ["Is that hotel quiet? Ibis Centre"]


def test_what_the_user_names_most_counts():
    """A name on the user's lips wins over one that an answer dropped, and a long form over its short one."""
    said = talk("Tell me about Max Martin.", "He was hired by Cheiron Studios.", "What did Martin write there?", "Songs.")
    assert queries("What did he do then?", said, {}) == ["What did he do then? Max Martin"]


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=20))
def test_a_query_holds_the_request_and_only_what_was_said(request_text, said):
    """Whatever was said, each query begins with the request, and every word of it was said."""
    for query in queries(request_text, talk(*said)[-RECENT_MESSAGES:], {}):
        assert query.startswith(request_text)
        assert all(any(word in text for text in (request_text, *said)) for word in query.split())


def recalled(model, request="Does she like tea?"):
    store = EphemeralMemoryStore()
    store.add(ANN, [Memory(text="Maria likes green tea."), Memory(text="Tom likes coffee.")])
    log = [HumanMessage("Maria is my sister.", id="h"), AIMessage("Nice.", id="a"), HumanMessage(request, id="q")]
    return prepare_context(log, scope=ANN, store=store, models={"rewrite": model} if model else {})


def test_recall_searches_for_whom_the_request_means():
    """A pronoun means the sister that was just named."""
    assert recalled(None).memories[0].text == "Maria likes green tea."


def test_a_model_completes_what_points_back_and_nothing_else():
    """One call for a request that points back; none for one that stands alone."""
    model = ScriptedChatModel(replies=["Does Maria like tea?"])
    view = recalled(model)
    assert view.memories[0].text == "Maria likes green tea."
    assert view.report["degraded"] == []
    assert len(model.requests) == 1
    assert "Maria is my sister." in model.requests[0].text
    recalled(model, "Which green teas does Maria like best?")
    assert len(model.requests) == 1


@pytest.mark.parametrize("reply", ["Does Angela Merkel like tea?", "", "x" * 900, RuntimeError("down"), "<think>hm</think>"])
def test_a_models_invention_is_not_searched_for(reply):
    """A reply with words that nobody said, none, or a failure: local rules complete the request, and the report says so."""
    view = recalled(ScriptedChatModel(replies=[reply]))
    assert [item["step"] for item in view.report["degraded"]] == ["recall"]
    assert view.memories[0].text == "Maria likes green tea."


@pytest.mark.parametrize(
    ("text", "yes"), [("And her?", True), ("那个呢", True), ("Which museums are open on Monday?", False), ("hotels", True)]
)
def test_what_points_back_is_told_by_its_words(text, yes):
    """Pronouns, "那个" and bare words point back; a whole question does not."""
    assert points_back(text) is yes


def test_what_the_application_calls_alike_is_searched_for_as_well():
    """A declared synonym of a choice makes one more query; one of a field names its value; a part of a word is neither."""
    alike = (("vegetarian", "veggie", "素食"), ("lodging", "hotel"))
    wanted = ["Find some good veggie food", "Find some good veggie food vegetarian 素食"]
    assert queries("Find some good veggie food", [], {}, alike) == wanted
    assert queries("Is that lodging quiet?", [], {"hotel": "Ibis"}, alike)[0] == "Is that lodging quiet? Ibis"
    assert queries("Which veggiesaurus lived here?", [], {}, alike) == ["Which veggiesaurus lived here?"]


def test_a_tasks_synonyms_reach_the_memory():
    """The ways people say a choice find a memory that says it in another way."""

    class Lunch(BaseModel):
        style: Literal["herbivore", "omnivore"] | None = None

    task = TaskSpec.from_model(Lunch, nodes={"order": ["style"]}, synonyms={"style": {"herbivore": ["grazer"]}})
    store = EphemeralMemoryStore()
    store.add(ANN, [Memory(text="Tom is a herbivore."), Memory(text="My car is a blue van.")])
    log = [HumanMessage("Is some grazer among my colleagues", id="q")]
    assert [memory.text for memory in prepare_context(log, scope=ANN, store=store, task=task).memories] == ["Tom is a herbivore."]
    assert ("herbivore", "grazer") in task.alike
    assert prepare_context(log, scope=ANN, store=store).memories == ()

"""The user's right to be forgotten."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from pydantic import BaseModel, Field

from langchain_contextmode import (
    ConfigError,
    ContextConfig,
    EphemeralMemoryStore,
    Memory,
    Scope,
    ScopeError,
    TaskSpec,
    add_pin,
    aforget,
    end_session,
    forget,
    list_pins,
    prepare_context,
    remember,
)

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
ANA, LATER, BEN = Scope("ana", "s1"), Scope("ana", "s2"), Scope("ben", "s1")
SAID = ["I live in Bergen.", "I'm vegetarian.", "I'm allergic to walnuts, never forget that!"]


class Trip(BaseModel):
    """A trip."""

    destination: str | None = Field(None, description="City to travel to")
    travellers: int | None = None


TASK = TaskSpec.from_model(Trip, nodes={"collect": ["destination"]})


def log_of(*texts):
    log = []
    for number, text in enumerate(texts):
        log += [HumanMessage(text, id=f"h{number}"), AIMessage("Noted.", id=f"a{number}")]
    return log


def talked(store, *texts, scope=ANA):
    log = log_of(*texts)
    view = prepare_context(log, scope=scope, store=store, task=TASK, now=NOW)
    return log, remember(log, scope=scope, store=store, state=view.state, now=NOW)


def texts(store, scope=ANA):
    return [row.text for row in store.list(scope, all_sessions=True)]


def test_one_memory_is_forgotten_and_the_others_stand():
    """The row, its pin and what was recalled go; other memories and other users stay as they were; the log is named."""
    store = EphemeralMemoryStore()
    talked(store, *SAID, scope=BEN)
    log, state = talked(store, *SAID)
    row = next(row for row in store.list(ANA) if "walnuts" in row.text)
    assert any("walnuts" in pin.text for pin in list_pins(state))
    done = forget(ANA, store=store, memory_ids=[row.id], state=state, messages=log)
    assert [gone.id for gone in done.memories] == [row.id]
    assert "walnuts" not in json.dumps(done.state)
    assert done.named_in == ("h2",)
    assert len(texts(store)) == len(SAID) - 1
    assert len(texts(store, BEN)) == len(SAID)


def test_what_was_forgotten_is_not_derived_again():
    """Reading the same log anew, with the state or without it, finds all but what was forgotten; said again, it counts again."""
    store = EphemeralMemoryStore()
    log, state = talked(store, *SAID)
    done = forget(ANA, store=store, text="I'm vegetarian.", state=state, messages=log)
    for kept in (done.state, None):
        remember(log, scope=ANA, store=store, state=kept, now=NOW)
        assert "I'm vegetarian." not in texts(store)
        assert len(texts(store)) == len(SAID) - 1
    log += [HumanMessage("Well, I'm vegetarian.", id="again")]
    remember(log, scope=ANA, store=store, state=done.state, now=NOW)
    assert any("vegetarian" in text for text in texts(store))


def test_views_are_free_of_it_once_the_log_is():
    """With the named messages removed, no view and no state says it again."""
    store = EphemeralMemoryStore()
    log, state = talked(store, *SAID, "We travel to Porto.")
    done = forget(ANA, store=store, text="Porto", state=state, messages=log)
    assert done.named_in == ("h3",)
    assert "porto" not in json.dumps(done.state).lower()
    rest = [message for message in log if message.id not in done.named_in] + [HumanMessage("Where to?", id="q")]
    view = prepare_context(rest, scope=ANA, store=store, task=TASK, state=done.state)
    assert "porto" not in (json.dumps(view.state) + str([m.text for m in view.messages])).lower()
    RemoveMessage(id=done.named_in[0])


def test_old_values_go_with_the_new_one():
    """A value that was superseded goes with what took its place."""
    store = EphemeralMemoryStore()
    talked(store, "I live in Oslo.", "I moved to Bergen.")
    row = next(row for row in store.list(ANA) if row.status == "active" and "Bergen" in row.text)
    assert any(old.superseded_by == row.id for old in store.list(ANA))
    forget(ANA, store=store, memory_ids=[row.id])
    assert texts(store) == []


def test_a_task_forgets_values_and_their_history():
    """A value leaves board, history and questions; the other fields stay."""
    log = log_of("We travel to Porto, three people.", "No, to Lisbon.")
    state = prepare_context(log, scope=ANA, task=TASK).state
    state = forget(ANA, text="Porto", state=state, messages=log).state
    assert "Porto" not in json.dumps(state)
    view = prepare_context([*log[2:], HumanMessage("So?", id="q")], scope=ANA, task=TASK, state=state)
    assert view.task.fields["destination"] == "Lisbon"


def test_summary_and_archive_lose_the_lines_that_say_it():
    """Of a summary only the sentences that say it go."""
    turns = [
        f"My locker code word is Zebra{number}." if number == 2 else f"Please note that room {number} is painted blue."
        for number in range(12)
    ]
    log = log_of(*turns)
    config = ContextConfig(summarize_above_tokens=0, window_turns=1, summary_slice_turns=5, protect_messages=0)
    state = prepare_context([*log, HumanMessage("And now?", id="q")], scope=ANA, config=config).state
    assert "Zebra2" in json.dumps(state)
    clean = forget(ANA, text="Zebra2", state=state, messages=log).state
    assert "Zebra2" not in json.dumps(clean)
    assert [item[1:] for item in clean["summary"]["slices"]] == [item[1:] for item in state["summary"]["slices"]]


def test_a_session_is_forgotten_but_not_what_was_promoted():
    """A session's own rows go, the user's lasting ones stay; a user goes with everything."""
    store = EphemeralMemoryStore()
    talked(store, SAID[2])
    end_session(ANA, store=store)
    talked(store, "I live in Bergen.", scope=LATER)
    assert forget(LATER, store=store, session=True).state == {}
    assert texts(store) == [SAID[2]]
    forget(LATER, store=store, user=True)
    assert texts(store) == []


@pytest.mark.parametrize(
    ("wish", "left"),
    [
        ("Forget that I am vegetarian.", ["Bergen", "walnuts"]),
        ("Delete what you know about my allergy.", ["Bergen", "vegetarian"]),
        ("Please forget everything you know about me.", []),
        ("忘掉关于我的一切", []),
    ],
)
def test_a_wish_in_the_conversation_is_obeyed(wish, left):
    """What a message asks to forget leaves store and state behind the answer."""
    store = EphemeralMemoryStore()
    log, state = talked(store, *SAID)
    log = [*log, HumanMessage(wish, id="wish")]
    state = remember(log, scope=ANA, store=store, state=state, now=NOW)
    assert [any(word in text for text in texts(store)) for word in left] == [True] * len(left)
    assert len(texts(store)) == len(left)
    remember(log, scope=ANA, store=store, now=NOW)
    assert len(texts(store)) == len(left)


def test_a_wish_that_meets_nothing_is_in_the_next_report():
    """Where no memory says what is to be forgotten, the next report tells, and nothing else goes."""
    store = EphemeralMemoryStore()
    log, state = talked(store, *SAID)
    log = [*log, HumanMessage("Please forget my shoe size.", id="wish")]
    state = remember(log, scope=ANA, store=store, state=state, now=NOW)
    assert len(texts(store)) == len(SAID)
    view = prepare_context([*log, HumanMessage("So?", id="q")], scope=ANA, store=store, state=state)
    assert "shoe size" in str(view.report["degraded"])


@pytest.mark.parametrize(
    "text", ["I always forget my keys.", "Don't forget that I live in Bergen!", "Forget it, let's go on.", "我老是忘记带钥匙"]
)
def test_talk_about_forgetting_forgets_nothing(text):
    """Only a request to forget is one."""
    store = EphemeralMemoryStore()
    log, state = talked(store, *SAID)
    remember([*log, AIMessage("Fine."), HumanMessage(text, id="talk")], scope=ANA, store=store, state=state, now=NOW)
    assert {*SAID} <= {*texts(store)}


async def test_awaiting_does_the_same():
    """`aforget` gives what `forget` gives."""
    stores = [EphemeralMemoryStore(), EphemeralMemoryStore()]
    done = []
    for store in stores:
        log, state = talked(store, *SAID)
        given = {"store": store, "text": "Bergen", "state": state, "messages": log}
        done.append(forget(ANA, **given) if store is stores[0] else await aforget(ANA, **given))
    assert done[0].state == done[1].state
    assert done[0].named_in == done[1].named_in
    assert texts(stores[0]) == texts(stores[1])


def test_wrong_requests_are_refused_and_touch_nothing():
    """Nothing named, no scope, another user's id: an error, or nothing goes."""
    store = EphemeralMemoryStore()
    talked(store, *SAID)
    row = store.list(ANA)[0]
    for wrong in ({}, {"text": " "}, {"memory_ids": []}):
        with pytest.raises(ConfigError):
            forget(ANA, store=store, **wrong)
    with pytest.raises(ScopeError):
        forget("ana", store=store, user=True)
    with pytest.raises(ConfigError):
        forget(ANA, store="memories", user=True)
    assert forget(BEN, store=store, memory_ids=[row.id]).memories == ()
    assert len(texts(store)) == len(SAID)


@given(st.lists(st.sampled_from([*SAID, "I like jazz.", "I prefer window seats."]), min_size=1, max_size=5, unique=True), st.integers(0, 4))
def test_forgetting_takes_one_statement_and_no_other(said, number):
    """Whatever else was said, the forgotten statement is gone from store and state for good, and every other one is still there."""
    store = EphemeralMemoryStore()
    log, state = talked(store, *said)
    state = add_pin(state, "Quote prices with VAT.")
    before, target = texts(store), said[number % len(said)]
    done = forget(ANA, store=store, text=target, state=state, messages=log)
    state = remember(log, scope=ANA, store=store, state=done.state, now=NOW)
    assert [text for text in texts(store) if target in text] == []
    assert texts(store) == [text for text in before if text not in {row.text for row in done.memories}]
    assert target not in json.dumps(state)
    assert [pin.text for pin in list_pins(state) if pin.source == "application"] == ["Quote prices with VAT."]
    assert store.add(BEN, [Memory(text=target)])

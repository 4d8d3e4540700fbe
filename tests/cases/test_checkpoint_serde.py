"""State is plain JSON, comes back from a checkpoint as it went in, and does not grow with the turns."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, RUN, SCOPE, Says, ai, exchanges, human
from hostwork import dialogue, host, judge
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.store.memory import InMemoryStore
from summarywork import REPLIES, questions, settings_for, summarised

from langchain_contextmode import ContextConfig, prepare_context
from langchain_contextmode.pins import add_pin, list_pins, remove_pin
from langchain_contextmode.prune import prune
from langchain_contextmode.restore import restore_messages
from langchain_contextmode.testing import ScriptedChatModel

EAGER = ContextConfig(protect_messages=2, filter_above_messages=0, filter_above_tokens=0, verdicts_max=20)
PLAIN = (str, int, float, bool, type(None))


def types(value):
    """Return the value with the type of everything in it."""
    if isinstance(value, dict):
        return {"dict": [(type(k), k, types(v)) for k, v in value.items()]}
    if isinstance(value, list | tuple):
        return {type(value): [types(v) for v in value]}
    return type(value), value


def is_plain(value):
    """Say whether there is nothing in it but JSON and LangChain messages."""
    if isinstance(value, dict):
        return all(type(k) is str and is_plain(v) for k, v in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return type(value) in PLAIN or isinstance(value, BaseMessage)


def after_turns(count, **collaborators):
    """Return the state after this many turns on a growing log."""
    log, state = [], None
    for n in range(count):
        log = [*log, *exchanges(n, n, "question {n} about the harbour and the fair", "answer {n}: it is in May")]
        view = prepare_context(
            [*log, human(f"and {n}?", "hq")], scope=SCOPE, config=EAGER, state=state, token_counter=ESTIMATE, **collaborators
        )
        state = view.state
    return state


@pytest.mark.parametrize("strict", [False, True])
def test_f_o_072_state_comes_back_as_it_went_in(strict, recwarn):
    """After five turns state survives the serialiser, strict or not, with equal values of equal types and no warning."""
    state = after_turns(5, scorer=Says(rest=6))
    serde = JsonPlusSerializer(allowed_msgpack_modules=None) if strict else JsonPlusSerializer()
    back = serde.loads_typed(serde.dumps_typed(state))
    assert types(back) == types(state)
    assert state["verdicts"]["items"]
    assert json.loads(json.dumps(state)) == state
    assert not recwarn.list


def full_state():
    """Return state with every concern of the session level: verdicts, summary, pins of all kinds, archive, restore queue."""
    said = human("Never book flights before 9. Ticket OPS-4411 costs 80 EUR.", "h0")
    log = [said, ai("Noted.", "a0"), *questions(1, 12), human("x", "hq")]
    state = add_pin(remove_pin(add_pin(None, "Only trains."), "Only trains."), "Answer in German.", kind="format")
    config = settings_for(2, view_tokens=250, filter_above_messages=0, filter_above_tokens=0)
    for model in ("Talk was had.", "", "## Decisions\n- OPS-4411 was bought"):
        models = {"summary": ScriptedChatModel(replies=[model])}
        view = prepare_context(log, scope=SCOPE, config=config, state=state, models=models, token_counter=ESTIMATE)
        out = prune(log, view.state, keep_turns=2, scope=SCOPE, archive=InMemoryStore())
        gone = {removal.id for removal in out.removals}
        state = restore_messages(out.state, ["h0", "lh1"])
        number = len(log)
        log = [*[m for m in log if m.id not in gone], *questions(100 + number, 106 + number), human("next", f"n{number}")]
    return state


@pytest.mark.parametrize("strict", [False, True])
def test_f_o_072_the_whole_session_state_comes_back(strict, recwarn, monkeypatch):
    """Summary, pins, archive, verdicts and restore queue survive the serialiser, strict or not, with equal values of equal types."""
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", str(strict).lower())
    state = full_state()
    assert set(state) == {"summary", "pins", "archive", "restore", "verdicts"}
    serde = JsonPlusSerializer(allowed_msgpack_modules=None) if strict else JsonPlusSerializer()
    assert types(serde.loads_typed(serde.dumps_typed(state))) == types(state)
    assert is_plain(state)
    assert json.loads(json.dumps(state)) == state
    assert [pin.text for pin in list_pins(json.loads(json.dumps(state)))] == [pin.text for pin in list_pins(state)]
    assert not recwarn.list


def test_f_o_073_a_run_with_everything_leaves_only_plain_state():
    """Embeddings, a judge and a checkpointer leave no vector, client or exception in what is stored."""
    assert is_plain(after_turns(3, embeddings=DeterministicFakeEmbedding(size=8)))
    graph = host(judge(), saver=InMemorySaver())
    graph.invoke({"messages": dialogue()}, RUN)
    stored = graph.get_state(RUN).values
    assert {"messages", "contextmode"} <= set(stored)
    assert all(is_plain(stored[key]) for key in stored if key != "messages")


def test_f_o_073_state_is_bounded():
    """State after 40 turns is as large as after 20."""
    sizes = [len(json.dumps(after_turns(count, scorer=Says(rest=6)))) for count in (20, 40)]
    assert sizes[1] <= sizes[0] * 1.1


@given(st.text(max_size=30), st.text(max_size=30), st.one_of(st.none(), st.text(min_size=1, max_size=10)))
def test_state_of_any_text_and_id_is_plain(question, answer, identity):
    """Whatever was said under whatever id, state is plain and comes back from the serialiser."""
    log = [human(question, identity), ai(answer, "a1"), human("half \ud800 a pair", "h2"), human("now?", "hq")]
    state = prepare_context(log, scope=SCOPE, config=EAGER, scorer=Says(rest=6), token_counter=ESTIMATE).state
    serde = JsonPlusSerializer()
    assert is_plain(state)
    assert serde.loads_typed(serde.dumps_typed(state)) == state


@given(st.lists(st.text(max_size=40), min_size=4, max_size=10), REPLIES, st.booleans())
def test_a_summary_of_any_text_is_plain(texts, reply, with_model):
    """Whatever was said and whatever a summariser replies, state is plain, and a round trip changes nothing of the next view."""
    log = [(human if n % 2 == 0 else ai)(text or "x", f"m{n}") for n, text in enumerate([*texts, "half \ud800 a pair"])]
    model = ScriptedChatModel(replies=[reply]) if with_model else None
    first = summarised([*log, human("now?", "hq")], model=model, summary_slice_turns=1)
    assert is_plain(first.state)
    serde = JsonPlusSerializer()
    back = serde.loads_typed(serde.dumps_typed(first.state))
    assert types(back) == types(first.state)
    later = [*log, human("now?", "hq"), ai("ok", "aq"), human("next", "hq2")]
    assert summarised(later, state=back, view_tokens=300).messages == summarised(later, state=first.state, view_tokens=300).messages

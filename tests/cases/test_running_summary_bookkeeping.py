"""Each message is sent, or stands behind the watermark of the summary that is sent: never neither, never twice."""

from __future__ import annotations

import copy

import pytest
from agentwork import step_tool, worked
from casework import ESTIMATE, RUN, SCOPE, ai, call, human, result
from hostwork import keeping_host
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from summarywork import HEADED, REPLIES, check, covered, questions, settings_for, summarised, transcripts
from validity import violations

from langchain_contextmode import ContextInput, ContextNode, build_context_graph, context_messages, prepare_context
from langchain_contextmode.originals import Originals
from langchain_contextmode.prune import prune
from langchain_contextmode.testing import ScriptedChatModel

PROFILE = [human("set my profile", "h1"), ai("done", "a1"), human("set my city to Umea", "h2")]
STEP = [call("a2", ("set_city", {"v": "Umea"}, "c1")), result("saved", "c1", "t1")]


@pytest.mark.parametrize("view_tokens", [None, 90, 110])
def test_f_o_053_what_came_after_the_summary_is_sent(view_tokens):
    """Below the next threshold the messages behind the summary are sent, calls among them, and the covered ones are in one form only."""
    state = summarised(PROFILE, keep_last=0, model=ScriptedChatModel(replies=["Profile step done."]), summary_slice_turns=1).state
    assert covered(PROFILE, state) == ["h1", "a1"]
    log = [*PROFILE, *STEP]
    model = ScriptedChatModel(replies=["again"])
    view = summarised(log, state=state, model=model, summarize_above_tokens=500, view_tokens=view_tokens)
    assert model.requests == []
    sent = [m.id for m in view.messages]
    assert sent[-3:] == ["h2", "a2", "t1"]
    assert {view.decisions[i].form for i in ("h1", "a1")} in ({"verbatim"}, {"summary"}, {"verbatim", "summary"})
    assert covered(log, view.state) == ["h1", "a1"]


def test_f_o_055_the_answering_model_gets_the_view():
    """What the model is given, captured at the model, is the compacted list, in a host and in a subgraph before the answer."""
    log = [*questions(1, 40), human("hq", "hq")]
    config = settings_for(2, view_tokens=300)
    expected = prepare_context(log, scope=SCOPE, config=config, token_counter=ESTIMATE).messages
    answerer = ScriptedChatModel(replies=["visible answer"])
    keeping_host(config, prune=False, answerer=answerer).invoke({"messages": log}, RUN)
    inner = StateGraph(MessagesState)
    inner.add_node("context", ContextNode(build_context_graph(config=config, token_counter=ESTIMATE)))

    def answer(state: ContextInput):
        return {"messages": [answerer.invoke(context_messages(state))]}

    inner.add_node("answer", answer)
    inner.add_edge(START, "context")
    inner.add_edge("context", "answer")
    outer = StateGraph(MessagesState)
    outer.add_node("agent", inner.compile())
    outer.add_edge(START, "agent")
    outer.compile().invoke({"messages": log}, RUN)
    for request in answerer.requests:
        assert request.messages == expected
        assert ESTIMATE(request.messages) <= 300 < ESTIMATE(log)
        assert violations(request.messages) == []


@pytest.mark.parametrize("steps", [0, 3])
def test_f_o_055_an_agents_model_gets_the_view(steps):
    """What an agent's model is given is the compacted list, at every step, and the stored list is the whole one."""
    log = [*questions(1, 40), human("hq", "hq")]
    config = settings_for(2, view_tokens=300)
    sent, stored = worked(log, steps, config=config)
    expected = prepare_context(log, scope=SCOPE, config=config, token_counter=ESTIMATE, tools=[step_tool(1)]).messages
    assert [m.content for m in sent[0]] == [m.content for m in expected]
    assert len(sent[0]) < len(log) / 2
    assert all(ESTIMATE(messages) <= 300 for messages in sent)
    assert [m.id for m in stored[: len(log)]] == [m.id for m in log]


class ReturnsErrors(InMemoryStore):
    """A store that reports a failed write in its answer and keeps nothing."""

    def put(self, *_, **__):
        return {"error": "disk full"}

    async def aput(self, *_, **__):
        return {"error": "disk full"}


class Forgets(InMemoryStore):
    """A store that takes every write and keeps nothing."""

    def put(self, *_, **__):
        return None

    async def aput(self, *_, **__):
        return None


class Garbles(InMemoryStore):
    """A store that gives back another text than was written."""

    def put(self, namespace, key, value, **more):
        super().put(namespace, key, {**value, "message": value["message"].replace("question", "Question")}, **more)


@pytest.mark.parametrize("store", [InMemoryStore, ReturnsErrors, Forgets, Garbles])
def test_f_o_056_a_pointer_needs_a_confirmed_write(store):
    """Originals are offered for restoring only after they were written and read back; a failed write removes nothing."""
    archive, answerer = store(), ScriptedChatModel(replies=["visible answer"])
    config = settings_for(2, view_tokens=200)
    model = ScriptedChatModel(replies=["Twenty answered."])
    graph = keeping_host(config, archive=archive, models={"summary": model}, saver=InMemorySaver(), answerer=answerer)
    log = [*questions(1, 20), human("hq", "hq")]
    graph.invoke({"messages": log}, RUN)
    stored = graph.get_state(RUN).values
    left = {m.id for m in stored["messages"]}
    gone = [m for m in log if m.id not in left]
    assert bool(gone) == (store is InMemoryStore)
    assert Originals(archive).get(SCOPE, [m.id for m in gone]) == gone
    graph.invoke({"messages": [human("and then?", "hq2")]}, RUN)
    told = str(answerer.requests[-1].messages)
    if store is not InMemoryStore:
        assert "Removed from the history" not in told
        assert {m.id for m in graph.get_state(RUN).values["messages"]} >= {m.id for m in log}


def test_a_restored_original_is_not_summarised_again():
    """An original that is brought back stands in the view verbatim and not in the next slice of the summariser."""
    archive, model = InMemoryStore(), ScriptedChatModel(replies=["Talk."])
    log = [*questions(1, 20), human("hq", "hq")]
    first = summarised(log, model=model)
    out = prune(log, first.state, keep_turns=1, scope=SCOPE, archive=archive)
    removed = {removal.id for removal in out.removals}
    rest = [*[m for m in log if m.id not in removed], ai("ok", "aq"), human("What was question 3?", "hq2")]
    given = {"config": settings_for(2), "models": {"summary": model}, "archive": archive, "token_counter": ESTIMATE}
    asked = len(model.requests)
    view = prepare_context(rest, scope=SCOPE, state=out.state, restore=["lh3"], **given)
    check(view)
    assert view.decisions["lh3"].form == "verbatim"
    assert transcripts(model)[asked:]
    assert not [text for text in transcripts(model)[asked:] if "question 3\n" in text]


TURNS = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 2), st.integers(1, 80)), min_size=3, max_size=14)


@settings(max_examples=30)
@given(TURNS, REPLIES | st.just(HEADED), st.sampled_from([None, 160, 500]), st.booleans(), st.integers(1, 5))
def test_each_message_has_one_form_over_any_conversation(turns, reply, view_tokens, pruned, slice_turns):
    """Turn by turn each message of the log is in one form, each is summarised once, and inputs are not touched."""
    model, state, log, read = ScriptedChatModel(replies=[reply]), {}, [], []
    for n, (words, steps, size) in enumerate(turns):
        log = [*log, human(f"ask{n}. " * words, f"h{n}")]
        for step in range(steps):
            log += [call(f"a{n}-{step}", ("look", {"n": step}, f"c{n}-{step}")), result(f"got{n} " * size, f"c{n}-{step}", f"t{n}-{step}")]
        before = copy.deepcopy((log, state))
        asked, already = len(model.requests), covered(log, state)
        view = summarised(
            log, state=state, model=model, view_tokens=view_tokens and view_tokens + 8 * words, summary_slice_turns=slice_turns
        )
        assert (log, state) == before
        new = covered(log, view.state)
        assert set(already) <= set(new)
        read = "\n".join(transcripts(model)[asked:])
        assert not [i for i in already if i.startswith("h") and f"ask{i[1:]}. " in read]
        state = view.state
        if pruned:
            out = prune(log, state, keep_turns=1)
            gone = {removal.id for removal in out.removals}
            assert gone <= set(new)
            log, state = [m for m in log if m.id not in gone], out.state
            assert set(covered(log, state)) == set(new) - gone
        log = [*log, ai("ok", f"z{n}")]

"""A run that is resumed does nothing twice, and a fork of an older checkpoint knows nothing of the branch it left."""

from __future__ import annotations

import copy
import json

import pytest
from casework import ESTIMATE, RUN, human
from hostwork import keeping_host
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from summarywork import HEADED, covered, questions, settings_for

from langchain_contextmode import ContextNode, build_context_graph
from langchain_contextmode.testing import ScriptedChatModel

FORBIDS = "Never push to branch stable."


def answer_of(request):
    """Answer so that what was asked can be read off the id."""
    asked = next(m for m in reversed(request.messages) if m.type == "human")
    return AIMessage(f"reply to {asked.text}", id=f"to-{asked.id}")


def summary_from(request):
    """Say which topics the new part names, so that a summary of another branch would show."""
    part = request.text.split("<transcript>\n", 1)[1]
    named = sorted({word.strip(".,") for word in part.split() if word.startswith("topic")})
    return HEADED.replace("Decisions\n- none", "Decisions\n- talked about " + " and ".join(named or ["nothing"]))


class Session:
    """A host with a checkpointer of its own; keeps what the answering model got and the checkpoint after each turn."""

    def __init__(self, *, prune=False):
        self.answerer = ScriptedChatModel(replies=answer_of)
        self.writer = ScriptedChatModel(replies=summary_from)
        config = settings_for(2, view_tokens=220, summary_slice_turns=1)
        models = {"summary": self.writer}
        self.graph = keeping_host(config, prune=prune, models=models, saver=InMemorySaver(), answerer=self.answerer)

    def say(self, text, identity, at=RUN):
        """Run one turn, from a checkpoint or the newest; return the checkpoint after it."""
        self.graph.invoke({"messages": [human(text, identity)]}, {"configurable": {**RUN["configurable"], **at["configurable"]}})
        return self.graph.get_state(RUN).config

    def stored(self, at=RUN):
        return self.graph.get_state(at).values

    def turns(self, first, last, at=RUN):
        for n in range(first, last + 1):
            at = self.say(f"topic{n} please. {FORBIDS if n == 1 else ''} " + "tell more " * 20, f"h{n}", at)
        return at


def kept(session, at=RUN):
    """Return what a branch holds: log and state."""
    values = session.stored(at)
    return [(m.id, m.content) for m in values["messages"]], values["contextmode"]


@pytest.mark.parametrize("where", ["after", "beside"])
def test_f_o_067_a_resumed_run_does_nothing_twice(where):
    """After an interrupt behind or beside the preparation the request is in the log once and the summariser was asked once."""
    model = ScriptedChatModel(replies=["Talk."])
    config = settings_for(2, summary_slice_turns=1)
    context = ContextNode(build_context_graph(config=config, models={"summary": model}, token_counter=ESTIMATE))

    def ask(_state):
        return {"messages": [AIMessage(interrupt("pay?"), id="paid")]}

    graph = StateGraph(MessagesState)
    graph.add_node("context", context)
    graph.add_node("ask", ask)
    graph.add_edge(START, "context")
    graph.add_edge("context" if where == "after" else START, "ask")
    host = graph.compile(checkpointer=InMemorySaver())
    log = [*questions(1, 6), human("note that my bike is green, then ask before paying", "h1")]
    host.invoke({"messages": log}, RUN)
    asked = len(model.requests)
    assert asked
    done = host.invoke(Command(resume="yes"), RUN)["messages"]
    assert [m.id for m in done] == [*(m.id for m in log), "paid"]
    assert len(model.requests) == asked
    alone = build_context_graph(config=config, models={"summary": ScriptedChatModel(replies=["Talk."])}, token_counter=ESTIMATE)
    assert host.get_state(RUN).values["contextmode"] == alone.invoke({"messages": log}, RUN)["contextmode"]


@pytest.mark.parametrize("prune", [False, True])
def test_f_o_068_a_fork_knows_what_was_known_at_its_checkpoint(prune):
    """A fork from turn 2 sends and stores what a conversation of these two turns would; the other branch goes on as if nothing was."""
    first, other, unforked = (Session(prune=prune) for _ in range(3))
    second_turn = first.turns(1, 2)
    fifth_turn = first.turns(3, 5)
    at_two = copy.deepcopy(first.stored(second_turn)["contextmode"])
    assert covered(first.stored(fifth_turn)["messages"], first.stored(fifth_turn)["contextmode"]) or prune
    forked = first.say("different path", "hx", second_turn)
    other.turns(1, 2)
    fresh = other.say("different path", "hx")
    assert kept(first, forked) == kept(other, fresh)
    assert first.answerer.requests[-1].messages == other.answerer.requests[-1].messages
    for word in ("topic3", "topic4", "topic5"):
        assert word not in json.dumps(first.stored(forked)["contextmode"])
        assert word not in str(first.answerer.requests[-1].messages)
    assert first.stored(second_turn)["contextmode"] == at_two
    unforked.turns(1, 5)
    assert kept(first, fifth_turn) == kept(unforked)
    first.turns(6, 7, fifth_turn)
    unforked.turns(6, 7)
    assert kept(first) == kept(unforked)
    assert first.answerer.requests[-1].messages == unforked.answerer.requests[-1].messages


def test_f_o_069_two_forks_share_nothing():
    """Of two forks neither has a trace of the other, and the checkpoint that both came from is as it was."""
    session = Session()
    second_turn = session.turns(1, 2)
    before = copy.deepcopy(session.stored(second_turn))
    branches = {}
    for name in ("A", "B"):
        at = session.say(f"topic{name} task {name} done", f"h{name}", second_turn)
        branches[name] = session.turns(3, 6, at)
    for name, stranger in (("A", "B"), ("B", "A")):
        values = session.stored(branches[name])
        told = json.dumps([values["contextmode"], [m.model_dump() for m in values["messages"]]])
        assert f"topic{name}" in told
        assert f"topic{stranger}" not in told
    assert session.stored(second_turn) == before


@settings(max_examples=10)
@given(st.integers(2, 6), st.data(), st.booleans())
def test_any_fork_equals_a_fresh_run(turns, data, prune):
    """Wherever two branches leave a conversation, each equals the run that never forked, summary, pins and verdicts included."""
    session = Session(prune=prune)
    checkpoints, at = [], RUN
    for n in range(1, turns + 1):
        at = session.turns(n, n, at)
        checkpoints.append(at)
    for _ in range(2):
        point = data.draw(st.integers(1, turns))
        more = data.draw(st.integers(1, 3))
        at = checkpoints[point - 1]
        for n in range(more):
            at = session.say(f"topicX{n} on this path", f"x{n}", at)
        fresh = Session(prune=prune)
        fresh.turns(1, point)
        for n in range(more):
            fresh.say(f"topicX{n} on this path", f"x{n}")
        assert kept(session, at) == kept(fresh)
        assert session.answerer.requests[-1].messages == fresh.answerer.requests[-1].messages
    assert [session.stored(point)["contextmode"] for point in checkpoints] == states(turns, prune=prune)


def states(turns, *, prune):
    """Return the state after each turn of a run that never forks."""
    session, found = Session(prune=prune), []
    for n in range(1, turns + 1):
        session.turns(n, n)
        found.append(session.stored()["contextmode"])
    return found


@pytest.mark.parametrize("how", ["edited", "removed"])
def test_a_branch_that_changes_a_summarised_message_forgets_what_it_said(how):
    """Where a branch edits or removes a summarised message the summary is made anew: the old text is in neither state nor view."""
    session = Session()
    session.turns(1, 5)
    before = session.stored()
    assert "topic2" in json.dumps(before["contextmode"]["summary"])
    assert "h2" in covered(before["messages"], before["contextmode"])
    change = [human("topicNEW instead", "h2")] if how == "edited" else [RemoveMessage("h2"), RemoveMessage("to-h2")]
    change += [AIMessage("reply to topicNEW", id="to-h2")] if how == "edited" else []
    session.graph.update_state(RUN, {"messages": change})
    session.say("and now?", "h9")
    after = session.stored()
    told = json.dumps([after["contextmode"], [m.content for m in session.answerer.requests[-1].messages]])
    assert "topic2" not in told
    assert ("topicNEW" in told) == (how == "edited")
    assert "topic1" in told

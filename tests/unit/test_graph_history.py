"""Threads are not straight lines: forks, replays, interrupts, edits, crashes. State goes back with the log, the view is made anew."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hosts import JUDGED, SETTINGS, WAYS, Answerer, WordScorer, conversation, host, open_way, run_config
from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command, interrupt

from langchain_contextmode import ContextInput, ContextNode, StateSchemaError, build_context_graph, context_messages
from langchain_contextmode.testing import ScriptedChatModel

FERRY, TOWER, MARKET = "When does the ferry leave?", "And the tower?", "And the market?"


@pytest.fixture(params=WAYS)
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


def turn(text, identity):
    return {"messages": [HumanMessage(text, id=identity)]}


def request_of(snapshot):
    return snapshot.values["contextmode"]["verdicts"]["request"]


class Thread:
    """A thread of two turns, ferry and tower, and its checkpoints after each."""

    def __init__(self, way):
        self.way = way
        self.scorer = WordScorer()
        self.answer = Answerer()
        self.graph = host(self.answer, node=ContextNode(build_context_graph(config=SETTINGS, scorer=self.scorer)), checkpointer=way.saver)

    async def begin(self):
        await self.way.invoke(self.graph, {"messages": conversation(FERRY)}, run_config())
        first = (await self.way.state(self.graph, run_config())).config
        await self.way.invoke(self.graph, turn(TOWER, "second"), run_config())
        return first

    async def go(self, given, at):
        """Run from this checkpoint; return the view and the blocks that had to be judged."""
        before = len(self.scorer.asked)
        await self.way.invoke(self.graph, given, run_config(at=at))
        return self.answer.seen[-1], [ids for _, ids in self.scorer.asked[before:]]


async def test_a_fork_starts_from_the_state_of_its_checkpoint(way):
    """New input at an old checkpoint finds that checkpoint's verdicts, not those of turns that this branch never had."""
    thread = Thread(way)
    first = await thread.begin()
    view, judged = await thread.go(turn(FERRY, "fork"), first)
    assert judged == [["request", "answer-1"]]
    assert "second" not in {message.id for message in view}
    assert request_of(await way.state(thread.graph, run_config())) == FERRY


async def test_sibling_branches_do_not_see_each_other(way):
    """Two forks of one checkpoint, run after one another, start from the same state and give the same view."""
    thread = Thread(way)
    first = await thread.begin()
    left, left_judged = await thread.go(turn(MARKET, "sibling"), first)
    right, right_judged = await thread.go(turn(MARKET, "sibling"), first)
    assert left == right
    assert left_judged == right_judged
    assert len(left_judged[0]) > len(["request", "answer-1"])


async def test_a_replay_gives_the_same_view(way):
    """Running again from an old checkpoint, before the context node or right after it, shows the model what it saw."""
    thread = Thread(way)
    await thread.begin()
    snapshots = [s for s in await way.history(thread.graph, run_config()) if s.next]
    at = {(snapshot.next, snapshot.values["messages"][-1].id): snapshot.config for snapshot in snapshots if snapshot.values.get("messages")}
    first, second = thread.answer.seen
    for step in ("context", "answer"):
        for identity, seen in (("request", first), ("second", second)):
            view, _ = await thread.go(None, at[(step,), identity])
            assert view == seen, (step, identity)


async def test_an_interrupt_in_the_answering_node_keeps_the_view(way):
    """A node that stops to ask finds the same view when it goes on; context mode runs once."""
    seen = []

    def answer(state: ContextInput) -> dict[str, Any]:
        seen.append(context_messages(state))
        return {"messages": [interrupt("Shall I?")]}

    scorer = WordScorer()
    graph = host(answer, node=ContextNode(build_context_graph(config=SETTINGS, scorer=scorer)), checkpointer=way.saver)
    stopped = await way.invoke(graph, {"messages": conversation(FERRY)}, run_config())
    assert stopped["__interrupt__"][0].value == "Shall I?"
    out = await way.invoke(graph, Command(resume="yes"), run_config())
    assert out["messages"][-1].text == "yes"
    assert seen[0] == seen[1]
    assert seen[0][-1].text == FERRY
    assert len(scorer.asked) == 1


async def test_an_interrupt_before_the_answering_node_keeps_the_view(way):
    """A run that stops between context and answer, in whatever process goes on, answers from the view made before."""
    answer, scorer = Answerer(), WordScorer()
    context = ContextNode(build_context_graph(config=SETTINGS, scorer=scorer))
    graph = host(answer, node=context, checkpointer=way.saver, interrupt_before=["answer"])
    await way.invoke(graph, {"messages": conversation(FERRY)}, run_config())
    stopped = await way.state(graph, run_config())
    again = host(answer, node=context, checkpointer=way.saver)
    await way.invoke(again, None, run_config())
    assert answer.seen == [stopped.values["context_view"]["messages"]]
    assert len(scorer.asked) == 1


async def test_an_edit_while_stopped_asks_for_a_new_view(way):
    """After update_state the old view would be stale: it is gone, the error says so, and going back to the node works."""
    answer = Answerer()
    graph = host(answer, checkpointer=way.saver, interrupt_before=["answer"])
    await way.invoke(graph, {"messages": conversation(FERRY)}, run_config())
    stopped = await way.state(graph, run_config())
    await way.update(graph, stopped.config, turn(TOWER, "edit"))
    with pytest.raises(StateSchemaError, match="again after update_state"):
        await way.invoke(graph, None, run_config())
    await way.update(graph, stopped.config, turn(TOWER, "edit"), as_node="__start__")
    await way.invoke(graph, None, run_config())
    await way.invoke(graph, None, run_config())
    assert answer.seen[0][-1].text == TOWER


class Judge:
    """A judge that does something once, and has no opinion from then on."""

    def __init__(self, first):
        self.first = first
        self.calls = 0

    def __call__(self, _request):
        self.calls += 1
        return self.first() if self.calls == 1 else "[]"


def judged_host(way, judge):
    answer = Answerer()
    model = ScriptedChatModel(replies=judge, seconds=0.05)
    return answer, host(answer, node=ContextNode(build_context_graph(config=JUDGED, model=model)), checkpointer=way.saver)


async def assert_nothing_stored_and_go_on(way, graph, answer):
    stopped = await way.state(graph, run_config())
    assert stopped.next == ("context",)
    assert not stopped.values.get("contextmode")
    assert "context_view" not in stopped.values
    assert answer.seen == []
    await way.invoke(graph, None, run_config())
    assert answer.seen[0][-1].text == FERRY
    assert request_of(await way.state(graph, run_config())) == FERRY


async def test_control_flow_passes_through(way):
    """LangGraph's own signals, raised inside the judge, are not taken for a failing judge; the run can be taken up again."""
    answer, graph = judged_host(way, Judge(lambda: GraphBubbleUp("stop")))
    with pytest.raises(GraphBubbleUp, match="stop"):
        await way.invoke(graph, {"messages": conversation(FERRY, filler=60)}, run_config())
    await assert_nothing_stored_and_go_on(way, graph, answer)


async def test_an_interrupted_process_leaves_nothing(way):
    """A keyboard interrupt between the inner nodes, or a cancelled task, writes nothing; the run can be taken up again."""
    started = asyncio.Event()

    def strike():
        started.set()
        if not way.awaited:
            raise KeyboardInterrupt
        return "[]"

    answer, graph = judged_host(way, Judge(strike))
    if way.awaited:
        running = asyncio.create_task(graph.ainvoke({"messages": conversation(FERRY, filler=60)}, run_config()))
        await started.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    else:
        with pytest.raises(KeyboardInterrupt):
            graph.invoke({"messages": conversation(FERRY, filler=60)}, run_config())
    await assert_nothing_stored_and_go_on(way, graph, answer)

"""Agents with context mode as nodes of a larger graph."""

from __future__ import annotations

import pytest
from agents import Agent, look, run
from hosts import conversation
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from langchain_contextmode import ContextConfig, ContextModeMiddleware, EphemeralMemoryStore, Scope
from langchain_contextmode.testing import ScriptedChatModel

CONFIG = ContextConfig(view_tokens=1_500, window_turns=5, summarize_above_tokens=200, summary_slice_turns=2)
LATER = ["And the tower?", "And the garden?", "And the market?", "And the chapel?"]


class Team:
    """A larger graph of agents; the request's first word says who answers, `ann` if it is nobody's name."""

    def __init__(self, *names, private=False, state_keys=None):
        self.models = {name: Agent(replies=lambda _, name=name: AIMessage(f"{name} answers.")) for name in names}
        self.summarisers = {name: ScriptedChatModel(replies=["- The user asked about places."]) for name in names}
        self.store = EphemeralMemoryStore()
        graph = StateGraph(MessagesState)
        for name in names:
            middleware = ContextModeMiddleware(
                config=CONFIG,
                models={"summary": self.summarisers[name]},
                store=self.store,
                private=private,
                state_key=(state_keys or {}).get(name, "contextmode"),
            )
            agent = create_agent(self.models[name], [look], middleware=[middleware], name=name)
            graph.add_node(name, agent, input_schema=None if private else middleware.input_type)
            graph.add_edge(name, END)
        graph.add_conditional_edges(START, lambda state: next((n for n in names if state["messages"][-1].text.startswith(n)), names[0]))
        self.graph = graph.compile(checkpointer=InMemorySaver())

    def ask(self, messages, config=None):
        return self.graph.invoke({"messages": messages}, config or run())

    def summaries(self, name):
        """Return how often an agent's summariser has been asked, in each turn of the standard talk."""
        asked = []
        for messages in (conversation(filler=20), *([HumanMessage(text)] for text in LATER)):
            before = len(self.summarisers[name].requests)
            self.ask(messages)
            asked.append(len(self.summarisers[name].requests) - before)
        return asked


def alone():
    """Return how often the summariser is asked for the standard talk where the agent is the whole graph."""
    summariser = ScriptedChatModel(replies=["- The user asked about places."])
    middleware = ContextModeMiddleware(config=CONFIG, models={"summary": summariser}, store=EphemeralMemoryStore())
    agent = create_agent(Agent(replies=["ann answers."]), [look], middleware=[middleware], checkpointer=InMemorySaver())
    asked = []
    for messages in (conversation(filler=20), *([HumanMessage(text)] for text in LATER)):
        before = len(summariser.requests)
        agent.invoke({"messages": messages}, run())
        asked.append(len(summariser.requests) - before)
    return asked


def test_a_larger_graph_keeps_the_state_of_its_agent():
    """With `private=False` the outer state has the channel, and no turn is summarised again."""
    team = Team("ann")
    assert team.summaries("ann") == alone()
    values = team.graph.get_state(run()).values
    assert set(values) == {"messages", "contextmode"}
    assert [m.text for m in values["messages"]][-4:] == [LATER[2], "ann answers.", LATER[3], "ann answers."]


def test_a_private_channel_does_not_leave_the_agent():
    """As built by default, an agent gives out nothing but its messages."""
    team = Team("ann", private=True)
    team.ask(conversation(filler=20))
    assert set(team.graph.get_state(run()).values) == {"messages"}


def test_two_agents_of_one_graph_have_a_state_each():
    """With two state keys each agent has its own summary, on one log, and neither overwrites the other's."""
    team = Team("ann", "bob", state_keys={"bob": "bobs"})
    team.ask(conversation(filler=20))
    first = team.graph.get_state(run()).values["contextmode"]
    team.ask([HumanMessage("bob, what about the tower?")])
    values = team.graph.get_state(run()).values
    assert values["contextmode"] == first
    assert values["bobs"]["summary"]
    assert values["messages"][-1].text == "bob answers."
    asked = len(team.summarisers["bob"].requests)
    team.ask([HumanMessage("bob, and the garden?")])
    assert len(team.summarisers["bob"].requests) <= asked + 1


def test_a_fork_of_the_larger_graph_takes_the_state_along():
    """From an older snapshot on, the agent knows what it knew then, and its view is that of a thread without the rest."""
    team, other = Team("ann"), Team("ann")
    for one in (team, other):
        one.ask(conversation(filler=20))
    team.ask([HumanMessage("From now on never mention the museum.", id="h2")])
    older = [s for s in team.graph.get_state_history(run()) if len(s.values.get("messages", ())) == len(conversation()) + 1][0]  # noqa: RUF015
    ask = [HumanMessage("And the garden?", id="h3")]
    config = run(checkpoint_id=older.config["configurable"]["checkpoint_id"], checkpoint_ns="")
    team.ask(ask, config)
    other.ask(ask)
    assert [m.text for m in team.models["ann"].requests[-1].messages] == [m.text for m in other.models["ann"].requests[-1].messages]


@pytest.mark.parametrize("mode", ["messages", "updates"])
def test_the_larger_graph_streams_the_agents_words_only(mode):
    """A summariser inside an agent inside a graph is in no stream."""
    team = Team("ann")
    parts = list(team.graph.stream({"messages": conversation(filler=20)}, run(), stream_mode=mode, subgraphs=True))
    assert team.summarisers["ann"].requests
    assert "The user asked about places" not in str([part[1][0].text for part in parts] if mode == "messages" else "")
    if mode == "messages":
        assert [part[1][0].text for part in parts] == ["ann answers."]
    else:
        wrote = [update for _, part in parts for update in part.values() if update and "messages" in update]
        assert all(message.text == "ann answers." for update in wrote for message in update["messages"][-1:])


def test_what_is_said_to_an_agent_of_a_graph_is_remembered_once():
    """Two agents with one store write a statement once."""
    team = Team("ann", "bob", state_keys={"bob": "bobs"})
    team.ask([HumanMessage("I'm vegetarian.")])
    team.ask([HumanMessage("bob, what do you cook?")])
    assert [memory.text for memory in team.store.list(Scope("u1", "t1"))] == ["I'm vegetarian."]

"""An agent on `ChatOpenAI`, over HTTP: thirty turns with tools, and everything that can go wrong on the way."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import openai
import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from openai_server import Cuts, Hangs, Refuses, Says, serving, tokens_of

from langchain_contextmode import ContextConfig, ContextModeMiddleware, EphemeralMemoryStore, Scope, build_chat_graph

pytestmark = pytest.mark.integration

TURNS = 30
CONFIG = ContextConfig(
    view_tokens=1_500, protect_messages=2, filter_above_messages=4, keep_score=10, compress_score=0, judge_max_messages=12
)
RUN = {"configurable": {"thread_id": "t1", "user_id": "u1"}}
TOO_LONG = Refuses(400, "This model's maximum context length is exceeded.", "context_length_exceeded")
JUDGED = "JUDGE SPEAKING"


@tool
def stock(item: str) -> str:
    """Say how many of an item there are."""
    return f"{item}: {len(item)} pieces. " + f"Shelf of {item} is on the left. " * 12


class Script:
    """What the answering model does in each turn; faults come first, each once."""

    def __init__(self, faults=()):
        self.faults = defaultdict(list, {place: list(what) for place, what in dict(faults).items()})
        self.steps = Counter()  # a small view may show an early step as a line only, so that steps cannot be counted in the request

    def __call__(self, body):
        if body["model"] == "judge":
            return Says(JUDGED)
        newest = max(index for index, message in enumerate(body["messages"]) if message["role"] == "user")
        turn = int(re.search(r"Turn (\d+)", str(body["messages"][newest]["content"])).group(1))
        step = self.steps[turn]
        if self.faults[turn, step]:
            return self.faults[turn, step].pop(0)
        self.steps[turn] += 1
        if step < steps_of(turn):
            return Says("Let me look." if turn % 2 else "", tuple(("stock", {"item": item}) for item in items_of(turn, step)))
        return Says(answer_of(turn))


def steps_of(turn):
    return turn % 3


def items_of(turn, step):
    return [f"part-{turn}-{step}-{number}" for number in range(turn % 4 + 1)]


def answer_of(turn):
    return f"Answer {turn}: all parts are there."


def question_of(turn):
    extra = "I'm allergic to peanuts. " if turn == 1 else "The harbour was lovely in that light, and we stayed for long. " * 3
    return f"Turn {turn}: {extra}How many parts are left?"


def expected(turns):
    """Return the log as it has to be in the checkpointer: kinds and texts."""
    log = []
    for turn in turns:
        log.append(("human", question_of(turn)))
        for step in range(steps_of(turn)):
            log.append(("ai", "Let me look. " if turn % 2 else ""))
            log += [("tool", stock.invoke({"item": item})) for item in items_of(turn, step)]
        log.append(("ai", answer_of(turn) + " "))
    return log


def chat_model(server, name="answerer", **settings):
    given = {"base_url": server.url, "api_key": "none", "timeout": 0.7, "max_retries": 2, "streaming": True, **settings}
    return ChatOpenAI(model=name, **given)


def an_agent(server, *, retries=0, **settings):
    before = [ModelRetryMiddleware(max_retries=retries, initial_delay=0.0, jitter=False)] if retries else []
    given = {"config": CONFIG, "models": {"filter": chat_model(server, "judge")}, **settings}
    context = ContextModeMiddleware(**given)
    return create_agent(chat_model(server), [stock], middleware=[*before, context], system_prompt="Be exact.", checkpointer=InMemorySaver())


@pytest.fixture(params=["blocking", "awaited"])
def stream(request):
    """Stream a run in both forms, to its end."""

    async def blocking(graph, given, config=RUN, **more):
        return list(graph.stream(given, config, stream_mode=["messages", "updates", "custom"], **more))

    async def awaited(graph, given, config=RUN, **more):
        return [part async for part in graph.astream(given, config, stream_mode=["messages", "updates", "custom"], **more)]

    return blocking if request.param == "blocking" else awaited


def of(parts, mode):
    return [part for kind, part in parts if kind == mode]


async def test_thirty_turns_with_tools_and_faults(stream):
    """Every turn is answered, only the agent speaks in the stream, the log is whole, and each request was judged once."""
    script = Script(
        {
            (3, 0): [Refuses(429)],
            (5, 1): [Refuses(500), Refuses(500)],
            (8, 0): [Hangs(2.0)],
            (11, 1): [TOO_LONG],
            (14, 2): [Cuts("Half an")],
            (17, 0): [TOO_LONG, TOO_LONG],
            (20, 1): [Refuses(429), TOO_LONG, Refuses(500), Cuts("Half a sentence")],
        }
    )
    store = EphemeralMemoryStore()
    with serving(script) as server:
        agent = an_agent(server, retries=2, store=store)
        for turn in range(1, TURNS + 1):
            before = len(server.requests)
            parts = await stream(agent, {"messages": [HumanMessage(question_of(turn))]})
            shown(parts, turn)
            models = [body["model"] for body in server.requests[before:]]
            assert "judge" not in models[models.index("answerer") :], "judged again between two steps"
            assert len(models) <= 2 * CONFIG.judge_max_messages + 12
        assert server.refused == []
        assert len(server.of("judge")) > TURNS / 2, "the judge was asked"
        assert sum(map(len, script.faults.values())) == 0
        for body in server.of("answerer"):
            assert "allergic to peanuts" in str(body["messages"])
    log = agent.get_state(RUN).values["messages"]
    assert [(message.type, message.text) for message in log] == expected(range(1, TURNS + 1))
    assert len({message.id for message in log}) == len(log)
    assert [memory.text for memory in store.list(Scope("u1", "t1"))] == ["Turn 1: I'm allergic to peanuts."]


def shown(parts, turn, view_tokens=CONFIG.view_tokens):
    """Check what a turn's stream shows: the agent's words and results, its nodes' updates, reports within the budget."""
    assert JUDGED not in str(parts)
    for chunk, metadata in of(parts, "messages"):
        assert isinstance(chunk, AIMessage | ToolMessage), chunk
        assert metadata["langgraph_node"] in {"model", "tools"}
    said = "".join(chunk.text for chunk, _ in of(parts, "messages") if isinstance(chunk, AIMessage))
    assert said.endswith(answer_of(turn) + " ")
    for update in of(parts, "updates"):
        for node, wrote in update.items():
            assert "messages" not in (wrote or {}) or node in {"model", "tools"}, node
    for event in of(parts, "custom"):
        assert event["type"] == "contextmode"
        assert event["report"]["tokens"] <= view_tokens


async def test_an_overflow_that_stays_is_the_providers_error(stream):
    """After two smaller views the provider's own error comes through; the next request of the user is answered."""
    script = Script({(6, 0): [TOO_LONG] * 3})
    with serving(script) as server:
        agent = an_agent(server)
        for turn in range(1, 6):
            await stream(agent, {"messages": [HumanMessage(question_of(turn))]})
        with pytest.raises(openai.BadRequestError, match="maximum context length"):
            await stream(agent, {"messages": [HumanMessage(question_of(6))]})
        sizes = [tokens_of(body) for body in server.of("answerer")][-3:]
        assert sizes[0] > sizes[1] > sizes[2]
        shown(await stream(agent, {"messages": [HumanMessage(question_of(7))]}), 7)
    log = [(message.type, message.text) for message in agent.get_state(RUN).values["messages"]]
    assert log == [*expected(range(1, 6)), ("human", question_of(6)), *expected([7])]


async def test_a_real_window_that_is_smaller_than_configured_is_met(stream):
    """A server whose window is smaller than anybody knew gets views that it takes."""
    with serving(Script(), window_tokens=1_250) as server:
        agent = an_agent(server, config=CONFIG.model_copy(update={"view_tokens": 1_800}))
        for turn in range(1, 11):
            shown(await stream(agent, {"messages": [HumanMessage(question_of(turn))]}), turn, view_tokens=1_800)
        sizes = [tokens_of(body) for body in server.of("answerer")]
        assert max(sizes) > server.window_tokens, "the window was met"
        assert server.refused == []


@pytest.mark.parametrize("fault", [Cuts("Half an ans"), Hangs(2.0), Refuses(500)])
async def test_a_turn_that_failed_is_taken_up_where_it_stopped(stream, fault):
    """Without a retry the fault is the caller's; resumed, the turn is judged and written no second time."""
    script = Script({(2, 1): [fault] * 6})
    with serving(script) as server:
        agent = an_agent(server)
        await stream(agent, {"messages": [HumanMessage(question_of(1))]})
        with pytest.raises(Exception):  # noqa: B017  (each fault is another error of the client)
            await stream(agent, {"messages": [HumanMessage(question_of(2))]})
        script.faults.clear()
        judged = len(server.of("judge"))
        shown(await stream(agent, None), 2)
        assert len(server.of("judge")) == judged
    assert [(m.type, m.text) for m in agent.get_state(RUN).values["messages"]] == expected([1, 2])


async def test_a_chat_over_http(stream):
    """The chat graph streams the answer only, meets an overflow with a smaller view, and leaves the log as it is."""

    def reply(body):
        if body["model"] == "judge":
            return Says(JUDGED)
        return Says(noted) if len(server.of("answerer")) != 9 else TOO_LONG

    noted = "Fine, noted. " + "It is a long way to the harbour, and the light is best in the evening. " * 20
    with serving(reply) as server:
        judge, store = chat_model(server, "judge"), EphemeralMemoryStore()
        chat = build_chat_graph(
            chat_model(server),
            models={"filter": judge},
            config=CONFIG,
            store=store,
            checkpointer=InMemorySaver(),
            system_prompt="Be exact.",
        )
        for turn in range(1, 13):
            parts = await stream(chat, {"messages": [HumanMessage(question_of(turn))]})
            assert "".join(chunk.text for chunk, _ in of(parts, "messages")) == noted + " "
            assert {metadata["langgraph_node"] for _, metadata in of(parts, "messages")} == {"answer"}
            assert JUDGED not in str(parts)
            assert {event["type"] for event in of(parts, "custom")} == {"contextmode"}
        assert server.refused == []
        assert server.of("judge")
        assert len(server.of("answerer")) == 13
        assert all(body["messages"][0] == {"role": "system", "content": "Be exact."} for body in server.of("answerer"))
    log = chat.get_state(RUN).values["messages"]
    assert [m.text for m in log] == [text for turn in range(1, 13) for text in (question_of(turn), noted + " ")]


async def test_events_of_internal_calls_carry_our_tag():
    """`astream_events` shows internal calls, tagged `contextmode`; the answer's events are those without the tag."""
    with serving(Script()) as server:
        agent = an_agent(server)
        for turn in (1, 2):
            await agent.ainvoke({"messages": [HumanMessage(question_of(turn))]}, RUN)
        events = [event async for event in agent.astream_events({"messages": [HumanMessage(question_of(3))]}, RUN, version="v2")]
    spoken = [event for event in events if event["event"] == "on_chat_model_stream"]
    said = "".join(event["data"]["chunk"].text for event in spoken if "contextmode" not in event["tags"])
    assert said == answer_of(3) + " "
    judged = [event for event in events if event["event"] == "on_chat_model_start" and "contextmode" in event["tags"]]
    assert judged
    assert {event["metadata"]["lc_source"] for event in judged} == {"contextmode"}

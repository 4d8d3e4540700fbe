"""Context mode in front of an agent's model."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from agents import Agent, agent, asks, look, run, turns
from hosts import conversation
from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    ModelFallbackMiddleware,
    ModelRetryMiddleware,
    PIIMiddleware,
    ToolCallLimitMiddleware,
)
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.types import Command
from pydantic import BaseModel

from langchain_contextmode import (
    BudgetError,
    ConfigError,
    ContextConfig,
    ContextModeMiddleware,
    EphemeralMemoryStore,
    RunContext,
    Scope,
    ScopeError,
    TaskSpec,
    ToolSource,
    prepare_context,
)
from langchain_contextmode.testing import ScriptedChatModel

SMALL = ContextConfig(view_tokens=900)
JUDGED = ContextConfig(view_tokens=2_000, protect_messages=2, filter_above_messages=4, keep_score=10, compress_score=0)


class Finding(BaseModel):
    """What was found."""

    summary: str


def said(request):
    return [(m.type, m.text) for m in request.messages]


@pytest.fixture(params=["blocking", "awaited"])
def invoke(request):
    """Run an agent in both forms."""
    if request.param == "blocking":
        return lambda built, *given, **more: built.invoke(*given, **more)
    return lambda built, *given, **more: asyncio.run(built.ainvoke(*given, **more))


def test_the_model_sees_the_view_and_the_history_stays(invoke):
    """The model gets what fits, system prompt first; the checkpointer keeps every message as it was."""
    built, model = agent(["Nine."], config=SMALL, system_prompt="Be brief.")
    log = conversation(filler=20)
    out = invoke(built, {"messages": log}, run())
    sent = model.requests[0].messages
    assert sent[0] == SystemMessage("Be brief.", id=sent[0].id)
    assert len(sent) < len(log)
    assert [m.content for m in out["messages"]] == [*(m.content for m in log), "Nine."]
    assert [m.id for m in built.get_state(run()).values["messages"][:-1]] == [m.id for m in log]
    assert set(out) == {"messages"}


def test_an_agent_sends_what_prepare_context_would(invoke):
    """The view is that of `prepare_context` on system prompt and history, with the agent's tools counted."""
    built, model = agent(turns(steps=3), config=SMALL, system_prompt="Be brief.")
    log = conversation(filler=20)
    out = invoke(built, {"messages": log}, run())["messages"]
    ends = [index for index, message in enumerate(out) if message.type == "ai" and index >= len(log)]
    for request, end in zip(model.requests, ends, strict=True):
        given = [SystemMessage("Be brief.", id="s"), *out[:end]]
        view = prepare_context(given, scope=Scope("u1", "t1"), config=SMALL, tools=[look])
        assert said(request) == [(m.type, m.text) for m in view.messages]


def test_a_request_is_judged_once_however_many_steps_follow(invoke):
    """Judge, memory and task are asked at the beginning of a user turn, not once a tool step."""
    judge = ScriptedChatModel(replies=["[]"])
    store = Counting()
    built, model = agent(turns(["One.", "Two."], steps=4), config=JUDGED, models={"filter": judge}, store=store)
    invoke(built, {"messages": conversation(filler=60)}, run())
    first, searches = len(judge.requests), store.searches
    assert first
    assert searches <= 2  # as said, and completed by what was said before
    invoke(built, {"messages": [HumanMessage("And the bakery?")]}, run())
    assert len(model.requests) == 10
    assert len(judge.requests) <= 2 * first
    assert store.searches <= 4


class Counting(EphemeralMemoryStore):
    searches = 0

    def search(self, *given, **more):
        self.searches += 1
        return super().search(*given, **more)


def test_long_results_of_a_turn_are_shortened_between_its_steps(invoke):
    """A turn of many long results stays inside the view, each call with its result, and the newest call is there."""
    built, model = agent(turns(steps=12), config=ContextConfig(view_tokens=1_200))
    invoke(built, {"messages": [HumanMessage("Look at all parts.")]}, run())
    last = model.requests[-1].messages
    calls = [call["id"] for m in last if isinstance(m, AIMessage) for call in m.tool_calls]
    assert calls == [m.tool_call_id for m in last if isinstance(m, ToolMessage)]
    assert calls[-1] == "c0-11"
    assert sum(len(m.text) for m in last) < 12 * 900


def test_a_tools_value_reaches_the_board_in_the_same_turn(invoke):
    """A tool result that the task maps is on the board of the next model call, and kept."""

    class Order(BaseModel):
        price: float | None = None

    task = TaskSpec.from_model(Order, nodes={"quote": ["price"]}, sources={"price": ToolSource("quote", ("price",))})

    def quote() -> str:
        """Quote."""
        return json.dumps({"price": 12.5})

    call = AIMessage("", tool_calls=[{"name": "quote", "args": {}, "id": "c1"}])
    built, model = agent([call, "It costs 12.50."], task=task, tools=[quote])
    invoke(built, {"messages": [HumanMessage("What does it cost?")]}, run())
    assert "12.5" in model.requests[1].messages[0].text + model.requests[1].messages[1].text
    assert built.get_state(run()).values["contextmode"]["task"]


def test_what_the_user_said_is_remembered_after_the_agent(invoke):
    """A preference is in the store when the agent is done, once, and of that user and thread only."""
    store = EphemeralMemoryStore()
    built, _ = agent(turns(steps=2), store=store)
    invoke(built, {"messages": [HumanMessage("I'm vegetarian. Find a cafe.")]}, run())
    assert [memory.text for memory in store.list(Scope("u1", "t1"))] == ["I'm vegetarian."]
    assert store.list(Scope("u2", "t1"), all_sessions=True) == []


def test_a_run_may_stay_silent_and_small(invoke):
    """`remember=False` and `view_tokens` of one run hold for that run, from context or configurable."""
    store = EphemeralMemoryStore()
    built, model = agent(["Ok.", "Ok."], store=store, context_schema=RunContext)
    context = RunContext(user_id="u1", session_id="s1", remember=False, view_tokens=300)
    invoke(built, {"messages": [*conversation(filler=20)[:-1], HumanMessage("I'm vegetarian.")]}, run(), context=context)
    assert store.list(Scope("u1", "s1"), all_sessions=True) == []
    assert sum(len(m.text) for m in model.requests[0].messages) < 1_600
    invoke(built, {"messages": [HumanMessage("Hello")]}, run(remember=False, view_tokens=200))
    assert len(model.requests[1].messages) < 6
    with pytest.raises(ConfigError, match="view_tokens"):
        invoke(built, {"messages": [HumanMessage("Hello")]}, run(view_tokens="many"))


def test_without_a_user_nothing_runs(invoke):
    """A run that says nobody's name is a ScopeError that shows how to pass it."""
    built, model = agent(["Ok."])
    with pytest.raises(ScopeError, match="user_id"):
        invoke(built, {"messages": [HumanMessage("Hello")]}, {"configurable": {"thread_id": "t1"}})
    assert model.requests == []


def test_an_overflow_makes_the_view_smaller_at_most_twice(invoke):
    """A provider that refuses gets a smaller view; after two of them its error comes through."""
    sizes = []

    def refuse(times):
        def reply(request):
            sizes.append(sum(len(m.text) for m in request.messages))
            return ContextOverflowError("too long") if len(sizes) <= times else "Nine."

        return reply

    built, _ = agent(refuse(2), config=ContextConfig(view_tokens=2_000))
    out = invoke(built, {"messages": conversation(filler=40)}, run())
    assert out["messages"][-1].text == "Nine."
    assert sizes[0] > sizes[1] > sizes[2]
    sizes.clear()
    built, _ = agent(refuse(3), config=ContextConfig(view_tokens=2_000))
    with pytest.raises(ContextOverflowError):
        invoke(built, {"messages": conversation(filler=40)}, run())
    assert len(sizes) == 3


def test_what_cannot_fit_is_a_budget_error_and_calls_no_model(invoke):
    """A request larger than the view is an error with numbers."""
    built, model = agent(["Ok."], config=ContextConfig(view_tokens=100))
    with pytest.raises(BudgetError):
        invoke(built, {"messages": [HumanMessage("word " * 500)]}, run())
    assert model.requests == []


def test_a_fallback_gets_a_view_of_its_own_size(invoke):
    """Behind a fallback each model is sent what its own window holds."""
    small = Agent(replies=["From the small one."], window=1_500)
    built, big = agent([RuntimeError("down")], ModelFallbackMiddleware(small), window=100_000)
    out = invoke(built, {"messages": conversation(filler=60)}, run())
    assert out["messages"][-1].text == "From the small one."
    assert len(small.requests[0].messages) < len(big.requests[0].messages)


def test_a_retry_sends_the_same_view(invoke):
    """A failed call that is tried again is sent what it was sent before."""
    replies = [RuntimeError("down"), "Nine."]
    built, model = agent(replies, ModelRetryMiddleware(max_retries=2, initial_delay=0.0, jitter=False), config=SMALL)
    invoke(built, {"messages": conversation(filler=20)}, run())
    assert said(model.requests[0]) == said(model.requests[1])


def test_personal_data_that_was_redacted_is_in_no_view(invoke):
    """What the PII middleware takes out of the messages, context mode never sees."""
    store = EphemeralMemoryStore()
    built, model = agent(["Ok.", "Ok."], PIIMiddleware("email", strategy="redact"), store=store)
    invoke(built, {"messages": [HumanMessage("My email is ann@example.org, always write there.")]}, run())
    invoke(built, {"messages": [HumanMessage("Where do you write?")]}, run())
    assert "ann@example.org" not in str([said(request) for request in model.requests]) + str(store.list(Scope("u1", "t1")))


def test_a_tool_limit_still_counts(invoke):
    """The tool limit ends the loop as it does without context mode."""
    built, _ = agent(turns(steps=6), ToolCallLimitMiddleware(run_limit=2, exit_behavior="end"), config=SMALL)
    out = invoke(built, {"messages": [HumanMessage("Look.")]}, run())
    assert sum(isinstance(m, ToolMessage) and m.status != "error" for m in out["messages"]) <= 2


def test_an_interrupt_resumes_with_the_same_decisions(invoke):
    """A tool call that waits for a human goes on after the resume, and the request is not judged again."""
    judge = ScriptedChatModel(replies=["[]"])
    gate = HumanInTheLoopMiddleware(interrupt_on={"look": True})
    built, model = agent([asks("ferry", "c1"), "At nine."], after=[gate], config=JUDGED, models={"filter": judge})
    out = invoke(built, {"messages": conversation(filler=60)}, run())
    asked = len(judge.requests)
    assert "__interrupt__" in out
    out = invoke(built, Command(resume={"decisions": [{"type": "approve"}]}), run())
    assert out["messages"][-1].text == "At nine."
    assert len(judge.requests) == asked
    assert [m.type for m in model.requests[1].messages][-2:] == ["ai", "tool"]


def test_prompt_caching_marks_what_is_sent(invoke):
    """Anthropic's prompt caching behind context mode marks the view, not the history."""
    caching = pytest.importorskip("langchain_anthropic.middleware").AnthropicPromptCachingMiddleware
    built, model = agent(["Ok."], after=[caching(unsupported_model_behavior="ignore")], system_prompt="Be brief.", config=SMALL)
    invoke(built, {"messages": conversation(filler=20)}, run())
    assert model.requests[0].messages[0].text == "Be brief."


@pytest.mark.parametrize("form", [ToolStrategy(Finding), Finding])
def test_structured_output_is_untouched_and_counted(invoke, form):
    """A response format gives its object, and its schema is part of the budget."""
    call = AIMessage("", tool_calls=[{"name": "Finding", "args": {"summary": "open"}, "id": "c1"}])
    built, _ = agent([call], config=SMALL, response_format=form)
    out = invoke(built, {"messages": conversation(filler=20)}, run())
    assert out["structured_response"] == Finding(summary="open")


def test_a_providers_schema_is_counted():
    """A schema that travels outside the tools takes room, too."""
    from langchain_contextmode.middleware import _response_tools  # noqa: PLC0415

    assert _response_tools(ProviderStrategy(Finding))[0]["function"]["parameters"]["properties"] == {
        "summary": {"title": "Summary", "type": "string"}
    }
    assert _response_tools(None) == []


def test_one_instance_serves_two_agents_and_many_threads():
    """16 threads on one instance: each model call sees its own user's messages and nobody else's."""
    middleware = ContextModeMiddleware(config=SMALL, store=EphemeralMemoryStore())
    models = [Agent(replies=lambda request: AIMessage(f"You said {request.messages[-1].text}")) for _ in range(2)]
    agents = [create_agent(model, [look], middleware=[middleware]) for model in models]

    def talk(number):
        log = [*conversation(filler=20)[:-1], HumanMessage(f"I am user {number}, and I like tea {number}.", id=f"q{number}")]
        return agents[number % 2].invoke({"messages": log}, run(f"t{number}", f"u{number}"))["messages"][-1].text

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(talk, range(64)))
    assert answers == [f"You said I am user {number}, and I like tea {number}." for number in range(64)]
    for request in [*models[0].requests, *models[1].requests]:
        assert len(set(re.findall(r"tea (\d+)", " ".join(m.text for m in request.messages)))) == 1


async def test_many_tasks_share_one_instance_and_never_block_the_loop():
    """64 tasks on one instance: no mixed views, and nothing blocks the event loop."""
    blockbuster = pytest.importorskip("blockbuster")
    store = EphemeralMemoryStore()
    model = Agent(replies=lambda request: AIMessage(f"You said {request.messages[-1].text}"))
    built = create_agent(model, [look], middleware=[ContextModeMiddleware(config=SMALL, store=store)])

    async def talk(number):
        log = [*conversation(filler=20)[:-1], HumanMessage(f"I'm vegetarian, says {number}.", id=f"q{number}")]
        return (await built.ainvoke({"messages": log}, run(f"t{number}", f"u{number}")))["messages"][-1].text

    await talk(0)  # imports are lazy, and read files
    with blockbuster.blockbuster_ctx("langchain_contextmode"):
        answers = await asyncio.gather(*(talk(number) for number in range(64)))
    assert answers == [f"You said I'm vegetarian, says {number}." for number in range(64)]
    for number in range(64):
        assert len(store.list(Scope(f"u{number}", f"t{number}"), all_sessions=True)) == 1


def test_the_stream_shows_the_answer_only():
    """`messages` holds the agent's own words and results; reports are custom events; a judge is nowhere."""
    judge = ScriptedChatModel(replies=["SPOKEN BY THE JUDGE"])
    built, _ = agent(turns(steps=1), config=JUDGED, models={"filter": judge})
    parts = list(built.stream({"messages": conversation(filler=60)}, run(), stream_mode=["messages", "updates", "custom"]))
    assert judge.requests
    assert "SPOKEN BY" not in str(parts)
    assert {part[1]["type"] for part in parts if part[0] == "custom"} == {"contextmode"}
    shown = [part[1][0].text for part in parts if part[0] == "messages"]
    assert len(shown) == 3
    assert shown[-1] == "Done."


def test_two_agents_in_one_state_have_a_channel_each():
    """With two state keys two instances share an agent, and each keeps its own state."""
    second = ContextModeMiddleware(state_key="reviewer", config=SMALL)
    built, _ = agent(["Ok."], second, config=SMALL)
    built.invoke({"messages": [HumanMessage("I'm vegetarian.")]}, run())
    values = built.get_state(run()).values
    assert values["contextmode"]["pins"] == values["reviewer"]["pins"]


def test_wrong_arguments_are_refused_when_built():
    """A reserved state key, tools and unknown arguments are errors that say what to do."""
    for wrong in ({"state_key": "messages"}, {"state_key": "a b"}, {"tools": [look]}):
        with pytest.raises(ConfigError):
            ContextModeMiddleware(**wrong)
    with pytest.raises(TypeError):
        ContextModeMiddleware(budget=3)


def test_a_request_is_judged_once_though_the_prompt_takes_the_room(invoke):
    """Where system prompt, tools or a turn's steps press the history, what the judge has not seen is scored locally, retries or not."""
    judge = ScriptedChatModel(replies=["[]"])
    asked = []

    def reply(_):
        asked.append(len(judge.requests))
        return [ConnectionError("away"), ConnectionError("away"), asks("ferry", "c1"), asks("tower", "c2"), "Done."][len(asked) - 1]

    config = ContextConfig(view_tokens=7_000, protect_messages=2, keep_score=10, compress_score=0, filter_above_messages=1_000)
    retry = ModelRetryMiddleware(max_retries=3, initial_delay=0.0, jitter=False)
    built, _ = agent(reply, retry, config=config, models={"filter": judge}, system_prompt="Be brief. " * 1_500)
    out = invoke(built, {"messages": conversation(filler=60)}, run())
    assert out["messages"][-1].text == "Done."
    assert len(asked) == 5
    assert asked[0] > 0
    assert set(asked) == {asked[0]}


def test_what_a_judge_dropped_stays_out_of_every_call_of_the_turn(invoke):
    """The verdicts of the beginning of a turn hold in all of its model calls."""

    def verdicts(request):
        labels = sorted(set(re.findall(r"\bm\d+\b", request.text)))
        return json.dumps([{"id": label, "score": 0, "action": "drop", "reason": "no"} for label in labels])

    judge = ScriptedChatModel(replies=verdicts)
    built, model = agent(turns(steps=3), config=JUDGED, models={"filter": judge}, system_prompt="Be brief.")
    invoke(built, {"messages": conversation("What do you think of all this?", filler=60)}, run())
    assert judge.requests
    shown = [{m.id for m in request.messages if str(m.id).startswith(("h-", "a-"))} for request in model.requests]
    assert shown[0] != {m.id for m in conversation() if m.id != "request"}
    assert all(later <= shown[0] for later in shown)


class Broken(EphemeralMemoryStore):
    """A store that is away."""

    searches = 0

    def search(self, *_, **__):
        self.searches += 1
        message = "away"
        raise ConnectionError(message)


@pytest.mark.parametrize("awaited", [False, True])
async def test_what_went_wrong_is_in_every_report_of_the_turn(awaited):
    """A store and a judge that fail are asked once a turn, and each report of it names them; the next turn asks again."""
    judge, store = ScriptedChatModel(replies=[ConnectionError("no judge")]), Broken()
    built, _ = agent(turns(["One.", "Two."], steps=3), config=JUDGED, models={"filter": judge}, store=store)
    for number, messages in enumerate((conversation(filler=60), [HumanMessage("And when does the big bakery open?")])):
        asked, searched = len(judge.requests), store.searches
        if awaited:
            events = [event async for event in built.astream({"messages": messages}, run(), stream_mode="custom")]
        else:
            events = list(built.stream({"messages": messages}, run(), stream_mode="custom"))
        assert len(events) == 5
        for event in events:
            assert {item["step"] for item in event["report"]["degraded"]} >= {"filter", "recall"}, number
        assert store.searches == searched + 1
        assert len(judge.requests) > asked
        assert sum(len(event["report"]["calls"]) for event in events) == len(events[0]["report"]["calls"])

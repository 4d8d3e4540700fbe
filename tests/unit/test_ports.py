from __future__ import annotations

import asyncio
import math
import subprocess
import sys
import threading
import time
from contextvars import ContextVar
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langgraph.errors import GraphInterrupt
from langgraph.graph import MessagesState, StateGraph

from langchain_contextmode._ports import AsyncIO, BlockingIO, CallFailedError, finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.errors import StepError
from langchain_contextmode.testing import ScriptedChatModel

FORMS = [BlockingIO, AsyncIO]


def run(io, coroutine):
    """Drive a step the way its IO needs it."""
    return finish(coroutine) if isinstance(io, BlockingIO) else asyncio.run(coroutine)


def open_io(form, model=None, *, embeddings=None, run_config=None, **settings):
    return form(ContextConfig(**settings), models={"filter": model} if model else {}, embeddings=embeddings, run_config=run_config)


def ask(io, prompt="hello", **options):
    return io.ask(prompt, role="filter", name="probe", max_tokens=20, **options)


class Recorder(BaseCallbackHandler):
    """Notes what a tracer sees of each chat model call."""

    def __init__(self):
        """Start empty."""
        self.seen: list[dict[str, Any]] = []

    def on_chat_model_start(self, _serialized, _messages, *, run_id, parent_run_id=None, tags=None, metadata=None, **kwargs):
        """Note one start."""
        self.seen.append({"run_id": run_id, "parent": parent_run_id, "tags": tags, "metadata": metadata, "name": kwargs.get("name")})


class BrokenEmbeddings(Embeddings):
    """Returns what the test wants."""

    def __init__(self, answer):
        """Keep the answer."""
        self.answer = answer

    def embed_documents(self, _texts):
        """Return or raise the answer."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def embed_query(self, text):
        """Return the first vector."""
        return self.embed_documents([text])[0]


@pytest.mark.parametrize("form", FORMS)
def test_one_step_runs_blocking_and_awaiting(form):
    """The same step brings the same result with and without an event loop."""
    io = open_io(form, ScriptedChatModel(replies=["a", "b"]), embeddings=DeterministicFakeEmbedding(size=4))

    async def step():
        first = await ask(io)
        second = await ask(io)
        return first.text, second.text, await io.embed(["x", "y"]), await io.embed([])

    assert io.has("filter")
    assert not io.has("filter_fine")
    assert io.can_embed
    first, second, vectors, none = run(io, step())
    assert (first, second, none) == ("a", "b", [])
    assert [len(vector) for vector in vectors] == [4, 4]


def test_a_step_that_awaits_something_else_is_refused():
    """Awaiting anything but the BlockingIO under finish is an error that names the step."""

    async def impatient():
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="impatient suspended"):
        finish(impatient())


def test_what_a_step_raises_comes_out_of_finish():
    """An error inside a step is raised as it is."""

    async def step():
        raise KeyError

    with pytest.raises(KeyError):
        finish(step())


@pytest.mark.parametrize("form", FORMS)
def test_the_prompt_is_one_human_message_with_sampling_options(form):
    """A model gets the prompt as one human message, temperature 0, the reply limit, the caller's options, and no tools."""
    model = ScriptedChatModel(replies=["ok"])
    io = open_io(form, model)
    run(io, ask(io, "text {x}", logprobs=True))
    [request] = model.requests
    assert request.messages == [HumanMessage("text {x}")]
    assert {key: value for key, value in request.options.items() if value is not None} == {
        "temperature": 0,
        "max_tokens": 20,
        "logprobs": True,
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_refuses_options_is_asked_without(form):
    """One retry without options saves the call, later calls spare themselves the refusal, and every request is on record."""

    def reply(request):
        return ValueError("Unsupported parameter: 'temperature'") if "temperature" in request.options else "fine"

    model = ScriptedChatModel(replies=reply)
    io = open_io(form, model)

    async def step():
        return [(await ask(io)).text for _ in range(2)]

    assert run(io, step()) == ["fine", "fine"]
    assert len(model.requests) == 3
    assert [record["ok"] for record in io.calls] == [False, True, True]


@pytest.mark.parametrize("form", FORMS)
def test_a_passing_fault_does_not_cost_the_options(form):
    """A fault that has nothing to do with options is not asked again at once, and the next call carries them."""
    model = ScriptedChatModel(replies=[ConnectionError("429 too many requests"), "a"])
    io = open_io(form, model)

    async def step():
        with pytest.raises(CallFailedError):
            await ask(io)
        await ask(io)

    run(io, step())
    assert ["temperature" in request.options for request in model.requests] == [True, True]
    assert [record["ok"] for record in io.calls] == [False, True]


def test_a_target_that_cannot_be_called_frees_its_place():
    """A collaborator without the method fails at once, as often as it is asked."""
    io = open_io(BlockingIO, "gpt-4", max_concurrency=1)
    for _ in range(3):
        with pytest.raises(CallFailedError, match="invoke"):
            run(io, ask(io))


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_raises_is_a_failed_call(form):
    """An error is one CallFailedError with the reason, and the record says so."""
    model = ScriptedChatModel(replies=[ConnectionError("no route to host")])
    io = open_io(form, model)
    with pytest.raises(CallFailedError, match="no route to host"):
        run(io, ask(io))
    assert len(model.requests) == 1
    [record] = io.calls
    assert (record["name"], record["role"], record["ok"]) == ("probe", "filter", False)
    assert "no route" in record["why"]


@pytest.mark.parametrize("form", FORMS)
def test_a_call_is_limited_in_time(form):
    """A model that hangs is given up after call_timeout_seconds and not asked again."""
    model = ScriptedChatModel(replies=["late"], seconds=1.5)
    io = open_io(form, model, call_timeout_seconds=0.1)
    started = time.perf_counter()
    with pytest.raises(CallFailedError, match="time limit"):
        run(io, ask(io))
    assert time.perf_counter() - started < 1
    assert len(model.requests) == 1


@pytest.mark.parametrize("form", FORMS)
def test_all_calls_together_are_limited_in_time(form):
    """When the preparation's time is used up, further calls fail at once."""
    io = open_io(form, ScriptedChatModel(replies=["x"], seconds=0.3), prepare_timeout_seconds=0.45)

    async def step():
        return await io.all([ask(io), *[_later(io) for _ in range(3)]])

    async def _later(io):
        await ask(io)
        return await ask(io)

    started = time.perf_counter()
    results = run(io, step())
    assert results[0].text == "x"
    assert all(isinstance(result, CallFailedError) for result in results[1:])
    with pytest.raises(CallFailedError, match="used up"):
        run(io, ask(io))
    assert time.perf_counter() - started < 1.5


def test_a_late_answer_is_ignored_and_the_interpreter_can_end():
    """A blocking call that was given up neither changes anything later nor keeps the program alive."""
    program = (
        "from langchain_contextmode._ports import BlockingIO, CallFailedError, finish\n"
        "from langchain_contextmode.config import ContextConfig\n"
        "from langchain_contextmode.testing import ScriptedChatModel\n"
        "io = BlockingIO(ContextConfig(call_timeout_seconds=0.05), models={'filter': ScriptedChatModel(replies=['x'], seconds=60)})\n"
        "try:\n    finish(io.ask('p', role='filter', name='n', max_tokens=1))\n"
        "except CallFailedError:\n    print('given up', len(io.calls))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=45, check=True)
    assert done.stdout.strip() == "given up 1"


@pytest.mark.parametrize("form", FORMS)
def test_interrupts_pass_through(form):
    """LangGraph's own control flow is never taken for a failed call."""
    io = open_io(form, ScriptedChatModel(replies=[GraphInterrupt()]))
    with pytest.raises(GraphInterrupt):
        run(io, ask(io))
    with pytest.raises(GraphInterrupt):
        run(io, io.all([ask(io), ask(io)]))


@pytest.mark.parametrize("form", FORMS)
def test_side_by_side_results_come_in_order(form):
    """Results stand in the order of the tasks, a failed one has its error in its place, and the limit of calls at once holds."""
    running, most, lock = 0, 0, threading.Lock()

    class Counting(ScriptedChatModel):
        def _generate(self, messages, stop=None, run_manager=None, **kwargs):
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            try:
                return super()._generate(messages, stop, run_manager, **kwargs)
            finally:
                with lock:
                    running -= 1

        async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
            nonlocal running, most
            running += 1
            most = max(most, running)
            try:
                return await super()._agenerate(messages, stop, run_manager, **kwargs)
            finally:
                running -= 1

    def reply(request):
        return ValueError("bad") if request.text == "3" else f"answer {request.text}"

    io = open_io(form, Counting(replies=reply, seconds=0.03), max_concurrency=3)

    async def nested(first):
        return await io.all([ask(io, str(first)), ask(io, str(first + 1))])

    async def step():
        flat = await io.all([ask(io, str(n)) for n in range(8)])
        deep = await io.all([nested(10), nested(20), nested(30)])
        return flat, deep

    flat, deep = run(io, step())
    assert [result.text for n, result in enumerate(flat) if n != 3] == [f"answer {n}" for n in range(8) if n != 3]
    assert isinstance(flat[3], CallFailedError)
    assert [[result.text for result in pair] for pair in deep] == [[f"answer {n}", f"answer {n + 1}"] for n in (10, 20, 30)]
    assert most == 3
    assert len(io.calls) == 14


@pytest.mark.parametrize("form", FORMS)
def test_an_unexpected_error_ends_all_and_leaves_nothing_open(form):
    """An error that is no failed call is raised, and sub-steps that never started are closed without a warning."""
    model = ScriptedChatModel(replies=["x"], seconds=0.01)
    io = open_io(form, model, max_concurrency=2)

    async def broken():
        raise ZeroDivisionError

    tasks = [broken(), *[ask(io) for _ in range(6)]]
    with pytest.raises(ZeroDivisionError):
        run(io, io.all(tasks))
    assert len(model.requests) < 6
    assert all(task.cr_frame is None for task in tasks)


@pytest.mark.parametrize("after", [0, 0.05])
async def test_cancellation_is_never_swallowed(after):
    """Cancelling the surrounding task cancels the calls, raises CancelledError, and closes what had not begun."""
    io = open_io(AsyncIO, ScriptedChatModel(replies=["x"], seconds=30), max_concurrency=1)
    tasks = [ask(io) for _ in range(4)]
    outer = asyncio.ensure_future(io.all(tasks))
    await asyncio.sleep(after)
    outer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await outer
    assert all(task.cr_frame is None for task in tasks)


@pytest.mark.parametrize("form", FORMS)
def test_a_prompt_larger_than_the_models_window_is_not_sent(form):
    """A prompt above the profile's max_input_tokens fails before the model is called; a small one is sent."""
    model = ScriptedChatModel(replies=["ok"], profile={"max_input_tokens": 50})
    io = open_io(form, model)
    with pytest.raises(CallFailedError, match="the model takes 50"):
        run(io, ask(io, "word " * 200))
    assert not model.requests
    assert run(io, ask(io, "word")).text == "ok"


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_model_is_a_failed_call(form):
    """Asking for a role without a model, and embedding without an embedder, are soft failures."""
    io = open_io(form)
    assert not io.can_embed
    with pytest.raises(CallFailedError, match="no model"):
        run(io, ask(io))
    with pytest.raises(CallFailedError, match="no embeddings"):
        run(io, io.embed(["x"]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "answer",
    [[[1.0]], [[1.0], [1.0, 2.0]], [[], []], [[1.0], [math.nan]], [[1.0], [math.inf]], [[1.0], ["x"]], None, RuntimeError("down")],
    ids=["too few", "ragged", "empty", "nan", "inf", "text", "nothing", "raises"],
)
def test_unusable_vectors_are_a_failed_call(form, answer):
    """Vectors that are missing, ragged, empty or not finite never reach a step."""
    io = open_io(form, embeddings=BrokenEmbeddings(answer))
    with pytest.raises(CallFailedError):
        run(io, io.embed(["x", "y"]))
    assert io.calls[0]["ok"] is False


@pytest.mark.parametrize("form", FORMS)
def test_records_hold_tokens(form):
    """A call's record names it and holds the model's own token counts."""
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    io = open_io(form, ScriptedChatModel(replies=[AIMessage("x", usage_metadata=usage)]))
    run(io, ask(io))
    [record] = io.calls
    assert (record["name"], record["input_tokens"], record["output_tokens"], record["ok"]) == ("probe", 7, 3, True)
    assert record["seconds"] >= 0


@pytest.mark.parametrize("form", FORMS)
def test_degraded_is_noted_or_raised(form):
    """A soft failure is noted, or raised with the step's name if that was asked for; a note is only a note."""
    io = open_io(form)
    io.degraded("filter", "the judge hangs")
    io.note("filter", "not worth it")
    assert io.degradations == [{"step": "filter", "why": "the judge hangs"}]
    assert io.notes == [{"step": "filter", "text": "not worth it"}]
    with pytest.raises(StepError, match="the judge hangs") as raised:
        open_io(form, on_error="raise").degraded("filter", "the judge hangs")
    assert raised.value.step == "filter"


@pytest.mark.parametrize("form", FORMS)
def test_tags_are_added_to_the_models_own(form):
    """A tracer sees the model's tags, those bound to it, the run's, `nostream` and ours, and our run name."""
    model = ScriptedChatModel(replies=["x"], tags=["team-blue"]).with_config(tags=["middleware:summarize"])
    recorder = Recorder()
    io = open_io(form, model, run_config={"callbacks": [recorder], "tags": ["outer"], "metadata": {"thread_id": "T9"}, "run_id": None})
    run(io, ask(io))
    [seen] = recorder.seen
    assert set(seen["tags"]) >= {"team-blue", "middleware:summarize", "outer", "nostream", "contextmode"}
    assert seen["name"] == "probe"
    assert seen["metadata"]["thread_id"] == "T9"
    assert seen["metadata"]["lc_source"] == "contextmode"


@pytest.mark.parametrize("form", FORMS)
async def test_calls_inside_a_node_belong_to_its_run(form):
    """Inside a graph each internal call is seen with a parent run and the run's metadata, and none of it is streamed."""
    model = ScriptedChatModel(replies=["INTERNAL"])

    def blocking(_, config):
        io = open_io(BlockingIO, model, run_config=config)
        finish(io.all([ask(io), ask(io)]))
        return {"messages": [AIMessage("visible")]}

    async def awaiting(_, config):
        io = open_io(AsyncIO, model, run_config=config)
        await io.all([ask(io), ask(io)])
        return {"messages": [AIMessage("visible")]}

    graph = StateGraph(MessagesState)
    graph.add_node("node", blocking if form is BlockingIO else awaiting)
    graph.set_entry_point("node")
    app = graph.compile()
    recorder = Recorder()
    config = {"callbacks": [recorder], "metadata": {"thread_id": "T9"}, "configurable": {"user_id": "u1"}}
    state = {"messages": [HumanMessage("hi")]}
    if form is BlockingIO:
        app.invoke(state, config)
        streamed = [chunk.text for chunk, _ in app.stream(state, config, stream_mode="messages")]
    else:
        await app.ainvoke(state, config)
        streamed = [chunk.text async for chunk, _ in app.astream(state, config, stream_mode="messages")]
    assert len(recorder.seen) == 4
    for seen in recorder.seen:
        assert seen["parent"] is not None
        assert seen["metadata"]["thread_id"] == "T9"
        assert seen["metadata"]["langgraph_node"] == "node"
        assert {"nostream", "contextmode"} <= set(seen["tags"])
    assert len({seen["run_id"] for seen in recorder.seen}) == 4
    assert "".join(streamed) == "visible"


@pytest.mark.parametrize("form", FORMS)
def test_a_shared_model_is_not_changed(form):
    """After runs side by side the model object and the caller's config are what they were."""
    model = ScriptedChatModel(replies=["s"], tags=["team-blue"], metadata={"k": "v"})
    run_config = {"tags": ["outer"], "metadata": {"thread_id": "T1"}, "configurable": {"user_id": "u1"}}
    before, config_before = model.model_dump(), {key: dict(v) if isinstance(v, dict) else list(v) for key, v in run_config.items()}

    def one():
        io = open_io(form, model, run_config=run_config)
        run(io, io.all([ask(io) for _ in range(3)]))

    threads = [threading.Thread(target=one) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(model.requests) == 15
    assert model.model_dump() == before
    assert run_config == config_before


def test_context_variables_reach_the_call():
    """A blocking call sees the caller's context variables although it runs in a thread of its own."""
    variable: ContextVar[str] = ContextVar("variable", default="unset")
    seen = []

    def reply(_):
        seen.append(variable.get())
        return "x"

    io = open_io(BlockingIO, ScriptedChatModel(replies=reply))
    token = variable.set("set")
    try:
        finish(io.all([ask(io), ask(io)]))
    finally:
        variable.reset(token)
    assert seen == ["set", "set"]


@pytest.mark.parametrize("form", FORMS)
def test_bound_tools_stay_out_of_internal_calls(form):
    """Tools and response formats bound to a model are not sent; other bound options are, and the binding is not changed."""
    model = ScriptedChatModel(replies=["x"])
    bound = model.bind(tools=[{"name": "pay"}], tool_choice="any", response_format={"type": "json_object"}, seed=7)
    io = open_io(form, bound)
    run(io, ask(io))
    [request] = model.requests
    assert not {"tools", "tool_choice", "response_format"} & request.options.keys()
    assert request.options["seed"] == 7
    assert set(bound.kwargs) == {"tools", "tool_choice", "response_format", "seed"}


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_returns_no_message_is_a_failed_call(form):
    """What is not an AI message is not handed to a step."""
    io = open_io(form, RunnableLambda(lambda _: "just text"))
    with pytest.raises(CallFailedError, match="replied with str"):
        run(io, ask(io))

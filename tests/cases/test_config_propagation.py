"""The run's config reaches every internal call; nothing shared is changed."""

from __future__ import annotations

import asyncio
from contextvars import Context

import pytest
from casework import RUN, SCOPE
from hostwork import ASK_ALL, dialogue, host, judge
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.callbacks import BaseCallbackHandler

from langchain_contextmode import aprepare_context
from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.pipeline import Pipeline
from langchain_contextmode.work import Work


class Recorder(BaseCallbackHandler):
    """Notes tags, metadata and parent of every chat model call."""

    def __init__(self):
        self.calls = []

    def on_chat_model_start(self, serialized, messages, *, run_id, parent_run_id=None, tags=None, metadata=None, **kwargs):
        del serialized, messages, run_id, kwargs
        self.calls.append((set(tags or ()), metadata or {}, parent_run_id))


async def test_f_o_065_tags_are_merged_and_nothing_is_swapped():
    """Five preparations at once: a handler sees the model's own tags and ours, and the model stays what it was."""
    recorder = Recorder()
    model = judge(tags=["team-blue", "middleware:summarize"], callbacks=[recorder], seconds=0.01)
    before = model.model_dump(exclude={"callbacks"})
    during = []

    async def watch():
        await asyncio.sleep(0.005)
        during.append(model.model_dump(exclude={"callbacks"}))

    await asyncio.gather(watch(), *(aprepare_context(dialogue(), scope=SCOPE, config=ASK_ALL, model=model) for _ in range(5)))
    assert len(recorder.calls) >= 5
    assert all(tags >= {"team-blue", "middleware:summarize", "nostream", "contextmode"} for tags, _, _ in recorder.calls)
    assert before == during[0] == model.model_dump(exclude={"callbacks"})


@pytest.mark.parametrize("awaited", [False, True])
async def test_f_o_066_callbacks_and_metadata_reach_internal_calls(awaited):
    """A handler in the run's config sees each internal call with a parent and the run's metadata."""
    recorder, model = Recorder(), judge()
    graph = host(model)
    config = {**RUN, "callbacks": [recorder], "metadata": {"thread_id": "T9"}}
    await graph.ainvoke({"messages": dialogue()}, config) if awaited else graph.invoke({"messages": dialogue()}, config)
    internal = [call for call in recorder.calls if "contextmode" in call[0]]
    assert len(internal) == len(model.requests) > 0
    assert all(metadata["thread_id"] == "T9" and parent is not None for _, metadata, parent in internal)


@settings(max_examples=15)
@given(st.lists(st.sampled_from("abc"), max_size=3), st.dictionaries(st.sampled_from("xyz"), st.integers(), max_size=2), st.booleans())
def test_a_config_is_passed_explicitly(tags, metadata, awaited):
    """Without any context variable, tags and metadata of the given config are those of the call, blocking and awaited."""
    recorder = Recorder()
    config = {"tags": tags, "metadata": metadata, "callbacks": [recorder]}
    pipeline = Pipeline(config=ASK_ALL, model=judge())

    def run():
        work = Work(dialogue(), {})
        if awaited:
            return asyncio.run(pipeline.run(pipeline.io(AsyncIO, work, config), work))
        return finish(pipeline.run(pipeline.io(BlockingIO, work, config), work))

    Context().run(run)
    assert recorder.calls
    assert all(seen >= {*tags, "nostream", "contextmode"} and metadata.items() <= data.items() for seen, data, _ in recorder.calls)
    assert config == {"tags": tags, "metadata": metadata, "callbacks": [recorder]}

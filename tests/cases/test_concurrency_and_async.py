"""One object, many runs at once: nothing of one run reaches another, and nothing holds up the event loop."""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, Field

from langchain_contextmode import ChromaMemoryStore, ContextConfig, ContextModeMiddleware, EphemeralMemoryStore, Scope, TaskSpec
from langchain_contextmode.testing import ScriptedChatModel


class Watched(EphemeralMemoryStore):
    """Notes who searched for what."""

    def __init__(self):
        super().__init__()
        self.searches = []

    def search(self, scope, query, *given, **more):
        self.searches.append((scope.user_id, query))
        return super().search(scope, query, *given, **more)


class Order(BaseModel):
    """An order."""

    code: str | None = Field(None, pattern=r"^marker-\d+$", description="The marker of the order")


TASK = TaskSpec.from_model(Order, nodes={"take": ["code"]})


def run(user, thread="1"):
    return {"configurable": {"user_id": user, "thread_id": f"{user}-{thread}", "session_id": "1"}}


def agent(store=None, **given):
    middleware = ContextModeMiddleware(store=store, **given)
    model = ScriptedChatModel(replies=lambda request: AIMessage(f"Heard: {request.messages[-1].text}"))
    return create_agent(model, [], middleware=[middleware], checkpointer=InMemorySaver()), model, middleware


def test_f_o_077_two_sessions_on_one_middleware_keep_apart():
    """Interleaved runs search for their own question in their own scope, and the end of one clears nothing of the other."""
    store = Watched()
    _, _, middleware = agent(store)
    before = dict(vars(middleware))
    built, _, _ = agent(store)
    for _ in range(2):
        with ThreadPoolExecutor(2) as pool:
            for done in [
                pool.submit(built.invoke, {"messages": [HumanMessage(f"{name} question", id=f"h{user}")]}, run(user))
                for name, user in (("alpha", "ua"), ("beta", "ub"))
            ]:
                done.result()
    assert {(user, query.split()[0]) for user, query in store.searches} == {("ua", "alpha"), ("ub", "beta")}
    assert dict(vars(middleware)) == before
    for user in ("ua", "ub"):
        assert built.get_state(run(user)).values["contextmode"]


def markers(text):
    return set(re.findall(r"marker-\d+", str(text)))


@pytest.mark.parametrize("form", ["threads", "tasks"])
def test_f_o_078_fifty_users_at_once_see_only_themselves(form):
    """Model input, state and memory of each of 50 users hold that user's marker and no other."""
    store = EphemeralMemoryStore()
    built, model, _ = agent(store, task=TASK, config=ContextConfig(view_tokens=1_000))

    def said(number):
        return {"messages": [HumanMessage(f"My marker is marker-{number}. I'm called marker-{number}, always remember that!")]}

    def talk(number):
        for _ in range(3):
            built.invoke(said(number), run(f"u{number}"))

    async def atalk(number):
        for _ in range(3):
            await built.ainvoke(said(number), run(f"u{number}"))

    async def all_of_them():
        await asyncio.gather(*map(atalk, range(50)))

    if form == "threads":
        with ThreadPoolExecutor(50) as pool:
            list(pool.map(talk, range(50)))
    else:
        asyncio.run(all_of_them())
    assert len(model.requests) == 150
    assert all(len(markers([m.content for m in request.messages])) == 1 for request in model.requests)
    for number in range(50):
        own = {f"marker-{number}"}
        assert markers(built.get_state(run(f"u{number}")).values) == own
        assert markers(store.export(Scope(f"u{number}", "1"), all_sessions=True)) <= own


class Slow(Embeddings):
    """A blocking embedder that takes its time."""

    def embed_documents(self, texts):
        time.sleep(0.5)
        return [[float(len(text)), 1.0] for text in texts]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


async def test_f_o_079_nothing_holds_up_the_event_loop(tmp_path):
    """With a slow blocking embedder and Chroma's blocking client the loop goes on, and nothing blocks it."""
    blockbuster = pytest.importorskip("blockbuster")
    store = ChromaMemoryStore(tmp_path / "memories", embeddings=Slow())
    await store.aadd(Scope("ua", "1"), [])
    store.list(Scope("ua", "1"))  # opens the folder, and loads what is loaded once
    built, _, _ = agent(store, embeddings=Slow(), config=ContextConfig(view_tokens=400, protect_messages=2, filter_above_messages=2))
    log = [kind(f"part {n} of the talk " * 5, id=f"m{n}") for n, kind in enumerate([HumanMessage, AIMessage] * 6)]
    await built.ainvoke({"messages": [*log, HumanMessage("I'm vegetarian.", id="warm")]}, run("warm"))
    gaps = []

    async def beat():
        last = time.monotonic()
        while True:
            await asyncio.sleep(0.01)
            gaps.append(time.monotonic() - last)
            last = time.monotonic()

    heart = asyncio.create_task(beat())
    with blockbuster.blockbuster_ctx("langchain_contextmode"):
        await built.ainvoke({"messages": [*log, HumanMessage("I'm vegetarian. Which part was it?", id="q")]}, run("ua"))
    heart.cancel()
    store.close()
    assert len(gaps) > 50
    assert sorted(gaps)[-2] < 0.4  # the embedder would hold it up for 0.5; one gap may be the machine's


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12), st.integers(2, 6))
@settings(max_examples=15)
def test_any_interleaving_of_users_keeps_them_apart(order, workers):
    """In whatever order users speak at once through one object, each thread's state and memories name its own user only."""
    store = EphemeralMemoryStore()
    built, _, _ = agent(store)
    with ThreadPoolExecutor(workers) as pool:
        for done in [
            pool.submit(built.invoke, {"messages": [HumanMessage(f"I'm allergic to marker-{user}.")]}, run(f"u{user}", turn))
            for turn, user in enumerate(order)
        ]:
            done.result()
    for turn, user in enumerate(order):
        assert markers(built.get_state(run(f"u{user}", turn)).values) == {f"marker-{user}"}
        assert markers(store.export(Scope(f"u{user}", "1"), all_sessions=True)) <= {f"marker-{user}"}

"""A fact is one row, however often and from wherever it is written at once: its id is its scope and text."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langchain_contextmode import HashingEmbeddings, Memory, Scope

U1 = Scope("u1", "s1")
SAID = st.sampled_from(["I like rye bread", " i like  RYE bread", "I like rye bread.", "我喜欢黑麦面包"])


class Meets(HashingEmbeddings):
    """Lets two writers meet between their look-up and their write."""

    def __init__(self):
        super().__init__()
        self.barrier = threading.Barrier(2)

    def embed_documents(self, texts):
        if texts[0].startswith("I like"):
            with suppress(threading.BrokenBarrierError):
                self.barrier.wait(2)
        return super().embed_documents(texts)


def test_f_o_107_two_threads_write_one_row(new_store):
    """Two threads that meet before they write leave one row, with the turns of both."""
    store = new_store(Meets())
    store.list(U1)
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(store.add, U1, [Memory(text="I like rye bread", turns=(f"t{n}",))]) for n in range(2)]
        assert len({job.result()[0] for job in jobs}) == 1
    [row] = store.list(U1)
    assert set(row.turns) == {"t0", "t1"}


async def test_f_o_107_two_tasks_write_one_row(new_store):
    """The same holds for tasks of one event loop."""
    store = new_store()
    await asyncio.gather(*(store.aadd(U1, [Memory(text="I like rye bread", turns=(f"t{n}",))]) for n in range(4)))
    [row] = await store.alist(U1)
    assert set(row.turns) == {"t0", "t1", "t2", "t3"}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(SAID, min_size=1, max_size=3), max_size=5))
def test_any_writes_leave_a_row_for_each_statement(new_store, batches):
    """In batches or one by one, repeated or not: one row for each normalised text, and a second round changes nothing but times."""
    store = new_store()
    for _ in range(2):
        for batch in batches:
            store.add(U1, [Memory(text=text) for text in batch])
        texts = [" ".join(row.text.casefold().split()) for row in store.list(U1)]
        assert sorted(texts) == sorted({" ".join(text.casefold().split()) for batch in batches for text in batch})

"""One client a folder and process; faults of files, forks and batches are typed errors that destroy nothing."""

from __future__ import annotations

import logging
import multiprocessing
import os
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from langchain_contextmode import ChromaMemoryStore, ConfigError, EphemeralMemoryStore, Memory, Scope, StoreError, prepare_context

UA = Scope("ua", "s1")


def _child(store, queue, number):
    try:
        store.add(UA, [Memory(text=f"child-{number}")])
        queue.put("wrote")
    except StoreError as error:
        queue.put(str(error))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_f_o_099_forked_children_are_refused(tmp_path):
    """Three children of a process that has the store open get a typed error, and the parent reads on."""
    store = ChromaMemoryStore(tmp_path)
    store.add(UA, [Memory(text="p")])
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    children = [context.Process(target=_child, args=(store, queue, number)) for number in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join(30)
    assert [child.exitcode for child in children] == [0, 0, 0]
    assert all("server" in queue.get() for _ in children)
    assert [row.text for row in store.list(UA)] == ["p"]
    store.close()


def test_f_o_100_threads_share_a_client(tmp_path):
    """Eight threads that each open the folder write eight rows, which are there after opening it anew."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: ChromaMemoryStore(tmp_path).add(UA, [Memory(text=f"row {n}")]), range(8)))
    ChromaMemoryStore(tmp_path).close()
    assert ChromaMemoryStore(tmp_path).count(UA) == 8
    ChromaMemoryStore(tmp_path).close()


@pytest.mark.parametrize("size", [100, 5_000])
def test_f_o_101_damaged_files_are_named_and_left_alone(tmp_path, size):
    """A truncated database is a typed error with its path, at every try; the turn answers, and the file stays as it is."""
    store = ChromaMemoryStore(tmp_path)
    store.add(UA, [Memory(text="row")])
    store.close()
    damaged = tmp_path / "chroma.sqlite3"
    os.truncate(damaged, size)
    before = damaged.read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            store.search(UA, "row")
        assert str(tmp_path) in str(caught.value)
    view = prepare_context([HumanMessage("Which row did I write?", id="h")], scope=UA, store=store)
    assert view.messages[-1].id == "h"
    assert damaged.read_bytes() == before
    store.close()


def test_f_o_102_stores_in_memory_share_nothing():
    """Two stores without a place are two; a Chroma store wants to know where."""
    first, second = EphemeralMemoryStore(), EphemeralMemoryStore()
    first.add(UA, [Memory(text="a")])
    assert second.list(UA) == []
    with pytest.raises(ConfigError, match="path"):
        ChromaMemoryStore()


def test_f_o_103_a_large_import_is_split(tmp_path):
    """More rows than a batch takes are all stored; where a batch fails, the error says how many are, and a retry doubles none."""
    store = ChromaMemoryStore(tmp_path)
    rows = [Memory(text=f"row {n}") for n in range(250)]
    store.count(UA)
    store._at.client().get_max_batch_size = lambda: 100
    call, calls = store._at.call, []

    def failing(scope, method, what, **given):
        calls.append(method)
        if method == "upsert" and calls.count(method) == 2:
            message = "disk full"
            raise StoreError(message)
        assert len(given.get("ids", [])) <= 100
        return call(scope, method, what, **given)

    store._at.call = failing
    with pytest.raises(StoreError, match="first 100 are stored"):
        store.add(UA, rows)
    assert store.count(UA) == 100
    store._at.call = call
    store.add(UA, rows)
    assert store.count(UA) == 250
    store.close()


def test_f_o_104_nothing_is_sent_anywhere(tmp_path, monkeypatch, caplog):
    """Opening, writing and searching open no connection, log nothing of telemetry, and leave the environment as it was."""
    tried = []
    monkeypatch.setattr(socket.socket, "connect", lambda _, address: tried.append(address))
    before = dict(os.environ)
    with caplog.at_level(logging.DEBUG):
        store = ChromaMemoryStore(tmp_path)
        store.add(UA, [Memory(text="x")])
        assert store.search(UA, "x")
        store.close()
    assert tried == []
    assert not [record for record in caplog.records if "telemetry" in record.name]
    assert dict(os.environ) == before


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["add", "close", "read"])), max_size=8))
def test_any_opening_and_closing_loses_nothing(tmp_path_factory, steps):
    """Three stores on one folder, written, read and closed in any order: every row that was written is read by all."""
    folder, written = tmp_path_factory.mktemp("shared"), set()
    stores = [ChromaMemoryStore(folder) for _ in range(3)]
    for number, (which, action) in enumerate(steps):
        if action == "add":
            stores[which].add(UA, [Memory(text=f"row {number}")])
            written.add(f"row {number}")
        elif action == "close":
            stores[which].close()
        assert {row.text for row in stores[which].list(UA)} == written
    stores[0].close()

"""Another embedder, a store that was closed beside, a server that went away: rows stay."""

from __future__ import annotations

import socket
import subprocess
import sys
import time

import chromadb
import pytest
from chromadb.config import Settings

from langchain_contextmode import ChromaMemoryStore, HashingEmbeddings, Memory, Scope, StoreError
from langchain_contextmode.stores import chroma_client

ANA, BOB = Scope("ana", "s1"), Scope("bob", "s1")


class Other(HashingEmbeddings):
    """Another dimension; may fail after some texts."""

    def __init__(self, after=None):
        super().__init__(64)
        self.left = after

    def embed_documents(self, texts):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise ConnectionError
        return super().embed_documents(texts)


def filled(path, isolation, number=3):
    store = ChromaMemoryStore(path, isolation=isolation)
    for scope in (ANA, BOB):
        store.add(scope, [Memory(text=f"note {n} of {scope.user_id}", metadata={"n": n, "of": [n]}, pinned=n == 1) for n in range(number)])
        store.bury(scope, [f"gone {scope.user_id}"])
    return store


def held(store):
    return [row for scope in (ANA, BOB) for row in store.list(scope)]


@pytest.mark.parametrize("isolation", ["filter", "collection"])
def test_rows_keep_everything_but_their_vectors(tmp_path, isolation):
    """After `reembed` the new embedder finds every row as it was, tombstones included, and the old one is refused."""
    first = filled(tmp_path, isolation)
    before = held(first)
    second = ChromaMemoryStore(tmp_path, isolation=isolation, embeddings=Other())
    with pytest.raises(StoreError, match="memories reembed"):
        second.list(ANA)
    assert second.reembed() == 8
    assert second.reembed() == 0
    assert held(second) == before
    assert second.search(BOB, "note 2")[0].text == "note 2 of bob"
    assert second.buried(ANA, ["gone ana", "gone bob"]) == {"gone ana"}
    with pytest.raises(StoreError, match="embedder"):
        first.search(ANA, "note")
    second.close()


def test_what_interrupts_it_changes_nothing(tmp_path):
    """An embedder that fails on the way leaves the old rows and vectors; a second call does all of it."""
    first = filled(tmp_path, "filter", 600)
    before = held(first)
    for after in (0, 1, 2):
        broken = ChromaMemoryStore(tmp_path, embeddings=Other(after))
        with pytest.raises(StoreError):
            broken.reembed()
        assert held(first) == before
    assert ChromaMemoryStore(tmp_path, embeddings=Other()).reembed() == 1_202
    assert held(ChromaMemoryStore(tmp_path, embeddings=Other())) == before
    first.close()


def test_a_swap_that_stopped_half_way_is_no_empty_store(tmp_path):
    """Where a process died between two renamings, the old collection is found and takes its name again."""
    first = filled(tmp_path, "filter")
    before = held(first)
    first.close()
    client = chromadb.PersistentClient(str(tmp_path), settings=Settings(anonymized_telemetry=False))
    client.get_collection("contextmode_memories", embedding_function=None).modify(name="contextmode_memories" + chroma_client.BEFORE)
    client.close()
    assert held(first) == before
    first.close()


def test_closing_one_store_leaves_the_other_working(tmp_path):
    """Two stores on one folder share its client; one that closes it takes nothing from the other."""
    first, second = filled(tmp_path, "filter"), ChromaMemoryStore(tmp_path)
    assert len(held(second)) == 6
    first.close()
    assert len(held(second)) == 6
    second.add(ANA, [Memory(text="another one")])
    assert len(held(first)) == 7
    first.close()


def serve(folder, port):
    command = [sys.executable, "-c", "from chromadb.cli.cli import app; app()", "run", "--path", str(folder), "--host", "127.0.0.1"]
    process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(150):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return process
    process.kill()
    raise TimeoutError


@pytest.mark.integration
def test_a_server_that_was_killed_and_started_again_serves_on(tmp_path):
    """While it is away there is a typed error; afterwards the same store finds what was written, and writes on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = serve(tmp_path, port)
    store = ChromaMemoryStore(url=f"http://127.0.0.1:{port}")
    try:
        store.add(ANA, [Memory(text="I like tea")])
        process.kill()
        process.wait()
        for _ in range(2):
            with pytest.raises(StoreError):
                store.add(ANA, [Memory(text="I like jazz")])
        process = serve(tmp_path, port)
        assert [row.text for row in store.list(ANA)] == ["I like tea"]
        store.add(ANA, [Memory(text="I like jazz")])
        assert store.count(ANA) == 2
    finally:
        store.close()
        process.kill()
        process.wait()

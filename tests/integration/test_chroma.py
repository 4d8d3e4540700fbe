"""Chroma as it is used: processes, faults, embedders that change."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import chromadb
import pytest
from chromadb.config import Settings
from langchain_core.embeddings import Embeddings
from langchain_core.messages import HumanMessage

from langchain_contextmode import ChromaMemoryStore, ConfigError, HashingEmbeddings, Memory, Scope, StoreError, prepare_context

ANA = Scope("ana", "s1")
USERS = [f"user {n} $ne" for n in range(12)]


class Failing(HashingEmbeddings):
    """Fails from the n-th text on, or gives what it is told."""

    def __init__(self, after=None, gives=None, dimension=384):
        super().__init__(dimension)
        self.after, self.gives, self.calls = after, gives, 0

    def embed_documents(self, texts):
        self.calls += 1
        if self.after is not None and self.calls > self.after:
            raise ConnectionError("no route to the secret embedder")  # noqa: EM101, TRY003
        return self.gives if self.gives is not None and self.calls > 1 else super().embed_documents(texts)

    def embed_query(self, text):
        return self.embed_documents([text])[0]


class Other(Embeddings):
    """Another embedder of the same dimension."""

    def embed_documents(self, texts):
        return [[1.0, *[0.0] * 383] for _ in texts]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


@pytest.fixture
def store(tmp_path):
    made = ChromaMemoryStore(tmp_path / "memories")
    yield made
    made.close()


def test_what_was_written_is_there_after_a_restart(store, tmp_path):
    """Closing and opening again, in this process and in another one, finds the same rows."""
    store.add(ANA, [Memory(text="I like tea")])
    store.close()
    code = """
        import sys
        from langchain_contextmode import ChromaMemoryStore, Scope
        print([row.text for row in ChromaMemoryStore(sys.argv[1]).search(Scope("ana", "s1"), "tea")])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "memories")], capture_output=True, text=True, check=False
    )
    assert "I like tea" in done.stdout, done.stderr
    assert store.count(ANA) == 1


def test_a_second_process_is_told_to_use_a_server(store, tmp_path):
    """While one process has a folder open, another gets a StoreError that names `chroma run`, and nothing is harmed."""
    store.add(ANA, [Memory(text="I like tea")])
    code = """
        import sys
        from langchain_contextmode import ChromaMemoryStore, Scope, StoreError
        try:
            ChromaMemoryStore(sys.argv[1]).list(Scope("ana", "s1"))
        except StoreError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "memories")], capture_output=True, text=True, check=False
    )
    assert "chroma run --path" in done.stdout, done.stderr
    assert store.count(ANA) == 1


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_gets_an_error_and_no_hang(store):
    """A child of a process that has the store open is refused."""
    store.add(ANA, [Memory(text="I like tea")])
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()

    def child():
        try:
            store.list(ANA)
            queue.put("listed")
        except StoreError as error:
            queue.put(str(error))

    process = context.Process(target=child)
    process.start()
    process.join(20)
    assert process.exitcode == 0
    assert "forked" in queue.get()


def test_two_stores_on_one_folder_share_a_client(store, tmp_path):
    """Two objects on one path in one process see each other's rows."""
    other = ChromaMemoryStore(tmp_path / "memories")
    store.add(ANA, [Memory(text="I like tea")])
    assert other.count(ANA) == 1


def test_another_embedder_is_refused_and_changes_nothing(store, tmp_path):
    """Name, dimension and probe vector are compared; the rows stay readable with the embedder that wrote them."""
    store.add(ANA, [Memory(text="I like tea")])
    for other in (HashingEmbeddings(64), Other()):
        with pytest.raises(StoreError, match="embedder"):
            ChromaMemoryStore(tmp_path / "memories", embeddings=other).search(ANA, "tea")
    assert store.search(ANA, "tea")[0].text == "I like tea"


def test_an_unknown_version_is_refused_and_left_alone(tmp_path):
    """A collection that is not ours, or of a later release, is neither read nor written."""
    client = chromadb.PersistentClient(str(tmp_path), settings=Settings(anonymized_telemetry=False))
    client.create_collection("contextmode_memories", metadata={"contextmode_schema": 2}, embedding_function=None)
    with pytest.raises(StoreError, match="version"):
        ChromaMemoryStore(client=client).add(ANA, [Memory(text="x")])
    assert client.get_collection("contextmode_memories", embedding_function=None).count() == 0
    client.close()


def test_another_space_is_read_and_converted(tmp_path):
    """Rows in an l2 collection score as they do in a cosine one."""
    client = chromadb.PersistentClient(str(tmp_path), settings=Settings(anonymized_telemetry=False))
    first = ChromaMemoryStore(client=client, collection="cosine")
    first.add(ANA, [Memory(text="I like green tea"), Memory(text="My dog is Bo")])
    metadata = client.get_collection("cosine", embedding_function=None).metadata
    client.create_collection("euclid", metadata=metadata, configuration={"hnsw": {"space": "l2"}}, embedding_function=None)
    second = ChromaMemoryStore(client=client, collection="euclid")
    second.add(ANA, [Memory(text="I like green tea"), Memory(text="My dog is Bo")])
    scores = [[round(row.score, 4) for row in store.search(ANA, "green tea")] for store in (first, second)]
    assert scores[0] == scores[1]
    client.close()


@pytest.mark.parametrize(
    "embedder", [Failing(after=2), Failing(gives=[]), Failing(gives=[[1.0, 2.0]]), Failing(gives=[[float("nan")] * 384])]
)
def test_an_embedder_that_fails_loses_nothing(tmp_path, embedder):
    """Raising, too few, another dimension or not finite: a typed error without any text, what was there stays, the turn answers."""
    store = ChromaMemoryStore(tmp_path, embeddings=embedder)
    try:
        if embedder.after:
            store.add(ANA, [Memory(text="I like tea")])
        with pytest.raises(StoreError) as caught:
            store.add(ANA, [Memory(text="a secret")])
        assert "secret" not in str(caught.value)
        assert store.count(ANA) == (1 if embedder.after else 0)
        view = prepare_context([HumanMessage("What tea do I like to drink?", id="h")], scope=ANA, store=store)
        assert view.messages[-1].id == "h"
        assert not embedder.after or view.report["degraded"]
    finally:
        store.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_that_cannot_be_written_is_a_typed_error(tmp_path):
    """Another uid without rights gets a StoreError that names the folder and permissions."""
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=_as_nobody, args=(str(folder), queue))
    process.start()
    process.join(60)
    assert "permissions" in queue.get()


def _as_nobody(folder, queue):
    for part in (folder, os.path.dirname(folder), os.path.dirname(os.path.dirname(folder))):  # noqa: PTH120
        os.chmod(part, 0o555)  # noqa: PTH101, S103
    os.setuid(65534)
    try:
        ChromaMemoryStore(folder).list(ANA)
        queue.put("opened")
    except StoreError as error:
        queue.put(str(error))


@pytest.mark.parametrize("where", [{}, {"path": "x", "url": "http://h:1"}, {"path": "x", "isolation": "none"}])
def test_a_store_is_in_one_place(where):
    """Exactly one of path, client and url; a known isolation."""
    with pytest.raises(ConfigError):
        ChromaMemoryStore(**where)


@pytest.mark.integration
@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "ftp://127.0.0.1", "nonsense"])
def test_a_server_that_is_not_there_is_a_typed_error(url):
    """Nobody answers, or it is no address: a StoreError says so, and a turn goes on without memories."""
    store = ChromaMemoryStore(url=url)
    with pytest.raises(StoreError):
        store.list(ANA)
    view = prepare_context([HumanMessage("What tea do I like to drink?", id="h")], scope=ANA, store=store)
    assert [m.id for m in view.messages] == ["h"]
    assert view.report["degraded"]


@pytest.mark.parametrize("isolation", ["filter", "collection"])
def test_many_users_side_by_side_stay_apart(tmp_path, isolation):
    """Twelve users with the same texts add, promote, search and delete in parallel: no row of another one is seen or changed."""
    store = ChromaMemoryStore(tmp_path, isolation=isolation)

    def work(user):
        scope, other = Scope(user, "a"), Scope(user, "b")
        ids = store.add(scope, [Memory(text=f"note {n}", metadata={"owner": user}) for n in range(4)])
        store.promote(scope, ids[:1])
        seen = [*store.search(scope, "note", 20), *store.search(other, "note", 20), *store.list(scope, all_sessions=True)]
        assert all(row.user_id == user and row.metadata == {"owner": user} for row in seen)
        assert [row.text for row in store.search(other, "note", 20)] == ["note 0"]
        store.delete(scope, ids[1:2])
        return store.count(scope, all_sessions=True)

    try:
        with ThreadPoolExecutor(6) as pool:
            assert list(pool.map(work, USERS)) == [3] * len(USERS)
    finally:
        store.close()


def test_open_files_stay_bounded(tmp_path):
    """A collection for each of 150 users does not keep the files of all of them open."""
    store = ChromaMemoryStore(tmp_path, isolation="collection")
    for number in range(150):
        store.add(Scope(f"user{number}", "s"), [Memory(text="I like tea")])
    assert len(os.listdir("/proc/self/fd")) < 1_000  # noqa: PTH208
    assert store.count(Scope("user0", "s")) == 1
    store.close()

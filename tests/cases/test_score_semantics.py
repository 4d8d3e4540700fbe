"""A score is a nearness of 0..1, whatever the collection's distance is: nearer is never less."""

from __future__ import annotations

from itertools import pairwise

import chromadb
import pytest
from chromadb.config import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from langchain_contextmode import ChromaMemoryStore, Memory, Scope

U1 = Scope("u1", "s1")


class Given(Embeddings):
    """Vectors as the test says; any other text is turned to one side."""

    def __init__(self, **vectors):
        self._vectors = vectors

    def embed_documents(self, texts):
        return [self._vectors.get(text, [0.0, 1.0]) for text in texts]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


def test_f_o_105_near_is_more_than_far(new_store):
    """The order is near, mid, far with falling scores in 0..1; a least score keeps the near and leaves out the far."""
    store = new_store(Given(near=[1.0, 0.0], mid=[0.7, 0.7], far=[-1.0, 0.0], query=[1.0, 0.0]))
    store.add(U1, [Memory(text=text) for text in ("far", "near", "mid")])
    found = store.search(U1, "query", 3)
    assert [row.text for row in found] == ["near", "mid", "far"]
    assert 1 >= found[0].score > found[1].score > found[2].score >= 0
    kept = [row.text for row in store.search(U1, "query", min_score=0.6)]
    assert "near" in kept
    assert "far" not in kept


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
def test_f_o_106_the_space_is_read_and_converted(tmp_path, space):
    """New collections have cosine; an existing one of any space gives the same scores in 0..1."""
    embedder = Given(near=[1.0, 0.0], mid=[0.6, 0.8], far=[-1.0, 0.0], x=[1.0, 0.0])
    client = chromadb.PersistentClient(str(tmp_path), settings=Settings(anonymized_telemetry=False))
    first = ChromaMemoryStore(client=client, embeddings=embedder, collection="new")
    first.add(U1, [Memory(text="near")])
    made = client.get_collection("new", embedding_function=None)
    assert made.configuration["hnsw"]["space"] == "cosine"
    client.create_collection("old", metadata=made.metadata, configuration={"hnsw": {"space": space}}, embedding_function=None)
    store = ChromaMemoryStore(client=client, embeddings=embedder, collection="old")
    store.add(U1, [Memory(text=text) for text in ("near", "mid", "far")])
    assert [round(row.score, 3) for row in store.search(U1, "x")] == [1.0, 0.6, 0.0]
    client.close()


ANGLES = st.lists(st.floats(-1, 1, allow_subnormal=False).map(lambda x: round(x, 3)), min_size=1, max_size=6, unique=True)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANGLES)
def test_scores_of_any_vectors_fall_with_their_distance(new_store, cosines):
    """For any rows: scores are in 0..1, never rise down the list, and a nearer row never scores less."""
    vectors = {f"r{n}": [cosine, (1 - cosine * cosine) ** 0.5] for n, cosine in enumerate(cosines)}
    store = new_store(Given(**vectors, q=[1.0, 0.0]))
    store.add(U1, [Memory(text=text) for text in vectors])
    found = store.search(U1, "q", 10)
    assert all(0 <= row.score <= 1 for row in found)
    near = [vectors[row.text][0] for row in found]
    assert all(a >= b or (a <= 0 and b <= 0) for a, b in pairwise(near))

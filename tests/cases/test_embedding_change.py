"""Vectors of two embedders are never compared: a collection knows which one filled it, and rows outlive a change."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings
from langchain_core.messages import HumanMessage

from langchain_contextmode import ChromaMemoryStore, HashingEmbeddings, Memory, Scope, StoreError, prepare_context

U1 = Scope("u1", "s1")


class Turned(Embeddings):
    """Hashed words, turned by some places: another space of any dimension, under one name."""

    def __init__(self, dimension, places=0):
        self._inner, self._places = HashingEmbeddings(dimension), places

    def embed_documents(self, texts):
        return [vector[self._places :] + vector[: self._places] for vector in self._inner.embed_documents(texts)]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


@pytest.mark.parametrize("other", [Turned(16), Turned(8, 3)], ids=["f_o_097_dimension", "f_o_098_probe"])
def test_f_o_097_098_another_embedder_is_named(tmp_path, other):
    """Another dimension, or the same with other vectors: a typed error with both, the turn answers, no row goes, `reembed` helps."""
    first = ChromaMemoryStore(tmp_path, embeddings=Turned(8))
    [identity] = first.add(U1, [Memory(text="I like rows", metadata={"n": 1})])
    before = first.list(U1)
    first.close()
    second = ChromaMemoryStore(tmp_path, embeddings=other)
    with pytest.raises(StoreError, match="Turned") as caught:
        second.search(U1, "row")
    assert "8 dimensions" in str(caught.value)
    assert "memories reembed" in str(caught.value)
    view = prepare_context([HumanMessage("Which rows do I like?", id="h")], scope=U1, store=second)
    assert [message.id for message in view.messages] == ["h"]
    assert second.reembed() == 1
    assert second.list(U1) == before
    assert second.search(U1, "rows")[0].id == identity
    second.close()


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(8, 24), st.integers(0, 7)), min_size=1, max_size=3))
def test_any_chain_of_embedders_keeps_every_row(new_store, chain):
    """After any number of changes, each by `reembed`, ids, texts and metadata are as they were written."""
    store = new_store(Turned(8))
    store.add(U1, [Memory(text=f"note {n}", metadata={"n": n}) for n in range(3)])
    before = store.list(U1)
    if not isinstance(store, ChromaMemoryStore):
        return
    at = store._at
    for dimension, places in chain:
        store = ChromaMemoryStore(at._path, isolation=at._isolation, collection=at._name, embeddings=Turned(dimension, places))
        store.reembed()
        assert store.list(U1) == before
        assert len(store.search(U1, "note", 9)) == 3

from __future__ import annotations

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests

from langchain_contextmode import ChromaMemoryStore, EphemeralMemoryStore, Memory, MemoryRetriever, Scope

ANA = Scope("ana", "s1")
NOTES = ["I like window seats", "I like aisle seats on trains", "My seat at work is by the window", "Seats with a table are best for me"]


class TestRetriever(RetrieversIntegrationTests):
    """LangChain's own suite for retrievers."""

    @property
    def retriever_constructor(self):
        return MemoryRetriever

    @property
    def retriever_constructor_params(self):
        store = EphemeralMemoryStore()
        store.add(ANA, [Memory(text=text) for text in NOTES])
        return {"store": store, "scope": ANA}

    @property
    def retriever_query_example(self):
        return "which seat do I like"


def test_it_finds_one_users_memories_only(tmp_path):
    """A retriever is bound to its scope; documents carry id, score and the application's metadata."""
    store = ChromaMemoryStore(tmp_path)
    store.add(ANA, [Memory(text="I like window seats", metadata={"lang": "en"})])
    store.add(Scope("bob", "s1"), [Memory(text="I like window seats, too")])
    [document] = MemoryRetriever(store=store, scope=ANA).invoke("window seats")
    assert document.page_content == "I like window seats"
    assert document.metadata["lang"] == "en"
    assert 0 < document.metadata["score"] <= 1
    assert MemoryRetriever(store=store, scope=ANA, min_score=1.0).invoke("window seats on boats") == []
    assert MemoryRetriever(store=store, scope=ANA, filter={"lang": "zh"}).invoke("window seats") == []
    store.close()


def test_a_scope_is_needed():
    """There is no retriever without a scope."""
    with pytest.raises(ValueError, match="scope"):
        MemoryRetriever(store=EphemeralMemoryStore())

from __future__ import annotations

from uuid import uuid4

import pytest

from langchain_contextmode import ChromaMemoryStore, EphemeralMemoryStore


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for embedded stores; one client serves all of a module."""
    made = tmp_path_factory.mktemp("chroma")
    yield made
    ChromaMemoryStore(made).close()


@pytest.fixture(params=["ephemeral", "filter", "collection"])
def new_store(request, folder):
    """Make empty stores of one kind: in memory, on Chroma in each isolation."""

    def make(embeddings=None):
        if request.param == "ephemeral":
            return EphemeralMemoryStore(embeddings)
        return ChromaMemoryStore(folder, isolation=request.param, embeddings=embeddings, collection=f"c{uuid4().hex[:12]}")

    return make

"""What every memory store promises, held by each of ours."""

from __future__ import annotations

import pytest

from langchain_contextmode.testing import MemoryStoreContract


class TestMemoryStore(MemoryStoreContract):
    """The public suite, over the stores of `conftest.py`."""

    @pytest.fixture
    def store(self, each_store):
        return each_store


def test_a_store_of_ones_own_has_to_be_named():
    """The suite without a store says which fixture to override."""
    with pytest.raises(NotImplementedError, match="store"):
        MemoryStoreContract.store.__wrapped__(None)

"""The promises of a memory store, as a test class for anyone's own store."""

from __future__ import annotations

import pytest

from langchain_contextmode.stores.base import MemoryStore  # noqa: TC001  (read by who writes a store)
from langchain_contextmode.testing.store_rows import RowContract
from langchain_contextmode.testing.store_scopes import ScopeContract


class MemoryStoreContract(ScopeContract, RowContract):
    """Every promise of `MemoryStore`. Derive from it and override the fixture `store`.

    Example:
        class TestMyStore(MemoryStoreContract):
            @pytest.fixture
            def store(self):
                return MyStore()
    """

    @pytest.fixture
    def store(self) -> MemoryStore:
        """Return an empty store; yours to override."""
        message = "Override the fixture `store` of MemoryStoreContract: it returns an empty store."
        raise NotImplementedError(message)

"""A memory store bound to the scope of one run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from langchain_contextmode.schema import Scope
    from langchain_contextmode.stores.base import MemoryStore


class ScopedMemories(NamedTuple):
    """Every method of a store, without its first argument.

    Attributes:
        store: The store.
        scope: Whose memories.
    """

    store: MemoryStore
    scope: Scope

    def __getattr__(self, name: str) -> Any:
        """Return the store's method for this scope."""
        return partial(getattr(self.store, name), self.scope)

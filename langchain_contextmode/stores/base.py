"""What every memory store is: scope first, nothing without it."""

from __future__ import annotations

import asyncio
import builtins  # noqa: TC003  (`list` is a method here)
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope


class MemoryStore(ABC):
    """Holds memories by user and session.

    A row is visible in its own session; a promoted row in all sessions of its user; nothing to another user. Every method
    has an awaiting twin (`asearch` and so on) that runs it in a thread, unless the store overrides it.

    Raises:
        ScopeError: In every method, where the scope is not a `Scope`.
        StoreError: In every method, where the store cannot be opened, read or written; nothing is deleted or created anew.
    """

    @abstractmethod
    def add(self, scope: Scope, memories: Sequence[Memory]) -> builtins.list[str]:
        """Write memories into the session's short-term area (a promoted one: for all sessions of the user); idempotent.

        A memory whose text the scope already holds is no second row: turns and sources are united, the higher importance stands.

        Returns:
            Ids, in order.
        """

    @abstractmethod
    def search(
        self,
        scope: Scope,
        query: str,
        limit: int = 5,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002  (LangChain's name)
        min_score: float | None = None,
    ) -> builtins.list[Memory]:
        """Find active memories of this scope, best first, each with `score` in 0..1.

        Args:
            scope: Whose.
            query: Text; an empty one finds nothing.
            limit: At most so many; 0: none.
            filter: Narrows by fields of `Memory` or by metadata; can never widen. `None`: no more than the scope.
            min_score: Leave out what scores less.
        """

    @abstractmethod
    def list(self, scope: Scope, *, all_sessions: bool = False) -> builtins.list[Memory]:
        """Return all rows of the scope in every status, oldest first; `all_sessions`: of the user."""

    async def asearch(
        self,
        scope: Scope,
        query: str,
        limit: int = 5,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002  (LangChain's name)
        min_score: float | None = None,
    ) -> builtins.list[Memory]:
        """Do what `search` does, in a thread."""
        return await asyncio.to_thread(self.search, scope, query, limit, filter=filter, min_score=min_score)

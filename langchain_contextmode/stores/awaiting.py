"""The awaiting twins of a memory store's methods: each runs its method in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope


class AwaitingTwins:
    """Does what the method without the `a` does, in a thread. A store that can await by itself overrides them."""

    async def aadd(self, scope: Scope, memories: Sequence[Memory]) -> list[str]:
        """See `add`."""
        found: list[str] = await self._run("add", scope, memories)
        return found

    async def asearch(
        self,
        scope: Scope,
        query: str,
        limit: int = 5,
        *,
        filter: Mapping[str, Any] | None = None,  # noqa: A002  (LangChain's name)
        min_score: float | None = None,
        cross_session: bool = True,
    ) -> list[Memory]:
        """See `search`."""
        found: list[Memory] = await self._run(
            "search", scope, query, limit, filter=filter, min_score=min_score, cross_session=cross_session
        )
        return found

    async def alist(self, scope: Scope, *, all_sessions: bool = False) -> list[Memory]:
        """See `list`."""
        found: list[Memory] = await self._run("list", scope, all_sessions=all_sessions)
        return found

    async def aget(self, scope: Scope, ids: Iterable[str]) -> list[Memory]:
        """See `get`."""
        found: list[Memory] = await self._run("get", scope, ids)
        return found

    async def acount(self, scope: Scope, *, all_sessions: bool = False) -> int:
        """See `count`."""
        found: int = await self._run("count", scope, all_sessions=all_sessions)
        return found

    async def aupdate(self, scope: Scope, memory_id: str, **changes: Any) -> Memory:
        """See `update`."""
        found: Memory = await self._run("update", scope, memory_id, **changes)
        return found

    async def apin(self, scope: Scope, memory_id: str, *, pinned: bool = True) -> Memory:
        """See `pin`."""
        found: Memory = await self._run("pin", scope, memory_id, pinned=pinned)
        return found

    async def areplace_rows(self, scope: Scope, rows: Sequence[Memory], gone: Sequence[str] = ()) -> None:
        """See `replace_rows`."""
        await self._run("replace_rows", scope, rows, gone)

    async def adelete(self, scope: Scope, ids: Iterable[str]) -> int:
        """See `delete`."""
        found: int = await self._run("delete", scope, ids)
        return found

    async def aclear(self, scope: Scope, *, all_sessions: bool = False) -> int:
        """See `clear`."""
        found: int = await self._run("clear", scope, all_sessions=all_sessions)
        return found

    async def apromote(self, scope: Scope, ids: Iterable[str]) -> list[str]:
        """See `promote`."""
        found: list[str] = await self._run("promote", scope, ids)
        return found

    async def asupersede(self, scope: Scope, old_id: str, new_id: str) -> None:
        """See `supersede`."""
        await self._run("supersede", scope, old_id, new_id)

    async def atouch(self, scope: Scope, ids: Iterable[str], now: int | None = None) -> None:
        """See `touch`."""
        await self._run("touch", scope, ids, now)

    async def asweep(self, scope: Scope, now: int | None = None, *, limit: int = 1_000) -> int:
        """See `sweep`."""
        found: int = await self._run("sweep", scope, now, limit=limit)
        return found

    async def asessions(self, scope: Scope) -> dict[str, int]:
        """See `sessions`."""
        found: dict[str, int] = await self._run("sessions", scope)
        return found

    async def aexport(self, scope: Scope, *, all_sessions: bool = False) -> list[dict[str, Any]]:
        """See `export`."""
        found: list[dict[str, Any]] = await self._run("export", scope, all_sessions=all_sessions)
        return found

    async def abury(self, scope: Scope, hashes: Iterable[str]) -> None:
        """See `bury`."""
        await self._run("bury", scope, hashes)

    async def aburied(self, scope: Scope, hashes: Iterable[str]) -> set[str]:
        """See `buried`."""
        found: set[str] = await self._run("buried", scope, hashes)
        return found

    async def _run(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(getattr(self, method), *args, **kwargs)

"""After the answer: `remember`, `end_session`, and the node for a graph."""

from __future__ import annotations

import time
from types import MethodType
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.config import get_config
from langgraph.runtime import get_runtime
from langgraph.types import Command

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.channels import STATE_KEY, input_type, log_of, read
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.memories.learn import ended
from langchain_contextmode.parsing import parse
from langchain_contextmode.run_settings import settings_of
from langchain_contextmode.scopes import resolve_scope
from langchain_contextmode.steps.remember import remember as remember_step
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.rows import checked_scope
from langchain_contextmode.stores.scoped import ScopedMemories
from langchain_contextmode.work import checked_state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from langchain_core.runnables import RunnableConfig

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope


def remember(
    messages: Sequence[Any],
    *,
    scope: Scope,
    store: MemoryStore,
    state: dict[str, Any] | None = None,
    config: ContextConfig | None = None,
    now: datetime | None = None,
) -> dict[str, Any]:
    """Put what the user said about themselves into the store; call it after the answer, with the log and the view's state.

    Local rules, English and Chinese; only human messages of this session; each is read once. What is found is short-term: of this
    session, usable in the next turn. `end_session` promotes what was said twice or stressed.

    Args:
        messages: The whole log, oldest first. Not modified.
        scope: Whose conversation.
        store: Where.
        state: `view.state`. Not modified. `None`: every message is read.
        config: Settings; `None`: the defaults.
        now: The time, aware; `None`: the clock's.

    Returns:
        The new state, for the next `prepare_context`. A store that fails leaves it as it was; the messages are read next time.

    Raises:
        ScopeError: `scope` is none.
        ConfigError: `store` is none.
        StateSchemaError: `state` is not ours.
    """
    io = BlockingIO(config or ContextConfig(), memories=_memories(scope, store))
    return finish(remember_step(io, scope, parse(messages).blocks, checked_state(state), _moment(now)))


async def aremember(
    messages: Sequence[Any],
    *,
    scope: Scope,
    store: MemoryStore,
    state: dict[str, Any] | None = None,
    config: ContextConfig | None = None,
    now: datetime | None = None,
) -> dict[str, Any]:
    """Do what `remember` does, awaiting the store."""
    io = AsyncIO(config or ContextConfig(), memories=_memories(scope, store))
    return await remember_step(io, scope, parse(messages).blocks, checked_state(state), _moment(now))


def _memories(scope: Scope, store: Any) -> ScopedMemories:
    return ScopedMemories(_checked(store), checked_scope(scope))


def _checked(store: Any) -> MemoryStore:
    if not isinstance(store, MemoryStore):
        message = f"store must be a MemoryStore, for instance ChromaMemoryStore(path=...); got {store!r:.80}."
        raise ConfigError(message)
    return store


def _moment(now: datetime | None) -> int:
    return int(now.timestamp() * 1000) if now else int(time.time() * 1000)


def end_session(scope: Scope, *, store: MemoryStore) -> list[str]:
    """Promote what a session leaves behind: what was said in two turns, or stressed.

    Args:
        scope: The session.
        store: Where its memories are.

    Returns:
        Ids of the rows that are visible in all sessions of the user from now on.
    """
    return store.promote(scope, _leaving(scope, store.list(scope, all_sessions=True)))


async def aend_session(scope: Scope, *, store: MemoryStore) -> list[str]:
    """Do what `end_session` does, awaiting the store."""
    return await store.apromote(scope, _leaving(scope, await store.alist(scope, all_sessions=True)))


def _leaving(scope: Scope, rows: Sequence[Memory]) -> list[str]:
    own = [row for row in rows if row.promoted or row.session_id == scope.session_id]
    return ended(own, int(time.time() * 1000))


def build_remember_node(
    *,
    store: MemoryStore,
    config: ContextConfig | None = None,
    scope: Callable[[Any], Scope] | None = None,
    state_key: str = STATE_KEY,
) -> Runnable[Any, Command[Any]]:
    """Return a node that remembers; its place is behind the answer.

    `host.add_node("remember", build_remember_node(store=store))`

    Args:
        store: Where.
        config: Settings; `None`: the defaults.
        scope: As for `build_context_graph`.
        state_key: As for `build_context_graph`.

    Raises:
        ConfigError: `store` is none.
    """
    _checked(store)

    def given(state: Any) -> dict[str, Any]:
        runtime, configurable = get_runtime(), get_config().get("configurable", {})
        settings = settings_of(config or ContextConfig(), runtime.context, configurable)
        whose = resolve_scope(scope, runtime, configurable)
        return {"messages": log_of(state), "scope": whose, "store": store, "state": read(state, state_key) or None, "config": settings}

    def run(state: Any) -> Command[Any]:
        return Command(update=[(state_key, remember(**given(state)))])

    async def arun(state: Any) -> Command[Any]:
        return Command(update=[(state_key, await aremember(**given(state)))])

    return _RememberNode(RunnableLambda(run, arun, name="remember"), state_key)


class _RememberNode(Runnable[Any, Command[Any]]):
    """A runnable whose annotation shows it the state channel in any host; see `ContextNode`."""

    def __init__(self, node: Runnable[Any, Command[Any]], state_key: str) -> None:
        super().__init__()
        self.name = "remember"
        self._node = node

        def call(self: _RememberNode, state: Any) -> Command[Any]:
            return self.invoke(state)

        call.__annotations__ = {"state": input_type(state_key), "return": Command}
        self.__call__ = MethodType(call, self)  # type: ignore[method-assign]

    def __call__(self, state: Any) -> Command[Any]:
        return self.invoke(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002  (Runnable's name)
        return self._node.invoke(input, config)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002
        return await self._node.ainvoke(input, config)

"""Prune: an opt-in node that takes summarised messages out of the host's log, for small checkpoints (H2).

Everything else of context mode leaves the log alone. What goes stands in the summary, in a line of the archive and, with
an archive store, in full; each replacement is there before anything is removed, or nothing is removed at all.
"""

from __future__ import annotations

import logging
from types import MethodType
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.config import get_config
from langgraph.runtime import get_runtime
from langgraph.types import Command

from langchain_contextmode.channels import STATE_KEY, input_type, log_of, read
from langchain_contextmode.errors import ConfigError, ScopeError, StoreError
from langchain_contextmode.originals import Originals
from langchain_contextmode.pruning import Pruned, plan
from langchain_contextmode.schema import Scope
from langchain_contextmode.scopes import resolve_scope
from langchain_contextmode.work import checked_state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from langchain_core.runnables import RunnableConfig
    from langgraph.store.base import BaseStore

KEEP_TURNS = 5
MAX_ENTRIES = 200

logger = logging.getLogger("langchain_contextmode")


def prune(
    messages: Sequence[Any],
    state: Mapping[str, Any] | None,
    *,
    keep_turns: int = KEEP_TURNS,
    scope: Scope | None = None,
    archive: BaseStore | None = None,
    max_entries: int = MAX_ENTRIES,
) -> Pruned:
    """Say which messages can leave the log, and what the state is without them.

    Only whole blocks behind the summary's watermark go, and what stands there that can never be sent (orphaned results, blank
    messages). System messages, pinned messages, open calls, messages without an id of their own and the newest turns stay; with an
    archive also what it cannot hold. Where a summarised message was edited or is gone, nothing goes.

    Args:
        messages: The log as it is now, not an older snapshot. Not modified.
        state: `view.state`. Not modified.
        keep_turns: Newest turns that stay whatever was summarised; the current one always does.
        scope: Whose log; only the archive asks for it.
        archive: Where the originals are written and read back first. `None`: their lines offer no restore.
        max_entries: Lines of pruned messages held in state; the oldest leave first.

    Raises:
        ConfigError: A number is no whole number, or negative.
        ScopeError: There is an archive and no scope.
        StateSchemaError: The state is not ours, or of an unknown version.
    """
    _check_numbers(keep_turns, max_entries)
    found = plan(messages, checked_state(state), keep_turns=keep_turns, max_entries=max_entries, storing=archive is not None)
    if found.goes and archive is not None:
        try:
            Originals(archive).put(_checked(scope), found.originals)
        except StoreError as error:
            return found.given_up(str(error))
    return found.done()


async def aprune(
    messages: Sequence[Any],
    state: Mapping[str, Any] | None,
    *,
    keep_turns: int = KEEP_TURNS,
    scope: Scope | None = None,
    archive: BaseStore | None = None,
    max_entries: int = MAX_ENTRIES,
) -> Pruned:
    """Do what `prune` does, awaiting the archive."""
    _check_numbers(keep_turns, max_entries)
    found = plan(messages, checked_state(state), keep_turns=keep_turns, max_entries=max_entries, storing=archive is not None)
    if found.goes and archive is not None:
        try:
            await Originals(archive).aput(_checked(scope), found.originals)
        except StoreError as error:
            return found.given_up(str(error))
    return found.done()


def build_prune_node(
    *,
    archive: BaseStore | None = None,
    state_key: str = STATE_KEY,
    keep_turns: int = KEEP_TURNS,
    max_entries: int = MAX_ENTRIES,
    scope: Callable[[Any], Scope] | None = None,
) -> Runnable[Any, Command[Any]]:
    """Return a node that prunes the host's log.

    `host.add_node("prune", build_prune_node(archive=store))`, in the graph that owns `messages` (removals inside a subgraph do not
    reach it) with the reducer `add_messages`, in a step of its own, best after the answer, never between `ContextNode` and the node
    that reads the view. One update holds removals and state; nothing of it shows in `stream_mode="messages"`. Older checkpoints keep
    the older log. Without this node the log grows with every turn.

    Args:
        archive: See `prune`. A failing one is logged (without text), and nothing is removed.
        state_key: As for `build_context_graph`.
        keep_turns: See `prune`.
        max_entries: See `prune`.
        scope: As for `build_context_graph`; only an archive asks for it.

    Raises:
        ConfigError: A number or the state key is wrong.
    """
    _check_numbers(keep_turns, max_entries)
    if not state_key.isidentifier() or state_key == "messages":
        message = f"state_key={state_key!r} cannot name the state channel."
        raise ConfigError(message)

    def asked(state: Any) -> dict[str, Any]:
        found = None if archive is None else resolve_scope(scope, get_runtime(), get_config().get("configurable", {}))
        kept = {"keep_turns": keep_turns, "max_entries": max_entries, "archive": archive, "scope": found}
        return {"messages": log_of(state), "state": read(state, state_key), **kept}

    def update(pruned: Pruned, state: Any) -> Command[Any]:
        if pruned.removals and not all(getattr(message, "id", None) for message in log_of(state)):
            logger.warning("prune: nothing was removed: messages have no ids, so their channel cannot have the reducer add_messages")
            return Command(update=[])
        return Command(update=[("messages", pruned.removals), (state_key, pruned.state)] if pruned.removals else [])

    def run(state: Any) -> Command[Any]:
        return update(prune(**asked(state)), state)

    async def arun(state: Any) -> Command[Any]:
        return update(await aprune(**asked(state)), state)

    return _PruneNode(RunnableLambda(run, arun, name="prune"), state_key)


class _PruneNode(Runnable[Any, Command[Any]]):
    """A runnable whose annotation shows it the state channel in any host; see `ContextNode`."""

    def __init__(self, node: Runnable[Any, Command[Any]], state_key: str) -> None:
        super().__init__()
        self.name = "prune"
        self._node = node
        self.__call__ = MethodType(_call_with(input_type(state_key)), self)  # type: ignore[method-assign]

    def __call__(self, state: Any) -> Command[Any]:
        return self.invoke(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002  (Runnable's name)
        return self._node.invoke(input, config)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002
        return await self._node.ainvoke(input, config)


def _call_with(schema: type) -> Callable[[_PruneNode, Any], Command[Any]]:
    def call(self: _PruneNode, state: Any) -> Command[Any]:
        return self.invoke(state)

    call.__annotations__ = {"state": schema, "return": Command}
    return call


def _check_numbers(keep_turns: Any, max_entries: Any) -> None:
    for name, number in (("keep_turns", keep_turns), ("max_entries", max_entries)):
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            message = f"{name} must be a whole number, 0 or more, got {number!r}."
            raise ConfigError(message)


def _checked(scope: Any) -> Scope:
    if not isinstance(scope, Scope):
        message = f'An archive needs a scope, got {type(scope).__name__}. Pass scope=Scope(user_id="...", session_id="...").'
        raise ScopeError(message)
    return scope

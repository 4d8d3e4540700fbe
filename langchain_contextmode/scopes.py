"""Whose run is this? Found in the run itself, never in a default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from langchain_contextmode.errors import ScopeError
from langchain_contextmode.schema import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

HOW = (
    'Pass context={"user_id": "...", "session_id": "..."} or config={"configurable": {"user_id": "...", "session_id": "..."}} '
    "(thread_id serves as session), or build the graph with scope=callable(runtime) -> Scope."
)


def resolve_scope(resolver: Callable[[Any], Scope] | None, runtime: Any, configurable: Mapping[str, Any]) -> Scope:
    """Find user and session of a run.

    Order: the resolver; for the user the server's authenticated user; the runtime's context (mapping, dataclass or
    Pydantic); `configurable`; for the session the thread. The first that is there counts: an empty or wrong id is an
    error, never a reason to look further.

    Args:
        resolver: Called with the runtime, not awaited; its answer is final.
        runtime: LangGraph's runtime, or `None` outside a graph.
        configurable: The run's `config["configurable"]`.

    Raises:
        ScopeError: A user or session is not to be found or not a non-empty string; the message shows how to pass them.
    """
    if resolver is not None:
        scope: Any = resolver(runtime)
        if not isinstance(scope, Scope):
            message = f"The scope resolver returned {type(scope).__name__}, not a Scope."
            raise ScopeError(message)
        return scope
    context = getattr(runtime, "context", None)
    server_user = getattr(getattr(runtime, "server_info", None), "user", None)
    user = _first(getattr(server_user, "identity", None), _field(context, "user_id"), configurable.get("user_id"))
    session = _first(_field(context, "session_id"), configurable.get("session_id"), _thread(configurable))
    missing = " and ".join(name for name, value in (("user_id", user), ("session_id", session)) if value is None)
    if missing:
        message = f"This run has no {missing}. {HOW}"
        raise ScopeError(message)
    try:
        return Scope(user, session)
    except ScopeError as error:
        message = f"{error} {HOW}"
        raise ScopeError(message) from None


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _field(context: Any, name: str) -> Any:
    return context.get(name) if isinstance(context, Mapping) else getattr(context, name, None)


def _thread(configurable: Mapping[str, Any]) -> Any:
    """Return the thread's id as LangGraph reads it: 7 and "7" are one thread."""
    thread = configurable.get("thread_id")
    return None if thread is None else str(thread)

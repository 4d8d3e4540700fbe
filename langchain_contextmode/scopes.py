"""Whose run is this? Found in the run itself, never in a default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.errors import ScopeError
from langchain_contextmode.schema import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HOW = (
    'Pass context={"user_id": ..., "session_id": ...} or config={"configurable": {"user_id": ..., "session_id": ...}} '
    "(thread_id serves as session), or build the graph with scope=callable(runtime) -> Scope."
)


def resolve_scope(resolver: Callable[[Any], Scope] | None, runtime: Any, configurable: Mapping[str, Any]) -> Scope:
    """Find user and session of a run.

    Order: the resolver; the server's authenticated user; the runtime's context (dict, dataclass or Pydantic);
    `configurable`. The session may also be the thread.

    Args:
        resolver: Called with the runtime; its answer is final.
        runtime: LangGraph's runtime, or `None` outside a graph.
        configurable: The run's `config["configurable"]`.

    Raises:
        ScopeError: A user or session is not to be found; the message shows how to pass them.
    """
    if resolver is not None:
        scope: Any = resolver(runtime)
        if not isinstance(scope, Scope):
            message = f"The scope resolver returned {type(scope).__name__}, not a Scope."
            raise ScopeError(message)
        return scope
    context = getattr(runtime, "context", None)
    server_user = getattr(getattr(runtime, "server_info", None), "user", None)
    user = getattr(server_user, "identity", None) or _field(context, "user_id") or configurable.get("user_id")
    session = _field(context, "session_id") or configurable.get("session_id") or configurable.get("thread_id")
    missing = " and ".join(name for name, value in (("user_id", user), ("session_id", session)) if not value)
    if missing:
        message = f"This run has no {missing}. {HOW}"
        raise ScopeError(message)
    return Scope(user_id=str(user), session_id=str(session))


def _field(context: Any, name: str) -> Any:
    return context.get(name) if isinstance(context, dict) else getattr(context, name, None)

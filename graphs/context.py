"""The context graph by itself, for `langgraph dev`: messages in, the view of the newest request out."""

from __future__ import annotations

from typing import Any

from langchain_contextmode import ContextConfig, Scope, ScopeError, build_context_graph


def scope(runtime: Any) -> Scope:
    """Name the thread as the session; a local Studio has no users.

    Raises:
        ScopeError: The run has no thread.
    """
    thread = runtime.execution_info.thread_id if runtime.execution_info else None
    if thread is None:
        message = 'This run has no thread, which is its session here. Pass config={"configurable": {"thread_id": "..."}}.'
        raise ScopeError(message)
    return Scope("studio", thread)


graph = build_context_graph(config=ContextConfig(view_tokens=2_000), scope=scope)

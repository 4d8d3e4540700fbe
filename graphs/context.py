"""The context graph by itself, for `langgraph dev`: messages in, the view of the newest request out."""

from __future__ import annotations

from typing import Any

from langchain_contextmode import ContextConfig, Scope, build_context_graph


def scope(runtime: Any) -> Scope:
    """Name the thread as the session; a local Studio has no users."""
    thread = runtime.execution_info.thread_id if runtime.execution_info else None
    return Scope("studio", thread or "no-thread")


graph = build_context_graph(config=ContextConfig(view_tokens=2_000), scope=scope)

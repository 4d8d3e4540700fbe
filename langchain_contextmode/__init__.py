"""Context mode: decide before every answer what the model sees.

`prepare_context` is the whole job as a function; `build_context_graph` and `ContextNode` are the same job as a
LangGraph node; `search_history` and `restore_messages` find and bring back what a view left out. Heavy parts are imported
when they are first needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from langchain_contextmode.channels import context_messages
from langchain_contextmode.chat_graph import build_chat_graph
from langchain_contextmode.chat_history import ContextModeChatHistory, SQLiteChatMessageHistory
from langchain_contextmode.config import ContextConfig, Pools
from langchain_contextmode.embeddings import MiniLMEmbeddings
from langchain_contextmode.errors import (
    BudgetError,
    ConfigError,
    ContextModeError,
    ScopeError,
    StateSchemaError,
    StepError,
    StoreError,
)
from langchain_contextmode.forgetting import Forgotten, aforget, forget
from langchain_contextmode.graph import ContextNode, build_context_graph
from langchain_contextmode.hashing import HashingEmbeddings
from langchain_contextmode.history import asearch_history, search_history
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.pins import add_pin, list_pins, remove_pin
from langchain_contextmode.pipeline import aprepare_context, prepare_context
from langchain_contextmode.protocols import Request, Scorer, TokenCounter
from langchain_contextmode.prune import build_prune_node
from langchain_contextmode.record_losses import lost_fields
from langchain_contextmode.record_templates import RecordField, RecordTemplate
from langchain_contextmode.remembering import aend_session, aremember, build_remember_node, end_session, remember
from langchain_contextmode.restore import restore_messages
from langchain_contextmode.retriever import MemoryRetriever
from langchain_contextmode.run_settings import RunContext
from langchain_contextmode.schema import ArchiveEntry, ContextInput, ContextView, Decision, Pin, PoolUsage, Scope, Verdict
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.chroma import ChromaMemoryStore
from langchain_contextmode.stores.ephemeral import EphemeralMemoryStore
from langchain_contextmode.task.manual import set_field, set_node, set_todos, undo_field
from langchain_contextmode.task.spec import TaskSpec
from langchain_contextmode.task.state import TaskState
from langchain_contextmode.task.types import NodeSpec, ToolSource
from langchain_contextmode.tools import context_tools

if TYPE_CHECKING:
    from langchain_contextmode.memory import ContextModeMemory
    from langchain_contextmode.middleware import ContextModeMiddleware

__all__ = [
    "ArchiveEntry",
    "BudgetError",
    "ChromaMemoryStore",
    "ConfigError",
    "ContextConfig",
    "ContextInput",
    "ContextModeChatHistory",
    "ContextModeError",
    "ContextModeMemory",
    "ContextModeMiddleware",
    "ContextNode",
    "ContextView",
    "Decision",
    "EphemeralMemoryStore",
    "Forgotten",
    "HashingEmbeddings",
    "Memory",
    "MemoryRetriever",
    "MemoryStore",
    "MiniLMEmbeddings",
    "NodeSpec",
    "Pin",
    "PoolUsage",
    "Pools",
    "RecordField",
    "RecordTemplate",
    "Request",
    "RunContext",
    "SQLiteChatMessageHistory",
    "Scope",
    "ScopeError",
    "Scorer",
    "StateSchemaError",
    "StepError",
    "StoreError",
    "TaskSpec",
    "TaskState",
    "TokenCounter",
    "ToolSource",
    "Verdict",
    "add_pin",
    "aend_session",
    "aforget",
    "aprepare_context",
    "aremember",
    "asearch_history",
    "build_chat_graph",
    "build_context_graph",
    "build_prune_node",
    "build_remember_node",
    "context_messages",
    "context_tools",
    "end_session",
    "forget",
    "list_pins",
    "lost_fields",
    "prepare_context",
    "remember",
    "remove_pin",
    "restore_messages",
    "search_history",
    "set_field",
    "set_node",
    "set_todos",
    "undo_field",
]

_EXTRAS = {
    "ContextModeMemory": ("langchain_contextmode.memory", "classic"),
    "ContextModeMiddleware": ("langchain_contextmode.middleware", "agent"),
}
"""Names whose module needs an optional package: their module, and the extra that brings it."""


def __getattr__(name: str) -> Any:
    if name not in _EXTRAS:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    module, extra = _EXTRAS[name]
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        message = f"{name} needs {error.name}: pip install 'langchain-contextmode[{extra}]'."
        raise ImportError(message, name=error.name) from error

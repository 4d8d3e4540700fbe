"""Context mode: decide before every answer what the model sees.

`prepare_context` is the whole job as a function; `build_context_graph` and `ContextNode` are the same job as a
LangGraph node. Heavy parts are imported when they are first needed.
"""

from __future__ import annotations

from langchain_contextmode.channels import context_messages
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
from langchain_contextmode.graph import ContextNode, build_context_graph
from langchain_contextmode.pipeline import aprepare_context, prepare_context
from langchain_contextmode.protocols import Request, Scorer, TokenCounter
from langchain_contextmode.schema import ArchiveEntry, ContextInput, ContextView, Decision, PoolUsage, Scope, Verdict

__all__ = [
    "ArchiveEntry",
    "BudgetError",
    "ConfigError",
    "ContextConfig",
    "ContextInput",
    "ContextModeError",
    "ContextNode",
    "ContextView",
    "Decision",
    "MiniLMEmbeddings",
    "PoolUsage",
    "Pools",
    "Request",
    "Scope",
    "ScopeError",
    "Scorer",
    "StateSchemaError",
    "StepError",
    "StoreError",
    "TokenCounter",
    "Verdict",
    "aprepare_context",
    "build_context_graph",
    "context_messages",
    "prepare_context",
]

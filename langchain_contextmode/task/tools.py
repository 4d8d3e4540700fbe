"""Values that a tool's JSON result fills in, where the declaration says so; free tool text never does (T5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from langchain_contextmode.task.types import Found

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.task.spec import TaskSpec

_SPAN_CHARS = 200
_MOST_CHARS = 2_000_000


def from_tool(spec: TaskSpec, tool: str, text: str) -> list[Found]:
    """Return what a tool's result says about fields: nothing where it is no JSON or lacks the path.

    Args:
        spec: The declaration.
        tool: Name of the tool.
        text: Its result.
    """
    sources = {name: source for name, source in spec.sources.items() if source.tool == tool}
    if not sources or len(text) > _MOST_CHARS:
        return []
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return []
    found = []
    for name, source in sources.items():
        value = _at(result, source.path)
        if value is not None and not isinstance(value, dict):
            found.append(Found(name, value, str(value)[:_SPAN_CHARS], 0, corrects=True))  # a later result replaces, lists too
    return found


def _at(value: Any, path: Iterable[str | int]) -> Any:
    for key in path:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
            value = value[key]
        else:
            return None
    return value

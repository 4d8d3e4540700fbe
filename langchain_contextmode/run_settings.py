"""Settings of one run: what a caller may set beside user and session, and how it reaches the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from langchain_contextmode.config import ContextConfig


@dataclass(frozen=True)
class RunContext:
    """Context schema of a run, for `build_context_graph(context_schema=RunContext)`, `create_agent` and LangGraph Studio.

    A context of your own may have the same fields, as a dict, dataclass or Pydantic model; `configurable` serves as well. What is
    `None` or missing is as configured.

    Attributes:
        user_id: Whose run it is. Never a default; an authenticated user of LangGraph Server comes first.
        session_id: Which session. `None`: the thread.
        view_tokens: Hard cap on the view.
        levels: Level name (`session`, `task`, `memory`) to `True` or `False`.
        remember: `False`: nothing of this run is remembered.
        debug: Log the whole prompt.
    """

    user_id: str | None = None
    session_id: str | None = None
    view_tokens: int | None = None
    levels: dict[Literal["session", "task", "memory"], bool] | None = None
    remember: bool | None = None
    debug: bool | None = None


_NAMES = ("view_tokens", "levels", "remember", "debug")


def settings_of(config: ContextConfig, context: Any, configurable: Mapping[str, Any]) -> ContextConfig:
    """Return the configuration of one run; the same object where the run sets nothing.

    Args:
        config: As built. Not modified.
        context: The runtime's context: a mapping, an object, or `None`. Comes first.
        configurable: The run's `config["configurable"]`.

    Raises:
        ConfigError: A setting is wrong.
    """
    given = {name: value for name in _NAMES if (value := _first(context, configurable, name)) is not None}
    if "levels" in given:
        levels = given["levels"]
        given["levels"] = {**config.levels, **levels} if isinstance(levels, Mapping) else levels
    if "remember" in given:  # a run may stay silent; it cannot switch on what the application switched off
        given["remember"] = config.remember if given["remember"] is True else "off" if given["remember"] is False else given["remember"]
    changed = {name: value for name, value in given.items() if value != getattr(config, name)}
    return ContextConfig(**{**dict(config), **changed}) if changed else config


def _first(context: Any, configurable: Mapping[str, Any], name: str) -> Any:
    value = context.get(name) if isinstance(context, Mapping) else getattr(context, name, None)
    return configurable.get(name) if value is None else value

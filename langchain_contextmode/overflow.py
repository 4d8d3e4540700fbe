"""When a provider says that the context is too long all the same: how much smaller the next view is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from langchain_contextmode.config import ContextConfig

TRIES: Final = 2
"""How often a view is made smaller and sent again."""

_SHARE: Final = 0.7


def smaller(config: ContextConfig, tokens: int) -> ContextConfig:
    """Return settings for a view of at most 70 % of the tokens that were too many."""
    return config.model_copy(update={"view_tokens": max(1, int(tokens * _SHARE))})


def for_model(config: ContextConfig, model: Any) -> ContextConfig:
    """Return settings for the model of one request (a fallback, a router's choice), by the window that its profile names.

    An explicit `window_tokens` is an upper limit.
    """
    profile = getattr(model, "profile", None)
    window = profile.get("max_input_tokens") if isinstance(profile, dict) else None
    if not isinstance(window, int) or window <= 0:
        return config
    if "window_tokens" in config.model_fields_set:
        window = min(window, config.window_tokens)
    return config if window == config.window_tokens else config.model_copy(update={"window_tokens": window})

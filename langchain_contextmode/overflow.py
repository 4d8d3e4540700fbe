"""When a provider says that the context is too long all the same: how much smaller the next view is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from langchain_core.exceptions import ContextOverflowError

from langchain_contextmode.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_contextmode.config import ContextConfig

TRIES: Final = 2
"""How often a view is made smaller and sent again."""

_SHARE: Final = 0.7
_CODE: Final = "context_length_exceeded"
_SAID: Final = ("maximum context length", "context size", "context window", "prompt is too long", _CODE)
_STATUS: Final = (400, 413)


class Refusals:
    """How often one request was refused as too long."""

    def __init__(self) -> None:
        """Begin with none."""
        self._last: Exception | None = None
        self._left = TRIES

    def accept(self, error: Exception) -> bool:
        """Take note of a failed call; `False`: it failed for another reason, or no try is left."""
        if not self._left or not is_overflow(error):
            return False
        self._last, self._left = error, self._left - 1
        return True

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """Let a view be made; where it cannot be made smaller, the provider's error is the one to raise."""
        try:
            yield
        except BudgetError as error:
            if self._last is None:
                raise
            raise self._last from error


def is_overflow(error: Exception) -> bool:
    """Say whether a provider refused a request because it is too long.

    LangChain has an error for it, but its integrations look for words that a client's newest release may no longer print, and
    servers that imitate OpenAI use their own: the code and the message of a refused request (HTTP 400 or 413) count as well.
    """
    if isinstance(error, ContextOverflowError) or getattr(error, "code", None) == _CODE:
        return True
    said = str(error).lower()
    return getattr(error, "status_code", None) in _STATUS and any(words in said for words in _SAID)


def smaller(config: ContextConfig, tokens: int) -> ContextConfig:
    """Return settings for a view of at most 70 % of the tokens that were too many."""
    return config.model_copy(update={"view_tokens": max(1, int(tokens * _SHARE))})


def for_model(config: ContextConfig, model: Any) -> ContextConfig:
    """Return settings for the model of one request (a fallback, a router's choice), by the window that its profile names.

    Of a model with fallbacks inside (`with_fallbacks`) the smallest window counts: any of them may get the view. An explicit
    `window_tokens` is an upper limit.
    """
    fallbacks = getattr(model, "fallbacks", None)
    models = [model, *(fallbacks if isinstance(fallbacks, list | tuple) else ())]
    windows = [window for each in models if (window := _window(each))]
    if "window_tokens" in config.model_fields_set:
        windows.append(config.window_tokens)
    window = min(windows, default=config.window_tokens)
    return config if window == config.window_tokens else config.model_copy(update={"window_tokens": window})


def _window(model: Any) -> int | None:
    profile = getattr(model, "profile", None)
    window = profile.get("max_input_tokens") if isinstance(profile, dict) else None
    return window if isinstance(window, int) and window > 0 else None

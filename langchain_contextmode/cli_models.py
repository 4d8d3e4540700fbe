"""The judge that the command line opens from a name and the environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import BaseCallbackHandler

from langchain_contextmode.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.language_models import BaseChatModel


class _Ticks(BaseCallbackHandler):
    """Says that a call has ended, well or not."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick

    def on_llm_end(self, *_: Any, **__: Any) -> None:
        self._tick()

    def on_llm_error(self, *_: Any, **__: Any) -> None:
        self._tick()


def open_model(name: str, *, timeout_seconds: float, tick: Callable[[], None]) -> BaseChatModel:
    """Open a chat model.

    Args:
        name: `NAME` or `openai:NAME` for OpenAI and servers that speak its protocol (`OPENAI_API_KEY`,
            `OPENAI_BASE_URL`); `PROVIDER:NAME` for what `init_chat_model` of the extra `[agent]` knows.
        timeout_seconds: For one call.
        tick: Called after each call to an OpenAI model.

    Raises:
        ConfigError: The key is missing, or the provider is unknown or not installed.
    """
    provider, colon, rest = name.partition(":")
    if colon and provider != "openai":
        return _other(name)
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        problem = (
            f"--model {name} needs the environment variable OPENAI_API_KEY; for a server without keys, "
            "named by OPENAI_BASE_URL, any value will do."
        )
        raise ConfigError(problem)
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    return ChatOpenAI(
        model=rest if colon else name,
        api_key=SecretStr(key),
        base_url=os.environ.get("OPENAI_BASE_URL") or None,
        timeout=timeout_seconds,
        callbacks=[_Ticks(tick)],
    )


def _other(name: str) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model

        model: BaseChatModel = init_chat_model(name)
    except (ImportError, ValueError) as error:
        why = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        problem = (
            f"--model {name} cannot be opened: {why}. OpenAI models are NAME or openai:NAME; "
            "others need the extra [agent] and the provider's package."
        )
        raise ConfigError(problem) from None
    return model

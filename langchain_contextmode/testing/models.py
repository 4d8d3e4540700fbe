"""Chat models that say what a test wrote down."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence  # noqa: TC003  (Pydantic reads the annotations)
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import ConfigDict, PrivateAttr, SkipValidation

if TYPE_CHECKING:
    from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun


class ScriptedRequest(NamedTuple):
    """One request that a `ScriptedChatModel` got.

    Attributes:
        messages: As sent.
        options: Call options (`temperature`, `max_tokens`, ...).
    """

    messages: list[BaseMessage]
    options: dict[str, Any]

    @property
    def text(self) -> str:
        """Text of the last message."""
        return str(self.messages[-1].text) if self.messages else ""


Reply = str | AIMessage | BaseException
"""What a scripted model does: says a text, returns a message, or raises."""


class ScriptedChatModel(BaseChatModel):
    """A chat model that says what the test wrote down.

    Attributes:
        replies: Replies in order, the last one repeated; or a callable from request to reply. A reply is a text, a
            message, or an exception to raise. Requests side by side are answered in the order of their arrival.
        seconds: How long each answer takes; the thread sleeps, the event loop does not.
    """

    replies: SkipValidation[Sequence[Reply] | Callable[[ScriptedRequest], Reply]] = ("",)
    seconds: float = 0.0

    model_config = ConfigDict(arbitrary_types_allowed=True)
    _requests: list[ScriptedRequest] = PrivateAttr(default_factory=list)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def requests(self) -> list[ScriptedRequest]:
        """All requests so far, in the order of their arrival."""
        return self._requests

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  (the interface's)
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        reply = self._next(messages, kwargs)
        time.sleep(self.seconds)
        return _result(reply)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        reply = self._next(messages, kwargs)
        await asyncio.sleep(self.seconds)
        return _result(reply)

    def _next(self, messages: list[BaseMessage], options: dict[str, Any]) -> Reply:
        request = ScriptedRequest(messages, options)
        with self._lock:
            self._requests.append(request)
            if not callable(self.replies):
                return self.replies[min(len(self._requests), len(self.replies)) - 1]
        return self.replies(request)


def yes_no(probability: float) -> AIMessage:
    """Return the reply of a model that says yes with this probability (0 < p < 1), with OpenAI's `logprobs` metadata."""
    top = [{"token": "Yes", "logprob": math.log(probability)}, {"token": "No", "logprob": math.log(1 - probability)}]
    top.sort(key=lambda entry: -float(str(entry["logprob"])))
    return AIMessage(str(top[0]["token"]), response_metadata={"logprobs": {"content": [{**top[0], "top_logprobs": top}]}})


def _result(reply: Reply) -> ChatResult:
    if isinstance(reply, BaseException):
        raise reply
    message = AIMessage(reply) if isinstance(reply, str) else reply.model_copy()
    return ChatResult(generations=[ChatGeneration(message=message)])

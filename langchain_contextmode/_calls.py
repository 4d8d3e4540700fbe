"""What one internal call to a model or an embedder is, blocking or not: sealed, limited, checked, recorded."""

from __future__ import annotations

import copy
import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableBinding
from langchain_core.runnables.config import ensure_config
from langgraph.constants import TAG_NOSTREAM
from langgraph.errors import GraphBubbleUp

from langchain_contextmode.errors import StepError
from langchain_contextmode.estimate import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig

    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.protocols import Role

TAG = "contextmode"
"""Tag of every internal model call, beside LangGraph's `nostream`; filter `astream_events` by it."""

_WHY_CHARS = 300
_TOOL_OPTIONS = frozenset({"tools", "tool_choice", "parallel_tool_calls", "functions", "function_call", "response_format"})

PASS_THROUGH = (GraphBubbleUp, StepError)
"""Errors that are control flow; whoever catches foreign errors lets these pass."""


class CallFailedError(Exception):
    """A model or embedding call brought nothing that can be used. Soft: the caller goes on without it."""


class Calls:
    """What both forms share; they differ in `_call` and `all`. One object serves one preparation."""

    _semaphore: ClassVar[type[Any]]

    def __init__(
        self,
        config: ContextConfig,
        *,
        models: Mapping[Role, BaseChatModel] | None = None,
        embeddings: Embeddings | None = None,
        originals: Any = None,
        memories: Any = None,
        run_config: RunnableConfig | None = None,
        count_text: Callable[[str], int] = estimate_tokens,
        ends: float | None = None,
    ) -> None:
        """Start the preparation's clock.

        Args:
            config: Limits and the error policy.
            models: Role to model. Shared objects: never modified, options travel with each call.
            embeddings: `None`: `embed` fails.
            originals: Archive of originals, bound to the scope of this run: `get(ids)` and `aget(ids)`. `None`: `fetch` fails.
            memories: Memory store, bound to the scope of this run: every method and its awaiting twin. `None`: `memory` fails.
            run_config: Of the surrounding run; callbacks, metadata, configurable and tags reach every internal call.
                `None`: taken from the context variable of the surrounding run, if there is one.
            count_text: Tokens of a text; decides whether a prompt fits the model that gets it.
            ends: When the preparation's time is used up (`time.monotonic`). `None`: `prepare_timeout_seconds` from now.
        """
        self.config = config
        self.calls: list[dict[str, Any]] = []
        self.degradations: list[dict[str, str]] = []
        self.notes: list[dict[str, str]] = []
        self._models: dict[Role, BaseChatModel] = {role: _bare(model) for role, model in (models or {}).items()}
        self._embeddings = embeddings
        self._originals = originals
        self._memories = memories
        self._run_config = ensure_config(run_config)
        self._count_text = count_text
        self._slots = self._semaphore(config.max_concurrency)
        self._plain: set[Role] = set()  # roles whose model refused call options
        self._ends = time.monotonic() + config.prepare_timeout_seconds if ends is None else ends

    def sibling(self) -> Self:
        """Return another object on the same outside world, clock and limits, with an account of its own."""
        other = copy.copy(self)
        other.calls, other.degradations, other.notes = [], [], []
        return other

    def has(self, role: Role) -> bool:
        """See `protocols.IO.has`."""
        return role in self._models

    @property
    def can_embed(self) -> bool:
        """See `protocols.IO.can_embed`."""
        return self._embeddings is not None

    def window(self, role: Role) -> int | None:
        """See `protocols.IO.window`."""
        profile = getattr(self._models.get(role), "profile", None)
        window = profile.get("max_input_tokens") if isinstance(profile, dict) else None
        return window if isinstance(window, int) and window > 0 else None

    def note(self, step: str, text: str) -> None:
        """See `protocols.IO.note`."""
        self.notes.append({"step": step, "text": text})

    def degraded(self, step: str, why: str) -> None:
        """See `protocols.IO.degraded`."""
        self.degradations.append({"step": step, "why": why})
        if self.config.on_error == "raise":
            message = f"{step}: {why}"
            raise StepError(message, step=step)

    async def ask(self, prompt: str, *, role: Role, name: str, max_tokens: int, **options: Any) -> AIMessage:
        """See `protocols.IO.ask`. A model that refuses a call option is asked once more without any, and from then on."""
        if role not in self._plain:
            options = {"temperature": 0, "max_tokens": max_tokens, **options}
            try:
                return await self._asked(prompt, role, name, options)
            except CallFailedError as failure:
                if not _refuses(failure, options):
                    raise
                self._plain.add(role)
        return await self._asked(prompt, role, name, {})

    async def _asked(self, prompt: str, role: Role, name: str, options: dict[str, Any]) -> AIMessage:
        with self._recorded(name, role) as record:
            model = self._fitting(prompt, role)
            reply = await self._call(model, "invoke", [HumanMessage(prompt)], self._sealed(name), **options)
            if not isinstance(reply, AIMessage):
                _fail(f"the model replied with {type(reply).__name__}, not with a message.")
            usage = reply.usage_metadata
            if usage:
                record.update(input_tokens=usage["input_tokens"], output_tokens=usage["output_tokens"])
            return reply

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `protocols.IO.embed`."""
        if not texts:
            return []
        with self._recorded("embed", "embeddings"):
            if self._embeddings is None:
                _fail("no embeddings were given.")
            return _checked(await self._call(self._embeddings, "embed_documents", list(texts)), len(texts))

    @property
    def can_fetch(self) -> bool:
        """See `protocols.IO.can_fetch`."""
        return self._originals is not None

    async def fetch(self, message_ids: Sequence[str]) -> list[BaseMessage]:
        """See `protocols.IO.fetch`."""
        if not message_ids:
            return []
        with self._recorded("fetch", "archive"):
            if self._originals is None:
                _fail("no archive of originals was given.")
            found: list[BaseMessage] = await self._call(self._originals, "get", list(message_ids))
            return found

    @property
    def can_remember(self) -> bool:
        """See `protocols.IO.can_remember`."""
        return self._memories is not None

    async def memory(self, method: str, *args: Any, **options: Any) -> Any:
        """See `protocols.IO.memory`."""
        with self._recorded(f"memory_{method}", "store"):
            if self._memories is None:
                _fail("no memory store was given.")
            return await self._call(self._memories, method, *args, **options)

    async def _call(self, target: Any, method: str, *args: Any, **options: Any) -> Any:
        raise NotImplementedError

    def _left(self) -> float:
        """Seconds until the preparation's end; always positive."""
        left = self._ends - time.monotonic()
        if left <= 0:
            _fail("the time for model calls is used up.")
        return left

    def _fitting(self, prompt: str, role: Role) -> BaseChatModel:
        model = self._models.get(role)
        if model is None:
            _fail(f"no model was given for {role}.")
        window = self.window(role)
        if window and (tokens := self._count_text(prompt)) > window:
            _fail(f"the prompt has about {tokens} tokens, the model takes {window}.")
        return model

    def _sealed(self, name: str) -> RunnableConfig:
        """The surrounding run's config with our tags and name. The model's own tags are added by LangChain, not replaced."""
        config = ensure_config(self._run_config)
        config["tags"] = [*dict.fromkeys([*config.get("tags", []), TAG_NOSTREAM, TAG])]
        config["metadata"] = {**config.get("metadata", {}), "lc_source": TAG}
        config["run_name"] = name
        config.pop("run_id", None)
        return config

    @contextmanager
    def _recorded(self, name: str, role: str) -> Iterator[dict[str, Any]]:
        """Keep one record of a call, however it ends; what it raises becomes a `CallFailedError`."""
        started = time.monotonic()
        record: dict[str, Any] = {"name": name, "role": role, "input_tokens": None, "output_tokens": None, "ok": False, "why": "given up."}
        try:
            yield record
            record.update(ok=True, why="")
        except GraphBubbleUp:
            raise
        except Exception as error:
            record["why"] = _why(error)
            raise CallFailedError(record["why"]) from error
        finally:
            record["seconds"] = round(time.monotonic() - started, 4)
            self.calls.append(record)


def _bare(model: Any) -> Any:
    """Return the model without tools or a response format bound to it: an internal call wants a plain text."""
    if isinstance(model, RunnableBinding) and _TOOL_OPTIONS & model.kwargs.keys():
        return model.model_copy(update={"kwargs": {key: value for key, value in model.kwargs.items() if key not in _TOOL_OPTIONS}})
    return model


def _refuses(failure: CallFailedError, options: Iterable[str]) -> bool:
    """Say whether a failed call names one of its options; each provider has its own way to refuse a parameter."""
    cause = failure.__cause__
    said = "" if cause is None or isinstance(cause, CallFailedError | TimeoutError) else str(cause)
    return any(option in said for option in ("max_completion_tokens", *options))


def _fail(why: str) -> NoReturn:
    raise CallFailedError(why)


def _why(error: Exception) -> str:
    if isinstance(error, CallFailedError):
        return str(error)
    if isinstance(error, TimeoutError):
        return "no answer within the time limit."
    return f"{type(error).__name__}: {error}"[:_WHY_CHARS]


def _checked(vectors: Any, count: int) -> list[list[float]]:
    """Return the vectors as lists, or fail: one a text, all finite, all of one dimension."""
    rows = [list(map(float, vector)) for vector in vectors]
    if len(rows) != count:
        _fail(f"{len(rows)} vectors came for {count} texts.")
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        _fail("the vectors differ in dimension or are empty.")
    if not all(math.isfinite(sum(row)) for row in rows):
        _fail("a vector holds a value that is not finite.")
    return rows

"""The seams: what a token counter, a scorer and the outside world look like to the rest of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from langchain_core.messages import AIMessage, BaseMessage

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.schema import Verdict

Role = Literal["filter", "filter_fine", "summary", "task", "memory", "rewrite"]
"""What a model is asked for. One `model=` fills all but `filter_fine`; `models={"filter_fine": ...}` adds a better one."""

FILLED: tuple[Role, ...] = ("filter", "summary", "task", "memory", "rewrite")
"""Roles that `model=` fills."""


@runtime_checkable
class TokenCounter(Protocol):
    """A callable over messages, as everywhere in LangChain: `counter(messages) -> tokens`.

    Must be additive up to a constant (as every chat format is); the finished view is counted once more as a whole.
    """

    def __call__(self, messages: Sequence[BaseMessage], /) -> int:
        """Count the input tokens of a request made of these messages."""
        ...


class Request(NamedTuple):
    """What the history is judged against.

    Attributes:
        text: Text of the newest human message; may be empty (a picture).
        context: Texts right before it, oldest first: weaker evidence of what is going on.
    """

    text: str
    context: tuple[str, ...] = ()


class IO(Protocol):
    """What a step may ask of the outside world. A step is a coroutine over this and imports no asyncio."""

    config: ContextConfig

    def has(self, role: Role) -> bool:
        """Say whether a model was given for this role."""
        ...

    @property
    def can_embed(self) -> bool:
        """Say whether an embedder was given."""
        ...

    def window(self, role: Role) -> int | None:
        """Return how many input tokens this role's model takes by its profile; `None` if there is no model or it does not say."""
        ...

    async def ask(self, prompt: str, *, role: Role, name: str, max_tokens: int, **options: Any) -> AIMessage:
        """Send one internal prompt; sealed, tagged, named `name`, limited in time.

        Args:
            prompt: Complete text; sent as one human message.
            role: Which model.
            name: Run name for tracing.
            max_tokens: Reply limit.
            **options: Further call options (for instance `logprobs=True`). A model that refuses options gets none of them.

        Raises:
            CallFailedError: There is no such model, the prompt exceeds its window, the call raised (twice) or timed
                out, or the preparation's time is used up.
        """
        ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts as documents, in order.

        Raises:
            CallFailedError: As for `ask`.
        """
        ...

    @property
    def can_fetch(self) -> bool:
        """Say whether an archive of originals was given."""
        ...

    async def fetch(self, message_ids: Sequence[str]) -> list[BaseMessage]:
        """Read originals of this scope from the archive, in the order asked for; what it lacks is left out.

        Raises:
            CallFailedError: As for `ask`.
        """
        ...

    @property
    def can_remember(self) -> bool:
        """Say whether a memory store was given."""
        ...

    async def memory(self, method: str, *args: Any, **options: Any) -> Any:
        """Call a method of the memory store in this run's scope: `await io.memory("search", query, 5)`.

        Raises:
            CallFailedError: As for `ask`.
        """
        ...

    async def all(self, tasks: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
        """Run sub-steps side by side, at most `max_concurrency` at once.

        Returns:
            Results in order; a `CallFailedError` stands in the place of the sub-step that failed with it.
        """
        ...

    def note(self, step: str, text: str) -> None:
        """Say something about a step in the report that is no failure (a call that was not worth its tokens)."""
        ...

    def degraded(self, step: str, why: str) -> None:
        """Note a soft failure for the report (or raise `StepError`, if `on_error="raise"`)."""
        ...


class Scorer(Protocol):
    """Messages and request in, one verdict a block out. Nothing else knows how decisions are made."""

    async def score(self, io: IO, request: Request, log: Sequence[Block], candidates: Sequence[int]) -> list[Verdict]:
        """Judge blocks against the request.

        Args:
            io: Models and embeddings; a purely local scorer ignores it.
            request: What to judge against.
            log: All blocks of the conversation before the request, oldest first. Not modified.
            candidates: Indices into `log` of the blocks that need a verdict, ascending.

        Returns:
            One verdict per candidate, in the same order. A scorer that fails may raise: everything is then kept.
        """
        ...

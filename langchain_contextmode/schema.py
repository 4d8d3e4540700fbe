"""The words of the package as types: scope, decision, pin, archive entry, pool, view, state.

Everything here is plain and small; everything that enters a checkpoint is JSON (`ContextView.state`, `ContextView.report`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict  # with that of `typing` LangGraph makes no JSON schema on Python 3.11

from langchain_contextmode.errors import ScopeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.task.state import TaskState

Action = Literal["keep", "compress", "drop"]
Form = Literal["verbatim", "shortened", "line", "summary", "none"]
DecidedBy = Literal[
    "must", "recent", "gate", "local", "model", "reference", "entity", "group", "budget", "window", "summary", "restore", "cache", "failure"
]

PinKind = Literal["preference", "dislike", "format", "limit", "deadline", "prohibition", "diet", "health", "rule"]

MAX_SCORE = 10
"""Top of the relevance scale."""

STATE_VERSION = 1
"""Version of every concern in the state channel; an unknown one raises `StateSchemaError`."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose context this is. Both ids are required; there is no default user.

    Raises:
        ScopeError: An id is not a string, is empty, or is only white space.
    """

    user_id: str
    session_id: str

    def __post_init__(self) -> None:
        """Refuse what could stand for everybody."""
        for name in ("user_id", "session_id"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                message = f'Scope.{name} must be a non-empty string, got {value!r}. Pass Scope(user_id="...", session_id="...").'
                raise ScopeError(message)


class Decision(NamedTuple):
    """What happens to one message in this request, and why.

    Attributes:
        action: `keep` (in the view), `compress` (out of the view, a line in the archive), `drop` (out of the view).
        form: How the message is there: `verbatim`, `shortened`, `line`, `summary`, or `none`.
        score: 0..10 (keep at 8, compress at 6, by default), or `None` where nothing was scored.
        reason: Why, in words.
        decided_by: Who decided last.
    """

    action: Action
    form: Form
    score: int | None
    reason: str
    decided_by: DecidedBy


class Verdict(NamedTuple):
    """A scorer's opinion of one block, before budget and references have their say.

    Attributes:
        score: Integer 0..10.
        value: The same opinion unrounded, 0.0..10.0; orders blocks of equal score when the budget is short.
        reason: Why, in words.
        decided_by: `local`, `model`, `entity`, `cache` or `failure`.
        action: Set only if the scorer named an action and no score; otherwise thresholds decide.
    """

    score: int
    value: float
    reason: str
    decided_by: DecidedBy = "local"
    action: Action | None = None


def on_scale(verdict: Any) -> bool:
    """Say whether a verdict makes sense: a whole score and a value of 0..10, and an action that exists, or none."""
    try:
        scores = 0 <= verdict.score <= MAX_SCORE and int(verdict.score) == verdict.score and 0.0 <= verdict.value <= MAX_SCORE
        return bool(scores) and not isinstance(verdict.score, bool) and verdict.action in {None, "keep", "compress", "drop"}
    except (AttributeError, TypeError, ValueError):
        return False


class ArchiveEntry(NamedTuple):
    """One line that stands for compressed messages.

    Attributes:
        text: The line: who, an excerpt, nothing rephrased.
        message_ids: The originals, in conversation order.
        score: Relevance to the request, 0.0..10.0.
    """

    text: str
    message_ids: tuple[str, ...]
    score: float


class Pin(NamedTuple):
    """A sentence copied from a human message because it constrains what follows.

    Attributes:
        text: The whole sentence, letter by letter.
        message_id: The message it stands in; empty for a pin that the application wrote.
        kind: What it says.
        active: No later pin on the same matter overruled it, and nobody removed it.
        source: Who found it: local cues, a model (checked against the message), or the application.
    """

    text: str
    message_id: str
    kind: PinKind = "rule"
    active: bool = True
    source: Literal["local", "model", "application"] = "local"


class PoolUsage(NamedTuple):
    """A named share of the token budget.

    Attributes:
        limit_tokens: What the pool may use; may be exceeded by `system`, which is never reduced.
        used_tokens: What it uses in this view.
    """

    limit_tokens: int
    used_tokens: int


@dataclass(frozen=True)
class ContextView:
    """What the model gets for this request, and how it came about.

    Attributes:
        messages: For the model: system first, a valid conversation for every provider.
        decisions: One per message id of the log, in conversation order.
        archive: Entries for the compressed blocks of this view, oldest first; the newest `archive_max_entries`.
        levels: Level name to `"on: why"` or `"off: why"`.
        pools: Pool name to limit and use, in tokens.
        tokens: Input tokens of `messages` and tool schemas, by the budget's own counter. Never above the view's budget.
        state: JSON-able; pass it back as `state=` for the next turn.
        report: JSON-able account of the preparation.
        pins: What the user demanded, oldest first; overruled ones are there and not active.
        summary: Text of the rolling summary, copied details included; `None` where nothing is summarised. The view shows
            as much of it as bears on the request and fits.
        task: Where the declared job stands; `None` without one.
        memories: What was recalled and stands in the view, best first.
    """

    messages: list[BaseMessage]
    decisions: Mapping[str, Decision]
    archive: tuple[ArchiveEntry, ...]
    levels: Mapping[str, str]
    pools: Mapping[str, PoolUsage]
    tokens: int
    state: dict[str, Any]
    report: dict[str, Any] = field(default_factory=dict)
    pins: tuple[Pin, ...] = ()
    summary: str | None = None
    task: TaskState | None = None
    memories: tuple[Memory, ...] = ()

    def explain(self) -> str:
        """Say in plain text what is in the view, what is not, and why."""
        from langchain_contextmode.report import explain  # noqa: PLC0415  (the report renders views; this only forwards)

        return explain(self)


def newest(left: dict[str, Any] | None, right: dict[str, Any] | None) -> dict[str, Any]:
    """Reducer of the state channel: the newer value stands; parallel branches do not collide."""
    return right if right is not None else (left or {})


class ContextInput(TypedDict, total=False):
    """What a node needs in its input annotation to see the view: `def answer(state: ContextInput)`.

    Attributes:
        messages: The log, read only.
        contextmode: State of context mode; JSON.
        context_view: The view of this request; gone after the next step.
    """

    messages: list[Any]
    contextmode: Annotated[dict[str, Any], newest]
    context_view: Annotated[dict[str, Any], EphemeralValue(dict, guard=False)]

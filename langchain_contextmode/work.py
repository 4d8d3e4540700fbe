"""One preparation under way: what it was given, what its steps have brought, and the checks on both ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage

from langchain_contextmode.errors import ConfigError, ScopeError, StateSchemaError
from langchain_contextmode.restore import checked_ids
from langchain_contextmode.schema import STATE_VERSION, Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(slots=True)
class Work:
    """What the steps of one turn have brought so far.

    Attributes:
        messages: The log. Not modified.
        state: State of the last turn. Not modified.
        scope: Whose context this is; `None` in a graph's steps that do not ask for it.
        restore: Ids of messages that this view has to hold.
        now: The time of this request; `None`: the clock's.
        ends: When the time for model calls is used up (`time.monotonic`); one clock for all steps.
        results: Key to what a step wrote under it.
        records: Step name to what it cost.
    """

    messages: Sequence[Any]
    state: Mapping[str, Any]
    scope: Scope | None = None
    restore: Sequence[str] = ()
    now: datetime | None = None
    ends: float | None = None
    results: dict[str, Any] = field(default_factory=dict)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def clock(self) -> datetime:
        """The time of this request."""
        return self.now or datetime.now(UTC)


def checked_state(state: Any) -> dict[str, Any]:
    """Return the state of the last turn, or an empty one for `None`.

    Raises:
        StateSchemaError: It is not ours, or of a version this release does not know; nothing is overwritten.
    """
    if state is None:
        return {}
    if not isinstance(state, dict):
        message = f"State must be the dict of the last view (view.state), got {type(state).__name__}."
        raise StateSchemaError(message)
    for name, concern in state.items():
        version = concern.get("version") if isinstance(concern, dict) else None
        if version != STATE_VERSION:
            message = f"State concern {name!r} has version {version!r}; this release knows {STATE_VERSION}. It was left as it is."
            raise StateSchemaError(message)
    return dict(state)


def begun(scope: Any, messages: Sequence[Any], state: Any, restore: Sequence[str], now: Any) -> Work:
    """Return the work of one call.

    Raises:
        ScopeError: The scope is none.
        ConfigError: Messages, ids or time are of another shape.
        StateSchemaError: The state is not ours.
    """
    if not isinstance(scope, Scope):
        message = f'scope must be a Scope, got {type(scope).__name__}. Pass scope=Scope(user_id="...", session_id="...").'
        raise ScopeError(message)
    if isinstance(messages, str | bytes | dict | BaseMessage):
        message = f"messages must be a list of messages, got one {type(messages).__name__}. Pass [HumanMessage(...)]."
        raise ConfigError(message)
    if now is not None and (not isinstance(now, datetime) or now.tzinfo is None):
        message = f"now must be a datetime with a time zone, got {now!r:.60}. Pass datetime.now(UTC)."
        raise ConfigError(message)
    return Work(list(messages), checked_state(state), scope, checked_ids(restore), now)

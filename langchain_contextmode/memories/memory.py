"""One thing that is known about a user."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

MemoryType = Literal["fact", "preference", "task", "event", "instruction", "entity", "intent", "archive"]
"""What a memory says. `entity` and `intent` come only from turn records; `archive` is a merged topic of an earlier session."""

MemoryStatus = Literal["active", "superseded", "archived"]
"""`superseded`: a newer value stands. `archived`: faded. Both stay in the store and out of recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One fact about a user, in the user's words. What a store fills in may be left out when it is made.

    Attributes:
        text: One statement.
        type: What it says.
        importance: 0..1; fades with time since its last use.
        confidence: 0..1: how sure it is that the user said this about themselves.
        metadata: The application's own; string keys, plain values. Never used for scope.
        subject: Whom it is about: `user`, or as the user named them (`my brother`). Empty: not known.
        attribute: Which attribute of the subject (`diet`, `seat`, `home city`), normalised; empty: none, so that nothing supersedes it.
        value: The attribute's value, normalised; empty: none.
        polarity: `1` likes, is, has; `-1` dislikes, is not; `0` not known.
        emphasised: The user stressed it ("always", "never forget", "很重要").
        vague: A remark in passing that says nothing by itself; never promoted, never recalled after its session.
        turns: Keys of the turns in which it was said, oldest first, different ones; bounded.
        source_message_ids: Where it stands in the log.
        id: Derived from scope and text by the store; empty before.
        user_id: Filled in by the store.
        session_id: Session in which it was said first; filled in by the store.
        promoted: Visible in all sessions of its user.
        pinned: Does not fade.
        status: See `MemoryStatus`.
        superseded_by: Id of the memory that took its place; empty: none.
        created_at: Milliseconds since the epoch, UTC; 0 before it is stored.
        updated_at: The same, of its last change.
        last_access_at: The same, of its last use in a view.
        access_count: How often it was used in a view.
        score: Relevance 0..1 of a search hit; `None` where nothing was searched.
    """

    text: str
    type: MemoryType = "fact"
    importance: float = 0.5
    confidence: float = 0.5
    metadata: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    attribute: str = ""
    value: str = ""
    polarity: int = 0
    emphasised: bool = False
    vague: bool = False
    turns: tuple[str, ...] = ()
    source_message_ids: tuple[str, ...] = ()
    id: str = ""
    user_id: str = ""
    session_id: str = ""
    promoted: bool = False
    pinned: bool = False
    status: MemoryStatus = "active"
    superseded_by: str = ""
    created_at: int = 0
    updated_at: int = 0
    last_access_at: int = 0
    access_count: int = 0
    score: float | None = None

    def plain(self) -> dict[str, Any]:
        """Return it as JSON."""
        held = {item.name: getattr(self, item.name) for item in fields(self)}
        return {**held, "metadata": dict(self.metadata), "turns": list(self.turns), "source_message_ids": list(self.source_message_ids)}

    @classmethod
    def of(cls, item: Any) -> Memory | None:
        """Read one from JSON; `None` if it is of another shape."""
        try:
            held: Any = {name: item[name] for name in (each.name for each in fields(cls))}
            rest = {"turns": tuple(item["turns"]), "source_message_ids": tuple(item["source_message_ids"])}
            return cls(**{**held, **rest})
        except (KeyError, TypeError):
            return None

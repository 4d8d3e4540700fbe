"""The log as blocks, and blocks as a conversation that every provider accepts.

A block is what may be kept or left out as a whole: a system message, a human message, an AI text, or an AI message with
tool calls together with all its results. Parsing repairs what providers refuse (orphaned results, unanswered calls,
missing or doubled ids, blank messages) in a copy; the log itself is never touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
)

from langchain_contextmode.content import content_hash, marks, of_session

if TYPE_CHECKING:
    from collections.abc import Hashable

Kind = Literal["system", "human", "ai", "call"]


class Given(NamedTuple):
    """A message as the host gave it, to tell next time whether it is still the same."""

    message: BaseMessage
    said: Any
    marks: Any

    @classmethod
    def of(cls, message: BaseMessage) -> Given:
        """Take down what must not have changed."""
        return cls(message, _said(message), marks(message))

    def same(self, message: BaseMessage) -> bool:
        """Say whether it is the same object and says the same, edits in place included."""
        if self.message is not message or self.marks != marks(message):
            return False
        said = _said(message)
        return self.said is said or (type(said) is tuple and self.said == said)


def _said(message: BaseMessage) -> Any:
    """Return the content itself where it is a text (texts do not change), else a hash of content and calls."""
    content = message.content
    if isinstance(content, str) and not (isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls)):
        return content
    return (content_hash(message), message.name)


@dataclass(slots=True)
class Block:
    """One unit of decision. Not modified after `parse`.

    Attributes:
        messages: One message, or an AI message and its results in call order. Ids are unique and never `None`.
        kind: Whose block it is; `call` for an AI message with results.
        index: Position among the log's blocks.
        pinned: Some message of it is marked by the application.
        group: Index of the first block of the group it belongs to (same topic, up to five minutes apart), or its own index.
        synthetic: Ids of results that the log lacks; they have no decision.
        told_ids: Ids of results whose text stands in the one message of the block.
        altered: Message id to what had to be changed to make it acceptable; such a message is not verbatim.
        given: The same messages as the host gave them, if none had to be copied: while they stay the same, so does the
            block. A block never holds an old text, since it holds the host's own objects.
        memo: Derived numbers by key (tokens, terms); lost without harm.
    """

    messages: tuple[BaseMessage, ...]
    kind: Kind
    index: int
    pinned: bool = False
    group: int = -1
    synthetic: frozenset[str] = frozenset()
    told_ids: tuple[str, ...] = ()
    altered: dict[str, str] = field(default_factory=dict)
    given: tuple[Given, ...] = ()
    memo: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Id of the first message."""
        return self.messages[0].id or ""

    @property
    def spoken(self) -> bool:
        """Say whether a human said it in this session, as opposed to what was put into the human role."""
        return self.kind == "human" and of_session(self.messages[0])

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the messages that are in the log."""
        if len(self.messages) == 1 and not self.told_ids:
            return (self.messages[0].id or "",)
        return (*(m.id or "" for m in self.messages if m.id not in self.synthetic), *self.told_ids)


@dataclass(slots=True)
class Log:
    """A parsed conversation.

    Attributes:
        blocks: In conversation order.
        left_out: Message id to the reason it can never be sent (orphaned result, blank).
        order: Message ids in log order, those left out included.
    """

    blocks: list[Block]
    left_out: dict[str, str]
    order: list[str]

    def newest_human(self) -> int | None:
        """Index of the block of the newest human message that somebody said; `None` if there is none."""
        for block in reversed(self.blocks):
            if block.spoken:
                return block.index
        return None

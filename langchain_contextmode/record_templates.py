"""What the turn records of one kind of dialogue hold and how they are rendered (S9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.spans import SpanKind

FieldName = Literal["intent", "request", "done", "entities"]


class RecordField(NamedTuple):
    """How one field of a record is rendered.

    Attributes:
        name: Which field.
        label: Stands in front, as it is; may be empty.
        limit_tokens: What the field may use where the whole turn is longer than the record.
    """

    name: FieldName
    label: str = ""
    limit_tokens: int = 40


@dataclass(frozen=True, slots=True)
class RecordTemplate:
    """What the records of one kind of dialogue hold and how they are rendered.

    Attributes:
        name: For reports.
        fields: Those that are rendered, in this order; the others are not even filled.
        kinds: Kinds of exact spans that count as entities, most wanted first.
        argument_tokens: For the arguments of each call.
        result_tokens: For the result of each call.
        limit_tokens: Of a rendered record.
    """

    name: str
    fields: tuple[RecordField, ...]
    kinds: tuple[SpanKind, ...]
    argument_tokens: int = 24
    result_tokens: int = 24
    limit_tokens: int = 120

    def limit(self, name: FieldName) -> int:
        """Return the tokens of a field; 0 if it is not rendered."""
        return next((field.limit_tokens for field in self.fields if field.name == name), 0)


if TYPE_CHECKING:
    TemplateChoice = RecordTemplate | Callable[[Sequence[Block]], RecordTemplate] | None
    """One template for all turns, a function from blocks to a template (one per kind of dialogue), or `None`: `TASK` or `CHAT`."""


TASK: Final = RecordTemplate(
    name="task",
    fields=(
        RecordField("intent", "", 16),
        RecordField("request", "", 40),
        RecordField("done", "done: ", 56),
        RecordField("entities", "also: ", 32),
    ),
    kinds=("id", "amount", "date", "negation", "path", "email", "url", "command", "name", "quoted", "number"),
)
"""For agents with tools: what they did counts most."""

CHAT: Final = RecordTemplate(
    name="chat",
    fields=(
        RecordField("intent", "", 8),
        RecordField("request", "", 56),
        RecordField("done", "answer: ", 36),
        RecordField("entities", "also: ", 28),
    ),
    kinds=("negation", "date", "amount", "name", "id", "quoted", "email", "url", "path", "command", "number"),
)
"""For plain conversation: what the user said counts most."""


def template_for(blocks: Iterable[Block]) -> RecordTemplate:
    """Choose between the two built-in templates: `TASK` where a tool was called, else `CHAT`."""
    return TASK if any(block.kind == "call" for block in blocks) else CHAT

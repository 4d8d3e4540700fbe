"""A model reads new messages into a task's fields: changed ones only, each tied to the user's own words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.content import text_of
from langchain_contextmode.fences import one_line
from langchain_contextmode.prompts import render
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.task.reply import Reading, Refused, read_changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.protocols import IO
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.types import FieldSpec, Found, Heard

STEP: Final = "track_task"
MESSAGES_MAX: Final = 6
"""Messages read by the model in one turn, the newest; rules alone read older ones of a log that is seen for the first time."""

_MESSAGE_CHARS: Final = 4_000
_ASKED_CHARS: Final = 500
_REPLY_TOKENS: Final = 800
_CHOICES_MAX: Final = 40


class Asked(NamedTuple):
    """What the model had to say.

    Attributes:
        found: Message id to statements.
        refused: What it said and cannot show.
    """

    found: Mapping[str, Sequence[Found]]
    refused: Sequence[Refused] = ()


async def ask_model(io: IO, spec: TaskSpec, heard: Sequence[Heard], values: Mapping[str, Any]) -> Asked:
    """Ask the model of the role `task` what new messages change; at most two calls, none without a message.

    A reply that cannot be read is asked for once more; then, as when the call fails, nothing changes and the report says so.

    Args:
        io: The model.
        spec: The declaration.
        heard: New human messages, oldest first.
        values: Current values; JSON.
    """
    chosen = list(heard)[-MESSAGES_MAX:]
    if not chosen:
        return Asked({})
    labels = {f"m{number}": item for number, item in enumerate(chosen, 1)}
    prompt = render("task", _filled(spec, labels, values), replacements=io.config.prompts)
    for _ in range(2):
        try:
            reply = await io.ask(prompt, role="task", name="task_fields", max_tokens=_REPLY_TOKENS, response_format=_schema(spec, labels))
        except CallFailedError as failure:
            io.degraded(STEP, f"the model for the task failed, local rules decide: {failure}")
            return Asked({})
        reading: Reading = read_changes(text_of(reply), spec, labels, values)
        if reading.readable:
            return Asked(reading.found, reading.refused)
    io.degraded(STEP, "the model's reply on the task could not be read twice; local rules decide")
    return Asked({})


def _filled(spec: TaskSpec, labels: Mapping[str, Heard], values: Mapping[str, Any]) -> dict[str, str]:
    fields = "\n".join(_described(field) for field in spec.fields)
    known = "\n".join(f"- {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()) or "(none)"
    lines = []
    for label, heard in labels.items():
        if heard.asked:
            lines.append(f"assistant: {_said(heard.asked, _ASKED_CHARS)}")
        time = f" ({heard.said_at.isoformat(timespec='minutes')})" if heard.said_at else ""
        lines.append(f"{label} user{time}: {_said(heard.text, _MESSAGE_CHARS)}")
    return {"fields": fields, "values": known, "messages": "\n".join(lines)}


def _said(text: str, chars: int) -> str:
    """Return a text on one line, shortened, in which no end of the messages can be read."""
    return excerpt(one_line(text), chars).replace("</", "<\\/")


def _described(field: FieldSpec) -> str:
    parts = [f"- {field.name} ({'list of ' if field.many else ''}{field.kind}{f', in {field.unit}' if field.unit else ''})"]
    if field.description:
        parts.append(one_line(field.description))
    if field.choices:
        parts.append("one of: " + ", ".join(str(choice.value) for choice in field.choices[:_CHOICES_MAX]))
    if field.examples:
        parts.append("for instance: " + ", ".join(map(one_line, field.examples)))
    return "; ".join(parts)


def _schema(spec: TaskSpec, labels: Mapping[str, Heard]) -> dict[str, Any]:
    """Return the reply's form for models that keep to one; others ignore it or refuse the option, and are asked without."""
    change = {
        "type": "object",
        "properties": {
            "field": {"type": "string", "enum": [field.name for field in spec.fields]},
            "value": {"type": ["string", "number", "boolean", "null"]},
            "quote": {"type": "string"},
            "message": {"type": "string", "enum": list(labels)},
        },
        "required": ["field", "value", "quote", "message"],
        "additionalProperties": False,
    }
    changes = {
        "type": "object",
        "properties": {"changes": {"type": "array", "items": change}},
        "required": ["changes"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "changes", "schema": changes}}


def merged(local: Sequence[Found], model: Sequence[Found]) -> list[Found]:
    """Return one voice out of two on the same message.

    Where both speak about a field the local rules' word stands if they heard the field named; otherwise the model's does.
    """
    certain = {item.field for item in local if item.named}
    spoken = {item.field for item in model if item.field not in certain}
    return [*(item for item in local if item.field not in spoken), *(item for item in model if item.field in spoken)]

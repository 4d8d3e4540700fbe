"""What a model's reply says about fields. Replies are data: what cannot be shown to be the user's word is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.relevance.json_values import json_values, without_thoughts
from langchain_contextmode.task.extract.corrections import adds, corrects
from langchain_contextmode.task.grounding import dropping, grounded, left_open, located, ruled_out, whole
from langchain_contextmode.task.types import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.types import Heard

_MOST: Final = 50


class Refused(NamedTuple):
    """A change that was not taken over.

    Attributes:
        field: The field it names; empty if it names none that is declared.
        why: In words, without any text of the reply.
    """

    field: str
    why: str


class Reading(NamedTuple):
    """What could be read from one reply.

    Attributes:
        found: Message id to the statements in it.
        refused: What was not taken over.
        readable: The reply was JSON of the shape asked for; an empty list of changes counts.
    """

    found: dict[str, list[Found]]
    refused: list[Refused]
    readable: bool


def read_changes(text: str, spec: TaskSpec, messages: Mapping[str, Heard], values: Mapping[str, Any]) -> Reading:
    """Read the changes from a reply.

    Args:
        text: The reply: JSON, fenced, in prose or after thoughts.
        spec: The declaration.
        messages: Label to message, as the prompt named them.
        values: Current values; what only repeats them is left out.
    """
    found: dict[str, list[Found]] = {}
    refused: list[Refused] = []
    readable = False
    for item in _items(text):
        readable = True
        if item is None:
            continue
        one = _change(item, spec, messages, values)
        if isinstance(one, Refused):
            refused.append(one)
            continue
        identity, change = one
        if change.op == "clear" and change.field not in values:
            continue
        if change not in found.setdefault(identity, []) and (change.op == "clear" or change.value != values.get(change.field)):
            found[identity].append(change)
    return Reading(found, refused, readable)


def _items(text: str) -> Iterator[dict[str, Any] | None]:
    """Yield the changes of a reply; `None` for an empty list of them."""
    number = 0
    for value in json_values(without_thoughts(text)):
        inner = value.get("changes", value) if isinstance(value, dict) else value
        entries = inner if isinstance(inner, list) else [inner]
        if not entries:
            yield None
        for entry in entries:
            if isinstance(entry, dict) and "field" in entry and number < _MOST:
                number += 1
                yield entry


def _change(
    item: Mapping[str, Any], spec: TaskSpec, messages: Mapping[str, Heard], values: Mapping[str, Any]
) -> tuple[str, Found] | Refused:
    field = next((field for field in spec.fields if field.name == item.get("field")), None)
    if field is None:
        return Refused("", "it names no declared field")
    heard, place = _place(item.get("quote"), item.get("message"), messages)
    if heard is None or place is None:
        return Refused(field.name, "its quote stands in no message of the user")
    place = whole(heard.text, *place)
    span, raw = heard.text[slice(*place)], item.get("value")
    if raw is None:
        if field.name in values and not dropping(field, values[field.name], heard.text, place):
            return Refused(field.name, "the words it quotes drop nothing")
        return heard.message_id, Found(field.name, None, span, place[0], op="clear", corrects=True)
    value, why = spec.read(field.name, [raw] if field.many and not isinstance(raw, list) else raw)
    if why:
        why = f"the field cannot hold it: {why}"
    elif not grounded(field, value, span, heard.said_at):
        why = "its value does not stand in the words it quotes"
    elif not field.many and not corrects(heard.text) and left_open(field, value, heard.text, place, heard.said_at):
        why = "the message leaves the choice between it and another one"
    elif ruled_out(field, value, heard.text, place):
        why = "the message rules out what it quotes"
    if why:
        return Refused(field.name, why)
    joins = field.many and adds(heard.text, *place, heard.asked)
    return heard.message_id, Found(field.name, value, span, place[0], corrects=corrects(heard.text), adds=joins)


def _place(quote: Any, label: Any, messages: Mapping[str, Heard]) -> tuple[Heard | None, tuple[int, int] | None]:
    """Return the message that a quote stands in: the one named, else the newest that has it."""
    if not isinstance(quote, str) or not quote.strip():
        return None, None
    named = [messages[label]] if isinstance(label, str) and label in messages else []
    for heard in [*named, *reversed(list(messages.values()))]:
        if place := located(quote, heard.text):
            return heard, place
    return None, None

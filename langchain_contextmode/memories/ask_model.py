"""A model reads what a user said for what is worth remembering; what it could not read waits for the next turn (I9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.fences import one_line
from langchain_contextmode.memories.consent import withheld
from langchain_contextmode.memories.reply import NOTED_TYPES, RefusedNote, read_notes
from langchain_contextmode.memories.secrets import redacted
from langchain_contextmode.prompts import render
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.reply import UnusableError, usable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.memories.extract import Said
    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.protocols import IO

STEP: Final = "remember"
MESSAGES_MAX: Final = 8
"""Messages read in one call, the oldest first; the others stay queued."""

TRIES_MAX: Final = 3
"""Turns in which a message is read again after failures; then the local rules' word stands alone."""

PENDING_MAX: Final = 50
"""Messages queued at most; the newest stay."""

_MESSAGE_CHARS: Final = 4_000
_REPLY_TOKENS: Final = 1_200


class Pending(NamedTuple):
    """A message that a model has still to read; JSON as a list. The text stays in the log.

    Attributes:
        message_id: Which message.
        tries: Turns in which reading it failed.
    """

    message_id: str
    tries: int = 0


class Asked(NamedTuple):
    """What the model had to say, and what is left to read.

    Attributes:
        memories: In the user's words.
        refused: What it noted and cannot show.
        pending: What stays queued, oldest first.
    """

    memories: tuple[Memory, ...] = ()
    refused: tuple[RefusedNote, ...] = ()
    pending: tuple[Pending, ...] = ()


def queued(pending: Sequence[Pending], message_ids: Sequence[str]) -> tuple[Pending, ...]:
    """Return the queue with new messages behind it, none twice; the newest `PENDING_MAX`."""
    known = {item.message_id for item in pending}
    return (*pending, *(Pending(identity) for identity in dict.fromkeys(message_ids) if identity and identity not in known))[-PENDING_MAX:]


def pending_of(value: Any) -> tuple[Pending, ...]:
    """Read a queue from state; entries of another shape are left out."""
    items = value if isinstance(value, list | tuple) else ()
    return tuple(
        Pending(item[0], item[1])
        for item in items
        if isinstance(item, list | tuple)
        and len(item) == len(Pending._fields)
        and isinstance(item[0], str)
        and isinstance(item[1], int)
        and not isinstance(item[1], bool)
    )


async def ask_model(io: IO, human: Sequence[Said], pending: Sequence[Pending], turn_keys: Mapping[str, str] | None = None) -> Asked:
    """Ask the model of the role `memory` what queued messages say; at most two calls, none without a message.

    A reply that cannot be read is asked for once more. Then, as when the call fails, what was asked about stays queued for the next
    turn, three turns at most; the report says so, and what local rules found is stored all the same. Messages that are no longer in
    the log, and those that their author asked not to remember, leave the queue unread.

    Args:
        io: The model.
        human: All human messages of the session that are still in the log, oldest first, from `extract.said`.
        pending: The queue.
        turn_keys: Message id to the key of its turn; a message without one is its own turn.
    """
    unwanted = withheld(human)
    texts = {message.id: message for message in human if message.id not in unwanted}
    waiting = [item for item in pending if item.message_id in texts]
    chosen, later = waiting[:MESSAGES_MAX], tuple(waiting[MESSAGES_MAX:])
    if not chosen or not io.has("memory"):
        return Asked(pending=tuple(waiting))
    labels = {f"m{number}": texts[item.message_id] for number, item in enumerate(chosen, 1)}
    prompt = render("memory_extract", _filled(labels), replacements=io.config.prompts)
    why = "the model's reply on what to remember could not be read twice"
    for _ in range(2):
        try:
            reply = await io.ask(prompt, role="memory", name="memory_extract", max_tokens=_REPLY_TOKENS, response_format=_schema(labels))
            notes = read_notes(usable(reply), labels)
        except CallFailedError as failure:
            why = f"the model for memories failed: {failure}"
            break
        except UnusableError as failure:
            why = f"the model's reply on what to remember is of no use: {failure}"
            continue
        if notes.readable:
            keys = turn_keys or {}
            return Asked(tuple(_in_turn(memory, keys) for memory in notes.memories), notes.refused, later)
    io.degraded(STEP, f"{why}; local rules decide, and it is tried again in the next turn")
    again = tuple(Pending(item.message_id, item.tries + 1) for item in chosen if item.tries + 1 < TRIES_MAX)
    return Asked(pending=(*again, *later))


def _in_turn(memory: Memory, keys: Mapping[str, str]) -> Memory:
    return replace(memory, turns=tuple(keys.get(identity, identity) for identity in memory.source_message_ids))


def _filled(labels: Mapping[str, Said]) -> dict[str, str]:
    lines = [f"{label} user: {_shown(message.text)}" for label, message in labels.items()]
    return {"types": ", ".join(NOTED_TYPES), "messages": "\n".join(lines)}


def _shown(text: str) -> str:
    """Return a message on one line, without its secrets, in which no end of the messages can be read."""
    return excerpt(one_line(redacted(text)), _MESSAGE_CHARS).replace("</", "<\\/")


def _schema(labels: Mapping[str, Said]) -> dict[str, Any]:
    """Return the reply's form for models that keep to one; others ignore it or refuse the option, and are asked without."""
    texts = {name: {"type": "string"} for name in ("text", "quote", "subject", "attribute", "value")}
    note = {
        "type": "object",
        "properties": {
            **texts,
            "type": {"type": "string", "enum": list(NOTED_TYPES)},
            "message": {"type": "string", "enum": list(labels)},
            "importance": {"type": "number"},
        },
        "required": ["text", "type", "quote", "message", "subject", "attribute", "value", "importance"],
        "additionalProperties": False,
    }
    form = {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": note}},
        "required": ["memories"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "memories", "schema": form}}

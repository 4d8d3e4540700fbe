"""What a model noted about a user, held against what the user said. A reply is data; nothing in it raises."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.cues.spot import kind_of
from langchain_contextmode.memories.attributes import fact_of
from langchain_contextmode.memories.extract import TEXT_CHARS, Found, Said, memory_of
from langchain_contextmode.memories.facts import USER
from langchain_contextmode.memories.gate import is_emphasised
from langchain_contextmode.memories.secrets import secret_in
from langchain_contextmode.relevance.json_values import json_values, without_thoughts
from langchain_contextmode.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from langchain_contextmode.memories.memory import Memory, MemoryType

NOTED_TYPES: Final[tuple[MemoryType, ...]] = ("fact", "preference", "instruction", "task", "event")
"""Types that a model may give. Entities and intents come from turn records, archive topics from the archive."""

_LIST_KEYS: Final = ("memories", "facts", "items", "results", "memory")
_TEXT_KEYS: Final = ("quote", "text", "memory", "fact", "content")
_MAX_DEPTH: Final = 4
_MAX_ITEMS: Final = 40
_SPACE: Final = re.compile(r"\s+")
_LEAST_CHARS: Final = 2


class RefusedNote(NamedTuple):
    """What a model noted and cannot show.

    Attributes:
        why: In words, without the text.
        message: The label it gave; empty: none.
    """

    why: str
    message: str = ""


class Notes(NamedTuple):
    """What could be read from one reply.

    Attributes:
        memories: In the user's words, in the order of the reply.
        refused: What was left out.
        readable: The reply is of the form asked for, an empty list included.
    """

    memories: tuple[Memory, ...] = ()
    refused: tuple[RefusedNote, ...] = ()
    readable: bool = False


def read_notes(text: str, labels: Mapping[str, Said], turn_key: str = "") -> Notes:
    """Read what a model noted.

    Each note must quote words that stand in a human message; kept is the sentence in which they stand, never the model's own
    wording, so that no negation, name or number is lost or invented. Unknown types and secrets are refused.

    Args:
        text: The reply: JSON in any of the usual shapes, fenced or in prose.
        labels: Label to message, as they were given.
        turn_key: Of the turn; empty: the message's id.
    """
    values = list(json_values(without_thoughts(text)))
    noted = [item for value in values for item in _items(value)][:_MAX_ITEMS]
    readable = bool(noted) or any(_is_empty(value) for value in values)
    found: dict[str, Memory] = {}
    refused: list[RefusedNote] = []
    for item in noted:
        answer = _read(item, labels, turn_key)
        if isinstance(answer, RefusedNote):
            refused.append(answer)
        elif answer.text not in found:
            found[answer.text] = answer
    return Notes(tuple(found.values()), tuple(refused), readable)


def _items(value: Any, depth: int = 0) -> Iterator[Any]:
    """Yield notes from a list of texts or objects, or an object around one."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _items(item, depth + 1)
    elif isinstance(value, dict):
        inner = next((value[key] for key in _LIST_KEYS if isinstance(value.get(key), list)), None)
        if inner is not None:
            yield from _items(inner, depth + 1)
        elif any(isinstance(value.get(key), str) for key in _TEXT_KEYS):
            yield value
    elif isinstance(value, str) and depth:
        yield {"quote": value}


def _is_empty(value: Any) -> bool:
    """Say whether a value reports nothing, in the form asked for."""
    return value == [] or (isinstance(value, dict) and any(value.get(key) == [] for key in _LIST_KEYS))


def _read(item: Mapping[str, Any], labels: Mapping[str, Said], turn_key: str) -> Memory | RefusedNote:
    label = str(item.get("message") or "")
    kind = item.get("type")
    if kind is not None and kind not in NOTED_TYPES:
        return RefusedNote(f"there is no type {str(kind)!r:.40} to note", label)
    quotes = [quote for key in _TEXT_KEYS if isinstance(quote := item.get(key), str) and len(quote.strip()) >= _LEAST_CHARS]
    place = next((place for quote in quotes if (place := _place(quote, label, labels))), None)
    if place is None:
        return RefusedNote("its quote stands in no message of the user", label)
    message, sentence = place
    if secret := secret_in(sentence):
        return RefusedNote(f"it holds a {secret}", label)
    return _made(item, message, sentence, turn_key)


def _place(quote: str, label: str, labels: Mapping[str, Said]) -> tuple[Said, str] | None:
    """Return the message and the sentence that hold a quote; the labelled message first, then the newest."""
    named = labels.get(label)
    for message in ([named] if named else []) + [other for other in reversed(list(labels.values())) if other is not named]:
        wanted = _SPACE.sub(" ", quote).strip(" .。!！\"'").casefold()  # noqa: RUF001
        for start, end in sentences(message.text):
            sentence = message.text[start:end]
            if end - start <= TEXT_CHARS and wanted and wanted in _SPACE.sub(" ", sentence).casefold():
                return message, sentence
    return None


def _made(item: Mapping[str, Any], message: Said, sentence: str, turn_key: str) -> Memory:
    memory = memory_of(Found(sentence, kind_of(sentence), is_emphasised(sentence)), message.id, turn_key or message.id)
    noted = item.get("type")
    weight = item.get("importance")
    if isinstance(weight, int | float) and not isinstance(weight, bool) and 0 <= weight <= 1 and not memory.vague:
        memory = replace(memory, importance=max(memory.importance, float(weight)))
    if fact_of(sentence) is not None:
        return memory
    subject, attribute, value = (str(item.get(key) or "").strip().casefold() for key in ("subject", "attribute", "value"))
    stands = sentence.casefold()
    about = subject if subject and subject in stands else USER
    known = bool(value) and value in stands and bool(attribute)
    return replace(
        memory,
        type=noted or memory.type,
        subject=about,
        attribute=f"noted {attribute}" if known else memory.attribute,
        value=value if known else "",
        polarity=0,
    )

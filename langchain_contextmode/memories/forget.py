"""What forgetting takes with it: rows, what they took the place of, and every trace of them in a state (M11)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.pins import Pins, sentence_hash
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.sentences import sentences
from langchain_contextmode.summary.state import SECTIONS, Line, Summary
from langchain_contextmode.task.state import Past, TaskProgress
from langchain_contextmode.topics import Entry, archive_state, entries_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.memories.memory import Memory

_OF_THE_SPEAKER: Final = frozenset(
    ["i", "me", "my", "mine", "we", "us", "our", "about", "that", "the", "a", "an", "of", "to", "is", "am", "are"]
) | {"我", "我的", "我们", "的", "关于"}
_FORGOTTEN: Final = "(Forgotten at the user's wish.)"


class Traces(NamedTuple):
    """By what something to forget is recognised.

    Attributes:
        texts: Statements or values; wherever one stands, it goes. Casefolded, white space as one blank.
        values: Values that go only where they come from one of `message_ids`.
        message_ids: Where it was said.
    """

    texts: frozenset[str]
    values: frozenset[str] = frozenset()
    message_ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rows: Iterable[Memory], *texts: str) -> Traces:
        """Return what recognises some memories and texts."""
        rows = list(rows)
        said = {plain(text) for text in (*texts, *(row.text for row in rows))}
        values = {plain(row.value) for row in rows}
        ids = {identity for row in rows for identity in row.source_message_ids}
        return cls(frozenset(said - {""}), frozenset(values - {""}), frozenset(ids))

    def in_text(self, text: str, message_ids: Iterable[str] = ()) -> bool:
        """Say whether a text says something of it; with the ids of the messages that the text is from, by its values as well."""
        level = plain(text)
        named = self.values if not self.message_ids.isdisjoint(message_ids) else frozenset()
        return any(_stands(words, level) for words in (*self.texts, *named)) or (bool(named) and any(level in said for said in self.texts))


def plain(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(str(text).casefold().split()).strip(" .!\u3002\uff01")


def _stands(words: str, text: str) -> bool:
    """Say whether words stand in a text as whole words; where words have no borders, as they are."""
    edge = [r"(?<!\w)" if words[0].isascii() else "", r"(?!\w)" if words[-1].isascii() else ""]
    return words in text and bool(re.search(f"{edge[0]}{re.escape(words)}{edge[1]}", text))


def with_history(rows: Sequence[Memory], chosen: Iterable[Memory]) -> list[Memory]:
    """Return the chosen rows, the same statements in other sessions of the user, and all that they took the place of."""
    out = {row.id: row for row in chosen}
    said = {plain(row.text) for row in out.values()}
    out |= {row.id: row for row in rows if plain(row.text) in said}
    while older := [row for row in rows if row.superseded_by in out and row.id not in out]:
        out |= {row.id: row for row in older}
    return list(out.values())


def about(rows: Iterable[Memory], matter: str) -> list[Memory]:
    """Return the rows that a matter in the user's words names: each word that counts stands in text, attribute or value."""
    wanted = {term for term in terms_of(matter.rsplit(" about ", 1)[-1]) if term not in _OF_THE_SPEAKER}
    if not wanted:
        return []
    return [row for row in rows if wanted <= set(terms_of(f"{row.text} {row.attribute} {row.value} {row.subject}"))]


def state_without(state: Mapping[str, Any], traces: Traces) -> dict[str, Any]:
    """Return a state of which nothing names what is forgotten: pins, summary, archive, task with its history, what was recalled.

    Args:
        state: `view.state`. Not modified.
        traces: What to look for. Sentences of pins are not spotted again in their messages.
    """
    new = dict(state)
    for name, clean in (("pins", _pins), ("summary", _summary), ("archive", _archive), ("task", _task), ("memory", _recalled)):
        if new.get(name):
            new[name] = clean(new[name], traces)
    return {name: concern for name, concern in new.items() if concern}


def _pins(concern: Mapping[str, Any], traces: Traces) -> dict[str, Any]:
    pins = Pins.of(concern)
    out = [item for item in pins.items if traces.in_text(item.pin.text, (item.pin.message_id,))]
    removed = dict.fromkeys([*pins.removed, *((item.pin.message_id, sentence_hash(item.pin.text)) for item in out if item.pin.message_id)])
    return Pins(tuple(item for item in pins.items if item not in out), tuple(removed)).state()


def _summary(concern: Mapping[str, Any], traces: Traces) -> dict[str, Any]:
    summary = Summary.of(concern)

    def kept(lines: Iterable[Line]) -> tuple[Line, ...]:
        return tuple(line for line in lines if not traces.in_text(line.text, line.message_ids))

    return replace(
        summary,
        sections={name: kept(summary.lines(name)) for name in SECTIONS},
        text=" ".join(said for said in _sentences(summary.text) if not traces.in_text(said)),
        details=kept(summary.details),
        slices=tuple(item._replace(text=_FORGOTTEN) if traces.in_text(item.text) else item for item in summary.slices),
    ).state()


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def _archive(concern: Mapping[str, Any], traces: Traces) -> dict[str, Any]:
    entries = entries_of(concern)
    said = [traces.in_text(entry.text, entry.message_ids) for entry in entries]
    return archive_state(Entry(_FORGOTTEN, e.message_ids, False) if gone else e for e, gone in zip(entries, said, strict=True))  # noqa: FBT003


def _task(concern: Mapping[str, Any], traces: Traces) -> dict[str, Any]:
    progress = TaskProgress.of(concern)

    def goes(value: Any, span: str, message_id: str) -> bool:
        values = value if isinstance(value, list) else [value]
        return any(traces.in_text(str(text), (message_id,)) for text in (*values, span) if text not in {"", None})

    def kept(items: Iterable[Past]) -> tuple[Past, ...]:
        return tuple(item for item in items if not goes(item.held.value, item.held.span, item.held.message_id))

    values = {name: held for name, held in progress.values.items() if not goes(held.value, held.span, held.message_id)}
    return replace(
        progress,
        values=values,
        past={name: kept(items) for name, items in progress.past.items()},
        stale={name: by for name, by in progress.stale.items() if name in values},
        questions=tuple(item for item in progress.questions if not goes(list(item.said), item.why, item.message_id)),
    ).state()


def _recalled(concern: Mapping[str, Any], traces: Traces) -> dict[str, Any]:
    memories = concern.get("memories")
    if not isinstance(memories, list):
        return dict(concern)
    return {
        **concern,
        "memories": [item for item in memories if not (isinstance(item, dict) and traces.in_text(str(item.get("text", ""))))],
    }

"""Memories as rows: whose they are, under which id, and how two of one text become one."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.errors import ConfigError, ScopeError
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.schema import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TURNS_MAX: Final = 20
TEXT_MAX: Final = 2_000
_PLAIN: Final = (str, int, float, bool)


def checked_scope(scope: Any) -> Scope:
    """Return the scope, or raise.

    Raises:
        ScopeError: It is not a `Scope`.
    """
    if type(scope) is not Scope:
        message = f'A memory store takes a Scope, got {type(scope).__name__}. Pass Scope(user_id="...", session_id="...").'
        raise ScopeError(message)
    return scope


def label(*parts: str) -> str:
    """Return a name for any texts: two different lists of them never share one, whatever they hold."""
    encoded = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(encoded.encode("ascii")).hexdigest()[:32]


def clean(text: str) -> str:
    """Return a text that every store can hold: lone surrogates become U+FFFD, NUL goes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "")


def says_something(memory: Memory) -> bool:
    """Say whether a memory has a text; one without is not stored."""
    return not isinstance(memory, Memory) or not isinstance(memory.text, str) or bool(clean(memory.text).strip())


def row_of(scope: Scope, memory: Memory, now: int | None = None) -> Memory:
    """Return a memory as this scope's row: id, owner and times filled in, whatever it said before.

    Raises:
        ConfigError: It is no memory, its text is too long, its metadata is not JSON, or a number or time is none.
    """
    known = checked_memory(memory)
    present = int(time.time() * 1000) if now is None else now
    text = clean(known.text).strip()
    return replace(
        known,
        text=text,
        id=identity(scope, text, known),
        user_id=scope.user_id,
        session_id=scope.session_id,
        created_at=moment(known.created_at) or present,
        updated_at=present,
        score=None,
    )


def checked_memory(memory: Any) -> Memory:
    """Return a memory that can be stored and read back as it is, or raise.

    Raises:
        ConfigError: It is no memory, has no text or too long a one, its metadata is not JSON, or a number is out of 0..1.
    """
    if not isinstance(memory, Memory) or not isinstance(memory.text, str) or not clean(memory.text).strip():
        message = f'A store takes Memory(text="...") with a text, got {type(memory).__name__}.'
        raise ConfigError(message)
    if len(memory.text) > TEXT_MAX:
        message = f"A memory is one statement of at most {TEXT_MAX} characters, got {len(memory.text)}."
        raise ConfigError(message)
    for key, value in memory.metadata.items():
        if not isinstance(key, str) or not _is_json(value):
            message = f"metadata[{key!r:.40}] must be JSON under a name, got {type(value).__name__}."
            raise ConfigError(message)
    if not all(_is_share(number) for number in (memory.importance, memory.confidence)):
        message = f"importance and confidence are numbers of 0..1, got {memory.importance!r:.40} and {memory.confidence!r:.40}."
        raise ConfigError(message)
    return memory


def moment(value: Any) -> int:
    """Return a time as milliseconds since the epoch: a number of them, a `datetime`, or ISO 8601; without a zone it is UTC.

    Raises:
        ConfigError: It is none of these.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        read = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        message = f"A time is milliseconds since the epoch, a datetime or ISO 8601, got {value!r:.40}."
        raise ConfigError(message) from error


def _is_json(value: Any) -> bool:
    """Say whether a value comes back from JSON as it went in; a tuple or a number as a key would not."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError, RecursionError):
        return False


def _is_share(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1


def identity(scope: Scope, text: str, memory: Memory) -> str:
    """Return a row's id: of scope and normalised text; of a promoted row user and text."""
    said = " ".join(text.casefold().split())
    return label("promoted", scope.user_id, said) if memory.promoted else label("session", scope.user_id, scope.session_id, said)


def united(old: Memory, new: Memory) -> Memory:
    """Return one row for a statement that is said again: turns and sources united, the higher importance, the first time."""
    return replace(
        new,
        importance=max(old.importance, new.importance),
        confidence=max(old.confidence, new.confidence),
        metadata={**old.metadata, **new.metadata},
        emphasised=old.emphasised or new.emphasised,
        turns=_joined(old.turns, new.turns),
        source_message_ids=_joined(old.source_message_ids, new.source_message_ids),
        created_at=min(old.created_at, new.created_at),
        last_access_at=max(old.last_access_at, new.last_access_at),
        access_count=max(old.access_count, new.access_count),
        pinned=old.pinned or new.pinned,
        session_id=old.session_id,
    )


def promoted(known: Mapping[str, Memory], ids: Iterable[str], now: int) -> tuple[list[Memory], list[str]]:
    """Return the rows that stand for some of a user's in all sessions, and the ids that they take the place of.

    Args:
        known: All rows of the user by id. Not modified.
        ids: Which to promote; unknown ones and those that are promoted already are left out.
        now: Milliseconds since the epoch.
    """
    rows: dict[str, Memory] = {}
    gone = []
    for old in (known[each] for each in ids if each in known and not known[each].promoted):
        row = replace(old, promoted=True, updated_at=now)
        row = replace(row, id=identity(Scope(row.user_id, row.session_id), row.text, row))
        held = rows.get(row.id) or known.get(row.id)
        rows[row.id] = united(held, row) if held else row
        gone.append(old.id)
    return list(rows.values()), gone


def visible(scope: Scope, row: Memory, *, cross_session: bool = True) -> bool:
    """Say whether a row may be seen in a scope: its own session's, or a promoted one of the same user."""
    return row.user_id == scope.user_id and (row.session_id == scope.session_id or (row.promoted and cross_session))


def _joined(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *second]))[-TURNS_MAX:]


FILTER_FIELDS: Final = frozenset(
    {"type", "subject", "attribute", "value", "polarity", "promoted", "pinned", "emphasised", "vague", "importance", "confidence"}
)
_SCOPE_KEYS: Final = frozenset({"user_id", "session_id", "id", "status"})


def checked_filter(filter: Mapping[str, Any] | None) -> dict[str, tuple[Any, ...]]:  # noqa: A002  (LangChain's name)
    """Return a caller's filter as key to allowed values; it can only narrow.

    Args:
        filter: Field of `Memory` or key of its metadata, to a value or a list of values of which one has to match.

    Raises:
        ConfigError: A key names the scope or is an operator, or a value is not plain.
    """
    if filter is None:
        return {}
    if not isinstance(filter, dict):
        message = f"filter is a dict of names and values, got {type(filter).__name__}."
        raise ConfigError(message)
    found = {}
    for key, value in filter.items():
        values = tuple(value) if isinstance(value, list | tuple | set | frozenset) else (value,)
        if not isinstance(key, str) or not key or key.startswith("$") or key in _SCOPE_KEYS:
            message = f"filter cannot name {key!r:.40}: it narrows by fields of Memory ({', '.join(sorted(FILTER_FIELDS))}) or by metadata."
            raise ConfigError(message)
        if not values or any(not isinstance(item, _PLAIN) for item in values):
            message = f"filter[{key!r:.40}] must be a text, number or truth value, or a list of them, got {value!r:.40}."
            raise ConfigError(message)
        found[key] = values
    return found


def matches(row: Memory, wanted: Mapping[str, tuple[Any, ...]]) -> bool:
    """Say whether a row is one that a checked filter asks for. 1 and "1" differ, and so do 1 and True."""
    for key, values in wanted.items():
        held = getattr(row, key) if key in FILTER_FIELDS else row.metadata.get(key)
        if not any(held == value and isinstance(held, bool) == isinstance(value, bool) for value in values):
            return False
    return True

"""Memories as Chroma metadata and back, and the `where` that no caller can widen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.stores.rows import FILTER_FIELDS, clean, label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_contextmode.schema import Scope

OWN: Final = "m_"
"""Prefix of the application's metadata, so that it cannot stand in for a field of ours."""

_INTEGERS: Final = 1 << 63
"""Chroma's integers have 64 bits."""

_LISTS: Final = ("turns", "source_message_ids")


def owner_of(user_id: str) -> str:
    """Return the name of a user in metadata: a hash, since ids may be anything (operators, JSON, lone surrogates)."""
    return label("user", user_id)


def session_of(user_id: str, session_id: str) -> str:
    """Return the name of a session in metadata."""
    return label("session", user_id, session_id)


def metadata_of(row: Memory) -> dict[str, Any]:
    """Return a row as flat metadata; the text itself is the document."""
    plain = row.plain()
    extra = plain.pop("metadata")
    for name in ("text", "id", "score"):
        plain.pop(name)
    ids = json.dumps([plain.pop("user_id"), plain.pop("session_id")])  # JSON in ASCII holds what Chroma's texts cannot
    lists = {name: json.dumps(plain.pop(name)) for name in _LISTS}
    names = {"owner": owner_of(row.user_id), "session": session_of(row.user_id, row.session_id), "ids": ids}
    flat = {own_name(key): own_value(value) for key, value in extra.items() if isinstance(value, str | int | float)}
    return {**plain, **lists, **names, "extra": json.dumps(extra), **flat}


def own_name(key: str) -> str:
    """Return the name of the application's metadata in ours."""
    return f"{OWN}{clean(key)}"


def own_value(value: Any) -> Any:
    """Return a plain value as Chroma can hold it; the whole of it stands in JSON beside it."""
    if isinstance(value, str):
        return clean(value)
    return value if isinstance(value, bool | float) or abs(value) < _INTEGERS else str(value)


def memory_of(identity: str, document: str, metadata: Mapping[str, Any]) -> Memory | None:
    """Return the row; `None` if it is none of ours."""
    try:
        user_id, session_id = json.loads(metadata["ids"])
        lists = {name: json.loads(metadata[name]) for name in _LISTS}
        own = {"id": identity, "text": document, "score": None, "metadata": json.loads(metadata["extra"])}
        return Memory.of({**metadata, **lists, **own, "user_id": user_id, "session_id": session_id})
    except (KeyError, TypeError, ValueError):
        return None


def where_of(
    scope: Scope,
    *,
    all_sessions: bool = False,
    cross_session: bool = True,
    active: bool = False,
    wanted: Mapping[str, tuple[Any, ...]] | None = None,
) -> dict[str, Any]:
    """Return the filter of a scope: user AND (session OR promoted) AND what the caller narrows by.

    Args:
        scope: Whose rows.
        all_sessions: All rows of the user.
        cross_session: Promoted rows of the user's other sessions, too.
        active: Only rows that are neither superseded nor faded.
        wanted: A checked filter.
    """
    clauses: list[dict[str, Any]] = [{"owner": {"$eq": owner_of(scope.user_id)}}]
    if not all_sessions:
        session = {"session": {"$eq": session_of(scope.user_id, scope.session_id)}}
        clauses.append({"$or": [session, {"promoted": {"$eq": True}}]} if cross_session else session)
    if active:
        clauses.append({"status": {"$eq": "active"}})
    for key, values in (wanted or {}).items():
        name = key if key in FILTER_FIELDS else own_name(key)
        any_of = [{name: {"$eq": own_value(value)}} for value in values]
        clauses.append(any_of[0] if len(any_of) == 1 else {"$or": any_of})
    return clauses[0] if len(clauses) == 1 else {"$and": clauses}

"""Originals brought back into the view by id, for the turn that asked for them (F12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.schema import STATE_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONCERN = "restore"
"""Key of the queue in the state channel."""


def restore_messages(state: Mapping[str, Any] | None, message_ids: Iterable[str]) -> dict[str, Any]:
    """Ask for originals: the next view holds their whole blocks, and so does every other view of that turn.

    Args:
        state: `view.state` of the last turn, or `None`. Not modified.
        message_ids: Ids as the view's lines, notices and `search_history` name them.

    Returns:
        The new state, for the next `prepare_context` or the state channel.

    Raises:
        ConfigError: An id is not a non-empty string.
    """
    return {**(state or {}), CONCERN: _concern([*_queued((state or {}).get(CONCERN), ""), *checked_ids(message_ids)], "")}


def checked_ids(message_ids: Iterable[str]) -> list[str]:
    """Return the ids as a list, none twice.

    Raises:
        ConfigError: It is one text, or an id is not a non-empty string.
    """
    ids = [message_ids] if isinstance(message_ids, str | bytes) else list(message_ids)
    if isinstance(message_ids, str | bytes) or any(not isinstance(identity, str) or not identity for identity in ids):
        problem = f'restore takes a list of message ids, got {message_ids!r:.80}. Pass restore=["id", ...].'
        raise ConfigError(problem)
    return list(dict.fromkeys(ids))


def wanted(concern: Mapping[str, Any], asked: Iterable[str], turn: str) -> dict[str, Any]:
    """Return the queue of this turn as a concern; empty if nothing is asked for.

    Args:
        concern: The `restore` concern of the last preparation, or empty. What another turn asked for is over.
        asked: Ids that this call asks for.
        turn: Id of the newest human message.
    """
    ids = list(dict.fromkeys([*_queued(concern, turn), *asked]))
    return _concern(ids, turn) if ids else {}


def _queued(concern: Any, turn: str) -> list[str]:
    """Return what is asked for and not yet bound to another turn."""
    if not isinstance(concern, dict) or concern.get("turn") not in {"", turn} or not isinstance(concern.get("ids"), list):
        return []
    return [identity for identity in concern["ids"] if isinstance(identity, str)]


def _concern(ids: Iterable[str], turn: str) -> dict[str, Any]:
    return {"version": STATE_VERSION, "ids": list(dict.fromkeys(ids)), "turn": turn}

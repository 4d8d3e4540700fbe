"""Originals of pruned messages in a LangGraph store: written, read back and compared before anything is removed.

A message is kept as JSON text of its own, so that no store's idea of JSON (key order, NUL, lone surrogates) can change it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from langchain_core.messages import message_to_dict, messages_from_dict

from langchain_contextmode._ports import PASS_THROUGH, finish
from langchain_contextmode.errors import StoreError
from langchain_contextmode.schema import STATE_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import BaseMessage
    from langgraph.store.base import BaseStore

    from langchain_contextmode.schema import Scope

ROOT = ("contextmode", "originals")
"""Where the originals of all users are; two labels of hashes follow, one of the user id, one of the session id."""

_TIME, _BYTES = "$datetime", "$bytes"


class Originals:
    """The archive store of one deployment. Holds no data of any run.

    Each message is one item: namespace `(*ROOT, hash of the user id, hash of the session id)`, key the hash of the message id. Ids
    of any length and script are told apart. Where one id comes with another content (an edited branch), the newer one is read and
    the older stays in the store beside it.
    """

    def __init__(self, store: BaseStore) -> None:
        """Take the store; nothing is read or written yet."""
        self._store = store

    def put(self, scope: Scope, messages: Sequence[BaseMessage]) -> None:
        """Write messages, then read every one back and compare. Writing the same again changes nothing.

        Args:
            scope: Whose messages.
            messages: With ids of their own. Not modified.

        Raises:
            StoreError: The store failed, said so, or gives back something else; some may be written. The text names the kind of
                error and nothing of any message.
        """
        finish(_put(_Blocking(self._store), scope, messages))

    async def aput(self, scope: Scope, messages: Sequence[BaseMessage]) -> None:
        """Do what `put` does, awaiting the store."""
        await _put(_Awaiting(self._store), scope, messages)

    def get(self, scope: Scope, ids: Sequence[str]) -> list[BaseMessage]:
        """Read originals, in the order of `ids`; those that are not there, or cannot be read as a message, are left out.

        Raises:
            StoreError: The store failed.
        """
        return finish(_get(_Blocking(self._store), scope, ids))

    async def aget(self, scope: Scope, ids: Sequence[str]) -> list[BaseMessage]:
        """Do what `get` does, awaiting the store."""
        return await _get(_Awaiting(self._store), scope, ids)


class ScopedOriginals(NamedTuple):
    """The originals of one user and session, to be read.

    Attributes:
        originals: The archive.
        scope: Whose messages.
    """

    originals: Originals
    scope: Scope

    def get(self, ids: Sequence[str]) -> list[BaseMessage]:
        """See `Originals.get`."""
        return self.originals.get(self.scope, ids)

    async def aget(self, ids: Sequence[str]) -> list[BaseMessage]:
        """See `Originals.aget`."""
        return await self.originals.aget(self.scope, ids)


def storable(message: BaseMessage) -> bool:
    """Say whether the message has an id and comes back from JSON as it was (dates and bytes do; objects of a program do not)."""
    try:
        return bool(message.id) and message_to_dict(_decoded(_encoded(message))) == message_to_dict(message)
    except Exception:  # noqa: BLE001  (content is foreign; whatever its encoding raises, it is not storable)
        return False


class _Place(NamedTuple):
    namespace: tuple[str, ...]
    key: str

    @classmethod
    def of(cls, scope: Scope, identity: str) -> _Place:
        return cls((*ROOT, _hash(scope.user_id), _hash(scope.session_id)), _hash(identity))


class _Port(Protocol):
    async def read(self, place: _Place) -> Any: ...

    async def write(self, place: _Place, value: dict[str, Any]) -> Any: ...


class _Blocking:
    """Calls the store; never suspends, so that `finish` completes it."""

    def __init__(self, store: BaseStore) -> None:
        self._store = store

    async def read(self, place: _Place) -> Any:
        return self._store.get(*place)

    async def write(self, place: _Place, value: dict[str, Any]) -> Any:
        return self._store.put(*place, value, index=False)


class _Awaiting:
    """Awaits the store."""

    def __init__(self, store: BaseStore) -> None:
        self._store = store

    async def read(self, place: _Place) -> Any:
        return await self._store.aget(*place)

    async def write(self, place: _Place, value: dict[str, Any]) -> Any:
        return await self._store.aput(*place, value, index=False)


async def _put(port: _Port, scope: Scope, messages: Sequence[BaseMessage]) -> None:
    if not all(map(storable, messages)):
        message = "a message has no id, or holds what JSON cannot carry"
        raise StoreError(message)
    values = [(_Place.of(scope, message.id or ""), _value(message)) for message in messages]
    try:
        for place, value in values:
            await _write(port, place, value)
        for place, value in values:
            _compared(_held(await port.read(place)), value)
    except (StoreError, *PASS_THROUGH):
        raise
    except Exception as error:
        message = f"the archive store failed ({type(error).__name__})"
        raise StoreError(message) from error


async def _write(port: _Port, place: _Place, value: dict[str, Any]) -> None:
    """Write one item; what was there with another content stays beside it."""
    known = _held(await port.read(place))
    if known == value:
        return
    if known is not None:
        _accepted(await port.write(place._replace(key=f"{place.key}-{_hash(json.dumps(known))}"), known))
    _accepted(await port.write(place, value))


def _accepted(answer: Any) -> None:
    """Refuse an answer that is an error: some stores return it instead of raising."""
    error = answer.get("error") if isinstance(answer, dict) else getattr(answer, "error", None)
    if answer is False or error or isinstance(answer, BaseException):
        message = "the archive store refused to write"
        raise StoreError(message)


def _compared(found: Any, written: dict[str, Any]) -> None:
    if found != written:
        message = "the archive store gave back something else than was written"
        raise StoreError(message)


async def _get(port: _Port, scope: Scope, ids: Sequence[str]) -> list[BaseMessage]:
    try:
        found = [_held(await port.read(_Place.of(scope, identity))) for identity in ids]
    except PASS_THROUGH:
        raise
    except Exception as error:
        message = f"the archive store cannot be read ({type(error).__name__})"
        raise StoreError(message) from error
    read = [_message(value, identity) for value, identity in zip(found, ids, strict=True)]
    return [message for message in read if message is not None]


def _held(item: Any) -> Any:
    return None if item is None else item.value


def _value(message: BaseMessage) -> dict[str, Any]:
    return {"version": STATE_VERSION, "message": _encoded(message)}


def _message(value: Any, identity: str) -> BaseMessage | None:
    """Read an item; `None` if it is not this message."""
    try:
        message = _decoded(value["message"]) if value["version"] == STATE_VERSION else None
    except Exception:  # noqa: BLE001  (whatever stands there, it is no message of ours)
        return None
    return message if message is not None and message.id == identity else None


def _encoded(message: BaseMessage) -> str:
    return json.dumps(message_to_dict(message), default=_tagged)


def _decoded(text: str) -> BaseMessage:
    return messages_from_dict([json.loads(text, object_hook=_untagged)])[0]


def _tagged(value: Any) -> dict[str, str]:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(value).decode()}
    message = f"{type(value).__name__} is not JSON"
    raise TypeError(message)


def _untagged(value: dict[str, Any]) -> Any:
    if value.keys() == {_TIME}:
        return datetime.fromisoformat(value[_TIME])
    return base64.b64decode(value[_BYTES]) if value.keys() == {_BYTES} else value


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

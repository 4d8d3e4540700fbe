"""Chat histories of LangChain: a log in a SQLite file, and a log that is read as a view."""

from __future__ import annotations

import json
import sqlite3
import uuid
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Unpack

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    BaseMessage,
    BaseMessageChunk,
    message_chunk_to_message,
    message_to_dict,
    messages_from_dict,
)

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.content import of_session
from langchain_contextmode.errors import ConfigError, StoreError
from langchain_contextmode.pipeline import Pipeline
from langchain_contextmode.stores.rows import checked_scope, label
from langchain_contextmode.work import begun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from langchain_contextmode.collaborators import Collaborators
    from langchain_contextmode.schema import Scope

_TABLES = """
CREATE TABLE IF NOT EXISTS contextmode_log (
    scope TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (scope, position), UNIQUE (scope, id)
);
CREATE TABLE IF NOT EXISTS contextmode_state (scope TEXT PRIMARY KEY, state TEXT NOT NULL);
"""
_BUSY_SECONDS = 30.0


class SQLiteChatMessageHistory(BaseChatMessageHistory):
    """The log of one session in a SQLite file, with the state of context mode beside it.

    Safe for several threads and processes: each call opens the file, and writes in one transaction. A message that is there
    already is not added again; another text under a known id takes its place.
    """

    def __init__(self, path: str | Path, *, scope: Scope) -> None:
        """Say where; the file is made at the first write.

        Args:
            path: The file. Other tables in it are left alone.
            scope: Whose session; one file holds many.

        Raises:
            ScopeError: `scope` is none.
        """
        whose = checked_scope(scope)
        self._path = str(path)
        self._key = label(whose.user_id, whose.session_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # an attribute there, read only here
        """The whole log, oldest first.

        Raises:
            StoreError: The file cannot be read; nothing was changed.
        """
        with self._open() as file:
            rows = file.execute("SELECT message FROM contextmode_log WHERE scope = ? ORDER BY position", (self._key,)).fetchall()
        return messages_from_dict([json.loads(row[0]) for row in rows])

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages in one transaction; those without an id get one, chunks of a stream become messages.

        Raises:
            StoreError: The file cannot be written; none was added.
        """
        with self._open() as file:
            start = file.execute("SELECT COALESCE(MAX(position), -1) + 1 FROM contextmode_log WHERE scope = ?", (self._key,)).fetchone()[0]
            for position, message in enumerate(map(plain, messages), start):
                row = (self._key, position, str(message.id), json.dumps(message_to_dict(message)))
                file.execute(
                    "INSERT INTO contextmode_log VALUES (?, ?, ?, ?) ON CONFLICT (scope, id) DO UPDATE SET message = excluded.message", row
                )

    def clear(self) -> None:
        """Remove log and state of this session."""
        with self._open() as file:
            file.execute("DELETE FROM contextmode_log WHERE scope = ?", (self._key,))
            file.execute("DELETE FROM contextmode_state WHERE scope = ?", (self._key,))

    def load_state(self) -> dict[str, Any] | None:
        """Return the state that was saved last; `None`: none was."""
        with self._open() as file:
            row = file.execute("SELECT state FROM contextmode_state WHERE scope = ?", (self._key,)).fetchone()
        return json.loads(row[0]) if row else None

    def save_state(self, state: dict[str, Any]) -> None:
        """Keep `view.state` beside the log; the newest stands."""
        with self._open() as file:
            file.execute(
                "INSERT INTO contextmode_state VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET state = excluded.state",
                (self._key, json.dumps(state)),
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=_BUSY_SECONDS)) as file:
                file.executescript(_TABLES)
                with file:
                    file.execute("BEGIN IMMEDIATE")
                    yield file
        except sqlite3.Error as error:
            message = f"The chat history in {self._path!r} cannot be used ({error}). It was left as it is."
            raise StoreError(message) from error


class ContextModeChatHistory(BaseChatMessageHistory):
    """A log that is read as a view, for `RunnableWithMessageHistory`.

    `messages` is what a model should see of the log: inside the budget, with pins, summary and memories. The new request is not known
    when a history is read, so what is relevant is judged by the request before it. `log` holds everything that was added.
    """

    def __init__(self, log: BaseChatMessageHistory, *, scope: Scope, **collaborators: Unpack[Collaborators]) -> None:
        """Wrap a log.

        Args:
            log: Where messages are kept; never edited but by `add_messages` and `clear`.
            scope: Whose session.
            **collaborators: See `Collaborators`.

        Raises:
            ConfigError: `log` or a collaborator is wrong.
            ScopeError: `scope` is none.
        """
        given: Any = log
        if not isinstance(given, BaseChatMessageHistory):
            message = f"log must be a BaseChatMessageHistory, for instance SQLiteChatMessageHistory(path, scope=...); got {log!r:.60}."
            raise ConfigError(message)
        self.log = log
        self.scope = checked_scope(scope)
        self._pipeline = Pipeline(**collaborators)
        self._state: dict[str, Any] | None = None

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # an attribute there, read only here
        """The view of the log."""
        work = begun(self.scope, self.log.messages, self._state, (), None)
        view = finish(self._pipeline.run(self._pipeline.io(BlockingIO, work), work))
        self._state = view.state
        return view.messages

    async def aget_messages(self) -> list[BaseMessage]:
        """Do what `messages` does, awaiting."""
        work = begun(self.scope, await self.log.aget_messages(), self._state, (), None)
        view = await self._pipeline.run(self._pipeline.io(AsyncIO, work), work)
        self._state = view.state
        return view.messages

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add what is new to the log: messages of the view that come back and known ids are left out."""
        if new := self._new(messages, self.log.messages):
            self.log.add_messages(new)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Do what `add_messages` does, awaiting."""
        if new := self._new(messages, await self.log.aget_messages()):
            await self.log.aadd_messages(new)

    def clear(self) -> None:
        """Remove the log; memories in a store stay."""
        self._state = None
        self.log.clear()

    async def aclear(self) -> None:
        """Do what `clear` does, awaiting."""
        self._state = None
        await self.log.aclear()

    def _new(self, messages: Sequence[BaseMessage], known: Sequence[BaseMessage]) -> list[BaseMessage]:
        ids = {message.id for message in known}
        new = {message.id: message for message in map(plain, messages) if message.id not in ids and of_session(message)}
        return list(new.values())


def plain(message: BaseMessage) -> BaseMessage:
    """Return a message of a standard class, with an id."""
    if isinstance(message, BaseMessageChunk):
        message = message_chunk_to_message(message)
    return message if message.id else message.model_copy(update={"id": str(uuid.uuid4())})

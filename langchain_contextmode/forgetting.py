"""The user's right to be forgotten: out of store, state and what is derived later (M11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_contextmode.content import text_of
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.memories.forget import Traces, state_without, with_history
from langchain_contextmode.parsing import parse
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.rows import checked_scope
from langchain_contextmode.work import checked_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import Scope


class Forgotten(NamedTuple):
    """What went, and what the application still holds.

    Attributes:
        memories: Rows that were removed.
        state: The new state, for the next `prepare_context` or the state channel.
        named_in: Ids of messages in the given log that still say it; views show them until the application removes or edits them,
            in LangGraph by `{"messages": [RemoveMessage(id=...)]}`.
    """

    memories: tuple[Memory, ...]
    state: dict[str, Any]
    named_in: tuple[str, ...]


def forget(
    scope: Scope,
    *,
    store: MemoryStore | None = None,
    memory_ids: Sequence[str] = (),
    text: str | None = None,
    session: bool = False,
    user: bool = False,
    state: dict[str, Any] | None = None,
    messages: Sequence[Any] = (),
) -> Forgotten:
    """Forget one memory, a statement or value, a session, or a user.

    Rows go with what they took the place of and with the same statements in the user's other sessions. A tombstone, the hash of
    their turns, keeps them from being derived again from the same messages. Of the state go pins, lines of summary and archive, values
    and history of the task, and what was recalled. States of other sessions and an archive of originals are the application's: call
    it for each state, and delete the originals.

    Args:
        scope: Whose; `session` and `user` are of this scope.
        store: Where the memories are. `None`: only the state is cleaned.
        memory_ids: Rows to forget; those of other scopes are left alone.
        text: Forget every memory and trace that says this, word for word but for case and white space.
        session: Forget all rows of this session that were not promoted.
        user: Forget all rows of this user, in all sessions.
        state: `view.state` of this session. Not modified. `None`: none.
        messages: The log, to say where it is still named. Not modified.

    Raises:
        ConfigError: Nothing, or an empty text, is named to forget.
        ScopeError: `scope` is none.
        StoreError: The store failed; nothing was removed, or a second call removes the rest.
    """
    chosen = _checked(scope, store, memory_ids, text, session=session, user=user)
    rows: Sequence[Memory] = ()
    if store is not None:
        rows = chosen.of(store.list(scope, all_sessions=True))
        store.bury(scope, {key for row in rows for key in row.turns})
        store.replace_rows(scope, [], [row.id for row in rows])
    return chosen.done(rows, state, messages)


async def aforget(
    scope: Scope,
    *,
    store: MemoryStore | None = None,
    memory_ids: Sequence[str] = (),
    text: str | None = None,
    session: bool = False,
    user: bool = False,
    state: dict[str, Any] | None = None,
    messages: Sequence[Any] = (),
) -> Forgotten:
    """Do what `forget` does, awaiting the store."""
    chosen = _checked(scope, store, memory_ids, text, session=session, user=user)
    rows: Sequence[Memory] = ()
    if store is not None:
        rows = chosen.of(await store.alist(scope, all_sessions=True))
        await store.abury(scope, {key for row in rows for key in row.turns})
        await store.areplace_rows(scope, [], [row.id for row in rows])
    return chosen.done(rows, state, messages)


def forgettable(
    scope: Scope, *, store: MemoryStore, memory_ids: Sequence[str] = (), text: str | None = None, session: bool = False, user: bool = False
) -> list[Memory]:
    """Return the rows that `forget` would remove, for showing them first. Arguments and errors as there."""
    return _checked(scope, store, memory_ids, text, session=session, user=user).of(store.list(scope, all_sessions=True))


class _Chosen(NamedTuple):
    """What to forget."""

    scope: Scope
    memory_ids: frozenset[str]
    text: str
    session: bool
    user: bool

    def of(self, rows: Sequence[Memory]) -> list[Memory]:
        """Return the rows of a user that go."""
        named = Traces.of((), self.text)
        own = self.scope.session_id
        direct = [
            row
            for row in rows
            if self.user
            or (self.session and row.session_id == own and not row.promoted)
            or (row.id in self.memory_ids and (row.promoted or row.session_id == own))
            or (self.text and (named.in_text(row.text) or named.in_text(row.value)))
        ]
        return direct if self.user or self.session else with_history(rows, direct)

    def done(self, rows: Sequence[Memory], state: Any, messages: Sequence[Any]) -> Forgotten:
        """Return the account: a session or user that is forgotten has no state left."""
        kept = checked_state(state)
        traces = Traces.of(rows, self.text)
        log = parse(messages).blocks if messages else []
        said = [message for block in log for message in block.messages]
        named = tuple(str(message.id) for message in said if traces.in_text(text_of(message), (str(message.id),)))
        new = {} if self.user or self.session else state_without(kept, traces)
        return Forgotten(tuple(rows), new, named)


def _checked(scope: Any, store: Any, memory_ids: Any, text: Any, *, session: bool, user: bool) -> _Chosen:
    if store is not None and not isinstance(store, MemoryStore):
        message = f"store must be a MemoryStore, for instance ChromaMemoryStore(path=...); got {store!r:.80}."
        raise ConfigError(message)
    ids = (memory_ids,) if isinstance(memory_ids, str) else tuple(memory_ids)
    if text is not None and (not isinstance(text, str) or not text.strip()):
        message = 'text names what to forget, for instance text="I live in Oslo"; it is empty.'
        raise ConfigError(message)
    if not (ids or text or session or user):
        message = "Nothing is named to forget. Pass memory_ids=, text=, session=True or user=True."
        raise ConfigError(message)
    return _Chosen(checked_scope(scope), frozenset(map(str, ids)), text or "", session, user)

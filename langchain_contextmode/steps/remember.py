"""Remember: what new human messages say about their speaker goes into the store, after the answer, in one write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.memories.consent import wish_of, withheld
from langchain_contextmode.memories.extract import said_in
from langchain_contextmode.memories.forget import Traces, state_without
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.schema import STATE_VERSION
from langchain_contextmode.stores.book import Book, turn_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.memories.extract import Said
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import Scope

CONCERN: Final = "remembered"
"""Key in the state channel of what was read already."""

_READ_MAX: Final = 64


async def remember(io: IO, scope: Scope, blocks: Sequence[Block], state: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Read the human messages that were not read yet, and note what of memory the last view used.

    Messages of this session only; what their speaker asked not to remember, there or right behind, is not, and what was remembered
    of it goes. A failing store leaves everything to be read again next time.

    Args:
        io: The store, in this scope, and the report.
        scope: Whose conversation.
        blocks: The log.
        state: The whole state. Not modified.
        now: Milliseconds since the epoch.

    Returns:
        The new state.
    """
    if not io.can_remember or io.config.remember == "off" or io.config.levels.get("memory") is False:
        return dict(state)
    human = said_in(blocks)
    read = _read(state)
    start = max((position for position, message in enumerate(human) if message.id in read), default=-1) + 1
    new, turn = human[start:], str(state.get("memory", {}).get("turn", ""))
    recalled = [] if state.get(CONCERN, {}).get("used") == turn else _recalled(state)
    if not new and not recalled:
        return dict(state)
    try:
        book = Book(scope, await io.memory("list", all_sessions=True), now)
        await _learned(io, scope, book, new)
        book.use(recalled)
        for position, message in enumerate(human[start:], start):
            if wish := wish_of(message.text):
                book.obey(wish, frozenset(each.id for each in human[max(0, position - (wish.covers == "previous")) : position + 1]))
        book.withhold(withheld(human))
        book.settle(io.config.session_idle_minutes)
        if keys := {key for row in book.forgotten for key in row.turns}:
            await io.memory("bury", keys)  # before the rows go: what is buried twice is buried, what is derived again was not
        changed, gone = book.written()
        if changed or gone:
            await io.memory("replace_rows", changed, gone)
    except CallFailedError as failure:
        why = f"the memory store failed; the messages are read again next time: {failure}"
        io.degraded("remember", why)
        return {**state, CONCERN: {"version": STATE_VERSION, **state.get(CONCERN, {}), "failed": why}}
    if book.forgotten:
        state = state_without(state, Traces.of(book.forgotten))
    concern: dict[str, Any] = {"version": STATE_VERSION, "read": [*read, *(message.id for message in new)][-_READ_MAX:], "used": turn}
    if book.unmet:
        concern["failed"] = f"asked to forget {', '.join(book.unmet)!r:.200}, but no memory says it"
    return {**state, CONCERN: concern}


async def _learned(io: IO, scope: Scope, book: Book, new: Sequence[Said]) -> None:
    """Read new messages into the rows, but for those of which something was forgotten: nothing is derived from them again."""
    keys = {message.id: turn_key(scope.session_id, message.id) for message in new}
    buried = await io.memory("buried", set(keys.values())) if keys else set()
    for message in new:
        if keys[message.id] not in buried:
            book.learn(message)


def _read(state: Mapping[str, Any]) -> list[str]:
    read = state.get(CONCERN, {}).get("read")
    return [identity for identity in read if isinstance(identity, str)] if isinstance(read, list) else []


def _recalled(state: Mapping[str, Any]) -> list[str]:
    """Return the ids of the memories that were in the last view."""
    items = state.get("memory", {}).get("memories")
    return [memory.id for item in items if (memory := Memory.of(item))] if isinstance(items, list) else []


def failed_before(state: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return what went wrong behind the last answer, for the next report: then there was none left to say it."""
    why = state.get(CONCERN, {}).get("failed")
    return [{"step": "remember", "why": str(why)}] if why else []

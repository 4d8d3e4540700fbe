"""From a log to blocks, in one pass, repairing copies where a provider would refuse the original.

A log that grew is not read anew: blocks whose messages are still the same objects with the same content stay, and with them
what was derived from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage, SystemMessage, ToolMessage, convert_to_messages

from langchain_contextmode.blocks import Block, Given, Kind, Log
from langchain_contextmode.content import (
    all_calls,
    calls_text,
    content_hash,
    fix_surrogates,
    is_blank,
    is_pinned,
    message_time,
    namespace,
    text_of,
)
from langchain_contextmode.repair import acceptable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PENDING_RESULT = "(No result was recorded for this call.)"
GROUP_MINUTES = 5
_RECENT_LOGS = 16
_WORTH_KEEPING = 50
_recent_logs: dict[int, Sequence[Block]] = {}  # by address of the first message; every reuse checks identity again
_TOLD = "Malformed tool calls, told in words."


def parse(messages: Iterable[Any]) -> Log:
    """Split a log into blocks, repairing copies where a provider would refuse the original.

    Args:
        messages: LangChain messages, or anything `convert_to_messages` takes (dicts, tuples). Not modified.

    Returns:
        Blocks in conversation order. A result that arrived late stands in its call's block; a result that answers no
        call, or a second result for one, is left out; a call without a result gets one that says so (status `error`).
    """
    messages = list(messages)
    key = id(messages[0]) if messages else 0
    parser = _Parser(messages, _recent_logs.get(key, ()))
    for message in messages:
        parser.add(message if isinstance(message, BaseMessage) else convert_to_messages([message])[0])
    log = parser.finish()
    if len(messages) >= _WORTH_KEEPING:
        while len(_recent_logs) >= _RECENT_LOGS:
            _recent_logs.pop(next(iter(_recent_logs), 0), None)
        _recent_logs[key] = log.blocks
    return log


class _Parser:
    """One pass over a log; results find their call by the latest call that carries their id.

    Args:
        given: The log; a fresh id is none of its ids.
        previous: Blocks of the last log that began with the same message object. A plain message at the same place,
            the same object with the same text, keeps its block and what was derived from it.
    """

    def __init__(self, given: Sequence[Any], previous: Sequence[Block]) -> None:
        self._given = given
        self._previous = previous
        self._items: list[_Again | _Item] = []  # what is not a result
        self._open: dict[str, int] = {}  # call id -> item index of the latest call with it
        self._seen: set[str] = set()
        self._left_out: dict[str, str] = {}
        self._order: list[str] = []

    def add(self, message: BaseMessage) -> None:
        identity = message.id
        if identity and identity not in self._seen and self._is_again(message):
            self._seen.add(identity)
            self._order.append(identity)
        else:
            self._add_any(message)

    def _is_again(self, message: BaseMessage) -> bool:
        """Take a message that stands where it stood last time, and as it stood."""
        if isinstance(message, ToolMessage):
            item = self._items[self._open[message.tool_call_id]] if message.tool_call_id in self._open else None
            return isinstance(item, _Again) and item.takes(message)
        index = len(self._items)
        block = self._previous[index] if index < len(self._previous) else None
        if block is None or not block.given or not block.given[0].same(message):
            return False
        self._items.append(_Again(block))
        if block.kind == "call":
            self._open.update((str(call["id"]), index) for call in all_calls(message))
        return True

    def _add_any(self, message: BaseMessage) -> None:
        if isinstance(message, RemoveMessage):
            return
        given = message
        message, altered = acceptable(message)
        if not message.id or message.id in self._seen:
            message = message.model_copy(update={"id": self._fresh_id(message)})
        identity = message.id or ""
        self._seen.add(identity)
        self._order.append(identity)
        if isinstance(message, ToolMessage):
            self._add_result(message, altered, given)
        elif is_blank(message) and not (isinstance(message, AIMessage) and all_calls(message)):
            self._left_out[identity] = "Blank: there is nothing in it to send."
        else:
            self._items.append(_Item(message, altered, [given]))
            if isinstance(message, AIMessage):
                self._open_calls(message)

    def _fresh_id(self, message: BaseMessage) -> str:
        base = message.id or f"cm-{content_hash(message)}"
        number, candidate = 2, base
        while candidate in self._seen or candidate in self._given_ids:
            candidate = f"{base}~{number}"
            number += 1
        return candidate

    @cached_property
    def _given_ids(self) -> frozenset[str]:
        return frozenset(str(m.get("id") if isinstance(m, dict) else getattr(m, "id", None)) for m in self._given)

    def _open_calls(self, message: AIMessage) -> None:
        calls = all_calls(message)
        ids = [call.get("id") for call in calls]
        if len(calls) > len(message.tool_calls) or not all(ids) or len(set(ids)) < len(ids):
            # Providers want one result per call; these cannot have one each, so the exchange is told in words.
            self._items[-1].altered = _TOLD  # type: ignore[union-attr]
        index = len(self._items) - 1
        self._open.update((str(call_id), index) for call_id in ids if call_id)

    def _add_result(self, message: ToolMessage, altered: str, given: BaseMessage) -> None:
        owner = self._open.get(message.tool_call_id)
        if owner is None:
            self._left_out[message.id or ""] = "A tool result whose call is not in the log."
            return
        item = self._items[owner]
        if isinstance(item, _Again):
            item = self._items[owner] = item.item()
        if message.tool_call_id in item.results:
            self._left_out[message.id or ""] = "A second result for a call that has one."
        else:
            item.results[message.tool_call_id] = (message, altered)
            item.given.append(given)

    def finish(self) -> Log:
        blocks: list[Block] = []
        for index, item in enumerate(self._items):
            if isinstance(item, _Again) and item.complete:
                blocks.append(item.block)
                continue
            item = item.item() if isinstance(item, _Again) else item  # noqa: PLW2901  (the same thing, told in full)
            block = self._block(item, index)
            if len(item.given) == len(block.ids) and all(any(given is m for m in block.messages) for given in item.given):
                block.given = tuple(map(Given.of, item.given))
            blocks.append(block)
        _group(blocks)
        return Log(blocks, self._left_out, self._order)

    def _block(self, item: _Item, index: int) -> Block:
        message = item.message
        if isinstance(message, AIMessage) and item.altered == _TOLD:
            return _told(message, item.results, index, item.altered)
        if isinstance(message, AIMessage) and message.tool_calls:
            return self._call_block(message, item.results, index, item.altered)
        return Block(
            (message,), _kind(message), index, is_pinned(message), altered={message.id or "": item.altered} if item.altered else {}
        )

    def _call_block(self, message: AIMessage, results: dict[str, tuple[ToolMessage, str]], index: int, altered: str) -> Block:
        members: list[BaseMessage] = [message]
        changes = {message.id or "": altered} if altered else {}
        synthetic: list[str] = []
        for call in message.tool_calls:
            call_id = call["id"] or ""
            if call_id in results:
                result, change = results[call_id]
                if change:
                    changes[result.id or ""] = change
            else:
                result = ToolMessage(PENDING_RESULT, tool_call_id=call_id, name=call["name"], status="error")
                result.id = self._fresh_id(result.model_copy(update={"id": f"{message.id}:{call_id}"}))
                self._seen.add(result.id)
                synthetic.append(result.id)
            members.append(result)
        return Block(tuple(members), "call", index, any(map(is_pinned, members)), synthetic=frozenset(synthetic), altered=changes)


@dataclass(slots=True)
class _Item:
    """A message that is not a result, what was altered, the results of its calls, and all of them as given."""

    message: BaseMessage
    altered: str
    given: list[BaseMessage]
    results: dict[str, tuple[ToolMessage, str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Again:
    """A block of last time whose messages come again, so far."""

    block: Block
    taken: int = 1

    @property
    def complete(self) -> bool:
        return self.taken == len(self.block.given)

    def takes(self, result: ToolMessage) -> bool:
        """Take the next result if it is the one of last time."""
        again = not self.complete and self.block.given[self.taken].same(result)
        self.taken += again
        return again

    def item(self) -> _Item:
        """Tell in full what has come so far."""
        first, *results = (given.message for given in self.block.given[: self.taken])
        found = {r.tool_call_id: (r, "") for r in results if isinstance(r, ToolMessage)}
        return _Item(first, "", [first, *results], found)


def _told(message: AIMessage, results: dict[str, tuple[ToolMessage, str]], index: int, altered: str) -> Block:
    """One plain AI text in place of calls that cannot be paired with results; the results' ids go with it."""
    parts = [text_of(message), calls_text(message), *(f"-> {text_of(result)}" for result, _ in results.values())]
    told = AIMessage(fix_surrogates("\n".join(part for part in parts if part.strip())), id=message.id)
    result_ids = tuple(result.id or "" for result, _ in results.values())
    pinned = is_pinned(message) or any(is_pinned(result) for result, _ in results.values())
    return Block((told,), "ai", index, pinned, told_ids=result_ids, altered=dict.fromkeys((message.id or "", *result_ids), altered))


def _kind(message: BaseMessage) -> Kind:
    if isinstance(message, SystemMessage):
        return "system"
    return "ai" if isinstance(message, AIMessage) else "human"


def _group(blocks: list[Block]) -> None:
    """Join neighbours on one declared topic that are at most five minutes apart; without time or topic nothing is joined."""
    previous_topic: object = None
    previous_time = None
    for block in blocks:
        block.group = block.index
        if not block.messages[0].additional_kwargs:
            previous_topic = previous_time = None
            continue
        topic = namespace(block.messages[0]).get("topic")
        time = message_time(block.messages[0]) if topic is not None else None
        near = time is not None and previous_time is not None and 0 <= (time - previous_time).total_seconds() <= GROUP_MINUTES * 60
        if near and topic == previous_topic:
            block.group = blocks[block.index - 1].group
        previous_topic, previous_time = topic, time

"""The log as blocks, and blocks as a conversation that every provider accepts.

A block is what may be kept or left out as a whole: a system message, a human message, an AI text, or an AI message with
tool calls together with all its results. Parsing repairs what providers refuse (orphaned results, unanswered calls,
missing or doubled ids, blank messages) in a copy; the log itself is never touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
)

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
from langchain_contextmode.repair import acceptable, is_plain

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

Kind = Literal["system", "human", "ai", "call"]

PENDING_RESULT = "(No result was recorded for this call.)"
GROUP_MINUTES = 5
_RECENT_LOGS = 16
_WORTH_KEEPING = 50
_recent_logs: dict[int, Sequence[Block]] = {}  # by address of the first message; every reuse checks identity again
_TOLD = "Malformed tool calls, told in words."


@dataclass(slots=True)
class Block:
    """One unit of decision. Not modified after `parse`.

    Attributes:
        messages: One message, or an AI message and its results in call order. Ids are unique and never `None`.
        kind: Whose block it is; `call` for an AI message with results.
        index: Position among the log's blocks.
        pinned: Some message of it is marked by the application.
        group: Index of the first block of the group it belongs to (same topic, up to five minutes apart), or its own index.
        synthetic: Ids of results that the log lacks; they have no decision.
        told_ids: Ids of results whose text stands in the one message of the block.
        altered: Message id to what had to be changed to make it acceptable; such a message is not verbatim.
        text: Content of a plain message (text only, no calls, nothing repaired or marked); `None` for any other.
        memo: Derived numbers by key (tokens, terms); lost without harm.
    """

    messages: tuple[BaseMessage, ...]
    kind: Kind
    index: int
    pinned: bool = False
    group: int = -1
    synthetic: frozenset[str] = frozenset()
    told_ids: tuple[str, ...] = ()
    altered: dict[str, str] = field(default_factory=dict)
    text: str | None = None
    memo: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Id of the first message."""
        return self.messages[0].id or ""

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the messages that are in the log."""
        if len(self.messages) == 1 and not self.told_ids:
            return (self.messages[0].id or "",)
        return (*(m.id or "" for m in self.messages if m.id not in self.synthetic), *self.told_ids)


@dataclass(slots=True)
class Log:
    """A parsed conversation.

    Attributes:
        blocks: In conversation order.
        left_out: Message id to the reason it can never be sent (orphaned result, blank).
        order: Message ids in log order, those left out included.
    """

    blocks: list[Block]
    left_out: dict[str, str]
    order: list[str]

    def newest_human(self) -> int | None:
        """Index of the block of the newest human message that somebody said; `None` if there is none."""
        for block in reversed(self.blocks):
            if block.kind == "human" and namespace(block.messages[0]).get("source", "session") == "session":
                return block.index
        return None


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
        self._items: list[Block | tuple[BaseMessage, str]] = []  # what is not a result: a finished block, or message and change
        self._results: dict[int, dict[str, tuple[ToolMessage, str]]] = {}  # item index -> call id -> result
        self._open: dict[str, int] = {}  # call id -> item index of the latest call with it
        self._seen: set[str] = set()
        self._left_out: dict[str, str] = {}
        self._order: list[str] = []

    def add(self, message: BaseMessage) -> None:
        identity = message.id
        if not identity or identity in self._seen or not (block := self._plain_block(message)):
            self._add_any(message)
            return
        self._seen.add(identity)
        self._order.append(identity)
        self._items.append(block)

    def _plain_block(self, message: BaseMessage) -> Block | None:
        index = len(self._items)
        if index < len(self._previous):
            block = self._previous[index]
            same = block.messages[0] is message and block.text is message.content and not message.additional_kwargs
            if same and (block.kind == "human" or not getattr(message, "tool_calls", None)):
                return block
        if message.additional_kwargs or not is_plain(message):
            return None
        return Block((message,), _kind(message), index, text=str(message.content))

    def _add_any(self, message: BaseMessage) -> None:
        if isinstance(message, RemoveMessage):
            return
        message, altered = acceptable(message)
        if not message.id or message.id in self._seen:
            message = message.model_copy(update={"id": self._fresh_id(message)})
        identity = message.id or ""
        self._seen.add(identity)
        self._order.append(identity)
        if isinstance(message, ToolMessage):
            self._add_result(message, altered)
        elif isinstance(message, AIMessage) and all_calls(message):
            self._add_call(message, altered)
        elif is_blank(message):
            self._left_out[identity] = "Blank: there is nothing in it to send."
        else:
            self._items.append((message, altered))

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

    def _add_call(self, message: AIMessage, altered: str) -> None:
        calls = all_calls(message)
        ids = [call.get("id") for call in calls]
        if len(calls) > len(message.tool_calls) or not all(ids) or len(set(ids)) < len(ids):
            # Providers want one result per call; these cannot have one each, so the exchange is told in words.
            self._items.append((message, _TOLD))
        else:
            self._items.append((message, altered))
        index = len(self._items) - 1
        self._results[index] = {}
        for call_id in ids:
            if call_id:
                self._open[call_id] = index

    def _add_result(self, message: ToolMessage, altered: str) -> None:
        owner = self._open.get(message.tool_call_id)
        if owner is None:
            self._left_out[message.id or ""] = "A tool result whose call is not in the log."
        elif message.tool_call_id in self._results[owner]:
            self._left_out[message.id or ""] = "A second result for a call that has one."
        else:
            self._results[owner][message.tool_call_id] = (message, altered)

    def finish(self) -> Log:
        blocks: list[Block] = []
        for index, item in enumerate(self._items):
            if isinstance(item, Block):
                blocks.append(item)
                continue
            message, altered = item
            results = self._results.get(index)
            if results is not None and isinstance(message, AIMessage):
                block = _told(message, results, index, altered) if altered == _TOLD else self._call_block(message, results, index, altered)
            else:
                block = Block((message,), _kind(message), index, is_pinned(message), altered={message.id or "": altered} if altered else {})
            blocks.append(block)
        _group(blocks)
        return Log(blocks, self._left_out, self._order)

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

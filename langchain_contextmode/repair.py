"""One message as providers accept it: standard classes, no blank text, no lone surrogates. The original is never touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
)
from langchain_core.messages.base import BaseMessageChunk

from langchain_contextmode.content import (
    NAMESPACE,
    all_calls,
    blank_blocks,
    fix_surrogates,
    is_blank,
    text_of,
    without_blank_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

EMPTY_RESULT = "(The tool returned nothing.)"
_PLAIN = frozenset({HumanMessage, AIMessage, SystemMessage, ToolMessage})
_CHAT_ROLES: dict[str, type[BaseMessage]] = {
    "user": HumanMessage,
    "human": HumanMessage,
    "assistant": AIMessage,
    "ai": AIMessage,
    "system": SystemMessage,
    "developer": SystemMessage,
}


def acceptable(message: BaseMessage) -> tuple[BaseMessage, str]:
    """Return the message, or a copy that a provider takes, and what was changed (empty: nothing that counts)."""
    changed = "A function's result, told in words." if isinstance(message, FunctionMessage) else ""
    if type(message) not in _PLAIN:
        message = _standard(message)
    content = message.content
    fixed = fix_surrogates(content)
    if blank_blocks(message) and not is_blank(message) and not (isinstance(message, AIMessage) and all_calls(message)):
        text = fix_surrogates(text_of(message).strip())
        if isinstance(message, AIMessage) and text:
            return _plain_text(message, text), "Blank text block left out."
        fixed, changed = fix_surrogates(without_blank_blocks(message)), "Blank text block left out."
    if isinstance(message, ToolMessage) and is_blank(message):
        fixed, changed = EMPTY_RESULT, "The tool returned nothing."
    update: dict[str, Any] = {} if fixed is content else {"content": fixed}
    update |= _without_surrogates(message, ("name", "tool_calls", "tool_call_id"))
    return (message.model_copy(update=update) if update else message), changed


def _without_surrogates(message: BaseMessage, names: Sequence[str]) -> dict[str, Any]:
    """Return the fields of these names that hold lone surrogates, without them."""
    given = {name: getattr(message, name, None) for name in names}
    fixed = {name: fix_surrogates(value) for name, value in given.items()}
    return {name: value for name, value in fixed.items() if value is not given[name]}


def _plain_text(message: BaseMessage, text: str) -> AIMessage:
    """Return a new AI text in place of a message, with the application's marks and nothing of a provider."""
    marks = {key: value for key, value in message.additional_kwargs.items() if key in {NAMESPACE, "pinned"}}
    return AIMessage(text, id=message.id, additional_kwargs=marks)


def _standard(message: BaseMessage) -> BaseMessage:
    """Turn chunks, generic chat messages and legacy function results into the four standard classes."""
    if isinstance(message, BaseMessageChunk):
        message = message_chunk_to_message(message)
    if isinstance(message, FunctionMessage):
        return _plain_text(message, f"{message.name} -> {text_of(message)}")
    if isinstance(message, ChatMessage):
        kind = _CHAT_ROLES.get(message.role.lower(), HumanMessage)
        return kind(content=message.content, id=message.id, name=message.name, additional_kwargs=message.additional_kwargs)
    return message

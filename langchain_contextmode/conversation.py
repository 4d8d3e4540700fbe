"""Blocks as a conversation that every provider accepts.

`render` puts blocks into an order and adds the few words a provider insists on; `validate` parses and renders any list
and is idempotent. The rules (INV-H): system messages lead; the first other message is human; every call is directly
followed by one result each, in call order; tool calls follow a human message or a tool result; nothing is blank; ids are
unique; the list ends on a human message or a tool result.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from langchain_contextmode.parsing import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.blocks import Block

OPENING = "(Earlier messages are left out.)"
GAP = "(…)"
CLOSING = "Continue."


def render(blocks: Sequence[Block], *, alternate_roles: bool = False, reserved: Iterable[str] = ()) -> list[BaseMessage]:
    """Put blocks into a conversation that every provider accepts.

    System messages come first, in order. Where a view would open on an AI message, follow an AI text by tool calls, or
    end on an AI text or a system message, a human-role marker of a few tokens is added.

    Args:
        blocks: In the order wanted. Not modified.
        alternate_roles: Part messages of one role that follow each other by a marker in the other role, also in the AI's:
            what is kept is never joined or rewritten.
        reserved: Ids of the log; messages of ours get none of them.

    Returns:
        Messages; kept ones are the same objects as in the blocks.
    """
    system = [m for block in blocks if block.kind == "system" for m in block.messages]
    body: list[BaseMessage] = []
    names = _Names(blocks, reserved)
    for block in blocks:
        if block.kind == "system":
            continue
        first = block.messages[0]
        if isinstance(first, AIMessage):
            if not body:
                body.append(names.unique(_marker(OPENING, "opening", first)))
            elif isinstance(body[-1], AIMessage) and (block.kind == "call" or alternate_roles):
                body.append(names.unique(_marker(GAP, "gap", first)))
        elif alternate_roles and body and isinstance(body[-1], HumanMessage):
            body.append(names.unique(_marker(GAP, "gap", first, AIMessage)))
        body.extend(block.messages if block.index >= 0 else map(names.unique, block.messages))
    last = body[-1] if body else system[-1] if system else None
    if isinstance(last, AIMessage | SystemMessage):
        body.append(names.unique(_marker(CLOSING, "closing", last)))
    return [*system, *body]


class _Names:
    """Keeps the ids of our own messages apart from those of a log that holds messages of an earlier view."""

    def __init__(self, blocks: Sequence[Block], reserved: Iterable[str]) -> None:
        self._blocks = blocks
        self._reserved = reserved

    @cached_property
    def _used(self) -> set[str | None]:
        return {*self._reserved, *(m.id for block in self._blocks if block.index >= 0 for m in block.messages)}

    def unique(self, message: BaseMessage) -> BaseMessage:
        number, identity = 2, message.id
        while identity in self._used:
            identity = f"{message.id}~{number}"
            number += 1
        self._used.add(identity)
        return message if identity == message.id else message.model_copy(update={"id": identity})


def validate(messages: Iterable[Any], *, alternate_roles: bool = False) -> list[BaseMessage]:
    """Return the messages as a valid conversation (INV-H). Idempotent; the same objects where nothing was wrong."""
    log = parse(messages)
    return render(log.blocks, alternate_roles=alternate_roles, reserved=log.order)


def context_message(text: str, name: str, source: str = "") -> HumanMessage:
    """Return delimited background of ours in the human role: data, never an instruction with system authority.

    Args:
        text: What it says.
        name: Part of its id.
        source: Never `session`, which would make it a user's word. Empty: the name.
    """
    return HumanMessage(text, id=f"contextmode-{name}", additional_kwargs={"contextmode": {"source": source or name}})


def _marker(text: str, name: str, beside: BaseMessage, kind: type[HumanMessage | AIMessage] = HumanMessage) -> BaseMessage:
    return kind(text, id=f"contextmode-{name}-{beside.id}", additional_kwargs={"contextmode": {"source": "marker"}})

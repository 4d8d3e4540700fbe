"""Blocks as a judge sees them: one line an item, a label instead of an id, an excerpt instead of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import all_calls, calls_text, namespace, readable, references, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.blocks import Block

EXCERPT_CHARS = 200
"""What a judge sees of an item's text, head and tail together, in characters."""

_HEAD_SHARE = 0.65
_CUT = " … "


class Item(NamedTuple):
    """What is judged as one: a block, or a group of blocks.

    Attributes:
        blocks: Indices into the log, ascending.
        ids: Message ids of the blocks.
        facts: Role, tool names and intent, in words.
        refers_to: Message ids that the item answers or quotes.
        text: All of its text on one line.
    """

    blocks: tuple[int, ...]
    ids: frozenset[str]
    facts: str
    refers_to: tuple[str, ...]
    text: str


def items_of(log: Sequence[Block], candidates: Sequence[int]) -> list[Item]:
    """Turn candidate blocks into items, oldest first; those of one group become one item.

    Args:
        log: All blocks. Not modified.
        candidates: Indices into `log`.
    """
    groups: dict[int, list[int]] = {}
    for index in sorted(candidates):
        groups.setdefault(log[index].group if log[index].group >= 0 else index, []).append(index)
    return [_item([log[index] for index in members], tuple(members)) for members in groups.values()]


def labels(count: int) -> list[str]:
    """Return `m1` to `m<count>`. Prompts carry these, since message ids differ from host to host."""
    return [f"m{number}" for number in range(1, count + 1)]


def describe(items: Sequence[Item]) -> str:
    """Return one line an item, in order: label, who, facts, length, excerpt."""
    known = {identity: label for label, item in zip(labels(len(items)), items, strict=True) for identity in item.ids}
    return "\n".join(f"{label} | {line(item, known)}" for label, item in zip(labels(len(items)), items, strict=True))


def line(item: Item, known: Mapping[str, str]) -> str:
    """Return the line of one item without its label.

    Args:
        item: What to describe.
        known: Message id to label of what the reader sees; a reference to anything else is `an earlier message`.
    """
    facts = [item.facts]
    if item.refers_to:
        names = dict.fromkeys(known.get(identity, "an earlier message") for identity in item.refers_to)
        facts.append(f"refers to {', '.join(names)}")
    if len(item.text) > EXCERPT_CHARS:
        facts.append(f"{len(item.text)} characters")
    return f"{', '.join(facts)}: {excerpt(item.text)}"


def excerpt(text: str, limit: int = EXCERPT_CHARS) -> str:
    """Return a text on one line, in at most `limit` characters: head and tail where it is longer."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    head = int((limit - len(_CUT)) * _HEAD_SHARE)
    return text[:head].rstrip() + _CUT + text[-(limit - len(_CUT) - head) :].lstrip()


def _item(blocks: Sequence[Block], members: tuple[int, ...]) -> Item:
    messages = [message for block in blocks for message in block.messages]
    inside = frozenset(identity for block in blocks for identity in block.ids)
    refers_to = [identity for message in messages for identity in references(message) if identity not in inside]
    facts = dict.fromkeys(fact for block in blocks for fact in _facts(block))
    text = " / ".join(said for block in blocks if (said := _said(block)))
    return Item(members, inside, ", ".join(facts), tuple(dict.fromkeys(refers_to)), text)


def _facts(block: Block) -> list[str]:
    first = block.messages[0]
    facts = [_who(first)]
    tools = dict.fromkeys(str(call.get("name") or "tool") for call in all_calls(first))
    if tools:
        facts.append(f"tool {', '.join(tools)}")
    facts += [f"intent {excerpt(str(intent), 60)}" for message in block.messages if (intent := namespace(message).get("intent"))]
    return facts


def _who(message: BaseMessage) -> str:
    role = {"human": "user", "ai": "assistant"}.get(message.type, message.type)
    return f"{role} {excerpt(message.name, 40)}" if message.name else role


def _said(block: Block) -> str:
    if block.kind != "call":
        return " ".join(" ".join(map(readable, block.messages)).split())
    first, *results = block.messages
    parts = [text_of(first), calls_text(first), *(f"-> {text_of(result)}" for result in results)]
    return " ".join(" ".join(parts).split())

"""A block in fewer tokens: long texts and tool results shortened, calls and ids kept.

Signed reasoning, server tool blocks and call arguments cannot be shortened: an AI message with calls stays as it is, an
AI text becomes a new plain-text message.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_contextmode.blocks import Block
from langchain_contextmode.content import BoundedCache, content_key, has_media, text_of
from langchain_contextmode.relevance.terms import STOP_WORDS
from langchain_contextmode.shorten import shorten

if TYPE_CHECKING:
    from langchain_contextmode.protocols import Request
    from langchain_contextmode.tokens import MessageCounter

_SHORTENED: BoundedCache[str] = BoundedCache(4_096)
_MIN_TOKENS = 48
"""Below this a message is not worth shortening: the notice alone takes half of it."""

_TERM = re.compile(r"[^\W_]+(?:[._/@:-]+[^\W_]+)*")


def request_terms(request: Request) -> frozenset[str]:
    """Return the lower-cased words and ids of a request and of what was said right before it, stop words left out."""
    texts = (request.text, *request.context)
    return frozenset(word for text in texts for word in _TERM.findall(text.lower()) if word not in STOP_WORDS and len(word) > 1)


class Compactor:
    """Shortens blocks for one request; results are cached process-wide by content.

    Args:
        counter: Counts tokens.
        terms: Words and ids of the request; segments that hold them stay longest.
    """

    def __init__(self, counter: MessageCounter, terms: frozenset[str]) -> None:
        """Keep the collaborators."""
        self._counter = counter
        self._terms = terms

    def cost(self, block: Block) -> int:
        """Tokens of a block, overhead of its messages included."""
        return sum(self._counter.message(m) for m in block.messages)

    def able(self, block: Block) -> int:
        """Tokens of a block that shortening can work on: long texts and tool results."""
        return sum(map(self._counter.message, self._able(block)))

    def _able(self, block: Block) -> list[BaseMessage]:
        messages = [m for m in block.messages if m.id not in block.synthetic and _can_shorten(m, block)]
        return [m for m in messages if self._counter.message(m) > _MIN_TOKENS]

    def shortened(self, block: Block, limit_tokens: int) -> Block:
        """Return the block at about `limit_tokens`, or the block itself where nothing can be shortened.

        Args:
            block: Not modified.
            limit_tokens: For all its messages together. What cannot be shortened (calls, overhead) may exceed it; the
                texts are then at their shortest.
        """
        costs = {m.id: self._counter.message(m) for m in block.messages}
        able = self._able(block)
        room = limit_tokens - sum(costs.values()) + sum(costs[m.id] for m in able)
        limits = _shares({m.id or "": costs[m.id] for m in able}, room)
        messages, altered = [], dict(block.altered)
        for message in block.messages:
            limit = limits.get(message.id or "")
            if limit is None or limit >= costs[message.id]:
                messages.append(message)
                continue
            messages.append(self._message(message, limit))
            altered[message.id or ""] = f"Shortened to about {limit} of {costs[message.id]} tokens."
        return Block(tuple(messages), block.kind, block.index, block.pinned, block.group, block.synthetic, block.told_ids, altered)

    def _message(self, message: BaseMessage, limit: int) -> BaseMessage:
        text = text_of(message)
        overhead = self._counter.message(message) - self._counter.text(text)
        key = (content_key(message), message.id, limit, self._counter.name, self._terms)
        room = max(limit - max(overhead, 0), 1)
        short = _SHORTENED.get(key, lambda: shorten(text, room, self._counter.text, message_id=message.id or "", terms=self._terms))
        if isinstance(message, ToolMessage):
            return message.model_copy(update={"content": short})
        kind = AIMessage if isinstance(message, AIMessage) else HumanMessage
        return kind(short, id=message.id, name=message.name, additional_kwargs=message.additional_kwargs if kind is HumanMessage else {})


def _can_shorten(message: BaseMessage, block: Block) -> bool:
    if isinstance(message, ToolMessage):
        return True
    return block.kind in {"human", "ai"} and not has_media(message)


def _shares(costs: dict[str, int], room: int) -> dict[str, int]:
    """Divide room so that small messages stay whole and large ones get equal parts (water filling)."""
    limits: dict[str, int] = {}
    left = max(room, 0)
    for number, (identity, cost) in enumerate(sorted(costs.items(), key=lambda item: (item[1], item[0]))):
        share = max(left // (len(costs) - number), _MIN_TOKENS // 2)
        limits[identity] = min(cost, share)
        left = max(left - limits[identity], 0)
    return limits

"""A slice as the summarising model reads it: labelled messages, in requests that fit its window.

Each word of a user and of the assistant reaches the model, in several requests where one is too small; what a tool returned is
shortened. Message ids, opaque payloads and hidden reasoning never do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.content import text_of
from langchain_contextmode.segments import cut
from langchain_contextmode.shorten import excerpt, shorten
from langchain_contextmode.summary.sayings import calls_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.summary.slices import Slice

RESULT_TOKENS: Final = 1_000
"""What of one tool result the model sees, at most."""

CALL_TOKENS: Final = 500
_NAME_CHARS: Final = 40
_FRAME_TOKENS: Final = 16
_LABEL_TOKENS: Final = 8
_PIECES_A_REQUEST: Final = 4
_SMALLEST_SHARE: Final = 0.01
_LABEL: Final = re.compile(r"^([ \t]{0,20})\[(?=m\d)", re.MULTILINE)
_TAG: Final = re.compile(r"<(?=[/\s]{0,8}(?:transcript|notes)\b)", re.IGNORECASE)


class _Piece(NamedTuple):
    """Part of a message under its label, or calls with their results, which bring their labels: never divided between requests."""

    label: str
    text: str
    tokens: int


def guarded(text: str) -> str:
    """Return a text that can neither close the transcript nor pass for a labelled message; everything else stays letter by letter."""
    return _LABEL.sub(r"\1\\[", _TAG.sub("&lt;", text))


class Transcript:
    """One slice for a model.

    Args:
        part: The turns.
        room_tokens: What one request has room for; some dozens at least.
        count: Tokens of a text.
    """

    def __init__(self, part: Slice, room_tokens: int, count: Callable[[str], int]) -> None:
        """Label the messages."""
        self._part = part
        self._room = max(1, room_tokens - _FRAME_TOKENS)
        self._count = count
        ids = (identity for turn in part for block in turn.blocks for identity in block.ids)
        self._labels = {identity: f"m{number}" for number, identity in enumerate(ids, 1)}

    def requests(self) -> list[str]:
        """Return the slice as texts that fit, in order, none empty."""
        return self._packed(piece for turn in self._part for block in turn.blocks for piece in self._pieces(block))

    def squeezed(self, most: int) -> list[str]:
        """Return the slice in at most so many texts, shortened as a whole: for a turn that is too long for all of them."""
        whole, share = "\n".join(self.requests()), 0.9
        while True:
            text = shorten(whole, int(self._room * most * share), self._count, message_id="of this part")
            found = self._packed(_Piece("", piece, self._count(piece)) for piece in self._divided(text))
            if len(found) <= most or share < _SMALLEST_SHARE:
                return found[:most]
            share /= 2

    def _pieces(self, block: Block) -> Iterator[_Piece]:
        first = block.messages[0]
        label = f"[{self._labels[block.id]}]"
        said = guarded(text_of(first))
        if said.strip():
            who = self._who(block)
            yield from (_Piece(f"{label} {who}:", piece, self._count(piece)) for piece in self._divided(said))
        if block.kind == "call":
            text = self._exchange(block, label)
            yield _Piece("", text, self._count(text))

    @staticmethod
    def _who(block: Block) -> str:
        first = block.messages[0]
        role = "assistant" if block.kind != "human" else "user" if block.spoken else "background, said by nobody"
        return f"{role} {guarded(excerpt(first.name, _NAME_CHARS))}" if first.name else role

    def _exchange(self, block: Block, label: str) -> str:
        """Return calls and results, each result with the number of its call; shortened to fit one request."""
        calls, results = calls_of(block), block.messages[1:]
        call_tokens = min(CALL_TOKENS, self._room // (3 * len(calls)))
        result_tokens = min(RESULT_TOKENS, self._room // (2 * len(calls)))
        lines = []
        for number, (call, result) in enumerate(zip(calls, results, strict=True), 1):
            name = f"call {number}" if len(calls) > 1 else "call"
            own = self._labels.get(result.id or "", "")
            said = shorten(guarded(text_of(result)), result_tokens, self._count, message_id=own) or "(empty)"
            lines.append(f"{label} assistant, {name}: {shorten(guarded(call), call_tokens, self._count, message_id=label)}")
            lines.append(f"[{own}] result of {name} of {label}: {said}")
        return shorten("\n".join(lines), self._room, self._count, message_id=label)

    def _divided(self, text: str) -> Iterator[str]:
        """Yield a text in pieces that fit, several to a request; joined they are the text."""
        tokens = self._count(text)
        if tokens <= self._room // _PIECES_A_REQUEST:
            yield text
            return
        pending = cut(text, max(1, len(text) * self._room // (tokens * _PIECES_A_REQUEST)))[::-1]
        while pending:
            piece = pending.pop()
            if len(piece) > 1 and self._count(piece) > self._room:  # denser than the rest
                pending += [piece[len(piece) // 2 :], piece[: len(piece) // 2]]
            else:
                yield piece

    def _packed(self, pieces: Iterable[_Piece]) -> list[str]:
        """Fill one request after the other; a message that goes on in the next one is labelled again."""
        found: list[str] = []
        text, tokens, before = "", 0, None
        for piece in pieces:
            again = before is not None and piece.label == before.label
            if text and tokens + piece.tokens + _LABEL_TOKENS > self._room:
                found.append(text)
                head = f"{piece.label} (continued) " if again and piece.label else f"{piece.label} "
                text, tokens = f"{head if piece.label else ''}{piece.text}", piece.tokens
            elif again and text:
                text, tokens = f"{text}{piece.text}", tokens + piece.tokens
            else:
                head = f"{piece.label} " if piece.label else ""
                text, tokens = f"{text}\n{head}{piece.text}".lstrip("\n"), tokens + piece.tokens + _LABEL_TOKENS
            before = piece
        return [part for part in (*found, text) if part.strip()]

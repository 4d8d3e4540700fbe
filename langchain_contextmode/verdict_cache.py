"""Last turn's verdicts, kept in state so that nearly the same request judges only new messages (F10)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from langchain_contextmode.content import content_hash
from langchain_contextmode.relevance.similarity import Asked
from langchain_contextmode.schema import STATE_VERSION, Verdict, on_scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block

_FIELDS = 6


class VerdictCache:
    """Verdicts by message id, made for one request: `[content hash, score, value, reason, action, decided_by]` each.

    A verdict that stands for a failed judge holds for the turn in which it failed: an agent's loop does not ask a broken
    judge again at every step, the next human message does.
    """

    def __init__(self, asked: Asked, items: Mapping[str, list[Any]], turn: str = "") -> None:
        """Start from what is known.

        Args:
            asked: What the verdicts were made for.
            items: Verdicts by message id.
            turn: Id of the newest human message when they were made.
        """
        self.asked = asked
        self._items = dict(items)
        self._turn = turn

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> VerdictCache:
        """Read the concern of the last turn; anything of another shape is an empty cache."""
        asked, items = Asked.read(state), state.get("items")
        return cls(asked, items if asked.request and isinstance(items, dict) else {}, str(state.get("turn", "")))

    def state(self) -> dict[str, Any]:
        """Return the `verdicts` concern for the state channel; JSON."""
        return {"version": STATE_VERSION, **self.asked._asdict(), "turn": self._turn, "items": self._items}

    def kept(self, identities: Sequence[str]) -> dict[str, Any]:
        """Return the state without verdicts on messages that are no longer in the log; empty if there is nothing."""
        self._items = {identity: self._items[identity] for identity in identities if identity in self._items} if self._items else {}
        return self.state() if self._items else {}

    def verdict(self, block: Block, turn: str) -> Verdict | None:
        """Return the verdict on a block as it now stands; `None` if there is none, the text is another, or another turn's judge failed."""
        found = self._items.get(block.id)
        if not isinstance(found, list) or len(found) != _FIELDS or found[0] != _digest(block):
            return None
        _, score, value, reason, action, maker = found
        if maker == "failure" and (not turn or self._turn != turn):
            return None
        verdict = Verdict(score, value, reason, "failure" if maker == "failure" else "cache", action)
        return verdict if on_scale(verdict) and type(score) is int and isinstance(reason, str) else None

    def add(self, blocks: Sequence[Block], verdicts: Mapping[int, Verdict], old: VerdictCache, limit: int) -> None:
        """Take the verdicts a model made, then the newest of the others, up to a limit; reused ones keep their maker."""
        usable = sorted(verdicts, reverse=True)
        made_by_model = [index for index in usable if old.made_by_model(blocks[index], verdicts[index])]
        first = frozenset(made_by_model)
        order = [*made_by_model, *(index for index in usable if index not in first)]
        self._items = {blocks[index].id: old.entry(blocks[index], verdicts[index]) for index in order[:limit]}

    def made_by_model(self, block: Block, verdict: Verdict) -> bool:
        """Say whether a model made the verdict, now or when it was first made."""
        found = self._items.get(block.id) if verdict.decided_by == "cache" else None
        return (found[-1] if found else verdict.decided_by) == "model"

    def entry(self, block: Block, verdict: Verdict) -> list[Any]:
        """Return the stored form of a verdict; a reused one stays as it was. The value is exact: near ones keep their order."""
        if verdict.decided_by == "cache" and block.id in self._items:
            return self._items[block.id]
        digest = _digest(block)
        return [digest, verdict.score, float(verdict.value), verdict.reason, verdict.action, verdict.decided_by]


def _digest(block: Block) -> str:
    """Return a hash of all that the block says, results included."""
    digest: str | None = block.memo.get("digest")
    if digest is None:
        said = ".".join(map(content_hash, block.messages))
        digest = block.memo["digest"] = hashlib.blake2b(said.encode(), digest_size=12).hexdigest()
    return digest

"""What a round takes in: the turns of one slice, what they say, and what is known beside them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode import cues
from langchain_contextmode.sentences import sentences
from langchain_contextmode.summary.grounding import content_terms
from langchain_contextmode.summary.sayings import Said, sayings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.schema import Pin
    from langchain_contextmode.summary.slices import Slice


class Stated(NamedTuple):
    """A sentence that a user said in his own words: no code, no quoted mail, no material to work on."""

    text: str
    message_id: str
    terms: frozenset[str]


class Source:
    """One slice, read once.

    Attributes:
        part: The turns.
        pins: All pins of the conversation; they stand beside the summary.
    """

    def __init__(self, part: Slice, pins: Sequence[Pin]) -> None:
        """Take a slice with at least one block."""
        self.part = part
        self.pins = tuple(pins)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, oldest first."""
        return tuple(block for turn in self.part for block in turn.blocks)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of all messages, oldest first."""
        return tuple(identity for block in self.blocks for identity in block.ids)

    @property
    def ends(self) -> tuple[str, ...]:
        """Ids of the first and the last message; what a model's own statement stands on."""
        return tuple(dict.fromkeys((self.ids[0], self.ids[-1])))

    @property
    def tokens(self) -> int:
        """What the slice costs verbatim."""
        return sum(turn.tokens for turn in self.part)

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """What the messages say."""
        return sayings(self.part)

    @cached_property
    def stated(self) -> tuple[Stated, ...]:
        """The users' own sentences, oldest first."""
        return tuple(
            Stated(text, said.ids[0], content_terms(text))
            for said in self.said
            if said.origin == "human"
            for start, end in sentences(said.text)
            if (text := said.text[start:end])
        )

    @cached_property
    def demands(self) -> tuple[tuple[cues.Spotted, str], ...]:
        """What constrains the rest of the conversation, by local cues, with the message it stands in; oldest first."""
        return tuple((spotted, said.ids[0]) for said in self.said if said.origin == "human" for spotted in cues.spot(said.text))

    def upholds(self, demand: str, *, after: int = -1) -> bool:
        """Say whether an older demand still holds after these turns.

        Args:
            demand: A sentence of a user.
            after: Only demands behind this one of `demands` overrule it. -1: all do.
        """
        if any(pin.text == demand and not pin.active for pin in self.pins):
            return False
        later = self.demands[after + 1 :]
        if any(cues.overrules(spotted.text, demand) for spotted, _ in later):
            return False
        since = self.demands[after][1] if after >= 0 else ""
        texts = [said for said in self.said if said.origin == "human"]
        start = next((n + 1 for n, said in enumerate(texts) if said.ids[0] == since), 0)
        return not any(cues.lifts(said.text, demand) for said in texts[start:])

    @cached_property
    def pinned(self) -> frozenset[str]:
        """Texts of the pins, overruled ones included."""
        return frozenset(pin.text for pin in self.pins)

"""What a round takes in: the turns of one slice, what they say, and what is known beside them."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import text_of
from langchain_contextmode.cues import remembered
from langchain_contextmode.pins import sentence_hash
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.sentences import sentences
from langchain_contextmode.summary.grounding import content_terms
from langchain_contextmode.summary.sayings import Said, sayings
from langchain_contextmode.summary.voices import Heard

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.cues import Spotted
    from langchain_contextmode.schema import Pin
    from langchain_contextmode.summary.slices import Slice


class Stated(NamedTuple):
    """A sentence that a user said in his own words: no code, no quoted mail, no material to work on."""

    text: str
    message_id: str
    terms: frozenset[str]


class Demands(NamedTuple):
    """What the user demands as far as the session knows it; it stands beside the summary.

    Attributes:
        pins: All pins of the conversation, overruled ones included.
        withdrawn: What the application removed: message id and sentence.
    """

    pins: tuple[Pin, ...] = ()
    withdrawn: tuple[tuple[str, str], ...] = ()

    def disowned(self, text: str, message_ids: Sequence[str]) -> bool:
        """Say whether a sentence of some message, or a part of it, was removed by the application, overruled or lifted."""
        over = [(pin.message_id, pin.text) for pin in self.pins if not pin.active]
        return any(text == other for _, other in over) or any(
            identity in message_ids and (other in text or text in other) for identity, other in (*self.withdrawn, *over)
        )


def withdrawn(blocks: Iterable[Block], removed: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return message id and text of the sentences that the application removed, given as message id and hash."""
    hashes, ids = frozenset(removed), frozenset(identity for identity, _ in removed)
    found: list[tuple[str, str]] = []
    for block in blocks if removed else ():
        if block.id in ids and block.spoken:
            text = text_of(block.messages[0])
            parts = [text[start:end] for start, end in sentences(text)] + [spotted.text for spotted in remembered.spot(text)]
            found += [(block.id, part) for part in dict.fromkeys(parts) if (block.id, sentence_hash(part)) in hashes]
    return tuple(found)


class Source:
    """One slice, read once.

    Attributes:
        part: The turns.
        known: Pins, and what is no demand any more.
    """

    def __init__(self, part: Slice, known: Demands) -> None:
        """Take a slice with at least one block."""
        self.part = part
        self.known = known

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
        """The users' own sentences, oldest first, but for those that hold no longer."""
        return tuple(
            Stated(text, said.ids[0], content_terms(text))
            for said in self.said
            if said.origin == "human"
            for start, end in sentences(said.text)
            if (text := said.text[start:end]) and not self.known.disowned(text, said.ids)
        )

    @cached_property
    def demands(self) -> tuple[tuple[Spotted, str], ...]:
        """What constrains the rest of the conversation, by local cues, with the message it stands in; oldest first."""
        return tuple(
            (spotted, said.ids[0])
            for said in self.said
            if said.origin == "human"
            for spotted in remembered.spot(said.text)
            if not any(said.ids[0] == identity and spotted.text in text for identity, text in self.known.withdrawn)
        )

    def upholds(self, demand: str, message_ids: Sequence[str], *, after: int = -1) -> bool:
        """Say whether an older demand still holds after these turns.

        Args:
            demand: A sentence of a user.
            message_ids: The message that it stands in; what follows it in this slice may overrule or lift it.
            after: Only demands behind this one of `demands` overrule it. -1: all behind its message do.
        """
        if self.known.disowned(demand, message_ids):
            return False
        texts = [said for said in self.said if said.origin == "human"]
        start = next((n + 1 for n, said in enumerate(texts) if said.ids[0] in message_ids), 0)
        behind = frozenset(said.ids[0] for said in texts[start:])
        later = [
            spotted for number, (spotted, identity) in enumerate(self.demands) if (number > after if after >= 0 else identity in behind)
        ]
        return not any(remembered.overrules(spotted.text, demand) for spotted in later) and not any(
            remembered.lifts(said.text, demand) for said in texts[start:]
        )

    @cached_property
    def pinned(self) -> frozenset[str]:
        """Texts of the pins, overruled ones included."""
        return frozenset(pin.text for pin in self.known.pins)

    @cached_property
    def people_terms(self) -> tuple[frozenset[str], ...]:
        """Words of what people and the assistant say and call, message by message and each with the one before."""
        words = [frozenset(terms_of(text)) for text in self.people_texts]
        return (*words, *(before | word for before, word in pairwise(words)))

    @cached_property
    def people_texts(self) -> tuple[str, ...]:
        """What people and the assistant say, and what the assistant calls, in order."""
        return tuple(text for said in self.said for text in (said.call, said.text if said.origin != "tool" else "") if text.strip())

    @cached_property
    def heard(self) -> tuple[Heard, ...]:
        """What tools say."""
        return tuple(Heard(said.text, said.ids[-1:]) for said in self.said if said.origin == "tool" and said.text.strip())

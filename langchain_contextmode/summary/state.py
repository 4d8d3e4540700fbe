"""The rolling summary as data: four sections, exact details beside them, a line per slice, and how far it reaches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from langchain_contextmode.schema import STATE_VERSION, PinKind

if TYPE_CHECKING:
    from collections.abc import Mapping

Section = Literal["preferences", "decisions", "open", "constraints"]
Origin = Literal["human", "ai", "tool", "model", "record"]

SECTIONS: tuple[Section, ...] = ("preferences", "decisions", "open", "constraints")
"""The four sections (S2) in their order; empty ones are not rendered."""


_ORIGINS = frozenset(get_args(Origin))


class Line(NamedTuple):
    """One statement of the summary and where it is from.

    Attributes:
        text: One line. Copied, or written by a model and checked.
        message_ids: The messages it stands on, in conversation order; a model's line names its whole slice.
        origin: Whose words: `human`, `ai` and `tool` are copied from such a message, `model` is a model's prose,
            `record` a turn in short: the user's words, then what was done.
    """

    text: str
    message_ids: tuple[str, ...]
    origin: Origin = "model"


class Covered(NamedTuple):
    """A slice of turns behind the watermark: what the cut notice says of it (S5).

    Attributes:
        text: What it was about, in a line.
        first_id: Its first message.
        last_id: Its last message.
        messages: How many.
        tokens: Their tokens.
    """

    text: str
    first_id: str
    last_id: str
    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of the turns behind the watermark. Replaced, never mutated.

    Attributes:
        sections: Section name to lines, oldest first; missing sections are empty.
        text: A model's reply without headings, as it stands.
        details: Sentences that hold exact spans which stand nowhere else in the summary; copied, oldest first.
        slices: The cut notice's lines, oldest first.
        left_out: Ids of messages whose details no longer fitted, oldest first; bounded.
        through: Id of the last message behind the watermark; empty where the watermark message itself was pruned.
        kept: Ids of messages behind the watermark that the prune node left in the log; used only while `through` is empty.
        digest: Sum over id and content of the covered messages in the log; another sum means that one was edited or removed.
        pruned: How many covered messages the prune node took out of the log, as of the last round. Above 0, or while `through` is
            empty, the summary is the only copy of them and is never made anew.
        failures: Rounds of the model that failed one after the other.
        tried_at: Id of the newest human message at the last round, committed or failed; that turn has no second one.
    """

    sections: Mapping[Section, tuple[Line, ...]] = field(default_factory=dict)
    text: str = ""
    details: tuple[Line, ...] = ()
    slices: tuple[Covered, ...] = ()
    left_out: tuple[str, ...] = ()
    through: str = ""
    kept: tuple[str, ...] = ()
    digest: str = ""
    pruned: int = 0
    failures: int = 0
    tried_at: str = ""

    def lines(self, section: Section) -> tuple[Line, ...]:
        """Return the lines of a section, oldest first."""
        return self.sections.get(section, ())

    @property
    def empty(self) -> bool:
        """Say whether nothing was summarised yet."""
        return not self.slices

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Summary:
        """Read the `summary` concern; anything of another shape is an empty summary."""
        try:
            return cls(
                sections={name: tuple(map(_line, state["sections"][name])) for name in SECTIONS if state["sections"].get(name)},
                text=str(state["text"]),
                details=tuple(map(_line, state["details"])),
                slices=tuple(map(_covered, state["slices"])),
                left_out=tuple(map(str, state["left_out"])),
                through=str(state["through"]),
                kept=tuple(map(str, state["kept"])),
                digest=str(state["digest"]),
                pruned=int(state["pruned"]),
                failures=int(state["failures"]),
                tried_at=str(state["tried_at"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            return cls()

    def state(self) -> dict[str, Any]:
        """Return the concern for the state channel: JSON types only."""
        return {
            "version": STATE_VERSION,
            "sections": {name: [_plain(line) for line in self.sections[name]] for name in SECTIONS if self.sections.get(name)},
            "text": self.text,
            "details": [_plain(line) for line in self.details],
            "slices": [list(item) for item in self.slices],
            "left_out": list(self.left_out),
            "through": self.through,
            "kept": list(self.kept),
            "digest": self.digest,
            "pruned": self.pruned,
            "failures": self.failures,
            "tried_at": self.tried_at,
        }


class Summarised(NamedTuple):
    """What the summary step hands on.

    Attributes:
        summary: After this turn; the old one where nothing was due or the round failed.
        covered: Block indices of the log behind the watermark.
        state: The `summary` concern for the next turn; JSON. Empty if there is nothing.
        proposals: Pins that the model proposed: message id, a sentence of that human message, kind.
    """

    summary: Summary
    covered: frozenset[int]
    state: dict[str, Any]
    proposals: tuple[tuple[str, str, PinKind], ...] = ()


def _line(item: Any) -> Line:
    text, ids, origin = _fields(item, Line)
    if not isinstance(text, str) or not isinstance(ids, list | tuple) or origin not in _ORIGINS:
        message = "a line is a text, message ids and an origin"
        raise ValueError(message)
    return Line(text, tuple(map(str, ids)), origin)


def _covered(item: Any) -> Covered:
    text, first_id, last_id, messages, tokens = _fields(item, Covered)
    return Covered(str(text), str(first_id), str(last_id), int(messages), int(tokens))


def _plain(line: Line) -> list[Any]:
    return [line.text, list(line.message_ids), line.origin]


def _fields(item: Any, kind: type[tuple[Any, ...]]) -> Any:
    if not isinstance(item, list | tuple) or len(item) != len(kind.__annotations__):
        message = f"{kind.__name__} has {len(kind.__annotations__)} fields"
        raise ValueError(message)
    return item

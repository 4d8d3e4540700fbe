"""A model's notes held against what was said: invented values and demands that nobody made are left out.

What a user demands is copied from his own sentences; what tools and the assistant say never becomes a demand (I7, I13).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from langchain_contextmode.spans import holds
from langchain_contextmode.summary.grounding import MOST, Held, Known, content_terms, share, values
from langchain_contextmode.summary.pairing import Pairings
from langchain_contextmode.summary.sayings import copies
from langchain_contextmode.summary.state import SECTIONS, Line, Section, Summary
from langchain_contextmode.summary.text import summary_text
from langchain_contextmode.summary.voices import Voices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.schema import PinKind
    from langchain_contextmode.summary.reply import Parsed
    from langchain_contextmode.summary.source import Source, Stated

DEMANDS: Final[tuple[Section, ...]] = ("preferences", "constraints")
"""Sections that hold nothing but copies of what a user said."""

_KINDS: Final[Mapping[Section, PinKind]] = {"preferences": "preference", "constraints": "rule"}
_QUOTES: Final = " \t\"'`“”‘’「」『』«»"  # noqa: RUF001
_ENDS: Final = _QUOTES + ".;,。；，"  # noqa: RUF001


@dataclass(slots=True)
class Checked:
    """What of a reply may stand.

    Attributes:
        summary: The new summary; details and slices are the old ones, plus what the model dropped from the old notes.
        left_out: How many statements were left out, by reason.
        proposals: Message id, sentence of that message, kind of pin.
        from_tools: Statements that only tools made.
    """

    summary: Summary
    left_out: dict[str, int] = field(default_factory=dict)
    proposals: list[tuple[str, str, PinKind]] = field(default_factory=list)
    from_tools: list[Line] = field(default_factory=list)

    def note(self) -> str:
        """Say what was left out; empty if nothing was."""
        return "; ".join(f"{number} {reason}" for reason, number in self.left_out.items())

    def drop(self, reason: str) -> None:
        """Count a statement that is left out."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


class Checker:
    """Checks the replies about one slice.

    Args:
        source: The slice.
        old: The summary that the model got.
        shown: The model saw all old open items and wrote sections; else those it dropped stay.
    """

    def __init__(self, source: Source, old: Summary, *, shown: bool = True) -> None:
        """Read slice, pins and old summary once."""
        self._source = source
        self._old = old
        self._shown = shown
        texts = [f"{said.call}\n{said.text}" for said in source.said]
        self._known = Known([*texts, summary_text(old), *(covered.text for covered in old.slices), *source.pinned])
        self._voices = Voices(source, old)
        told = [*copies(old.text), *(line.text for name in SECTIONS for line in old.lines(name)), *(line.text for line in old.details)]
        self._pairings = Pairings([*texts, *told, *sorted(source.pinned)])

    def check(self, parsed: Parsed) -> Checked:
        """Return what of a reply may stand, and what of the old notes stays whatever the reply says."""
        out = Checked(self._old)
        sections: dict[Section, tuple[Line, ...]] = {name: tuple(self._demands(parsed, name, out)) for name in DEMANDS}
        sections |= {name: tuple(self._statements(parsed, name, out)) for name in SECTIONS if name not in DEMANDS}
        text = self._prose(parsed.text, out)
        held = Held([line.text for lines in sections.values() for line in lines] + copies(text))
        stays = [name for name in ("decisions", "open") if name == "decisions" or not self._shown]
        for name in SECTIONS:
            if name in stays:
                kept = [line for line in self._old.lines(name) if line not in sections[name] and not held.says(line.text)]
                sections[name] = (*kept, *sections[name])
        out.summary = replace(self._old, sections={name: sections[name] for name in SECTIONS if sections[name]}, text=text)
        out.summary = self._with_dropped_values(out.summary)
        return out

    def _demands(self, parsed: Parsed, name: Section, out: Checked) -> Iterable[Line]:
        lines = [line for line in self._old.lines(name) if line.origin == "human" and self._stands(line)]
        for statement in parsed.sections.get(name, ()):
            if self._known.invented(statement):
                out.drop("with a value that nobody said")
                continue
            found, exact = self._said_by_user(statement)
            if found is None:
                if not _among(statement, lines):
                    out.drop("that no user stated")
                continue
            line = Line(found.text, (found.message_id,), "human")
            if line.text in self._source.pinned or not self._stands(line):
                continue
            if exact:
                out.proposals.append((found.message_id, found.text, _KINDS[name]))
            if all(line.text != other.text for other in lines):
                lines.append(line)
        return lines

    def _stands(self, line: Line) -> bool:
        """Say whether a demand still holds: neither the slice, nor the application, nor a pin of its own that was overruled objects."""
        return self._source.upholds(line.text, line.message_ids)

    def _said_by_user(self, statement: str) -> tuple[Stated | None, bool]:
        """Find the user's sentence that a statement copies, or else says in other words; the newest of equally good ones."""
        wanted, stated = statement.strip(_ENDS), self._source.stated
        terms, spans = content_terms(statement), values(statement)
        if terms:
            for sentence in reversed(stated):
                if holds(sentence.text, wanted):
                    return sentence, True
        best = max(reversed(stated), key=lambda sentence: share(terms, sentence.terms), default=None)
        if best is None or share(terms, best.terms) < MOST or Held([best.text]).lacks(spans):
            return None, False
        return best, False

    def _statements(self, parsed: Parsed, name: Section, out: Checked) -> Iterable[Line]:
        old = {line.text: line for line in self._old.lines(name)}
        lines: list[Line] = []
        for statement in parsed.sections.get(name, ()):
            if self._known.invented(statement):
                out.drop("with a value that nobody said")
            elif statement in old:
                lines.append(old[statement])
            elif self._pairings.broken(statement):
                out.drop("that joins values which nobody did")
            elif own := self._of_people(statement, out):
                lines.append(Line(own, self._source.ends))
        return lines

    def _of_people(self, statement: str, out: Checked) -> str:
        """Return a statement without what only tools said, which is put aside under their name; may be empty."""
        own, taken = self._voices.split(statement)
        out.from_tools += [line for text, ids in taken if (line := Line(text, ids, "tool")) not in out.from_tools]
        return own

    def _prose(self, text: str, out: Checked) -> str:
        """Return a text as it stands, without its sentences that invent values or that only tools said."""
        sentences, good = copies(text), list[str]()
        for sentence in sentences:
            if self._known.invented(sentence):
                out.drop("with a value that nobody said")
            elif self._pairings.broken(sentence):
                out.drop("that joins values which nobody did")
            elif own := self._of_people(sentence, out):
                good.append(own)
        if good == sentences:
            return text
        left = " ".join(good)
        return left if any(map(str.isalnum, left)) else ""

    def _with_dropped_values(self, summary: Summary) -> Summary:
        """Keep as details what the old notes said with values that the new ones lack."""
        held = Held([summary_text(summary), *self._source.pinned])
        lines = [line for name in SECTIONS for line in self._old.lines(name) if self._kept(name, line)]
        first = self._old.slices[0].first_id if self._old.slices else ""
        last = self._old.slices[-1].last_id if self._old.slices else ""
        lines += [Line(sentence, tuple(dict.fromkeys((first, last)))) for sentence in copies(self._old.text)]
        for line in lines:
            if held.lacks(values(line.text)):
                held.add(line.text)
                summary = replace(summary, details=(*summary.details, line))
        return summary

    def _kept(self, name: Section, line: Line) -> bool:
        return name not in DEMANDS or self._stands(line)


def _among(statement: str, lines: Sequence[Line]) -> bool:
    terms = content_terms(statement)
    return any(share(terms, content_terms(line.text)) >= MOST for line in lines)

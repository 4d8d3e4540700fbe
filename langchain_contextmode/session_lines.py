"""The lines that a session block can hold: rendered, escaped, named by id, and weighed against the request."""

from __future__ import annotations

import math
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.fences import escaped, one_line, reference
from langchain_contextmode.lines import SUPERSEDED
from langchain_contextmode.pins import TASTES
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.size import detail_worth
from langchain_contextmode.summary.state import Covered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from langchain_contextmode.schema import ArchiveEntry, Pin
    from langchain_contextmode.summary.state import Line, Section, Summary

_CONSTRAINTS = "Constraints, in the user's own words, still binding:"
_PREFERENCES = "Preferences, in the user's own words:"
HEADINGS = (
    _CONSTRAINTS,
    _PREFERENCES,
    "Decisions made:",
    "Open items:",
    "Summary of older turns:",
    "Exact details, copied:",
    "Removed from the history, in one line each:",
    "Older messages not shown; an id brings the original back:",
)
SECTION_HEADINGS: dict[Section, int] = {"constraints": 0, "preferences": 1, "decisions": 2, "open": 3}
TEXT, DETAILS, REMOVED, NOTICE = 4, 5, 6, 7

_ABOUT_CHARS = 60
_COMMON_LINES, _COMMON_SHARE = 4, 0.2


class Entry(NamedTuple):
    """One line of the block.

    Attributes:
        heading: Number of the heading it stands under.
        text: As shown.
        ids: Messages that make it superfluous when they are verbatim in the view.
        prior: Order among lines that are worth the same to the request; 0 first.
        pin: The pin it shows.
        cost: Tokens.
        value: What it shares with the request; 0 for nothing.
    """

    heading: int
    text: str
    ids: tuple[str, ...] = ()
    prior: tuple[int, ...] = (0,)
    pin: Pin | None = None
    cost: int = 0
    value: float = 0.0


def entries_of(
    pins: Sequence[Pin], summary: Summary, removed: Sequence[ArchiveEntry], superseded: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> Iterator[Entry]:
    """Yield pins, sections, prose, details and lines of removed messages, each oldest first; what a pin says is not said again.

    Args:
        pins: Active pins.
        summary: The summary.
        removed: Lines of pruned messages.
        superseded: Message id to words in it that a task field no longer holds; lines with them are marked.
    """
    for entry in _entries_of(pins, summary, removed):
        old = any(span in entry.text for identity in entry.ids for span in superseded.get(identity, ()))
        yield entry._replace(text=entry.text + SUPERSEDED) if old else entry


def _entries_of(pins: Sequence[Pin], summary: Summary, removed: Sequence[ArchiveEntry]) -> Iterator[Entry]:
    for pin in pins:
        heading = SECTION_HEADINGS["preferences" if pin.kind in TASTES else "constraints"]
        ids = (pin.message_id,) if pin.message_id else ()
        yield Entry(heading, _line(pin.text, ids), ids, pin=pin)
    pinned = {(pin.message_id, pin.text) for pin in pins}
    for section, heading in SECTION_HEADINGS.items():
        for line in summary.lines(section):
            if not any((identity, line.text) in pinned for identity in line.message_ids):
                yield Entry(heading, _told(line), _source(line))
    for text in summary.text.splitlines():
        if text.strip():
            yield Entry(TEXT, escaped(one_line(text)), prior=(1,))
    for line in summary.details:
        yield Entry(DETAILS, _told(line), _source(line), (1, -detail_worth(line)))
    for entry in removed:
        yield Entry(REMOVED, _line(entry.text, entry.message_ids), entry.message_ids, (2,))


def joined(slices: Sequence[Covered]) -> Covered:
    """Return one entry for several slices; what they were about is told by the newest ones."""
    about = excerpt("; ".join(item.text for item in reversed(slices)), _ABOUT_CHARS) if len(slices) > 1 else slices[0].text
    messages, tokens = sum(item.messages for item in slices), sum(item.tokens for item in slices)
    named = [item for item in slices if item.first_id]
    return Covered(about, named[0].first_id if named else "", named[-1].last_id if named else "", messages, tokens)


def _source(line: Line) -> tuple[str, ...]:
    """Return the messages that make the line superfluous when they are in the view: none for a model's prose."""
    if line.origin == "model":
        return ()
    return line.message_ids[:1] if line.origin == "record" else line.message_ids


def _told(line: Line) -> str:
    said = {"ai": "assistant: ", "tool": "tool: ", "record": "turn: "}.get(line.origin, "")
    return _line(f"{said}{line.text}", line.message_ids if line.origin != "model" else ())


def _line(text: str, ids: Sequence[str]) -> str:
    named = f"[{', '.join(map(reference, ids))}] " if ids else ""
    return f"- {named}{escaped(one_line(text))}"


def notice_text(item: Covered) -> str:
    """Say how much of a section the view leaves out, from where to where, and what it was about."""
    ends = " to ".join(dict.fromkeys(reference(identity) for identity in (item.first_id, item.last_id) if identity))
    place = f" [{ends}]" if ends else ", no longer stored"
    return f"- {item.messages} messages, {item.tokens} tokens{place}: {escaped(one_line(item.text))}"


def values_of(texts: Sequence[str], wanted: frozenset[str]) -> list[float]:
    """Weigh the terms that each line shares with the request by their rarity among the lines; what many lines hold says nothing."""
    found = [wanted.intersection(terms_of(text)) for text in texts] if wanted else [frozenset[str]() for _ in texts]
    seen = Counter(term for terms in found for term in terms)
    common = max(_COMMON_LINES, len(texts) * _COMMON_SHARE)
    telling = [sorted(term for term in terms if seen[term] <= common or any(map(str.isdigit, term))) for terms in found]
    return [sum(math.log1p(len(texts) / seen[term]) for term in terms) for terms in telling]

"""A summary as plain text: what the summarising model gets as the notes so far, and what an application can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.summary.state import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from langchain_contextmode.summary.state import Line, Section, Summary

HEADINGS: Final[Mapping[Section, str]] = {
    "preferences": "Preferences",
    "decisions": "Decisions",
    "open": "Open items",
    "constraints": "Hard constraints",
}
"""Section to the heading that a model is asked for and that a text shows."""

DETAILS_HEADING: Final = "Exact details"


def summary_text(summary: Summary, *, details: bool = True) -> str:
    """Return the sections that are not empty, a model's text without headings, and the copied details; may be empty.

    Args:
        summary: What is known. Not modified.
        details: With the copied details.
    """
    parts = [_part(HEADINGS[name], summary.lines(name)) for name in SECTIONS if summary.lines(name)]
    if summary.text:
        parts.append(summary.text)
    if details and summary.details:
        parts.append(_part(DETAILS_HEADING, summary.details))
    return "\n\n".join(parts)


def _part(heading: str, lines: Iterable[Line]) -> str:
    return "\n".join((f"## {heading}", *(f"- {line.text}" for line in lines)))

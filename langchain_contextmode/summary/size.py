"""A summary kept small: what leaves first when it outgrows its size, and the ids that are then named instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.grounding import firmness
from langchain_contextmode.summary.state import SECTIONS, Covered, Line, Origin, Section, Summary
from langchain_contextmode.summary.text import summary_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LEFT_OUT_MAX: Final = 200
"""Ids named in place of details that no longer fitted; the newest."""

COVERED_CHARS: Final = 160
"""What a slice was about, in characters."""

_BULLET_TOKENS: Final = 2
_BETWEEN: Final = " … "
_COVERED_SHARE: Final = 0.25
_SHARES: Final[tuple[tuple[Section, float], ...]] = (("decisions", 0.4), ("open", 0.2))
_ORIGINS: Final[tuple[Origin, ...]] = ("tool", "ai", "model", "record", "human")
_ORIGIN_WORTH: Final[dict[Origin, int]] = {"tool": 0, "ai": 1, "model": 1, "human": 2, "record": 2}
_LAST: Final[tuple[Section, ...]] = ("decisions", "preferences", "constraints")

_Place = tuple[str, int]
"""Where a line stands: section name or `details`, and its position there."""


def bounded(summary: Summary, limit_tokens: int, count: Callable[[str], int]) -> Summary:
    """Return the summary in at most so many tokens.

    Lines about neighbouring slices are merged until they take a quarter at most, and the oldest decisions and open items leave
    where they take more than two fifths and a fifth. Then details leave, those worth least and the oldest first; then open items,
    what a model wrote without copying, and at last decisions, preferences and constraints. Nothing is rephrased. Ids of what left
    are in `left_out`.

    Args:
        summary: Not modified.
        limit_tokens: For all texts of the summary together: `summary_text` and the lines about slices.
        count: Tokens of a text.
    """
    summary = _merged(summary, limit_tokens * _COVERED_SHARE, count)
    tokens = _tokens(summary, count)
    if tokens > limit_tokens:
        summary = _without(summary, {place for name, share in _SHARES for place in _over(name, summary, limit_tokens * share, count)})
        tokens = _tokens(summary, count)
    while tokens > limit_tokens:
        gone: set[_Place] = set()
        for place, text in _leaving(summary):
            gone.add(place)
            tokens -= count(text) + _BULLET_TOKENS
            if tokens <= limit_tokens:
                break
        if not gone:  # the lines about slices alone are too much
            return replace(summary, slices=tuple(covered._replace(text="") for covered in _merged(summary, 0, count).slices))
        summary = _without(summary, gone)
        tokens = _tokens(summary, count)
    return summary


def _tokens(summary: Summary, count: Callable[[str], int]) -> int:
    return count(summary_text(summary)) + sum(count(covered.text) + 1 for covered in summary.slices)


def _merged(summary: Summary, room: float, count: Callable[[str], int]) -> Summary:
    """Join the two neighbours that stand for the fewest messages, the oldest among equals, until the lines fit the room."""
    slices = list(summary.slices)
    costs = [count(covered.text) + 1 for covered in slices]
    while len(slices) > 1 and sum(costs) > room:
        first = min(range(len(slices) - 1), key=lambda i: slices[i].messages + slices[i + 1].messages)
        joined = _joined(slices[first], slices[first + 1])
        slices[first : first + 2] = [joined]
        costs[first : first + 2] = [count(joined.text) + 1]
    return replace(summary, slices=tuple(slices))


def _joined(left: Covered, right: Covered) -> Covered:
    """Say what it began with and what it ended with; what lies between is left out, however often lines are joined."""
    half = (COVERED_CHARS - len(_BETWEEN)) // 2
    ends = (excerpt(left.text.split(_BETWEEN)[0], half), excerpt(right.text.split(_BETWEEN)[-1], half))
    text = _BETWEEN.join(dict.fromkeys(end for end in ends if end))
    return Covered(text, left.first_id, right.last_id, left.messages + right.messages, left.tokens + right.tokens)


def _over(name: Section, summary: Summary, room: float, count: Callable[[str], int]) -> Iterator[_Place]:
    """Yield the oldest lines of a section that have no room, so that hundreds of them do not crowd out everything else."""
    for position in range(len(summary.lines(name)) - 1, -1, -1):
        room -= count(summary.lines(name)[position].text) + _BULLET_TOKENS
        if room < 0:
            yield name, position


def detail_worth(line: Line) -> int:
    """Return what a copied detail is worth, 0..5: whose it is (tool 0, assistant 1, user 2), and whether it holds exact values."""
    firm = firmness(line.text)
    return 0 if not firm else _ORIGIN_WORTH[line.origin] + firm


def _leaving(summary: Summary) -> Iterator[tuple[_Place, str]]:
    """Yield what may leave, place and text, in the order in which it does."""
    worth = [detail_worth(line) for line in summary.details]
    for position in sorted(range(len(worth)), key=lambda position: worth[position]):
        yield ("details", position), summary.details[position].text
    yield from _places("open", summary.lines("open"), _ORIGINS)
    if summary.text:
        yield ("text", 0), summary.text
    for origins in (("model",), ("tool", "ai", "human")):
        for name in _LAST:
            yield from _places(name, summary.lines(name), origins)


def _places(name: str, lines: Sequence[Line], origins: Sequence[Origin]) -> Iterator[tuple[_Place, str]]:
    return (((name, position), line.text) for position, line in enumerate(lines) if line.origin in origins)


def _without(summary: Summary, gone: set[_Place]) -> Summary:
    """Return the summary without some lines; their ids are named once, in the order of the conversation as far as lines tell it."""
    ids = dict.fromkeys(summary.left_out)
    sections: dict[Section, tuple[Line, ...]] = {}
    for name in SECTIONS:
        if left := _staying(name, summary.lines(name), gone, ids):
            sections[name] = left
    details = _staying("details", summary.details, gone, ids)
    text = "" if ("text", 0) in gone else summary.text
    return replace(summary, sections=sections, details=details, text=text, left_out=tuple(ids)[-LEFT_OUT_MAX:])


def _staying(name: str, lines: Sequence[Line], gone: set[_Place], ids: dict[str, None]) -> tuple[Line, ...]:
    for position, line in enumerate(lines):
        if (name, position) in gone:
            for identity in line.message_ids:
                ids.pop(identity, None)
                ids[identity] = None
    return tuple(line for position, line in enumerate(lines) if (name, position) not in gone)

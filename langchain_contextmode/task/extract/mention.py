"""One value that a message names, before it is known which field it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Mention(NamedTuple):
    """A value and where it stands.

    Attributes:
        kind: `number`, `money`, `people`, `date`, `time`, `duration`, `choice`, `boolean` or `text`.
        value: As stored; JSON.
        start: Where its words begin in the text, in characters.
        end: Where they end.
        unit: Currency of money (ISO 4217; empty: not said); unit of a duration (`day`, `night`, ...).
        bound: `max` ("under 50"), `min` ("at least 50") or `range` (a lower and an upper end); empty: the value itself.
        fields: The only fields it can belong to; empty: any of its kind.
        named: Its own words name the field.
    """

    kind: str
    value: Any
    start: int
    end: int
    unit: str = ""
    bound: str = ""
    fields: tuple[str, ...] = ()
    named: bool = False


def longest(mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions that do not overlap, in order of place: the longer wins, then the one given first."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda m: m.start - m.end):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda m: m.start)

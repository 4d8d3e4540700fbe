"""Dates that a request names: "on 13 October", "in June 2023", 2023-08-05, 8月13日."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

TOLD_WITHIN_DAYS = 7
"""People tell about a day on it or in the week after."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_ENGLISH = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?)?(?P<month>{_MONTH})\b\.?"
    rf"(?:\s+(?P<late>\d{{1,2}}){_ORDINAL}(?!\d))?(?:,?\s*(?P<year>\d{{4}}))?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b")
_CJK = re.compile(r"(?:(?P<year>\d{4})\s*年\s*)?(?P<month>\d{1,2})\s*月(?:\s*(?P<day>\d{1,2})\s*[日号號])?")
_AMBIGUOUS = frozenset({"may", "mar", "march", "dec", "jan", "sep"})


class AskedDate(NamedTuple):
    """A month or a day; without a year it means every year.

    Attributes:
        month: 1..12.
        day: Day of the month, or `None` for the whole month.
        year: Or `None`.
    """

    month: int
    day: int | None
    year: int | None

    def covers(self, time: datetime) -> bool:
        """Say whether somebody who speaks at `time` (aware) is likely to tell about this date."""
        if self.day is None:
            return time.month == self.month and self.year in {None, time.year}
        try:
            start = datetime(self.year or time.year, self.month, self.day, tzinfo=UTC)
        except ValueError:
            return False
        if self.year is None and start > time:
            start = start.replace(year=start.year - 1) if (self.month, self.day) != (2, 29) else start
        return timedelta(0) <= time - start < timedelta(days=TOLD_WITHIN_DAYS + 1)


def asked_dates(text: str) -> tuple[AskedDate, ...]:
    """Return the dates that a text names, in order of form, then of place.

    A lone "may" or "march" in small letters, or at the beginning, is a verb.
    """
    found = []
    for match in _ENGLISH.finditer(text):
        day, year = match["day"] or match["late"], match["year"]
        named = match["month"][0].isupper() and match.start() > 0
        if day or year or named or match["month"].lower() not in _AMBIGUOUS:
            found.append(_date(str(_MONTHS.index(match["month"][:3].lower()) + 1), day, year))
    for pattern in (_ISO, _CJK):
        found.extend(_date(m["month"], m["day"], m["year"]) for m in pattern.finditer(text))
    return tuple(date for date in found if date)


def _date(month: str, day: str | None, year: str | None) -> AskedDate | None:
    months, days = int(month), int(day) if day else None
    if not 1 <= months <= len(_MONTHS) or (days is not None and not 1 <= days <= 31):  # noqa: PLR2004
        return None
    return AskedDate(months, days, int(year) if year else None)

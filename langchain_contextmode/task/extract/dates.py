"""Days that a text names, as ISO dates: "March 12", "next Friday", "the 14th", 3月5号, 下周五, 后天.

Which words are a day is spotted here; what day they are is `dateparser`'s business, except for weekdays and bare days of a month,
which it does not read in all their forms. Without the message's own time only a date with its year is certain.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.numbers import han_number, small_number

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS: Final = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_HAN_DAYS: Final = "一二三四五六日天"
_ORDINAL: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_SPELLED: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
]
_HAN_NUMBER: Final = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"

_ABSOLUTE: Final = re.compile(
    rf"(?<![\w.:])(?:(?P<iso>\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{4}}/\d{{1,2}}/\d{{1,2}})(?![\w-])"
    rf"|(?P<month>(?:the )?(?:(?:{_MONTHS})\.? (?:the )?{_ORDINAL}(?!\d|:|\s?[ap]\.?m|\s*%)"
    rf"|{_ORDINAL}(?: of)? (?:{_MONTHS})\b)(?:,? (?:of )?(?P<year>\d{{4}}))?)"
    r"|(?P<dotted>\d{1,2}\.\d{1,2}\.\d{4}))(?![\w-])",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"(?<!\w)(?:(?P<after>the day after tomorrow)|(?P<tomorrow>tomorrow)|(?P<today>(?:later )?today|tonight|this (?:evening|afternoon"
    r"|morning))"
    rf"|(?P<lead>(?:next|this|coming|upcoming|on)\s+)?(?P<weekday>{'|'.join(_DAYS)})(?P<late>,? (?:of )?next week"
    rf"| after next)?(?:,? (?:of )?this week)?"
    r"|in (?P<count>\d{1,3}|a|two|three|four|five|six|seven|ten) (?P<unit>days?|weeks?)"
    rf"|(?:the )?(?P<of>\d{{1,2}}(?:st|nd|rd|th)) of (?:this|the) month|the (?P<day>\d{{1,2}}(?:st|nd|rd|th)"
    rf"|(?:{'|'.join(_SPELLED)})(?=\s*(?:[.,;!?]|$| of (?:this|the) month)))(?: of (?:this|the) month)?"
    rf"(?=[\s.,;!?]|$)(?! of (?!this|the)| (?:time"
    rf"|floor|day|night|person|one|option|week|class|street|avenue)))(?!\w)",
    re.IGNORECASE,
)
_HAN: Final = re.compile(
    rf"(?:(?P<year>\d{{4}}|[零〇一二三四五六七八九]{{4}})年|(?P<years>今年|明年|后年|去年|前年))?(?P<month>{_HAN_NUMBER})月(?P<day>{_HAN_NUMBER})[日号]?"
    r"|(?P<word>大后天|后天|明天|今天|今晚|明晚)"
    rf"|(?P<weeks>下下|下|这|本)?个?(?:周|星期|礼拜)(?P<weekday>[{_HAN_DAYS}])"
    r"|(?<![\d月.])(?P<months>[上下]+个?月|[这本]个?月)?的?(?P<only>\d{1,2})号(?![楼线院房店厅出口门])"
)
_HAN_WORDS: Final = {"今天": 0, "今晚": 0, "明天": 1, "明晚": 1, "后天": 2, "大后天": 3}
_HAN_YEARS: Final = {"今年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2}
_COUNTS: Final = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_OTHER_YEAR: Final = re.compile(r",? (?:of )?(?:next|last) year", re.IGNORECASE)
_WEEK: Final = 7


def check_dates_available() -> None:
    """Make sure that dates can be read.

    Raises:
        ConfigError: `dateparser` is not installed.
    """
    if find_spec("dateparser") is None:
        message = "A task with dates needs the package dateparser: pip install 'langchain-contextmode[task]'."
        raise ConfigError(message)


def dates(text: str, said_at: datetime | None) -> Iterator[Mention]:
    """Yield the days that a text names; what cannot be resolved for certain is left out.

    Args:
        text: The message.
        said_at: When it was said; `None`: not known, so that only dates with a year are read.
    """
    today = said_at.date() if said_at else None
    for match in _ABSOLUTE.finditer(text):
        found = _numeric(match.group()) if match["iso"] or match["dotted"] else _spelled(match, today)
        if found and not _OTHER_YEAR.match(text, match.end()):
            yield Mention("date", found.isoformat(), *match.span())
    if today is None:
        return
    for match in _RELATIVE.finditer(text):
        if found := _relative(match, today):
            yield Mention("date", found.isoformat(), *match.span())
    if not text.isascii():
        for match in _HAN.finditer(text):
            if found := _han(match, today):
                yield Mention("date", found.isoformat(), *match.span())


def _numeric(text: str) -> date | None:
    parts = [int(part) for part in re.split(r"[-/.]", text)]
    year, month, day = parts if parts[0] > 31 else (parts[2], parts[1], parts[0])  # noqa: PLR2004
    return _day(year, month, day)


def _spelled(match: re.Match[str], today: date | None) -> date | None:
    """Return the day that a month and a day name; the next such day where the year is missing."""
    if today is None and not match["year"]:
        return None
    text = re.sub(r"(?i)\b(?:the|of)\b|(?<=\d)(?:st|nd|rd|th)\b", " ", match.group())
    base = (today or date(int(match["year"]), 1, 1)) - timedelta(days=1)  # "future" leaves out the day itself
    parsed = _parsed(" ".join(text.split()), base)
    if parsed is not None and match["year"]:
        return parsed if parsed.year == int(match["year"]) else None
    return parsed


@lru_cache(maxsize=4096)
def _parsed(text: str, today: date) -> date | None:
    import dateparser  # noqa: PLC0415  (an extra; `check_dates_available` speaks where a task is declared)

    settings: Any = {
        "RELATIVE_BASE": datetime(today.year, today.month, today.day),  # noqa: DTZ001  (a day, not a moment)
        "PREFER_DATES_FROM": "future",
        "REQUIRE_PARTS": ["day", "month"],
        "DATE_ORDER": "MDY",
    }
    parsed = dateparser.parse(text, languages=["en"], settings=settings)
    return parsed.date() if parsed else None


def _relative(match: re.Match[str], today: date) -> date | None:
    if match["after"] or match["tomorrow"] or match["today"]:
        return today + timedelta(days=2 if match["after"] else 1 if match["tomorrow"] else 0)
    if match["weekday"]:
        next_week = (match["lead"] or "").strip().lower() == "next" or bool(match["late"])
        index = _DAYS.index(match["weekday"].lower())
        if index == today.weekday() and not next_week and "this" not in match.group().lower():  # today, or in a week
            return None
        return _weekday(today, index, next_week=next_week)
    if match["count"]:
        count = _COUNTS.get(match["count"].lower()) or int(match["count"])
        return today + timedelta(days=count * (_WEEK if match["unit"].lower().startswith("week") else 1))
    said = (match["day"] or match["of"]).lower()
    return _of_month(today, _SPELLED.index(said) + 1 if said in _SPELLED else int(said[:-2]))


def _han(match: re.Match[str], today: date) -> date | None:
    if match["word"]:
        return today + timedelta(days=_HAN_WORDS[match["word"]])
    return _han_weekday(match, today) if match["weekday"] else _han_day(match, today)


def _han_weekday(match: re.Match[str], today: date) -> date | None:
    weeks = match["weeks"] or ""
    index = min(_HAN_DAYS.index(match["weekday"]), 6)
    if not weeks:  # on that day itself it is today, or in a week
        return None if index == today.weekday() else _weekday(today, index, next_week=False)
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks.count("下"))
    return monday + timedelta(days=index)


def _han_day(match: re.Match[str], today: date) -> date | None:
    if match["only"]:
        months = match["months"] or ""
        first = today.year * 12 + today.month - 1 + months.count("下") - months.count("上")
        return _day(first // 12, first % 12 + 1, int(match["only"])) if months else _of_month(today, int(match["only"]))
    month, day = small_number(match["month"]), small_number(match["day"])
    if match["years"]:
        return _day(today.year + _HAN_YEARS[match["years"]], month, day)
    if match["year"]:
        return _day(int(match["year"]) if match["year"].isdecimal() else han_number(match["year"]) or 0, month, day)
    found = _day(today.year, month, day)
    return found if found is None or found >= today else _day(today.year + 1, month, day)


def _weekday(today: date, index: int, *, next_week: bool) -> date:
    """Return the next such day; with `next_week` that of the week after this one (weeks begin on Monday)."""
    if next_week:
        return today - timedelta(days=today.weekday()) + timedelta(days=_WEEK + index)
    return today + timedelta(days=(index - today.weekday()) % _WEEK)


def _of_month(today: date, day: int) -> date | None:
    """Return the next day of this number: of this month, or of the next one that has it."""
    year, month = today.year, today.month
    for _ in range(3):
        found = _day(year, month, day)
        if found and found >= today:
            return found
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)  # noqa: PLR2004
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

"""Lengths of time as ISO 8601 durations: "3 nights", "two hours", "an hour and a half", 三天两晚, 半小时."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.bounds import bound, joined
from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.task.extract.numbers import Number

_UNIT: Final = re.compile(
    r"(?:\s|-)?(?:(?P<minute>minutes?\b|mins?\b|分钟)|(?P<hour>hours?\b|hrs?\b|个?半?小时|个?钟头|个?钟(?!头))"
    r"|(?P<night>nights?\b|晚上?(?![饭餐点])|夜)"
    r"|(?P<day>days?\b|[天](?!气|安|津|坛|空|然|后|前|桥|府)|日(?=游))|(?P<week>weeks?\b|个?星期|周(?!边|围|末|[一二三四五六日]))"
    r"|(?P<month>months?\b|个月)|(?P<year>years?\b(?! old)|年(?!级|代|前|轻)))",
    re.IGNORECASE,
)
_PHRASES: Final = re.compile(
    r"(?<![A-Za-z])(?:(?P<half>half an hour|半个?小时|半个?钟头?)|(?P<threehalf>an hour and a half)"
    r"|(?P<hour>an hour)|(?P<week>a week(?! from"
    r"| later| ago))"
    r"|(?P<fortnight>a fortnight|two weeks)|(?P<night>(?:a|one) night|overnight))(?![A-Za-z])",
    re.IGNORECASE,
)
_PHRASE_VALUES: Final = {
    "half": ("PT30M", "minute"), "threehalf": ("PT1H30M", "hour"), "hour": ("PT1H", "hour"), "week": ("P7D", "week"),
    "fortnight": ("P14D", "week"), "night": ("P1D", "night"),
}  # fmt: skip
_MOMENT: Final = re.compile(
    r"\s*(?:ago|back\b|later|from (?:now|today|tomorrow)|earlier|before|后|以后|之后|前|以前|之前|内)", re.IGNORECASE
)
_BEFORE: Final = re.compile(r"(?:\bin|第|\bevery|\bper|每)\s*$", re.IGNORECASE)
_FIRST_YEAR: Final = 1_000
_DAYS: Final = {"night": 1, "day": 1, "week": 7}


def durations(text: str, found: Sequence[Number]) -> Iterator[Mention]:
    """Yield lengths of time; a moment ("in 3 days", 三天后) is none, and of a range both ends are marked so.

    Args:
        text: The message.
        found: Its numbers, in order.
    """
    for match in _PHRASES.finditer(text):
        value, unit = _PHRASE_VALUES[match.lastgroup or "hour"]
        yield Mention("duration", value, *match.span(), unit)
    previous: Mention | None = None
    for i, number in enumerate(found):
        unit_said = _UNIT.match(text, number.end)
        following = i + 1 < len(found) and joined(text, unit_said.end() if unit_said else number.end, found[i + 1].start)
        preceding = i > 0 and joined(
            text, previous.end if previous and previous.start == found[i - 1].start else found[i - 1].end, number.start
        )
        if not unit_said or _MOMENT.match(text, unit_said.end()) or _BEFORE.search(text[max(0, number.start - 6) : number.start]):
            continue
        unit, end = unit_said.lastgroup or "day", unit_said.end()
        if unit == "year" and number.value >= _FIRST_YEAR:
            continue
        length = number.value + (0.5 if "半" in unit_said.group() else 0)
        if previous and previous.unit == "day" and unit == "night" and text[previous.end : number.start].strip() in {"", "and", "/"}:
            yield previous._replace(end=end)  # 三天两晚: one stay, told twice
        previous = Mention(
            "duration", _iso(length, unit), number.start, end, unit, "range" if following or preceding else bound(text, number.start, end)
        )
        yield previous


def moment(text: str, number: Number) -> bool:
    """Say whether a number is part of a moment rather than an amount: "two years ago", 三天后."""
    match = _UNIT.match(text, number.end)
    return bool(match and _MOMENT.match(text, match.end()))


def _iso(value: float, unit: str) -> str:
    if unit in _DAYS:
        days = plain(value * _DAYS[unit])
        return f"P{days}D" if days == int(days) else f"PT{plain(days * 24)}H"
    if unit in {"month", "year"}:
        return f"P{plain(value)}{unit[0].upper()}"
    minutes = round(value * (60 if unit == "hour" else 1))
    hours, rest = divmod(minutes, 60)
    return "PT" + (f"{hours}H" if hours else "") + (f"{rest}M" if rest or not hours else "")


def amount(mention: Mention) -> float | None:
    """Return how many of its own unit a duration is: 3 for "3 nights"; `None` if not whole."""
    text = mention.value
    if text.startswith("PT"):
        hours, _, rest = text[2:].rpartition("H")
        whole = int(rest.removesuffix("M") or 0)
        total = int(hours or 0) * 60 + whole
        return plain(total / 60) if mention.unit == "hour" else total
    days = int(text[1:-1])
    return plain(days / 7) if mention.unit == "week" else days

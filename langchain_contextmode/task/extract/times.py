"""Times of day as ISO times: "7:30 pm", "half past seven", "noon", 下午三点半, 晚上8点."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.numbers import small_number

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOURS: Final = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_HOUR: Final = rf"(?:\d{{1,2}}|{'|'.join(_HOURS)})"
_HALF_OF_DAY: Final = (
    r"(?P<half>[ap]\.?\s?m\.?(?![a-z])|o['’\x22]?clock(?: in the (?:morning|afternoon|evening)| at night)?|in the (?:morning|afternoon"
    r"|evening|night)|at night)"
)

_CLOCK: Final = re.compile(
    rf"(?<![\w:.$€£])(?P<hour>\d{{1,2}})(?:[:.](?P<minute>[0-5]\d)(?!\d|\.\d))(?:\s?{_HALF_OF_DAY})?(?![\w:])"
    rf"|(?<![\w:.$€£])(?P<bare>{_HOUR})\s?{_HALF_OF_DAY.replace('half', 'bare_half')}",
    re.IGNORECASE,
)
_LED: Final = re.compile(
    r"(?<!\w)(?P<part>morning|afternoon|evening|night)(?: at| around)? (?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))?(?![\w:]|\s?[ap]\.?m)",
    re.IGNORECASE,
)
_SPOKEN: Final = re.compile(
    rf"(?<!\w)(?:(?P<part>half|quarter|ten|twenty|five)(?: minutes?)? (?P<side>past|to|after) (?P<hour>{_HOUR})(?:\s?{_HALF_OF_DAY})?"
    r"|(?P<fixed>noon|midday|midnight))(?!\w)",
    re.IGNORECASE,
)
_HAN: Final = re.compile(
    r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚)?(?:的)?(?P<hour>\d{1,2}|[零一二两三四五六七八九十]{1,3})"
    r"(?:点(?!\d{3}|评|心|菜|餐|击)(?:钟|整)?(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<minute>\d{1,2}"
    r"|[零一二三四五六七八九十]{1,3})分?)?|[:：](?P<digits>[0-5]\d))"
)
_PARTS: Final = {"half": 30, "quarter": 15, "ten": 10, "twenty": 20, "five": 5}
_LATE: Final = frozenset({"下午", "傍晚", "晚上", "夜里", "晚"})
_EVENING: Final = re.compile(r"\b(?:dinner|supper|evening|tonight)\b|晚饭|晚餐|晚上|今晚", re.IGNORECASE)
_FIRST_EVENING: Final = 5
_NOON, _DAY = 12, 24
_UNCLEAR_BEFORE: Final = 7
"""An hour before this one, said without its half of the day, is more often one of the afternoon."""


def times(text: str) -> Iterator[Mention]:
    """Yield the times of day that a text names. An hour alone ("at 7") is none.

    Neither is one before seven without its half of the day; other 24-hour times stand as they are.
    """
    for match in _CLOCK.finditer(text):
        if found := _clock(match):
            yield Mention("time", _late(found, match["half"] or match["bare_half"], text), *match.span())
    for match in _LED.finditer(text):
        if found := _time(_shifted(int(match["hour"]), f"in{match['part'].lower()}"), int(match["minute"] or 0)):
            yield Mention("time", found, *match.span())
    for match in _SPOKEN.finditer(text):
        if found := _spoken(match):
            yield Mention("time", _late(found, match["half"] or match["fixed"], text), *match.span())
    if text.isascii():
        return
    for match in _HAN.finditer(text):
        if found := _han(match):
            yield Mention("time", found, *match.span())


_SAYS_HALF: Final = re.compile(
    r"[ap]\.?\s?m\b|\b(?:noon|midday|midnight|morning|afternoon|evening|night)\b|(?<!\d)0\d|1[3-9]:|2\d:|[早午晚晨夜]", re.IGNORECASE
)


def unsaid_half(span: str) -> bool:
    """Say whether the words of a time leave open which half of the day it is in."""
    return not _SAYS_HALF.search(span)


def later(time: str) -> str:
    """Return a time before noon as the one twelve hours later."""
    hour = int(time[:2])
    return f"{hour + _NOON:02d}{time[2:]}" if hour < _NOON else time


def _late(time: str, half: str | None, text: str) -> str:
    """Return a time without its half of the day as one of the evening where the sentence is about an evening."""
    hour = int(time[:2])
    return f"{hour + _NOON:02d}{time[2:]}" if not half and _FIRST_EVENING <= hour < _NOON and _EVENING.search(text) else time


def _clock(match: re.Match[str]) -> str:
    half, said = _half(match["half"] or match["bare_half"]), match["bare"] or match["hour"]
    hour = _hour(said)
    if half.startswith("o") and len(half) <= len("o'clock"):
        half = ""
    if not half and hour < _UNCLEAR_BEFORE and not said.startswith("0"):
        return ""
    return _time(_shifted(hour, half), int(match["minute"] or 0))


def _spoken(match: re.Match[str]) -> str:
    if match["fixed"]:
        return "00:00" if match["fixed"].lower() == "midnight" else "12:00"
    half, hour = _half(match["half"]), _hour(match["hour"])
    if not half and hour < _UNCLEAR_BEFORE:
        return ""
    shift = _PARTS[match["part"].lower()]
    minutes = (_shifted(hour, half) * 60 + (-shift if match["side"].lower() == "to" else shift)) % (_DAY * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _half(said: str | None) -> str:
    return (said or "").lower().replace(".", "").replace(" ", "")


def _hour(text: str) -> int:
    return int(text) if text.isdigit() else _HOURS.index(text.lower()) + 1


def _shifted(hour: int, half: str) -> int:
    """Return the hour of the day: after noon for pm, afternoon, evening and night."""
    late = half.startswith("p") or half.endswith(("afternoon", "evening", "night"))
    if late and hour < _NOON and not (half.endswith("night") and hour <= 4):  # noqa: PLR2004
        return hour + _NOON
    early = (half.startswith("a") and not half.startswith("at")) or half.endswith("morning")
    return 0 if early and hour == _NOON else hour


def _time(hour: int, minute: int) -> str:
    return f"{hour:02d}:{minute:02d}" if 0 <= hour < _DAY and 0 <= minute < 60 else ""  # noqa: PLR2004


def _han(match: re.Match[str]) -> str:
    hour = small_number(match["hour"])
    if not match["part"] and 0 < hour < _UNCLEAR_BEFORE and not match["hour"].startswith("0"):
        return ""
    if (match["part"] in _LATE and hour < _NOON) or (match["part"] == "中午" and hour < 3):  # noqa: PLR2004
        hour += _NOON
    minute = (
        30
        if match["half"]
        else small_number(match["quarter"]) * 15
        if match["quarter"]
        else small_number(match["minute"] or match["digits"] or "0")
    )
    return _time(hour % _DAY if hour == _DAY else hour, minute)

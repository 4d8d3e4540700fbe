"""Dates, times, numbers with their units, amounts and phone numbers in a text, English and Chinese.

Every pattern is bounded or starts only where a run of its characters starts, so that the time follows the length of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_contextmode.spans import SpanKind

    Found = tuple[int, int, SpanKind]

_FRONT: Final = r"(?<![A-Za-z0-9_])"
_BACK: Final = r"(?![A-Za-z0-9_])"

_FULL_MONTH: Final = "January|February|April|June|July|August|September|October|November|December"
_MONTH: Final = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)(?![A-Za-z])\.?"
)
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?(?![\d:])"
_DAYS: Final = rf"{_DAY}(?:\s?(?:[-\u2013~]|to|and|until|till)\s?{_DAY})?"
_COUNT: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_CLOCK: Final = (
    r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?!\d)(?:\s?(?:[ap]m\b|[ap]\.m\.?))?(?:\s?(?:UTC|GMT|CES?T|[ECMP][SD]T|Z)\b|[+-]\d{2}:?\d{2})?"
    rf"|\d{{1,2}}\s?(?:[ap]m\b|[ap]\.m\.?)|(?:{_COUNT})\s?(?:[ap]m\b|[ap]\.m\.?|o'clock)|\d{{1,2}}\s?o['\u2019]clock"
    rf"|(?:half|quarter)\s(?:past|to|after)\s(?:\d{{1,2}}|{_COUNT})(?:\sin\sthe\s(?:morning|afternoon|evening))?|noon|midnight"
    rf"|(?:\d{{1,2}}|{_COUNT})\sin\sthe\s(?:morning|afternoon|evening)"
)
_DATE_PART: Final = (
    r"(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?"
    r"|\d{1,4}/\d{1,2}/\d{2,4}|\d{1,2}\.\d{1,2}\.\d{2,4}|(?:19|20)\d{2}-(?:0[1-9]|1[0-2])"
    rf"|{_DAYS}\s?(?:of\s)?{_MONTH}(?:,?\s\d{{4}}(?!-?\d))?|{_MONTH}\s?{_DAYS}(?:,?\s\d{{4}}(?!-?\d))?|{_MONTH}\s\d{{4}}"
    rf"|{_FULL_MONTH}|(?:(?<=\bin\s)|(?<=\buntil\s)|(?<=\bthis\s)|(?<=\bnext\s)|(?<=\bof\s))(?:May|March)"
    rf"|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)\sof\s(?:(?:this|next|last|the)\s(?:month|week)|{_MONTH}(?:,?\s\d{{4}}(?!-?\d))?)"
    r"|the\s\d{1,2}(?:st|nd|rd|th)"
    r"|(?:Q[1-4]|H[12])(?:[\s/-]?\d{4}|\s'\d{2})?|FY\s?\d{2,4}"
    rf"|(?i:(?:(?:next|this|last|every|coming)\s)?{_WEEKDAY}(?:\s(?:morning|afternoon|evening|night))?)"
    r"|(?:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)\.?(?=,?\s\d)"
    r"|(?i:(?:the\s)?day\s(?:after\stomorrow|before\syesterday)|(?:today|tomorrow|yesterday)(?:\s(?:morning|afternoon|evening|night))?"
    rf"|tonight|(?:next|this|last)\s(?:week|weekend|month|year|quarter)|{_CLOCK}))"
)
_JOINT: Final = (
    r"(?:\s(?:(?:at|on|to|until)\s)?|\s?[-\u2013~]\s?|,\s(?=\d{1,2}(?::|\s?[ap]\.?m))|(?<=[dnueitry]),\s(?=\d{1,2}(?:st|nd|rd|th)?\s[A-Z])"
    r"|(?<=day),\s(?=(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)))"
)
"""What stands between the parts of one date; a comma only between day and date or date and time, since it also parts a list."""

_DATE: Final = re.compile(rf"(?=[0-9A-Za-z]){_FRONT}(?<!\d[.,:/-]){_DATE_PART}(?:{_JOINT}{_DATE_PART}){{0,4}}{_BACK}")

_HAN_DIGITS: Final = "〇零一二两三四五六七八九十百千"
_HAN_PERIOD: Final = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明晚|夜里|半夜"
_HAN_DATE_PART: Final = (
    rf"(?:\d{{2,4}}\s?年(?:\s?\d{{1,2}}\s?月)?(?:\s?\d{{1,2}}\s?[日号號])?|[〇零一二三四五六七八九]{{4}}年|\d{{1,2}}\s?月(?:底|初|中旬|份)?(?:\s?\d{{1,2}}\s?[日号號])?"
    r"|\d{1,2}\s?[日号號](?!线)|[一二三四五六七八九十]{1,2}月(?:[一二三四五六七八九十]{1,3}[日号])?"
    r"|(?:下+|上+|这|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|(?:[下上本]|这)(?:个?月|周|个星期)|[今明后前去]年|大?[今明后昨前]天|今晚|明晚|元旦|春节|国庆"
    rf"|(?:{_HAN_PERIOD})|\d{{1,2}}[:\uff1a]\d{{2}}(?!\d)|\d{{1,2}}\s?(?:点|點|时(?!间|候|代))(?:半|钟|整|[一三]刻|\d{{1,2}}分?)?"
    r"|(?:[二两三四五六七八九]|十[一二]?)点(?:半|钟|整|[一三]刻|[一二三四五]?十[一二三四五六七八九]?分?)?)"
)
_HAN_DATE: Final = re.compile(rf"(?<![\d.:]){_HAN_DATE_PART}(?:\s?[的至到~-]?\s?{_HAN_DATE_PART}){{0,5}}")
_BARE_PERIOD: Final = re.compile(rf"(?:{_HAN_PERIOD})")

_CURRENCY: Final = r"(?:(?:US|CA|AU|HK|NT)?[$€£¥\uffe5₹₩]|\b(?:USD|EUR|GBP|CNY|RMB|JPY|CHF)(?=\s?\d))\s?"
_MONEY: Final = (
    r"(?:(?:hundred|thousand|million|billion|k|m|bn)\s)?(?:euros?|eur|dollars?|usd|bucks|pounds?|gbp|yen|jpy|yuan|rmb|cny|chf|francs?|cents?|kr)|[$€£¥\uffe5₹₩]"
    r"|(?:[万亿千百]\s?)?(?:元|块钱?|美元|欧元|英镑|日元|人民币)(?:以[上下内]|左右|多)?"
)
_TIME_UNITS: Final = r"ms|msec|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|nights?|weeks?|months?|years?"
_UNITS: Final = (
    rf"st|nd|rd|th|{_TIME_UNITS}|[kmgt]i?b|bytes?|bits?|[km]?bps|[km]?hz|ghz|kg|g|mg|lbs?|oz|km/?h?|miles?|mi|mph|cm|mm|m|ft|feet|inch(?:es)?|l|ml"
    r"|k|bn|million|billion|thousand|hundred|dozen|percent|pct|degrees?|people|persons?|guests?|adults?|children|kids|travell?ers|passengers"
    r"|rooms?|beds?|seats?|tickets?|bags?|pieces?|items?|units?|copies|times|stars?|lines?|pages?|tokens?|requests?|users?|px|x|w|kwh|v"
)
_HAN_UNITS: Final = (
    r"(?:[万亿千百]\s?)?(?:星级|个?小时|分钟|秒钟?|个?月|个?星期|个?礼拜|[天日晚夜周年岁]|[个位名口]人|人|[位名]|公里|千米|厘米|毫米|平方米?|米|公斤|千克|斤|克|度|摄氏度"
    r"|[个间张份本件条杯瓶次层楼号路折星倍辆台套盒家只双场步页行章节季级]|分|[万亿])(?:以[上下内]|左右|多)?"
)
_CORE: Final = (
    r"(?:\d{1,3}(?:['\u2019]\d{3}){1,5}+(?:\.\d++)?|\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,5}+(?=,\d|\s?[€$])(?:,\d++)?"
    r"|\d++(?:[.,:/]\d++)*+)"
)
_NUMBER: Final = re.compile(
    rf"(?=[-+0-9A-Z$€£¥\uffe5₹₩]){_FRONT}(?<!\d[.,:/])(?P<money>{_CURRENCY})?(?:(?<![^\s(\[])[-+](?=\d))?(?P<low>{_CORE})"
    rf"(?:\s?(?P<dash>[-\u2013\u2014~\uff5e至到])\s?(?:{_CURRENCY})?(?P<high>{_CORE}))?"
    rf"(?:(?P<paid>\s?(?i:{_MONEY}){_BACK})|\s?[%‰](?!\w)|\s?°[CF]?|\s?%|[\s-]?(?i:{_UNITS}){_BACK}|\s?{_HAN_UNITS})?{_BACK}"
)
_COUNTED: Final = re.compile(
    rf"(?=[a-zA-Z]){_FRONT}(?i:(?:{_COUNT}|fifteen|twenty|thirty|forty|fifty|sixty|ninety)(?:\s|-)(?P<paid>{_MONEY})?(?(paid)|(?:{_UNITS}))){_BACK}"
)
_HAN_COUNTED: Final = re.compile(
    rf"百分之[{_HAN_DIGITS}点]{{1,6}}|(?<![{_HAN_DIGITS}万第])(?:[{_HAN_DIGITS}]{{2,8}}|[二两三四五六七八九十百千])[万亿]?(?P<paid>元|块钱?|美元|欧元|英镑|日元)"
    rf"|(?<![{_HAN_DIGITS}万])第?(?:[{_HAN_DIGITS}]{{2,8}}|[二两三四五六七八九十])(?:{_HAN_UNITS}|以[上下内])"
)
_NO_COUNT: Final = ("十分", "百分", "千万", "三明", "四周", "八度")
_PHONE: Final = re.compile(
    r"(?<![A-Za-z0-9_+.-])(?:\+\d{1,3}[ .-]?(?:\(\d{1,5}\)[ .-]?)?\d{1,5}(?:[ .-]\d{2,8}){1,5}|\+\d{7,15}"
    r"|\(\d{2,5}\)[ .-]?\d{3,5}(?:[ .-]\d{2,5}){0,3}"
    r"|0\d{1,4}(?:[ -]\d{2,8}){1,4}|\d{3}[.-]\d{3,4}[.-]\d{3,4})(?![A-Za-z0-9_])"
)
_RANGE: Final = re.compile(r"\s?[-\u2013\u2014~\uff5e至到]\s?")
_ITEM: Final = re.compile(r"[.)]\s")
_PHONE_DIGITS: Final = 7
_MAX_VALUE: Final = 80


def dates(text: str) -> Iterator[Found]:
    """Yield dates, times and what stands for them ("next Friday 14:00", 周五下午3点) as start, end and kind, in order."""
    for match in _DATE.finditer(text):
        yield match.start(), match.end(), "date"
    if not text.isascii():
        for match in _HAN_DATE.finditer(text):
            if not _BARE_PERIOD.fullmatch(match.group()):
                yield match.start(), match.end(), "date"


def numbers(text: str) -> Iterator[Found]:
    """Yield numbers with their units, amounts, ranges, numbered ids (7730-18) and phone numbers; a list's own numbering is left out."""
    for match in _PHONE.finditer(text):
        if sum(map(str.isdigit, match.group())) >= _PHONE_DIGITS:
            yield match.start(), match.end(), "id"
    yield from _with_digits(text)
    for match in _COUNTED.finditer(text):
        yield match.start(), match.end(), "amount" if match["paid"] else "number"
    if not text.isascii():
        for match in _HAN_COUNTED.finditer(text):
            if not match.group().startswith(_NO_COUNT):
                yield match.start(), match.end(), "amount" if match["paid"] else "number"


def _with_digits(text: str) -> Iterator[Found]:
    before: Found | None = None
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if match["low"] == match.group() and _ITEM.match(text, end) and _line_opens(text, start):
            continue
        kind: SpanKind = "amount" if match["money"] or match["paid"] else _number_kind(match)
        if before and _RANGE.fullmatch(text, before[1], start):
            start, kind = before[0], before[2]
        before = (start, end, kind)
        if end - start <= _MAX_VALUE:
            yield before


def _number_kind(match: re.Match[str]) -> SpanKind:
    """Tell a range from an id such as 7730-18: a range rises."""
    low, high = match["low"], match["high"]
    if match["dash"] == "-" and low.isdigit() and high.isdigit() and (len(low), low) >= (len(high), high):
        return "id"
    return "number"


def _line_opens(text: str, position: int) -> bool:
    before = text[max(position - 8, 0) : position]
    return not before.rpartition("\n")[2].strip() and (position <= len(before) or "\n" in before)

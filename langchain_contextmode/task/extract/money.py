"""Amounts of money and their currency: $1,490; 50 bucks; EUR 20; 两万五千块; 100-150元."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.bounds import bound, joined
from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.task.extract.numbers import Number

_BEFORE: Final = re.compile(
    r"(?:(?P<USD>US\s?\$|USD|(?<![A-Z])\$|美元|美金)|(?P<EUR>€|EUR|欧元)|(?P<GBP>£|GBP|英镑)|(?P<HKD>HK\$|HKD)|(?P<AUD>A(?:U)?\$|AUD)"
    r"|(?P<CAD>C(?:A)?\$|CAD)|(?P<CNY>RMB|CNY|人民币)|(?P<JPY>JPY|日元)|(?P<any>[¥￥]))\s?$"
)
_AFTER: Final = re.compile(
    r"\s?(?:(?P<USD>(?:US )?dollars?\b|bucks?\b|USD\b|美元|美金|刀(?![具]))|(?P<EUR>euros?\b|EUR\b|€|欧元?)"
    r"|(?P<GBP>pounds?\b|GBP\b|£|英镑|quid\b)|(?P<HKD>HKD\b|港[币元])|(?P<JPY>yen\b|JPY\b|日元)"
    r"|(?P<CNY>yuan\b|RMB\b|CNY\b|人民币|元(?![月旦素宵])|块钱?(?![儿头])(?:人民币)?|圆)|(?P<any>\$))",
    re.IGNORECASE,
)
_HALF: Final = re.compile(r"[一二两三四五六七八九1-9](?=毛|[,。!?\s的吧]|$)")
_FEN: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2}
_LONGEST_SIGN: Final = 8


def money(text: str, found: Sequence[Number]) -> Iterator[Mention]:
    """Yield the amounts among the numbers of a text.

    Args:
        text: The message.
        found: Its numbers, in order.
    """
    spans = [_sign(text, number) for number in found]
    for i, number in enumerate(found):
        sign = spans[i]
        following = i + 1 < len(found) and joined(text, max(number.end, sign[2] if sign else 0), found[i + 1].start)
        preceding = i > 0 and joined(text, max(found[i - 1].end, (spans[i - 1] or ("", 0, 0))[2]), number.start)
        if not sign and following and (other := spans[i + 1]):
            sign = (other[0], number.start, number.end)
        if not sign and preceding and (other := spans[i - 1]):
            sign = (other[0], number.start, number.end)
        if sign:
            currency, start, end = sign
            value, end = _with_tenths(text, number.value, end)
            kind = "range" if following or preceding else bound(text, start, end)
            yield Mention("money", value, start, end, "" if currency == "any" else currency, kind)


def _sign(text: str, number: Number) -> tuple[str, int, int] | None:
    """Return currency, start and end of a number with the sign beside it."""
    before = _BEFORE.search(text[max(0, number.start - _LONGEST_SIGN) : number.start])
    after = _AFTER.match(text, number.end)
    if not before and not after:
        return None
    start = number.start - (len(before.group()) if before else 0)
    currency = (after.lastgroup if after and after.lastgroup != "any" else before.lastgroup if before else "any") or "any"
    return currency, start, after.end() if after else number.end


def _with_tenths(text: str, value: float, end: int) -> tuple[float, int]:
    """Add what stands behind 块: 两块五 is 2.5."""
    if text[end - 1 : end] == "块" and (tenth := _HALF.match(text, end)):
        digit = tenth.group()
        return plain(value + (int(digit) if digit.isascii() else _FEN[digit]) / 10), end + 1
    return value, end

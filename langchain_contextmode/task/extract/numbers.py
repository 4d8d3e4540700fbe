"""Numbers in digits and words, English and Chinese: 1,200; 2.5万; two hundred and five; 两万五; 一百零五."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS: Final = re.compile(
    r"(?<![A-Za-z0-9_.,])(?P<whole>\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?P<part>\.\d{1,6})?"
    r"(?:\s?(?P<han>[十百千万亿]{1,2})(?P<tail>[1-9一二两三四五六七八九])?(?![\d十百千万亿点])|(?P<k>[kK])(?![A-Za-z0-9]))?"
    r"(?![\d_]|[.,]\d|[A-Za-z]{1,2}\d)"
)
_ONES: Final = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS: Final = {
    word: 10 * value for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_WORD: Final = "|".join((*sorted(_ONES, key=len, reverse=True), *_TENS, *_SCALES))
_WORDS: Final = re.compile(
    rf"(?<![A-Za-z0-9'’-])(?:a (?=hundred|thousand))?(?:{_WORD})(?:(?:[ -]|,? and )(?:{_WORD})){{0,8}}(?![A-Za-z'’])", re.IGNORECASE
)
_DOZEN: Final = re.compile(r"(?<![A-Za-z])(?:(?P<half>half a dozen)|a dozen|(?P<couple>a couple(?: of)?))(?![A-Za-z])", re.IGNORECASE)
_HAN_DIGITS: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_HAN_UNITS: Final = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
_HAN: Final = re.compile(r"(?<![第万千百十一二两三四五六七八九])[零〇一二两三四五六七八九十百千万亿]{1,16}")
_NO_NUMBER: Final = re.compile(
    r"(?:千万(?=[别不要])|十分|万一|百度|一[下些样起直定边点般共切旦]|十足|百分|万[能事分]|千[百载]|三里屯|四川|五一|十一(?=假|期|长|黄))"
)
_COUNTED: Final = re.compile(
    r"\s+(?!of\b|that\b|is\b|with\b|sounds?\b|and\b|or\b|will\b|for\b|in\b|on\b|at\b|else\b|by\b)[a-z]", re.IGNORECASE
)
_POINTED: Final = re.compile(r"\b(?:that|this|the|which|another|any|other|every|no|next|last|first|good|better|an?)\s+$", re.IGNORECASE)
_TEN: Final = 10


class Number(NamedTuple):
    """A number in a text: its value, and where its words begin and end."""

    value: float
    start: int
    end: int


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of a text, not in order; those whose value is not certain (三四个) are left out."""
    for match in _DIGITS.finditer(text):
        yield Number(_of_digits(match), *match.span())
    for match in _WORDS.finditer(text):
        words = match.group().lower().replace("-", " ").replace(",", " ").split()
        if (value := _of_words(words)) is not None:
            yield Number(value, *match.span())
    for match in _DOZEN.finditer(text):
        yield Number(6 if match["half"] else 2 if match["couple"] else 12, *match.span())
    if text.isascii():
        return
    for match in _HAN.finditer(text):
        if not _NO_NUMBER.match(text, match.start()) and (han := han_number(match.group())) is not None:
            yield Number(han, *match.span())


def plain(value: float) -> float:
    """Return a whole number as `int`."""
    return int(value) if value == int(value) else round(value, 6)


def _of_digits(match: re.Match[str]) -> float:
    value = float(match["whole"].replace(",", "") + (match["part"] or ""))
    if match["k"]:
        return plain(value * 1_000)
    scale = 1
    for unit in match["han"] or "":
        scale *= _HAN_UNITS[unit]
    tail = match["tail"]
    extra = (int(tail) if tail.isdigit() else _HAN_DIGITS[tail]) * scale // _TEN if tail else 0
    return plain(value * scale + extra)


def _of_words(words: list[str]) -> int | None:
    """Return the value of English number words; `None` where they are a list or a telephone number ("two three four")."""
    total, current, last = 0, 0, 10**9
    for word in words:
        if word in {"a", "and"}:
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 100:  # noqa: PLR2004
                current = (current or 1) * scale
            else:
                total, current = total + (current or 1) * scale, 0
            last = scale
            continue
        value = _ONES.get(word, _TENS.get(word, 0))
        size = 1 if value < _TEN else _TEN if word in _ONES else 20
        if size >= last or (size == _TEN and last == 20):  # noqa: PLR2004
            return None
        current, last = current + value, 1 if size == _TEN else size
    return total + current


def han_number(run: str) -> int | None:
    """Return the value of Chinese numerals (两万五: 25000; 三百二: 320; 二零二六: 2026), `None` where it is not certain (三四)."""
    if not any(c in _HAN_UNITS for c in run):
        if len(run) == 2:  # noqa: PLR2004  (三四个: three or four)
            return None
        return int("".join(str(_HAN_DIGITS[c]) for c in run))
    total = section = digit = 0
    unit, zero, waiting = 1, False, False
    for char in run:
        if char in _HAN_DIGITS:
            if waiting and not zero:
                return None
            digit, waiting, zero = _HAN_DIGITS[char], _HAN_DIGITS[char] != 0, zero or char in "零〇"
            continue
        value, waiting = _HAN_UNITS[char], False
        if value >= 10_000:  # noqa: PLR2004
            total, section = (total + section + digit) * value or value, 0
        else:
            section += (digit or 1) * value
        unit, digit, zero = value, 0, False
    return total + section + digit * (unit // _TEN if waiting and not zero and unit > _TEN else 1)


def small_number(text: str) -> int:
    """Return the value of a day, an hour or a minute in digits or Chinese numerals below a hundred: "12", 二十一, 零五."""
    if text.isdigit() and text.isascii():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (_HAN_DIGITS.get(tens, 1) * _TEN if ten else 0) + _HAN_DIGITS.get(ones.lstrip("零〇"), 0)


def longest_numbers(text: str) -> list[Number]:
    """Return the numbers of a text that do not overlap, the longer ones first served."""
    kept: list[Number] = []
    counted = (number for number in numbers(text) if not _pronoun(text, number))
    for number in sorted(counted, key=lambda number: number.start - number.end):
        if all(number.end <= other.start or other.end <= number.start for other in kept):
            kept.append(number)
    return kept


def _pronoun(text: str, number: Number) -> bool:
    """Say whether a "one" counts nothing: "that one", "a good one", "one of them"."""
    if text[number.start : number.end].lower() != "one":
        return False
    return not _COUNTED.match(text, number.end) or bool(_POINTED.search(text[max(0, number.start - 12) : number.start]))

"""Secrets that are known by their digits: card numbers, codes, bank accounts, identity numbers."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NumberKind = Literal["card number", "code", "bank account", "id number"]

_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF1A)} | {
    0xFF0D: 0x2D,
    0x2010: 0x2D,
    0x2011: 0x2D,
    0x2013: 0x2D,
    0xA0: 0x20,
    0x3000: 0x20,
}
_DIGIT_WORDS: Final = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "零": "0", "〇": "0", "一": "1", "幺": "1", "二": "2", "三": "3", "四": "4", "五": "5",
    "六": "6", "七": "7", "八": "8", "九": "9",
}  # fmt: skip
_GROUP: Final = re.compile(
    rf"\d+|(?<![a-z])(?:{'|'.join(word for word in _DIGIT_WORDS if word.isascii())})(?![a-z])|[零〇一幺二三四五六七八九]", re.IGNORECASE
)
_TIGHT: Final = 3
_LOOSE: Final = 24
_CARD_CUE: Final = re.compile(
    r"\b(?:cards?|visa|master ?card|amex|american express|discover|maestro|debit|credit)\b|卡号|信用卡|银行卡|储蓄卡|借记卡", re.IGNORECASE
)
_CARD_NUMBER: Final = re.compile(r"\bcard (?:number|no\b|nr\b|#)|卡号", re.IGNORECASE)
_OTHER_CUE: Final = re.compile(
    r"\b(?:order|isbn|ean|phone|tel|telephone|mobile|cell|call|fax|tracking|parcel|shipment|invoice|ticket|imei|serial|sku|booking|"
    r"reference|ref|whatsapp|barcode|case|order id)\b|订单|电话|手机|单号|快递|运单|编号|发票|条码|书号|序列号|工单",
    re.IGNORECASE,
)
_CUE_REACH: Final = 48
_SHORTEST, _LONGEST = 13, 19
_BRANDS: Final = (
    ("4", "4", (13, 16, 19)),
    ("51", "55", (16,)),
    ("2221", "2720", (16,)),
    ("6011", "6011", (16, 19)),
    ("644", "659", (16, 19)),
    ("3528", "3589", (16, 17, 18, 19)),
    ("34", "34", (15,)),
    ("37", "37", (15,)),
    ("30", "30", (14,)),
    ("36", "36", (14,)),
    ("38", "39", (14,)),
    ("62", "62", (16, 17, 18, 19)),
)
"""First digits from and to, and how many digits a number has in all."""
_CODE: Final = re.compile(
    r"(?<![a-z])(?:cvv2?|cvc2?|csc|(?:card )?security code)(?![a-z])[^\d\n]{0,24}(?P<cvv>\d{3,4})(?!\d)"
    r"|(?<![a-z])pin(?:[ -]?(?:code|number|no\.?))?(?![a-z])[^\d\n.!?]{0,32}(?P<pin>\d{4,8})(?!\d)"
    r"|(?<![a-z])(?:(?:one[- ]time|verification|log-?in|2fa|mfa|auth(?:entication|enticator)?|sms|access|unlock|"
    r"door|gate|alarm|safe|backup|recovery|entry)"
    r"[ -](?:pass)?(?:code|pin)|otp|passcode)(?![a-z])[^\d\n.!?]{0,32}(?P<otp>\d[\d -]{2,12}\d)(?!\d)"
    r"|(?:安全码|验证码|动态码|校验码|取款码|支付码|门禁码|门锁码|解锁码|(?:取款|支付|锁屏|开机|门锁|银行卡|卡的?)?"
    r"密码|PIN码?)[^\d\n，。]{0,10}(?P<han>\d[\d ]{1,10}\d)(?!\d)",
    re.IGNORECASE,
)
_IBAN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,34}")
_SSN: Final = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_ID_CUE: Final = re.compile(
    r"(?<![a-z])(?:ssn|social security(?: (?:number|no\.?))?|national (?:id|insurance)(?: (?:number|no\.?))?|passport (?:number|no\.?)|"
    r"tax id|driver'?s? licen[cs]e (?:number|no\.?))(?![a-z])[^\d\n.!?]{0,24}?(?P<id>[A-Z]{0,2}\d[\d -]{5,14}\d)"
    r"|(?:身份证号?码?|护照号?码?|社保号|驾照号)[^\dA-Za-z\n，。]{0,6}(?P<han>[A-Za-z]{0,2}\d{6,18}[Xx]?)",
    re.IGNORECASE,
)
_HAN_ID: Final = re.compile(r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)")
_HAN_ID_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_HAN_ID_CHECK: Final = "10X98765432"
_IBAN_SHORTEST, _IBAN_LONGEST = 15, 34


def unwidened(text: str) -> str:
    """Return a text of the same length with full-width digits, dashes and spaces as plain ones."""
    return text.translate(_FULL_WIDTH)


def numbered(text: str) -> Iterator[tuple[int, int, NumberKind]]:
    """Yield start, end and kind of secrets known by their digits, unordered; `text` comes from `unwidened`."""
    yield from ((start, end, "card number") for start, end in _cards(text))
    for match in _CODE.finditer(text):
        group = match.lastgroup or "cvv"
        yield match.start(group), match.end(group), "code"
    for match in _ID_CUE.finditer(text):
        group = match.lastgroup or "id"
        yield match.start(group), match.end(group), "id number"
    yield from ((match.start(), match.end(), "id number") for match in _SSN.finditer(text))
    yield from ((match.start(), match.end(), "id number") for match in _HAN_ID.finditer(text) if _is_han_id(match.group()))
    for match in _IBAN.finditer(text):
        if length := _iban_length(match.group()):
            yield match.start(), match.start() + length, "bank account"


def luhn(digits: str) -> bool:
    """Say whether a number's last digit is Luhn's check digit; all zeros are none."""
    total = 0
    for place, character in enumerate(reversed(digits)):
        digit = int(character) * (1 + place % 2)
        total += digit - 9 * (digit > 9)  # noqa: PLR2004  (two digits are added up)
    return total > 0 and total % 10 == 0


def _cards(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of digit groups that make a card number; with a cue words may stand between the groups."""
    groups = [(match.start(), match.end(), _digits(match.group())) for match in _GROUP.finditer(text)]
    if sum(len(digits) for _, _, digits in groups) < _SHORTEST:
        return
    cues = [match.start() for match in _CARD_CUE.finditer(text)]
    first = 0
    while first < len(groups):
        near = bisect_left(cues, groups[first][0]) - 1
        cued = near >= 0 and cues[near] >= groups[first][0] - _CUE_REACH
        end = _card_end(text, groups, first, cued=cued)
        if end > first:
            yield groups[first][0], groups[end - 1][1]
        first = max(end, first + 1)


def _digits(group: str) -> str:
    return _DIGIT_WORDS.get(group.lower(), group)


def _card_end(text: str, groups: Sequence[tuple[int, int, str]], first: int, *, cued: bool) -> int:
    """Return behind which group a card number that begins with group `first` ends; `first` if none does."""
    if not cued and groups[first][2][0] not in "23456":
        return first
    digits, ends, reach = "", [], _LOOSE if cued else _TIGHT
    for number in range(first, min(len(groups), first + _LONGEST)):
        if number > first and groups[number][0] - groups[number - 1][1] > reach:
            break
        digits += groups[number][2]
        if len(digits) > _LONGEST:
            break
        if len(digits) >= _SHORTEST:
            ends.append((digits, number + 1))
    if not ends:
        return first
    before = text[max(0, groups[first][0] - _CUE_REACH) : groups[first][0]]
    named = cued and bool(_CARD_NUMBER.search(before))
    fitting = [end for number, end in ends if named or ((cued or _brand(number)) and luhn(number))]
    other = _last(_OTHER_CUE, before) if fitting else -1
    return first if not fitting or (other >= 0 and other > _last(_CARD_CUE, before)) else fitting[-1]


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def _brand(digits: str) -> bool:
    """Say whether first digits and length are those of a card (ISO/IEC 7812 ranges of the large networks)."""
    return any(len(digits) in sizes and low <= digits[: len(low)] <= high for low, high, sizes in _BRANDS)


def _is_han_id(digits: str) -> bool:
    total = sum(int(digit) * weight for digit, weight in zip(digits, _HAN_ID_WEIGHTS, strict=False))
    return _HAN_ID_CHECK[total % 11] == digits[-1].upper()


def _iban_length(text: str) -> int:
    """Return how many characters of a text are an account number with a right check (ISO 13616); 0: none."""
    plain = ""
    for position, character in enumerate(text):
        if character.isalnum():
            plain += character
        last = position + 1 == len(text) or not text[position + 1].isalnum()
        if last and _IBAN_SHORTEST <= len(plain) <= _IBAN_LONGEST and _checks(plain):
            return position + 1
    return 0


def _checks(plain: str) -> bool:
    number = "".join(str(int(character, 36)) for character in plain[4:] + plain[:4])
    return int(number) % 97 == 1

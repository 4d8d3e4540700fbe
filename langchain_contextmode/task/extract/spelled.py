"""How names are spelled: capitalised or quoted in English, a run of letters in Chinese; and where one ends."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = r"[\"“'‘「《](?P<quoted>[^\"”'’」》\n]{1,60})[\"”'’」》]"
_PART: Final = r"[A-ZÀ-Þ][\w'’&-]*\.?"
_NAME: Final = (
    rf"(?P<name>{_PART}(?:(?: |, (?=[A-Z]{{2}}\b))(?:(?:of|de|la|le|el|the|del|da|do|das|dos|des|du|di|der|den|von"
    rf"|van|y|e|and|&) )?{_PART})*)"
)
_CAPITALISED: Final = re.compile(_NAME)
VALUE: Final = rf"(?:{_QUOTED}|(?:the )?{_NAME})"
_NOT_NAMES_TEXT: Final = """
I The A An My We You It Is Are Do Does Can Could Would Will What When Where Which How Who Please Yes No Ok Okay Thanks
Thank Sure That This There These Then And But Or If So For Not Any Some Also Actually Sorry Instead Maybe Let Make
Book Find Change AM PM Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June
July August September October November December Today Tomorrow Great
"""
_NOT_NAMES: Final = frozenset(_NOT_NAMES_TEXT.split())
"""Capitalised words that begin a sentence or name a time."""
_JOINERS_TEXT: Final = """
of de la le el the del da do das dos des du di der den von van y e and &
"""
_JOINERS: Final = frozenset(_JOINERS_TEXT.split())
HAN: Final = r"[一-鿿A-Za-z0-9·]"
_HAN_NOT: Final = re.compile(
    r"哪|什么|怎么|多[少久大长远]|几|附近|这里|那里|一下|时候|一家|我们?|你们?|他们?|她们?|明天|后天|今天"
    r"|周[一二三四五六日]|月|号$|点$|人$|元$|块$"
)
_HAN_FRONT: Final = re.compile(r"(?:名字?叫做?|叫做?|[一这那某][家个]|择|吃|看看|别的|其他的?)+")
_AMOUNT: Final = re.compile(r"[零一二两三四五六七八九\d]*[十百千万亿][一二两三四五六七八九]?(?:[提改换调涨加降减元块个人]|$)")
_COMMON: Final = re.compile(
    r"\b(?:yes|no|not|ok|okay|sure|fine|good|great|thanks?|please|any|anything|nothing|none|more|other|another|same|that|this|it|them"
    r"|all|one|first|second|third|last"
    r"|you|me|i|we|what|where|when|how|why|which|who|do|does|is|are|can|could|would|will|need|want|like|find|show|tell|book|works?"
    r"|right|correct|perfect|sounds?|care|mind|know|maybe|either|both|later|now|done|well|bye|hello|hi|hey|cool|awesome|wonderful"
    r"|excellent|absolutely|exactly|indeed|nope|yeah|yep|yup|today|tomorrow)\b"
)
_BARE_LEAD: Final = re.compile(
    r"(?:(?:yes|no|ok(?:ay)?|sure|well|hmm|um|let'?s (?:say|do|go (?:with|to)|try)|how about|make it|maybe"
    r"|(?:please )?(?:find|look|search)(?: me)?(?: for)?|i(?:'d| would)? (?:like|love|prefer|want)(?: to (?:have|eat|try|see|visit|go to))?"
    r"|i(?:'m| am) (?:in the mood|looking|searching) for|好的?|就|那就|嗯)[,，]?\s*)*"
    r"(?:(?:something|somewhere|someplace|anything|one|a place|a restaurant)(?: (?:that|which|where))?"
    r"(?: (?:is )?(?:serv(?:es?|ing)|has|sells))?\s+)?(?:(?:to|the|in|at|some)\s+)?",
    re.IGNORECASE,
)
_FINE: Final = r"(?: (?:just )?(?:fine|good|great|nice|perfect|lovely|ok(?:ay)?|best|do|work|awesome))?"
_BARE_END: Final = re.compile(
    rf"\s+(?:is|are|sounds?|would be|will be|works?|would|will|'d be){_FINE}(?: (?:for me|with me|please|thanks|thank you))?$"
    r"|,? (?:please|thanks|thank you)$",
    re.IGNORECASE,
)
_SHORT_HAN: Final = 4
_LONGEST_HAN: Final = 12
_MOST_BARE: Final = 5


def bare_name(text: str) -> tuple[int, int]:
    """Return where a text that is nothing but a name begins and ends; `(0, 0)` if it is more than that."""
    stripped = _BARE_END.sub("", text.strip().rstrip(".!。！"))
    lead = _BARE_LEAD.match(stripped)
    start = text.find(stripped) + (lead.end() if lead else 0)
    rest = text[start : text.find(stripped) + len(stripped)]
    words = rest.split()
    if not rest or len(words) > _MOST_BARE or re.search(r"[;；?？。!！，]|,(?! [A-Za-z]{2}$)", rest):
        return 0, 0
    if not rest.isascii():
        return (
            (start, start + len(rest))
            if len(rest) <= _LONGEST_HAN and not _HAN_NOT.search(rest) and re.fullmatch(rf"{HAN}+", rest)
            else (0, 0)
        )
    if re.fullmatch(r"[a-z]{3,}(?: [a-z]+){0,2}(?:, [a-z]{2})?", rest) and not _COMMON.search(rest):
        return start, start + len(rest)
    capital = _CAPITALISED.fullmatch(rest)
    plain = len(words) == 1 and _COMMON.search(rest.lower())
    return (start, start + len(rest)) if capital and words[0] not in _NOT_NAMES and not plain else (0, 0)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out words that begin a sentence or name a day, and refuse what is no name."""
    if lead := _HAN_FRONT.match(text, start, end):
        start = lead.end()
    value = text[start:end]
    if (
        (lead and len(value) < _SHORT_HAN - 1)
        or _AMOUNT.match(value)
        or (not value.isascii() and (_HAN_NOT.search(value) or (len(value) > _SHORT_HAN and re.search(r"有|的|能", value))))
    ):
        return 0, 0
    words = value.split(" ")
    for i, word in enumerate(words):
        if (word.strip(".,") in _NOT_NAMES or re.fullmatch(r"(?:I|You|We|They|It|He|She|That|There|Let)['’](?:m|ve|ll|d|re|s)", word)) and (
            i > 0 or len(words) == 1 or word.strip(".,") != "The"
        ):
            end = start + len(" ".join(words[:i]))
            break
    words = text[start:end].rstrip(" ,.&").split(" ")
    while words and words[-1] in _JOINERS:
        words.pop()
    value = " ".join(words).rstrip(" ,.&")
    return (start, start + len(value)) if value else (0, 0)

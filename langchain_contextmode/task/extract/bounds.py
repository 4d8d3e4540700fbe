"""Whether a number is a limit or one end of a range: "under 50", "at least 4", 100-150元, 4.5分以上."""

from __future__ import annotations

import re
from typing import Final

_NEAR: Final = 24
_MAX_BEFORE: Final = re.compile(
    r"(?:under|below|less than|up to|at most|no more than|not more than|within|maximum(?: of)?|max\.?|cheaper than|(?:does not"
    r"|doesn't) exceed"
    r"|不超过|不多于|低于|少于|最多|最高|不高于|小于|以内)\s*(?:is|of|[:=])?\s*$",
    re.IGNORECASE,
)
_MIN_BEFORE: Final = re.compile(
    r"(?:over|above|more than|at least|no less than|not less than|minimum(?: of)?|min\.?|starting at|高于|超过"
    r"|多于|至少|不低于|不少于|最低|最少"
    r"|大于)\s*(?:is|of|[:=])?\s*$",
    re.IGNORECASE,
)
_MAX_AFTER: Final = re.compile(
    r"\s*(?:元|块钱?|分|个|人|天|晚|小时)?\s*(?:以下|以内|之内|之下|or less|or under|max(?:imum)?\b|tops\b|at (?:the )?most)", re.IGNORECASE
)
_MIN_AFTER: Final = re.compile(
    r"\s*(?:元|块钱?|分|个|人|天|晚|小时)?\s*(?:以上|之上|起步?(?![飞点])|or more|or above|or higher|or better"
    r"|or up|and up|\+|minimum\b|at least)",
    re.IGNORECASE,
)
_JOINS: Final = re.compile(
    r"\s*(?:[$€£¥]|元|块钱?|分|个?小时|天|dollars|stars?)?\s*(?:-{1,2}|–|—|~|～|to|until|till|or|(?P<and>and)|至|到|或者?)\s*[$€£¥]?\s*",
    re.IGNORECASE,
)


def bound(text: str, start: int, end: int) -> str:
    """Return `max` or `min` for a number that is a limit by the words around it; empty otherwise."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    if _MAX_AFTER.match(after) or _MAX_BEFORE.search(before):
        return "max"
    return "min" if _MIN_AFTER.match(after) or _MIN_BEFORE.search(before) else ""


def joined(text: str, first_end: int, second_start: int) -> bool:
    """Say whether two numbers are the ends of one range, or alternatives: "3-4", "50 to 100", 2到3."""
    if not first_end <= second_start <= first_end + _NEAR or not (match := _JOINS.fullmatch(text, first_end, second_start)):
        return False
    return not match["and"] or "between" in text[max(0, first_end - _NEAR) : first_end].lower()

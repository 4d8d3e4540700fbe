"""Values that are none of the task's: limits, changes of a count, days and times of something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from langchain_contextmode.task.extract.mention import Mention

_LIMIT_BEFORE: Final = re.compile(r"\b(?:before|after|earlier than|later than|past)\s+$", re.IGNORECASE)
_LIMIT_AFTER: Final = re.compile(r"\s*(?:以?前|以?后|之前|之后)")
_SOME_OF: Final = re.compile(r"\S+\s+(?:of (?:the|them|our|my)|more|extra|additional|fewer|less)\b", re.IGNORECASE)


def is_limit(text: str, mention: Mention) -> bool:
    """Say whether a day or time is only a limit: "nothing before 9:00", "after nine", 三点以后."""
    if mention.kind not in {"date", "time"}:
        return False
    return bool(_LIMIT_BEFORE.search(text[max(0, mention.start - 24) : mention.start]) or _LIMIT_AFTER.match(text, mention.end))


def is_less(text: str, mention: Mention) -> bool:
    """Say whether a number is below zero, or only a change of a count: "-5", "one more guest", "two of the guests"."""
    if mention.kind not in {"number", "money", "people"}:
        return False
    before = text[max(0, mention.start - 2) : mention.start]
    said = text[mention.start : mention.end + 16]
    return (before.endswith("-") and not before[:-1].strip().isalnum()) or bool(_SOME_OF.match(said))


def says_other(text: str, mention: Mention) -> bool:
    """Say whether a day or time is that of something else: "I called yesterday", "born on"."""
    before = text[max(0, mention.start - 24) : mention.start]
    return bool(
        re.search(
            r"\b(?:born|birthday|opens?|closes?|until|since|called|told|done|all|everything|nothing|help\w*)\b|生日|营业",
            before,
            re.IGNORECASE,
        )
    )

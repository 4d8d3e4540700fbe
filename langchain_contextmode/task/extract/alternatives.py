"""Values between which a text leaves the choice open."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from langchain_contextmode.task.extract.mention import Mention

_AMOUNTS: Final = frozenset({"number", "people", "money", "duration"})
_EITHER: Final = re.compile(r"[\s,]*(?:or|and/or|或者?|还是)\s+(?:the |on |at |for |in )*|(?:或者?|还是)", re.IGNORECASE)
_OR_BEFORE: Final = re.compile(r"\w,? or (?:the |an? )?$", re.IGNORECASE)
_OR_AFTER: Final = re.compile(r",? or (?!so\b|better\b|more\b|around\b|anywhere\b|something\b|whatever\b)", re.IGNORECASE)
_OR_NEAR: Final = 10


def without_alternatives(text: str, mentions: list[Mention]) -> list[Mention]:
    """Leave out values between which the text leaves the choice open: "3 or 4 people", 12号或者13号."""
    open_ones = set()
    for i, (one, other) in enumerate(pairwise([*mentions, Mention("", None, len(text), len(text))])):
        same = one.kind == other.kind or {one.kind, other.kind} <= _AMOUNTS
        if same and _EITHER.fullmatch(text, one.end, other.start):
            open_ones |= {i, i + 1}
        if one.kind == "text" and (_OR_BEFORE.search(text[max(0, one.start - _OR_NEAR) : one.start]) or _OR_AFTER.match(text, one.end)):
            open_ones.add(i)
    return [mention for i, mention in enumerate(mentions) if i not in open_ones]

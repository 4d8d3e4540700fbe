"""Whether a request is worth a search in memory (M5). Small talk and plain continuations are not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.memories.courtesies import without_courtesies
from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_POINTS_BACK: Final = re.compile(
    r"\b(?:last time|the usual|as (?:always|usual)|same as (?:before|last)|like (?:i|we) (?:said|told)|remember"
    r"|remind me|again|(?:my|our) (?:\w+ )?"
    r"(?:favou?rite|usual|preferences?|preferred|allerg\w+|diet|name|address|birthday)|what do i|do i (?:like|have"
    r"|prefer)|about me|know me)\b"
    r"|上次|老样子|老规矩|一样的|之前[说提]|以前[说提]|还记得|记得|我喜欢|我的(?:口味|习惯|偏好|名字|地址|生日)|照旧",
    re.IGNORECASE,
)
_NEW_SHARE: Final = 0.5
_LEAST_TERMS: Final = 2


class Useful(NamedTuple):
    """The answer and why.

    Attributes:
        yes: Search.
        why: In words, for the report.
    """

    yes: bool
    why: str


def useful(request: str, recent: Sequence[str], *, first: bool, changed: Sequence[str] = (), whole: str = "") -> Useful:
    """Say whether memory may help with a request.

    Args:
        request: Text of the newest human message.
        recent: Texts of the turns right before it.
        first: Nothing was recalled in this session yet.
        changed: Fields of the task that changed in this turn.
        whole: The request as it stands alone; empty: as it is.
    """
    asked = without_courtesies(request)
    terms = set(terms_of(asked))
    if _POINTS_BACK.search(asked):
        return Useful(yes=True, why="the request points beyond this conversation")
    if not terms:
        return Useful(yes=False, why="the request names nothing")
    if changed:
        return Useful(yes=True, why=f"a field of the task changed: {', '.join(changed)}")
    if first and len(terms | set(terms_of(whole))) >= _LEAST_TERMS:
        return Useful(yes=True, why="the session begins")
    known = {term for text in recent for term in terms_of(text)}
    new = terms - known
    if len(new) >= _LEAST_TERMS and len(new) >= len(terms) * _NEW_SHARE:
        return Useful(yes=True, why="a new topic begins")
    return Useful(yes=False, why="the request goes on with what was said")

"""Do two pin sentences speak of the same matter, so that the later one replaces the earlier? When in doubt: no, both stay.

A lost demand is worse than two lines: what adds ("also", "也"), what somebody else likes, and what merely looks alike overrules nothing.
"""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.cues.alternatives import FORMAL, LASTING, SINGLE, members, without
from langchain_contextmode.cues.aspects import BUDGET, NEGATIVE, NUMBER, bare_terms, kin, own_terms, side, values
from langchain_contextmode.cues.naming import same_things
from langchain_contextmode.cues.reading import plain
from langchain_contextmode.cues.spot import kind_of

_ADDS: Final = re.compile(
    r"\b(?:also|as well|additionally|in addition|besides|another|plus|on top of that|likewise|same (?:goes|for)|neither|nor)\b|"
    r"\btoo\b(?=\s*[.,!;]|\s*$)|[也](?!不再|改)|还(?!是|没)|另外|同时|此外|以及|再加"
)

_OPENS: Final = re.compile(
    r"^\W*(?:(?:and|oh|ok|okay|by the way|对了|啊|哦)[\s,，]+)*(?:also|besides|plus|additionally|one more thing|"
    r"another thing|还有|另外|此外)"
    r"(?:一点|一件事|件事)?\s*[,，:：、—-]\s*"
)
"""How a message goes on to its next matter; no addition to an earlier one where a cue of change follows."""

_DROPS: Final = re.compile(
    r"\b(?:changed (?:my|our) minds? about|forget(?: about)?|never ?mind(?: about)?|instead of|rather than|gone off|scrap|drop|no longer|"
    r"not)\s+[^,.;:!?，。；]*|(?:别再|不再|不用再|不要再|而不是|不是|取消|算了)[^,，。；]*"
)
"""What a sentence leaves behind: it names the old choice, not the new one."""

_NAMED_PURSE: Final = re.compile(r"([\u4e00-\u9fff]{2})的?预算|\b([a-z]{3,}) budget\b")
_ANY_PURSE: Final = frozenset(
    "我们 我的 这次 本次 总的 整个 全部 目前 现在 一共 整体 我们的 们的 the our whole total new overall tight max maximum".split()  # noqa: SIM905
)

_CHANGES: Final = re.compile(
    r"\b(?:actually|instead|now|rather than|no longer|any ?more|changed? (?:my|our|the|that|it)|correction|switch|switched|"
    r"update|raised?|increased?|lower(?:ed)?|i meant|scratch that|forget|from now on|"
    r"moved?|extend(?:ed)?|postponed|new|on second thought|let's (?:say|go|make)|make (?:it|that)|after all|these days|"
    r"turns out|was wrong|my mistake|sorry|can go up|up to|can be|push(?:ed)? (?:it )?(?:back|to)|it is|reduced?|cut)\b"
    r"|改|换成|不再|还是|现在|加到|提高|增加到|降到|减到|变成|更正|更新|取消|算了|推迟|提前|延|可以到|可以加|说错|纠正|从今|以后"
)

_MONEY: Final = re.compile(
    r"budget|spend|[$€£¥]|\b(?:euros?|dollars?|bucks|pounds|usd|eur|gbp)\b|预算|经费|\d\s?(?:元|块)|[元块]|欧元|美元|花费"
)

_SCOPE: Final = re.compile(
    r"\b(?:for|per|on|each|an?)\s+(?:an?\s+|the\s+|each\s+|every\s+)?([a-z]{3,})|\b([a-z]+) budget\b|每(.)|人均|(酒店|餐|机票|"
    r"门票|住宿|交通)"
)

_WIDE_SCOPE: Final = frozenset(
    (
        "everything",
        "all",
        "total",
        "both",
        "two",
        "us",
        "trip",
        "whole",
        "most",
        "now",
        "the",
        "my",
        "our",
        "new",
        "total",
        "overall",
        "tight",
        "everyone",
        "max",
        "maximum",
        "budget",
        "this",
        "that",
        "euros",
        "and",
    )
)

_NAMES: Final = re.compile(r"\b(?:call|address) me\b|叫我|称呼我")

_AT_MOST: Final = re.compile(r"(?:\b(?:no|not|never)|n't)(?: [a-z]+){0,2} (?:more|longer|higher|bigger) than\b|不超过|不能超过|别超过|至多")

_NEARLY: Final = 0.6


def overrules(new: str, old: str) -> bool:
    """Say whether a pin sentence said later replaces an earlier one: same person, same matter, another value; or the same words again.

    Single-valued matters (budget, language and length of answers, seat, deadline) need no more than another value; others need
    a turn of opinion on the same thing, or a cue of change. Words that add ("also", "too", "也") keep both.
    """
    later, earlier = _level(plain(new).strip()), _level(plain(old).strip())
    if later == earlier:
        return True
    changes = bool(_CHANGES.search(later))
    if changes:
        later = _OPENS.sub("", later)
    if _ADDS.search(later) or kin(later) != kin(earlier):
        return False
    if _NAMES.search(later) and _NAMES.search(earlier):
        return True
    if not same_things(new, old):
        return False
    if _MONEY.search(earlier) and (_MONEY.search(later) or (changes and NUMBER.search(later))):
        return _same_purse(later, earlier, changes=changes)
    kinds = {kind_of(new), kind_of(old)}
    form = kinds <= {"format", "rule"} or ("format" in kinds and changes)
    return (
        _other_value(later, earlier, changes=changes, form=form)
        or _other_number(later, earlier, changes=changes)
        or _turned(later, earlier, changes=changes)
    )


def _level(text: str) -> str:
    """Write a limit without its negation: "no more than 3" is as positive as "at most 3"."""
    return _AT_MOST.sub("at most", text)


def _same_purse(later: str, earlier: str, *, changes: bool) -> bool:
    ours, theirs = _purses(later), _purses(earlier)
    if ours and theirs and not ours & theirs:
        return False
    if _takes_amount_back(later, earlier):
        return True
    ours, theirs = _scope(later), _scope(earlier)
    if changes and ours and all(re.search(rf"\b{re.escape(word)}", earlier) for word in ours):
        theirs = ours
    if ours != theirs and ((ours and theirs) or ours or not changes):
        return False
    if BUDGET.search(earlier):
        return bool(BUDGET.search(later)) or changes
    return not BUDGET.search(later) and (changes or ours == theirs) and side(later) == side(earlier)


def _purses(text: str) -> frozenset[str]:
    """Return by which names a sentence calls budgets; empty for the one budget there is."""
    return frozenset(match[1] or match[2] for match in _NAMED_PURSE.finditer(text)) - _ANY_PURSE


def _takes_amount_back(later: str, earlier: str) -> bool:
    """Say whether a sentence leaves the very number of an earlier one behind and gives another: "forget the 900, 1,200 is fine"."""
    dropped = " ".join(match.group() for match in _DROPS.finditer(later))
    old = _amounts(earlier)
    return bool(_amounts(dropped) & old) and bool(_amounts(_DROPS.sub(" ", later)) - old)


def _amounts(text: str) -> frozenset[str]:
    return frozenset(number.rstrip(".,:") for number in NUMBER.findall(text))


def _scope(text: str) -> frozenset[str]:
    """Return what an amount of money is for; empty for everything."""
    found = (next((group for group in match.groups() if group), match.group()) for match in _SCOPE.finditer(text))
    return frozenset(word for word in found if word not in _WIDE_SCOPE)


def _other_value(later: str, earlier: str, *, changes: bool, form: bool) -> bool:
    """Say whether both choose from one set of alternatives, and choose differently: window and aisle, English and German."""
    negative = bool(NEGATIVE.search(later)) != bool(NEGATIVE.search(earlier))
    kept = _DROPS.sub(" ", later) if changes else later
    dropped = " ".join(match.group() for match in _DROPS.finditer(later)) if changes else ""
    for name in (*SINGLE, *LASTING):
        ours, theirs = members(name, kept) or members(name, later), members(name, earlier)
        if not ours or not theirs or (name in LASTING and not changes) or (name in FORMAL and not form):
            continue
        if bool(ours & theirs) != negative or (negative and not ours & theirs):
            continue
        if members(name, dropped) & theirs and ours - theirs:
            return True
        rest, other = own_terms(without(name, later)), own_terms(without(name, earlier))
        apart = bool(rest - other) and bool(other - rest)  # the window on planes, the aisle on trains
        if (changes or not apart) and (not rest or not other or rest & other or name in FORMAL):
            return True
    return False


def _other_number(later: str, earlier: str, *, changes: bool) -> bool:
    """Say whether two limits differ in their numbers or dates alone: "at most 3 stops", "no more than 5 stops"."""
    ours, theirs = values(later), values(earlier)
    if not ours or not theirs or ours == theirs or side(later) != side(earlier):
        return False
    if not changes and NEGATIVE.search(later) and NEGATIVE.search(earlier) and not any(side(later)):
        return False  # two prohibitions with other numbers forbid two things
    mine, other = bare_terms(later), bare_terms(earlier)
    if not mine or not other:
        return changes or (not mine and not other)
    return len(mine & other) >= _NEARLY * min(len(mine), len(other)) and (
        changes or bool(NEGATIVE.search(later)) == bool(NEGATIVE.search(earlier))
    )


def _turned(later: str, earlier: str, *, changes: bool) -> bool:
    """Say whether somebody turned his opinion on the same thing: liked and now not, forbidden and now not."""
    mine, other = own_terms(later), own_terms(earlier)
    shared = mine & other
    if not shared or bool(NEGATIVE.search(later)) == bool(NEGATIVE.search(earlier)):
        return False
    least = min(len(mine), len(other))
    return mine <= other or (changes and len(shared) >= _NEARLY * least)

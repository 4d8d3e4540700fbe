"""Does a later message take an earlier pin back? When in doubt: no. A lost demand is worse than one that is kept too long."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.cues.aspects import BUDGET, NUMBER, is_wide, kin, own_terms
from langchain_contextmode.cues.naming import names_more
from langchain_contextmode.cues.reading import is_supposed, level, plain, reported_from
from langchain_contextmode.cues.spot import kind_of
from langchain_contextmode.cues.waiting import awaited, is_short, says
from langchain_contextmode.sentences import sentences

_LIFTS: Final = re.compile(
    r"\b(?:go ahead|feel free|you (?:can|may|could|are (?:free|allowed|welcome) to) (?!not\b|'t)(?:now |again |go ahead and )*|"
    r"(?:it's|that's|it is|is|are|'s) (?:now )?(?:ok|okay|fine|allowed|good|alright) (?:now|again|after all|to|with me now)|"
    r"no longer (?:need|necessary|appl(?:y|ies)|matter|a|an|true|required|"
    r"relevant|allergic|vegan|vegetarian|pregnant|important|have)|forget (?:about )?(?:the|my|that|what i)|(?:ignore|drop|scrap|"
    r"cancel|lift|remove|disregard|skip|undo|waive) (?:the|my|that|this|all|what)|"
    r"never ?mind (?:the|my|about|that)|doesn't (?:matter|apply) any ?more|don't (?:need|have) to .{2,60} any ?more|"
    r"not .{2,40} any ?more|"
    r"(?:ban|rule|restriction|limit|limitation|embargo|freeze|prohibition|block)s? (?:[a-z]+ ){0,3}?(?:is|are|was|has been|have been) "
    r"(?:now |finally |hereby )?(?:lifted|gone|over|off|cancell?ed|void|dropped|removed|history)|"
    r"no (?:more )?(?:limit|restriction|deadline|budget)s?|is off\b(?! limits)|changed (?:my|"
    r"our) mind about|permission granted|you have my (?:ok|okay|approval|permission))"
    r"|可以.{0,20}了|不限了?|不用(?:再)?.{0,20}了|不(?:需要|必)再?|取消|解除|作废|放开|忽略|忘了?(?:之前|那个|我)|算了|无所谓|"
    r"没关系了|随便|不再(?:过敏|吃素|需要|限制)|(?:允许|同意|批准)(?:你)?.{0,12}了|去吧"
)

_NO_LIFT: Final = re.compile(
    r"\b(?:can't|cannot|can not|may not|not (?:yet|ok|okay|allowed|fine|true)|don't go ahead|still|"
    r"only|nothing else|except|but not)\b|还不|仍然|依然|不可以|不能|"
    r"不要取消|别取消|先别|只有|除了|仅限"
)

_IF: Final = re.compile(r"\b(?:if|unless|until|provided|assuming|would)\b|如果|要是|假如|除非|万一")
"""What depends on something, or is only imagined, takes nothing back."""

_ALL: Final = re.compile(
    r"\b(?:that|the|my|all|this|previous|earlier|last) (?:of (?:my|the) )?(?:previous |earlier |other |old |last )*(?:rules?|"
    r"restrictions?|limits?|limitations?|instructions?|constraints?|conditions?|requirements?|ban)\b"
    r"|(?:之前|前面|刚才|以前|上述|所有|全部|那个|那条|这个|这条)的?(?:所有)?的?(?:限制|规则|要求|规定|条件|约束|禁令|指示)"
)

_BODILY: Final = frozenset(("health", "diet"))
_KEPT: Final = frozenset(("health", "diet", "preference", "dislike"))
"""What no word on "the rules" takes back."""
_END: Final = re.compile(r"(?<=[.!?。！？\n])")

_DUE: Final = re.compile(r"\bdeadline\b|截止|期限")
_ENOUGH: Final = 0.5


def lifting(text: str) -> tuple[str, ...]:
    """Return the sentences of a message that could take a pin back, in lower case; see `lifts`. Most messages have none."""
    said = (level(text[start:end]).strip() for start, end in sentences(text[:2_000]))
    return tuple(one for one in said if one and (is_short(one) or _LIFTS.search(plain(one))) and _is_statement(plain(one)))


def _is_statement(said: str) -> bool:
    if said.endswith(("?", "？", "吗")) or _NO_LIFT.search(said) or _IF.search(said):
        return False
    return not is_supposed(said) and reported_from(said) == len(said)


def lifts(text: str, old: str) -> bool:
    """Say whether a later human message only takes an earlier pin back: "you can push now", "forget the budget", "预算不限了".

    Args:
        text: The later message; sentence by sentence.
        old: The pin sentence.

    Returns:
        True only where the message names the pin's matter, or speaks of the rules as such, and is no question. Allergies, diets and the
        like are lifted only by their own words, and a bare "go" only where the pin waits for that word.
    """
    candidates = lifting(text)
    if not candidates:
        return False
    wanted = awaited(old)
    alone = sum(bool(part.strip()) for part in _END.split(text[:2_000])) == 1
    if any(says(said, wanted, alone=alone) for said in candidates):
        return True
    earlier = plain(old).strip()
    return not names_more(text, old) and any(_takes_back(plain(said), earlier, old) for said in candidates)


def _takes_back(said: str, earlier: str, old: str) -> bool:
    if not _LIFTS.search(said) or kin(said) != kin(earlier):
        return False
    kind = kind_of(old)
    if kind not in _KEPT and _ALL.search(said) and not own_terms(_LIFTS.sub(" ", _ALL.sub(" ", said))):
        return True
    return _names(said, earlier, bodily=kind in _BODILY)


def _names(said: str, earlier: str, *, bodily: bool) -> bool:
    """Say whether a lifting sentence names what the pin is about, and nothing that the pin does not know."""
    if BUDGET.search(said) and BUDGET.search(earlier):
        return not NUMBER.search(said)
    if _DUE.search(said) and _DUE.search(earlier):
        return True
    if bodily and not re.search(r"\bno longer\b|\bany ?more\b|不再|不用.*了|取消", said):
        return False
    mine, theirs = own_terms(said), own_terms(earlier)
    beside = own_terms(_LIFTS.sub(" ", said))  # "the Berlin ban is lifted" names Berlin and nothing else
    if beside and beside <= theirs:
        return True
    shared = mine & theirs
    if not shared:
        return False
    return theirs <= mine or mine <= theirs or (is_wide(said) and len(shared) >= _ENOUGH * min(len(mine), len(theirs)))

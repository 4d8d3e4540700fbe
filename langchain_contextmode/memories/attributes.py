"""Whose attribute a statement gives which value, and when a newer statement takes the place of an older one (M8)."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.alternatives import FORMAL, SINGLE, members
from langchain_contextmode.cues.aspects import kin, own_terms
from langchain_contextmode.cues.naming import same_things
from langchain_contextmode.cues.reading import is_supposed, plain, reported_from, stated
from langchain_contextmode.cues.remembered import overrules
from langchain_contextmode.cues.spot import kind_of
from langchain_contextmode.memories.chinese_facts import chinese_fact
from langchain_contextmode.memories.english_facts import english_fact
from langchain_contextmode.memories.facts import TASTE, USER, Fact, single
from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from langchain_contextmode.memories.memory import Memory

_WIDE: Final = re.compile("[\u4e00-\u9fff]")
_LATIN: Final = re.compile("[a-z]{2}")
_LONGEST: Final = 600
_CHANGE: Final = re.compile(
    r"\b(?:actually|instead|now|no longer|any ?more|these days|nowadays|from now on|switched|changed|moved|new|turns out|correction|"
    r"i meant|these days|after all|lately|since)\b|不再|改|换|现在|以后|最近|变成|搬|更正|说错|其实|已经|了$|了[，。！]"
)
_ADDS: Final = re.compile(
    r"\b(?:also|as well|additionally|in addition|another|second|both|plus|sometimes|occasionally|part[- ]time)\b|\btoo\b(?=\s*[.,!;]|\s*$)"
    r"|[也](?!不再|改)|另外|同时|此外|有时|偶尔|兼职|还(?=有|喜欢|爱|会|在)"
)
_HERE: Final = re.compile(
    r"\b(?:on|for|at|in|when|during|while|by)\s+(?:(?:the|my|a|an|long|short|our|night|early|late|"
    r"business|i am|i'm|we are|having|drinking|taking)\s+)*"
    r"(trains?|planes?|flights?|flying|bus|buses|boats?|work|office|home|weekends?|weekdays?|mornings?|evenings?|summer|winter|breakfast|"
    r"lunch|dinner|desserts?|business|vacations?|holidays?|travel(?:l?ing)?|trips?|emails?|code|letters?|"
    r"reports?|meetings?|cinema|theat(?:er|re)|"
    r"concerts?|restaurants?|hotels?|cars?|gym|school|parties|guests|kids|children|friends|parents)\b"
    r"|(飞机|火车|高铁|大巴|公司|单位|办公室|家里|周末|工作日|早上|晚上|夏天|冬天|早餐|早饭|午餐|午饭|晚餐|晚饭|出差|旅行|旅游|开会|邮件|"
    r"代码|报告|电影院|剧院|餐厅|酒店|学校|聚会)(?=时|的时候|上|里|就|我|，|要|用|喜欢|想|都|坐|选|靠|喝|吃)"
)
_OVER: Final = re.compile(
    r"\bprefers? (?P<v>[^,.;!?]{1,40}?) (?:over|to|rather than|instead of|more than) (?P<o>[^,.;!?]{1,40}?)(?= now| these days|[,.;!?]|$)"
)
"""One thing preferred to another."""
_ANSWERING: Final = frozenset({"format", "rule"})
_ASKS: Final = re.compile(r"[?？]\s*$|[吗呢么]\s*[?？。]?$")
_LEFT: Final = re.compile(r"\b(?:any ?more|no longer)\b|不再|了")


@lru_cache(maxsize=4_096)
def fact_of(statement: str) -> Fact | None:
    """Return what a statement says about its speaker or somebody of theirs; `None` where it says nothing of the kind.

    Questions, suppositions, quotations and what others say hold none. Long texts are no statements.
    """
    if len(statement) > _LONGEST:
        return None
    text = plain(statement)
    if is_supposed(text) and "used to" not in text:
        return None
    said = stated(text)
    said = said[: reported_from(said)]
    if _ASKS.search(text) and said == text:
        return None
    wide = bool(_WIDE.search(said))
    fact = chinese_fact(said) if wide else None
    if fact is None and _LATIN.search(said):
        fact = english_fact(said)
    if fact is None or (is_supposed(text) and not (fact.polarity < 0 and "used to" in text)):
        return None
    return _placed(_chosen(_refined(fact), statement), said)


_MARITAL: Final = frozenset("married single divorced engaged widowed separated 已婚 结婚 离婚 单身 订婚".split())  # noqa: SIM905
_WORKING: Final = frozenset("retired unemployed self-employed 退休 失业".split())  # noqa: SIM905
_STUDENT: Final = frozenset("研究生 大学 博士 硕士 college university uni".split())  # noqa: SIM905
_EATING: Final = frozenset("vegan vegetarian pescatarian flexitarian omnivore meat 吃素 吃全素 素食 纯素 吃斋 肉".split())  # noqa: SIM905


def _refined(fact: Fact) -> Fact:
    """Tell apart what excludes each other and what does not: vegan and vegetarian do, married and retired do not."""
    match fact.base:
        case "diet":
            return fact if fact.value in _EATING else fact._replace(attribute="diet need")
        case "status":
            kind = "marital" if fact.value in _MARITAL else "working" if fact.value in _WORKING else "expecting"
            return fact._replace(attribute=kind)
        case "studies" if fact.subject == USER and fact.value in _STUDENT:
            return fact._replace(attribute="student")
        case "job" if fact.value.endswith(("student", "学生")):
            return fact._replace(attribute="student")
        case _:
            return fact


def _chosen(fact: Fact, statement: str) -> Fact:
    """Name the choice that a liking makes where only one of a set can be had: the seat, the units, the language of answers."""
    if fact.base != TASTE and not fact.base.startswith(("preferred ", "my ")):
        return fact
    for group in SINGLE:
        found = members(group, fact.value)
        if not found or (group in FORMAL and kind_of(statement) not in _ANSWERING):
            continue
        old = members(group, fact.dropped)
        return fact._replace(attribute=group, value=" ".join(sorted(found)), dropped=" ".join(sorted(old)))
    return fact


def _placed(fact: Fact, said: str) -> Fact:
    """Add where or when an attribute holds, if only there."""
    if fact.base not in SINGLE and fact.base != TASTE and not fact.base.startswith(("favourite ", "preferred ")):
        return fact
    match = _HERE.search(said)
    place = next((group for group in match.groups() if group), "") if match else ""
    return fact._replace(attribute=f"{fact.base}@{place.removesuffix('s')}") if place and place not in fact.value else fact


def supersedes(new: Memory, old: Memory) -> bool:
    """Say whether a newer statement makes an older one untrue.

    It does where both are about the same subject and one attribute that has one value at a time has another one, where the same
    value is now denied (or the other way round), where the newer one names the older value as given up, and where the same
    matter is demanded otherwise. What adds, what is about another person or thing, and likings of several things leave it.
    """
    if new.vague or "archive" in {new.type, old.type} or _words(new.text) == _words(old.text):
        return False
    if _subject(new) != _subject(old) or kin(plain(new.text)) != kin(plain(old.text)):
        return False
    if _gives_up(new, old):
        return True
    later = plain(new.text)
    if _ADDS.search(later):
        return False
    if new.attribute and old.attribute:
        return _by_attribute(new, old, changes=bool(_CHANGE.search(later)))
    attribute = _parts(new.attribute or old.attribute)[0]
    about_both = not attribute or attribute in FORMAL or bool(own_terms(later) & own_terms(plain(old.text)))
    return about_both and same_things(new.text, old.text) and overrules(new.text, old.text)


def _gives_up(new: Memory, old: Memory) -> bool:
    """Say whether the newer statement names the older value as the one it leaves: "switched from Vim to Helix"."""
    fact = fact_of(new.text)
    dropped = fact.dropped if fact else ""
    ours, theirs = _OVER.search(plain(new.text)), _OVER.search(plain(old.text))
    if ours and theirs:
        return _same_value(ours["v"].strip(), theirs["o"].strip()) and _same_value(ours["o"].strip(), theirs["v"].strip())
    return bool(dropped and old.value) and _same_value(dropped, old.value) and _compatible(new.attribute, old.attribute)


def _by_attribute(new: Memory, old: Memory, *, changes: bool) -> bool:
    ours, place = _parts(new.attribute)
    theirs, other = _parts(old.attribute)
    denied = new.polarity * old.polarity < 0
    if place != other and (place or not (changes or denied)):
        return False
    if ours == "job" and theirs == "student":
        return changes and new.polarity > 0
    if ours != theirs:
        gives_up = (new.polarity < 0 or denied) and _same_value(new.value, old.value) and _compatible(new.attribute, old.attribute)
        return gives_up or (_demands(new, old) and overrules(new.text, old.text))
    same = _same_value(new.value, old.value)
    if denied:
        return same
    if single(ours):
        return not same and new.polarity > 0 and old.polarity > 0
    return not same and changes and same_things(new.text, old.text) and overrules(new.text, old.text)


def _demands(new: Memory, old: Memory) -> bool:
    return new.type == old.type == "instruction"


def _compatible(new: str, old: str) -> bool:
    """Say whether a value given up under one attribute can be the one held under another: sold a dog, had a dog."""
    ours, theirs = _parts(new)[0], _parts(old)[0]
    loose = {TASTE, "has", "uses", "drives", "diet", "home", "employer", "job", ""}
    return ours == theirs or (ours in loose and theirs in loose) or theirs.startswith(("favourite ", "preferred "))


def _parts(attribute: str) -> tuple[str, str]:
    base, _, place = attribute.partition("@")
    return base, place


def _subject(memory: Memory) -> str:
    return memory.subject or USER


def _words(text: str) -> str:
    return " ".join(plain(text).split()).strip(" .!。！")


@lru_cache(maxsize=8_192)
def _same_value(one: str, other: str) -> bool:
    if one == other:
        return True
    if not one or not other:
        return False
    if _WIDE.search(one + other):
        shorter, longer = sorted((one, other), key=len)
        return len(shorter) > 1 and shorter in longer
    ours, theirs = frozenset(terms_of(one)), frozenset(terms_of(other))
    return bool(ours and theirs) and (ours <= theirs or theirs <= ours)


def same_statement(new: Memory, old: Memory) -> bool:
    """Say whether two memories say the same, in the same words or in others."""
    if _words(new.text) == _words(old.text):
        return True
    if _subject(new) != _subject(old) or new.type == "archive" or old.type == "archive":
        return False
    if new.attribute and old.attribute:
        same = new.attribute == old.attribute or {TASTE} == {_parts(new.attribute)[0], _parts(old.attribute)[0]}
        return same and new.polarity == old.polarity and _alike(new.value, old.value)
    ours, theirs = frozenset(terms_of(new.text)), frozenset(terms_of(old.text))
    shared = len(ours & theirs)
    if not shared or kin(plain(new.text)) != kin(plain(old.text)) or not same_things(new.text, old.text):
        return False
    return shared >= _MOST * len(ours | theirs) and not supersedes(new, old)


_MOST: Final = 0.75


def _alike(one: str, other: str) -> bool:
    """Say whether two values are the same; what names more is another one ("coffee", "coffee ice cream")."""
    if one == other:
        return True
    ours, theirs = frozenset(terms_of(one)), frozenset(terms_of(other))
    return bool(ours) and ours == theirs

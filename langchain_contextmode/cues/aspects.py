"""What two sentences are compared by: whose matter, which words, numbers and dates, which side of a limit, negated or not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.alternatives import REMEMBERED
from langchain_contextmode.relevance.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_KIN: Final = re.compile(
    r"\b(?:my|our) (?:[a-z]+ )?(wife|husband|partner|spouse|girlfriend|boyfriend|son|daughter|kids?|child|children|baby|mother|"
    r"mom|mum|father|dad|parents|sister|brother|friends?|boss|"
    r"colleagues?|cousins?|aunt|uncle|grand[a-z]+|nephew|niece|roommate|team|client|guests?|family)(?:'s)?\b|我(?:的)?(妈|爸|"
    r"老婆|老公|太太|先生|女儿|儿子|孩子|妻子|丈夫|朋友|同事|老板|哥|姐|弟|妹|奶奶|爷爷|外婆|外公|父母)"
)

NEGATIVE: Final = re.compile(
    r"\b(?:not|no|never|don't|dont|doesn't|can't|cannot|won't|isn't|aren't|nothing|without|avoid|hate|dislike|despise|detest|"
    r"loathe|refuse|stop|no longer|any ?more|rarely)\b|不|别|勿|讨厌|反感|禁止|避免|没有兴趣|没兴趣"
)

_FRAME: Final = frozenset(
    " ".join(  # noqa: FLY002
        (
            (
                "am pm oclock apply prefer like love enjoy want need please actually instead now never always must limit max maximum most l"
                "east than rather ru"
                "le remember note default future answer"
            ),
            (
                "repli respond respons write speak talk say tell keep call use go ahead budget spend cost pay price euro dollar usd eur pou"
                "nd total deadlin due done finish readi"
            ),
            (
                "today hour day week long again forget ignor drop cancel lift feel fine allow mind chang find set raise increas lower new f"
                "inal extend move mov back correct"
            ),
            (
                "hat dislik avoid refus alway current strict strong usual normal general typic onli real sorri switch longer anymor updat o"
                "k free restrict told"
            ),
        )
    ).split()
)

_ZH_FRAME: Final = re.compile(
    "我们?|你|您|请|不要|不用|不再|不限|不能|不超过|不|别|必须|一定要?|以后|从现在起|从现在开始|每次|都|也|还是|还|可以|现在|"
    "改成|改为|改到|换成|改用|用|喜欢|更|比较|预算|最多|至多|提高|加到|降到|元|块|欧元|了|吧|的|是|只|要|"
    "取消|回答|回复|说|去|再|先|就|截止|最晚|日期|时间|之前|讨厌|想"
)

NUMBER: Final = re.compile(
    r"\d[\d,.:]*|[一二两三四五六七八九十百千万零半]{1,8}(?=元|块|欧|点|个|人|天|小时|字|号|月|晚|美|英)|(?!千万)[一二两三四五六七八九十百千零半]{1,7}[百千万]|"
    r"\b(?:one|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|half)\b"
)

BUDGET: Final = re.compile(r"\bbudget\b|预算|经费")

_COMPARE: Final = (
    re.compile(r"\bbefore\b|\bearlier\b|之前|以前|前"),
    re.compile(r"\bafter\b|\blater than\b|之后|以后|后"),
    re.compile(r"\bat least\b|\bminimum\b|\bmore than (?!.*\bno\b)|至少|最少"),
)

_DATE: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|"
    r"\b(?:tomorrow|tonight|today|noon|midnight|week|month|eod)\b|周.|星期.|礼拜.|月底|月初|明天|今天|后天"
)


@lru_cache(maxsize=REMEMBERED)
def kin(text: str) -> frozenset[str]:
    """Return whose matter a lower-case sentence speaks of, by kinship; empty for the user."""
    return frozenset(next(group for group in match.groups() if group) for match in _KIN.finditer(text))


@lru_cache(maxsize=REMEMBERED)
def side(text: str) -> tuple[bool, ...]:
    """Say which ends of a range a sentence bounds: before, after, at least."""
    return tuple(bool(pattern.search(text)) for pattern in _COMPARE)


@lru_cache(maxsize=REMEMBERED)
def values(text: str) -> frozenset[str]:
    """Return numbers and dates."""
    return frozenset(NUMBER.findall(text)) | frozenset(_DATE.findall(text))


@lru_cache(maxsize=REMEMBERED)
def bare_terms(text: str) -> frozenset[str]:
    """Return the own terms without numbers and dates."""
    return own_terms(_DATE.sub(" ", NUMBER.sub(" ", text)))


def is_wide(text: str) -> bool:
    """Say whether a text holds Chinese."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(term for text in texts for term in terms_of(text))


@lru_cache(maxsize=REMEMBERED)
def own_terms(text: str) -> frozenset[str]:
    """Return the terms of what a sentence is about, without the words that frame a demand."""
    if is_wide(text):
        text = _ZH_FRAME.sub(" ", text)
    return frozenset(term for term in terms_of(text.replace("\x00", " ")) if term not in _FRAME_TERMS)


_FRAME_TERMS: Final = _FRAME | _words(_FRAME)

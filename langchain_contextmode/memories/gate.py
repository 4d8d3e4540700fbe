"""What may be promoted: said in two turns or stressed, and never what is said in passing (M4)."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.memories.memory import Memory

LEAST_TURNS: Final = 2
"""So many different turns have to say it."""

_EMPHASISED: Final = re.compile(
    r"\b(?:always|never ever|never forget|do(?:n't| not) (?:ever )?forget|important(?:ly)?|crucial|"
    r"essential|remember (?:that|this|it|i|my|we|our)|"
    r"keep (?:that |this |it )?in mind|make sure|absolutely|under no circumstances|"
    r"at all costs|no matter what|without exception|"
    r"no exceptions?|strictly|from now on|from here on|going forward|for future reference|in future|in the future|every (?:single )?time|"
    r"by all means|deadly|life-threatening|severely|seriously allergic|hard rule|deal ?breaker|above all|i insist|i can't stress|"
    r"must (?:always|never)|please note)\b|^\W*(?:please )?(?:never|note that)\b|\bremember\s*[:,]|!{2,}"
    r"|记住|牢记|切记|记得(?!吗|你)|别忘|不要忘|勿忘|千万|务必|绝对|一定要|一定不|一定得|永远|非常重要|很重要|最重要|十分重要|"
    r"以后都|以后每|从现在起|从今以后|今后都|每次都|无论如何|严重过敏|坚决|一律|必须|！{2,}|特别强调|再说一遍|强调"
)
_HEDGED: Final = re.compile(
    r"\b(?:maybe|perhaps|i guess|i suppose|probably|kind of|kinda|sort of|sorta|might|not sure|could be|"
    r"could work|would work|whatever|for now|"
    r"for the moment|either (?:way|one|is|works)|don't mind|do not mind|doesn't matter|no strong|up to you|not too bad|not bad|we'll see|"
    r"let me think|fair enough|why not|if you say so|as you like|i could live with|meh)\b"
    r"|可能|也许|大概|好像|或许|说不定|看情况|再说吧|不确定|随便|无所谓|都行|都可以|看着办|差不多|还行|"
    r"凑合|将就|暂时|先这样|也行|也可以|也不错"
)
_POINTS: Final = re.compile(
    r"^\W*that\b|\b(?:like|love|prefer|hate|want|take|enjoy|mind|dislike)s? (?:that|it|them|both|neither|either|"
    r"what you|yours|your [a-z]+)\b|"
    r"\b(?:this|these(?! days)|those(?! days)|the (?:first|second|third|fourth|last|other|next|former|latter|same|one|ones)(?! of)"
    r"(?: (?:one|two|option|idea|version|hotel|place|room|plan))?|"
    r"the (?:[a-z]+ ){1,2}(?:one|ones|option|version)|the [a-z]+ (?:you|there)|how it (?:is|was)|the way it (?:is|was)|it there|"
    r"one of (?:these|those|them))\b|^\W*(?:it|they|them)\b"
    r"|[这那](?:个|些|家|种(?!人)|边|样|款|条|间|里|套|张|首|本|部|道|次|两|几)|第[一二三四五\d]+(?:个|家|"
    r"种|款|间|条|套)|上面|刚才|你说的|你推荐|前面|后面的|它"
)
_STOP: Final = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "a an the i me my we us you it its they them he she is are am was be been do does did and or but so if of to for in on "
        "at with as by this that these those one ones two first second third last other others another both either neither any "
        "some all none nothing something anything everything option options choice fine ok okay good nice great cool alright "
        "perfect better best well works work sounds sound looks look seems seem feels like love prefer enjoy want take think "
        "guess mind suppose too also very really quite pretty rather just still even more less much lot bit yes no yeah yep "
        "nope sure right hm hmm ah oh thanks thank please maybe perhaps probably whatever not don't dont can't would could "
        "might may will shall should i'm i'd i'll that's it's there here now then again though anyway lovely interesting bad "
        "okayish decent idea thing things go going see let let's same way up enough kind sort honestly actually i've have has "
        "had fair"
    ).split()
)
_WORD: Final = re.compile(r"[a-z][a-z'-]*|\d+")
_HAN: Final = re.compile("[\u4e00-\u9fff]+")
_HAN_EMPTY: Final = re.compile(
    "第[一二三四五\\d]个?|[这那哪]|[个些种样款家条]|我们?|你|您|他|她|它|觉得|感觉|认为|喜欢|想要?|爱|"
    "好看|好听|好吃|不错|可以|好像|还行|还|也|都|挺|很|蛮|比较|最|更|就|"
    "行|好的?|吧|了|啊|哦|嗯|呢|呀|嘛|哈|的|是|有点|一点|随便|无所谓|差不多|看着办|没问题|没关系|没意见|"
    "没事|谢谢|那么|这么|什么|怎么|应该|可能|也许|大概|"
    "或许|不|没|要|选|用|来|看|先|再|说|试试|算了|一般|凑合|将就|后面|前面|上面|下面|刚才|刚刚?|推荐|"
    "合适|适合|意思|有|和|跟|比|得|对|嘿|唉|哎|两|几|一|二|三|呗|哇|成|中|真"
)
_SURE: Final = frozenset({"health", "diet", "diet need", "allergy"})
"""What somebody says about these counts, however carefully they put it."""


def is_emphasised(text: str) -> bool:
    """Say whether a speaker stresses a statement: "always", "never forget", a standing order, 很重要, two exclamation marks."""
    return bool(_EMPHASISED.search(_level(text)))


def is_hedged(text: str) -> bool:
    """Say whether a speaker leaves a statement open: "maybe", "I guess", 可能, 随便."""
    return bool(_HEDGED.search(_level(text)))


def points_at_the_moment(text: str) -> bool:
    """Say whether a statement is about something at hand that it does not name: "this hotel", "the second one", 那个."""
    return bool(_POINTS.search(_level(text)))


def says_nothing(text: str) -> bool:
    """Say whether a text names no matter at all: "that one is fine too", 都可以."""
    level = _level(text)
    if any(word not in _STOP for word in _WORD.findall(level)):
        return False
    return not any(_HAN_EMPTY.sub("", run) for run in _HAN.findall(level))


def is_vague(text: str, attribute: str = "") -> bool:
    """Say whether a statement is a remark in passing: it names no matter, points at something at hand, or leaves it open.

    Args:
        text: The statement.
        attribute: What `fact_of` found in it; what concerns health or diet is never vague for its careful words.
    """
    if says_nothing(text):
        return True
    if attribute.partition("@")[0] in _SURE:
        return False
    return points_at_the_moment(text) or is_hedged(text)


def passes(memory: Memory) -> bool:
    """Say whether a memory may be promoted: not vague, active, and said in two turns or stressed."""
    return memory.status == "active" and _sure(memory)


def _sure(memory: Memory) -> bool:
    return not memory.vague and (len(memory.turns) >= LEAST_TURNS or memory.emphasised)


def heirs(rows: Sequence[Memory]) -> frozenset[str]:
    """Return the ids of rows that took the place, over any number of steps, of one that is promoted or passed the gate."""
    known = {row.superseded_by for row in rows if row.superseded_by and (row.promoted or _sure(row))}
    following = {row.id: row.superseded_by for row in rows if row.superseded_by}
    waiting = list(known)
    while waiting:
        after = following.get(waiting.pop(), "")
        if after and after not in known:
            known.add(after)
            waiting.append(after)
    return frozenset(known)


def _level(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'").lower()

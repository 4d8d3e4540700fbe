"""A sentence made ready for the patterns: quoted words, questions and asides blanked out, one case, straight apostrophes."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import Final

_BLANK: Final = "\x00"
"""Stands for what must not be matched: neither a letter nor white space, so no pattern reaches over it."""

_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|`[^`]*`|(?<!\w)'[^']{2,}'(?!\w)")
_CLAUSE: Final = re.compile(r"[^,;:，；：、—–]*(?:[,;:，；：、—–]\s*|$)|\s-\s")
_ASKS: Final = re.compile(
    r"^\W*(?:(?:and|but|so|or|also|ok|okay|well|then|hi|hello|hey|please|anyway|now|hm+|oh|yes|no|sure|great|"
    r"thanks)\W+)*(?:(?:do|does|did|is|are|am|was|were|can|could|would|will|shall|should|"
    r"may|might|must|have|has|had|what|which|who|whom|whose|when|where|why|how|any|isn't|aren't|don't|doesn't|didn't|can't|couldn't|won't|"
    r"wouldn't|shouldn't|haven't|hasn't)\b(?!\s+(?:you (?:please )?(?:always|never|not|stop|avoid)\b))|think\b|right\W*$)"
    r"|[吗呢么][\s?？]*$|什么|哪[里个些儿家]|怎么|多少|[为凭]什么|谁|是不是|有没有|能不能|可不可以|好不好|要不要|行不行|可以吗|"
    r"啥|几[个点家]"
)
_DEMANDS: Final = re.compile(
    r"\b(?:can|could|would|will) (?:you|we) (?:please |just |maybe )*(?=(?:always|never|not|stop|avoid|only|keep (?:it|your|the|"
    r"all)|[^?]{1,80}\b(?:from now on|from here on|in future|going forward|at all times|every time)\b|answer in|reply in|respond in|"
    r"write in|speak|use (?:bullet|metric|markdown|plain|simple)|call me (?!at|back|a))\b)"
    r"|(?:能不能|可不可以|可以|能|麻烦你?|是否可以|请你?)(?=别|不要|以后|用.{1,4}(?:回答|回复)|都用)"
)
"""A question in form, a demand in fact: what follows counts as an imperative."""
_ASKED: Final = re.compile(r"[?？][\s\"'”’」』)）!！]*$|(?:吗|么)[\s。!！~～]*$")
_INDIRECT: Final = re.compile(
    r"\b(?:wonder|wondering|(?:do|would) you know|tell me|let me know|remind me|curious|just asking|explain|check) (?:if|"
    r"whether|when|what|how|which|where|why|who)\b.*",
    re.DOTALL,
)
_IF: Final = re.compile(r"\W*(?:(?:and|but|so|ok|then)\W+)?(?:if|in case|supposing)\b|\W*(?:那|那么)?(?:如果|要是|假如|万一|假使)")
_SUPPOSED: Final = re.compile(
    r"\b(?:if|suppose|supposing|imagine|assuming|say) (?:i|we|my|you|he|she|they|the \w+) (?:were|was|had|hated|liked|loved|"
    r"preferred|could)\b|\b(?:suppose|supposing|imagine|hypothetically|what if|let's say|let's pretend|pretend|"
    r"for the sake of argument|in theory|i wish|as if|would be nice if|used to|had been|for example if|just kidding|only joking|"
    r"just joking)\b"
    r"|开玩笑|假如|假设|假定|设想|打个比方|倘若|(?:如果|要是|万一)(?:我|你|他|她|我们)(?:是|对|有|当时|喜欢|不喜欢|讨厌|过敏|"
    r"吃素)|(?:以前|曾经|小时候|从前|过去)[^，。]{0,8}(?:喜欢|爱|讨厌|不|怕)"
)
_REPORTED: Final = re.compile(
    r"\b(?:(?!i\b|we\b|you\b|as\b)(?:he|she|they|it|who|people|everyone|(?:my|the|his|her|their|our|a) (?:[a-z]+ ){0,2}?[a-z]+|"
    r"[a-z]+))\s+(?:also |always |just |once |never )?(?:says?|said|told|tells|asked|asks|wrote|writes|thinks|thought|claims?|"
    r"claimed|"
    r"believes|insists|insisted|mentioned|replied|recommends?|recommended|suggests?|suggested|warned|keeps? (?:saying|telling)|"
    r"reads?:|goes:)\b|\baccording to\b|\b(?:quote|quoting|the (?:song|book|film|movie|sign|article|email|review)) (?:says|goes|"
    r"is called|titled)?"
    r"|(?:他们?|她们?|老板|同事|朋友|有人|人家|医生|大夫|导游|书上|网上|老师|妈妈?|爸爸?|老婆|老公|客户|经理|领导|家人|"
    r"孩子)(?:们)?(?:刚|总|老|常|都|也|曾|就)?(?:跟我|对我|和我)?(?:说|讲|告诉我|认为|觉得|问|写道|提到|表示)"
)
_TRUSTED: Final = re.compile(
    r"\b(?:doctor|physician|gp|dentist|dietitian|nutritionist|therapist|midwife|cardiologist|lawyer)\b|医生|大夫|医嘱"
)
"""Whose advice binds the user."""


def level(text: str) -> str:
    """Return a text in lower case with straight apostrophes; quoted words stay."""
    return text.replace("’", "'").replace("‘", "'").lower()


def plain(sentence: str) -> str:
    """Return a sentence in lower case with straight apostrophes and quoted words blanked out."""
    return _QUOTED.sub(_BLANK, sentence.replace("’", "'").replace("‘", "'")).lower()


def is_supposed(text: str) -> bool:
    """Say whether a sentence imagines something, or tells what was once."""
    return bool(_SUPPOSED.search(text))


def stated(text: str) -> str:
    """Return what a plain sentence states; the clauses that ask are blanked out.

    A question's last clause asks where no clause shows it: "I'm allergic to nuts, okay for you?" states an allergy.
    """
    text = _INDIRECT.sub(_BLANK, _DEMANDS.sub(_BLANK + " ", text))
    if not _ASKED.search(text):
        return text
    if _BLANK + " " in text:
        return text.rstrip("?？ ")
    clauses = [match.group() for match in _CLAUSE.finditer(text) if match.group()]
    asking = [bool(_ASKS.search(clause)) for clause in clauses]
    if not any(asking):
        asking[-1:] = [True]
    asking = [asks or bool(_IF.match(clause)) for asks, clause in zip(asking, clauses, strict=True)]
    return "".join(_BLANK if asks else clause for clause, asks in zip(clauses, asking, strict=True))


def reported_from(text: str) -> int:
    """Return where the words of somebody else begin in a plain sentence; its length if nowhere.

    What a doctor says counts as the user's own.
    """
    for match in _REPORTED.finditer(text):
        if not _TRUSTED.search(match.group()):
            return match.end()
    return len(text)

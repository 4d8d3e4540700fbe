"""What in a message states nothing: what is supposed, quoted, asked, pasted, or about another errand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.sentences import sentences
from langchain_contextmode.task.extract.choices import word

if TYPE_CHECKING:
    from langchain_contextmode.task.extract.mention import Mention

_UNREAL: Final = re.compile(
    r"\b(?:what if|(?<!see )(?<!check )(?<!out )(?<!fine )(?<!great )if (?:we|i|you|it|they|the|there)"
    r"|suppose|supposing|would it (?:be|cost)|imagine|hypothetically|in case|for example"
    r"|e\.g\.|used to|previous|there were|last (?:time|year|month|week))\b"
    r"|\b(?:we|i|they|he|she) (?:once )?(?:went|stayed|paid|visited|flew|travell?ed)\b"
    r"|[去住来吃]过|如果|要是|假如|假设|万一|比如|上次|去年|以前",
    re.IGNORECASE,
)
_ABOUT_IT: Final = re.compile(
    r"(?i:\bhow \w+ (?:is|are|does|do|though)\b)|(?i:\bwhether\b)"
    r"|(?:^\s*|[.!?,;]\s*|\b(?i:and|confirm) )(?i:is|are|was|were|does|do|did|has|have) (?:(?i:it|this|that|these|they|the|their|its|he"
    r"|she)\b|[A-Z]\w+)"
    r"|(?i:^\s*(?:and |so |but )?(?:this|that|it|they)\b[^?]*\?)"
    r"|(?i:\b(?:is|are|were)\b(?! there\b)[^?.,]*\b(?:permitted|allowed|included|possible|available)\s*\?)"
    r"|(?i:^\s*(?:what|which|who|where)(?:'s| is| are| was)?\b[^?]*\?)|(?i:^\s*how (?:much|many|far|long|expensive|good)\b[^?]*\?)"
)
_HAN_ASKS: Final = re.compile(r"是否|有没有|吗|么[?\uff1f]|多少|怎么样")
_HAN_WHETHER: Final = re.compile(r"是否|有没有|提不提供|支不支持|能不能提供|是不是|吗|么[?]")
_HAN_THIS: Final = re.compile(r"这[家个间里]|那[家个间里]|它|他家|该")
_HAN_SEEKS: Final = re.compile(r"找|推荐|想|订|希望|最好|安排|帮|给我|换|改|需要|选")
_HAN_WANTS: Final = re.compile(r"有[^,。]{2,40}的[^,。]{0,6}(?:吗|么|呢)|想|要|找|推荐|帮我|订|希望|最好|打算|喜欢|选")
_ERRAND_GROUPS: Final = (
    ("restaurant", "table", "dining", "meal", "dinner", "lunch"),
    ("hotel", "room", "hostel", "accommodation"),
    ("cab", "taxi", "ride"),
    ("car",),
    ("flight", "plane"),
    ("bus", "coach"),
    ("train",),
    ("movie", "film", "cinema", "theater"),
    ("song", "music", "album"),
    ("therapist", "doctor", "dentist", "psychologist", "psychiatrist", "appointment"),
    ("stylist", "salon", "haircut"),
    ("apartment", "house", "property", "home"),
    ("weather", "forecast"),
    ("event", "concert", "game", "show"),
    ("museum", "attraction"),
    ("account",),
)
"""What people ask assistants for; the words of a group mean one errand."""
_ERRANDS: Final = [word for group in _ERRAND_GROUPS for word in group]
_ERRAND: Final = re.compile(
    r"\b(?:need|find|get|book|reserve|rent|want|use|like|try|(?:what|how) about|look(?:ing)? (?:for|up)"
    r"|search(?: for)?|check|call|order|how(?:'s| is| will)|what(?:'s"
    r"| is| will))\b[^.!?]{0,40}?"
    rf"\b({'|'.join(_ERRANDS)})s?\b",
    re.IGNORECASE,
)
_WEATHER: Final = re.compile(r"\b(weather|forecast)\b", re.IGNORECASE)
_QUOTING: Final = re.compile(
    r"(?i:\b(?:he|she|they|you|(?:my|our|the) (?:\w+ ){0,2}\w+) "
    r"(?:said|says|wrote|asked|told|suggested|wants?|prefers?|likes?)\b)"
    r"|\b(?!I )[A-Z]\w+ (?:said|says|wrote|asked|told|suggested|thinks)\b|^\s*>"
    r"|(?:[他她你您妈爸婆公友事生服人们员师姐哥弟妹板]说)(?!明|话|错|一)"
)
_OF_OTHERS: Final = re.compile(
    r"^\s*(?:my|his|her|their|a) (?:\w+ )?(?:friend|brother|sister|wife|husband|boss|colleague|mom|dad|mother|father|neighbou?r|son"
    r"|daughter|uncle|aunt|cousin|partner|roommate)s?\b(?! and (?:i|me)\b)[^.!?]*"
    r"\b(?:paid|bought|had|got|used|spent|took|booked|ordered|went|stayed|lived?s?|owns?)\b",
    re.IGNORECASE,
)
_HAN_EITHER: Final = re.compile("还是[^。吧]{0,16}(?:呢|[?\uff1f])")
_WHY: Final = re.compile(r"^\s*(?:why|do (?:we|i) (?:need|want|have)|did you|have you)\b[^?]*\?|^\s*(?:为什么|为何)", re.IGNORECASE)
_NEAR_NOUN: Final = 30


def says_nothing(sentence: str) -> bool:
    """Say whether a sentence only supposes, quotes, or asks what something is like."""
    if any(pattern.search(sentence) for pattern in (_UNREAL, _QUOTING, _OF_OTHERS, _ABOUT_IT, _WHY, _HAN_EITHER)):
        return True
    return not sentence.isascii() and bool(_HAN_ASKS.search(sentence)) and not _HAN_WANTS.search(sentence)


def other_errand(sentence: str, words: str) -> bool:
    """Say whether a sentence asks for something else than the task is about: "I need a cab there" while a bus is booked."""
    own = [group for group in _ERRAND_GROUPS if any(word(noun).search(words) for noun in group)]
    if not own:  # the declaration does not say what it is about
        return False
    asked = [match.group(1).lower() for pattern in (_ERRAND, _WEATHER) for match in pattern.finditer(sentence)]
    return bool(asked) and not any(noun in group for noun in asked for group in own)


def own_words(window: str) -> str:
    """Return a text with code, quoted mail and pasted material blanked out, each character in its place."""
    kept = ["\n" if char == "\n" else " " for char in window]
    for start, end in sentences(window):
        kept[start:end] = window[start:end]
    return "".join(kept)


def only_asked(text: str, mention: Mention) -> bool:
    """Say whether a Chinese clause only asks whether something has a property: 这家酒店有没有停车场."""
    if text.isascii():
        return False
    start = max(text.rfind(border, 0, mention.start) for border in ",;。") + 1
    end = min((at for border in ",;。" if (at := text.find(border, mention.end)) >= 0), default=len(text))
    if _HAN_SEEKS.search(text, start, end):
        return False
    asks = _HAN_WHETHER.search(text, start, mention.start)
    return bool(_HAN_THIS.search(text, start, mention.start) and _HAN_WHETHER.search(text, start, end)) or bool(
        asks and "的" not in text[mention.end : mention.end + _NEAR_NOUN]
    )

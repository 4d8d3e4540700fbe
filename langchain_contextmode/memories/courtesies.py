"""What of a request is only courtesy: thanks, goodbyes, agreement, closing words. Memory is not searched for them (M5)."""

from __future__ import annotations

import re
from typing import Final

_NEW_REQUEST: Final = "can|could|would|now|find|what|where|when|which|how|please|and|but|also|i|do|does|is|are"
_PRAISE: Final = "good|great|nice|cool|fine|perfect|lovely|ok|okay|correct|right|awesome"
_ENGLISH: Final = (
    (
        r"(?:many |no |big )?thanks?(?: (?:you|u))?(?: (?:again|so much|very much|a (?:lot|bunch|million|ton)|once again))*"
        rf"(?: (?:for|to) (?:(?!\b(?:{_NEW_REQUEST})\b)[^.!?,;])*)?"
    ),
    r"thx|ty|cheers|(?:good ?)?bye(?: bye)?|see (?:you|ya)(?: (?:later|soon|around))?|take care",
    r"that(?:'|\u2019)?s (?:it|all|everything)(?: (?:i need(?:ed)?|for (?:now|today)))*",
    r"(?:that|it)(?: wi|'|\u2019)?ll be (?:it|all)|that is (?:it|all)",
    r"(?:there is |there's |i need )?nothing (?:else|more|further)",
    (
        r"(?:i )?(?:don'?t|do not|won'?t) (?:need|want) (?:any(?:thing)?|more|further)(?: (?:any|more|else|further|other))*"
        r"(?: (?:help|assistance|info(?:rmation)?))?(?: from you)?(?: (?:on|with|about) (?:the|this) matter)?"
    ),
    r"(?:(?:i|we|really|very|much) )*appreciate(?:d)? (?:it|that|(?:(?:all|your|the) )*(?:help|hard work|work|time|assistance))",
    r"have an? (?:\w+ )?(?:day|night|evening|one|time|weekend)",
    r"you(?:'ve| have)? (?:been|were|are) (?:so |very |really |most )*helpful",
    rf"(?:(?:that|it|this) )?sounds? (?:very |really |so )?(?:{_PRAISE})",
    rf"(?:that|it|this)(?:'s| is| works)(?: (?:{_PRAISE}))?",
    rf"{_PRAISE}|wonderful|excellent|amazing|yes|yeah|yep|no(?:pe)?|sure|all ?right",
    r"for (?:now|today)|hi|hello|hey|good (?:morning|afternoon|evening|night)",
)
_CHINESE: Final = (
    (
        r"(?:真的?是?|实在是?|还是|很|太|非常|十分|多)*(?:谢谢|感谢|多谢)(?:你|您)?们?"
        r"(?:(?:为我|耐心)?的?(?:推荐|帮助|解答|介绍|查询|帮忙|回答|服务|耐心|这么多|亲爱的))*"
    ),
    r"再见|拜拜|886|88|回见|我?(?:没有?|没什么)(?:其[他它]|别的|什么|任何)*的?问题(?:要问|需要问|问)?",
    r"(?:我的?)?(?:问题|想问的)?都?问(?:完|了这么多|好)|我?(?:收到|清楚|知道|明白)了?|[先就](?:这样|这么定|到这)|没关系的?|不客气",
    r"(?<![\u4e00-\u9fff])(?:[你您]?好的?|(?:我看)?(?:可以|行(?!李)|不错)|没有|没|是的?|对的?|非常好)|嗯+|恩+|哦+|噢+|贴心|真是",
    r"[了啊呀哈啦吧呢的]+(?=\W|$)",
)
_EITHER: Final = re.compile(rf"\b(?:{'|'.join(_ENGLISH)})\b|{'|'.join(_CHINESE)}", re.IGNORECASE)


def without_courtesies(text: str) -> str:
    """Return what is left of a request beside courtesies; a request that stands in the same message stays."""
    return _EITHER.sub(" ", text)

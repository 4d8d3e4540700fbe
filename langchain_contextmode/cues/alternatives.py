"""Choices of which one excludes the others: who wants the aisle no longer wants the window."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

REMEMBERED: Final = 2_048
"""Sentences whose parts are remembered: each pin is compared with many others."""

_GROUPS: Final[dict[str, str]] = {
    "language": "english/英文|英语 german/德语|德文 french/法语|法文 spanish/西班牙语 italian/意大利语 portuguese/葡萄牙语 dutch/荷兰语 chi"
    "nese|mandarin/中文|汉语|普通话 cantonese/粤语 japanese/日语|日文 "
    "korean/韩语|韩文 russian/俄语 arabic/阿拉伯语 turkish/土耳其语 polish/波兰语 swedish danish norwegian finnish hindi greek "
    "czech ukrainian vietnamese thai hebrew",
    "length": "short|brief|concise|terse|shorter|briefly/简短|简洁|精简|短 long|detailed|longer|in_depth|thorough|detail/详细|长",
    "layout": "bullets?|bullet_points?|bulleted/要点|分点|条目 tables?/表格 prose|"
    "paragraphs?/段落 json yaml markdown plain_text/纯文本 csv",
    "tone": "formal|formally/正式|敬语 informal|informally|casual|casually/口语|随意",
    "units": "metric|kilomet(?:er|re)s?|km/公里 imperial|miles/英里 celsius/摄氏 fahrenheit/华氏",
    "seat": "window/靠窗 aisle/靠过道|过道 middle_seat",
    "smoking": "smoking/吸烟房 non-smoking|smoke-free/无烟",
    "gears": "manual/手动挡|手动 automatic/自动挡|自动",
    "theme": "dark_(?:mode|theme)/深色 light_(?:mode|theme)/浅色",
    "indent": "tabs spaces",
    "meat": "vegetarian/吃素|素食 vegan/纯素 pescatarian",
    "way": "trains?|rail/火车|高铁 planes?|fly|flying|flights?/飞机 bus|buses|coach/大巴|公交 car|drive|driving/开车|自驾 taxis?|"
    "cabs?/打车|出租车 metro|subway/地铁 bike|cycling/骑车 walk|walking/步行|走路",
    "daytime": "mornings?/早上|上午 afternoons?/下午 evenings?/晚上|傍晚 nights?/夜里",
    "drink": "tea/茶 coffee/咖啡 wine/红酒 beer/啤酒 water/水 juice/果汁",
    "taste": "spicy|hot/辣 mild/清淡|微辣 sweet/甜",
    "place": "indoors?/室内 outdoors?|outside/室外|户外",
    "lodging": "hotels?/酒店 hostels?/青旅 apartments?|flats?/公寓 airbnb/民宿",
    "payment": "cash/现金 card|credit_card/信用卡|刷卡",
    "size": "small|compact/小 large|big/大",
    "channel": "e-?mail/邮件 phone|call/电话 text|sms/短信 chat|whatsapp/微信",
}
SINGLE: Final = ("language", "length", "layout", "tone", "units", "seat", "smoking", "gears", "theme", "indent")
"""One value at a time: another one replaces it without further words."""

FORMAL: Final = ("language", "length", "layout", "tone", "units")
"""Of these, only demands on the form of answers are told apart: German wine is no language to answer in."""

LASTING: Final = ("meat", "way", "daytime", "drink", "taste", "place", "lodging", "payment", "size", "channel")
"""Several may be liked: another one replaces it only with a cue of change."""


def _pattern(choice: str) -> re.Pattern[str]:
    latin, _, wide = choice.partition("/")
    words = rf"(?<![\w-])(?:{latin.replace('_', '[ -]')})(?![\w-])"
    return re.compile(f"{words}|{wide}" if wide else words)


_CHOICES: Final = {
    name: tuple((re.split(r"[|/(]", choice)[0], _pattern(choice)) for choice in choices.split()) for name, choices in _GROUPS.items()
}


def without(name: str, text: str) -> str:
    """Return a text without the words of a group."""
    for _, pattern in _CHOICES[name]:
        text = pattern.sub(" ", text)
    return text


@lru_cache(maxsize=8 * REMEMBERED)
def members(name: str, text: str) -> frozenset[str]:
    """Return the words by which a lower-case text chooses among the alternatives of a group; translations are one choice.

    A choice is named by its first word.
    """
    return frozenset(choice for choice, pattern in _CHOICES[name] if pattern.search(text))

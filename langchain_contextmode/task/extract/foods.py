"""What to eat, for a field that holds a dish or a cuisine: "serving Greek", "in the mood for Ramen", 想吃麻辣香锅, 有炸窝头的餐馆."""

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.task.extract.spelled import VALUE

FOOD: Final = re.compile(r"\b(?:food|cuisine|dish(?:es)?|meal)\b|菜|美食|口味|食物|小吃", re.IGNORECASE)
"""Words of a field that holds something to eat."""

_PLACE: Final = "餐馆|餐厅|饭店|饭馆|酒楼|小吃店|店"
_DISH: Final = r"这(?:[道个种俩样些]|[两几]道)菜"
_NONE: Final = (
    r"(?!什么|啥|哪|谁|多|几|[一两]|[这那它其别]|没|个|些|点|人|空|意|机会|推荐|适|合适|[很更最挺太]|好[吃玩的地处]?|就|不|地|位|名|特色|口"
    r"|味|餐|饭|酒店|宾馆|住|宿|早|午|晚|夜|喝|完|过|得|了|的|东西|顿|菜)"
)
_NO_FOOD: Final = (
    r"(?!(?i:some|any|all|the|that|this|good|great|nice|best|fresh|tasty|delicious|cheap|local|other|different|same|more|food|meals?"
    r"|dishes|lunch|dinner|breakfast|brunch|there|here|out|outside|somewhere|anything|with|kinds?|types?|sort|what|which|something|it"
    r"|them|one|your|their|my|alcohol|drinks?|customers|people|tables?|places?|restaurants?|reservation)\b)"
)
_LOWER: Final = rf"{_NO_FOOD}(?P<name>[a-z]{{3,}}(?:(?: and| &)? [a-z]{{3,}})??)"
_HAN: Final = rf"{_NONE}(?P<name>[一-鿿·]{{2,12}}?)"
PATTERNS: Final = (
    re.compile(
        rf"\b(?i:serv(?:es?|ing)|mood for|craving|eat|have)\s+(?i:some |a |the )?(?i:good |fresh |nice )?{VALUE}(?! (?i:at|by|on)\b)"
    ),
    re.compile(
        r"\b(?i:serv(?:es?|ing)|mood for|craving|(?:want|like|love) to (?:eat|have|try))\s+(?i:some |a |the )?"
        rf"{_LOWER}(?= (?:food|cuisine|dishes|in|near|for)\b|[.,!?]|$)"
    ),
    re.compile(rf"\b(?:some|like|want|find|love|good|nice|for|of)\s+{_LOWER} (?:food|cuisine|dishes)\b"),
    re.compile(rf"{VALUE} (?i:food|cuisine|dishes)\b"),
    re.compile(rf"(?:[想要爱]吃|去吃|能?吃到|品尝|尝尝){_HAN}(?={_DISH}|[,，。!！?？;；、的呢吧啊呀了吗]|$|\s)"),
    re.compile(rf"(?<!没)有(?:道)?{_HAN}(?=(?:{_DISH}(?:肴|品)?)?的(?:{_PLACE})|{_DISH})"),
    re.compile(rf"(?:[能会]做|供应|菜里?要?有){_HAN}(?=做?得|{_DISH}|的(?:{_PLACE})|[,，。!！?？]|$)"),
)
"""English names are capitalised; Chinese ones stand between a verb of eating or having and a word that ends them."""

"""Names and other free text after words that point at a field: "the hotel is Casa Azul", "from Oslo to Lisbon", 去里斯本.

Precision first: English names are capitalised or quoted, Chinese ones stand between a cue and a word that ends them.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.foods import FOOD, PATTERNS
from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.patterned import matching
from langchain_contextmode.task.extract.spelled import HAN, VALUE, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from langchain_contextmode.task.types import FieldSpec

_LINK: Final = r"(?:\s+(?:name|called|named|should be|would be|will be|is|be|to be)){0,2}\s*(?:[:=]\s*|\s)"
_ORIGIN: Final = re.compile(
    r"\b(?:from|origin|leaving|departs?|departing|departure (?:city|airport|station)|start(?:s|ing)?(?: city)?"
    r"|source|pick.?up)\b|出发|起点|始发",
    re.IGNORECASE,
)
_TARGET: Final = re.compile(
    r"\b(?:to|destination|going|arriv\w+|travel(?:l?ing)? to|visit\w*|drop.?off|heading)\b|目的地|到达|前往|终点|去", re.IGNORECASE
)
_PLACE: Final = re.compile(
    r"\b(?:city|location|area|town|place|where|located|in|near|region)\b|城市|位置|地点|区域|地区|附近", re.IGNORECASE
)
_CHANGE: Final = r"chang\w*|switch\w*|mov\w*|updat\w*|set|correct"
_FROM: Final = rf"\b(?i:from|leaving|departing|out of)\s+{VALUE}"
_TO: Final = (
    r"(?i:(?<!thanks )(?<!due )(?<!next )(?<!close )(?<!talk )(?<!speak )(?<!send )(?<!write )(?<!listen )(?<!according )(?<!transfer ))"
    rf"\b(?i:to|towards|visit(?:ing)?|into|for(?= [A-Z][a-z]+[,.]? (?:on|from|leaving|departing)))\s+{VALUE}"
)
_IN: Final = rf"\b(?i:in|near|around)\s+{VALUE}"
_CITY: Final = re.compile(r"\b(?:city|town)\b|城市", re.IGNORECASE)
_NO_SITE: Final = (
    r"(?<!Airport)(?<!Station)(?<!Terminal)(?<!Depot)(?<!Hotel)(?<!Center)(?<!Mall)(?! (?:Airport|Station|Terminal|Depot|Hotel|Center"
    r"|Mall))"
)

_HAN_LEAD: Final = r"(?:就?[去住订选定]|入住|预订|选择|决定|[换改]成|[换改]到|改住|名字?叫)"
_SUFFIXES: Final = {
    "酒店|宾馆|hotel": "酒店|宾馆|饭店|旅馆|客栈|公寓|民宿",
    "餐馆|餐厅|restaurant": "餐厅|餐馆|饭店|饭馆|酒楼|酒家|火锅|食府|烤鸭店|包子铺",
}
_SITE: Final = (
    r"(?:Restaurant|Caf[eé]|Grill|Bar|Bistro|Kitchen|House|Inn|Hotel|Resort|Hostel|Suites|Motel|Theat(?:er|re)|Cinema|Museum|\w+['’]s)"
)
_AT: Final = rf"\b(?i:at|try|visit)\s+(?=(?:[\w'’&.-]+ ){{0,4}}{_SITE}\b){VALUE}"
_VENUE: Final = re.compile(r"(?:_| |^)name$|^(?:hotel|restaurant|venue|place|cinema|theat(?:er|re))$", re.IGNORECASE)
_PERSON: Final = re.compile(
    r"^(?:(?:your|my|full|first|last|user|customer|guest|client|contact|passenger|traveller|person|caller) ?)*name$"
    r"|^(?:contact|passenger|guest|customer|caller)$|^(?:姓名|名字|联系人|称呼|乘客|客人)$",
    re.IGNORECASE,
)
_CALLED: Final = re.compile(
    r"\b(?i:call me|i am called|i'm called|i go by|(?:it'?s|booking|reservation|table|it)(?: is)? under(?: the name(?: of)?)?)"
    rf"\s+{VALUE}"
)
_HAN_CALLED: Final = re.compile(r"(?:我叫|叫我|我的名字[是叫])(?P<name>[一-鿿·]{2,8}?)(?=[,，。!！?？;；、\s吧就]|$)")
_HAN_END: Final = r"(?=[,，。!！?？;；、\s吧了吗呢的啊呀玩旅出住吃看附]|不|就|和|那|游玩|工作|预订|预定|$)"
_HAN_NAME: Final = rf"(?P<name>{HAN}{{2,12}}?){_HAN_END}"
_HAN_TO: Final = (
    rf"(?:想去|要去|改去|(?<![过失])去|前往|飞往|飞到?|抵达|(?<![换改提调移挪降推延等拿看找想得买])到)(?!了|底|时"
    rf"|达|哪|那|这|年|月|日){_HAN_NAME}"
)
_HAN_FROM: Final = r"从(?P<name>[一-鿿]{2,8}?)(?=出发|到|去|飞|坐|走|开)"
_HAN_LINK: Final = r"(?:的?名字)?(?:就)?(?:叫做?|是|为|选|住|换成|改成|改到|改为|换到|定|[:：]|在)"
_SITES: Final = ("hotel", "restaurant", "hostel", "inn", "motel", "cafe", "airport", "station", "museum")
_PLACE_ONLY: Final = re.compile(r"\b(?:city|town)\b|城市", re.IGNORECASE)
_MOST_WORDS: Final = 8


_IN_ROLE: Final = {
    "origin": (re.compile(_FROM), re.compile(_HAN_FROM)),
    "target": (re.compile(_TO), re.compile(_IN.replace("in|near|around", "in")), re.compile(_HAN_TO)),
    "way": (re.compile(_TO), re.compile(_HAN_TO)),
    "place": (re.compile(_IN),),
    "venue": (re.compile(_AT),),
    "person": (_CALLED, _HAN_CALLED),
    "food": PATTERNS,
}


def names(text: str, fields: Sequence[FieldSpec]) -> Iterator[Mention]:
    """Yield names after cues.

    Args:
        text: The message.
        fields: All fields; those that hold no free text are skipped.
    """
    texts = [field for field in fields if field.kind == "text"]
    roles = {field.name: role_of(field) for field in texts}
    shared = Counter(cue for field in fields for cue in set(field.cues))
    for field in texts:
        place = bool(_PLACE_ONLY.search(field.name.replace("_", " ")))
        if field.pattern:
            yield from matching(text, field)
            continue
        for pattern in _patterns(field.cues, tuple(cue for cue in field.cues if shared[cue] == 1), _only(field.name, roles)):
            for match in pattern.finditer(text):
                group = "quoted" if match.groupdict().get("quoted") else "name"
                start, end = trimmed(text, *match.span(group))
                if text[start:end].lower() in {*shared, *_SITES} or (place and text[start:end].lower().endswith(_SITES)):
                    continue
                if end > start and len(text[start:end].split()) <= _MOST_WORDS:
                    yield Mention("text", text[start:end], start, end, fields=(field.name,), named=True)


def _only(name: str, roles: dict[str, str]) -> str:
    """Return a field's role if no other field has it too, or if it is the city beside one other place of the same role."""
    role = roles[name]
    if role == "target" and "origin" in roles.values():
        roles = {other: "way" if others_role == "target" else others_role for other, others_role in roles.items()}
        role = "way"
    same = [other for other, others_role in roles.items() if others_role == role]
    if not role or len(same) == 1:
        return role
    cities = [other for other in same if _CITY.search(other.replace("_", " "))]
    return f"{role} city" if len(same) == 2 and cities == [name] else ""  # noqa: PLR2004


def role_of(field: FieldSpec) -> str:
    """Return what a field names: a place (`origin`, `target`, `place`, `venue`), a `person`, `food`; empty: none of them."""
    said = f"{field.name.replace('_', ' ')} {field.description} {' '.join(field.cues)}"
    name = field.name.replace("_", " ")
    if _PERSON.search(name):
        return "person"
    if _VENUE.search(name) or "名称" in name:
        return "venue"
    for role, pattern in (("origin", _ORIGIN), ("target", _TARGET), ("place", _PLACE)):
        if pattern.search(name):
            return role
    if FOOD.search(said):
        return "food"
    for role, pattern in (("origin", _ORIGIN), ("target", _TARGET), ("place", _PLACE)):
        if pattern.search(said):
            return role
    return ""


@lru_cache(maxsize=512)
def _patterns(cues: tuple[str, ...], own: tuple[str, ...], role: str) -> tuple[re.Pattern[str], ...]:
    """Return what names after a field's cues, before those that are its alone, and in its role look like."""
    city = role.endswith(" city")
    role = role.removesuffix(" city")
    found = _after(cues) + [re.compile(pattern.pattern + _NO_SITE) if city else pattern for pattern in _IN_ROLE.get(role, ())]
    if city and role == "origin":
        found.append(re.compile(_IN + _NO_SITE))
    if role == "venue":
        found += _han_venues(cues)
    elif before := _alternatives(cue for cue in own if cue.isascii()):
        found.append(re.compile(rf"(?<=[a-z,] ){VALUE} (?i:{before})(?![\w-])"))
    return tuple(found)


def _after(cues: Sequence[str]) -> list[re.Pattern[str]]:
    found = []
    if cued := _alternatives(cue for cue in cues if cue.isascii()):
        found.append(re.compile(rf"(?<![\w-])(?i:{cued}){_LINK}{VALUE}"))
        found.append(
            re.compile(rf"(?i:{_CHANGE})\s+(?i:the |my |our |your )?(?i:{cued})(?i:\s+from [\w' ]{{1,30}})?\s+(?i:to|into)\s+{VALUE}")
        )
    if cued := _alternatives(cue for cue in cues if not cue.isascii()):
        found.append(re.compile(rf"(?:{cued}){_HAN_LINK}{_HAN_NAME}"))
    return found


def _alternatives(cues: Iterable[str]) -> str:
    """Return cues as one pattern, the longest first; prepositions have patterns of their own."""
    return "|".join(sorted((re.escape(cue) for cue in cues if cue not in {"to", "from", "in", "at"}), key=len, reverse=True))


def _han_venues(cues: tuple[str, ...]) -> list[re.Pattern[str]]:
    kind = next((suffixes for words, suffixes in _SUFFIXES.items() if any(word in " ".join(cues) for word in words.split("|"))), "")
    if not kind:
        return []
    part = "[一-鿿A-Za-z0-9·()]"
    name = rf"(?:(?![一这那的哪个家附几]){part})(?:(?!{_HAN_LEAD}){part}){{0,20}}?(?:{kind})(?:\([^()]{{1,16}}\))?"
    return [re.compile(rf"{_HAN_LEAD}(?P<name>{name})(?!周边|附近|的)")]

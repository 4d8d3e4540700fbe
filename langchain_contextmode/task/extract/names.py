"""Names and other free text after words that point at a field: "the hotel is Casa Azul", "from Oslo to Lisbon", 去里斯本.

Precision first: English names are capitalised or quoted, Chinese ones stand between a cue and a word that ends them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.mention import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.task.types import FieldSpec

_QUOTED: Final = r"[\"“'‘「《](?P<quoted>[^\"”'’」》\n]{1,60})[\"”'’」》]"  # noqa: RUF001
_PART: Final = r"[A-ZÀ-Þ][\w'’&-]*\.?"  # noqa: RUF001
_NAME: Final = rf"(?P<name>{_PART}(?:(?: |, (?=[A-Z]{{2}}\b))(?:(?:of|de|la|le|el|the|del|da|do|von|van|and|&|at|on) )?(?:{_PART}|\d+))*)"
_CAPITALISED: Final = re.compile(_NAME)
_VALUE: Final = rf"(?:{_QUOTED}|(?:the )?{_NAME})"
_LINK: Final = r"(?:\s+(?:name|city|to|called|named|should be|would be|will be|is|be|at|in)){0,3}\s*(?:[:=]\s*|\s)"
_NOT_NAMES: Final = frozenset(
    "I The A An My We You It Is Are Do Does Can Could Would Will What When Where Which How Who Please Yes No Ok Okay Thanks Thank Sure That This There "
    "These Then And But Or If So For Not Any Some Also Actually Sorry Instead Maybe Let Make Book Find Change AM PM Monday Tuesday Wednesday Thursday "
    "Friday Saturday Sunday January February March April May June July August September October November December Today Tomorrow Great".split()  # noqa: SIM905
)
_ORIGIN: Final = re.compile(
    r"\b(?:from|origin|leaving|departs?|departing|departure (?:city|airport|station)|start(?:s|ing)?(?: city)?|source|pick.?up)\b|出发|起点|始发",
    re.IGNORECASE,
)
_TARGET: Final = re.compile(
    r"\b(?:to|destination|going|arriv\w+|travel(?:l?ing)? to|visit\w*|drop.?off|heading)\b|目的地|到达|前往|终点|去", re.IGNORECASE
)
_PLACE: Final = re.compile(
    r"\b(?:city|location|area|town|place|where|located|in|near|region)\b|城市|位置|地点|区域|地区|附近", re.IGNORECASE
)
_FROM: Final = rf"\b(?i:from|leaving|departing|out of)\s+{_VALUE}"
_TO: Final = rf"\b(?i:to|towards|visit(?:ing)?|into|for(?= [A-Z][a-z]+[,.]? (?:on|from|leaving|departing)))\s+{_VALUE}"
_IN: Final = rf"\b(?i:in|near|around|at|within)\s+{_VALUE}"
_HAN: Final = r"[一-鿿A-Za-z0-9·]"
_HAN_END: Final = r"(?=[,。!?;、\s吧了吗呢的啊呀玩旅出住吃看附]|不|就|和|那|游玩|工作|预订|预定|$)"  # noqa: RUF001
_HAN_NAME: Final = rf"(?P<name>{_HAN}{{2,12}}?){_HAN_END}"
_HAN_TO: Final = rf"(?:想去|要去|改去|去|前往|飞往|飞到?|抵达|到)(?!了|底|时|达|哪|那|这|年|月|日){_HAN_NAME}"
_HAN_FROM: Final = r"从(?P<name>[一-鿿]{2,8}?)(?=出发|到|去|飞|坐|走|开)"
_HAN_NOT: Final = re.compile(
    r"哪|什么|怎么|多少|几|附近|这里|那里|一下|时候|一家|我们?|你们?|他们?|她们?|明天|后天|今天|周[一二三四五六日]|月|号$|点$|人$|元$|块$"
)
_HAN_LINK: Final = r"(?:的?名字)?(?:就)?(?:叫做?|是|为|选|住|换成|改成|改到|改为|换到|定|:|在)"  # noqa: RUF001
_MOST_WORDS: Final = 8


def names(text: str, fields: Sequence[FieldSpec]) -> Iterator[Mention]:
    """Yield names after cues.

    Args:
        text: The message.
        fields: All fields; those that hold no free text are skipped.
    """
    texts = [field for field in fields if field.kind == "text"]
    roles = {field.name: _role(field) for field in texts}
    for field in texts:
        if field.pattern:
            yield from _matching(text, field)
            continue
        for pattern in _patterns(field.name, field.cues, _only(field.name, roles)):
            for match in pattern.finditer(text):
                group = "quoted" if match.groupdict().get("quoted") else "name"
                start, end = _trimmed(text, *match.span(group))
                if end > start and len(text[start:end].split()) <= _MOST_WORDS:
                    yield Mention("text", text[start:end], start, end, fields=(field.name,), named=True)


def bare_name(text: str) -> tuple[int, int]:
    """Return where a text that is nothing but a name begins and ends; `(0, 0)` if it is more than that."""
    stripped = text.strip().rstrip(".!。!")  # noqa: RUF001
    lead = re.match(
        r"(?i)(?:yes|no|ok(?:ay)?|sure|well|hmm|um|let'?s (?:say|do|go (?:with|to))|how about|make it|i(?:'d| would) (?:like|prefer)|maybe|好的?|就|那就|嗯)[,,]?\s*(?:to |the |in |at )?",
        stripped,
    )  # noqa: RUF001
    start = text.find(stripped) + (lead.end() if lead else 0)
    rest = text[start : text.find(stripped) + len(stripped)]
    words = rest.split()
    if not rest or len(words) > 5 or re.search(r"[,,;?。?!]", rest):  # noqa: PLR2004, RUF001
        return 0, 0
    if not rest.isascii():
        return (start, start + len(rest)) if len(rest) <= 12 and not _HAN_NOT.search(rest) and re.fullmatch(rf"{_HAN}+", rest) else (0, 0)  # noqa: PLR2004
    capital = _CAPITALISED.fullmatch(rest)
    return (start, start + len(rest)) if capital and words[0] not in _NOT_NAMES else (0, 0)


def _only(name: str, roles: dict[str, str]) -> str:
    """Return a field's role (`origin`, `target`, `place`) if no other field has it too."""
    role = roles[name]
    return role if role and sum(other == role for other in roles.values()) == 1 else ""


def _role(field: FieldSpec) -> str:
    said = f"{field.name.replace('_', ' ')} {field.description} {' '.join(field.cues)}"
    name = field.name.replace("_", " ")
    for role, pattern in (("origin", _ORIGIN), ("target", _TARGET), ("place", _PLACE)):
        if pattern.search(name):
            return role
    for role, pattern in (("origin", _ORIGIN), ("target", _TARGET), ("place", _PLACE)):
        if pattern.search(said):
            return role
    return ""


@lru_cache(maxsize=512)
def _patterns(name: str, cues: tuple[str, ...], role: str) -> tuple[re.Pattern[str], ...]:
    found = []
    ascii_cues = [re.escape(cue) for cue in cues if cue.isascii() and cue not in {"to", "from", "in", "at"}]
    if ascii_cues:
        found.append(re.compile(rf"(?<![\w-])(?i:{'|'.join(sorted(ascii_cues, key=len, reverse=True))}){_LINK}{_VALUE}"))
    han_cues = [re.escape(cue) for cue in cues if not cue.isascii()]
    if han_cues:
        found.append(re.compile(rf"(?:{'|'.join(sorted(han_cues, key=len, reverse=True))}){_HAN_LINK}{_HAN_NAME}"))
    english = {"origin": _FROM, "target": _TO, "place": _IN}
    chinese = {"origin": _HAN_FROM, "target": _HAN_TO}
    if role in english:
        found.append(re.compile(english[role]))
    if role == "target":
        found.append(re.compile(_IN.replace("in|near|around|at|within", "in")))
    if role in chinese:
        found.append(re.compile(chinese[role]))
    return tuple(found)


def _matching(text: str, field: FieldSpec) -> Iterator[Mention]:
    """Yield the words that match a field's own pattern as a whole."""
    pattern = _compiled(field.pattern or "")
    if pattern is None:
        return
    for match in re.finditer(r"[^\s,;,。;]+", text):  # noqa: RUF001
        word = match.group().strip(".!?\"'()")
        if word and pattern.fullmatch(word):
            start = match.start() + match.group().find(word)
            yield Mention("text", word, start, start + len(word), fields=(field.name,), named=True)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:
        return None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out words that begin a sentence or name a day, and refuse what is no name."""
    value = text[start:end]
    if not value.isascii() and _HAN_NOT.search(value):
        return 0, 0
    words = value.split(" ")
    for i, word in enumerate(words):
        if word.strip(".,") in _NOT_NAMES and (i > 0 or word.strip(".,") != "The"):
            end = start + len(" ".join(words[:i]))
            break
    value = text[start:end].rstrip(" ,.&")
    return (start, start + len(value)) if value else (0, 0)

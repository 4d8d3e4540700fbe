"""From the values that a message names to statements about fields."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.sentences import sentences
from langchain_contextmode.task.extract.choices import _pattern, booleans, choices
from langchain_contextmode.task.extract.corrections import corrects, dropped, moved, refused
from langchain_contextmode.task.extract.dates import dates
from langchain_contextmode.task.extract.durations import amount, durations, moment
from langchain_contextmode.task.extract.mention import Mention, longest
from langchain_contextmode.task.extract.money import money
from langchain_contextmode.task.extract.names import bare_name, names
from langchain_contextmode.task.extract.numbers import numbers
from langchain_contextmode.task.extract.people import people
from langchain_contextmode.task.extract.times import times
from langchain_contextmode.task.types import Found

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.task.types import FieldSpec, Heard

_HEAD_CHARS: Final = 4_000
_TAIL_CHARS: Final = 2_000
_SENTENCE: Final = re.compile(
    r"[^.!?。！？\n]*(?:(?:[.](?=\S)|(?<=\bSt)[.]|(?<=\b[MFD]t)[.]|(?<=\b[MD]r)[.]|(?<=\bM[r]s)[.])[^.!?。！？\n]*)*[.!?。！？\n]*"
)
_HALF_WIDTH: Final = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, ord("、"): ord(",")}
"""Full-width letters, digits and punctuation are read as their half-width twins: one character each, so that places stay."""
_CLAUSE: Final = re.compile(r"[,;，；]|\band\b|\bbut\b|然后|并且|而且", re.IGNORECASE)
_UNREAL: Final = re.compile(
    r"\b(?:what if|(?<!see )(?<!check )(?<!out )(?<!fine )(?<!great )if (?:we|i|you|it|they|the|there)|suppose|supposing|would it (?:be|cost)|imagine|hypothetically|in case|for example"
    r"|e\.g\.|used to|last (?:time|year|month|week))\b"
    r"|如果|要是|假如|假设|万一|比如|上次|去年|以前",
    re.IGNORECASE,
)
_ABOUT_IT: Final = re.compile(
    r"(?i:\bhow \w+ (?:is|are|does|do|though)\b)|(?i:\bwhether\b)"
    r"|(?:^\s*|[.!?,;]\s*|\b(?i:and|confirm) )(?i:is|are|was|were|does|do|did|has|have) (?:(?i:it|this|that|these|they|the|their|its|he"
    r"|she)\b|[A-Z]\w+)"
    r"|(?i:^\s*(?:and |so |but )?(?:this|that|it|they)(?:'s|'re| is| are| was)\b[^?]*\?)|(?i:\b(?:is|are|were)\b[^?.,]*\b(?:permitted|allowed|included|possible)\s*\?)"
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
    r"\b(?:need|find|get|book|reserve|rent|want|use|like|try|(?:what|how) about|look(?:ing)? (?:for|up)|search(?: for)?|check|call|order|how(?:'s| is| will)|what(?:'s"
    r"| is| will))\b[^.!?]{0,40}?"
    rf"\b({'|'.join(_ERRANDS)})s?\b",
    re.IGNORECASE,
)
_WEATHER: Final = re.compile(r"\b(weather|forecast)\b", re.IGNORECASE)
_END_BEFORE: Final = re.compile(
    r"(?:\buntil|\btill|\bup to|\bthrough|\breturn(?:ing)?(?: it)?(?: on)?|\bback(?: on)?|\bdrop(?:ping)?(?: it)? off(?: on)?|\bto"
    r"|[至到])\s+(?:the )?$|[至到]$",
    re.IGNORECASE,
)
_CHANGED_TO: Final = re.compile(r"\b(?:chang|switch|mov|updat|push|shift|set)\w*\b[^.!?]{0,40}\bto (?:the )?$|[改换]到$", re.IGNORECASE)
_END_FIELD: Final = re.compile(r"\b(?:end|return|drop.?off|check.?out|until|last|arriv\w+)\b|返回|离店|退房|结束|还车|到达", re.IGNORECASE)
_COUNTED: Final = re.compile(
    r"\s+(?!of\b|that\b|is\b|with\b|sounds?\b|and\b|or\b|will\b|for\b|in\b|on\b|at\b|else\b|by\b)[a-z]", re.IGNORECASE
)
_POINTED: Final = re.compile(r"\b(?:that|this|the|which|another|any|other|every|no|next|last|first|good|better|an?)\s+$", re.IGNORECASE)
_REFUSING: Final = re.compile(r"\s*(?:anything but|not|no,? not|no)\s+(?:the )?(?=[A-Z\"'“])", re.IGNORECASE)
_CASUAL: Final = re.compile(r"(?:today|tonight|this (?:evening|afternoon|morning)|今天|今晚)$", re.IGNORECASE)
_DONE: Final = re.compile(r"\b(?:done|all|everything|nothing|help\w*|job|enough) for (?:now|the )?$", re.IGNORECASE)
_CASUAL_LEAD: Final = re.compile(r"\b(?:for|on|by|starting|later)\s*$", re.IGNORECASE)
_QUOTING: Final = re.compile(
    r"\b(?:he|she|they|my \w+|the (?:agent|site|website|email|review)) (?:said|says|wrote|asked|told|wants?|prefers?|likes?)\b|^\s*>|他说"
    r"|她说|他们说",
    re.IGNORECASE,
)
_YES: Final = re.compile(
    r"\s*(?:yes|yeah|yep|sure|correct|right|of course|please do|definitely|好的?|是的?|对|要的?|需要|可以)(?![一-鿿\w])", re.IGNORECASE
)
_NO: Final = re.compile(r"\s*(?:no|nope|nah|not really|don'?t|no need|不要|不用|不需要|不了|没有?|不)(?![一-鿿\w])", re.IGNORECASE)
_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "money": ("money", "number"),
    "people": ("people", "integer"),
    "date": ("date", "datetime"),
    "time": ("time", "datetime"),
    "duration": ("duration", "integer", "number"),
    "number": ("integer", "number", "money", "people"),
}
_OWN: Final = {"money": "money", "people": "people", "date": "date", "time": "time", "duration": "duration", "number": ""}
_AMOUNTS: Final = frozenset({"number", "people", "money", "duration"})
_EITHER: Final = re.compile(r"[\s,]*(?:or|and/or|或者?|还是)\s+(?:the |on |at |for |in )*|(?:或者?|还是)", re.IGNORECASE)
_OR_BEFORE: Final = re.compile(r"\w,? or (?:the |an? )?$", re.IGNORECASE)
_OR_AFTER: Final = re.compile(r",? or (?!so\b|better\b|more\b|around\b|anywhere\b|something\b|whatever\b)", re.IGNORECASE)
_NEAR_NOUN: Final = 30
_OR_NEAR: Final = 10
_REACH: Final = 36
_AFTER_WEIGHT: Final = 1.5
_BARE_WORDS: Final = 6


class _Sentence(NamedTuple):
    text: str
    start: int
    corrects: bool


def hear(fields: Sequence[FieldSpec], heard: Heard, values: Mapping[str, Any]) -> list[Found]:
    """Return what a human message says about fields, in the order of the text.

    Local and deterministic. What is not certain is left out: a value that two fields could hold alike, what is only supposed or
    quoted, a range, a relative date without the message's time.

    Args:
        fields: All fields of the task.
        heard: The message.
        values: Current values by field; say what a correction corrects.

    Returns:
        Statements; their spans stand in the text letter by letter.
    """
    found: list[Found] = []
    words = " ".join(f"{field.name} {field.description} {' '.join(field.cues)}" for field in fields).lower()
    words = " ".join((words, *(name.lower() for field in fields for choice in field.choices for name in choice.names)))
    said, heard = heard.text, heard._replace(text=heard.text.translate(_HALF_WIDTH), asked=heard.asked.translate(_HALF_WIDTH))
    for start, window in _windows(heard.text):
        for match in _SENTENCE.finditer(_own(window)):
            text = match.group()
            if _other_errand(text, words):  # the rest is about it
                break
            if text.strip() and not _says_nothing(text):
                found += _Reader(fields, heard, values, _Sentence(text, start + match.start(), corrects(text))).read()
    if not found:
        found = _answers(fields, heard)
    found = [_as_said(item, said) for item in _settled(found)]
    return sorted(found, key=lambda item: (item.start, item.field))


def _as_said(item: Found, said: str) -> Found:
    """Return a statement with its span, and its value if that is a copy of it, in the letters of the message."""
    span = said[item.start : item.start + len(item.span)]
    return item._replace(span=span, value=span if item.value == item.span else item.value)


def _says_nothing(sentence: str) -> bool:
    """Say whether a sentence only supposes, quotes, or asks what something is like."""
    if any(pattern.search(sentence) for pattern in (_UNREAL, _QUOTING, _ABOUT_IT)):
        return True
    return not sentence.isascii() and bool(_HAN_ASKS.search(sentence)) and not _HAN_WANTS.search(sentence)


def _other_errand(sentence: str, words: str) -> bool:
    """Say whether a sentence asks for something else than the task is about: "I need a cab there" while a bus is booked."""
    own = [group for group in _ERRAND_GROUPS if any(_pattern(noun).search(words) for noun in group)]
    if not own:  # the declaration does not say what it is about
        return False
    asked = [match.group(1).lower() for pattern in (_ERRAND, _WEATHER) for match in pattern.finditer(sentence)]
    return bool(asked) and not any(noun in group for noun in asked for group in own)


def _windows(text: str) -> list[tuple[int, str]]:
    """Return the parts of a text that are read: all of it, or its beginning and end where it is very long."""
    if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
        return [(0, text)]
    return [(0, text[:_HEAD_CHARS]), (len(text) - _TAIL_CHARS, text[-_TAIL_CHARS:])]


def _own(window: str) -> str:
    """Return a text with code, quoted mail and pasted material blanked out, each character in its place."""
    kept = ["\n" if char == "\n" else " " for char in window]
    for start, end in sentences(window):
        kept[start:end] = window[start:end]
    return "".join(kept)


def _settled(found: Sequence[Found]) -> list[Found]:
    """Leave out what a statement about the same field makes superfluous: what was refused beside what is set, a drop beside a value."""
    filled = {item.field for item in found if item.op == "set"}
    return [item for item in found if item.op == "set" or item.field not in filled]


class _Reader:
    """Reads one sentence."""

    def __init__(self, fields: Sequence[FieldSpec], heard: Heard, values: Mapping[str, Any], sentence: _Sentence) -> None:
        self._fields = fields
        self._heard = heard
        self._values = values
        self._sentence = sentence
        self._last = ""

    def read(self) -> list[Found]:
        text = self._sentence.text
        found = []
        for mention in self._mentions(text):
            field, named = self._field(mention)
            if field is None or mention.bound == "range" or self._only_asked(mention):
                continue
            value = _value(field, mention)
            if value is None:
                continue
            op = "refuse" if mention.kind != "boolean" and refused(text, mention.start, mention.end) else "set"
            self._last = field.name if op == "refuse" else self._last
            start = self._sentence.start + mention.start
            span = text[mention.start : mention.end]
            found.append(Found(field.name, value, span, start, op, self._sentence.corrects and op == "set", named))  # type: ignore[arg-type]
        found = self._newest(found)
        taken = {item.field for item in found}
        return found + [item for item in self._drops(text) if item.field not in taken]

    def _only_asked(self, mention: Mention) -> bool:
        """Say whether a Chinese clause only asks whether something has a property: 这家酒店有没有停车场."""
        text = self._sentence.text
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

    def _newest(self, found: list[Found]) -> list[Found]:
        """Leave out the old value where one sentence names the old and the new one."""
        kept: list[Found] = []
        offset = self._sentence.start
        for item in found:
            last = kept[-1] if kept else None
            here = item.start - offset
            if last and (last.field, last.op, item.op) == (item.field, "set", "set"):
                there = last.start - offset
                if moved(self._sentence.text, (there, there + len(last.span)), (here, here + len(item.span))):
                    kept[-1] = item._replace(corrects=True)
                    continue
            kept.append(item)
        return kept

    def _mentions(self, text: str) -> list[Mention]:
        counted = sorted(longest_numbers(text), key=lambda number: number.start)
        special: list[Mention] = [
            *choices(text, self._fields),
            *booleans(text, self._fields),
            *names(text, self._fields),
            *money(text, counted),
            *people(text, counted),
            *durations(text, counted),
            *dates(text, self._heard.said_at),
            *times(text),
        ]
        plain = [Mention("number", number.value, number.start, number.end) for number in counted if not moment(text, number)]
        return _without_alternatives(text, longest([*special, *plain]))

    def _drops(self, text: str) -> list[Found]:
        found = []
        for field in self._fields:
            if field.kind == "boolean":
                continue
            for start, end in dropped(text, field):
                found.append(Found(field.name, None, text[start:end], self._sentence.start + start, "clear", corrects=True))
                break
        return found

    def _field(self, mention: Mention) -> tuple[FieldSpec | None, bool]:
        """Return the one field that a mention belongs to, and whether its words say so."""
        if mention.fields:
            field = next(field for field in self._fields if field.name == mention.fields[0])
            if mention.kind == "choice" and self._rivals(mention):
                near = self._nearest(mention, [other for other in self._fields if other.choices and _value_in(other, mention.value)])
                return (near, True) if near else (None, False)
            return field, mention.named or bool(self._distance(field, mention))
        candidates = [field for field in self._fields if field.kind in _KINDS.get(mention.kind, ()) and _value(field, mention) is not None]
        lead = self._sentence.text[: mention.start]
        if mention.kind == "date" and _END_BEFORE.search(lead[-24:]) and not _CHANGED_TO.search(lead):
            candidates = [field for field in candidates if _is_end(field)]
        if near := self._nearest(mention, candidates):
            return near, True
        own = [field for field in candidates if field.kind == _OWN[mention.kind]]
        if mention.kind in {"date", "time"}:
            own = candidates
        if mention.kind == "date" and _DONE.search(self._sentence.text[: mention.start]):
            return None, False
        if asked := _asked(self._heard.asked, own or candidates):
            return asked, False
        casual = mention.kind == "date" and _CASUAL.search(self._sentence.text[mention.start : mention.end])
        if casual and not _CASUAL_LEAD.search(self._sentence.text[: mention.start][-12:]):
            return None, False
        if len(own) == 1 and not _says_other(self._sentence.text, mention):
            return own[0], False
        last = next((field for field in candidates if field.name == self._last), None)
        return (last, False) if last and self._sentence.corrects else (None, False)

    def _rivals(self, mention: Mention) -> bool:
        return sum(_value_in(field, mention.value) for field in self._fields if field.choices) > 1

    def _nearest(self, mention: Mention, candidates: Sequence[FieldSpec]) -> FieldSpec | None:
        """Return the candidate whose cue stands nearest in the same clause; `None` where two are as near, or none is."""
        ranked = sorted((distance, i) for i, field in enumerate(candidates) if (distance := self._distance(field, mention)))
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return candidates[ranked[0][1]]

    def _distance(self, field: FieldSpec, mention: Mention) -> float:
        """Return how far the nearest cue of a field is, in characters (at least 1); 0: none in reach."""
        text = self._sentence.text
        best = 0.0
        for cue in _with_counted(field):
            for match in _pattern(cue).finditer(text):
                if match.start() < mention.end and mention.start < match.end():
                    distance = 1.0
                elif match.end() <= mention.start:
                    distance = 1.0 + mention.start - match.end()
                    gap = text[match.end() : mention.start]
                else:
                    distance = _AFTER_WEIGHT * (1.0 + match.start() - mention.end)
                    gap = text[mention.end : match.start()]
                if distance > 1.0 and (distance > _REACH or _CLAUSE.search(gap)):
                    continue
                best = distance if not best else min(best, distance)
        return best


def _without_alternatives(text: str, mentions: list[Mention]) -> list[Mention]:
    """Leave out values between which the text leaves the choice open: "3 or 4 people", 12号或者13号."""
    open_ones = set()
    for i, (one, other) in enumerate(pairwise([*mentions, Mention("", None, len(text), len(text))])):
        same = one.kind == other.kind or {one.kind, other.kind} <= _AMOUNTS
        if same and _EITHER.fullmatch(text, one.end, other.start):
            open_ones |= {i, i + 1}
        if one.kind == "text" and (_OR_BEFORE.search(text[max(0, one.start - _OR_NEAR) : one.start]) or _OR_AFTER.match(text, one.end)):
            open_ones.add(i)
    return [mention for i, mention in enumerate(mentions) if i not in open_ones]


def _with_counted(field: FieldSpec) -> tuple[str, ...]:
    """Return a field's cues and what it counts: "rooms" of "number of rooms"."""
    counted = [cue.removeprefix("number of ") for cue in field.cues if cue.startswith("number of ")]
    return (*field.cues, *(cue for cue in counted if cue not in field.cues))


def longest_numbers(text: str) -> list[Any]:
    """Return the numbers of a text that do not overlap, the longer ones first served."""
    kept: list[Any] = []
    counted = (number for number in numbers(text) if not _pronoun(text, number))
    for number in sorted(counted, key=lambda number: number.start - number.end):
        if all(number.end <= other.start or other.end <= number.start for other in kept):
            kept.append(number)
    return kept


def _pronoun(text: str, number: Any) -> bool:
    """Say whether a "one" counts nothing: "that one", "a good one", "one of them"."""
    if text[number.start : number.end].lower() != "one":
        return False
    return not _COUNTED.match(text, number.end) or bool(_POINTED.search(text[max(0, number.start - 12) : number.start]))


def _value(field: FieldSpec, mention: Mention) -> Any:
    """Return the mention's value as this field holds it; `None` if it does not."""
    value = mention.value
    if mention.kind == "money" and field.kind == "money" and field.unit and mention.unit and field.unit.upper() != mention.unit:
        return None
    if mention.kind == "duration" and field.kind in {"integer", "number"}:
        said = f"{field.name} {field.description} {field.unit}".lower()
        if mention.unit.rstrip("s") not in said and not (mention.unit in {"day", "night"} and re.search(r"night|day|stay|晚|天", said)):
            return None
        value = amount(mention)
    if field.kind == "datetime":
        return None
    if field.kind in {"integer", "people"} and isinstance(value, float) and not value.is_integer():
        return None
    return value


def _is_end(field: FieldSpec) -> bool:
    return bool(_END_FIELD.search(f"{field.name.replace('_', ' ')} {field.description} {' '.join(field.cues)}"))


def _value_in(field: FieldSpec, value: Any) -> bool:
    return any(choice.value == value for choice in field.choices)


def _says_other(text: str, mention: Mention) -> bool:
    """Say whether a day or time is that of something else: "I called yesterday", "born on"."""
    before = text[max(0, mention.start - 24) : mention.start]
    return bool(re.search(r"\b(?:born|birthday|opens?|closes?|until|since|called|told|done|all|everything|nothing|help\w*)\b|生日|营业", before, re.IGNORECASE))


def _asked(asked: str, fields: Sequence[FieldSpec]) -> FieldSpec | None:
    """Return the one field that the last question asks for, by its cues before its kind; `None` if it asks for none or several."""
    levels = [_asks(asked, field) for field in fields]
    best = max(levels, default=0)
    return fields[levels.index(best)] if best and levels.count(best) == 1 else None


def _asks(asked: str, field: FieldSpec) -> int:
    """Say whether the last question asks for a field: 2 by one of its cues, 1 by its kind ("when"), 0 not at all."""
    question = asked.strip()
    sentences = [match.group() for match in _SENTENCE.finditer(question) if match.group().strip()]
    last = next((sentence for sentence in reversed(sentences) if sentence.rstrip().endswith(("?", "？"))), "")
    said = last or question
    if any(_pattern(cue).search(said) for cue in field.cues):
        return 2
    words: Mapping[str, str] = {
        "date": r"\b(?:when|what day|which day|what date)\b|哪天|几号|什么时候|日期",
        "time": r"\b(?:what time|when)\b|几点|什么时间|时间",
        "people": r"\bhow many (?:people|of you|guests|will)\b|几个人|几位|多少人",
        "money": r"\bhow much\b|\bbudget\b|多少钱|预算",
    }
    pattern = words.get(field.kind)
    return int(bool(pattern and re.search(pattern, said, re.IGNORECASE)))


def _measures(field: FieldSpec, text: str, counted: Sequence[Any]) -> bool:
    """Say whether a number is no length of time, or one that the field holds."""
    return all(field.kind in {"integer", "number"} and _value(field, length) is not None for length in durations(text, counted))


def _answers(fields: Sequence[FieldSpec], heard: Heard) -> list[Found]:
    """Return what a bare answer says to a question that asks for exactly one field."""
    text = heard.text
    if not heard.asked or not text.strip() or len(text.split()) > _BARE_WORDS or len(text) > _REACH * 2:
        return []
    field = _asked(heard.asked, fields)
    if field is None:
        return []
    if field.kind == "boolean":
        for pattern, value in ((_NO, False), (_YES, True)):
            if match := pattern.match(text):
                start = len(text) - len(text.lstrip())
                return [Found(field.name, value, text[start : match.end()], start, named=False)]
    if field.kind in {"integer", "number", "money", "people"}:
        counted = longest_numbers(text)
        if len(counted) == 1 and _measures(field, text, counted):
            number = counted[0]
            return [Found(field.name, number.value, text[number.start : number.end], number.start, named=False)]
    if field.kind == "text" and not field.pattern:
        if (refusing := _REFUSING.match(text)) and text[refusing.end() :][:1].isupper():
            start, end = bare_name(text[refusing.end() :])
            name = text[refusing.end() + start : refusing.end() + end]
            return [Found(field.name, name, name, refusing.end() + start, "refuse", named=False)] if name else []
        start, end = bare_name(text)
        if end > start:
            return [Found(field.name, text[start:end], text[start:end], start, named=False)]
    return []

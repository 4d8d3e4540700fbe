"""How many people: "party of 4", "for two", "me and my wife", 三大一小, 我们仨."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.bounds import joined
from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.numbers import han_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.task.extract.numbers import Number

_AFTER: Final = re.compile(
    r"\s?(?:(?P<plain>people\b|persons?\b|guests?\b|passengers?\b|travell?ers?\b|of us\b|pax\b|(?:\w+ )?(?:tickets?"
    r"|seats?)\b|diners?\b|folks\b|friends and (?:me|i)\b)"
    r"|(?P<part>adults?\b|kids?\b|children\b|child\b|infants?\b|[位](?!置|于)|个?成人|个?大人|个?小孩|个?孩子"
    r"|名(?!字|声)|个?人(?![民工均气生士造])|口(?=人|之家)))",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(r"(?:party|group|table|family) (?:of|for)\s$|人数(?:是|为|:)?\s?$", re.IGNORECASE)
_FOR: Final = re.compile(
    r"\b(?:table|reservation|seats?|room|rooms|tickets?|booking|book|reserve|ride|cab|dinner|lunch|it)(?: \w+){0,3} for\s$"
    r"|\b(?:just|only) for\s$|^\s*for\s$",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"\s*(?:[.,;!?]|$|on\b|at\b|this\b|next\b|tomorrow\b|tonight\b|please\b|and\b)", re.IGNORECASE)
_PHRASES: Final = (
    (re.compile(r"\b(?:table|reservation|booking|ticket|seat|dinner|lunch) for one(?= (?:at|on|in|please)\b|[.,!?]|$)", re.IGNORECASE), 1),
    (re.compile(r"\b(?:just|only) (?:me|myself)\b|\bby myself\b|\bI'?m alone\b|就我(?:自己|一个)|我一个人", re.IGNORECASE), 1),
    (
        re.compile(
r"\b(?:me and my|my) (?:wife|husband|partner|girlfriend|boyfriend|mother|father|mom|dad|sister|brother|friend)(?: and (?:me|I"
r"|myself))\b"

                   r"|\bme and my (?:wife|husband|partner|girlfriend|boyfriend|mother|father|mom|dad|sister|brother|friend)\b"

    r"|\b(?:the )?two of us\b|我们俩|我们两个(?!人)|我和我?(?:老婆|老公|妻子|丈夫|女朋友|男朋友|爸|妈|朋友)(?!们"
    r"|的)"
, re.IGNORECASE),
        2,
    ),
    (re.compile(r"我们仨|一家三口"), 3),
    (re.compile(r"一家四口"), 4),
)  # fmt: skip
_BIG_AND_SMALL: Final = re.compile(r"([一二两三四五六七八九\d])大([一二两三四五六七八九\d])小")
_CHILDREN: Final = re.compile(r"kids?|child|infant|孩", re.IGNORECASE)
_PLUS: Final = re.compile(r",? ?(?:and|plus|with|还有|和|带着?|加上?)? ?(?:our |my )?", re.IGNORECASE)
_EACH: Final = re.compile(r"(?:[元块钱]|\bper|\bfor each|每)\s?$", re.IGNORECASE)
"""Before "one person" it says what each one costs."""
_EACH_NEAR: Final = 10
_MOST_FOR: Final = 8


def people(text: str, found: Sequence[Number]) -> Iterator[Mention]:
    """Yield counts of people; adults and children named one after the other are counted together.

    Args:
        text: The message.
        found: Its numbers, in order.
    """
    phrases = [Mention("people", count, *match.span()) for pattern, count in _PHRASES for match in pattern.finditer(text)]
    yield from phrases
    for match in _BIG_AND_SMALL.finditer(text):
        yield Mention(
            "people",
            sum(han_number(part) or int(part if part.isdigit() else 0) if not part.isdigit() else int(part) for part in match.groups()),
            *match.span(),
        )
    previous: Mention | None = None
    for i, number in enumerate(found):
        if number.value != int(number.value) or _EACH.search(text[max(0, number.start - _EACH_NEAR) : number.start]):
            continue
        after = _AFTER.match(text, number.end)
        ranged = i > 0 and joined(text, found[i - 1].end, number.start) and not re.search(r"and|or", text[found[i - 1].end : number.start])
        if after:
            mention = Mention("people", int(number.value), number.start, after.end(), bound="range" if ranged else "")
            if after["part"] and previous and text[previous.end : mention.start].strip(" ,，、和带").lower() in {"", "and", "plus"}:
                mention = mention._replace(value=previous.value + mention.value, start=previous.start)
            elif _CHILDREN.search(after.group()):
                first = next((one for one in phrases if _PLUS.fullmatch(text, one.end, number.start)), None)
                if first is None:  # children alone are not all who come
                    continue
                mention = mention._replace(value=first.value + mention.value, start=first.start)
            previous = mention if after["part"] else None
            yield mention
        elif _BEFORE.search(text[max(0, number.start - 12) : number.start]) or (
            number.value <= _MOST_FOR and _FOR.search(text[max(0, number.start - 40) : number.start]) and _ENDS.match(text, number.end)
        ):
            yield Mention("people", int(number.value), number.start, number.end)

"""What a demand is about by name: an order, a customer, a city. Demands on different things hold side by side.

"Never ship order 4711 to Berlin" and "Never ship order 4712 to Ulm" differ in what they name, not in a value that changed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.alternatives import LASTING, REMEMBERED, SINGLE, members
from langchain_contextmode.spans import entities

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBERED: Final = re.compile(r"\b([a-z][a-z-]{2,})\s+(?:no\.?\s*|nr\.?\s*|number\s+|#\s*)?(\d[\w.-]*)", re.IGNORECASE)
"""A thing and its number: order 4711, server 12, release 2.1."""

_NUMBERED_HAN: Final = re.compile(
    r"(?:第\s*)?(\d+)\s*(?:号|#|楼|层)|(?:订单|客户|编号|工单|服务器|机器|版本|房间|会议室|合同|发票)\s*(?:号\s*)?(\d[\w-]*)"
)
_NO_THING: Final = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "the and for not only just than most least more less over under above below about around before after until till past from "
        "between within max maximum min minimum exceed exceeding limit cap spend pay cost costs budget are was were has have had "
        "use take need want keep make set now all any every each other next last first top per par off out into onto down back get "
        "may might will shall can could should must would january february march april may june july august september october "
        "november december jan feb mar apr jun jul aug sep sept oct nov dec eur euro euros usd gbp dollar dollars monday tuesday "
        "wednesday thursday friday saturday sunday be is at to by on of in up no age aged total totals reach answer answers write"
    ).split()
)
_AMOUNT: Final = re.compile(r"\d+(?:[.,:]\d+)*\s?(?:am|pm|h|hrs?|min|mins|s|ms|kg|g|km|m|cm|mm|gb|mb|kb|eur|usd|gbp|x|st|nd|rd|th|%)?")
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NEVER_NAMES: Final = frozenset(("vat", "ok", "okay", "eur", "usd", "gbp", "asap", "eod", "pdf", "csv", "json", "html", "api", "url"))


def same_things(new: str, old: str) -> bool:
    """Say whether two demands could be about the same: they name something in common, or one of them names nothing.

    Things are ids, numbered things ("server 12", "3号机器"), addresses, and proper names; languages, weekdays, months, units and
    other choices are values, not things.
    """
    later, earlier = _named(new), _named(old)
    return not later or not earlier or bool(later & earlier)


def names_more(text: str, old: str) -> bool:
    """Say whether a message names things that a demand does not: "you may ship to Berlin, Ohio" frees no other Berlin."""
    earlier = _named(old)
    return bool(earlier) and bool(_named(text) - earlier)


@lru_cache(maxsize=REMEMBERED)
def _named(text: str) -> frozenset[str]:
    return frozenset(_things(text))


def _things(text: str) -> Iterator[str]:
    yield from (match.group().casefold() for match in _EMAIL.finditer(text))
    for match in _NUMBERED.finditer(text):
        if match[1].lower() not in _NO_THING:
            yield match[2].casefold().rstrip(".-")
    yield from ((match[1] or match[2]).casefold() for match in _NUMBERED_HAN.finditer(text))
    for span in entities(text):
        word = span.text.casefold()
        if span.kind in {"id", "path", "url"} and not _amount(word):
            yield word
        elif span.kind == "name" and word not in _NEVER_NAMES and not _amount(word):
            yield from (part for part in word.split() if part not in _NO_THING and part not in _NEVER_NAMES and not _choice(part))


def _choice(word: str) -> bool:
    return any(members(group, word) for group in (*SINGLE, *LASTING))


def _amount(word: str) -> bool:
    """Say whether an id is a number with its unit: 9am, 30min, 500eur."""
    return bool(_AMOUNT.fullmatch(word))

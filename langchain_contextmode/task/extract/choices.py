"""Choices by any of their names, and yes-or-no fields by their cues, each with or without a negation in front."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.mention import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.task.types import FieldSpec

_YES: Final = re.compile(
    r"(?:\bwith(?! no)|\bneeds?|\bwants?|\brequire[sd]?|\bha(?:s|ve)|\binclud(?:e|es|ed|ing)|\bprefer(?:ably)?|\bmust|\badd|\boffers?"
    r"|\bprovides?|\balso|\byes"
    r"|要(?!是)|需要|有|含|带|提供|加上?)[^.!?。！？]{0,24}$",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"(?:\bno|\bnot|\bwithout|n['’]t|\bnever|\bskip|\bdrop|\bforget|\bcancel|不要|不用|不需要|不想要?|别|无需|没有"
    r"|不含|不带|取消|去掉|不必)"
    r"(?:\s*(?:need|want|have|include|longer|to|be|it|them|with|the|any|a|care (?:for|about)|include|require|bother with|有|要))*\s*$",
    re.IGNORECASE,
)
_EITHER_WAY: Final = re.compile(r"\s*(?:也行|也可以|也没关系|都行|都可以|无所谓)|\s+(?:or not|either way|is optional)", re.IGNORECASE)
_NO_AFTER: Final = re.compile(
    r"\s*(?:就)?(?:不要|不用|不需要|不必|取消|免)了?|\s*(?:is|are|'s) not (?:needed|necessary|required)"
    r"|\s*not (?:needed|necessary|required)",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"(?:^|[.!?,;]\s*)(?:does|do|did|is|are|has|have|will|can|could|what|which|how)\b[^.!?]*$|\b(?:if|whether)\b[^.!?,]*$", re.IGNORECASE
)
_HAN_ASKING: Final = re.compile(r"[^。!?\uff1f]{0,12}(?:吗|么|没有|呢|[?\uff1f])")
_NUMERAL: Final = re.compile(r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十]", re.IGNORECASE)
_NEAR: Final = 40
_BESIDE: Final = 16
_SHORT: Final = 3


def choices(text: str, fields: Sequence[FieldSpec]) -> Iterator[Mention]:
    """Yield the choices named in a text, the longest name at each place; a name that is also a field's other name is left to the cues.

    Args:
        text: The message.
        fields: All fields; those without choices are skipped.
    """
    for field in fields:
        for choice in field.choices:
            for name in choice.names:
                for match in word(name).finditer(text):
                    if _NUMERAL.fullmatch(name) and not _cued(field, text, *match.span()):
                        continue
                    yield Mention("choice", choice.value, *match.span(), fields=(field.name,))


def booleans(text: str, fields: Sequence[FieldSpec]) -> Iterator[Mention]:
    """Yield what a text says about yes-or-no fields; a question whether something is so says nothing.

    Args:
        text: The message.
        fields: All fields; those of another kind are skipped.
    """
    for field in fields:
        if field.kind != "boolean":
            continue
        for cue in field.cues:
            for match in word(cue).finditer(text):
                before, after = text[max(0, match.start() - _NEAR) : match.start()], text[match.end() : match.end() + _NEAR]
                if _EITHER_WAY.match(after):
                    continue
                if _NO.search(before) or _NO_AFTER.match(after):
                    yield Mention("boolean", value=False, start=match.start(), end=match.end(), fields=(field.name,), named=True)
                elif _YES.search(before) and not _ASKING.search(before) and not (not text.isascii() and _HAN_ASKING.match(after)):
                    yield Mention("boolean", value=True, start=match.start(), end=match.end(), fields=(field.name,), named=True)


def _cued(field: FieldSpec, text: str, start: int, end: int) -> bool:
    """Say whether a cue of the field stands beside a place: a number alone is no choice."""
    beside = f"{text[max(0, start - _BESIDE) : start]} {text[end : end + _BESIDE]}"
    return any(word(cue).search(beside) for cue in field.cues)


@lru_cache(maxsize=4096)
def word(name: str) -> re.Pattern[str]:
    """Return a pattern for a name as a whole word, in singular or plural; Chinese has no word borders."""
    escaped = re.escape(name.strip()).replace(r"\ ", r"[\s-]+")
    escaped = re.sub(r"(?<=\d)\\-(?=\d)", r"\\s?[-~–—]\\s?", escaped)
    if not name.isascii():
        return re.compile(escaped, re.IGNORECASE)
    plural = "s?" if len(name) > _SHORT and name[-1:].isalpha() else ""
    if plural and name.endswith("s") and not name.endswith("ss"):
        escaped = escaped[:-1]
    return re.compile(rf"(?<![\w-]){escaped}{plural}(?![\w-])", re.IGNORECASE)

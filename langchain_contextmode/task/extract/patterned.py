"""Words that match a field's own pattern: order numbers, flight numbers, post codes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.mention import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_contextmode.task.types import FieldSpec

_LONGEST_WORD: Final = 64


def matching(text: str, field: FieldSpec) -> Iterator[Mention]:
    """Yield the words that match a field's own pattern as a whole."""
    pattern = _compiled(field.pattern or "")
    if pattern is None:
        return
    for match in re.finditer(r"[^\s,;,。;]+", text):
        word = match.group().strip(".!?\"'()")
        if 0 < len(word) <= _LONGEST_WORD and pattern.fullmatch(word):
            start = match.start() + match.group().find(word)
            yield Mention("text", word, start, start + len(word), fields=(field.name,), named=True)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:
        return None

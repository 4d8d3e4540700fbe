"""The JSON values in a model's reply, whatever stands around them and however carelessly they are written.

LangChain's parsers take one fenced or truncated value; they fail on prose, `<think>` and trailing commas, and complete a
value that was cut off, which would read the 1 of a 10 as a score. Here only what is complete counts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_REPLY_CHARS = 30_000
"""Longer replies are read up to here."""

_MAX_FAILURES = 40
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[\[{]")
_TOKENS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)|[\[\]{}]', re.DOTALL)
_COMMENTS = re.compile(r'("(?:\\.|[^"\\])*(?:"|\Z))|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*(?:"|\Z))|,(?=\s*[\]}])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


def without_thoughts(text: str) -> str:
    """Return a reply without what the model thought aloud; a thought that does not end takes the rest with it."""
    text = _THOUGHT.sub(" ", text[:MAX_REPLY_CHARS])
    return _END_OF_THOUGHT.split(text)[-1]


def json_values(text: str) -> Iterator[Any]:
    """Yield every complete JSON object or array in a text, in order, outermost first; never raises.

    Trailing commas, comments, raw line breaks in strings and single quotes throughout are forgiven. Where an array was cut
    off, the complete objects in it are yielded.
    """
    position = failures = 0
    while failures < _MAX_FAILURES and (opening := _OPENING.search(text, position)):
        found, value, position = _decode(text, opening.start())
        if found:
            yield value
        else:
            failures += 1


def _decode(text: str, start: int) -> tuple[bool, Any, int]:
    """Return whether a value starts here, the value, and where to go on."""
    try:
        return (True, *_DECODER.raw_decode(text, start))
    except (ValueError, RecursionError):
        end = _closing(text, start)
    if end is not None:
        raw = text[start:end]
        for careless in (raw, raw.replace("'", '"') if '"' not in raw else ""):
            try:
                return True, _DECODER.decode(_cleaned(careless)), end
            except (ValueError, RecursionError):
                continue
    return False, None, start + 1


def _closing(text: str, start: int) -> int | None:
    """Return the position behind the bracket that closes the one at `start`, strings and comments skipped."""
    depth = 0
    for token in _TOKENS.finditer(text, start):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def _cleaned(text: str) -> str:
    text = _COMMENTS.sub(lambda match: match[1] or " ", text)
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", text)

"""What must survive letter by letter when a text is summarised (S3).

Numbers with their units, dates and times, amounts, ids, paths, URLs, addresses, commands, quotations, names, and what is
ruled out. Recall comes first: a span too many costs a few tokens, a lost one cannot be guessed. No model, no lists of names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from langchain_contextmode.content import BoundedCache
from langchain_contextmode.exact_values import dates, numbers
from langchain_contextmode.han_names import han_names
from langchain_contextmode.negations import negations
from langchain_contextmode.spans import COMMON_START, NAME, NEVER, Span, SpanKind, holds, opens_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from langchain_contextmode.exact_values import Found

_URL: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]{1,15}://|www\.)[^\s<>\"'`“”\u3000-\u303f\u4e00-\u9fff\uff00-\uffef\])|]{1,2000}+"
)
_RUN: Final = re.compile(r"[A-Za-z0-9_\u00c0-\u024f.@+~/#-]++(?::\d{1,6}(?![\d:]))?")
_WINDOWS: Final = re.compile(
    r"(?<!\w)(?:[A-Za-z]:\\|\\\\)[^\s\\\"'<>|?*]{1,120}(?:(?: [A-Z(][^\s\\\"'<>|?*]{0,60}){0,3}\\[^\s\\\"'<>|?*]{1,120}){0,16}"
)
_EMAIL: Final = re.compile(r"[\w.+-]++@[\w-]++(?:\.[\w-]++)++")
_FLIGHT: Final = re.compile(r"(?<![A-Za-z0-9_])(?!Q[1-4]|AM|PM)[A-Z]{2,3}\s\d{2,5}(?![A-Za-z0-9_]|[.,]\d)")
_FLAG: Final = re.compile(r"--[A-Za-z][\w-]*")
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_FILE: Final = re.compile(r"(?:.*[A-Za-z0-9_]{2}|[A-Za-z0-9_-]{2,}|[a-z])\.(?:[a-z][a-z0-9]{1,5}|[A-Z]{2,4}|[chrm])(?::\d+)?")
_DOTFILE: Final = re.compile(r"\.[a-z][a-z0-9_.-]{1,40}")
_PAIRS: Final = frozenset(
    ("and/or he/she she/he his/her him/her s/he yes/no either/or w/o w/ n/a i/o on/off am/pm true/false "  # noqa: SIM905
     "km/h mi/h m/s kb/s mb/s gb/s pros/cons input/output").split()
)  # fmt: skip
_QUOTED: Final = re.compile(
    r"(?<![A-Za-z0-9])\"(?=\S)(?P<d>[^\"\n]{1,120})\"|“(?P<c>[^“”\n]{1,120})”|「(?P<k>[^「」\n]{1,120})」|『(?P<j>[^『』\n]{1,120})』|《(?P<b>[^《》\n]{1,120})》"
    r"|(?<!\w)['\u2018](?P<s>[^'\u2018\u2019\n]{2,120})['\u2019](?!\w)"
)
_KEY: Final = re.compile(r"\s{0,3}:")
_QUOTED_KEY: Final = re.compile(r"\"\s{0,3}:")
_TICKED: Final = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
_FENCE: Final = re.compile(
    r"^[ \t]{0,8}```(?:bash|sh|shell|console|zsh)[ \t]*\n(?P<body>(?:(?![ \t]*```)[^\n]{0,300}\n){1,40})", re.MULTILINE
)
_PROMPT: Final = re.compile(r"^[ \t]{0,8}[$>][ \t](?=[a-z./~])(?P<body>[^\n]{2,200})", re.MULTILINE)
_POSSESSIVE: Final = re.compile(r"['\u2019]s$")
_LOUD: Final = frozenset("not never no do don't only all any please must ok faq note important warning todo".split())  # noqa: SIM905
_MAX_TOKEN: Final = 300
_MAX_NAME: Final = 80
_NEAR: Final = 12
_MAX_STRETCH: Final = 60
_ORDINARY: Final = re.compile(r"[A-Z][a-z]*(?:['\u2019-][a-z]+)*$")
_LINE: Final = re.compile(r"[^\s](?:[^\n\r]*[^\s])?")
_FIELD_END: Final = re.compile(r"[*_]{0,2}[ \t]{0,4}(?:[\r\n,;(|]|$)")
_STATE: Final = re.compile(r",\s[A-Z]{2}(?![A-Za-z0-9])")
_WORD: Final = re.compile(r"\S+")
_SPACE: Final = re.compile(r"\s+")
_REMEMBERED_CHARS: Final = 1_000
_SPANS: Final[BoundedCache[tuple[Span, ...]]] = BoundedCache(16_384)


def exact_spans(text: str) -> tuple[Span, ...]:
    """Return everything that must be copied and not rephrased, in order of place; none twice (case does not count).

    Where two overlap, the longer one stands. A negation is its clause, from the negation on, at most about 60 characters
    (a span at its end stays whole). Texts are copied as written, without quotation marks and closing punctuation; one that
    goes over a line break holds it. Time grows with the length of the text; those of texts up to 1,000 characters are remembered.
    """
    return _SPANS.get(text, lambda: _spans(text)) if len(text) <= _REMEMBERED_CHARS else _spans(text)


def _spans(text: str) -> tuple[Span, ...]:
    whole = _longest(len(text), _candidates(text))
    starts = [start for start, _, _ in whole]
    clauses: list[Found] = [(start, _stretched(end, whole, starts), "negation") for start, end in negations(text)]
    names: list[Found] = [(start, _shrunk(end, whole, starts), "name") for start, end in _names(text)]
    found: dict[str, Span] = {}
    for start, end, kind in _longest(len(text), [*clauses, *whole, *names]):
        value = text[start:end].strip()
        if value:
            found.setdefault(value.casefold(), Span(value, kind))
    return tuple(found.values())


def missing(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
    """Return the spans that a text does not hold, in their order.

    Case and line breaks do not count; everything else does: 2,400 is not 2400 and stands not in 12,400 or 2,400.50.
    """
    return missing_in(spans, one_spaced(text))


def one_spaced(text: str) -> str:
    """Return the text with each run of white space as one space."""
    return _SPACE.sub(" ", text)


def missing_in(spans: Iterable[Span], plain: str) -> tuple[Span, ...]:
    """Do what `missing` does for a text that is `one_spaced` already, since it is asked for again and again."""
    return tuple(span for span in spans if not _held(plain, span))


def _held(plain: str, span: Span) -> bool:
    wanted = _SPACE.sub(" ", span.text).strip()
    if not wanted or not holds(plain, wanted):
        return not wanted
    if span.kind not in {"number", "amount"}:
        return True
    return bool(re.search(rf"(?<![A-Za-z0-9_])(?<!\d[.,]){re.escape(wanted)}(?![.,]?\d|[A-Za-z_])", plain, re.IGNORECASE))


def _candidates(text: str) -> Iterator[Found]:
    """Yield what can be told by its form; of two that are equally long the first stands."""
    for match in _URL.finditer(text):
        yield match.start(), _trimmed(text, match.start(), match.end()), "url"
    yield from ((m.start(), _trimmed(text, m.start(), m.end()), "path") for m in _WINDOWS.finditer(text))
    yield from dates(text)
    yield from numbers(text)
    yield from ((m.start(), m.end(), "id") for m in _FLIGHT.finditer(text))
    yield from _tokens(text)
    yield from _commands(text)
    for match in _QUOTED.finditer(text):
        if not _KEY.match(text, match.end()):
            yield *match.span(match.lastgroup or 0), "quoted"


def _commands(text: str) -> Iterator[Found]:
    for match in _TICKED.finditer(text):
        start, end = match.span(1)
        yield start, end, "command" if " " in match.group(1).strip() else "quoted"
    if "```" in text:
        for match in _FENCE.finditer(text):
            start = match.start("body")
            for line in match["body"].splitlines(keepends=True):
                if line.strip():
                    yield start + len(line) - len(line.lstrip()), start + len(line.rstrip()), "command"
                start += len(line)
    for match in _PROMPT.finditer(text):
        yield match.start("body"), match.start("body") + len(match["body"].rstrip()), "command"


def _tokens(text: str) -> Iterator[Found]:
    """Yield ids, paths and addresses: words that hold more than letters, or capitals inside."""
    for match in _RUN.finditer(text):
        run = match.group()
        if run.isalpha() and (run.islower() or run.istitle() or run.isupper()):
            continue
        body = run.rstrip(".-+~@#")
        start = match.start() + len(body) - len(body := body.lstrip("-+") if not _FLAG.fullmatch(body) else body)
        if body.startswith("..") and not body.startswith("../"):
            start, body = start + len(body) - len(body.lstrip(".")), body.lstrip(".")
        kind = _token_kind(body) if 1 < len(body) <= _MAX_TOKEN else None
        if kind and not _is_key(text, start, body):
            yield start, start + len(body), kind


def _is_key(text: str, start: int, body: str) -> bool:
    """Say whether a word is the key of a JSON object; one with digits may be an id nevertheless."""
    return text[start - 1 : start] == '"' and body.replace("_", "").isalpha() and bool(_QUOTED_KEY.match(text, start + len(body)))


def _token_kind(body: str) -> SpanKind | None:
    if "@" in body:
        return "email" if _EMAIL.fullmatch(body) else "id" if body[0] == "@" else None
    letters = any(c.isalpha() for c in body)
    if "/" in body:
        return "path" if letters and body.lower() not in _PAIRS else None
    digits = any(c.isdigit() for c in body)
    if letters and (_FILE.fullmatch(body) or _DOTFILE.fullmatch(body)):
        return "path"
    if (letters and (digits or "_" in body or _CAMEL.search(body) or body.startswith("--"))) or (digits and body[0] == "#"):
        return "id"
    return "id" if digits and "-" in body and "." not in body else None


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of names: capitalised words that do not have their capital from opening a sentence."""
    for match in NAME.finditer(text):
        if match.end() - match.start() > _MAX_NAME * 4:
            continue
        for line in _LINE.finditer(text, *match.span()):
            found = _name(text, *line.span())
            if found:
                yield found
    if not text.isascii():
        yield from han_names(text)


def _name(text: str, start: int, end: int) -> tuple[int, int] | None:
    words = [word.span() for word in _WORD.finditer(text, start, end)]
    opens = opens_sentence(text, start) and not _is_field(text, start, end, len(words))
    if opens and len(words) > 1 and COMMON_START.match(text[slice(*words[0])]):
        words, opens = words[1:], False
    while words and _idle(text[slice(*words[0])]):
        words, opens = words[1:], False
    while words and _idle(text[slice(*words[-1])]):
        words.pop()
    if not words or words[0][0] >= end:
        return None
    name = _POSSESSIVE.sub("", text[words[0][0] : words[-1][1]])
    if name.isdigit() or not 1 < len(name) <= _MAX_NAME or (len(words) == 1 and opens and _ORDINARY.match(name)):
        return None
    state = _STATE.match(text, words[0][0] + len(name))  # Sacramento, CA
    return words[0][0], state.end() if state else words[0][0] + len(name)


def _is_field(text: str, start: int, end: int, words: int) -> bool:
    """Say whether capitalised words are all that a field, an item or a line says ("Name: Ada Lund", "1. Ada Lund, 1990")."""
    if not _FIELD_END.match(text, end):
        return False
    near = text[max(start - _NEAR, 0) : start]
    before = near.rpartition("\n")[2].rstrip(" \t*_")
    if before.endswith((":", "\uff1a")):
        return True
    return words > 1 and not before.strip(" \t*-•.)0123456789") and (start < _NEAR or "\n" in near)


def _idle(word: str) -> bool:
    plain = word.lower().replace("\u2019", "'")
    return plain in NEVER or plain in _LOUD


def _longest(size: int, found: Iterable[Found]) -> list[Found]:
    """Keep the longest of what overlaps, the first of what is equally long; in order of place."""
    taken = bytearray(size)
    kept = []
    for start, end, kind in sorted(found, key=lambda item: item[0] - item[1]):
        if start < end and taken.find(1, start, end) < 0:
            taken[start:end] = b"\x01" * (end - start)
            kept.append((start, end, kind))
    return sorted(kept)


def _across(end: int, whole: Sequence[Found], starts: Sequence[int]) -> Found | None:
    """Return the span that begins before `end` and ends behind it."""
    at = bisect_right(starts, end - 1) - 1
    return whole[at] if at >= 0 and whole[at][1] > end else None


def _stretched(end: int, whole: Sequence[Found], starts: Sequence[int]) -> int:
    """Move the end of a clause behind the span that it would cut in two; in front of it, if that is very long."""
    across = _across(end, whole, starts)
    if across is None:
        return end
    return across[1] if across[1] - end <= _MAX_STRETCH else across[0]


def _shrunk(end: int, whole: Sequence[Found], starts: Sequence[int]) -> int:
    """Move the end of a name in front of the span that it would cut in two ("Hotel Lisboa 120 euros")."""
    across = _across(end, whole, starts)
    return across[0] if across else end


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in ".,;:!?*_'":
        end -= 1
    return end

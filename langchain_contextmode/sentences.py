"""A message as sentences in its author's own words: code, quoted mail, pasted documents and material to work on are left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.segments import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_CHARS: Final = 400
"""A longer sentence is cut at its clauses: nobody reads it as one demand."""

_BORDER: Final = re.compile(r"(?<=[.!?…])[\"')\]”’]*\s+|[。！？!?]+[”’」』）)]*")  # noqa: RUF001  (Chinese has its own punctuation)
_ABBREVIATION: Final = re.compile(r"(?<![\w.])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|cf|approx|[A-Za-z])$", re.IGNORECASE)
_SHORTENED: Final = re.compile(r"(?<![\w.])(?:max|min|no|a\.m|p\.m|etc|incl|ca|hrs?|tel|nr|ext)$", re.IGNORECASE)
_LONGEST_ABBREVIATION: Final = 8
_FENCE_END: Final = "```"
_BLANK_LINE: Final = "\n"
_BULLET: Final = re.compile(r"\s*+(?:(?:[-*•·#]++|\(?\d{1,2}[.)、](?!\d)|[（(][一二三四五六七八九十\d]{1,2}[)）])\s*)?(?:\[[ xX]\]\s)?")  # noqa: RUF001
_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~|\"\"\"|\'\'\')")
_NOT_OWN: Final = re.compile(
    r"\s*+(?:>|\|)"  # quoted mail, rows of a table
    r"|(?:\t| {4})\s*+(?![-*•\d]).*[;{}=()<>\[\]]|\s*+(?:\$ |>>> |#!|//|/\*|@@ |(?:diff|index) \S+ )"  # code
    r"|\s*+(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b)"  # log
)
_FORWARDED: Final = re.compile(
    r"\s*+(?:-{2,}+\s*+(?:original|forwarded) message|begin forwarded message|on \S[^\n]{4,90} wrote:\s*$|from: [^\n]*\S@|"
    r"发件人[:：]|-{2,}+\s*+原始邮件)",  # noqa: RUF001
    re.IGNORECASE,
)
_OPENS: Final = re.compile(
    r"\s{0,3}<(document|documents|doc|file|article|email|mail|paste|logs?|code|context|quote|transcript|pre|source)\b[^>]*>", re.IGNORECASE
)
_COLON: Final = re.compile("[:：]")  # noqa: RUF001
_MATERIAL: Final = re.compile(
    r"\b(?:translate|proof-?read|rewrite|rephrase|paraphrase|summari[sz]e|correct|edit|review|analy[sz]e|polish|"
    r"classify)\b[^.!?:\n]{0,80}:(?:\s|$)"
    r"|\b(?:the following|here is|here's|here are|this is) (?:the |my |an? |our |his |her )?(?:\w+ ){0,2}"
    r"(?:text|e-?mail|mail|letter|document|essay|article|story|transcript|log|poem|paragraph|sentence|review|draft|"
    r"message|page|post|ticket|report|note|thread|conversation|policy|contract|recipe|code|output|result)s?\b[^.!?:\n]{0,40}:(?:\s|$)"
    r"|(?:翻译|润色|改写|校对|(?:总结|分析|检查|修改)[^。！？:：\n]{0,6}(?:下面|以下|这))[^。！？:：\n]{0,30}[:：]",  # noqa: RUF001
    re.IGNORECASE,
)
"""What stands behind such a colon is material to work on, not something the author demands."""


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the sentences that a message's author says himself, in order; linear in the length of the text.

    Left out are fenced and indented code, quoted and forwarded mail, log lines, tagged documents, and what follows
    "translate this:" and the like (up to a blank line, or all of it if the colon ends its line).
    A line break ends a sentence. List marks and surrounding space do not belong to it.
    """
    for start, end in _own_lines(text):
        for begin, stop in _cut(text, start, end):
            head = _BULLET.match(text, begin, stop)
            begin = head.end() if head else begin  # noqa: PLW2901  (the sentence begins behind its mark)
            while stop > begin and text[stop - 1].isspace():
                stop -= 1  # noqa: PLW2901
            if stop > begin:
                yield begin, stop


def _own_lines(text: str) -> Iterator[tuple[int, int]]:
    until, position = "", 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        if until:
            until = "" if _ends(line, until) else until
        elif not line.isspace() and not _NOT_OWN.match(line):
            if _FORWARDED.match(line):
                return
            until = _opens(line)
            if not until:
                colon = _MATERIAL.search(line) if _COLON.search(line) else None
                yield start, start + colon.end() if colon else position
                if colon and not line[colon.end() :].strip():
                    return
                until = _BLANK_LINE if colon else ""


def _opens(line: str) -> str:
    """Return what ends a block that this line opens; empty if it opens none."""
    if _FENCE.match(line):
        return _FENCE_END
    opened = _OPENS.match(line)
    tag = f"</{opened[1].lower()}>" if opened else ""
    return "" if not tag or tag in line.lower() else tag


def _ends(line: str, until: str) -> bool:
    if until == _FENCE_END:
        return bool(_FENCE.match(line))
    return line.isspace() if until == _BLANK_LINE else until in line.lower()


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for border in _BORDER.finditer(text, start, end):
        if text[border.start() - 1] == "." and _goes_on(text, border.start() - 1, border.end(), begin):
            continue
        yield from _short(text, begin, border.end())
        begin = border.end()
    yield from _short(text, begin, end)


def _goes_on(text: str, dot: int, after: int, begin: int) -> bool:
    """Say whether a full stop belongs to an abbreviation: "Dr. Lee", "max. 500"."""
    before = text[max(begin, dot - _LONGEST_ABBREVIATION) : dot]
    following = text[after : after + 1]
    return (bool(_ABBREVIATION.search(before)) and before[-2:] not in {" I", "I"}) or (
        bool(_SHORTENED.search(before)) and (following.islower() or following.isdigit())
    )


def _short(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    if end - begin <= _MAX_CHARS:
        yield begin, end
        return
    for piece in cut(text[begin:end], _MAX_CHARS):
        yield begin, begin + len(piece)
        begin += len(piece)

"""What a text rules out: the clause after a negation, English and Chinese ("do NOT push to stable", 不要香菜)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHARS: Final = 60

_NEGATION: Final = re.compile(
    r"(?=[a-zA-Z])(?i:(?<![a-z0-9_'\u2019-])(?:(?:do|does|did|is|are|am|was|were|will|would|can|could|should|shall|may|might|must|have|has|had)\s+not"
    r"|(?:do|does|did|is|are|was|were|wo|would|ca|could|should|must|have|has|had|need)n['\u2019]t|(?:do|does|did|is|ca|wo)nt|cannot|not|never"
    r"|no(?:\s+longer)?(?=\s+[a-z])|without|neither|nor|none|nobody|nothing|nowhere|avoid(?:ing)?|except(?:\s+for)?|unless)(?![a-z0-9_]))"
)
_IDLE: Final = re.compile(
    r"(?i)(?:no\s+(?:problem|worries|idea|doubt|thanks?|thank\s+you|rush|matter|wonder|i|it|that|you|we|they|he|she|one\s+else|need\s+to)"
    r"|not\s+(?:only|bad|to\s+mention)|never\s+mind|(?:do\s+not|don['\u2019]?t)\s+(?:know|worry|mind|hesitate|you|we|they)"
    r"|(?:is|are|was|were|do|does|did|wo|would|ca|could|should|have|has)n['\u2019]t\s+(?:it|i|you|we|they|he|she|that))(?![a-z])"
)
_END: Final = re.compile(
    r"[,.;:!?](?=[\s\"'\u201d\u2019)\]]|$)|[\n()\uff0c\u3002\uff1b\uff1a\uff01\uff1f\"\u201c\u201d<>{}|\\]|\s[-\u2013\u2014]\s|\u2014"
    r"|\s(?:but|because|since|although|however)\s"
)
_LIST: Final = re.compile(r"(?:,\s+[\w-]+(?:\s[\w-]+)?){0,4},?\s+(?:or|nor)\s+(?:[\w-]+\s)?[\w-]+")
"""The rest of a list that a negation governs: "without nuts, dairy or eggs"."""

_HAN_NEGATION: Final = re.compile(
    r"(?:千万|绝对|绝|从来?|尽量|最好)?(?:不(?!用?客气|好意思|过|但|仅|管|论|错|同|少(?!于)|断|久|用谢|知道|止|如|妨|胜|禁)|没(?!有?关系|有?事(?![\u4e00-\u9fff])|有?问题|错|准|想到)"
    r"|(?<![特分区级类个性辨判识鉴告差])别(?!客气|[人的处墅名称致])|勿|禁止|避免|无法|无需|拒绝|未(?=[经能曾付到完收])|除了)"
)
_HAN_EMPTY: Final = " 有了啊哦呢吧的呀哈嘛啦"
_HAN_BEFORE: Final = frozenset("差对只了")
_HAN_END: Final = re.compile(r"[\uff0c\u3002\uff1b\uff1a\uff01\uff1f,;!?\n()\uff08\uff09\u201c\u201d\"「」『』《》|]|\.(?!\d)|但|因为|的话")


def negations(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of what negations govern: from the negation to the end of its clause, at most about 60 characters.

    What is only said (no problem, 没关系), asked (是不是) or tagged on (isn't it) rules nothing out and is left out.
    """
    reached = 0
    for match in _NEGATION.finditer(text):
        if match.start() < reached or _IDLE.match(text, match.start()):
            continue
        end = _english_end(text, match.start(), match.end())
        if end > match.end():
            reached = end
            yield match.start(), end
    if text.isascii():
        return
    reached = 0
    for match in _HAN_NEGATION.finditer(text):
        if match.start() < reached or _asked(text, match.end() - 1) or text[match.start() - 1 : match.start()] in _HAN_BEFORE:
            continue
        end = _cut(text, match.start(), match.end(), _HAN_END)
        if text[match.end() : end].strip(_HAN_EMPTY):
            reached = end
            yield match.start(), end


def _english_end(text: str, start: int, end: int) -> int:
    stop = _cut(text, start, end, _END)
    if text.startswith(",", stop) and (more := _LIST.match(text, stop, start + MAX_CHARS)):
        stop = more.end()
    return stop


def _cut(text: str, start: int, end: int, border: re.Pattern[str]) -> int:
    """Return where the clause ends: at a border, or at the last space within the limit."""
    limit = min(start + MAX_CHARS, len(text))
    found = border.search(text, end, limit)
    stop = found.start() if found else limit
    if not found and limit < len(text) and text[limit - 1].isascii() and text[limit].isalnum():
        space = text.rfind(" ", end + 1, limit)
        stop = space if space > 0 else limit
    while stop > end and (text[stop - 1].isspace() or text[stop - 1] in ".,;:!?"):
        stop -= 1
    return stop


def _asked(text: str, position: int) -> bool:
    """Say whether the character stands between two equal ones: 是不是, 要不要, 好不好; 有没有."""
    return 0 < position < len(text) - 1 and text[position - 1] == text[position + 1]

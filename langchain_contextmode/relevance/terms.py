"""A message as a bag of light terms: what BM25 and the other local signals count.

English words lose case, stop words and endings; Chinese, Japanese and Korean text becomes character bigrams; identifiers
(`snake_case`, `camelCase`, `ORD-4711`) count as a whole and by their parts. No model, no word list on disk.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from langchain_contextmode.content import BoundedCache, content_key, readable
from langchain_contextmode.relevance.stem import stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.messages import BaseMessage

STOP_WORDS = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "a about after again ago all already also am an and any anyone anything are as at be because been before being both but by can "
        "cannot could did do does doing done down during each either else ever every everyone everything few for from further get gets "
        "getting go goes going gonna got had has have having he her here hers herself him himself his how however i if in into is it its "
        "itself just kind let like lot lots made make makes making many may maybe me might more most much must my myself no nor not now "
        "of off oh ok okay on once one only or other others our ours ourselves out over own please quite rather really s same shall she "
        "should since so some someone something still such sure t than thank thanks that the their theirs them themselves then there "
        "these they thing things this those through to too under until up upon us use used using very was way we well were what when "
        "where whether which while who whom whose why will with within without would wow yeah yep yes yet you your yours yourself "
        "yourselves im ive id ill youre youve youd youll hes shes theyre theyve theyll weve werent wasnt isnt arent dont doesnt didnt "
        "cant couldnt wouldnt shouldnt wont havent hasnt hadnt thats whats lets theres heres"
    ).split()
)
"""English function words, the words of asking, and fillers of talk. They carry no topic."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019._-][^\W_]+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_CJK_FUNCTION = frozenset(
    "的了是我你他她它们吗呢吧啊呀哦嗯在有和就不也都很这那个么什怎谁哪请把被给跟与及或而但为以于はがをにでともへの이가을를은는에"
)


_ID_CHARS = 5


class Terms(NamedTuple):
    """What one message contributes.

    Attributes:
        counts: Term to number of occurrences.
        length: Number of occurrences of all terms.
        ids: Terms that look like identifiers: letters and digits in one (`hat039`, `user_17`), five characters or more.
    """

    counts: dict[str, int]
    length: int
    ids: tuple[str, ...] = ()


_CACHE: BoundedCache[Terms] = BoundedCache()


def message_terms(message: BaseMessage) -> Terms:
    """Return the terms of a message's text and tool calls; computed once per content."""
    key = content_key(message)
    return _CACHE.peek(key) or _CACHE.get(key, lambda: text_terms(readable(message)))


def text_terms(text: str) -> Terms:
    """Count the terms of any text. Empty text has none."""
    counts: dict[str, int] = {}
    for term in terms_of(text):
        counts[term] = counts.get(term, 0) + 1
    return Terms(counts, sum(counts.values()), tuple(filter(_is_id, counts)))


def _is_id(term: str) -> bool:
    return len(term) >= _ID_CHARS and not term.isalpha() and any(map(str.isdigit, term)) and any(map(str.isalpha, term))


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of a text in order, stop words left out."""
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii():
            yield from _latin(word)
        else:
            yield from _mixed(word)


def _latin(word: str) -> Iterator[str]:
    lower = word.lower()
    if lower.isalpha():
        if lower not in STOP_WORDS:
            yield stem(lower)
            if not (word.islower() or word.istitle() or word.isupper()):
                yield from _parts(word)
        return
    if "'" in lower:
        lower = lower.removesuffix("'s")
        plain = lower.replace("'", "")
        if lower.isalpha() or plain not in STOP_WORDS:
            yield from _latin(lower.split("'")[0])
        return
    yield lower
    if not lower.isdigit():
        yield from _parts(word)


def _parts(word: str) -> Iterator[str]:
    for part in _PART.findall(word):
        lower = part.lower()
        if len(lower) > 1 and lower not in STOP_WORDS:
            yield stem(lower)


def _mixed(word: str) -> Iterator[str]:
    position = 0
    for run in _CJK.finditer(word):
        if run.start() > position:
            yield from _other(word[position : run.start()])
        yield from _bigrams(run.group())
        position = run.end()
    if position < len(word):
        yield from _other(word[position:])


def _other(word: str) -> Iterator[str]:
    word = word.replace("\u2019", "'")
    if word.isascii():
        yield from _latin(word.strip("'._-"))
    else:
        yield word.lower()


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        if run not in _CJK_FUNCTION:
            yield run
        return
    for left, right in pairwise(run):
        if left not in _CJK_FUNCTION or right not in _CJK_FUNCTION:
            yield left + right


def surface_terms(text: str) -> dict[str, str]:
    """Map each term of a text to the first word it came from, as written."""
    surface: dict[str, str] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        for term in _latin(word) if word.isascii() else _mixed(word):
            surface.setdefault(term, word if word.isascii() else term)
    return surface

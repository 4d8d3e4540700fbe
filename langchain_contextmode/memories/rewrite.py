"""A request as queries that stand alone: what "she", "that one" or "那家" points at is put in, from what was just said (M6)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.han_names import han_names
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.spans import entities, opens_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RECENT_MESSAGES: Final = 12
"""Messages before the request that it may point at."""

_POINTS: Final = re.compile(
    r"\b(?:he|she|him|hers?|his|they|them|theirs?|it|its|this|that|these|those|there|one|ones|same|(?:him|her|it|them)sel(?:f|ves)|"
    r"(?:the )?(?:usual|former|latter|other))\b"
    r"|[他她它]们?|[这那](?:个|家|里|边|儿|次|位|本|条|些|种|部|款|趟|间|天|样|首|道|场)?|上次|刚才|之前|老样子|照旧|一样|同样|还有|其他|另外",
    re.IGNORECASE,
)
_FALL: Final = 0.95
"""What one message further back counts less."""

_OF_THE_USER: Final = 2.0
"""What the user names is what the talk is about; answers name much else."""

_FEW_TERMS: Final = 2
_OPENERS: Final = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "what who whom whose when where why how which did do does was were is are the a an in on at he she i it they his her their its "
        "this that these those there you we my our any some and but or if as for with from by to after before during while because "
        "since so no yes can could would should will shall may might have has had not also one two three first then than all both each "
        "other another most many much more please thanks thank hello hi ok okay well sure let tell find show give book cancel make get"
    ).split()
)
_QUOTED: Final = re.compile(r"《([^《》]{1,30})》|「([^「」]{1,30})」|“([^“”]{2,30})”")


class Recent(NamedTuple):
    """A message before the request.

    Attributes:
        text: What it says.
        by_user: A human said it.
    """

    text: str
    by_user: bool


def queries(request: str, recent: Sequence[Recent], held: Mapping[str, str], alike: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return what to search for; hits of several queries are joined by their best score.

    A request that points at something, or says little, is completed: by the name that was most on the user's lips (each message
    further back counts 0.95 of the next, the user's twice, a short form for the long one), by the task's values whose field the
    request names, and where there is neither by the user's last words. A request that says
    enough is searched for as it is, and where it names nobody also with that name; where it says a word for which the application
    has others, also with these.

    Args:
        request: Text of the newest human message.
        recent: The messages right before it, oldest first.
        held: Field of the task to its value, as words.
        alike: Words that mean the same, a group each; of a field with its name.
    """
    terms = set(terms_of(request))
    added = [name for name in (_name(request, terms, recent),) if name]
    added += [value for field, value in held.items() if _names_field(request, field, alike) and not set(terms_of(value)) <= terms]
    points = points_back(request)
    if points and not added:
        added = [message.text for message in recent[::-1] if message.by_user and set(terms_of(message.text)) - terms][:1]
    whole = " ".join([request, *added])
    asked = [request] if not added else [whole] if points else [request, whole]
    others = [word for group in alike if _says(request, group) for word in group if not set(terms_of(word)) <= terms]
    return [*asked, " ".join([whole, *dict.fromkeys(others)])] if others else asked


def points_back(request: str) -> bool:
    """Say whether a request points at something said before, or says too little by itself."""
    return bool(_POINTS.search(request)) or len(set(terms_of(request))) < _FEW_TERMS


def _names_field(request: str, field: str, alike: Sequence[Sequence[str]]) -> bool:
    name = field.replace("_", " ")
    return _says(request, [name, *(word for group in alike if name in group for word in group)])


def _says(request: str, words: Sequence[str]) -> bool:
    """Say whether one of the words stands in a request: a word of letters as a whole, Chinese anywhere."""
    return any(
        re.search(rf"(?<![^\W\u4e00-\u9fff]){re.escape(word)}(?:s|es)?(?![^\W\u4e00-\u9fff])", request, re.IGNORECASE)
        for word in words
        if word
    )


def _name(request: str, terms: set[str], recent: Sequence[Recent]) -> str:
    """Return the name that the talk is about and the request does not say; empty where there is none, or the request has one."""
    if any(span.kind == "name" for span in entities(request)):
        return ""
    worth: defaultdict[str, float] = defaultdict(float)
    found = [_names(message.text) for message in recent]
    sure = {name: max(names.get(name, 0.0) for names in found) for names in found for name in names}
    said = Counter(name for names in found for name in names)
    for age, (message, names) in enumerate(zip(reversed(recent), reversed(found), strict=True)):
        for name in names:
            if sure[name] == 1.0 or said[name] > 1:
                worth[name] += names[name] * _FALL**age * (_OF_THE_USER if message.by_user else 1.0)
    for short in list(worth):
        for long in list(worth):
            if short != long and re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long):
                worth[long] += worth[short]
    fitting = [name for name in sorted(worth, key=lambda name: (-worth[name], name)) if not set(terms_of(name)) <= terms]
    return fitting[0] if fitting else ""


def _names(text: str) -> dict[str, float]:
    """Return the names in a text; a word that opens a sentence may have its capital from there, and counts only if said twice."""
    found = {span.text: 1.0 for span in entities(text) if span.kind == "name"}
    for match in re.finditer(r"[A-Z][\w'\u2019-]+", text):
        word = re.sub(r"['\u2019]s$", "", match.group())
        if opens_sentence(text, match.start()) and word.casefold() not in _OPENERS and not any(word in name for name in found):
            found[word] = 0.6
    found |= {text[start:end]: 1.0 for start, end in han_names(text)}
    found |= {next(filter(None, match.groups())): 1.0 for match in _QUOTED.finditer(text)}
    return found

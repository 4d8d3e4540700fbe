"""Demands that wait for a word: which word the user named ("until I write 'go'", "before you get my OK"), and is it said now."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.reading import level

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS: Final = "\"'“”「」『』`"
_SPEAKS: Final = (
    r"(?:say|said|tell|told|give|gave|write|wrote|written|type|typed|send|sent|reply|replied|answer|answered|text|texted|post|posted|"
    r"confirm|confirmed|respond|responded|see|read|hear|heard|get|got|receive|received|have)"
)
_WAITS: Final = r"\b(?:until|till|unless|before|without|wait|hold|once|only (?:if|when|after|with|on))\b"
_CONSENT: Final = (
    r"(?:ok|okay|go(?:[- ]ahead)?|yes|approval|confirmation|consent|permission|agreement|green light|sign[- ]?off|thumbs up|all[- ]clear|"
    r"blessing)"
)
_NAMED: Final = (
    re.compile(rf"{_WAITS}[^.!?\"“`]{{0,40}}?\b{_SPEAKS}\b[^.!?\"'“`]{{0,24}}(?:\"([^\"]{{1,30}})\"|“([^”]{{1,30}})”|`([^`]{{1,30}})`)"),
    re.compile(rf"{_WAITS}[^.!?\"“`]{{0,40}}?\b{_SPEAKS}\b[^.!?\"'“`]{{0,24}}(?<!\w)'([^']{{1,30}})'(?!\w)"),
    re.compile(rf"{_WAITS}[^.!?]{{0,40}}?\b(?:my|your|our|the) (?:[a-z]+ ){{0,2}}?({_CONSENT})\b"),
    re.compile(
        rf"{_WAITS}[^.!?]{{0,20}}?\b(?:i|we)(?:'ve| have)? (?:explicitly |clearly |first )?{_SPEAKS} (?:you |back )?"
        r"(?:the word |the |my |an? )?(?:to )?([a-z]+(?: ahead| light)?)\b"
    ),
    re.compile(
        rf"{_WAITS}[^.!?]{{0,20}}?\b(?:i|we)(?:'ve| have)? (?:explicitly |clearly |first |both )?(confirm|approve|agree|consent|sign off)"
    ),
    re.compile(r"我(?:没有?|不|亲口|明确|亲自)?(?:说|写|发|回复|回|打出?|输入|讲|喊)(?:了|过|出)?[\"“「『']([^\"”」』']{1,12})[\"”」』']"),
    re.compile(r"我(?:没有?|不|亲口|明确|亲自)?(?:说|喊|回)(可以|开始|行|好|继续|同意|发|走|上)(?:之?前|以前|之?后|再|才|就|，|$)"),
    re.compile(r"(?:等|未经|没有?|得到|经过?|收到|直到|征得|除非)[^。！？]{0,4}?我的?(?:明确|书面)?(确认|同意|批准|许可|允许|通知)"),
    re.compile(r"我(?:没有?|不)(确认|同意|批准|允许|点头)"),
)
"""In what a pin says, in lower case; the first that fits names the word."""

_WORD: Final = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]+")
_MOST: Final = 8
_LEADS: Final = frozenset(
    "ok okay yes yep yeah alright right fine well so now and please i we say said write reply send hereby give "  # noqa: SIM905
    "you you've have got get my the this is here's here that's it's consider explicit full 好 好的 嗯 行 那".split()
)
_TAILS: Final = frozenset("now please then with it from me my side thanks thank you given granted everyone all 谢谢".split())  # noqa: SIM905
_WIDE_EDGES: Final = re.compile(r"^(?:好的?|嗯|行|那|现在|我)+(?=..)|(?<=..)(?:了|吧|啊|啦)+$")
_ALIKE: Final = {
    "okay": "ok",
    "approved": "approve",
    "approval": "approve",
    "confirmed": "confirm",
    "confirmation": "confirm",
    "agreed": "agree",
    "agreement": "agree",
    "goahead": "go ahead",
    "signed off": "sign off",
    "signoff": "sign off",
    "you": "so",
    "otherwise": "",
}
_ANY_GO: Final = {"so": ("go ahead", "go"), "go": ("go ahead",), "word": ("go ahead", "go")}
_WEAK: Final = frozenset(("ok", "yes", "fine", "good", "sure", "right", "好", "行", "可以", "嗯"))
"""Words that answer anything: they release only as a message of their own."""


def awaited(pin: str) -> str:
    """Return the word or the few words that a pin sentence waits for, in lower case; empty if it waits for none."""
    text = level(pin)
    for pattern in _NAMED:
        match = pattern.search(text)
        if match:
            return _normal(next(group for group in match.groups() if group))
    return ""


def is_short(said: str) -> bool:
    """Say whether a sentence is short enough to be no more than such a word."""
    return 0 < len(said) <= _MOST * 12 and 0 < len(_WORD.findall(level(said))) <= _MOST


def says(sentence: str, wanted: str, *, alone: bool) -> bool:
    """Say whether a sentence says a word and nothing else but politeness around it: "go", "'Go!'", "ok, go now please", "同意了".

    Args:
        sentence: As lower-case text; quotation marks do not matter.
        wanted: What `awaited` returned.
        alone: Whether the message holds no other sentence; a bare "ok" counts only then.
    """
    if not wanted or not is_short(sentence) or (wanted in _WEAK and not alone):
        return False
    words = (wanted, *_ANY_GO.get(wanted, ()))
    return any(core in words for core in _cores(sentence))


def _normal(text: str) -> str:
    words = " ".join(_WORD.findall(text.replace("-", " ").strip("'")))
    return _ALIKE.get(words, words)


def _cores(sentence: str) -> Iterator[str]:
    text = level(sentence)
    for mark in _MARKS:
        text = text.replace(mark, " ") if mark != "'" else re.sub(r"(?<!\w)'|'(?!\w)", " ", text)
    words = _WORD.findall(text.replace("-", " "))
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            core = " ".join(words[start:end])
            yield _ALIKE.get(core, core)
            if start + 1 == end:
                yield _WIDE_EDGES.sub("", core)
            if words[end - 1] not in _TAILS:
                break
        if words[start] not in _LEADS:
            return

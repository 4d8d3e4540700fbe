"""Words by which a message replaces, refuses or drops something said before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.task.extract.choices import word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_contextmode.task.types import FieldSpec

_CORRECTS: Final = re.compile(
    r"\b(?:actually|instead|rather than|make (?:it|that)|change(?:d)?\b|switch(?:ed)?\b|correction|i meant|i mean\b|scratch that"
    r"|on second thou?ght|changed (?:my|our) minds?"
    r"|no longer|update (?:it|that|the)|sorry|move it to|let'?s (?:do|go with|make)|oops|wait|hmm,? no)|改成|改为|改到|改去"
    r"|换成|换到|换为|换个|还是[^吗?？]{1,12}吧"
    r"|不是[^,，。]{1,12}[,，]?\s*(?:而?是|要)|说错|更正|重新",
    re.IGNORECASE,
)
_REFUSED: Final = (
    re.compile(
        r"(?:\bover|\bno|\bnot(?: really)?(?: feeling| into| interested in| a fan of| keen on)?"
        r"|(?:n['’]t|\bnot) (?:(?:really|big|a big|huge|a huge|that|much) )*(?:like|want|feel like"
        r"|care for|fans? of|into|keen on)|\brather than"
        r"|\binstead of|\banything but|\bexcept|\bno longer|\bavoid|\bisn't|\baren't|\bother than)\s+(?:for |at |on |in |to |from |the |a "
        r"|an )*$",
        re.IGNORECASE,
    ),
    re.compile(r"(?:不是|不要|别|不去|不住|不坐|除了|而不是|不想[要去住坐]?|不再)\s*$"),
)
_HAN_BAN: Final = re.compile(r"(?:不要|别(?!的|墅|处)|不想|不能|不用|不许)[^是]*$")
_REFUSED_AFTER: Final = re.compile(
    r"\s*(?:\w+ )?(?:is|was|are|were) (?:out|no longer|wrong|incorrect|not right|not correct|a mistake)\b"
    r"|\s*(?:不行|不要了|不去了|不住了|算了|不对(?!吗)|错了|写错|搞错)",
    re.IGNORECASE,
)
_DROPS_BEFORE: Final = re.compile(
    r"(?:\bforget(?: about)?|\bdrop|\bskip|\bcancel|\bremove|\bnever mind|\bno need for|\bdon'?t need|\bdo not need|\bdon'?t want"
    r"|\bno(?! longer)|\bwithout"
    r"|不要|不用|不需要|取消|去掉|忘了|别管|不管|不订|不定)\s+?(?:the |a |an |any |my |our |that )*$|(?:不要|不用"
    r"|不需要|取消|去掉|忘了|别管|不管|不订|不定)$",
    re.IGNORECASE,
)
_DROPS_AFTER: Final = re.compile(
    r"\s*(?:也|就)?(?:(?:不要|不用|不需要|取消|算)(?:订|定)?了|取消(?![订定]))|\s+(?:is|are)(?: no longer|n'?t"
    r"| not) (?:needed|necessary|required)|\s+doesn'?t matter"
    r"|\s*(?:无所谓|随便|都行)",
    re.IGNORECASE,
)
_DROPS_WORDS: Final = re.compile(
    r"\s+(?:needed|necessary|required|please|any ?more|after all|for now|at all|then|thanks?|thank you|altogether|entirely)\b",
    re.IGNORECASE,
)
_MOVES: Final = re.compile(
    r"(?:\b(?:mov|chang|switch|rais|increas|lower|reduc|push|shift|extend|shorten|cut|bump|updat|bring)"
    r"\w*\b[^.!?]{0,60}\bfrom (?:the |about |around )?|从|由)$",
    re.IGNORECASE,
)
_MOVES_TO: Final = re.compile(
    r"\s*(?:to|into)\s+(?:the |about |around )?|\s*(?:改|提|换|调|推|移|挪|升|降|涨|加|减|延|变)(?:高|低|迟|后|前|整|长|动)?(?:到|成|为|至)"
)
_PREFERS: Final = re.compile(r"\b(?:prefer|rather|like|take|want)\b[^.!?]{1,60}\b(?:over|than)\s+(?:the |a |an )?$", re.IGNORECASE)
_MENDS: Final = re.compile(
    r"(?:[,.;—-]|\.\.\.)\s*(?:no|nope|wait|sorry|oops|or rather|rather|i mean|i meant|make (?:it|that)|actually"
    r"|correction)\b|不对|哦不|说错|应该是",
    re.IGNORECASE,
)
_ADDS: Final = re.compile(
    r"\b(?:also|as well|add|adding|additionally|in addition|plus|along with|together with|on top|besides|another|(?:one|some) more|extra)\b"
    r"|\btoo\b(?=\W*$)|也|还[要有想需得请会]|再[加来要添放]|加[上个]|添[上个]|外加|以及",
    re.IGNORECASE,
)
_ADDS_FIRST: Final = re.compile(r"\W*(?:(?:oh|ah),? )?(?:(?:and|plus|also|additionally|besides)\b|还有|另外|再有|对了)", re.IGNORECASE)
_MORE: Final = re.compile(
    r"\b(?:anything|what|something|anyone|who|where) else\b|\bany (?:other|more|further)\b|\bmore\b[^.!?]*\?|还[有要需]|其[他它]|别的",
    re.IGNORECASE,
)
_CLAUSE_ENDS: Final = re.compile(r"[,;，；。.!?！？\n]")
_NEAR: Final = 28
_SENTENCE_NEAR: Final = 90


def corrects(sentence: str) -> bool:
    """Say whether a sentence replaces something said before."""
    return bool(_CORRECTS.search(sentence))


def adds(text: str, start: int, end: int, asked: str = "") -> bool:
    """Say whether a value joins those named before: "corn, too", 再加玉米, or a bare answer to "anything else?".

    Args:
        text: The sentence.
        start: Where the value begins.
        end: Where it ends.
        asked: What the assistant said right before.
    """
    if _MORE.search(asked[-_SENTENCE_NEAR:]) or _ADDS_FIRST.match(text):
        return True
    first = max((match.end() for match in _CLAUSE_ENDS.finditer(text, 0, start)), default=0)
    last = _CLAUSE_ENDS.search(text, end)
    clause = text[first : last.start() if last else len(text)]
    return bool(_ADDS.search(clause) or re.match(r"\s*too\b", text[last.end() :] if last else ""))


def refused(text: str, start: int, end: int, cues: Sequence[str] = ()) -> bool:
    """Say whether the value between two places is named only to be refused: "not 3", "rather than aisle", "8 guests was wrong".

    Args:
        text: The sentence.
        start: Where the value begins.
        end: Where it ends.
        cues: Words of its field that may stand before it: "no pizza funghi".
    """
    before = text[max(0, start - _NEAR) : start]
    if own := next((cue for cue in cues if cue.isascii() and before.lower().endswith(f" {cue} ")), ""):
        before = before[: -len(own) - 1]
    if not text.isascii() and _HAN_BAN.search(re.split(r"[,，。;；]", before)[-1]):
        return True
    return any(pattern.search(before) for pattern in _REFUSED) or bool(_REFUSED_AFTER.match(text, end))


def preferred(text: str, start: int) -> bool:
    """Say whether a value is only what another one is preferred to: "2 rooms over 3"."""
    return bool(_PREFERS.search(text[max(0, start - _SENTENCE_NEAR) : start]))


def moved(text: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Say whether two values are the old and the new one of a change: "move it from March 19 to March 22", 从两万提到三万."""
    return moves(text, first[0]) and bool(_MOVES_TO.fullmatch(text, first[1], second[0]))


def moves(text: str, start: int) -> bool:
    """Say whether the value that begins there is the old one of a change: "move it from March 19", 从两万提."""
    return bool(_MOVES.search(text[max(0, start - _SENTENCE_NEAR) : start]))


def mended(text: str, first_end: int, second_start: int) -> bool:
    """Say whether the second of two values takes the first one back: "4 people, no, 5", "2 rooms, or rather 3"."""
    return bool(_MENDS.search(text, first_end, second_start))


def dropped(text: str, field: FieldSpec) -> Iterator[tuple[int, int]]:
    """Yield where a text drops a field as a whole: "forget the hotel", 酒店不要了."""
    for cue in field.cues:
        if cue in {"to", "from", "in", "at"}:
            continue
        for match in word(cue).finditer(text):
            before = text[max(0, match.start() - _NEAR) : match.start()]
            if _DROPS_AFTER.match(text, match.end()) or (
                _DROPS_BEFORE.search(before)
                and (not text[match.end() : match.end() + 2].strip().isalnum() or _DROPS_WORDS.match(text, match.end()))
            ):
                yield match.span()

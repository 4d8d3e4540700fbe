"""How many o200k tokens a text has, without its ranks: the tokenizer's own pieces, each priced by its shape.

o200k first cuts a text by one pattern (a word with the one character before it, up to three digits, a run of punctuation,
white space) and then divides each piece by ranks. The cut is done here as there; what the ranks would do is a price: a
short word is one token, and a piece costs more the longer it is, the rarer its capitals and the less its letters look
like a language. Prices are averages over English, Chinese, code and JSON, raised by `_MARGIN` so that no kind of text is
under-counted by more than 2 % (tests/benchmarks/token_estimate.py).
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final, NamedTuple

_MARGIN: Final = 1.08
_REMEMBERED_PIECES: Final = 20_000
_SLICE_CHARS: Final = 50_000
_FOREIGN: Final = 0.008
_VERY_FOREIGN: Final = 0.03
"""Shares of accented letters from which Latin words are priced as French or Spanish, and as Polish or Hungarian."""

_UPPER: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_LOWER: Final = "a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_PATTERN: Final = (
    "{wide}{lead}?[{upper}]{{0,16}}[{lower}]{{1,16}}(?:'(?:[sdmt]|ll|ve|re)(?![a-z]))?|{lead}?[{upper}]{{1,16}}|[0-9]{{1,3}}{words}"
    "| ?[{other}]{{1,16}}[\\r\\n/]{{0,16}}|\\s{{0,64}}[\\r\\n]{{1,16}}|\\s{{1,64}}(?!\\S)|\\s|."
)
_ASCII_PIECE: Final = re.compile(
    _PATTERN.format(lead="[^\\r\\nA-Za-z0-9]", upper="A-Z", lower="a-z", wide="", words="", other="^\\sA-Za-z0-9"), re.DOTALL
)
_WIDE: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORDS: Final = "\u0370-\u1dff\u1f00-\u1fff\ua000-\ud7ff"
_PIECE: Final = re.compile(
    _PATTERN.format(
        lead="[\\x00-\\x09\\x0b\\x0c\\x0e-/:-@\\[-`{-\\xbf\\u2000-\\u206f]",
        upper=_UPPER,
        lower=_LOWER,
        wide=f"[{_WIDE}]|",
        words=f"| ?[{_WORDS}]{{1,24}}",
        other=f"^\\s0-9{_UPPER}{_LOWER}{_WIDE}{_WORDS}",
    ),
    re.DOTALL,
)
_ACCENTED: Final = re.compile("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")


class _Script(NamedTuple):
    """Price of a word in a script: `start + per_char * characters`, at least 1."""

    last: int
    start: float
    per_char: float


_SCRIPTS: Final = (
    _Script(0x03FF, 0.2, 0.37),  # Greek
    _Script(0x052F, 0.4, 0.26),  # Cyrillic
    _Script(0x05FF, 0.3, 0.41),  # Armenian, Hebrew
    _Script(0x08FF, 0.5, 0.29),  # Arabic and its neighbours
    _Script(0x0DFF, 0.2, 0.36),  # scripts of India
    _Script(0x0EFF, 0.1, 0.42),  # Thai, Lao
    _Script(0x109F, 0.2, 0.60),  # Tibetan, Burmese
    _Script(0x10FF, 0.3, 0.35),  # Georgian
    _Script(0xABFF, 0.5, 1.00),  # what is rare
    _Script(0xD7FF, 0.3, 0.65),  # Hangul
)
_DIGITS: Final = frozenset("0123456789")
_HAN: Final = range(0x3400, 0xA000)
_KANA: Final = range(0x3000, 0x3100)
_LEVEL_TWO: Final = b"\xd8"
"""GB 2312 lists the 3,755 most frequent characters before its row 0xD8, the others after it."""

_GLUED: Final = frozenset(" _.(-'*%&\\$")
"""Characters that often share a token with the word after them."""

_ODD_PAIR: Final = re.compile(r"[jqxz]|[bcdfghjkmpqtvwxz](?=[bdfgjkmpqvwxz])")


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text; 0 for an empty one, else at least 1. Time is linear in the length."""
    if len(text) <= _SLICE_CHARS:
        return int(_cost(text) * _MARGIN + 0.5)
    return int(sum(_cost(text[start : start + _SLICE_CHARS]) for start in range(0, len(text), _SLICE_CHARS)) * _MARGIN + 0.5)


def _cost(text: str) -> float:
    if text.isascii():
        costs, found = _COSTS[0], _ASCII_PIECE.findall(text)
    else:
        accented = len(_ACCENTED.findall(text)) / len(text)
        costs, found = _COSTS[(accented > _FOREIGN) + (accented > _VERY_FOREIGN)], _PIECE.findall(text)
    return sum(map(costs.__getitem__, found))


class _Costs(dict[str, float]):
    """Piece to price, computed at first use and forgotten all at once when there are too many."""

    def __init__(self, per_letter: float) -> None:
        """Take what a letter beyond the fourth costs in words of another language; 0 is English."""
        super().__init__()
        self._per_letter = per_letter

    def __missing__(self, piece: str) -> float:
        if len(self) >= _REMEMBERED_PIECES:
            self.clear()
        cost = self[piece] = _price(piece, self._per_letter)
        return cost


_COSTS: Final = (_Costs(0.0), _Costs(0.22), _Costs(0.36))


def _price(piece: str, per_letter: float) -> float:
    if piece.isspace() or piece[0] in _DIGITS:
        return 1.0
    word = piece.lstrip(" ") if piece[0] == " " else piece
    last = piece[-1]
    if not piece.isascii() and not _latin(word[-1]):
        return _script(word)
    if last.isalpha():
        return _word(piece, per_letter)
    return _punctuation(word)


def _latin(character: str) -> bool:
    return character < "\u0250" or "\u1e00" <= character <= "\u1eff"


def _word(piece: str, per_letter: float) -> float:
    """Price a Latin word with the character before it (if any) and its contraction (counted as nothing)."""
    lead = "" if piece[0].isalpha() else piece[0]
    word = piece[len(lead) :].split("'", maxsplit=1)[0]
    length = len(word)
    start = 0.0 if not lead or lead == " " else 0.15 if lead in _GLUED else 0.75
    if per_letter:
        return start + 1 + per_letter * max(0, length - 4) + 0.2 * (not word.isascii())
    spaced = lead == " "
    if word.islower():
        price = 1 + (0.035 * max(0, length - 6) if spaced else 0.04 * max(0, length - 3) + 0.1 * max(0, length - 7))
        price += 0.3 * max(0, length - 13)
    elif word.isupper():
        price = 1 + (0.2 if spaced else 0.24) * max(0, length - 2)
    elif word[1:].islower():
        price = 1 + (0.06 * max(0, length - 4) if spaced else 0.04 * max(0, length - 4))
    else:
        price = 2 + 0.08 * max(0, length - 4)
    odd = len(_ODD_PAIR.findall(word.lower()))
    return start + price + 0.1 * odd + 0.85 * max(0, odd - 1)


def _punctuation(run: str) -> float:
    """Price a run of signs; the same sign again costs nothing."""
    signs = sum(1 for _ in groupby(run.rstrip("\r\n")))
    beyond = sum(1 for sign in run if sign > "\u04ff")
    return 1 + 0.15 * (signs > 2) + 0.42 * max(0, signs - 3) + 0.5 * max(0, beyond - 1)  # noqa: PLR2004


def _script(word: str) -> float:
    code = ord(word[-1])
    if code in _HAN:
        return _han(word)
    if code in _KANA:
        return 0.63
    for script in _SCRIPTS:
        if code <= script.last:
            return max(1.0, script.start + script.per_char * len(word))
    return 1.6 * len(word)


def _han(character: str) -> float:
    try:
        return 0.76 if character.encode("gb2312") < _LEVEL_TWO else 1.8
    except UnicodeEncodeError:
        return 1.3

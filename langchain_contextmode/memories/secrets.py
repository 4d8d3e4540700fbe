"""What must never be remembered or rendered: keys, tokens, passwords, card numbers, codes (M12)."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from langchain_contextmode.memories.numbered_secrets import numbered, unwidened

if TYPE_CHECKING:
    from collections.abc import Iterator

SecretKind = Literal["key", "token", "password", "card number", "code", "bank account", "id number"]

_TOKENS: Final[tuple[tuple[SecretKind, re.Pattern[str]], ...]] = (
    (
        "key",
        re.compile(
            r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{12,}|(?:AKIA|ASIA|AROA)[0-9A-Z]{12,}|AIza[\w-]{20,}|[srp]k_(?:live|test)_\w{8,}|"
            r"(?:hf|npm|dop_v1|shpat|sbp)_[A-Za-z0-9]{16,}|xai-\w{16,}|gsk_\w{16,}|SG\.[\w-]{10,}\.[\w-]{10,}|pypi-[\w-]{16,})",
            re.ASCII,
        ),
    ),
    (
        "token",
        re.compile(
            r"(?<![A-Za-z0-9_-])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{12,}|xox[abeoprs]-[\w-]{8,}|"
            r"eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|ya29\.[\w-]{16,}|(?i:bearer)\s+(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{16,}=*)",
            re.ASCII,
        ),
    ),
    ("password", re.compile(r"(?<=://)[^\s/:@]{1,64}:[^\s/@]{1,128}(?=@)")),
)
_PEM: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_PEM_END: Final = "-----END "
_PEM_LINE: Final = re.compile(r"[^\n]*")

_KEY_CUE: Final = re.compile(
    r"(?<![a-z])(?:(?:api|secret|access|private|auth|license|licence|encryption|signing|ssh|recovery|seed|app|client)[ _-]?)?"
    r"(?:keys?|tokens?|secrets?|credentials?|apikey)(?![a-z])|密钥|秘钥|令牌|私钥|凭证",
    re.IGNORECASE,
)
_KEY_REACH: Final = 40
_RANDOM: Final = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_=.-]{14,}(?![\w])", re.ASCII)

_LEAD: Final = (
    r"(?:\s*(?:[:：=]|->|=>)\s*|\s+(?:is|was|to|are|will be|be)\s+(?:now\s+|still\s+|just\s+|actually\s+|changed to\s+|set to\s+)*|'s\s+)"
)
_PASSWORD: Final = re.compile(
    r"(?<![a-z])(?:pass[ -]?(?:words?|codes?|phrases?|key)|passwd|pwd|passwort|log-?in)(?![a-z])"
    rf"(?:\s+(?:for|of|on|to|at)\s+[^\n:：=.,;]{{1,40}}?)?{_LEAD}[\"'“‘`]?(?P<value>\S)",
    re.IGNORECASE,
)
_HAN_PASSWORD: Final = re.compile(
    r"(?:密码|口令|暗号|密碼)(?:\s*(?:就?是|为|設?設?成|设成|设为|改成了?|改为|换成了?|叫|用的?是|[:：=])\s*|\s*(?=[A-Za-z@#!_-]{0,30}\d))"
    r"[\"'“「‘`]?(?P<value>[^\s，。；！？、,;!?])"
)
_BEFORE: Final = re.compile(
    r"(?<!\S)[\"'“`]?(?P<value>[^\s\"'“”`，。；]{4,64})[\"'”`]?\s*(?:(?:is|as|was|for)\s+(?:my|the|our|his|her|a)\s+"
    r"(?:[\w-]{1,20}\s+){0,3}(?:password|passcode|passphrase|pwd)\b|(?:就?是|当|作为)(?:我|咱们?|我们|公司|家里?)?的?[^\s，。]{0,8}(?:密码|口令))",
    re.IGNORECASE,
)
_NO_VALUE: Final = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "not wrong too expired incorrect weak strong required needed the a an my in on still always never being stored saved reset "
        "changed invalid missing empty different hard easy long short important why what something for no it that this your our "
        "right good bad fine safe unsafe secure insecure old very so only at by case about to be forgotten lost gone all "
        "unknown rejected accepted working broken hashed encrypted where how when there kept somewhere none null stolen leaked one"
    ).split()
)
_HAN_NO_VALUE: Final = re.compile(
    r"什么|多少|啥|错|不对|不是|忘|对的|必须|必填|空|哪|怎么|几位|正确|无效|过期|不能|需要|要求|一样|不同|弱|强|太|我|你"
)
_CLAUSE_END: Final = re.compile(r"[,;.!?](?=\s|$)|[\n，。；！？]|\s(?:and|but|so|for|please|then|或|和)\s|[\"”」`]")
_VALUE_CHARS: Final = 80
_TRAILING: Final = "\"'”’」`.,;:!?)]，。；：！？、"


class Secret(NamedTuple):
    """A secret and where it stands.

    Attributes:
        start: First character.
        end: Behind its last character.
        kind: What it is.
    """

    start: int
    end: int
    kind: SecretKind


def secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets in a text, in order, none inside another; time grows linearly with the text.

    Numbers with a cue of something else (order, phone, ISBN) are none; so are long numbers that are no card by their first digits and
    Luhn's check digit, unless the text calls them a card number.
    """
    flat = unwidened(text)
    found = sorted([*_tokens(flat), *_keys(flat), *_passwords(flat), *numbered_secrets(flat)], key=lambda item: (item.start, -item.end))
    kept: list[Secret] = []
    for item in found:
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
        elif item.end > kept[-1].end:
            kept[-1] = kept[-1]._replace(end=item.end)
    return tuple(kept)


def secret_in(text: str) -> SecretKind | None:
    """Say what kind of secret a text holds, the first one; `None` for most texts."""
    found = secrets(text)
    return found[0].kind if found else None


def redacted(text: str) -> str:
    """Return a text with each secret replaced by its kind in brackets: "my password is [password removed]"."""
    parts, position = [], 0
    for secret in secrets(text):
        parts += [text[position : secret.start], f"[{secret.kind} removed]"]
        position = secret.end
    return "".join([*parts, text[position:]])


def numbered_secrets(flat: str) -> Iterator[Secret]:
    """Yield what is a secret by its digits: cards, codes, accounts, identity numbers."""
    for start, end, kind in numbered(flat):
        yield Secret(start, end, kind)


def _tokens(text: str) -> Iterator[Secret]:
    for kind, pattern in _TOKENS:
        for match in pattern.finditer(text):
            yield Secret(match.start(), match.end(), kind)
    position = 0
    while opening := _PEM.search(text, position):
        closing = text.find(_PEM_END, opening.end())
        line = _PEM_LINE.match(text, closing) if closing >= 0 else None
        position = line.end() if line else len(text)
        yield Secret(opening.start(), position, "key")


def _keys(text: str) -> Iterator[Secret]:
    """Yield long tokens that look random right behind a word for a key."""
    reached = 0
    for cue in _KEY_CUE.finditer(text):
        match = _RANDOM.search(text, max(cue.end(), reached), cue.end() + _KEY_REACH + 1)
        if not match or "\n\n" in text[cue.end() : match.start()]:
            continue
        whole = _RANDOM.match(text, match.start())
        end = whole.end() if whole else match.end()
        if _random(text[match.start() : end]):
            reached = end
            yield Secret(match.start(), end, "token")


def _random(token: str) -> bool:
    """Say whether a token mixes letters and digits as no word does."""
    digits = sum(character.isdigit() for character in token)
    return digits > 1 and digits < len(token) and "://" not in token and not token.startswith(("www.", "http"))


def _passwords(text: str) -> Iterator[Secret]:
    for match in _PASSWORD.finditer(text):
        start, end = match.start("value"), _value_end(text, match.start("value"))
        word = text[start:end].split(maxsplit=1)[0].lower().rstrip(_TRAILING) if end > start else ""
        if word and (word not in _NO_VALUE or text[start - 1] in "\"'“‘`"):
            yield Secret(start, end, "password")
    for match in _HAN_PASSWORD.finditer(text):
        start, end = match.start("value"), _value_end(text, match.start("value"))
        if end > start and not _HAN_NO_VALUE.match(text, start):
            yield Secret(start, end, "password")
    for match in _BEFORE.finditer(text):
        if match["value"].lower() not in _NO_VALUE and (not match["value"].isalpha() or text[match.start("value") - 1] in "\"'“`"):
            yield Secret(match.start("value"), match.end("value"), "password")


def _value_end(text: str, start: int) -> int:
    """Return where a password ends: the whole first word, and the words that follow it up to the end of the clause."""
    first = start
    while first < len(text) and first - start < 4 * _VALUE_CHARS and not text[first].isspace() and text[first] not in "，。；！？":
        first += 1
    border = _CLAUSE_END.search(text, max(start, first - 1), start + _VALUE_CHARS)
    end = max(first, border.start()) if border and border.start() >= first - 1 else first
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end

"""What a human message says that is worth remembering: the speaker's own sentences, found by local rules."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.content import BoundedCache, fix_surrogates, of_session
from langchain_contextmode.cues.spot import kind_of
from langchain_contextmode.memories.attributes import fact_of
from langchain_contextmode.memories.consent import withheld
from langchain_contextmode.memories.facts import USER
from langchain_contextmode.memories.gate import is_emphasised, is_vague, says_nothing
from langchain_contextmode.memories.importance import importance_of, type_of
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.memories.moment import of_the_moment
from langchain_contextmode.memories.secrets import secret_in
from langchain_contextmode.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.schema import PinKind

TEXT_CHARS: Final = 600
"""A longer sentence is no single statement."""

_MESSAGE_CHARS: Final = 20_000
_EDGE_CHARS: Final = 2_000
_MANY: Final = 16
_SPLIT: Final = re.compile(
    r"(?<=[^\s,;，；]),?\s+(?:and|but)\s+(?=(?:i|i'm|my|we|our)\b)|\s*;\s*|,\s+(?=(?:i|i'm|my|our)\b)|"
    r"[，；]\s*(?=我|另外|但我|而且我|还有)",
    re.IGNORECASE,
)
_REFERS: Final = re.compile(r"\s*(?:(?:it|they|he|she|that|this|these|those|both)\b(?!')|[他她它]们?|这[让使个样种])", re.IGNORECASE)
_TOLD: Final = re.compile(
    r"^\W*(?:please |also |and |so |ok,? |but )*(?:remember|note|keep in mind|never forget|do(?:n't|"
    r" not) forget|for the record|fyi)(?: also)?"
    r"(?:\s+that\b|\s*[:,]|(?=\s+(?:i|my|we|our)\b))\s*(?P<rest>.+)"
    r"|^\W*(?:请|你|帮我|也|要|一定要?|千万)*(?:记住|记一下|记下|记得|别忘了?|不要忘了?)[：:，,]?\s*(?P<han>我.+)",
    re.IGNORECASE | re.DOTALL,
)
_BACK: Final = re.compile(
    r"\W*(?:please )?(?:(?:always )?remember|keep|note|never forget|don't forget) (?:that|this|"
    r"it)(?: in mind)?(?: please| for (?:next time|the future))?\W*"
    r"|\W*(?:please, )?(?:that|this|it)(?:'s| is| really is| matters)? (?:really |very |so |extremely |"
    r"quite )*(?:important|crucial|essential|vital|a lot to me|to me)"
    r"(?: to me| for me)?\W*"
    r"|\W*这(?:个|点|一点|件事)?(?:对我)?(?:真的|非常|很|特别|十分)*重要\W*"
    r"|\W*(?:请|一定要?|千万)*(?:记住|记好|记牢|牢记|别忘|不要忘)(?:这个|这点|这一点|它)?[了哦啊]?\W*",
    re.IGNORECASE,
)
_REMINDER: Final = re.compile(
    r"\W*(?:please |also |and )*(?:remember|remind me|do(?:n't| not) (?:let me )?forget|"
    r"make sure)(?: to\b| when\b| how\b| why\b| what\b| where\b|\?)|\W*(?:请)?提醒我|"
    r"\W*(?:你)?(?:还)?记得(?:吗|我(?:叫|说|喜欢)?什么)",
    re.IGNORECASE,
)
_FOUND: Final[BoundedCache[tuple[Found, ...]]] = BoundedCache(4_096)


class Found(NamedTuple):
    """A statement in one message.

    Attributes:
        text: Copied letter by letter.
        kind: What it demands; `None`: nothing.
        emphasised: It is stressed, or the sentence behind it says that it is to be remembered.
        told: Its speaker asks to remember it.
    """

    text: str
    kind: PinKind | None
    emphasised: bool
    told: bool = False


class Said(NamedTuple):
    """A human message.

    Attributes:
        id: Its id.
        text: What it says.
    """

    id: str
    text: str


def said(messages: Iterable[BaseMessage]) -> list[Said]:
    """Return what humans said in this session, oldest first; only the text parts, parts of one sentence joined."""
    return [
        Said(message.id or "", text)
        for message in messages
        if message.type == "human" and of_session(message) and (text := own_text(message))
    ]


def said_in(blocks: Iterable[Block]) -> list[Said]:
    """Return what humans said in these blocks."""
    return said(block.messages[0] for block in blocks if block.spoken)


def own_text(message: BaseMessage) -> str:
    """Return the text parts of a message without placeholders for media; empty for an image alone."""
    content = message.content
    if isinstance(content, str):
        return str(fix_surrogates(content)).strip()
    parts = [
        part if isinstance(part, str) else str(part.get("text") or "") if part.get("type") in {"text", "input_text"} else ""
        for part in content
    ]
    text = ""
    for part in (part.strip() for part in parts):
        if part:
            goes_on = text and text[-1] not in ".!?:;。！？：；" and not part[0].isupper()
            text = f"{text}{' ' if goes_on else chr(10)}{part}" if text else part
    return str(fix_surrogates(text))


def extract(human: Sequence[Said], *, turn_key: str = "", skip: frozenset[str] = frozenset()) -> list[Memory]:
    """Return what messages say that is worth remembering, one statement a memory, oldest first.

    Found are what the cues for pins find, facts about the speaker and theirs, and what a speaker asks to remember. Left out are
    requests of the moment, questions, suppositions, pasted and quoted text, sentences with secrets, and messages that their
    speaker, there or right behind them, asked not to remember.

    Args:
        human: From `said` or `said_in`. The whole session, or what is new with the messages right before it.
        turn_key: Of the turn in which all of it was said; other than any of the user's other turns. Empty: the message's id is its turn's.
        skip: Ids of messages that are read for context only.
    """
    unwanted = withheld(human)
    return [
        memory
        for message in human
        if message.id not in unwanted and message.id not in skip
        for memory in memories_of(message, turn_key or message.id)
    ]


def memories_of(message: Said, turn_key: str) -> Iterator[Memory]:
    """Yield the memories of one message, whatever its speaker wishes about them."""
    for found in statements(message.text):
        yield memory_of(found, message.id, turn_key)


def memory_of(found: Found, message_id: str, turn_key: str) -> Memory:
    """Return a statement as a memory; times, ids and scope are the store's."""
    fact = fact_of(found.text)
    attribute = fact.attribute if fact else ""
    vague = not found.told and is_vague(found.text, attribute or ("health" if found.kind in {"health", "diet"} else ""))
    if not attribute and found.kind in {"health", "prohibition"}:
        attribute = found.kind
    sure = 0.3 if vague else 0.5 + 0.15 * bool(found.kind) + 0.15 * bool(fact) + 0.15 * found.told
    return Memory(
        text=found.text,
        type=type_of(found.kind, attribute if fact else ""),
        importance=importance_of(found.kind, attribute, emphasised=found.emphasised, vague=vague),
        confidence=round(sure, 2),
        subject=fact.subject if fact else USER,
        attribute=attribute,
        value=fact.value if fact else "",
        polarity=fact.polarity if fact else 0,
        emphasised=found.emphasised and not vague,
        vague=vague,
        turns=(turn_key,) if turn_key else (),
        source_message_ids=(message_id,) if message_id else (),
    )


def statements(text: str) -> tuple[Found, ...]:
    """Return the statements of one message that are worth remembering, in order, none twice."""
    return _FOUND.get(text, lambda: tuple(_statements(text)))


def _statements(text: str) -> Iterator[Found]:
    spans = list(sentences(text))
    if len(text) > _MESSAGE_CHARS or len(spans) > _MANY * _MANY:
        spans = [span for span in spans if span[0] < _EDGE_CHARS or span[1] > len(text) - _EDGE_CHARS]
    seen: set[str] = set()
    for number, (start, end) in enumerate(spans):
        before = spans[number - 1][0] if number and text[spans[number - 1][1] : start].count("\n") == 0 else None
        stressed = number + 1 < len(spans) and bool(_BACK.fullmatch(text, *spans[number + 1]))
        for found in _in_sentence(text, start, end, before):
            if found.text not in seen:
                seen.add(found.text)
                yield found._replace(emphasised=found.emphasised or stressed)


def _in_sentence(text: str, start: int, end: int, before: int | None) -> Iterator[Found]:
    """Yield what one sentence says: its parts where more than one says something by itself, else the whole."""
    if end - start > TEXT_CHARS:
        return
    whole = text[start:end]
    pieces = [piece for piece in _pieces(whole) if _worth(piece)]
    if len(pieces) > 1:
        yield from (_found(piece) for piece in pieces)
    elif _worth(whole):
        refers = before is not None and _REFERS.match(whole) and end - before <= TEXT_CHARS
        copied = text[before:end] if refers else whole
        if secret_in(copied) is None:
            yield Found(copied, kind_of(whole), is_emphasised(copied), bool(_TOLD.match(whole)))


def _found(piece: str) -> Found:
    return Found(piece, kind_of(piece), is_emphasised(piece), bool(_TOLD.match(piece)))


def _pieces(sentence: str) -> list[str]:
    return [piece.strip(" ,，;；") for piece in _SPLIT.split(sentence) if piece.strip(" ,，;；")]


def _worth(sentence: str) -> bool:
    """Say whether a sentence is to be remembered: it tells, demands or is told to be remembered, lasts, and holds no secret."""
    if _BACK.fullmatch(sentence) or _REMINDER.match(sentence):
        return False
    told = _TOLD.match(sentence)
    fact = fact_of(sentence)
    kind = kind_of(sentence)
    if not (kind or fact or (told and not says_nothing(told["rest"] or told["han"]))):
        return False
    return secret_in(sentence) is None and not of_the_moment(sentence, fact, kind)

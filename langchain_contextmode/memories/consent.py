"""What somebody does not want to be remembered, in their own words, and how it stays away (M11)."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from langchain_contextmode.memories.gate import says_nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_THIS: Final = (
    r"(?:this|that|it|any of (?:this|that|it)|what i (?:just |have just )?(?:said|told you|wrote|write|"
    r"say)|the (?:following|above|last (?:message|part|thing)))"
)
_STORE: Final = r"(?:remember|memori[sz]e|save|store|record|log|retain|keep|note down|write down|hold on to)"
_WITHHOLD: Final = re.compile(
    rf"(?<!why )(?<!why do you )\b(?:please )?(?:do not|don't|dont|never|no need to|you (?:need not|"
    rf"needn't|must not|mustn't|should not|shouldn't|may not)|"
    rf"(?:i'd rather|i would rather|i prefer) you (?:did not|didn't|do not|don't)|i (?:do not|"
    rf"don't) want you to) (?:ever |please )?{_STORE} "
    rf"(?P<what>{_THIS}|anything|my [a-z' -]{{2,40}}|a word)\b"
    rf"|\bkeep (?:this|that|it) (?:out of (?:your )?memory|to yourself|between us|private|"
    rf"off the record)\b|\boff the record\b|\b(?:strictly )?between (?:us|you and me)\b|"
    rf"\bnot for the record\b|\bwithout (?:remembering|saving|storing) (?:this|that|it)\b"
    r"|(?:不要|别|不用|不必|请勿|勿|不许|不能|不准|无需|不想让?你)(?:帮我|给我|再|去)?(?:记住|记下来?|"
    r"记录|保存|存储?|记(?!得|错|混|恨))(?:这|那|下|它|我|刚|上|住|任何|$|[，。！,!了])?"
    r"|这(?:个|话|句|件事|段|些|条)?(?:话|事|内容|信息)?(?:你)?(?:就)?(?:不要|别|不用|不必)(?:记|存|保存)|"
    r"私下(?:跟你)?说|不要写进记忆|别外传|别写进记忆"
)
_ONWARDS: Final = re.compile(
    r"\b(?:from (?:now|here) on|anything|this (?:whole |entire )?(?:conversation|chat|session)|"
    r"everything i (?:say|tell))\b|整个?(?:对话|会话|聊天)|这次(?:对话|会话|聊天)|从现在起|接下来|"
    r"以后说的|任何(?:东西|内容|话)?"
)
_FORGET: Final = re.compile(
    rf"(?<!don't )(?<!not )(?<!never )(?<!dont )(?:(?<!to )|(?<=you to ))(?<!i )(?<!we )(?<!i'll )\b(?:forget|erase|delete|"
    rf"wipe|unremember|un-remember)(?: about)? (?P<what>{_THIS}(?= *(?:[.,!;?]|$|please|again|from|right))"
    r"|everything(?: (?:you know )?(?:about me|i (?:have )?(?:said|told you)))?(?= *(?:[.,!;]|$|please))|"
    r"(?:that|what|where|about) (?:i|my|we|our) [^.!?;]{2,120}|my [a-z' -]{2,60}|all (?:of it|about me|"
    r"memories)|(?:everything|anything|all|what(?:ever)?)(?: that)?(?: you (?:have |'ve )?(?:know|have|remember(?:ed)?|stored|"
    r"saved|learned))? (?:about|on) [^.!?;]{2,80})"
    r"|(?:请|麻烦)?(?:把|将)(?P<han>[^。！？;；]{1,40}?)(?:都|全|全部|给)?(?:忘掉|忘了|忘记|删掉|删了|删除|抹掉|清除)(?!吗)"
    r"|(?:^|[，。！,!\s请你])(?:忘掉|忘了|忘记|删掉|删除|抹掉)(?P<han2>吧|这个|这条|这件事|这些|那个|那条|"
    r"刚才(?:说)?的?(?:话)?|刚刚的?|上面的?(?:话)?|它|我(?:说过?的|刚才说的|的)[^。！？]{0,30}|"
    r"[^，。！？吗]{0,20})(?![吗?？])"
)
_FORGOT: Final = re.compile(
    r"我(?:又|都|好像|差点|已经|老|总|会)?忘|别忘|不要忘|不会忘|忘不|忘了(?:带|吃|做|买|说|告诉|锁|关|问|"
    r"密码)|\bforget it\b"
    r"|\b(?:i|he|she|we|they|people|everyone|everybody|(?:my|his|her|our|their) [a-z]+)(?: (?!you\b)[a-z']+){0,3}"
    r" (?:forget|erase|delete|wipe)s?\b"
)
_NOTHING_NAMED: Final = re.compile(
    rf"(?:{_THIS}|everything.*|all of it|all memories|all about me|吧|这个|这条|这件事|这些|那个|那条|它|"
    rf"刚[才刚](?:我)?(?:说)?的?(?:话|内容|那句话?|那个|事)?|上面的?(?:话|内容)?|我刚[才刚]说的(?:话)?|"
    rf"上一[条句](?:消息|话)?|之前的?(?:话)?)?"
)
_ALL: Final = re.compile(
    r"(?:everything|anything|all|what(?:ever)?)(?: that)?(?: you (?:have |'ve )?(?:know|have|remember(?:ed)?|stored|saved|learned))?"
    r"(?: (?:about|on) me| i (?:have )?(?:said|told you))?(?: please)?|all of it|all memories|all about me"
    r"|(?:关于)?(?:我|我们)?的?(?:所有|全部|一切)(?:的?(?:信息|内容|记忆|东西|资料|事情?))?"
)
_BORDER: Final = re.compile(r"[.!?;。！？；\n]+\s*|,\s+(?=(?:but|and|so)\b)|[，,：:]\s*")

Covers = Literal["message", "previous", "onwards", "matter", "all"]


class Wish(NamedTuple):
    """What a message asks not to be remembered.

    Attributes:
        kind: `withhold`: it is not to be stored. `forget`: what is stored is to go as well.
        covers: `message`: the message itself. `previous`: what the user said right before it. `onwards`: the message and all that
            follow in the session. `matter`: what `matter` names, wherever it was said, and the message itself. `all`: all that is known.
        matter: What to forget, in the user's words; empty but for `matter`.
    """

    kind: Literal["withhold", "forget"]
    covers: Covers
    matter: str = ""


def wish_of(text: str) -> Wish | None:
    """Return what a message asks not to be remembered; `None` for most messages.

    A request that stands alone is about what was said before it; one beside other words is about its own message. "Do not forget"
    is the opposite, and "forget it" only drops a topic.
    """
    level = text.replace("’", "'").replace("‘", "'").lower()
    if len(level) > _LONGEST and not (_WITHHOLD.search(level, 0, _EDGE) or _WITHHOLD.search(level, len(level) - _EDGE)):
        return None
    forget = None if _FORGOT.search(level) else _FORGET.search(level)
    if forget:
        return _forget(level, forget)
    withhold = _WITHHOLD.search(level)
    if not withhold:
        return None
    if _ONWARDS.search(level):
        return Wish("withhold", "onwards")
    return Wish("withhold", "previous" if _alone(level, withhold) else "message")


_LONGEST: Final = 4_000
_EDGE: Final = 400


def _forget(level: str, match: re.Match[str]) -> Wish:
    what = next((group for group in (match["what"], match["han"], match["han2"]) if group), "").strip(" ，,")
    if _ALL.fullmatch(what):
        return Wish("forget", "all")
    if not _NOTHING_NAMED.fullmatch(what):
        return Wish("forget", "matter", what)
    return Wish("forget", "previous" if _alone(level, match) else "message")


def _alone(level: str, match: re.Match[str]) -> bool:
    """Say whether a message holds nothing but the request."""
    rest = [level[: match.start()], level[match.end() :]]
    return all(says_nothing(piece) for text in rest for piece in _BORDER.split(text) if piece.strip())


def withheld(human: Sequence[tuple[str, str]]) -> frozenset[str]:
    """Return the ids of human messages of which nothing may be remembered.

    Args:
        human: Id and text of all human messages of a session, oldest first.
    """
    out: set[str] = set()
    onwards = False
    before = ""
    for identity, text in human:
        wish = wish_of(text)
        onwards = onwards or (wish is not None and wish.covers == "onwards")
        if wish is not None or onwards:
            out.add(identity)
        if wish is not None and wish.covers == "previous" and before:
            out.add(before)
        before = identity
    return frozenset(out)


def tombstone(*parts: str) -> str:
    """Return the hash under which a forgotten source is known: of session and message id, never of what was said."""
    encoded = json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def unburied(human: Sequence[tuple[str, str]], session_id: str, tombstones: Iterable[str]) -> list[tuple[str, str]]:
    """Return the messages, as id and text, that no tombstone names; only from these may memories be derived."""
    gone = frozenset(tombstones)
    return [pair for pair in human if tombstone(session_id, pair[0]) not in gone]

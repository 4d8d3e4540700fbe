"""What a judge's reply says, item by item. Replies are data: nothing in them raises, nothing unclear drops a message."""

# ruff: noqa: RUF001  (replies in Chinese use Chinese punctuation)

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.relevance.json_values import json_values, without_thoughts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from langchain_contextmode.schema import Action

MAX_SCORE: Final = 10
MAX_PICKS: Final = 3
_MAX_DEPTH = 6
_REASON_CHARS = 200
_ID_KEYS = ("id", "label", "message_id", "编号")
_SCORE_KEYS = ("score", "分数", "评分")
_ACTION_KEYS = ("action", "decision", "verdict", "动作", "决定")
_REASON_KEYS = ("reason", "理由", "原因")
_WORDS: Final[dict[Action, str]] = {
    "keep": "keep kept retain yes relevant 保留 是 相关 有关",
    "compress": "compress compressed archive summarize summarise 压缩",
    "drop": "drop dropped discard remove no irrelevant 丢弃 删除 否 不 无关",
}
_ACTIONS: Final[dict[str, Action]] = {word: action for action, words in _WORDS.items() for word in words.split()}
_CARE: Final[dict[Action, int]] = {"keep": 10, "compress": 7, "drop": 0}
"""Where an action stands among scores when two opinions on one item differ."""

_SCORE = re.compile(r"\s*([0-9]{1,2})(?:\.0+)?(?:\s*/\s*10|\s*分)?\s*")
_SAID = re.compile(r"""(?<![\w.])([A-Za-z]{1,8}[0-9]{1,6})["'`*\])]{0,4}\s{0,4}(?:[:：=]|->|→|[-–—](?=\s))""")
_FIRST_WORD = re.compile(
    r"""[\s"'`*\[(]*([0-9]{1,2}(?:\s*/\s*10)?|[^\W\d_]+)["'`*\])]*(?=\s*(?:[,;:!?。，；：！？({})\[\]\n]|\.(?![0-9])|because\b|since\b|因为|$)|\s+[-–—])"""
)
_WORD = re.compile(
    r"""[\s"'`*\[(]*([0-9]{1,2}(?:\s*/\s*10)?|[^\W\d_]+)["'`*\])]*\s*(?=[.,;:!?。，；：！？({})\[\]\n—–-]|because\b|since\b|因为|$)"""
)
_WORD = re.compile(r"[^\W\d_]+")
_PICK = re.compile(r"(?<![\w.-])m?([0-9]{1,4})(?![\w%]|\.[0-9])")
_LABEL_PICK = re.compile(r"(?<![\w.-])m([0-9]{1,4})(?![\w%]|\.[0-9])")
_SHORT_CHARS = 80
_TOP_TOKENS = 40
_MIN_YES_NO_MASS = 0.1
_ROUNDING = 0.01


class Opinion(NamedTuple):
    """What a reply says on one item: a score, or else an action.

    Attributes:
        score: Integer 0..10, or `None` if only an action was named.
        action: The action named; counts only where there is no score.
        reason: In the model's words, shortened.
    """

    score: int | None
    action: Action | None
    reason: str = ""

    @property
    def care(self) -> int:
        """How careful the opinion is, 0..10; higher keeps more."""
        if self.score is not None:
            return self.score
        return _CARE[self.action] if self.action else 0


class Reading(NamedTuple):
    """What could be read from one reply.

    Attributes:
        opinions: Id to opinion; only ids that were given, only valid opinions.
        flaws: What was wrong, in words; empty for a perfect reply.
    """

    opinions: dict[str, Opinion]
    flaws: tuple[str, ...] = ()


def read_list(text: str, ids: Sequence[str]) -> Reading:
    """Read one verdict per id from a reply.

    Args:
        text: The reply: JSON in any of the usual shapes, fenced, in prose, one object a line; or lines like `m1: keep`.
        ids: The ids that were given. Matched exactly.

    Returns:
        Valid opinions. Where an id has several, the most careful one; unknown ids are reported as flaws.
    """
    known, text = set(ids), without_thoughts(text)
    said = [entry for value in json_values(text) for entry in _entries(value, known)]
    if not any(key in known for key, _ in said):
        said += list(_spoken(text))
    opinions: dict[str, Opinion] = {}
    unknown: list[str] = []
    doubled: list[str] = []
    invalid: list[str] = []
    for key, opinion in said:
        if key not in known:
            unknown.append(key)
        elif opinion is None:
            invalid.append(key)
        elif key not in opinions:
            opinions[key] = opinion
        else:
            doubled.append(key)
            opinions[key] = max(opinions[key], opinion, key=lambda either: either.care)
    missing = [key for key in ids if key not in opinions and key not in invalid]
    found = (("unknown", unknown), ("doubled", doubled), ("no valid score", invalid), ("missing", missing))
    return Reading(opinions, tuple(f"{what}: {', '.join(dict.fromkeys(keys))[:_REASON_CHARS]}" for what, keys in found if keys))


def read_yes_no(text: str) -> bool | None:
    """Read a yes or a no; `None` where the reply says neither, or both."""
    text = without_thoughts(text)
    first = _FIRST_WORD.match(text)
    action = _ACTIONS.get(first[1].casefold()) if first else None
    if action is None and len(text) <= _SHORT_CHARS:
        said = {_ACTIONS[word] for word in map(str.casefold, _WORD.findall(text)) if word in _ACTIONS}
        action = said.pop() if len(said) == 1 else None
    return None if action in {None, "compress"} else action == "keep"


def read_picks(text: str, count: int) -> tuple[int, ...]:
    """Read which of `count` numbered items were picked.

    Returns:
        Positions 0..count-1 in the order named, three at most; ids that were never given are ignored. Empty: no decision.
    """
    text = without_thoughts(text)
    numbers = [int(match[1]) for match in (_LABEL_PICK.finditer(text) if _LABEL_PICK.search(text) else _PICK.finditer(text))]
    return tuple(dict.fromkeys(number - 1 for number in numbers if 1 <= number <= count))[:MAX_PICKS]


def yes_probability(metadata: Any) -> float | None:
    """Return how much more probable a yes was than a no, 0.0..1.0, from the first token's log probabilities.

    Args:
        metadata: A reply's `response_metadata`, with OpenAI's `logprobs` in it or not.

    Returns:
        `p(yes) / (p(yes) + p(no))`, or `None` where there are no log probabilities or hardly any on yes and no.
    """
    try:
        tokens = [token for token in metadata["logprobs"]["content"][:_TOP_TOKENS] if str(token["token"]).strip()]
        first = {(str(entry["token"]), float(entry["logprob"])) for entry in [tokens[0], *(tokens[0].get("top_logprobs") or [])]}
        mass = {"keep": 0.0, "drop": 0.0}
        for token, logprob in first:
            action = _ACTIONS.get(token.strip().casefold())
            if action in mass and logprob <= _ROUNDING:
                mass[action] += math.exp(logprob)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    total = mass["keep"] + mass["drop"]
    return mass["keep"] / total if total >= _MIN_YES_NO_MASS else None


def _entries(value: Any, known: set[str], depth: int = 0) -> Iterator[tuple[str, Opinion | None]]:
    """Yield (id, opinion) from a value: a list of objects with an id, or a map from id to score, action or object."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _entries(item, known, depth + 1)
    elif isinstance(value, dict):
        identity = _first(value, _ID_KEYS)
        if identity is not None and not isinstance(identity, dict | list):
            yield str(identity).strip() if isinstance(identity, str) else f"#{identity}", _opinion(value)
            return
        for key, inner in value.items():
            opinion = _opinion(inner)
            if key in known or opinion is not None:
                yield key, opinion
            else:
                yield from _entries(inner, known, depth + 1)


def _opinion(value: Any) -> Opinion | None:
    """Return the opinion that a JSON value expresses; `None` where it is none, or its score is not one."""
    if not isinstance(value, dict):
        score, action = _score(value), _action(value)
        return Opinion(score, action) if score is not None or action else None
    claimed = _first(value, _SCORE_KEYS)
    score, action = _score(claimed), _action(_first(value, _ACTION_KEYS))
    if score is None and (claimed is not None or action is None):
        return None
    return Opinion(score, action, str(_first(value, _REASON_KEYS) or "").strip()[:_REASON_CHARS])


def _first(value: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((value[key] for key in keys if value.get(key) is not None), None)


def _score(value: Any) -> int | None:
    """Return an integer 0..10, or `None`: booleans, fractions, NaN and other scales are no scores."""
    if isinstance(value, str):
        match = _SCORE.fullmatch(value)
        value = int(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_SCORE or value != int(value):
        return None
    return int(value)


def _action(value: Any) -> Action | None:
    return _ACTIONS.get(value.strip(" .。!").casefold()) if isinstance(value, str) else None


def _spoken(text: str) -> Iterator[tuple[str, Opinion | None]]:
    """Yield (id, opinion) from plain text such as `m1: Yes, it is. m2 - 3`; the first word after an id decides."""
    labels = list(_SAID.finditer(text))
    ends = [*(label.start() for label in labels[1:]), len(text)]
    for label, end in zip(labels, ends, strict=False):
        words = _FIRST_WORD.match(text[label.end() : end])
        yield label[1], _opinion(words[1]) if words else None

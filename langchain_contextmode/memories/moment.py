"""Which statements hold only now: a request to act on, a state of today."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from langchain_contextmode.memories.facts import Fact
    from langchain_contextmode.schema import PinKind

_NOW: Final = re.compile(
    r"\b(?:tonight|today|tomorrow|this (?:morning|afternoon|evening|time|weekend|week|month|trip|once)|"
    r"right now|at the moment|next (?:week|month|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)|yesterday|last night|just for now|for now|in an hour|later)\b"
    r"|今晚|今天|明天|明晚|后天|这次|这回|这周|本周|下周|这个周末|昨天|昨晚|现在就|马上|立刻|待会|等会|一会儿"
)
_REQUEST: Final = re.compile(
    r"^\W*(?:(?:ok|okay|so|and|then|now|please|hi|hello|hey|yes|no|thanks|great)\W+)*(?:(?:can|could|"
    r"would|will) you |please )?(?:book|order|find|reserve|show|get|buy|"
    r"send|call|cancel|schedule|search|look up|check|write|translate|summari[sz]e|give|tell|help|make|"
    r"create|add|remind|set|plan|recommend|suggest|"
    r"compare|convert|explain|open|play|list|draft|fix|update|run|calculate)\b(?!.*\b(?:always|never|"
    r"from now on|every time|in future|going forward)\b)"
    r"|\b(?:i'd like|i would like|i want|i need|we want|we need|i'm looking for|i am looking for|let's|"
    r"we'd like) (?:to |you to |an? |the |some |two |three |four |\d)"
    r"|^\W*(?:请|麻烦|帮)?(?:你)?(?:帮我|给我|替我|为我)?(?:订|预订|找|查|买|发|写|翻译|总结|推荐|安排|"
    r"取消|提醒|画|算|搜)(?!.{0,20}(?:以后|每次|总是|永远))"
    r"|(?:我|我们)(?:想|要|想要|需要)(?:订|预订|买|找|查|去|看|一[张个间份])"
)
_LASTING: Final = frozenset(
    {"allergy", "diet", "diet need", "name", "birthday", "home", "employer", "job", "form-of-address", "age", "status", "origin"}
)
_BINDING: Final = frozenset({"health", "diet", "prohibition", "rule", "format"})


def of_the_moment(sentence: str, fact: Fact | None, kind: PinKind | None) -> bool:
    """Say whether a statement is bound to the moment, so that nothing of it is true later.

    Args:
        sentence: As written.
        fact: What it tells; `None`: nothing.
        kind: What it demands; `None`: nothing.
    """
    level = sentence.replace("’", "'").lower()
    if kind in _BINDING or (fact is not None and fact.base in _LASTING):
        return False
    now = bool(_NOW.search(level))
    return now or (bool(_REQUEST.search(level)) and kind not in {"limit", "deadline"} and not (fact and fact.base.startswith("favourite ")))

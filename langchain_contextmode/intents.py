"""What somebody does by saying something: ask, instruct, decide, set a bound, or only be polite. English and Chinese, no model."""

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.exact import exact_spans

_HEAD_CHARS: Final = 400
_CHATTER_CHARS: Final = 60
_THANKS: Final = (
    r"\s*(?:(?:ok(?:ay)?|great|perfect|super|wonderful|fine|good|nice)?[,.! ]*(?:many |thank you|thanks|thx|cheers|(?:good ?)?bye|hi|hello"
    r"|hey)\b|(?:好的?|行|嗯)?[\uff0c,。\uff01! ]*(?:谢谢|多谢|感谢|再见|拜拜|你好|您好|不客气))"
)
_DECISION: Final = (
    r"\s*(?:(?:yes|yep|yeah|sure|ok(?:ay)?|fine|agreed|confirmed?|go ahead|do it|sounds good|let(?:'|\u2019)?s (?:go|take|do|book|use)"
    r"|i(?:'|\u2019)?ll take|book (?:it|that)|the (?:first|second|third|last) one|we(?:'|\u2019)?ll (?:take|go))\b"
    r"|(?:好的?|行|可以|是的?|对|嗯|没问题|确认|同意|就(?:这|那|订|定|选|按)|那就))"
)
_INSTRUCTION: Final = (
    r"\s*(?:.{0,40}?\b(?:please|can you|could you|would you|will you|i need|i(?:'|\u2019)?d like|i would like|i want|we need|we want)\b"
    r"|.{0,40}?\b(?:help me|let me|remind me)\b|(?:book|find|show|search|cancel|change|add|remove|run|fix|write|make|send|check|look)\b"
    r"|(?:open|update|create|delete|tell|give|get|set|use|try|compare|list|put|stop|start|move|plan|call|order|reserve|explain)\b"
    r"|.{0,30}?(?:请|帮|麻烦|给我|我想|我要|我需要|想找|想要|推荐|预订|安排))"
)
_ACTS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for name, pattern in (("thanks", _THANKS), ("decision", _DECISION), ("instruction", _INSTRUCTION))
)
_QUESTION: Final = re.compile(
    r"[?\uff1f]|^\s*(?:what|when|where|which|who|whose|why|how|is|are|do|does|did|can|could|will|would|should|any)\b|[吗呢么][。\s]*$"
    r"|什么|哪|多少|怎么|几点|为何",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"\b(?:must|only|at (?:most|least)|no (?:more|less|later|earlier) than|always|allergic|maximum|minimum|budget)\b"
    r"|必须|只能|只要|最多|最少|至少|一定|务必|过敏|预算|以内|不超过",
    re.IGNORECASE,
)


def intent_of(text: str) -> str:
    """Return what somebody does by saying this: thanks, decision, instruction, constraint, question or statement.

    Two acts are joined by `+`, the first said first among thanks, decision and instruction. Greetings count as thanks; what is
    ruled out or bounded as a constraint. Only the first few sentences are read. Empty for an empty text.
    """
    head = text.strip()[:_HEAD_CHARS]
    if not head:
        return ""
    acts = [name for name, pattern in _ACTS if pattern.match(head)]
    if acts == ["thanks"] and len(head) <= _CHATTER_CHARS and not _QUESTION.search(head):
        return "thanks"
    acts = [act for act in acts if act != "thanks"]
    if _BOUND.search(head) or any(span.kind == "negation" for span in exact_spans(head)):
        acts.append("constraint")
    if _QUESTION.search(head) and "instruction" not in acts:
        acts.append("question")
    return "+".join(acts[:2]) or "statement"

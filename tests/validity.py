"""What providers ask of a list of messages, checked without the package's own code."""

from __future__ import annotations

import json
from itertools import pairwise

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

_STANDARD = {HumanMessage, AIMessage, SystemMessage, ToolMessage}
_TEXT = {"text", "input_text", "output_text"}
_THOUGHTS = {"thinking", "redacted_thinking", "reasoning"}
_CALLS = {"tool_use", "function_call", "tool_call"}


def violations(messages, *, alternate_roles=False, for_model=True):
    """Return what a provider would refuse; empty for a valid conversation."""
    return [
        *_forms(messages),
        *_order(messages),
        *_pairs(messages),
        *(_alternation(messages) if alternate_roles else []),
        *(["ends on " + messages[-1].type] if for_model and messages and messages[-1].type not in {"human", "tool"} else []),
    ]


def _forms(messages):
    bad = [f"not a standard class: {type(m).__name__}" for m in messages if type(m) not in _STANDARD]
    ids = [m.id for m in messages]
    if not all(isinstance(i, str) and i for i in ids) or len(set(ids)) != len(ids):
        bad.append(f"ids missing or doubled: {ids}")
    for m in messages:
        calls = m.tool_calls if isinstance(m, AIMessage) else []
        if isinstance(m, AIMessage) and m.invalid_tool_calls:
            bad.append(f"{m.id} has calls that cannot be parsed")
        if not calls and blank(m.content):
            bad.append(f"blank {m.type} {m.id}")
        if not calls and isinstance(m.content, list) and any(_empty(block) for block in m.content):
            bad.append(f"blank block in {m.id}")
        told = {c["id"] for c in calls}
        blocks = [block for block in m.content if isinstance(block, dict)] if isinstance(m.content, list) else []
        if any(block.get("type") in _CALLS and (block.get("call_id") or block.get("id")) not in told for block in blocks):
            bad.append(f"a call in the content of {m.id} that is not among its calls")
        if not _encodes([m.content, calls, m.name, getattr(m, "tool_call_id", "")]):
            bad.append(f"lone surrogate in {m.id}")
    return bad


def blank(content):
    """Say whether content holds nothing but white space and reasoning, which no provider takes alone."""
    if isinstance(content, str):
        return not content.strip()
    return all(_empty(block) or (isinstance(block, dict) and block.get("type") in _THOUGHTS) for block in content)


def _empty(block):
    return not block.strip() if isinstance(block, str) else block.get("type") in _TEXT and not (block.get("text") or "").strip()


def _encodes(value):
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _order(messages):
    types = [m.type for m in messages]
    body = [t for t in types if t != "system"]
    if types[: len(types) - len(body)] != ["system"] * (len(types) - len(body)):
        yield "system messages are not one leading block"
    if body and body[0] != "human":
        yield "the first message after the system block is " + body[0]


def _pairs(messages):
    position = 0
    while position < len(messages):
        m = messages[position]
        position += 1
        if m.type == "tool":
            yield f"{m.id} does not follow its call"
        if m.type == "ai" and m.tool_calls:
            if position > 1 and messages[position - 2].type not in {"human", "tool"}:
                yield f"the call {m.id} follows {messages[position - 2].type}"
            want = [c["id"] for c in m.tool_calls]
            got = [r.tool_call_id for r in messages[position : position + len(want)] if r.type == "tool"]
            if want != got or not all(want):
                yield f"calls {want} answered by {got}"
            position += len(got)


def _alternation(messages):
    for left, right in pairwise(messages):
        if left.type == right.type and left.type in {"human", "ai"}:
            yield f"{left.id} and {right.id} are both {left.type}"

"""What turn records lose of a sample of turns, so that a template can be put right (S9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.content import all_calls, text_of
from langchain_contextmode.exact import exact_spans, missing
from langchain_contextmode.parsing import parse
from langchain_contextmode.record_parts import failed, one_line
from langchain_contextmode.record_templates import template_for
from langchain_contextmode.records import record_of, render_record, said_by
from langchain_contextmode.spans import holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.record_templates import RecordTemplate

EXAMPLES: Final = 5
"""Examples of each kind of loss."""


def lost_fields(messages: Sequence[Any], template: RecordTemplate | None = None) -> dict[str, Any]:
    """Say what turn records lose of a conversation: compare each turn with its rendered record.

    JSON types; a key is there only if a turn had something of it.

    Args:
        messages: A sample conversation. Not modified.
        template: The template to try; `None` chooses by `template_for`, turn by turn.

    Returns:
        `records`: how many. `spans`: of `human`, `ai` and `tool` messages, kind to `{"had", "lost", "examples"}`, counted in exact
        spans. `fields`: field to the same, counted in turns: `request` is lost where the human's words were cut, `done` where a
        call or an error is not named, `intent` and `entities` where they are empty though the turn has something for them.
        Examples are pairs of message id and what was lost, at most five.
    """
    turns: list[list[Block]] = []
    for block in parse(messages).blocks:
        if said_by(block) or not turns:
            turns.append([])
        if block.kind != "system":
            turns[-1].append(block)
    return losses(turns, template)


def losses(turns: Sequence[Sequence[Block]], template: RecordTemplate | None = None) -> dict[str, Any]:
    """Do what `lost_fields` does for turns that are already cut: the blocks of one turn each."""
    spans: dict[str, dict[str, dict[str, Any]]] = {}
    fields: dict[str, dict[str, Any]] = {}
    kept = [turn for turn in turns if turn]
    for turn in kept:
        form = template or template_for(turn)
        line = render_record(record_of(turn, form), form)
        for source, message in _said(turn):
            text = text_of(message)
            for span in (found := exact_spans(text)):
                _count(spans.setdefault(source, {}), span.kind)
            for span in missing(found, line):
                _lose(spans[source][span.kind], message, span.text)
        _fields(turn, line, form, fields)
    return {"records": len(kept), "spans": {source: dict(sorted(kinds.items())) for source, kinds in spans.items()}, "fields": fields}


def _said(turn: Sequence[Block]) -> Iterator[tuple[str, BaseMessage]]:
    for block in turn:
        if block.kind != "human":
            yield "ai", block.messages[0]
            yield from (("tool", message) for message in block.messages[1:])
        elif said_by(block):
            yield "human", block.messages[0]


def _fields(turn: Sequence[Block], line: str, form: RecordTemplate, fields: dict[str, dict[str, Any]]) -> None:
    record = record_of(turn, form)
    for block in turn:
        said = one_line(said_by(block))
        if said:
            _count(fields, "request")
            if said not in line:
                _lose(fields["request"], block.messages[0], said[:120])
        if block.kind == "call":
            _count(fields, "done")
            names = [str(call.get("name") or "tool") for call in all_calls(block.messages[0])]
            lost = [name for name in names if not holds(line, name)]
            lost += ["error" for m in block.messages[1:] if m.type == "tool" and failed(m) and "error" not in line]  # type: ignore[arg-type]
            if lost:
                _lose(fields["done"], block.messages[0], ", ".join(lost))
    for name, needed in (("intent", any(map(said_by, turn))), ("entities", bool(missing(_all_spans(turn), line)))):
        if needed:
            _count(fields, name)
            if not getattr(record, name):
                _lose(fields[name], turn[0].messages[0], name)


def _all_spans(turn: Sequence[Block]) -> list[Any]:
    return [span for _, message in _said(turn) for span in exact_spans(text_of(message))]


def _count(counts: dict[str, dict[str, Any]], key: str) -> None:
    counts.setdefault(key, {"had": 0, "lost": 0, "examples": []})["had"] += 1


def _lose(count: dict[str, Any], message: BaseMessage, what: str) -> None:
    count["lost"] += 1
    if len(count["examples"]) < EXAMPLES:
        count["examples"].append([message.id or "", what])

"""Turn records (S9): one exchange, or a run of exchanges on one topic, as intent, request, what was done, and entities.

Nothing is rephrased: fields are excerpts and exact values. How much of what a record holds, and which fields it shows, is a
template, one per kind of dialogue; `record_losses.lost_fields` says what the records of a sample lost, so that a template can be put right.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from langchain_contextmode.content import all_calls, text_of
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.exact import missing
from langchain_contextmode.intents import intent_of
from langchain_contextmode.record_parts import clipped, done_of, levelled, one_line, read, shared, spans_of
from langchain_contextmode.record_templates import CHAT, TASK, RecordTemplate, template_for
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.spans import holds
from langchain_contextmode.summary.state import Line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block
    from langchain_contextmode.record_templates import TemplateChoice
    from langchain_contextmode.spans import Span

MAX_TURNS: Final = 5
"""Turns in one record at most."""

_ON_ONE_TOPIC: Final = 0.3
_OVERHEAD: Final = 4
_CALL_TOKENS: Final = 7
"""For the name of a call and its outcome."""

_SHORT_CHARS: Final = 60
_LEAST_SHARED: Final = 2
_POINTING: Final = frozenset({"id", "path", "url", "email", "quoted", "name"})
_JOINT: Final = "; "
_ARROW: Final = " | "


class TurnRecord(NamedTuple):
    """What is kept of one turn, or of some on one topic.

    Attributes:
        intent: What the user did by saying it, and the tools that were called; rendered are those that `done` does not name.
        request: Excerpt of the user's words around their exact spans.
        done: Calls with outcome, or what the assistant answered; in order.
        entities: Exact spans that stand in no other field; the user's first.
        message_ids: The messages, in conversation order.
    """

    intent: str
    request: str
    done: tuple[str, ...]
    entities: tuple[str, ...]
    message_ids: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the record in JSON types."""
        return {**self._asdict(), "done": list(self.done), "entities": list(self.entities), "message_ids": list(self.message_ids)}

    @classmethod
    def from_dict(cls, item: Mapping[str, Any]) -> TurnRecord:
        """Read what `as_dict` wrote.

        Raises:
            ValueError: It is of another shape.
        """
        try:
            lists = [item[name] for name in ("done", "entities", "message_ids")]
            whole = all(isinstance(v, list) and all(isinstance(s, str) for s in v) for v in lists)
            if whole and isinstance(item["intent"], str) and isinstance(item["request"], str):
                return cls(item["intent"], item["request"], *map(tuple, lists))
        except (KeyError, TypeError):
            pass
        message = "a turn record has the texts intent and request and the lists done, entities and message_ids"
        raise ValueError(message)


def record_of(blocks: Sequence[Block], template: RecordTemplate | None = None) -> TurnRecord:
    """Reduce the blocks of one turn, or of some, to a record of at most about `limit_tokens`.

    Args:
        blocks: A human block up to the next one, oldest first; more than one turn is one record too. Not modified.
        template: `None` chooses by `template_for`.
    """
    form = template or template_for(blocks)
    whole = _filled(blocks, form, roomy=True)
    if estimate_tokens(_rendered(whole, form)) <= form.limit_tokens:
        return whole
    return _fitted(_filled(blocks, form, roomy=False), form)


def records_of(turns: Sequence[Sequence[Block]], template: RecordTemplate | None = None) -> tuple[TurnRecord, ...]:
    """Return one record a turn; neighbouring turns on one topic share one, at most five, if it holds what theirs held.

    Two turns are on one topic if the application says so (`topic` of their messages, by their group), if they share an exact span
    of the kinds that point at one thing, if the one with fewer terms shares three tenths of them, two at least, or if the later one
    only agrees.
    """
    groups: list[list[Sequence[Block]]] = []
    for turn in turns:
        if not turn:
            continue
        if groups and len(groups[-1]) < MAX_TURNS and _one_topic(groups[-1][-1], turn) and _fits([*groups[-1], turn], template):
            groups[-1].append(turn)
        else:
            groups.append([turn])
    return tuple(record_of(list(chain.from_iterable(group)), template) for group in groups)


def render_record(record: TurnRecord, template: RecordTemplate | None = None) -> str:
    """Return a record as one line within the template's limit; empty fields are not rendered. `None` is `TASK` or `CHAT`."""
    form = template or (TASK if any("->" in done for done in record.done) else CHAT)
    line = _rendered(record, form)
    return line if estimate_tokens(line) <= form.limit_tokens else clipped(line, form.limit_tokens)


def record_lines(turns: Sequence[Sequence[Block]], template: TemplateChoice = None) -> list[Line]:
    """Return the records of some turns as lines of the summary, each with the messages that it stands for."""
    blocks = [block for turn in turns for block in turn]
    chosen = template if template is None or isinstance(template, RecordTemplate) else template(blocks)
    return [Line(render_record(record, chosen), record.message_ids, "record") for record in records_of(turns, chosen)]


def said_by(block: Block) -> str:
    """Return what a human block says; nothing for what the application or this package put there in the human role."""
    return text_of(block.messages[0]) if block.spoken else ""


def _rendered(record: TurnRecord, form: RecordTemplate) -> str:
    done = _JOINT.join(record.done)
    told = done if form.limit("done") else ""
    intent = ", ".join(part for part in record.intent.split(", ") if not holds(told, part))
    values = {"intent": f"({intent})" if intent else "", "request": record.request, "done": done, "entities": ", ".join(record.entities)}
    return _ARROW.join(f"{field.label}{values[field.name]}" for field in form.fields if values[field.name]).replace("] | ", "] ", 1)


def _filled(blocks: Sequence[Block], form: RecordTemplate, *, roomy: bool) -> TurnRecord:
    """Fill the fields; roomy: each may take the whole record, to see whether everything fits."""
    said = [text for block in blocks if (text := said_by(block)).strip()]
    request = " / ".join(map(one_line, said)) if roomy else shared(said, form.limit("request"))
    record = TurnRecord(
        _intent(said, blocks) if form.limit("intent") else "",
        request if form.limit("request") else "",
        (),
        (),
        tuple(chain.from_iterable(block.ids for block in blocks)),
    )
    if form.limit("done"):
        record = record._replace(done=_done(blocks, form, form.limit_tokens if roomy else _left(record, form), roomy=roomy))
    return record._replace(entities=_entities(blocks, record, form)) if form.limit("entities") else record


def _left(record: TurnRecord, form: RecordTemplate) -> int:
    """Return the tokens for what was done: its own, and what request and intent did not need."""
    used = estimate_tokens(_rendered(record, form)) + form.limit("entities")
    return max(form.limit("done"), form.limit_tokens - used) - _OVERHEAD


def _done(blocks: Sequence[Block], form: RecordTemplate, limit: int, *, roomy: bool) -> tuple[str, ...]:
    """Divide the limit: a third for answers if there are calls, the rest among the calls, half for arguments, half for results."""
    calls = sum(len(all_calls(block.messages[0])) for block in blocks if block.kind == "call")
    answers = sum(block.kind != "call" or bool(text_of(block.messages[0]).strip()) for block in blocks if block.kind in {"ai", "call"})
    answer = limit if roomy else (limit // 3 if calls else limit) // max(answers, 1)
    each = max(((limit - answer * answers) // max(calls, 1) - _CALL_TOKENS) // 2, 0)
    arguments, result = (
        (form.argument_tokens, form.result_tokens) if roomy else (min(form.argument_tokens, each), min(form.result_tokens, each))
    )
    actions = (block for block in blocks if block.kind in {"ai", "call"})
    found = (done_of(b, argument_tokens=arguments, result_tokens=result, answer_tokens=answer) for b in actions)
    return tuple(chain.from_iterable(found))


def _intent(said: Sequence[str], blocks: Sequence[Block]) -> str:
    acts = dict.fromkeys(act for text in said if (act := intent_of(text)))
    tools = dict.fromkeys(
        str(call.get("name") or "tool") for block in blocks if block.kind == "call" for call in all_calls(block.messages[0])
    )
    return ", ".join([*acts, *tools])


def _spans(blocks: Sequence[Block]) -> list[Span]:
    """Return the exact spans of what people said, then of answers, then of results."""
    ordered = [read(said_by(block)) for block in blocks]
    ordered += [read(text_of(block.messages[0])) for block in blocks if block.kind in {"ai", "call"}]
    ordered += [read(text_of(m)) for block in blocks if block.kind == "call" for m in block.messages[1:]]
    return list({span.text.casefold(): span for text in reversed(ordered) for span in reversed(spans_of(text))}.values())[::-1]


def _entities(blocks: Sequence[Block], record: TurnRecord, form: RecordTemplate) -> tuple[str, ...]:
    human = {span.text.casefold() for block in blocks for span in spans_of(read(said_by(block)))}
    rank = {kind: number for number, kind in enumerate(form.kinds)}
    wanted = [span for span in missing(_spans(blocks), _rendered(record, form)) if span.kind in rank and len(span.text) > 1]
    chosen: list[str] = []
    left = form.limit("entities")
    for span in sorted(wanted, key=lambda span: (span.text.casefold() not in human, rank[span.kind])):
        cost = estimate_tokens(span.text) + 1
        if cost <= left:
            chosen.append(" ".join(span.text.split()))
            left -= cost
    return tuple(chosen)


def _fitted(record: TurnRecord, form: RecordTemplate) -> TurnRecord:
    """Shorten what was done, longest first, then drop entities, until the record is within its limit."""
    if record.done:
        room = form.limit_tokens - estimate_tokens(_rendered(record._replace(done=()), form)) - _OVERHEAD
        record = record._replace(done=levelled(record.done, max(form.limit("done"), room)))
    while record.entities and estimate_tokens(_rendered(record, form)) > form.limit_tokens:
        record = record._replace(entities=record.entities[:-1])
    if estimate_tokens(_rendered(record, form)) > form.limit_tokens:
        record = record._replace(done=levelled(record.done, form.limit("done")))
    return record


def _one_topic(before: Sequence[Block], turn: Sequence[Block]) -> bool:
    if before[0].group >= 0 and any(block.group == before[0].group for block in turn):
        return True
    spans = [{s.text.casefold() for s in _spans(blocks) if s.kind in _POINTING} for blocks in (before, turn)]
    if spans[0] & spans[1]:
        return True
    first, second = (frozenset(terms_of(" ".join(one_line(text_of(b.messages[0])) for b in blocks))) for blocks in (before, turn))
    common = len(first & second)
    return (common >= _LEAST_SHARED and common >= _ON_ONE_TOPIC * min(len(first), len(second))) or _answers(turn)


def _answers(turn: Sequence[Block]) -> bool:
    """Say whether the user only agrees or thanks, and so says nothing without the turn before."""
    said = " ".join(map(said_by, turn))
    acts = intent_of(said).split("+")
    return len(said) <= _SHORT_CHARS and acts[0] in {"decision", "thanks"} and "question" not in acts and not spans_of(said)


def _fits(turns: Sequence[Sequence[Block]], template: RecordTemplate | None) -> bool:
    blocks = list(chain.from_iterable(turns))
    form = template or template_for(blocks)
    record = _filled(blocks, form, roomy=True)
    return estimate_tokens(_rendered(record, form)) <= form.limit_tokens

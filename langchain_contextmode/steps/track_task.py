"""Track the task: new messages are read into its fields, once each; the board shows where it stands."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from langchain_contextmode.content import message_time, readable, text_of
from langchain_contextmode.preparation import Intake, Setup, Tracked
from langchain_contextmode.task.ask_model import Asked, ask_model, merged
from langchain_contextmode.task.board import board, display, tags, task_state
from langchain_contextmode.task.changes import applied, contradicted
from langchain_contextmode.task.extract import hear
from langchain_contextmode.task.rewind import taken_back
from langchain_contextmode.task.settling import restarted, settled
from langchain_contextmode.task.state import CONCERN, READ_MAX, TaskProgress
from langchain_contextmode.task.tools import from_tool
from langchain_contextmode.task.types import Heard, Said
from langchain_contextmode.topics import entries_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.protocols import IO
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.types import Change, Found

_DIGEST_CHARS = 16
_BEFORE, _BEFORE_CHARS = 3, 500
"""Human messages before one that say what it is about, and how much of each."""


class _Event(NamedTuple):
    """A message that may say something about fields: a human's, or a tool's result that a field is declared to come from."""

    message: BaseMessage
    text: str
    digest: str
    tool: str = ""
    asked: str = ""
    before: str = ""

    @property
    def id(self) -> str:
        return self.message.id or ""

    @property
    def heard(self) -> Heard:
        return Heard(self.id, self.text, message_time(self.message), self.asked, self.before)


async def track_task(io: IO, setup: Setup, taken: Intake, state: Mapping[str, Any], now: datetime) -> Tracked:
    """Bring the task up to date with the log.

    What was edited or removed since is taken back first, with everything read after it; then each message that was not read yet is
    read, in order. Values come from human messages and from declared tool results only.

    Args:
        io: The model of the role `task`, if there is one.
        setup: The declaration, among others.
        taken: The intake. Not modified.
        state: The whole state of the last turn. Not modified.
        now: The time of this request, for messages without a time of their own.
    """
    progress, spec = TaskProgress.of(state.get(CONCERN)), setup.task
    if setup.config.levels.get("task") is False:
        return Tracked(state=dict(state.get(CONCERN, {})))
    if spec is None:
        return Tracked(board=board(None, progress), state=dict(state.get(CONCERN, {})))
    events = _events(taken, spec)
    pruned = frozenset(identity for entry in entries_of(state.get("archive")) for identity in entry.message_ids)
    progress = settled(spec, progress)
    gone = taken_back(progress.read, {event.id: event.digest for event in events}, pruned)
    progress = restarted(spec, progress.rewound(gone)) if gone else progress
    node, changes = progress.node, []
    unread = _unread(progress, events)
    values = {name: held.value for name, held in progress.values.items()}
    asked = await ask_model(io, spec, [event.heard for event in unread if not event.tool], values) if io.has("task") else Asked({})
    for event in unread:
        progress, done = _take(setup, progress, event, asked.found.get(event.id, ()), now)
        changes += done
    tracked = _tracked(spec, progress, changes, node)
    if asked.refused:
        tracked.report["refused"] = [refused._asdict() for refused in asked.refused]
    return tracked


def _events(taken: Intake, spec: TaskSpec) -> list[_Event]:
    tools = {source.tool for source in spec.sources.values()}
    events: list[_Event] = []
    asked, before = "", [""] * _BEFORE
    for block in taken.log.blocks:
        if block.spoken:
            text = text_of(block.messages[0])
            events.append(_Event(block.messages[0], text, _digest(text), asked=asked, before="\n".join(before).strip()))
            asked, before = "", [*before[1:], text[:_BEFORE_CHARS]]
        elif block.kind == "ai":
            asked = readable(block.messages[0])
        elif block.kind == "call" and tools:
            names = {call["id"]: call["name"] for call in getattr(block.messages[0], "tool_calls", [])}
            for message in block.messages[1:]:
                tool = names.get(getattr(message, "tool_call_id", ""), "")
                if tool in tools and message.id not in block.synthetic:
                    text = text_of(message)
                    events.append(_Event(message, text, _digest(text), tool))
    return events


def _unread(progress: TaskProgress, events: Sequence[_Event]) -> list[_Event]:
    """Return what stands behind the last message that was read; all of it where none of those is there any more."""
    read = {identity for identity, _ in progress.read}
    last = max((position for position, event in enumerate(events) if event.id in read), default=-1)
    return list(events[last + 1 :])


def _take(setup: Setup, progress: TaskProgress, event: _Event, model: Sequence[Found], now: datetime) -> tuple[TaskProgress, list[Change]]:
    """Fold one message into the task: a tool's result as declared; a human's by rules and, where there is one, by the model's word."""
    spec, own = cast("TaskSpec", setup.task), message_time(event.message)
    changes: list[Change] = []
    if event.tool:
        found, progress, changes = _from_tool(spec, progress, event, from_tool(spec, event.tool, event.text))
    else:
        values = {name: held.value for name, held in progress.values.items()}
        found = merged(hear(spec.fields, event.heard, values), model)
    said = Said(event.id, "tool" if event.tool else "human", int((own or now).timestamp() * 1000))
    progress, done = applied(spec, progress, found, said, history_max=setup.config.task_history_max)
    read = (*progress.read, (event.id, event.digest))[-READ_MAX:]
    return replace(progress, read=read), [*changes, *done]


def _from_tool(
    spec: TaskSpec, progress: TaskProgress, event: _Event, found: Sequence[Found]
) -> tuple[list[Found], TaskProgress, list[Change]]:
    """Ask about values that contradict what the user said, unless the tool's word wins."""
    taken, changes = [], []
    for item in found:
        held = progress.values.get(item.field)
        value, why = spec.read(item.field, item.value)
        if not why and held is not None and held.source != "tool" and held.value != value and not spec.sources[item.field].wins:
            progress, change = contradicted(progress, item.field, item.span, event.id)
            changes.append(change)
        else:
            taken.append(item)
    return taken, progress, changes


def _tracked(spec: TaskSpec, progress: TaskProgress, changes: Sequence[Change], node: str) -> Tracked:
    superseded: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for items in progress.past.values():
        for past in items:
            if past.held.message_id and past.held.span:
                superseded[past.held.message_id] += (past.held.span,)
    report: dict[str, Any] = {"node": progress.node, "changes": [change._asdict() for change in changes]}
    if node != progress.node:
        report["moved_from"] = node
    return Tracked(
        board(spec, progress),
        task_state(spec, progress),
        tuple(dict.fromkeys(change.field for change in changes if change.what in {"set", "cleared"})),
        tags(spec, progress),
        dict(superseded),
        {name: display(held.value) for name, held in progress.values.items()},
        progress.state(),
        report,
        spec.alike,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS]

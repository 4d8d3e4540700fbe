"""What new statements do to a task: values change, dependents go stale, contradictions become questions, the node moves."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_contextmode.task.state import Held, Question, TaskProgress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.state import Source
    from langchain_contextmode.task.types import FieldSpec, Found

_SPAN_CHARS = 200
_SAID_CHARS = 60

logger = logging.getLogger("langchain_contextmode")


class Change(NamedTuple):
    """What happened to a field.

    Attributes:
        field: Its name.
        what: `set`, `cleared`, `refused`, `asked` or `stale`.
        message_id: The message behind it; empty: the application.
        why: In words; no value and no text of a message.
    """

    field: str
    what: str
    message_id: str = ""
    why: str = ""


class Said(NamedTuple):
    """Where statements are from.

    Attributes:
        message_id: Their message; empty: the application.
        source: Who said them.
        at: Milliseconds since the epoch.
    """

    message_id: str = ""
    source: Source = "human"
    at: int = 0


def applied(
    spec: TaskSpec, progress: TaskProgress, found: Sequence[Found], said: Said, *, history_max: int = 8
) -> tuple[TaskProgress, list[Change]]:
    """Fold the statements of one message into a task.

    A new value stands and the old one goes to the history. Of several values for one field the last one that corrects the others
    stands; without a correction none is taken and both are asked about. A value that the declaration refuses changes nothing and is
    asked about. What depends on a changed field is emptied where a rule says so, else stale until it is said again.

    Args:
        spec: The declaration.
        progress: So far. Not modified.
        found: Statements of one message, in the order of the text; those about unknown fields are left out.
        said: Where they are from.
        history_max: Old values kept for each field.

    Returns:
        The task after the message, and what happened.
    """
    fold = _Fold(spec, progress, said, history_max)
    known = {field.name: field for field in spec.fields}
    grouped: dict[str, list[Found]] = {}
    for item in sorted(found, key=lambda item: item.start):
        if item.field in known:
            grouped.setdefault(item.field, []).append(item)
    for name, items in grouped.items():
        fold.take(known[name], items)
    fold.dependents()
    return _moved(spec, fold.progress), fold.changes


class _Fold:
    def __init__(self, spec: TaskSpec, progress: TaskProgress, said: Said, history_max: int) -> None:
        self.progress = progress
        self.changes: list[Change] = []
        self._spec = spec
        self._said = said
        self._history_max = history_max
        self._touched: set[str] = set()
        self._changed: list[str] = []

    def take(self, field: FieldSpec, items: Sequence[Found]) -> None:
        """Fold the statements about one field."""
        sets = self._valid(field, [item for item in items if item.op == "set"])
        if field.many:
            self._take_many(field, items, sets)
            return
        refused = [self._spec.read(field.name, item.value)[0] for item in items if item.op == "refuse"]
        sets = [(value, item) for value, item in sets if value not in refused]
        if sets:
            self._take_one(field, sets)
        elif any(item.op == "clear" for item in items):
            self._set(field, None, "the user dropped it")
        elif field.name in self.progress.values and self.progress.values[field.name].value in refused:
            self._set(field, None, "the user refused the value")

    def _take_one(self, field: FieldSpec, sets: Sequence[tuple[Any, Found]]) -> None:
        corrected = [pair for pair in sets if pair[1].corrects]
        different = list({repr(value): (value, item) for value, item in sets}.values())
        if len(different) > 1 and not corrected:
            said = tuple(item.span[:_SAID_CHARS] for _, item in different)
            self.progress = self.progress.asking(Question(field.name, "two_values", said, message_id=self._said.message_id))
            self.changes.append(Change(field.name, "asked", self._said.message_id, "two values in one message"))
            return
        self._set(field, (corrected or different)[-1])

    def _take_many(self, field: FieldSpec, items: Sequence[Found], sets: Sequence[tuple[Any, Found]]) -> None:
        """Add to and take from a list; a correction, or a drop of the whole field, starts it anew."""
        held = self.progress.values.get(field.name)
        fresh = any(item.op == "clear" or item.corrects for item in items)
        values = [] if held is None or fresh else list(held.value)
        for item in items:
            if item.op == "refuse":
                gone = self._spec.read(field.name, [item.value])[0] or []
                values = [value for value in values if value not in gone]
        values += [value for added, _ in sets for value in added if value not in values]
        span = sets[-1][1] if sets else items[-1]
        self._set(field, (list(dict.fromkeys(values)), span) if values else None, "the user dropped it")

    def _valid(self, field: FieldSpec, items: Sequence[Found]) -> list[tuple[Any, Found]]:
        valid = []
        for item in items:
            raw = [item.value] if field.many and not isinstance(item.value, list) else item.value
            value, why = self._spec.read(field.name, raw)
            if why:
                question = Question(field.name, "refused", (item.span[:_SAID_CHARS],), why, self._said.message_id)
                self.progress = self.progress.asking(question)
                self.changes.append(Change(field.name, "refused", self._said.message_id, why))
            else:
                valid.append((value, item))
        return valid

    def _set(self, field: FieldSpec, pair: tuple[Any, Found] | None, why: str = "") -> None:
        name, old = field.name, self.progress.values.get(field.name)
        self._touched.add(name)
        if pair is None:
            if old is None:
                return
            self.progress = self.progress.with_value(name, None, by=self._said.message_id, limit=self._history_max)
        else:
            value, item = pair
            if old is not None and old.value == value:  # said again: it still holds
                stale = {other: by for other, by in self.progress.stale.items() if other != name}
                questions = tuple(question for question in self.progress.questions if question.field != name)
                self.progress = replace(self.progress, stale=stale, questions=questions)
                return
            held = Held(value, item.span[:_SPAN_CHARS], self._said.message_id, self._said.source, self._said.at)
            self.progress = self.progress.with_value(name, held, by=self._said.message_id, limit=self._history_max)
        self.progress = replace(self.progress, updated_at=max(self.progress.updated_at, self._said.at))
        self.changes.append(Change(name, "cleared" if pair is None else "set", self._said.message_id, why))
        if old is not None:
            self._changed.append(name)

    def dependents(self) -> None:
        """Empty, or mark and ask about, what depends on a field whose value was another one before."""
        reached = list(self._changed)
        while reached:
            cause = reached.pop(0)
            for field in self._spec.fields:
                if cause not in field.depends_on or field.name in self._touched or field.name not in self.progress.values:
                    continue
                self._touched.add(field.name)
                reached.append(field.name)
                self._outdate(field.name, cause)

    def _outdate(self, name: str, cause: str) -> None:
        identity = self._said.message_id
        if name in self._spec.repaired:
            self.progress = self.progress.with_value(name, None, by=identity, limit=self._history_max)
            self.changes.append(Change(name, "cleared", identity, f"it depends on {cause}, which changed"))
            return
        self.progress = replace(self.progress, stale={**self.progress.stale, name: identity})
        self.progress = self.progress.asking(Question(name, "stale", (cause,), message_id=identity))
        self.changes.append(Change(name, "stale", identity, f"it depends on {cause}, which changed"))


def contradicted(progress: TaskProgress, name: str, span: str, message_id: str) -> tuple[TaskProgress, Change]:
    """Ask about a tool's value that differs from what the user said."""
    asked = progress.asking(Question(name, "tool", (span[:_SAID_CHARS],), message_id=message_id))
    return asked, Change(name, "asked", message_id, "a tool says otherwise")


def _moved(spec: TaskSpec, progress: TaskProgress) -> TaskProgress:
    """Return the task at the node that its fields call for: the first that lacks one or has a stale one, else the last."""
    if progress.by_hand and spec.node(progress.node):
        return progress
    return replace(progress, node=_next(spec, progress), by_hand=False)


def settled(spec: TaskSpec, progress: TaskProgress) -> TaskProgress:
    """Return a stored task as this declaration reads it: fields and nodes that it does not know are left out."""
    known = {field.name for field in spec.fields}
    values = {}
    for name, held in progress.values.items():
        if name in known:
            value, why = spec.read(name, held.value)
            if not why:
                values[name] = held._replace(value=value)
    fitting = replace(
        progress,
        values=values,
        past={name: items for name, items in progress.past.items() if name in known},
        stale={name: by for name, by in progress.stale.items() if name in values},
        questions=tuple(question for question in progress.questions if question.field in known),
    )
    return _moved(spec, fitting)


def _next(spec: TaskSpec, progress: TaskProgress) -> str:
    values = {name: held.value for name, held in progress.values.items()}
    if spec.transition is not None:
        try:
            chosen = spec.transition(progress.node or spec.nodes[0].name, values)
        except Exception as error:  # noqa: BLE001  (the application's rule; the job goes on by required fields)
            logger.warning("the task's transition rule failed with %s; required fields decide", type(error).__name__)
            chosen = None
        if chosen is not None and spec.node(chosen):
            return chosen
        if chosen is not None:
            logger.warning("the task's transition rule named an unknown node; required fields decide")
    unsure = progress.stale
    lacking = (node.name for node in spec.nodes if any(name not in values or name in unsure for name in node.requires))
    return next(lacking, spec.nodes[-1].name)

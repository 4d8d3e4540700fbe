"""What new statements do to a task: values change, dependents go stale, contradictions become questions, the node moves."""

from __future__ import annotations

import copy
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
        field: Its name; empty where it is about no field.
        what: `set`, `cleared`, `refused`, `asked`, `stale`, or `rule`: the transition rule failed.
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
    if fold.progress == progress and progress.node:
        return progress, []
    progress, trouble = _moved(spec, fold.progress, said.message_id)
    return progress, [*fold.changes, *trouble]


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
        if field.many:
            self._take_many(field, items)
            return
        sets = self._valid(field, items)
        refused = [self._spec.read(field.name, item.value)[0] for item in items if item.op == "refuse"]
        sets = [(value, item) for value, item in sets if value not in refused]
        if sets:
            self._take_one(field, sets)
        elif any(item.op == "clear" for item in items):
            self._set(field, None, "the user dropped it")
        elif field.name in self.progress.values and self.progress.values[field.name].value in refused:
            self._set(field, None, "the user refused the value")

    def _valid(self, field: FieldSpec, items: Sequence[Found]) -> list[tuple[Any, Found]]:
        valid = []
        for item in items:
            if item.op == "set":
                value, why = self._spec.read(field.name, item.value)
                if why:
                    self._refuse(field, item.span, why)
                else:
                    valid.append((value, item))
        return valid

    def _refuse(self, field: FieldSpec, said: str, why: str) -> None:
        question = Question(field.name, "refused", (said[:_SAID_CHARS],), why, self._said.message_id)
        self.progress = self.progress.asking(question)
        self.changes.append(Change(field.name, "refused", self._said.message_id, why))

    def _take_one(self, field: FieldSpec, sets: Sequence[tuple[Any, Found]]) -> None:
        corrected = [pair for pair in sets if pair[1].corrects]
        different = list({repr(value): (value, item) for value, item in sets}.values())
        if len(different) > 1 and not corrected:
            said = tuple(item.span[:_SAID_CHARS] for _, item in different)
            self.progress = self.progress.asking(Question(field.name, "two_values", said, message_id=self._said.message_id))
            self.changes.append(Change(field.name, "asked", self._said.message_id, "two values in one message"))
            return
        self._set(field, (corrected or different)[-1])

    def _take_many(self, field: FieldSpec, items: Sequence[Found]) -> None:
        """State a list anew, add to it where the words say so, take from it what they refuse; items that it holds only confirm it."""
        added, refused = self._items(field, items, "set")
        gone, _ = self._items(field, items, "refuse")
        held = self.progress.values.get(field.name)
        old = held.value if held else []
        anew = _starts_anew(items, added, old, lost=any(value in old for value in gone), nothing=bool(refused and not added))
        kept = [] if anew else [value for value in old if value not in gone]
        values = kept + [value for position, value in enumerate(added) if value not in kept and value not in added[:position]]
        if added or (held is not None and values != held.value):
            said = [item for item in items if item.op == "set"] or list(items)
            whole, why = self._spec.read(field.name, values)
            if why and values:
                refused.append((said[-1].span, why))
            else:
                self._set(field, (whole, said[-1]) if values else None, "the user dropped it")
        elif anew:
            self._set(field, None)
        for span, why in refused:  # last, since a value that is taken settles what was asked before
            self._refuse(field, span, why)

    def _items(self, field: FieldSpec, items: Sequence[Found], op: str) -> tuple[list[Any], list[tuple[str, str]]]:
        """Return the list items that statements name, and what cannot be one, with the reason."""
        values, refused = [], []
        for item in items:
            if item.op == op:
                for raw in item.value if isinstance(item.value, list | tuple | set | frozenset) else [item.value]:
                    value, why = self._spec.read_item(field.name, raw)
                    if why:
                        refused.append((item.span, why))
                    else:
                        values.append(value)
        return values, refused

    def _set(self, field: FieldSpec, pair: tuple[Any, Found] | None, why: str = "") -> None:
        name, old = field.name, self.progress.values.get(field.name)
        self._touched.add(name)
        if pair is None:
            if old is None:
                self.progress = self.progress.confirmed(name)
                return
            self.progress = self.progress.with_value(name, None, by=self._said.message_id, limit=self._history_max)
        else:
            value, item = pair
            if old is not None and old.value == value:  # said again: it still holds
                self.progress = self.progress.confirmed(name)
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

    def outdate_others(self, cause: str, alike: set[str]) -> None:
        """Do the same for one changed field, leaving out those that are as they were."""
        self._changed, self._touched = [cause], set(alike)
        self.dependents()

    def _outdate(self, name: str, cause: str) -> None:
        identity = self._said.message_id
        if name in self._spec.repaired:
            self.progress = self.progress.with_value(name, None, by=identity, limit=self._history_max)
            self.changes.append(Change(name, "cleared", identity, f"it depends on {cause}, which changed"))
            return
        self.progress = replace(self.progress, stale={**self.progress.stale, name: identity})
        self.progress = self.progress.asking(Question(name, "stale", (cause,), message_id=identity))
        self.changes.append(Change(name, "stale", identity, f"it depends on {cause}, which changed"))


def _starts_anew(items: Sequence[Found], added: Sequence[Any], old: Sequence[Any], *, lost: bool, nothing: bool) -> bool:
    """Say whether the statements about a list take the place of what it holds.

    They do not where nothing valid would, where all of them add, where they take some items out, and where they only name items that
    it holds, without a word that corrects.
    """
    if any(item.op == "clear" for item in items):
        return True
    sets = [item for item in items if item.op == "set"]
    if not sets or nothing or lost or all(item.adds for item in sets):
        return False
    return any(item.corrects for item in sets) or not all(value in old for value in added)


def contradicted(progress: TaskProgress, name: str, span: str, message_id: str) -> tuple[TaskProgress, Change]:
    """Ask about a tool's value that differs from what the user said."""
    asked = progress.asking(Question(name, "tool", (span[:_SAID_CHARS],), message_id=message_id))
    return asked, Change(name, "asked", message_id, "a tool says otherwise")


def settled(spec: TaskSpec, progress: TaskProgress) -> TaskProgress:
    """Return a stored task as this declaration reads it.

    Fields that it does not know are left out. A value that no longer fits goes to the history and is asked about. A transition rule is
    not called: nothing happened.
    """
    known = {field.name for field in spec.fields}
    fitting = replace(
        progress,
        values={name: held for name, held in progress.values.items() if name in known},
        past={name: items for name, items in progress.past.items() if name in known},
        stale={name: by for name, by in progress.stale.items() if name in progress.values and name in known},
        questions=tuple(question for question in progress.questions if question.field in known),
    )
    for name, held in fitting.values.items():
        value, why = spec.read(name, held.value)
        if why:
            fitting = fitting.with_value(name, None, by="", limit=len(fitting.past.get(name, ())) + 1)
            fitting = fitting.asking(Question(name, "refused", (str(held.value)[:_SAID_CHARS],), why, held.message_id))
        elif value != held.value:
            fitting = replace(fitting, values={**fitting.values, name: held._replace(value=value)})
    if spec.node(fitting.node) and (fitting.by_hand or spec.transition):
        return fitting
    begun = bool(fitting.node) or spec.transition is None
    return replace(fitting, node=_lacking(spec, fitting) if begun else spec.nodes[0].name, by_hand=False)


def undone(spec: TaskSpec, progress: TaskProgress, name: str, at: int = 0, *, history_max: int = 8) -> TaskProgress:
    """Take back a field's last change, and with it what the change did to the fields that depend on it.

    Those that it made stale or emptied are as they were; others that were filled since are stale, for they were said for another value.

    Args:
        spec: The declaration.
        progress: So far. Not modified.
        name: The field.
        at: Milliseconds since the epoch.
        history_max: Old values kept for each field.
    """
    held, past = progress.values.get(name), progress.past.get(name, ())
    back = progress.undone(name)
    if back == progress:
        return progress
    cause = held.message_id if held else past[-1].ended_by
    alike = {name}  # fields that are as they were before the change
    for _ in spec.fields:
        for field in spec.fields:
            if field.name in alike or alike.isdisjoint(field.depends_on):
                continue
            others = (back.values.get(other) for other in field.depends_on if other not in alike)
            if any(other is not None and other.message_id == cause for other in others):
                continue
            emptied = field.name in spec.repaired and field.name not in back.values and back.past.get(field.name)
            if emptied and back.past[field.name][-1].ended_by == cause:
                back = back.undone(field.name)
                alike.add(field.name)
            elif back.stale.get(field.name) == cause:
                back = back.confirmed(field.name)
                alike.add(field.name)
    fold = _Fold(spec, back, Said(at=at, source="application"), history_max)
    fold.outdate_others(name, alike)
    return restarted(spec, replace(fold.progress, updated_at=max(progress.updated_at, at)))


def restarted(spec: TaskSpec, progress: TaskProgress) -> TaskProgress:
    """Return a task whose values were taken back at the node that the rest leads to: from the first one as far as the rule goes."""
    progress = settled(spec, progress)
    if progress.by_hand:
        return progress
    progress = replace(progress, node=spec.nodes[0].name)
    for _ in spec.nodes:
        before, (progress, _) = progress.node, _moved(spec, progress)
        if progress.node == before:
            break
    return progress


def _moved(spec: TaskSpec, progress: TaskProgress, message_id: str = "") -> tuple[TaskProgress, list[Change]]:
    """Return the task at its next node: where the application put it, else by the rule, else by required fields."""
    if progress.by_hand and spec.node(progress.node):
        return progress, []
    chosen, why = None, ""
    if spec.transition is not None:
        try:
            chosen = spec.transition(
                progress.node or spec.nodes[0].name, {name: copy.deepcopy(held.value) for name, held in progress.values.items()}
            )
        except Exception as error:  # noqa: BLE001  (the application's rule; the job goes on by required fields)
            why = f"the transition rule failed with {type(error).__name__}"
        else:
            why = "" if chosen is None or _is_node(spec, chosen) else "the transition rule named an unknown node"
    if why:
        logger.warning("%s; required fields decide", why)
    node = _lacking(spec, progress) if chosen is None or why else chosen
    trouble = [Change("", "rule", message_id, f"{why}; required fields decide")] if why else []
    return replace(progress, node=node, by_hand=False), trouble


def _is_node(spec: TaskSpec, name: Any) -> bool:
    return isinstance(name, str) and spec.node(name) is not None


def _lacking(spec: TaskSpec, progress: TaskProgress) -> str:
    """Return the first node that lacks a required field or has a stale one, else the last."""
    lacking = (n.name for n in spec.nodes if any(name not in progress.values or name in progress.stale for name in n.requires))
    return next(lacking, spec.nodes[-1].name)

"""What new statements do to a task: values change, dependents go stale, contradictions become questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_contextmode.task.nodes import moved
from langchain_contextmode.task.state import Held, Question, TaskProgress
from langchain_contextmode.task.types import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.types import FieldSpec, Found, Said

_SPAN_CHARS = 200
SAID_CHARS = 60
"""Characters of a statement that a question quotes."""


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
    progress, trouble = moved(spec, fold.progress, said.message_id)
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
        question = Question(field.name, "refused", (said[:SAID_CHARS],), why, self._said.message_id)
        self.progress = self.progress.asking(question)
        self.changes.append(Change(field.name, "refused", self._said.message_id, why))

    def _take_one(self, field: FieldSpec, sets: Sequence[tuple[Any, Found]]) -> None:
        corrected = [pair for pair in sets if pair[1].corrects]
        different = list({repr(value): (value, item) for value, item in sets}.values())
        if len(different) > 1 and not corrected:
            said = tuple(item.span[:SAID_CHARS] for _, item in different)
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
        self.outdate(self._changed, self._touched)

    def outdate(self, changed: Sequence[str], alike: set[str]) -> None:
        """Do so for changed fields, leaving out those that are as they were."""
        reached, self._touched = list(changed), set(alike)
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


def outdated(spec: TaskSpec, progress: TaskProgress, name: str, alike: set[str], said: Said, *, history_max: int = 8) -> TaskProgress:
    """Return a task in which what depends on a field is stale, or empty where a rule says so, but for the fields in `alike`."""
    fold = _Fold(spec, progress, said, history_max)
    fold.outdate([name], alike)
    return fold.progress


def contradicted(progress: TaskProgress, name: str, span: str, message_id: str) -> tuple[TaskProgress, Change]:
    """Ask about a tool's value that differs from what the user said."""
    asked = progress.asking(Question(name, "tool", (span[:SAID_CHARS],), message_id=message_id))
    return asked, Change(name, "asked", message_id, "a tool says otherwise")

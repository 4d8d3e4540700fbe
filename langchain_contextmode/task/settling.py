"""A stored task brought in line: with its declaration, after an undo, after messages were taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from langchain_contextmode.task.changes import SAID_CHARS, outdated
from langchain_contextmode.task.nodes import lacking_node, moved
from langchain_contextmode.task.state import Question
from langchain_contextmode.task.types import Said

if TYPE_CHECKING:
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.state import TaskProgress


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
            fitting = fitting.asking(Question(name, "refused", (str(held.value)[:SAID_CHARS],), why, held.message_id))
        elif value != held.value:
            fitting = replace(fitting, values={**fitting.values, name: held._replace(value=value)})
    if spec.node(fitting.node) and (fitting.by_hand or spec.transition):
        return fitting
    begun = bool(fitting.node) or spec.transition is None
    return replace(fitting, node=lacking_node(spec, fitting) if begun else spec.nodes[0].name, by_hand=False)


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
    back = outdated(spec, back, name, alike, Said(at=at, source="application"), history_max=history_max)
    return restarted(spec, replace(back, updated_at=max(progress.updated_at, at)))


def restarted(spec: TaskSpec, progress: TaskProgress) -> TaskProgress:
    """Return a task whose values were taken back at the node that the rest leads to: from the first one as far as the rule goes."""
    progress = settled(spec, progress)
    if progress.by_hand:
        return progress
    progress = replace(progress, node=spec.nodes[0].name)
    for _ in spec.nodes:
        before, (progress, _) = progress.node, moved(spec, progress)
        if progress.node == before:
            break
    return progress

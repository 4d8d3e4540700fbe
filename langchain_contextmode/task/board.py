"""The task board: what the model sees of a task. Structured, escaped, never cut; an old value is nowhere on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from langchain_contextmode.fences import escaped, fenced, one_line, reference
from langchain_contextmode.task.state import TaskState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.state import Question, TaskProgress

TAG = "task"
_INTRO = "Where the job stands. It is data, not a message."
_HOLDS = "Values here hold; different ones in older messages, summaries or memories do not."
_VALUE_CHARS = 300
_WHOLE_MINUTE = re.compile(r"\d\d:\d\d:00")


def board(spec: TaskSpec | None, progress: TaskProgress) -> str:
    """Return the board; empty where there is neither a declaration nor a plan.

    Args:
        spec: The declaration; `None`: only goal and plan are shown.
        progress: The task, as this declaration reads it.
    """
    goal = progress.goal or (spec.goal if spec else "")
    lines = [f"Goal: {_plain(goal)}"] if goal else []
    if spec is not None:
        lines += _declared(spec, progress)
    if progress.todos:
        lines += ["Plan:", *(f"- [{todo.status.replace('_', ' ')}] {_plain(todo.text)}" for todo in progress.todos)]
    return fenced(TAG, "\n".join([_INTRO, *lines])) if lines else ""


def _declared(spec: TaskSpec, progress: TaskProgress) -> list[str]:
    lines = [f"Task: {_plain(spec.name)}"]
    way = " > ".join(f"[{_plain(node.name)}]" if node.name == progress.node else _plain(node.name) for node in spec.nodes)
    lines.append(f"Step: {way}")
    if progress.values:
        lines += ["Known:", *_values(spec, progress), _HOLDS]
    if lacking := missing(spec, progress):
        lines.append(f"Missing for this step: {', '.join(lacking)}")
    later = [name for name in _required(spec) if name not in progress.values and name not in lacking]
    if later:
        lines.append(f"Needed later: {', '.join(later)}")
    if asked := questions(spec, progress):
        lines += ["Open questions to the user:", *(f"- {question}" for question in asked)]
    return lines


def _values(spec: TaskSpec, progress: TaskProgress) -> list[str]:
    lines = []
    for field in spec.fields:
        held = progress.values.get(field.name)
        if held is None:
            continue
        source = f" [{reference(held.message_id)}]" if held.message_id else ""
        marks = [
            *(["changed by the user"] if progress.past.get(field.name) else []),
            *(["not confirmed since something it depends on changed"] if field.name in progress.stale else []),
        ]
        lines.append(f"- {field.name}: {display(held.value, field.unit)}{source}{f' ({chr(59).join(marks)})' if marks else ''}")
    return lines


def display(value: Any, unit: str = "") -> str:
    """Return a value as shown: escaped, on one line, with its unit."""
    if isinstance(value, list):
        return ", ".join(display(item) for item in value) + (f" {_plain(unit)}" if unit else "")
    if isinstance(value, bool):
        return "yes" if value else "no"
    whole = isinstance(value, float) and value.is_integer()
    said = str(int(value)) if whole else str(value)
    if isinstance(value, str) and _WHOLE_MINUTE.fullmatch(value):
        said = value.removesuffix(":00")
    return _plain(said) + (f" {_plain(unit)}" if unit else "")


def missing(spec: TaskSpec, progress: TaskProgress) -> list[str]:
    """Return the required fields of the current node that are empty."""
    node = spec.node(progress.node)
    return [name for name in node.requires if name not in progress.values] if node else []


def tags(spec: TaskSpec, progress: TaskProgress) -> tuple[str, ...]:
    """Return what matters now: tags of the node, then the fields it still needs, as words."""
    node = spec.node(progress.node)
    lacking = (name.replace("_", " ") for name in missing(spec, progress))
    return tuple(dict.fromkeys([*(node.tags if node else ()), *lacking]))


def questions(spec: TaskSpec, progress: TaskProgress) -> list[str]:
    """Return the open questions in words, oldest first."""
    known = {field.name for field in spec.fields}
    return [_asked(question) for question in progress.questions if question.field in known]


def _asked(question: Question) -> str:
    said = [f'"{_plain(text)}"' for text in question.said]
    match question.trouble:
        case "two_values":
            return f"{question.field}: which one, {' or '.join(said)}?"
        case "refused":
            return f"{question.field}: {', '.join(said)} cannot be ({_plain(question.why)}); what instead?"
        case "tool":
            return f"{question.field}: a tool result says {', '.join(said)}, the user said otherwise; which one holds?"
        case "stale":
            return f"{question.field}: does it still hold now that {', '.join(map(_plain, question.said))} changed?"


def task_state(spec: TaskSpec, progress: TaskProgress) -> TaskState:
    """Return the task for `view.task`."""
    return TaskState(
        progress.node,
        {field.name: progress.values[field.name].value for field in spec.fields if field.name in progress.values},
        tuple(missing(spec, progress)),
        tuple(sorted(progress.stale)),
        tuple(questions(spec, progress)),
        tags(spec, progress),
        {name: (held.message_id, held.span) for name, held in progress.values.items()},
        {
            name: [
                {"value": past.held.value, "message_id": past.held.message_id, "at": past.held.at, "ended_by": past.ended_by}
                for past in items
            ]
            for name, items in progress.past.items()
            if items
        },
        progress.updated_at,
    )


def _required(spec: TaskSpec) -> Iterable[str]:
    return dict.fromkeys(name for node in spec.nodes for name in node.requires)


def _plain(text: str) -> str:
    said = one_line(str(text))
    return escaped(said if len(said) <= _VALUE_CHARS else f"{said[: _VALUE_CHARS - 1]}…")

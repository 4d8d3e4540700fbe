"""What the application itself says about a task: values, the node, a plan."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.task.changes import applied
from langchain_contextmode.task.settling import restarted, settled, undone
from langchain_contextmode.task.state import CONCERN, TODOS_MAX, Status, TaskProgress, Todo
from langchain_contextmode.task.types import Found, Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.task.spec import TaskSpec


def set_field(state: Mapping[str, Any] | None, name: str, value: Any, *, task: TaskSpec) -> dict[str, Any]:
    """Set a field by hand; what a human says later overwrites it.

    Args:
        state: `view.state`, or `None`. Not modified.
        name: Field name.
        value: Its value, as the model's type or as JSON. `None` empties the field.
        task: The declaration.

    Returns:
        The new state.

    Raises:
        ConfigError: There is no such field, or it cannot hold the value.
    """
    task.field(name)
    if value is not None:
        _, why = task.read(name, value)
        if why:
            message = f"The field {name!r} cannot hold {value!r:.60}: {why}."
            raise ConfigError(message)
    found = Found(name, value, "", 0, op="clear" if value is None else "set", corrects=True)
    progress, _ = applied(task, _progress(state, task), [found], Said("", "application", time.time_ns() // 1_000_000))
    return _with(state, progress)


def undo_field(state: Mapping[str, Any] | None, name: str, *, task: TaskSpec) -> dict[str, Any]:
    """Take back a field's last change: the value before it stands again, or none.

    Args:
        state: `view.state`, or `None`. Not modified.
        name: Field name.
        task: The declaration.

    Returns:
        The new state.

    Raises:
        ConfigError: There is no such field.
    """
    task.field(name)
    return _with(state, undone(task, _progress(state, task), name, time.time_ns() // 1_000_000))


def set_node(state: Mapping[str, Any] | None, name: str | None, *, task: TaskSpec) -> dict[str, Any]:
    """Move the task to a node, where it stays until it is moved again.

    Args:
        state: `view.state`, or `None`. Not modified.
        name: Node name. `None`: required fields, or the transition rule, decide again.
        task: The declaration.

    Returns:
        The new state.

    Raises:
        ConfigError: There is no such node.
    """
    if name is not None and task.node(name) is None:
        message = f"The task {task.name!r} has no node {name!r}. Nodes: {', '.join(node.name for node in task.nodes)}."
        raise ConfigError(message)
    progress = _progress(state, task)
    if name is None:
        return _with(state, restarted(task, replace(progress, by_hand=False)))
    return _with(state, replace(progress, node=name, by_hand=True))


def set_todos(state: Mapping[str, Any] | None, todos: Sequence[tuple[str, str]], *, goal: str | None = None) -> dict[str, Any]:
    """Put a plan on the board, with or without a declared task; it stays whatever leaves the conversation.

    Args:
        state: `view.state`, or `None`. Not modified.
        todos: Text and status (`pending`, `in_progress`, `done`) of each line, in order. Empty: no plan.
        goal: What it is for; `None`: as it was.

    Returns:
        The new state.

    Raises:
        ConfigError: A line is of another shape, or there are more than 50.
    """
    lines = [tuple(item) for item in todos]
    for item in lines:
        if len(item) != 2 or not isinstance(item[0], str) or not item[0].strip() or item[1] not in get_args(Status):  # noqa: PLR2004
            message = f"A line of the plan is (text, status) with a status of {', '.join(get_args(Status))}; got {item!r:.80}."
            raise ConfigError(message)
    if len(lines) > TODOS_MAX:
        message = f"The plan has {len(lines)} lines; the board holds {TODOS_MAX}. Leave out what is done."
        raise ConfigError(message)
    progress = TaskProgress.of((state or {}).get(CONCERN))
    plan = tuple(Todo(text, status) for text, status in lines)  # type: ignore[arg-type]
    return _with(state, replace(progress, todos=plan, goal=progress.goal if goal is None else goal))


def _progress(state: Mapping[str, Any] | None, task: TaskSpec) -> TaskProgress:
    return settled(task, TaskProgress.of((state or {}).get(CONCERN)))


def _with(state: Mapping[str, Any] | None, progress: TaskProgress) -> dict[str, Any]:
    concern = progress.state()
    rest = {name: other for name, other in (state or {}).items() if name != CONCERN}
    return {**rest, CONCERN: concern} if concern else rest

"""Which node a task is at: where the application put it, what its transition rule says, else by required fields."""

from __future__ import annotations

import copy
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_contextmode.task.types import Change

if TYPE_CHECKING:
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.state import TaskProgress

logger = logging.getLogger("langchain_contextmode")


def moved(spec: TaskSpec, progress: TaskProgress, message_id: str = "") -> tuple[TaskProgress, list[Change]]:
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
    node = lacking_node(spec, progress) if chosen is None or why else chosen
    trouble = [Change("", "rule", message_id, f"{why}; required fields decide")] if why else []
    return replace(progress, node=node, by_hand=False), trouble


def _is_node(spec: TaskSpec, name: Any) -> bool:
    return isinstance(name, str) and spec.node(name) is not None


def lacking_node(spec: TaskSpec, progress: TaskProgress) -> str:
    """Return the first node that lacks a required field or has a stale one, else the last."""
    lacking = (n.name for n in spec.nodes if any(name not in progress.values or name in progress.stale for name in n.requires))
    return next(lacking, spec.nodes[-1].name)

"""What can go wrong, and what to do about it.

    ContextModeError
    ├── ConfigError        (ValueError)  a setting is out of range or unknown
    ├── ScopeError         (ValueError)  user id or session id missing or empty
    ├── BudgetError        (ValueError)  what must be shown is larger than the view
    ├── StateSchemaError   the stored state, or the wiring that carries it, is not ours
    ├── StepError          a step failed and `on_error="raise"` was set
    └── StoreError         a memory store cannot be opened or read

Soft failures (a model that raises, hangs or replies garbage) are not errors: the view is built by local rules and
`view.report["degraded"]` names what was left out.
"""

from __future__ import annotations

from functools import partial
from typing import Any


class ContextModeError(Exception):
    """Base of every error this package raises on purpose."""


class ConfigError(ContextModeError, ValueError):
    """A setting is unknown, out of range, or contradicts another one."""


class ScopeError(ContextModeError, ValueError):
    """A user id or session id is missing, empty, or not a string."""


class BudgetError(ContextModeError, ValueError):
    """What must be shown does not fit into the view, even at its shortest.

    Attributes:
        needed_tokens: Tokens of the must set at its shortest, tool schemas included.
        budget_tokens: Tokens the whole view may use.
        parts: Tokens by part (`system`, `tools`, `pinned`, `request`, `newest_call`, `task`).
    """

    def __init__(self, message: str, *, needed_tokens: int, budget_tokens: int, parts: dict[str, int]) -> None:
        """Keep the numbers beside the sentence."""
        super().__init__(message)
        self.needed_tokens = needed_tokens
        self.budget_tokens = budget_tokens
        self.parts = parts

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes with the numbers."""
        build = partial(type(self), needed_tokens=self.needed_tokens, budget_tokens=self.budget_tokens, parts=self.parts)
        return build, self.args


class StateSchemaError(ContextModeError):
    """State of an unknown version, of a wrong shape, or missing where the wiring should have brought it."""


class StepError(ContextModeError):
    """A step failed softly, and `on_error="raise"` asked to be told.

    Attributes:
        step: The step's name.
    """

    def __init__(self, message: str, *, step: str) -> None:
        """Name the step."""
        super().__init__(message)
        self.step = step

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes with the step's name."""
        return partial(type(self), step=self.step), self.args


class StoreError(ContextModeError):
    """A memory store cannot be opened, read or written."""

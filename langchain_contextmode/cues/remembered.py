"""The same answers, remembered process-wide: the pins of a long conversation are compared anew in every turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode import cues
from langchain_contextmode.content import BoundedCache

if TYPE_CHECKING:
    from langchain_contextmode.cues import Spotted

_SPOTTED: Final[BoundedCache[tuple[Spotted, ...]]] = BoundedCache()
_ANSWERS: Final[BoundedCache[bool]] = BoundedCache(131_072)


def spot(text: str) -> tuple[Spotted, ...]:
    """See `cues.spot`."""
    return _SPOTTED.get(text, lambda: cues.spot(text))


def overrules(new: str, old: str) -> bool:
    """See `cues.overrules`."""
    return _ANSWERS.get(("overrules", new, old), lambda: cues.overrules(new, old))


def may_lift(text: str) -> bool:
    """Say whether a message could take any pin back."""
    return _ANSWERS.get(("lifting", text), lambda: bool(cues.lifting(text)))


def lifts(text: str, old: str) -> bool:
    """See `cues.lifts`."""
    return may_lift(text) and _ANSWERS.get(("lifts", text, old), lambda: cues.lifts(text, old))

"""English: how somebody says what he wants to hold from now on, as grammar (who, attitude, object), not as a list of topics.

Patterns look at one lower-case sentence with straight apostrophes, in which quoted words and questions are blanked out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_bodily import BODILY
from langchain_contextmode.cues.english_demands import DEMANDS, RULES
from langchain_contextmode.cues.english_notes import NOTES
from langchain_contextmode.cues.english_passing import PASSING
from langchain_contextmode.cues.english_tastes import DISLIKES, PREFERENCES
from langchain_contextmode.cues.gates import Gated

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from langchain_contextmode.schema import PinKind

GATED: Final[Gated[PinKind | None]] = Gated(PASSING + BODILY + NOTES + DEMANDS + DISLIKES + RULES + PREFERENCES)
"""Tried in this order: those without a kind only take away what sounds like a rule; the first other that fits names the kind."""
_GONE: Final = "\x00_\x00"
"""No letter, but no mere punctuation either: what follows does not begin the sentence."""


def without_passing(said: str, fitting: Iterable[tuple[PinKind | None, re.Pattern[str]]]) -> str:
    """Return a plain sentence without the words that only sound like a rule."""
    for kind, pattern in fitting:
        if kind is None:
            said = pattern.sub(_GONE, said)
    return said

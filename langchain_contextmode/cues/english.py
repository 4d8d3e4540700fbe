"""English: how somebody says what he wants to hold from now on, as grammar (who, attitude, object), not as a list of topics.

Patterns look at one lower-case sentence with straight apostrophes, in which quoted words and questions are blanked out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_bodily import BODILY
from langchain_contextmode.cues.english_demands import DEMANDS, RULES
from langchain_contextmode.cues.english_notes import NOTES
from langchain_contextmode.cues.english_tastes import DISLIKES, PREFERENCES
from langchain_contextmode.cues.gates import Gated

if TYPE_CHECKING:
    from langchain_contextmode.schema import PinKind

GATED: Final[Gated[PinKind]] = Gated(BODILY + NOTES + DEMANDS + DISLIKES + RULES + PREFERENCES)
"""Tried in this order; the first that fits names the kind."""

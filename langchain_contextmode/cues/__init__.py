"""What a message says that outlasts it: pins, what overrules or lifts them, decisions, open items. No model; English and Chinese."""

from __future__ import annotations

from langchain_contextmode.cues.decided import decisions, open_items
from langchain_contextmode.cues.lifting import lifting, lifts
from langchain_contextmode.cues.matter import overrules
from langchain_contextmode.cues.spot import Spotted, spot

__all__ = ["Spotted", "decisions", "lifting", "lifts", "open_items", "overrules", "spot"]

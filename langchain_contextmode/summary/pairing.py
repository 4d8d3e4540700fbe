"""Whether a statement puts values together that belong together: order 4711 and Hamburg, not order 4711 and Ulm.

Each value alone may have been said; a statement is only as good as the sentence that says them of the same thing.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from langchain_contextmode.exact import exact_spans, missing
from langchain_contextmode.summary.sayings import copies

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_contextmode.spans import Span

_HARD: Final = frozenset({"id", "number", "amount", "date", "path", "url", "email", "command"})
_PAIR: Final = 2


class Pairings:
    """What was said together.

    Args:
        texts: Messages, old statements and pins, each by itself.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Keep the texts; sentences are cut when they are first needed."""
        self._texts = [text for text in texts if text.strip()]

    def broken(self, statement: str) -> bool:
        """Say whether a statement joins an exact value with another value or a name, and nobody did.

        Joined are what one sentence holds, and what one text holds that has no more values of these kinds to confuse them with.
        """
        spans = [span for span in exact_spans(statement) if span.kind in _HARD or span.kind == "name"]
        spans = [span for span in spans if any(not missing([span], text) for text in self._texts)]
        kinds = {span.kind for span in spans}
        if len(kinds) < _PAIR or kinds.isdisjoint(_HARD):  # values of one kind are a list, no claim
            return False
        return not any(_joins(text, spans) for text in self._texts)


def _joins(text: str, spans: Sequence[Span]) -> bool:
    if missing(spans, text):
        return False
    if any(not missing(spans, sentence) for sentence in copies(text)):
        return True
    wanted, there = Counter(span.kind for span in spans), _kinds(text)
    return all(there[kind] <= number for kind, number in wanted.items())


@lru_cache(maxsize=1_024)
def _kinds(text: str) -> Counter[str]:
    return Counter(span.kind for span in exact_spans(text))

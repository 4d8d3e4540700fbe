"""Everyday words that belong together: who asks about pets means the dog, too.

`families.txt` holds one family a line, general knowledge and no particular domain; a word may stand in several. It is a
thin stand-in for meaning where no embedder is given, and counts little beside the request's own words.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from langchain_contextmode.relevance.terms import terms_of


def related_terms(term: str) -> frozenset[str]:
    """Return the terms that share a family with a term, itself left out; empty for a term without family."""
    return _families().get(term, frozenset())


@cache
def _families() -> dict[str, frozenset[str]]:
    text = (files(__package__) / "families.txt").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        members = set(terms_of(line))
        for term in members:
            found.setdefault(term, set()).update(members)
    return {term: frozenset(members - {term}) for term, members in found.items()}

"""What the suites for stores share: three scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.schema import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.memories.memory import Memory

ANA: Final = Scope("ana", "s1")
ANA2: Final = Scope("ana", "s2")
BOB: Final = Scope("bob", "s1")


def texts(rows: Iterable[Memory]) -> list[str]:
    """Return the texts of rows, in order."""
    return [row.text for row in rows]

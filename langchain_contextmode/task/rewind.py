"""Which messages a task has to forget, because they were edited or removed after they had been read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def taken_back(read: Sequence[tuple[str, str]], present: Mapping[str, str], pruned: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the ids of the first message that is no longer as it was, and of all that were read after it.

    A message that is missing counts as removed only where an older one is still there: a host that trims its log from the front, or
    the prune node, takes nothing back.

    Args:
        read: Messages that were read, oldest first, as `(id, digest of the text)`.
        present: Id to digest of the messages that are in the log now.
        pruned: Ids that the prune node took out.
    """
    older_there = False
    for position, (identity, digest) in enumerate(read):
        if identity in present:
            if present[identity] != digest:
                return frozenset(other for other, _ in read[position:])
            older_there = True
        elif older_there and identity not in pruned:
            return frozenset(other for other, _ in read[position:])
    return frozenset()

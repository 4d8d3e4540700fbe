"""Archive entries on one topic: which blocks of ten turns belong together, the line they share, and both as state (S6)."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_contextmode.archive import LINE_CHARS, line_of
from langchain_contextmode.errors import StateSchemaError
from langchain_contextmode.relevance.index import block_terms
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.schema import STATE_VERSION
from langchain_contextmode.segments import VALUE
from langchain_contextmode.shorten import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.blocks import Block

CONCERN = "archive"
"""Key of the pruned messages' lines in the state channel."""

MERGE_TURNS = 10
"""Turns after which entries are merged, counted from the first turn."""

GROUP_BLOCKS = 6
"""Blocks in one entry at most."""

MERGED_CHARS = 200
"""Length of the line of several blocks at most."""

_SMALL_CHARS = LINE_CHARS
_LEAST_SHARED = 2
_ON_ONE_TOPIC = 0.2
_BETWEEN = " / "
_APART = "…"
_LEAST_WORDS = 16
_UNIT = re.compile(r" ?[^\W\d_]{1,12}")


class Entry(NamedTuple):
    """What the archive holds for messages that were pruned.

    Attributes:
        text: The line.
        message_ids: The originals, in conversation order.
        restorable: The originals are in the archive store.
    """

    text: str
    message_ids: tuple[str, ...]
    restorable: bool


def entries_of(concern: Any) -> list[Entry]:
    """Read the `archive` concern, oldest first; `None` or empty is no entry, items of another shape are left out.

    Raises:
        StateSchemaError: The concern is of an unknown version.
    """
    if not concern:
        return []
    version = concern.get("version") if isinstance(concern, dict) else None
    if version != STATE_VERSION:
        message = f"State concern {CONCERN!r} has version {version!r}; this release knows {STATE_VERSION}. It was left as it is."
        raise StateSchemaError(message)
    items = concern.get("items")
    return [entry for item in items if (entry := _entry(item))] if isinstance(items, list) else []


def _entry(item: Any) -> Entry | None:
    try:
        text, ids, restorable = item
        return Entry(text, tuple(ids), bool(restorable)) if text and ids and all(isinstance(s, str) for s in (text, *ids)) else None
    except (TypeError, ValueError):
        return None


def archive_state(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the `archive` concern for the state channel; JSON."""
    return {"version": STATE_VERSION, "items": [[text, list(ids), restorable] for text, ids, restorable in entries]}


def merged(blocks: Sequence[Block], turn_of: Mapping[int, int], *, now: int) -> list[tuple[Block, ...]]:
    """Join small blocks on one topic whose ten turns are over; every other block is alone.

    Ten turns are judged by themselves, so what is said later never changes their groups. Small is a block whose archive line has at
    most 120 characters. Two blocks are on one topic if they share two terms or more and the cosine of their terms is at least 0.2
    (chosen by eye on the bundled conversation and on LoCoMo). Terms weigh by their rarity in these ten turns, ln(1 + N / n), so that
    what all of them are about still counts; names of speakers are no terms.
    A block joins the group with the block most like it.

    Args:
        blocks: In conversation order. Not modified.
        turn_of: Block index to the number of its turn, from 0. A block without one is alone.
        now: Number of the current turn.

    Returns:
        Groups of at most six blocks, ordered by their first block; blocks in conversation order.
    """
    decades: dict[int, list[Block]] = {}
    groups: list[list[Block]] = []
    for block in blocks:
        turn = turn_of.get(block.index)
        if turn is not None and turn // MERGE_TURNS < now // MERGE_TURNS and len(line_of(block)) <= _SMALL_CHARS:
            decades.setdefault(turn // MERGE_TURNS, []).append(block)
        else:
            groups.append([block])
    for members in decades.values():
        groups += _by_topic(members)
    place = {id(block): position for position, block in enumerate(blocks)}
    return [tuple(group) for group in sorted(groups, key=lambda group: place[id(group[0])])]


def _by_topic(blocks: Sequence[Block]) -> list[list[Block]]:
    speakers = {term for block in blocks for term in terms_of(block.messages[0].name or "")}
    terms = [sorted(term for term in block_terms(block).counts if term not in speakers) for block in blocks]
    holders = Counter(term for own in terms for term in own)
    rarity = {term: math.log(1 + len(blocks) / n) for term, n in holders.items()}
    sizes = [math.sqrt(sum(rarity[term] for term in own)) for own in terms]
    groups: list[list[Block]] = []
    group_of: list[int] = []
    said_by: dict[str, list[int]] = {}
    for number, block in enumerate(blocks):
        shared: dict[int, float] = {}
        count: Counter[int] = Counter()
        for term in terms[number]:
            for other in said_by.setdefault(term, []):
                shared[other] = shared.get(other, 0.0) + rarity[term]
                count[other] += 1
            said_by[term].append(number)
        alike = {
            other: common / (sizes[number] * sizes[other])
            for other, common in shared.items()
            if count[other] >= _LEAST_SHARED and len(groups[group_of[other]]) < GROUP_BLOCKS
        }
        best = max(alike, key=lambda other: (alike[other], other), default=None)
        if best is not None and alike[best] >= _ON_ONE_TOPIC:
            group_of.append(group_of[best])
            groups[group_of[best]].append(block)
        else:
            group_of.append(len(groups))
            groups.append([block])
    return groups


def merged_line(blocks: Sequence[Block]) -> str:
    """Return one line for blocks of one entry: who said what, parted by ` / `; nothing is rephrased.

    Each block has its share of 200 characters and what shorter ones leave. Of a part that is too long, ids, numbers and
    other exact values stay before other words. A single block has its archive line.
    """
    lines = [line_of(block) for block in blocks]
    if len(lines) == 1:
        return lines[0]
    left = MERGED_CHARS - len(_BETWEEN) * (len(lines) - 1)
    rooms: dict[int, int] = {}
    order = sorted(range(len(lines)), key=lambda number: (len(lines[number]), number))
    for done, number in enumerate(order):
        rooms[number] = min(len(lines[number]), max(1, left // (len(lines) - done)))
        left -= rooms[number]
    return _BETWEEN.join(_cut(line, rooms[number]) for number, line in enumerate(lines))


def _cut(line: str, room: int) -> str:
    """Cut a line to `room` characters; exact values that its middle held follow the rest."""
    words = excerpt(line, room)
    if len(words) == len(line):
        return words
    kept: list[str] = []
    for value in dict.fromkeys(map(_with_unit, VALUE.finditer(line))):
        left = room - sum(len(other) + 1 for other in (_APART, *kept, value))
        if left >= min(room // 2, _LEAST_WORDS) and value not in words:
            kept.append(value)
            words = excerpt(line, left)
    return " ".join([words, _APART, *kept]) if kept else words


def _with_unit(match: re.Match[str]) -> str:
    """Return a value, a bare number with the word behind it: "10" alone could be anything."""
    unit = _UNIT.match(match.string, match.end()) if match.group().isdecimal() else None
    return match.group() + unit.group() if unit else match.group()

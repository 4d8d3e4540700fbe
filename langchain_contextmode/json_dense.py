"""A JSON document as units that can stay or go on their own, each with what it is worth."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.json_tree import Branch, Leaf, unquoted
from langchain_contextmode.json_write import EVERYTHING, Layout, Part, Table, as_columns, as_rows, flat
from langchain_contextmode.segments import VALUE, Piece, Weigher, cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_contextmode.json_tree import Node
    from langchain_contextmode.json_write import Row, Shape

_IDENTIFIER: Final = re.compile(r"(?:^|[_-])(?:id|ids|number|no|name|code|key|path|url|email|date)$|Id$", re.IGNORECASE)
_NOTHING: Final = frozenset({"null", "None", "true", "false", "True", "False", '""', "''", "[]", "{}"})
_LONG_CHARS: Final = 80
_WORD_CHARS: Final = 20
_SHORT_CHARS: Final = 3
_REPEATED: Final = 0.25
"""Worth of a value that stood under the same key before."""


class Document:
    """A parsed JSON document, ready to be written in full or in part."""

    def __init__(self, root: Branch) -> None:
        """Find the shapes that occur more than once and the columns that never change."""
        self._root = root
        self._layout = _layout(root)
        self._ways: list[tuple[Node, ...]] = []  # unit -> its value and all that holds it, innermost first

    def whole(self) -> str:
        """Write everything, as rows."""
        return as_rows(self._root, self._layout, EVERYTHING)

    def rows(self, units: Iterable[int]) -> str:
        """Write the chosen units as rows; `units()` comes first."""
        return as_rows(self._root, self._layout, self._part(units))

    def columns(self, units: Iterable[int]) -> str:
        """Write the chosen units as columns; `units()` comes first."""
        return as_columns(self._root, self._part(units))

    def _part(self, units: Iterable[int]) -> Part:
        chosen = frozenset(units)
        return Part(chosen, {id(node) for unit in chosen for node in self._ways[unit]})

    def units(self, terms: frozenset[str]) -> list[Piece]:
        """Divide the document: values, parts of long texts, columns that never change.

        Args:
            terms: Lower-cased words and ids of the request and of recent turns.
        """
        ways = list(_ways(self._root, ()))
        leaves = [leaf for leaf, _ in ways]
        weigher = Weigher(terms, [leaf.raw for leaf in leaves])
        near = _neighbourhood(self._root, weigher) if terms else {}
        skipped = self._told_once()
        units: list[Piece] = []
        known: set[tuple[str, str]] = set()
        self._ways = []
        for leaf, way in ways:
            if id(leaf) in skipped:
                continue
            again = _REPEATED if (leaf.key, leaf.raw) in known else 1.0
            known.add((leaf.key, leaf.raw))
            leaf.parts = tuple(cut(leaf.raw, _LONG_CHARS))
            leaf.units = tuple(range(len(units), len(units) + len(leaf.parts)))
            for part in leaf.parts:
                worth = again * (_weight(leaf, part) + weigher.hits(part) + weigher.hits(leaf.key) / 2) + near.get(id(leaf), 0.0)
                units.append(Piece(part, estimate_tokens(part) + 1, worth))
                self._ways.append((leaf, *way))
        return units

    def _told_once(self) -> set[int]:
        """Cells of unchanging columns after the first row: they are told in the line of keys."""
        return {id(row[number]) for rows, constant in self._layout.tables.values() for row in rows[1:] for number in constant}


def _ways(branch: Branch, above: tuple[Branch, ...]) -> Iterable[tuple[Leaf, tuple[Branch, ...]]]:
    """Yield every value with the branches that hold it, innermost first; an empty branch holds nothing."""
    way = (branch, *above)
    for child in branch.children:
        if isinstance(child, Leaf):
            yield child, way
        else:
            yield from _ways(child, way)


def _layout(root: Branch) -> Layout:
    """Find the lists and objects most of whose children are records of a shape that occurs more than once."""
    groups = [branch for branch in _branches(root) if branch.children and all(isinstance(c, Branch) and c.keys for c in branch.children)]
    flattened = {id(child): flat(child) for branch in groups for child in branch.children}
    seen = Counter(shape for shape, _ in flattened.values() if len(shape) > 1)
    holders, shapes = groups, {shape for shape, count in seen.items() if count > 1}
    while True:
        found = [branch for branch in holders if sum(flattened[id(c)][0] in shapes for c in branch.children) > len(branch.children) / 2]
        rows: dict[Shape, list[Row]] = defaultdict(list)
        records = {id(c): flattened[id(c)] for branch in found for c in branch.children if flattened[id(c)][0] in shapes}
        for shape, row in records.values():
            rows[shape].append(row)
        tables = {shape: Table(cells, _constant(cells)) for shape, cells in rows.items()}
        telling = {shape for shape, table in tables.items() if len(table.constant) < len(shape)}
        if len(found) == len(holders) and telling == shapes & set(rows):
            return Layout(tables, {id(branch) for branch in found}, records)
        holders, shapes = found, telling


def _branches(branch: Branch) -> Iterable[Branch]:
    yield branch
    for child in branch.children:
        if isinstance(child, Branch):
            yield from _branches(child)


def _constant(rows: list[Row]) -> frozenset[int]:
    if len(rows) == 1:
        return frozenset()
    return frozenset(number for number, column in enumerate(zip(*rows, strict=True)) if _same(column))


def _same(column: tuple[Node, ...]) -> bool:
    first = column[0]
    return isinstance(first, Leaf) and all(isinstance(cell, Leaf) and cell.raw == first.raw for cell in column)


def _weight(leaf: Leaf, part: str) -> float:
    """What a value is worth, whatever its length: what identifies most, what says nothing least."""
    if leaf.raw in _NOTHING:
        return 0.2
    if len(leaf.parts) > 1:
        return 0.2 + 0.2 * min(5, sum(1 for _ in VALUE.finditer(part)))
    inner = unquoted(leaf.raw)
    named = 0.5 if _IDENTIFIER.search(leaf.key) else 0.0
    if not VALUE.fullmatch(inner):
        return named + (0.8 if len(inner) <= _WORD_CHARS else 0.6)
    if inner[0].isalpha():
        return named + (1.0 if inner.isalpha() else 1.5)
    return named + (0.8 if len(inner) > _SHORT_CHARS else 0.3)


def _neighbourhood(root: Branch, weigher: Weigher) -> dict[int, float]:
    """What a value gains from terms in its record (half of their weight)."""
    near: dict[int, float] = {}
    stack: list[Branch] = [root]
    while stack:
        branch = stack.pop()
        values = [child for child in branch.children if isinstance(child, Leaf)]
        gain = max((weigher.hits(leaf.raw) for leaf in values), default=0.0) / 2
        if branch.keys is not None and gain:
            near.update((id(leaf), gain) for leaf in branch.leaves())
        stack += [child for child in branch.children if isinstance(child, Branch)]
    return near

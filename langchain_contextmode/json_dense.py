"""A JSON document written as densely as a reader can follow, whole or in part.

Quotation marks go where nothing depends on them. Records of one shape become rows under one line of keys, with the
values that are the same in every row told there once:

    [{"id": "a1", "price": 76, "state": "free"}, {"id": "b2", "price": 82, "state": "free"}]

    {id|price|state=free}
    a1|76
    b2|82
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.json_tree import Branch, Leaf, Node, unquoted
from langchain_contextmode.segments import VALUE, Piece, Weigher, cut

_PLAIN: Final = re.compile(r"[^\s,|=(){}\[\]\"'\\](?:[^,|=(){}\[\]\"\\\n]*[^\s,|=(){}\[\]\"'\\])?")
_IDENTIFIER: Final = re.compile(r"(?:^|[_-])(?:id|ids|number|no|name|code|key|path|url|email|date)$|Id$", re.IGNORECASE)
_NOTHING: Final = frozenset({"null", "None", "true", "false", "True", "False", '""', "''", "[]", "{}"})
_LONG_CHARS: Final = 80
_WORD_CHARS: Final = 20
_SHORT_CHARS: Final = 3
_REPEATED: Final = 0.25
"""Worth of a value that stood under the same key before."""

_SEP: Final = "|"
_GAP: Final = "…"

Row = tuple[Node, ...]
Shape = tuple[str, ...]


class Document:
    """A parsed JSON document, ready to be written in full or in part."""

    def __init__(self, root: Branch) -> None:
        """Find the shapes that occur more than once and the columns that never change."""
        self._root = root
        rows: dict[Shape, list[Row]] = defaultdict(list)
        for branch in _records(root):
            shape, row = _flat(branch)
            rows[shape].append(row)
        self._rows = {shape: found for shape, found in rows.items() if len(found) > 1 and len(shape) > 1}
        self._constant = {
            shape: frozenset(n for n, column in enumerate(zip(*found, strict=True)) if _same(column)) for shape, found in self._rows.items()
        }

    def units(self, terms: frozenset[str]) -> list[Piece]:
        """Divide the document into what can stay or go on its own: values, parts of long texts, columns that never change.

        Args:
            terms: Lower-cased words and ids of the request and of recent turns.
        """
        leaves = self._root.leaves()
        weigher = Weigher(terms, [leaf.raw for leaf in leaves])
        near = _neighbourhood(self._root, weigher) if terms else {}
        units: list[Piece] = []
        known: set[tuple[str, str]] = set()
        for leaf in leaves:
            first = len(units)
            leaf.parts = tuple(cut(leaf.raw, _LONG_CHARS))
            again = _REPEATED if (leaf.key, leaf.raw) in known else 1.0
            known.add((leaf.key, leaf.raw))
            for part in leaf.parts:
                worth = again * (_weight(leaf, part) + weigher.hits(part) + weigher.hits(leaf.key) / 2) + near.get(id(leaf), 0.0)
                units.append(Piece(part, estimate_tokens(part) + 1, worth))
            leaf.units = tuple(range(first, len(units)))
        for shape, columns in self._constant.items():
            for number in columns:
                self._share(units, [row[number] for row in self._rows[shape]])
        return units

    def _share(self, units: list[Piece], column: list[Node]) -> None:
        """Let all cells of an unchanging column stand or go as one."""
        cells = [cell for cell in column if isinstance(cell, Leaf)]
        for cell in cells[1:]:
            for unit in cell.units:
                units[unit] = units[unit]._replace(cost=0.0, worth=0.0)
            cell.units = cells[0].units

    def write(self, chosen: frozenset[int] | None = None) -> str:
        """Write the document.

        Args:
            chosen: Numbers of the units to write; `None`: everything.
        """
        return _Writer(self._rows, self._constant, chosen).document(self._root)

    def gist(self, chosen: frozenset[int]) -> str:
        """Write chosen values column by column, keys once: more of them in less room than as rows.

        Values of one column stand in the order of their records; a column whose values are all the same has one.
        """
        columns: dict[str, list[str]] = {}
        _collect(self._root, "", chosen, columns)
        names = [path.rpartition(".")[2] for path in columns]
        told = [values[:1] if len(set(values)) == 1 else values for values in columns.values()]
        return "; ".join(f"{name}: {', '.join(values)}" if name else ", ".join(values) for name, values in zip(names, told, strict=True))


class _Writer:
    """Writes one version of a document; each shape's line of keys comes before its first row."""

    def __init__(self, rows: dict[Shape, list[Row]], constant: dict[Shape, frozenset[int]], chosen: frozenset[int] | None) -> None:
        self._rows = rows
        self._constant = constant
        self._chosen = chosen
        self._columns: dict[Shape, list[int]] = {}

    def document(self, root: Branch) -> str:
        return self._node(root).strip("\n")

    def _has(self, node: Node) -> bool:
        if self._chosen is None:
            return True
        leaves = [node] if isinstance(node, Leaf) else node.leaves()
        return any(unit in self._chosen for leaf in leaves for unit in leaf.units)

    def _node(self, node: Node) -> str:
        if isinstance(node, Leaf):
            return self._leaf(node)
        if sum(map(self._is_row, node.children)) > len(node.children) / 2:
            return self._table(node)
        parts: list[str] = []
        for number, child in enumerate(node.children):
            if not self._has(child):
                if node.keys is None and parts[-1:] != [_GAP]:
                    parts.append(_GAP)
                continue
            text = self._node(child)
            parts.append(f"{node.keys[number]}:{text}" if node.keys is not None else text)
        opening, closing = "{}" if node.keys is not None else "[]"
        return f"{opening}{_listed(parts)}{closing}"

    def _leaf(self, leaf: Leaf) -> str:
        if self._chosen is None or all(unit in self._chosen for unit in leaf.units):
            return _plain(leaf.raw)
        parts = [part if unit in self._chosen else _GAP for part, unit in zip(leaf.parts, leaf.units, strict=True)]
        return "".join(part for n, part in enumerate(parts) if part != _GAP or parts[n - 1 : n] != [_GAP])

    def _is_row(self, node: Node) -> bool:
        return isinstance(node, Branch) and node.keys is not None and _flat(node)[0] in self._rows

    def _table(self, node: Branch) -> str:
        lines: list[str] = []
        for number, child in enumerate(node.children):
            shape, row = _flat(child)
            if not self._has(child):
                if lines[-1:] != [_GAP]:
                    lines.append(_GAP)
                continue
            key = node.keys[number] if node.keys is not None else ""
            if not self._is_row(child):
                lines.append(f"{key}:{self._node(child)}" if key else self._node(child))
                continue
            if shape not in self._columns:
                lines.append(self._keys(shape))
            cells = [self._cell(row[column]) for column in self._columns[shape]]
            if key and key not in cells:
                cells.insert(0, f"{key}:")
            if any(cells):
                lines.append(_SEP.join(cells).rstrip(_SEP))
        text = "\n".join(lines)
        return f"\n{text}\n" if len(lines) > 1 else f"[{text}]"

    def _cell(self, node: Node) -> str:
        return self._node(node) if self._has(node) else ""

    def _keys(self, shape: Shape) -> str:
        """Write the line of keys: columns with any value that is written, unchanging ones with their value."""
        rows = self._rows[shape]
        shown = [n for n in range(len(shape)) if any(self._has(row[n]) for row in rows)]
        constant = self._constant[shape]
        self._columns[shape] = [n for n in shown if n not in constant]
        names = _without_repeated_prefix([shape[n] for n in shown])
        keys = [f"{name}={self._node(rows[0][n])}" if n in constant else name for name, n in zip(names, shown, strict=True)]
        return f"{{{_SEP.join(keys)}}}"


def _collect(branch: Branch, path: str, chosen: frozenset[int], columns: dict[str, list[str]]) -> None:
    """Gather chosen values by the path of their keys, without positions in lists and names of records."""
    records = len(branch.children) > 1 and all(isinstance(child, Branch) and child.keys is not None for child in branch.children)
    for number, child in enumerate(branch.children):
        key = branch.keys[number] if branch.keys is not None else ""
        inner = path if records or not key else f"{path}.{key}" if path else key
        leaves = [child] if isinstance(child, Leaf) else child.leaves()
        if not any(unit in chosen for leaf in leaves for unit in leaf.units):
            continue
        if isinstance(child, Leaf):
            parts = [part for unit, part in zip(child.units, child.parts, strict=True) if unit in chosen]
            columns.setdefault(inner, []).append(_plain(_GAP.join(parts)))
            continue
        if records and key and all(unquoted(leaf.raw) != key for leaf in leaves):
            columns.setdefault(inner, []).append(key)
        _collect(child, inner, chosen, columns)


def _plain(raw: str) -> str:
    """Leave the quotation marks of a string out where it cannot be mistaken for anything else."""
    inner = unquoted(raw)
    return inner if inner is not raw and _PLAIN.fullmatch(inner) else raw


def _without_repeated_prefix(names: list[str]) -> list[str]:
    """Write `a.x, a.y` as `a.x, .y`."""
    short: list[str] = []
    before = ""
    for name in names:
        prefix, dot, last = name.rpartition(".")
        short.append(f".{last}" if dot and prefix == before else name)
        before = prefix
    return short


def _listed(parts: list[str]) -> str:
    """Join with commas; a table ends with a line break, which parts as well."""
    return "".join(part if n + 1 == len(parts) or part.endswith("\n") else f"{part}," for n, part in enumerate(parts))


def _records(branch: Branch) -> list[Branch]:
    """Objects that stand beside others: in a list, or as the only kind of value of an object."""
    found: list[Branch] = []
    objects = [child for child in branch.children if isinstance(child, Branch)]
    if len(objects) == len(branch.children) and all(child.keys is not None for child in objects):
        found += objects
    for child in objects:
        found += _records(child)
    return found


def _flat(node: Node) -> tuple[Shape, Row]:
    """Keys and values of an object, values of inner objects under dotted keys."""
    keys: list[str] = []
    cells: list[Node] = []
    if isinstance(node, Branch) and node.keys is not None:
        for key, child in zip(node.keys, node.children, strict=True):
            if isinstance(child, Branch) and child.keys:
                inner_keys, inner_cells = _flat(child)
                keys += [f"{key}.{inner}" for inner in inner_keys]
                cells += inner_cells
            else:
                keys.append(key)
                cells.append(child)
    return tuple(keys), tuple(cells)


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
        return named + 1.5
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

"""A JSON tree, or the chosen part of it, in as few tokens as a reader can follow.

Quotation marks go where nothing depends on them. As rows, records of one shape stand under one line of keys, with the
values that are the same in every row told there:

    [{"id": "a1", "price": 76, "state": "free"}, {"id": "b2", "price": 82, "state": "free"}]

    {id|price|state=free}
    a1|76
    b2|82

As columns, keys are told once for the whole document: `id: a1, b2; price: 76, 82; state: free`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.json_tree import Branch, Leaf, Node, unquoted

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

_PLAIN: Final = re.compile(r"[^\s,|=(){}\[\]\"'\\](?:[^,|=(){}\[\]\"\\\n]*[^\s,|=(){}\[\]\"'\\])?")
_SEP: Final = "|"
_GAP: Final = "…"

Row = tuple[Node, ...]
Shape = tuple[str, ...]


class Table(NamedTuple):
    """Records of one shape, wherever they stand in the document.

    Attributes:
        rows: Their values, inner objects unfolded, in document order.
        constant: Numbers of the columns that have one value in all rows.
    """

    rows: list[Row]
    constant: frozenset[int]


class Layout(NamedTuple):
    """Which parts of a document are written as rows.

    Attributes:
        tables: The tables by shape.
        holders: `id` of every branch whose children are rows, most of them at least.
        records: `id` of every row to its shape and values.
    """

    tables: Mapping[Shape, Table]
    holders: Container[int]
    records: Mapping[int, tuple[Shape, Row]]


class Part(NamedTuple):
    """What of a document is to be written.

    Attributes:
        units: Numbers of the chosen units.
        nodes: `id` of every node that holds one of them.
    """

    units: Container[int]
    nodes: Container[int]

    def has(self, node: Node) -> bool:
        """Say whether anything of this node is to be written."""
        return id(node) in self.nodes

    def text(self, leaf: Leaf) -> str:
        """Return the chosen parts of a value, `…` for what is missing between or around them."""
        if len(leaf.units) == 1 or all(unit in self.units for unit in leaf.units):
            return _plain(leaf.raw)
        parts = [part if unit in self.units else _GAP for part, unit in zip(leaf.parts, leaf.units, strict=True)]
        return "".join(part for n, part in enumerate(parts) if part != _GAP or parts[n - 1 : n] != [_GAP])


class Everything(Part):
    """All of a document."""

    def has(self, node: Node) -> bool:  # noqa: ARG002
        """Say yes."""
        return True

    def text(self, leaf: Leaf) -> str:
        """Return the whole value."""
        return _plain(leaf.raw)


EVERYTHING: Final = Everything((), ())


def flat(node: Node) -> tuple[Shape, Row]:
    """Return keys and values of an object, values of inner objects under dotted keys; nothing for anything else."""
    keys: list[str] = []
    cells: list[Node] = []
    if isinstance(node, Branch) and node.keys is not None:
        for key, child in zip(node.keys, node.children, strict=True):
            if isinstance(child, Branch) and child.keys:
                inner_keys, inner_cells = flat(child)
                keys += [f"{key}.{inner}" for inner in inner_keys]
                cells += inner_cells
            else:
                keys.append(key)
                cells.append(child)
    return tuple(keys), tuple(cells)


def as_rows(root: Branch, layout: Layout, part: Part) -> str:
    """Write records as rows; each shape's line of keys comes before its first row."""
    return _Rows(layout, part).node(root).strip("\n")


class _Rows:
    def __init__(self, layout: Layout, part: Part) -> None:
        self._layout = layout
        self._part = part
        self._columns: dict[Shape, list[int]] = {}

    def node(self, node: Node) -> str:
        if isinstance(node, Leaf):
            return self._part.text(node)
        if id(node) in self._layout.holders:
            return self._table(node)
        parts: list[str] = []
        for number, child in enumerate(node.children):
            if self._part.has(child):
                text = self.node(child)
                parts.append(f"{node.keys[number]}:{text}" if node.keys is not None else text)
            elif node.keys is None and parts[-1:] != [_GAP]:
                parts.append(_GAP)
        opening, closing = "{}" if node.keys is not None else "[]"
        return f"{opening}{_listed(parts)}{closing}"

    def _table(self, node: Branch) -> str:
        lines: list[str] = []
        for number, child in enumerate(node.children):
            if self._part.has(child):
                self._add_record(lines, child, node.keys[number] if node.keys is not None else "")
            elif lines[-1:] != [_GAP]:
                lines.append(_GAP)
        text = "\n".join(lines)
        return f"\n{text}\n" if len(lines) > 1 else f"[{text}]"

    def _add_record(self, lines: list[str], record: Node, key: str) -> None:
        shape, row = self._layout.records.get(id(record), ((), ()))
        if not shape:
            lines.append(f"{key}:{self.node(record)}" if key else self.node(record))
            return
        if shape not in self._columns:
            lines.append(self._keys(shape))
        cells = [self._cell(row[column]) for column in self._columns[shape]]
        if key and key not in cells:
            cells.insert(0, f"{key}:")
        if any(cells):
            lines.append(_SEP.join(cells).rstrip(_SEP))

    def _cell(self, node: Node) -> str:
        return self.node(node) if self._part.has(node) else ""

    def _keys(self, shape: Shape) -> str:
        """Write the line of keys: columns with any value that is written, unchanging ones with their value."""
        rows, constant = self._layout.tables[shape]
        shown = [n for n in range(len(shape)) if any(self._part.has(row[n]) for row in rows)]
        self._columns[shape] = [n for n in shown if n not in constant]
        names = _without_repeated_prefix([shape[n] for n in shown])
        keys = [f"{name}={self.node(rows[0][n])}" if n in constant else name for name, n in zip(names, shown, strict=True)]
        return f"{{{_SEP.join(keys)}}}"


def as_columns(root: Branch, part: Part) -> str:
    """Write values by key; those of one column in the order of their records, only one if all are the same."""
    columns: dict[str, list[str]] = {}
    _collect(root, "", part, columns)
    written: list[str] = []
    for path, values in columns.items():
        name = path.rpartition(".")[2]
        told = ", ".join(values[:1] if len(set(values)) == 1 else values)
        written.append(f"{name}: {told}" if name else told)
    return "; ".join(written)


def _collect(branch: Branch, path: str, part: Part, columns: dict[str, list[str]]) -> None:
    """Gather values by the path of their keys, without positions in lists and names of records."""
    records = len(branch.children) > 1 and all(isinstance(child, Branch) and child.keys is not None for child in branch.children)
    for number, child in enumerate(branch.children):
        if not part.has(child):
            continue
        key = branch.keys[number] if branch.keys is not None else ""
        inner = path if records or not key else f"{path}.{key}" if path else key
        if isinstance(child, Leaf):
            columns.setdefault(inner, []).append(part.text(child))
            continue
        if records and key and all(unquoted(leaf.raw) != key for leaf in child.leaves()):
            columns.setdefault(inner, []).append(key)
        _collect(child, inner, part, columns)


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

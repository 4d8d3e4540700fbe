"""JSON as a tree of pieces that are copied, never decoded: what is written again is the very characters of the original."""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(
    r"""\s*+(?:(?P<string>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|(?P<mark>[{}\[\],:])|(?P<bare>[^\s{}\[\],:"']++)|(?P<end>\Z))""",
    re.DOTALL,
)
_MAX_DEPTH: Final = 40
_MAX_CHARS: Final = 2_000_000


class Leaf:
    """A value that holds no others.

    Attributes:
        raw: As it is written, quotation marks included.
        key: The key it stands under, without quotation marks; in a list, the list's.
        units: Numbers of the units it was divided into; set by whoever divides.
        parts: One text per unit; joined they are `raw`.
    """

    __slots__ = ("key", "parts", "raw", "units")

    def __init__(self, raw: str, key: str) -> None:
        """Start as one part."""
        self.raw = raw
        self.key = key
        self.parts: tuple[str, ...] = (raw,)
        self.units: tuple[int, ...] = ()


class Branch:
    """An object, or a list.

    Attributes:
        keys: One per child, without quotation marks; `None` for a list.
        key: The key it stands under; in a list, the list's.
        children: In order.
    """

    __slots__ = ("children", "key", "keys")

    def __init__(self, key: str, *, is_object: bool) -> None:
        """Start empty."""
        self.key = key
        self.keys: list[str] | None = [] if is_object else None
        self.children: list[Node] = []

    def leaves(self) -> list[Leaf]:
        """All values below, in order."""
        found: list[Leaf] = []
        for child in self.children:
            if isinstance(child, Leaf):
                found.append(child)
            else:
                found += child.leaves()
        return found


Node = Leaf | Branch


def unquoted(raw: str) -> str:
    """Return a string without its quotation marks; anything else as it is."""
    return raw[1:-1] if raw[:1] in {'"', "'"} else raw


def parse(text: str) -> tuple[Branch, str] | None:
    """Read a JSON object or list, also as Python writes it.

    Returns:
        The tree, and the text without white space between values; `None` if it is anything else, broken off, deeper
        than 40 levels or longer than 2,000,000 characters.
    """
    if len(text) > _MAX_CHARS or text.lstrip()[:1] not in {"{", "["}:
        return None
    reader = _Reader()
    position = 0
    while match := _TOKEN.match(text, position):
        if match.lastgroup == "end":
            return reader.result()
        if not reader.take(match[match.lastindex or 0], match.lastgroup):
            return None
        position = match.end()
    return None


class _Reader:
    """A stack of open branches; values and commas must take turns."""

    def __init__(self) -> None:
        self._open: list[Branch] = []
        self._key: str | None = None
        self._root: Branch | None = None
        self._pieces: list[str] = []
        self._after_value = False

    def result(self) -> tuple[Branch, str] | None:
        return (self._root, "".join(self._pieces)) if self._root is not None and not self._open else None

    def take(self, piece: str, kind: str | None) -> bool:
        """Take one piece of text; false if it cannot stand here."""
        self._pieces.append(piece)
        if self._root is not None and not self._open:
            return False
        if kind != "mark":
            return self._value(piece)
        if piece in "{[":
            return self._begin(is_object=piece == "{")
        return bool(self._open) and (self._close(piece) if piece in "}]" else self._part(piece))

    def _part(self, mark: str) -> bool:
        """A comma or colon must follow a value, and a colon a key."""
        ready = self._after_value and (mark == ":") == (self._key is not None)
        self._after_value = False
        return ready

    def _value(self, raw: str) -> bool:
        if self._after_value or not self._open:
            return False
        top = self._open[-1]
        self._after_value = True
        if top.keys is not None and self._key is None:
            self._key = unquoted(raw)
            return True
        self._add(Leaf(raw, top.key if self._key is None else self._key))
        return True

    def _add(self, node: Node) -> None:
        top = self._open[-1]
        top.children.append(node)
        if top.keys is not None:
            top.keys.append(self._key or "")
            self._key = None

    def _begin(self, *, is_object: bool) -> bool:
        if not self._open:
            self._root = Branch("", is_object=is_object)
            self._open.append(self._root)
            return True
        top = self._open[-1]
        if self._after_value or (top.keys is not None and self._key is None) or len(self._open) == _MAX_DEPTH:
            return False
        branch = Branch(top.key if self._key is None else self._key, is_object=is_object)
        self._add(branch)
        self._open.append(branch)
        return True

    def _close(self, mark: str) -> bool:
        branch = self._open.pop()
        self._after_value = True
        return self._key is None and (mark == "}") == (branch.keys is not None)

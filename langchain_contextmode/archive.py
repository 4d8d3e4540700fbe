"""Archive lines: what stands in the view for messages that are not in it, and names the originals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.content import BoundedCache, calls_text, content_key, text_of
from langchain_contextmode.conversation import context_message
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.fences import escaped, fenced, one_line, reference
from langchain_contextmode.schema import ArchiveEntry
from langchain_contextmode.shorten import excerpt, gist

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.blocks import Block

LINE_CHARS = 120
NAME_CHARS = 40
RESULT_TOKENS = 40
"""For all tool results of a block together: their ids, numbers and dates come first."""

TAG = "archive"
_INTRO = "Earlier messages in one line each, as background; each names its original by id."
_LINES: BoundedCache[str] = BoundedCache()


def line_of(block: Block) -> str:
    """Return who said what, cut to `LINE_CHARS` a message; nothing is rephrased.

    Returns:
        One line: `name: excerpt`, for a call block `name(arguments) -> result`.
    """
    key: Hashable = tuple(content_key(message) for message in block.messages)
    return _LINES.get(key, lambda: _line(block))


def _line(block: Block) -> str:
    first = block.messages[0]
    who = excerpt(first.name or "", NAME_CHARS) or {"human": "user", "ai": "assistant", "call": "assistant"}.get(block.kind, block.kind)
    said = text_of(first)
    if block.kind == "call":
        tokens = RESULT_TOKENS // (len(block.messages) - 1)
        results = " ; ".join(gist(text_of(result), tokens, estimate_tokens) for result in block.messages[1:])
        said = f"{excerpt(said, LINE_CHARS)} {excerpt(calls_text(first), LINE_CHARS)} -> {results}".strip()
    else:
        said = excerpt(said, LINE_CHARS)
    return one_line(f"{who}: {said}")


def rendered_line(block: Block) -> str:
    """Return the line as the view shows it, with the id that brings the original back; nothing in it can end line or archive."""
    return f"- [{reference(block.id)}] {escaped(line_of(block))}"


def archive_message(blocks: Sequence[Block]) -> HumanMessage:
    """Return the lines of these blocks as one delimited background message in the human role."""
    body = "\n".join(rendered_line(block) for block in blocks)
    return context_message(fenced(TAG, f"{_INTRO}\n{body}"), TAG)


def removed_lines(concern: Mapping[str, Any]) -> tuple[ArchiveEntry, ...]:
    """Read the lines that the prune node left for messages it removed, oldest first.

    Args:
        concern: The `archive` concern of the state: `[line, ids, restorable]` each. What has another shape is left out.

    Returns:
        Entries; one without ids cannot be restored.
    """
    found = []
    for item in concern.get("items") or () if isinstance(concern, dict) else ():
        match item:
            case [str(line), [*ids], bool(restorable)]:
                found.append(ArchiveEntry(line, tuple(map(str, ids)) if restorable else (), 0.0))
    return tuple(found)

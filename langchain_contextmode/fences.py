"""Delimiters of our own blocks: text inside can neither open nor close one, nor break its line."""

from __future__ import annotations

import json
import re

TAGS = ("archive", "session", "memories", "task")
"""Every delimiter that a view may hold."""

_FENCE = re.compile(rf"<(?=[^\w<>]*(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
_UNPRINTED = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_UNLIKE_ID = re.compile(rf'["\[\]]|{_FENCE.pattern}', re.IGNORECASE)
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<[]"}


def fenced(tag: str, body: str) -> str:
    """Put a body, whose foreign parts are escaped, between the delimiters of a tag."""
    return f"<{tag}>\n{body}\n</{tag}>"


def escaped(text: str) -> str:
    """Return a text in which no delimiter of ours can be read; everything else stays letter by letter."""
    return _FENCE.sub("&lt;", text)


def one_line(text: str) -> str:
    """Return a text without line ends and control characters."""
    return _UNPRINTED.sub(" ", text).strip()


def reference(identity: str) -> str:
    """Return an id as it is, or as a JSON string where it could be taken for something else than an id."""
    if identity.isprintable() and not _UNLIKE_ID.search(identity):
        return identity
    return json.dumps(identity).translate(_ESCAPES)

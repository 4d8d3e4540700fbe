"""Names that no cue points at, but a change or a plan does: "Porto instead", "thinking of Lisbon", 换成 Casa Azul, "forget Lisbon"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.task.extract.answers import asked_field
from langchain_contextmode.task.extract.choices import word
from langchain_contextmode.task.extract.mention import Mention
from langchain_contextmode.task.extract.names import role_of
from langchain_contextmode.task.extract.spelled import VALUE, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from langchain_contextmode.task.types import FieldSpec, Heard

_PATTERNS: Final = (
    re.compile(rf"(?<![\w'’]){VALUE}\s+instead\b"),
    re.compile(
        rf"\b(?i:thinking of|go(?:ing)? with|chang(?:e|ing) (?:it|that) to|switch(?:ing)? (?:it |that )?to|settle on|decided on)\s+{VALUE}"
    ),
    re.compile(rf"(?:换成|改成|改为|换到|改到|改去|定|选)\s*{VALUE}"),
)
_PRAISED: Final = re.compile(rf"^\W*{VALUE}\s+(?:sounds?|looks?|seems?)\b")
_TAKES: Final = re.compile(
    r"\b(?:let['’]?s|we['’]ll|i['’]ll|we|i)\s+(?:\w+ ){0,2}(?:pencil|take|book|choose|pick|go (?:with"
    r"|for))\b[^.!?]{0,20}\b(?:that|this|it)\b",
    re.IGNORECASE,
)
_FORGET: Final = r"(?i:\b(?:forget(?: about)?|no more|drop|scrap|skip|rule out|not)\s+(?:the )?)|(?:不去|不住|别去|忘了|放弃)"


def proposals(text: str, fields: Sequence[FieldSpec], heard: Heard, values: Mapping[str, Any]) -> Iterator[Mention]:
    """Yield such names for the one field that they can belong to.

    That is the field that the assistant asked for; else the one whose value message or question name; else the one that the user
    spoke of before; else, before any name is known, the task's only place or target.

    Args:
        text: A sentence.
        fields: All fields.
        heard: Its message.
        values: Current values by field.
    """
    texts = [field for field in fields if field.kind == "text" and not field.pattern and not field.many]
    for pattern in (*_PATTERNS, _PRAISED) if _TAKES.search(heard.text) else _PATTERNS:
        for match in pattern.finditer(text):
            group = "quoted" if match["quoted"] else "name"
            start, end = trimmed(text, *match.span(group))
            field = _field(texts, heard, values) if end > start else None
            if field is not None:
                yield Mention("text", text[start:end], start, end, fields=(field.name,), named=True)


def forgotten(text: str, fields: Sequence[FieldSpec], values: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Yield the fields whose current value a text drops by name, and where it stands."""
    for field in fields:
        value = values.get(field.name)
        if field.kind == "text" and isinstance(value, str) and value and value in text:
            for match in re.finditer(rf"(?:{_FORGET})\s*({re.escape(value)})(?!\w)", text):
                yield (field.name, *match.span(1))


def _field(texts: Sequence[FieldSpec], heard: Heard, values: Mapping[str, Any]) -> FieldSpec | None:
    if found := asked_field(heard.asked, texts) if heard.asked else None:
        return found
    talk = f"{heard.asked} {heard.text}"
    mentioned = [field for field in texts if isinstance(value := values.get(field.name), str) and value and value in talk]
    about = [field for field in texts if any(word(cue).search(heard.before) for cue in field.cues)]
    places = [] if any(field.name in values for field in texts) else [field for field in texts if role_of(field) in {"target", "place"}]
    for chosen in (mentioned, about, places, texts):
        if len(chosen) == 1:
            return chosen[0]
    return None

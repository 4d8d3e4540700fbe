"""The parts of a task's declaration, what an extractor hears in a message, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from langchain_contextmode.task.state import Source

FieldKind = Literal["integer", "number", "money", "people", "date", "time", "datetime", "duration", "choice", "boolean", "text"]
"""What a field holds. Values are JSON: ISO 8601 text for date, time, datetime and duration; a number for money and people."""


class Choice(NamedTuple):
    """One value that a field may have.

    Attributes:
        value: As stored; JSON.
        names: How people say it, the value's own text first; English and Chinese.
    """

    value: Any
    names: tuple[str, ...]


class FieldSpec(NamedTuple):
    """One field of a task.

    Attributes:
        name: As in the Pydantic model.
        kind: What it holds.
        description: The model's own words; says by which words a message means this field.
        cues: Words that point at this field: its name in words, words of the description, declared synonyms; lower case.
        examples: Values as people say them.
        choices: For `choice`; empty otherwise.
        unit: Of a number (`km`, `nights`); of money the currency the value is in, if declared. Empty: none.
        pattern: Regular expression that a text has to match as a whole; `None`: none.
        minimum: Smallest number or earliest ISO text, included; `None`: none.
        maximum: Largest number or latest ISO text, included; `None`: none.
        depends_on: Fields whose change makes this one stale.
        many: It holds a list of such values.
    """

    name: str
    kind: FieldKind
    description: str = ""
    cues: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    unit: str = ""
    pattern: str | None = None
    minimum: Any = None
    maximum: Any = None
    depends_on: tuple[str, ...] = ()
    many: bool = False


class NodeSpec(NamedTuple):
    """One station of the job, in order.

    Attributes:
        name: Node name (`collect`, `confirm`, `pay`).
        requires: Fields that must be filled before the task moves on.
        tags: Topics that matter at this node; used by recall and by the filter.
    """

    name: str
    requires: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class ToolSource(NamedTuple):
    """A field that a tool's JSON result may fill.

    Attributes:
        tool: Tool name.
        path: Where in the result, as keys and list positions: `("booking", "price")`.
        wins: The tool's value replaces one that the user stated; otherwise a contradiction is asked about.
    """

    tool: str
    path: tuple[str | int, ...]
    wins: bool = False


class Found(NamedTuple):
    """One statement about a field in one human message.

    Attributes:
        field: Field name.
        value: Normalised JSON value, not validated against the field's limits yet; `None` with `clear`.
        span: Letter by letter from the message.
        start: Where the span begins in the message's text, in characters.
        op: `set`; `clear` ("forget the hotel"); `refuse` (a value named and refused without another one: "not the Ritz").
        corrects: The words say that it replaces something said before ("not 3, make it 4", "改成两万五").
        named: The message names the field; otherwise type and context point at it.
        adds: The words add it to what a list field holds ("also", 再加), instead of stating the list anew.
    """

    field: str
    value: Any
    span: str
    start: int
    op: Literal["set", "clear", "refuse"] = "set"
    corrects: bool = False
    named: bool = True
    adds: bool = False


class Heard(NamedTuple):
    """A message as the extractor gets it.

    Attributes:
        message_id: Its id.
        text: What the human said.
        said_at: The message's own time, aware; `None` if it has none: relative dates are then not resolved.
        asked: Text of the AI message right before it; empty if there is none. Says what a bare answer answers.
        before: What the human said before that, a few messages; empty: nothing. Says what a "make it ..." is about.
    """

    message_id: str
    text: str
    said_at: datetime | None = None
    asked: str = ""
    before: str = ""


class Change(NamedTuple):
    """What happened to a field.

    Attributes:
        field: Its name; empty where it is about no field.
        what: `set`, `cleared`, `refused`, `asked`, `stale`, or `rule`: the transition rule failed.
        message_id: The message behind it; empty: the application.
        why: In words; no value and no text of a message.
    """

    field: str
    what: str
    message_id: str = ""
    why: str = ""


class Said(NamedTuple):
    """Where statements are from.

    Attributes:
        message_id: Their message; empty: the application.
        source: Who said them.
        at: Milliseconds since the epoch.
    """

    message_id: str = ""
    source: Source = "human"
    at: int = 0

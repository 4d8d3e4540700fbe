"""How far a task is, as data: values with their origin, old values, what is stale, what is asked. Replaced, never mutated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from langchain_contextmode.schema import STATE_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONCERN = "task"
"""Key of the task in the state channel."""

Source = Literal["human", "tool", "application"]
Trouble = Literal["two_values", "refused", "stale", "tool"]
Status = Literal["pending", "in_progress", "done"]

READ_MAX = 64
QUESTIONS_MAX = 20
TODOS_MAX = 50


class Held(NamedTuple):
    """A value and where it is from.

    Attributes:
        value: JSON.
        span: Letter by letter from the message; empty for what the application set.
        message_id: Where it stands; empty for what the application set.
        source: Who said it: a human (found by rules or by a model), a tool, the application.
        at: Milliseconds since the epoch: the message's own time, else that of the turn.
    """

    value: Any
    span: str = ""
    message_id: str = ""
    source: Source = "application"
    at: int = 0


class Past(NamedTuple):
    """A value that no longer holds.

    Attributes:
        held: What it was.
        ended_by: Message that took its place; empty: the application did.
        stale_by: Message that had made it stale before; empty: it was not.
    """

    held: Held
    ended_by: str = ""
    stale_by: str = ""


class Question(NamedTuple):
    """Something that only the user can settle.

    Attributes:
        field: Field name.
        trouble: `two_values` in one message; a value that was `refused`; a field gone `stale`; a `tool` that says otherwise.
        said: What was said, or, for `stale`, the fields that changed.
        why: In words, for a refused value.
        message_id: What raised it.
    """

    field: str
    trouble: Trouble
    said: tuple[str, ...] = ()
    why: str = ""
    message_id: str = ""


class Todo(NamedTuple):
    """One line of a plan that the application keeps."""

    text: str
    status: Status = "pending"


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """The `task` concern. Its size is bounded by fields and settings, not by turns.

    Attributes:
        node: Current node; empty before the first turn.
        by_hand: The application set the node; nothing else moves it.
        values: Field name to its value.
        past: Field name to old values, oldest first.
        stale: Fields whose value may no longer fit, to the message that made them so.
        questions: Open ones, oldest first.
        todos: The application's plan.
        goal: The application's words; empty: the declaration's.
        read: Messages that were read, as `(id, digest of the text)`, oldest first; the newest ones.
        updated_at: Milliseconds since the epoch of the last change; 0: none.
    """

    node: str = ""
    by_hand: bool = False
    values: Mapping[str, Held] = field(default_factory=dict)
    past: Mapping[str, tuple[Past, ...]] = field(default_factory=dict)
    stale: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    todos: tuple[Todo, ...] = ()
    goal: str = ""
    read: tuple[tuple[str, str], ...] = ()
    updated_at: int = 0

    @classmethod
    def of(cls, state: Mapping[str, Any] | None) -> TaskProgress:
        """Read the concern; anything of another shape is a task at its beginning."""
        if not state:
            return cls()
        try:
            return cls(
                str(state["node"]),
                bool(state["by_hand"]),
                {str(name): _held(item) for name, item in state["values"].items()},
                {
                    str(name): tuple(Past(_held(held), str(by), str(stale)) for held, by, stale in items)
                    for name, items in state["past"].items()
                },
                {str(name): str(by) for name, by in state["stale"].items()},
                tuple(_question(item) for item in state["questions"]),
                tuple(Todo(str(text), _one_of(status, Status)) for text, status in state["todos"]),
                str(state["goal"]),
                tuple((str(identity), str(digest)) for identity, digest in state["read"]),
                int(state["updated_at"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            return cls()

    def state(self) -> dict[str, Any]:
        """Return the concern for the state channel: JSON types only; empty where there is nothing to keep."""
        if self == TaskProgress():
            return {}
        return {
            "version": STATE_VERSION,
            "node": self.node,
            "by_hand": self.by_hand,
            "values": {name: list(held) for name, held in self.values.items()},
            "past": {
                name: [[list(item.held), item.ended_by, item.stale_by] for item in items] for name, items in self.past.items() if items
            },
            "stale": dict(self.stale),
            "questions": [[q.field, q.trouble, list(q.said), q.why, q.message_id] for q in self.questions],
            "todos": [list(todo) for todo in self.todos],
            "goal": self.goal,
            "read": [list(pair) for pair in self.read[-READ_MAX:]],
            "updated_at": self.updated_at,
        }

    def with_value(self, name: str, held: Held | None, *, by: str, limit: int) -> TaskProgress:
        """Return the task with another value, or none, for a field; the old one goes to its history, the newest `limit` stay."""
        values, past = dict(self.values), dict(self.past)
        if name in values:
            past[name] = (*past.get(name, ()), Past(values[name], by, self.stale.get(name, "")))[-limit:]
        if held is None:
            values.pop(name, None)
        else:
            values[name] = held
        return replace(self, values=values, past=past).confirmed(name)

    def undone(self, name: str) -> TaskProgress:
        """Return the task with the value that a field had before its last change; where it was empty before, it is empty."""
        values, past = dict(self.values), dict(self.past)
        current, old = values.pop(name, None), past.get(name, ())
        if old and (current is None or old[-1].ended_by == current.message_id):
            values[name] = old[-1].held
            past[name] = old[:-1]
        return replace(self, values=values, past=past).confirmed(name)

    def confirmed(self, name: str) -> TaskProgress:
        """Return the task with nothing doubtful and nothing asked about a field."""
        stale = {other: by for other, by in self.stale.items() if other != name}
        return replace(self, stale=stale, questions=tuple(question for question in self.questions if question.field != name))

    def asking(self, question: Question) -> TaskProgress:
        """Return the task with one more open question; a newer one on the same field and trouble takes the place of the old one."""
        others = [item for item in self.questions if (item.field, item.trouble) != (question.field, question.trouble)]
        return replace(self, questions=(*others, question)[-QUESTIONS_MAX:])

    def rewound(self, taken_back: frozenset[str]) -> TaskProgress:
        """Return the task as if messages had never been read, as far as its history reaches.

        Args:
            taken_back: Ids of messages that were edited or removed, and of all that were read after them.
        """
        values, past, stale = dict(self.values), dict(self.past), dict(self.stale)
        for name in dict.fromkeys((*values, *past)):  # in order, so that the same log gives the same state
            current, old = values.pop(name, None), _without(past.get(name, ()), taken_back)
            if current is not None and current.message_id in taken_back:
                current = None
            while current is None and old and old[-1].ended_by in taken_back:
                last = old.pop()
                current = None if last.held.message_id in taken_back else last.held
                if last.stale_by:
                    stale[name] = last.stale_by
            if current is not None:
                values[name] = current
            past[name] = tuple(old)
        return replace(
            self,
            values=values,
            past=past,
            stale={name: by for name, by in stale.items() if by not in taken_back and name in values},
            questions=tuple(question for question in self.questions if question.message_id not in taken_back),
            read=tuple(pair for pair in self.read if pair[0] not in taken_back),
        )


def _without(past: Sequence[Past], taken_back: frozenset[str]) -> list[Past]:
    """Return a history without values of some messages that something else than these messages replaced."""
    kept: list[Past] = []
    for item in past:
        if kept and item.held.message_id in taken_back and item.ended_by not in taken_back:
            kept[-1] = kept[-1]._replace(ended_by=item.ended_by, stale_by=kept[-1].stale_by)
        elif item.held.message_id not in taken_back or item.ended_by in taken_back:
            kept.append(item)
    return kept


@dataclass(frozen=True, slots=True)
class TaskState:
    """Where the job stands, for `view.task`.

    Attributes:
        node: Current node.
        fields: Field name to its value (JSON), in the declaration's order.
        missing: Required fields of the current node that are empty.
        stale: Filled fields whose value may no longer fit.
        questions: Open questions, in words.
        tags: Topics that matter now.
        provenance: Field name to the message id and span it comes from.
        history: Field name to old values, oldest first, each with message id, time (milliseconds) and what replaced it.
        updated_at: Milliseconds since the epoch of the last change; 0: none.
    """

    node: str
    fields: Mapping[str, Any]
    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    provenance: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    history: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    updated_at: int = 0


def _held(item: Any) -> Held:
    value, span, message_id, source, at = item
    return Held(value, str(span), str(message_id), _one_of(source, Source), int(at))


def _question(item: Any) -> Question:
    name, trouble, said, why, message_id = item
    return Question(str(name), _one_of(trouble, Trouble), tuple(map(str, said)), str(why), str(message_id))


def _one_of(value: Any, kind: Any) -> Any:
    if value not in get_args(kind):
        message = f"{value!r:.40} is none of {get_args(kind)}"
        raise ValueError(message)
    return value

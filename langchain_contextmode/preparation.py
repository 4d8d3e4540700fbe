"""What one preparation starts from, and what its steps hand to each other. In memory only; nothing here is stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.messages import HumanMessage

    from langchain_contextmode.blocks import Log
    from langchain_contextmode.budget import Budget
    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.pins import Pins
    from langchain_contextmode.protocols import Request, Scorer
    from langchain_contextmode.record_templates import TemplateChoice
    from langchain_contextmode.schema import Verdict
    from langchain_contextmode.summary.state import Summarised
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.state import TaskState
    from langchain_contextmode.tokens import MessageCounter


@dataclass(frozen=True, slots=True)
class Setup:
    """The collaborators of a graph or call; the same for every turn.

    Attributes:
        config: Settings.
        counter: The one token counter of every part.
        scorer: Judges blocks against the request.
        tools: Tools whose schemas travel with the request.
        record_template: How turns become records; `None`: by the kind of dialogue.
        can_restore: An archive of originals was given.
        task: Declaration of the job; `None`: there is none, or its level is off.
        has_store: A memory store was given, and its level is not off.
    """

    config: ContextConfig
    counter: MessageCounter
    scorer: Scorer
    tools: Sequence[Any] = ()
    record_template: TemplateChoice = None
    can_restore: bool = False
    task: TaskSpec | None = None
    has_store: bool = False


class Gate(NamedTuple):
    """Whether the filter runs.

    Attributes:
        at_request: It ran when the request arrived; decides what the view starts with.
        now: It runs for this view, because of the history or because the turn outgrew the budget.
        pressed: History and must set together exceed the budget, so recent messages are scored too.
        why: In words.
    """

    at_request: bool
    now: bool
    pressed: bool
    why: str


@dataclass(slots=True)
class Intake:
    """The log in sets, with what each block costs. Block indices everywhere, ascending.

    Attributes:
        log: The parsed log.
        costs: Tokens of each block verbatim.
        request: What the history is judged against.
        request_index: Block of the newest human message; `None` if nobody spoke.
        fixed: System, pinned and request blocks: never scored, never cut.
        restored: Blocks that were asked for by id: never scored, whole while they fit beside the must set.
        turn: What follows the request.
        recent: The newest messages before the request.
        older: The rest of the history.
        tools_tokens: Tokens of the tool schemas.
        plain_tokens: Tokens of the whole conversation as it stands, tool schemas included.
        system_tokens: Of them, system messages and tool schemas.
        budget: Limits in tokens.
        gate: Whether the filter runs.
        levels: Level name to `on: why` or `off: why`.
        pins: What the user demanded.
        restore: The `restore` concern for the next request of this turn; JSON.
    """

    log: Log
    costs: list[int]
    request: Request
    request_index: int | None
    fixed: list[int]
    restored: list[int]
    turn: list[int]
    recent: list[int]
    older: list[int]
    tools_tokens: int
    plain_tokens: int
    system_tokens: int
    budget: Budget
    gate: Gate
    levels: dict[str, str]
    pins: Pins
    restore: dict[str, Any]


@dataclass(slots=True)
class Tracked:
    """Where the job stands.

    Attributes:
        board: The task board; empty: there is nothing to show.
        task: The same as data; `None` without a declared task.
        changed: Fields that changed in this turn.
        tags: Topics that matter now.
        superseded: Message id to words in it that a field held and no longer holds.
        held: Values of the fields, for resolving what a request refers to.
        state: The `task` concern for the next turn; JSON. Empty if there is nothing.
        report: What was changed, refused and asked in this turn; JSON.
        alike: Words that mean the same to the application: of a field, and of a value of a choice.
    """

    board: str = ""
    task: TaskState | None = None
    changed: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    superseded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    report: dict[str, Any] = field(default_factory=dict)
    alike: tuple[tuple[str, ...], ...] = ()


@dataclass(slots=True)
class Recalled:
    """What memory has to say to the request.

    Attributes:
        memories: Best first; what does not fit into the view leaves from the end.
        why: Why something, or nothing, was recalled.
        state: The `memory` concern for the next turn; JSON.
        report: Queries and numbers; JSON.
    """

    memories: tuple[Memory, ...] = ()
    why: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    report: dict[str, Any] = field(default_factory=dict)


class Brought(NamedTuple):
    """What the steps between intake and assembly brought."""

    filtered: Filtered
    summarised: Summarised
    tracked: Tracked
    recalled: Recalled


class Beside(NamedTuple):
    """What stands in the view beside the conversation and the session block.

    Attributes:
        board: The task board: never cut, never reduced.
        memories: The recalled memories.
    """

    board: HumanMessage | None = None
    memories: HumanMessage | None = None


NOTHING_BESIDE = Beside()


@dataclass(slots=True)
class Filtered:
    """The filter's word.

    Attributes:
        verdicts: Block index to verdict; blocks without one were not scored.
        state: The `verdicts` concern for the next turn; JSON.
        notes: What the report should say.
    """

    verdicts: dict[int, Verdict] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

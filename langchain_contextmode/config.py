"""Settings: frozen, validated, units in the names. Collaborators (models, stores, counters) are separate arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from langchain_contextmode.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    if not TYPE_CHECKING:  # type checkers keep the generated signature

        def __init__(self, **data: Any) -> None:
            try:
                super().__init__(**data)
            except ValidationError as error:
                problems = "; ".join(f"{'.'.join(map(str, e['loc'])) or type(self).__name__}: {e['msg']}" for e in error.errors())
                message = f"{type(self).__name__}: {problems}."
                raise ConfigError(message) from None


class Pools(_Settings):
    """Shares of the model's window, 0..1. Input is `system + knowledge + history`; the five must not exceed 1.

    Attributes:
        system: System prompt, tool schemas, task board. Never reduced: what is above the share is taken from history.
        knowledge: Summary, pins, memories, archive lines.
        history: Recent, kept and restored messages. Gets what the two others leave unused.
        output: Reserve for the answer; at least 0.15.
        safety: Left empty.
    """

    system: float = Field(default=0.10, ge=0, le=1)
    knowledge: float = Field(default=0.15, ge=0, le=1)
    history: float = Field(default=0.40, gt=0, le=1)
    output: float = Field(default=0.25, ge=0.15, le=1)
    safety: float = Field(default=0.10, ge=0, le=1)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        total = self.system + self.knowledge + self.history + self.output + self.safety
        if total > 1.0 + 1e-9:
            message = f"pools sum to {total:.2f}, which is more than the window"
            raise ValueError(message)
        return self

    @classmethod
    def for_reasoning(cls) -> Pools:
        """Shares for models that think at length before they answer: 40 % of the window for output."""
        return cls(system=0.10, knowledge=0.12, history=0.28, output=0.40, safety=0.10)


class ContextConfig(_Settings):
    """How context mode decides. Every number is a default that can be changed; the defaults are starting points.

    Attributes:
        window_tokens: The answering model's context window.
        view_tokens: Hard cap on the whole view, tool schemas included. `None`: the three input pools of the window.
        pools: Shares of the window.
        layout: `attention`: archive lines right before the request. `cache_stable`: the same content, with what
            changes from turn to turn behind what does not: the recent window stands (at most half the view) and moves in
            steps of ten blocks.
        alternate_roles: For chat templates that refuse two messages of one role in a row.
        keep_score: Keep at this score or above, 0..10.
        compress_score: Compress at this score or above, drop below.
        lowest_action: `compress` forbids drops.
        protect_messages: The newest messages that are not scored while they fit. 0: none.
        levels: Level name to `True` or `False`, to force it on or off. `session` off: system, pinned and request only. `task` and
            `memory` are on where a task or a store was given; off: no board, nothing recalled and nothing remembered.
        filter_above_messages: The filter runs when the unprotected history has more messages.
        filter_above_tokens: Or more tokens (never more than the history pool).
        reuse_similarity: Old verdicts stand if the request is this similar to the last one, 0..1.
        judge_reading: How a model judges: `list` (a batch of verdicts), `single` (yes or no per item), `pick`
            (the 1..3 items that matter).
        judge_batch_messages: Items per `list` or `pick` call.
        judge_max_messages: Items judged by models in one turn, whatever the history's length. 0: no model is asked. A
            reply that cannot be read is asked for once more, so there are at most two calls an item.
        window_turns: Turns that the summary leaves alone, the current one included. Where the log is long in tokens but short
            in turns the window shrinks, to 5 at least.
        summarize_above_tokens: Older turns are summarised once what is not yet summarised has more tokens (never more than
            the history pool). `None`: never.
        summary_slice_turns: Turns summarised at a time.
        summary_max_tokens: Size of the summary, copied details included; older details make room and are named by id.
        summary_max_calls: Model calls for the summary in one turn.
        summary_window_tokens: Input window of the summarising model. `None`: its profile's `max_input_tokens`, else `window_tokens`.
        turn_form: What stands for turns behind the window: `topics` (a line a slice) or `records` (a structured record a turn).
        pins_max: Pins held in state, overruled ones included; those leave first, then the oldest. 0: no pins.
        task_history_max: Old values kept for each field of a task; the newest.
        recall: `useful` recalls when it helps (a task field changed, a new topic or session, a request that points outside the
            window); `always` for every request.
        recall_limit: Memories in a view, 0..10. 0: nothing is recalled.
        recall_min_score: Hits that score less are left out, 0..1.
        cross_session: Promoted memories of a user's other sessions are visible. Off: a session sees its own only.
        remember: `inline` finds what to remember after the answer, by local rules; `off` remembers nothing.
        session_idle_minutes: A session without a change for so long has ended; what passed the gate is promoted.
        archive_lines_limit: Archive lines shown in the view.
        archive_max_entries: Archive entries that `view.archive` holds.
        verdicts_max: Verdicts kept in state for reuse.
        shorten_request: Allow shortening the newest human message when it alone exceeds the view.
        call_timeout_seconds: Limit for one model or embedding call.
        prepare_timeout_seconds: Limit for all of them in one preparation; after it local rules decide.
        max_concurrency: Model calls under way at once.
        on_error: `degrade` lists soft failures in the report; `raise` raises `StepError`.
        prompts: Prompt name to replacement text; placeholders are checked.
        debug: Log the whole prompt. Off: logs never hold message text.
    """

    window_tokens: int = Field(default=128_000, ge=256)
    view_tokens: int | None = Field(default=None, ge=1)
    pools: Pools = Pools()
    layout: Literal["attention", "cache_stable"] = "attention"
    alternate_roles: bool = False
    keep_score: int = Field(default=8, ge=0, le=10)
    compress_score: int = Field(default=6, ge=0, le=10)
    lowest_action: Literal["drop", "compress"] = "drop"
    protect_messages: int = Field(default=20, ge=0)
    levels: dict[Literal["session", "task", "memory"], bool] = Field(default_factory=dict)
    filter_above_messages: int = Field(default=80, ge=0)
    filter_above_tokens: int = Field(default=4_000, ge=0)
    reuse_similarity: float = Field(default=0.95, ge=0, le=1)
    judge_reading: Literal["list", "single", "pick"] = "list"
    judge_batch_messages: int = Field(default=12, ge=1, le=50)
    judge_max_messages: int = Field(default=48, ge=0)
    window_turns: int = Field(default=20, ge=1)
    summarize_above_tokens: int | None = Field(default=8_000, ge=0)
    summary_slice_turns: int = Field(default=10, ge=1)
    summary_max_tokens: int = Field(default=2_000, ge=64)
    summary_max_calls: int = Field(default=16, ge=1)
    summary_window_tokens: int | None = Field(default=None, ge=256)
    turn_form: Literal["topics", "records"] = "topics"
    pins_max: int = Field(default=100, ge=0)
    task_history_max: int = Field(default=8, ge=1)
    recall: Literal["useful", "always"] = "useful"
    recall_limit: int = Field(default=5, ge=0, le=10)
    recall_min_score: float = Field(default=0.0, ge=0, le=1)
    cross_session: bool = True
    remember: Literal["inline", "off"] = "inline"
    session_idle_minutes: float = Field(default=60.0, gt=0)
    archive_lines_limit: int = Field(default=8, ge=0)
    archive_max_entries: int = Field(default=200, ge=0)
    verdicts_max: int = Field(default=500, ge=0)
    shorten_request: bool = False
    call_timeout_seconds: float = Field(default=30.0, gt=0)
    prepare_timeout_seconds: float = Field(default=60.0, gt=0)
    max_concurrency: int = Field(default=4, ge=1)
    on_error: Literal["degrade", "raise"] = "degrade"
    prompts: dict[str, str] = Field(default_factory=dict)
    debug: bool = False

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.compress_score > self.keep_score:
            message = f"compress_score ({self.compress_score}) must not be above keep_score ({self.keep_score})"
            raise ValueError(message)
        return self

    @classmethod
    def preset(cls, name: Literal["filter", "context-mode", "harness"], **settings: Any) -> ContextConfig:
        """Return one of three ready settings.

        Args:
            name: `filter`: relevance filter and archive lines, no pins, no summary, no task, no memory. `context-mode`: the defaults.
                `harness`: the last three turns as they are; an older one as a record, unless it bears on the request; memories of
                this session only, recalled every turn.
            **settings: Fields that differ from the preset.

        Raises:
            ConfigError: There is no such preset, or a setting is wrong.
        """
        if name not in _PRESETS:
            message = f"There is no preset {name!r}. Presets: {', '.join(_PRESETS)}."
            raise ConfigError(message)
        return cls(**{**_PRESETS[name], **settings})

    @classmethod
    def for_model(cls, model: BaseChatModel, **settings: Any) -> ContextConfig:
        """Take `window_tokens` from the model's profile (`max_input_tokens`).

        Args:
            model: Any chat model.
            **settings: Other fields; an explicit `window_tokens` wins.

        Raises:
            ConfigError: The model has no profile and no `window_tokens` was given.
        """
        if "window_tokens" not in settings:
            profile = getattr(model, "profile", None) or {}
            window = profile.get("max_input_tokens")
            if not window:
                message = f"{type(model).__name__} has no profile with max_input_tokens; pass window_tokens=... for its context window."
                raise ConfigError(message)
            settings["window_tokens"] = window
        return cls(**settings)


_PRESETS: dict[str, dict[str, Any]] = {
    "filter": {"pins_max": 0, "summarize_above_tokens": None, "levels": {"task": False, "memory": False}},
    "context-mode": {},
    "harness": {
        "window_turns": 3,
        "protect_messages": 6,
        "turn_form": "records",
        "summarize_above_tokens": 0,
        "summary_slice_turns": 1,
        "recall": "always",
        "cross_session": False,
    },
}

"""The table of steps, and the two functions that run it without a graph."""

from __future__ import annotations

import copy
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self, Unpack

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.collaborators import Collaborators, check
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.content import readable
from langchain_contextmode.originals import Originals, ScopedOriginals
from langchain_contextmode.preparation import Brought, Recalled, Setup, Tracked
from langchain_contextmode.protocols import FILLED, Role
from langchain_contextmode.relevance.cascade import CascadeScorer
from langchain_contextmode.relevance.lexical import LexicalScorer
from langchain_contextmode.relevance.semantic import SemanticScorer
from langchain_contextmode.relevance.vectors import vectors_of
from langchain_contextmode.steps.assemble import assemble
from langchain_contextmode.steps.filter import filter_history
from langchain_contextmode.steps.intake import intake
from langchain_contextmode.steps.recall import recall
from langchain_contextmode.steps.remember import failed_before
from langchain_contextmode.steps.summarize import summarize
from langchain_contextmode.steps.track_task import track_task
from langchain_contextmode.stores.scoped import ScopedMemories
from langchain_contextmode.tokens import as_counter
from langchain_contextmode.work import Work, begun

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from langchain_core.language_models import BaseChatModel

    from langchain_contextmode.schema import ContextView, Scope
    from langchain_contextmode.summary.state import Summarised

logger = logging.getLogger("langchain_contextmode")

_JUDGES: tuple[Role, ...] = ("filter", "filter_fine")


class Step(NamedTuple):
    """One box of the pipeline, one node of the graph.

    Attributes:
        name: Node name.
        run: The step.
        writes: Key of its result.
        after: Names of the steps it needs.
        branch: Steps of one name follow each other; two branches run side by side. Empty: before or after both.
        scoped: It asks whose context this is.
    """

    name: str
    run: Callable[[Any, Setup, Work], Awaitable[Any]]
    writes: str
    after: tuple[str, ...]
    branch: str = ""
    scoped: bool = False


async def _track_task(io: Any, setup: Setup, work: Work) -> Tracked:
    return await track_task(io, setup, work.results["taken"], work.state, work.clock)


async def _recall(io: Any, setup: Setup, work: Work) -> Recalled:
    taken, tracked = work.results["taken"], work.results["tracked"]
    session_id = work.scope.session_id if work.scope else ""
    return await recall(io, setup, taken, tracked, work.state.get("memory", {}), session_id=session_id, now=work.clock)


async def _summarize(io: Any, setup: Setup, work: Work) -> Summarised:
    taken = work.results["taken"]
    return await summarize(io, setup, taken, work.state.get("summary", {}), taken.pins.pins)


async def _assemble(io: Any, setup: Setup, work: Work) -> ContextView:
    results = work.results
    taken = results["taken"]
    new = {
        "verdicts": results["filtered"].state,
        "summary": results["summarised"].state,
        "pins": taken.pins.proposed(results["summarised"].proposals, setup.config.pins_max).state(),
        "restore": taken.restore,
        "task": results["tracked"].state,
        "memory": results["recalled"].state,
    }
    state = {name: concern for name, concern in work.state.items() if name not in new}
    state |= {name: concern for name, concern in new.items() if concern}
    brought = Brought(results["filtered"], results["summarised"], results["tracked"], results["recalled"])
    return await assemble(io, setup, taken, brought, state=state)


STEPS: tuple[Step, ...] = (
    Step("intake", lambda io, setup, work: intake(io, setup, work.messages, work.state, work.restore), "taken", (), scoped=True),
    Step("track_task", _track_task, "tracked", ("intake",), "known"),
    Step("recall", _recall, "recalled", ("track_task",), "known", scoped=True),
    Step(
        "filter",
        lambda io, setup, work: filter_history(io, setup, work.results["taken"], work.state.get("verdicts", {})),
        "filtered",
        ("intake",),
        "session",
    ),
    Step("summarize", _summarize, "summarised", ("filter",), "session"),
    Step("assemble", _assemble, "view", ("recall", "summarize")),
)


class Pipeline:
    """Everything a preparation needs, built once; holds no data of any run. Arguments: see `Collaborators`.

    Raises:
        ConfigError: A setting, a role or a prompt is wrong.
    """

    def __init__(self, **given: Unpack[Collaborators]) -> None:
        """Check and keep the collaborators."""
        given["tools"] = tuple(given.get("tools") or ())  # may be an iterator
        check(given)
        config = given.get("config")
        config = ContextConfig() if config is None else config
        self.models: dict[Role, BaseChatModel] = dict(given.get("models") or {})
        if (model := given.get("model")) is not None:
            self.models = {**dict.fromkeys(FILLED, model), **self.models}
        self.embeddings = embeddings = given.get("embeddings")
        self.archive = given.get("archive")
        counter = as_counter(given.get("token_counter"))
        local = SemanticScorer(vectors=vectors_of(embeddings)) if embeddings is not None else LexicalScorer()
        scorer = given.get("scorer") or CascadeScorer(local, counter.text)
        self._given_store, self._given_task = given.get("store"), given.get("task")
        template, can_restore = given.get("record_template"), self.archive is not None
        self._set(Setup(config, counter, scorer, given["tools"], template, can_restore=can_restore))

    def _set(self, setup: Setup) -> None:
        """Take the settings; a level that they switch off has no task and no store."""
        levels = setup.config.levels
        self.store = self._given_store if levels.get("memory") is not False else None
        task = self._given_task if levels.get("task") is not False else None
        self.setup = replace(setup, task=task, has_store=self.store is not None)

    def under(self, config: ContextConfig, tools: Sequence[Any] | None = None) -> Self:
        """Return the pipeline of one run: the same collaborators under its settings, with its tools (`None`: as built)."""
        tools = self.setup.tools if tools is None else tuple(tools)
        if config is self.setup.config and tools == self.setup.tools:
            return self
        other = copy.copy(self)
        other._set(replace(self.setup, config=config, tools=tools))  # noqa: SLF001  (another of our own)
        return other

    @property
    def scores_cheaply(self) -> bool:
        """Whether verdicts cost no call to anything foreign, so that they can be made again at any time."""
        return isinstance(self.setup.scorer, CascadeScorer) and self.embeddings is None and not self.models.keys() & set(_JUDGES)

    def judged(self) -> Self:
        """Return the pipeline for a request that the models have judged: what comes up later is scored locally."""
        other = copy.copy(self)
        other.models = {role: model for role, model in self.models.items() if role not in _JUDGES}
        return other

    def io(self, form: type[AsyncIO | BlockingIO], work: Work, run_config: Any = None) -> AsyncIO | BlockingIO:
        """Open the outside world for one preparation, in the blocking or the awaiting form."""
        config = self.setup.config
        if work.ends is None:
            work.ends = time.monotonic() + config.prepare_timeout_seconds
        originals = ScopedOriginals(Originals(self.archive), work.scope) if self.archive is not None and work.scope else None
        return form(
            config,
            models=self.models,
            embeddings=self.embeddings,
            originals=originals,
            memories=ScopedMemories(self.store, work.scope) if self.store is not None and work.scope else None,
            run_config=run_config,
            count_text=self.setup.counter.text,
            ends=work.ends,
        )

    async def step(self, step: Step, io: AsyncIO | BlockingIO, work: Work) -> None:
        """Run one step and those before it that have no result yet (after a resume), keeping account."""
        for earlier in STEPS:
            if earlier.name in step.after and earlier.writes not in work.results:
                await self.step(earlier, io, work)
        started = time.perf_counter()
        calls, degraded, notes = len(io.calls), len(io.degradations), len(io.notes)
        work.results[step.writes] = await step.run(io, self.setup, work)
        work.records[step.name] = {
            "seconds": round(time.perf_counter() - started, 6),
            "calls": io.calls[calls:],
            "degraded": io.degradations[degraded:],
            "notes": io.notes[notes:],
        }

    async def run(self, io: AsyncIO | BlockingIO, work: Work) -> ContextView:
        """Run all steps, the two branches side by side where both may wait for something, and return the view with its report."""
        branches: dict[str, list[Step]] = {}
        for step in STEPS:
            branches.setdefault(step.branch, []).append(step)
        first, *_, last = branches.pop("")
        await self.step(first, io, work)
        waits = self.store is not None or (self.setup.task is not None and io.has("task"))
        if waits:
            await io.all([self._branch(steps, io.sibling(), work) for steps in branches.values()])
        else:
            await self._branch([step for steps in branches.values() for step in steps], io, work)
        await self.step(last, io, work)
        return self.reported(work)

    async def _branch(self, steps: Sequence[Step], io: AsyncIO | BlockingIO, work: Work) -> None:
        for step in steps:
            await self.step(step, io, work)

    def reported(self, work: Work) -> ContextView:
        """Return the finished view with its report; write the one log line, which holds no text."""
        view: ContextView = work.results["view"]
        taken, records = work.results["taken"], work.records.values()
        calls = [call for record in records for call in record["calls"]]
        spent = sum((call.get("input_tokens") or 0) + (call.get("output_tokens") or 0) for call in calls)
        actions = [decision.action for decision in view.decisions.values()]
        report = {
            **view.report,
            "tokens_before": taken.plain_tokens,
            "tokens": view.tokens,
            "net_tokens_saved": taken.plain_tokens - view.tokens - spent,
            "pools": {name: pool._asdict() for name, pool in view.pools.items()},
            "pools_before": {"system": taken.system_tokens, "history": taken.plain_tokens - taken.system_tokens},
            "counter": self.setup.counter.name,
            "gate": {"open": taken.gate.now, "why": taken.gate.why},
            "levels": dict(view.levels),
            "actions": {action: actions.count(action) for action in ("keep", "compress", "drop")},
            "steps": {name: {"seconds": record["seconds"], "calls": len(record["calls"])} for name, record in work.records.items()},
            "calls": calls,
            "degraded": [*failed_before(work.state), *(item for record in records for item in record["degraded"])],
            "notes": [item for record in records for item in record["notes"]],
        }
        pools = " ".join(f"{name}={pool.used_tokens}/{pool.limit_tokens}" for name, pool in view.pools.items())
        logger.info("view tokens=%d before=%d %s degraded=%d", view.tokens, taken.plain_tokens, pools, len(report["degraded"]))
        if self.setup.config.debug:
            logger.debug("view:\n%s", "\n".join(f"[{m.type}] {readable(m)}" for m in view.messages))
        return replace(view, report=report)


def prepare_context(
    messages: Sequence[Any],
    *,
    scope: Scope,
    state: dict[str, Any] | None = None,
    restore: Sequence[str] = (),
    now: datetime | None = None,
    **collaborators: Unpack[Collaborators],
) -> ContextView:
    """Decide what the model sees for this request.

    Args:
        messages: The whole log, oldest first: LangChain messages or anything `convert_to_messages` takes. Not modified.
        scope: Whose context this is.
        state: `view.state` of the last turn: summary, pins and what saves work. `None`: none.
        restore: Ids of messages whose whole blocks this view has to hold, and the others of this turn.
        now: The time of this request, aware; `None`: the clock's. Memories fade by it.
        **collaborators: See `Collaborators`: `config`, `model`, `models`, `embeddings`, `scorer`, `tools`, `token_counter`, `archive`.

    Returns:
        The view: messages for the model inside the budget, a decision for every message, the report.

    Raises:
        BudgetError: What must be shown does not fit; the numbers are in it.
        ScopeError: `scope` is missing or empty.
        StateSchemaError: `state` is not ours.
        ConfigError: A collaborator is wrong.
    """
    pipeline, work = Pipeline(**collaborators), begun(scope, messages, state, restore, now)
    return finish(pipeline.run(pipeline.io(BlockingIO, work), work))


async def aprepare_context(
    messages: Sequence[Any],
    *,
    scope: Scope,
    state: dict[str, Any] | None = None,
    restore: Sequence[str] = (),
    now: datetime | None = None,
    **collaborators: Unpack[Collaborators],
) -> ContextView:
    """Do what `prepare_context` does, awaiting models and embeddings; gives the same view."""
    pipeline, work = Pipeline(**collaborators), begun(scope, messages, state, restore, now)
    return await pipeline.run(pipeline.io(AsyncIO, work), work)

"""The pipeline as a LangGraph graph, and the node that puts it into any host graph."""

from __future__ import annotations

from types import MethodType
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from langchain_core.messages import SystemMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.channels import UntrackedValue
from langgraph.config import get_config, get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Command
from typing_extensions import TypedDict  # with that of `typing` LangGraph makes no JSON schema on Python 3.11

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.channels import HOOK_KEY, STATE_KEY, VIEW_KEY, event_of, input_type, log_of, output_type, read, view_key
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.pipeline import STEPS, Pipeline, Step
from langchain_contextmode.run_settings import settings_of
from langchain_contextmode.scopes import resolve_scope
from langchain_contextmode.work import Work, checked_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.runnables import RunnableConfig
    from langgraph.graph.state import CompiledStateGraph

    from langchain_contextmode.collaborators import Collaborators
    from langchain_contextmode.schema import ContextView, Scope

_RESERVED = {"messages", HOOK_KEY, VIEW_KEY, VIEW_KEY.removesuffix("_view"), *(step.name for step in STEPS)}


def build_context_graph(
    *,
    scope: Callable[[Any], Scope] | None = None,
    state_key: str = STATE_KEY,
    context_schema: type | None = None,
    checkpointer: Any = False,
    **collaborators: Unpack[Collaborators],
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Compile the preparation as a graph: one node a step, `messages` in, state and view out.

    Inside a host wrap it: `host.add_node("context", ContextNode(graph))`. The bare graph as a node loses state and view
    in a host that lacks the two channels.

    Internal model calls never show in `stream_mode="messages"`. `astream_events` shows every call of a run; leave ours
    out by their tag: `if "contextmode" not in event["tags"]`.

    Args:
        scope: Called with the runtime; `None`: found in server user, runtime context or configurable.
        state_key: Name of the state channel; another one for each agent that has a view of its own in one graph.
        context_schema: Of the surrounding run, if there is one.
        checkpointer: `False` inside a host: the host's keeps the state. Alone it takes one, and is given the whole log
            with every request.
        **collaborators: See `Collaborators`.

    Raises:
        ConfigError: A setting, a collaborator or the state key is wrong.
    """
    _check(state_key)
    pipeline = Pipeline(**collaborators)
    public = input_type(state_key)
    inner = {_work_key(step): Annotated[Any, UntrackedValue(Any, guard=False)] for step in STEPS}
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(
        TypedDict("ContextGraphState", {**public.__annotations__, **inner}, total=False),  # type: ignore[operator]
        context_schema,
        input_schema=public,
        output_schema=output_type(state_key),
    )
    for step in STEPS:
        graph.add_node(step.name, _node(pipeline, step, scope, state_key))
        after = list(step.after) or [START]
        graph.add_edge(after if len(after) > 1 else after[0], step.name)  # one joined edge waits for both branches
    graph.add_edge(STEPS[-1].name, END)
    return graph.compile(checkpointer=checkpointer, name="contextmode")


def _check(state_key: str) -> None:
    if not state_key.isidentifier() or state_key in _RESERVED:
        message = f"state_key={state_key!r} cannot name a channel: use an identifier other than {', '.join(sorted(_RESERVED))}."
        raise ConfigError(message)


class _Done:
    """What one step brought for those after it. In memory only; streams and traces that show it get the cost, not the log."""

    __slots__ = ("ends", "record", "result")

    def __init__(self, result: Any, record: dict[str, Any], ends: float | None) -> None:
        self.result = result
        self.record = record
        self.ends = ends

    def __repr__(self) -> str:
        return f"_Done({self.record})"

    def model_dump(self, **_: Any) -> dict[str, Any]:
        """Stand in for the whole where something serializes by Pydantic's convention (LangGraph Server, LangSmith)."""
        return self.record


def _work_key(step: Step) -> str:
    return f"{step.name}_work"


def _node(pipeline: Pipeline, step: Step, scope: Callable[[Any], Scope] | None, state_key: str) -> Runnable[Any, Any]:
    """Return a step as a node with a blocking and an awaiting form."""

    def begin(state: dict[str, Any]) -> tuple[Pipeline, Work, RunnableConfig]:
        config = get_config()
        work = Work(log_of(state), checked_state(state.get(state_key)))
        configurable = config.get("configurable", {})
        under = pipeline.under(settings_of(pipeline.setup.config, get_runtime().context, configurable))
        for earlier in STEPS:
            done = state.get(_work_key(earlier))
            if done is not None:
                work.results[earlier.writes], work.records[earlier.name] = done.result, done.record
                work.ends = done.ends
        if STEPS[0].writes not in work.results or (step.scoped and under.store is not None):  # the former after a resume, too
            work.scope = resolve_scope(scope, get_runtime(), configurable)
        return under, work, config

    def end(under: Pipeline, work: Work, state: dict[str, Any]) -> dict[str, Any]:
        if step is STEPS[-1]:
            view = under.reported(work)
            get_stream_writer()(event_of(view.report, state_key))
            return {state_key: view.state, view_key(state_key): _as_channel(view, under.setup.config.verdicts_max)}
        done = [made for made in STEPS if made.writes in work.results and state.get(_work_key(made)) is None]
        return {_work_key(made): _Done(work.results[made.writes], work.records[made.name], work.ends) for made in done}

    def run(state: dict[str, Any]) -> dict[str, Any]:
        under, work, config = begin(state)
        finish(under.step(step, under.io(BlockingIO, work, config), work))
        return end(under, work, state)

    async def arun(state: dict[str, Any]) -> dict[str, Any]:
        under, work, config = begin(state)
        await under.step(step, under.io(AsyncIO, work, config), work)
        return end(under, work, state)

    return RunnableLambda(run, arun, name=step.name)


def _as_channel(view: ContextView, decisions_max: int) -> dict[str, Any]:
    """Return the view as it travels: messages one level down (a list on top would enter the stream), the rest JSON."""
    newest_decisions = list(view.decisions.items())[-decisions_max:] if decisions_max else []
    return {
        "messages": view.messages,
        "tokens": view.tokens,
        "decisions": {identity: decision._asdict() for identity, decision in newest_decisions},
        "report": view.report,
    }


class ContextNode(Runnable[Any, Any]):
    """Puts a context graph into any host graph: `host.add_node("context", ContextNode(graph))`.

    Adds the two channels to the host by its annotation, hands the host's log to the graph, and returns state and view
    as a list of pairs, so that nothing of ours enters the host's stream. Serves as `pre_model_hook`, too.

    The view is there for the next step only. The answering node reads it with `context_messages`, annotated with
    `ContextInput`; under another state key: `host.add_node("answer", answer, input_schema=node.input_type)`. A host needs
    no declaration; one that inherits `ContextInput` names it first, so that the reducer of its own `messages` stands.

    Attributes:
        graph: The graph without a checkpointer of its own; the host's keeps the state.
        state_key: Name of the state channel.
        input_type: `ContextInput` under this node's state key.
    """

    def __init__(self, graph: CompiledStateGraph[Any, Any, Any, Any], *, system_prompt: str | None = None) -> None:
        """Take the graph and learn its state key.

        Args:
            graph: From `build_context_graph`.
            system_prompt: Goes in front of the host's log into every view, and never into the log. `None`: only what the log holds.

        Raises:
            ConfigError: It is another graph.
        """
        super().__init__()
        self.name = "context"
        self._system = [SystemMessage(system_prompt, id="system-prompt")] if system_prompt else []
        self.state_key = _state_key_of(graph)
        self.input_type = input_type(self.state_key)
        self.graph = graph.copy({"checkpointer": False})
        # LangGraph adds the channels that the annotation of `__call__` names; it looks it up on the object.
        self.__call__ = MethodType(_call_with(self.input_type), self)  # type: ignore[method-assign]

    def __call__(self, state: Any) -> Command[Any]:
        """Do what `invoke` does."""
        return self.invoke(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002  (Runnable's name)
        """Prepare the view for the host's log."""
        return self._update(self.graph.invoke(self._input(input), _unlimited(config)))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002  (Runnable's name)
        """Do what `invoke` does, awaiting."""
        return self._update(await self.graph.ainvoke(self._input(input), _unlimited(config)))

    def _input(self, state: Any) -> dict[str, Any]:
        kept = read(state, self.state_key)
        return {"messages": self.log(state), self.state_key: {} if kept is None else kept}

    def log(self, state: Any) -> list[Any]:
        """Return what the view is made of: the host's log, behind this node's system prompt."""
        return [*self._system, *log_of(state)]

    def _update(self, out: dict[str, Any]) -> Command[Any]:
        key = view_key(self.state_key)
        get_stream_writer()(event_of(out[key]["report"], self.state_key))  # what a nested graph writes, a caller does not see
        return Command(update=[(self.state_key, out[self.state_key]), (key, out[key]), (HOOK_KEY, out[key]["messages"])])


def _state_key_of(graph: Any) -> str:
    channels = getattr(graph, "output_channels", ())
    for key in channels:
        if view_key(key) in channels:
            return str(key)
    message = f"ContextNode takes the graph of build_context_graph, got {getattr(graph, 'name', None) or type(graph).__name__}."
    raise ConfigError(message)


def _call_with(schema: type) -> Callable[[ContextNode, Any], Command[Any]]:
    def call(self: ContextNode, state: Any) -> Command[Any]:
        return self.invoke(state)

    call.__annotations__ = {"state": schema, "return": Command}
    return call


def _unlimited(config: RunnableConfig | None) -> RunnableConfig:
    """Lift the host's recursion limit, which counts the host's steps; ours never repeat."""
    return {**(config or {}), "recursion_limit": len(STEPS) + 1}

"""The pipeline as a LangGraph graph, and the node that puts it into any host graph."""

from __future__ import annotations

from types import MethodType
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.channels import EphemeralValue, UntrackedValue
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Command

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.errors import StateSchemaError
from langchain_contextmode.pipeline import STEPS, Pipeline, Step, Work, checked_state
from langchain_contextmode.schema import ContextInput, ContextView, Scope, newest
from langchain_contextmode.scopes import resolve_scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph.state import CompiledStateGraph

STATE_KEY = "contextmode"
VIEW_KEY = "context_view"


def view_key(state_key: str) -> str:
    """Return the name of the view's channel that goes with a state channel."""
    return VIEW_KEY if state_key == STATE_KEY else f"{state_key}_view"


def input_schema(state_key: str) -> type:
    """Return `ContextInput` under another state key, for several agents in one graph."""
    if state_key == STATE_KEY:
        return ContextInput
    channels = {
        "messages": list[Any],
        state_key: Annotated[dict[str, Any], newest],
        view_key(state_key): Annotated[dict[str, Any], EphemeralValue(dict, guard=False)],
    }
    return TypedDict("ContextInput", channels, total=False)  # type: ignore[operator, no-any-return]


def build_context_graph(
    *,
    scope: Callable[[Any], Scope] | None = None,
    state_key: str = STATE_KEY,
    context_schema: type | None = None,
    checkpointer: Any = False,
    **collaborators: Any,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Compile the preparation as a graph: one node a step, `messages` in, state and view out.

    Args:
        scope: Called with the runtime; `None`: found in server user, runtime context or configurable.
        state_key: Name of the state channel.
        context_schema: Of the surrounding run, if there is one.
        checkpointer: `False` inside a host (the host's checkpointer keeps the state). Alone it takes one.
        **collaborators: See `Pipeline`.

    Returns:
        The compiled graph. Inside a host wrap it: `ContextNode(graph)`; a bare compiled graph loses state and view
        in hosts that lack the two channels.
    """
    pipeline = Pipeline(**collaborators)
    public = input_schema(state_key)
    inner = {f"{step.name}_work": Annotated[Any, UntrackedValue] for step in STEPS}
    channels = {**public.__annotations__, **inner}
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(
        TypedDict("ContextGraphState", channels, total=False),  # type: ignore[operator]
        context_schema,
        input_schema=public,
        output_schema=TypedDict("ContextOutput", {k: v for k, v in public.__annotations__.items() if k != "messages"}, total=False),  # type: ignore[operator]
    )
    for step in STEPS:
        graph.add_node(step.name, _node(pipeline, step, scope, state_key))
        for earlier in step.after or (START,):
            graph.add_edge(earlier, step.name)
    graph.add_edge(STEPS[-1].name, END)
    return graph.compile(checkpointer=checkpointer, name="contextmode")


def _node(pipeline: Pipeline, step: Step, scope: Callable[[Any], Scope] | None, state_key: str) -> Runnable[Any, Any]:
    def begin(state: dict[str, Any]) -> tuple[Work, RunnableConfig]:
        config = get_config()
        if not step.after:
            resolve_scope(scope, get_runtime(), config.get("configurable", {}))
        work = Work(state.get("messages") or [], checked_state(state.get(state_key)))
        for earlier in STEPS:
            done = state.get(f"{earlier.name}_work")
            if done is not None:
                work.results[earlier.writes], work.records[earlier.name] = done
        return work, config

    def end(work: Work) -> dict[str, Any]:
        if step is STEPS[-1]:
            view = pipeline.reported(work)
            return {state_key: view.state, view_key(state_key): _as_channel(view, pipeline.setup.config.verdicts_max)}
        return {f"{step.name}_work": (work.results[step.writes], work.records[step.name])}

    def run(state: dict[str, Any]) -> dict[str, Any]:
        work, config = begin(state)
        finish(pipeline.step(step, pipeline.io(BlockingIO, config), work))
        return end(work)

    async def arun(state: dict[str, Any]) -> dict[str, Any]:
        work, config = begin(state)
        await pipeline.step(step, pipeline.io(AsyncIO, config), work)
        return end(work)

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

    Args:
        graph: From `build_context_graph`.
    """

    def __init__(self, graph: CompiledStateGraph[Any, Any, Any, Any]) -> None:
        """Learn the graph's state key from its output."""
        super().__init__()
        self.graph = graph
        self.name = "context"
        channels = [graph.output_channels] if isinstance(graph.output_channels, str) else list(graph.output_channels)
        self.state_key = next(key for key in channels if view_key(key) in channels)
        if self.state_key != STATE_KEY:
            annotated = MethodType(_annotated(input_schema(self.state_key)), self)
            object.__setattr__(self, "__call__", annotated)

    def __call__(self, state: ContextInput) -> Command[Any]:
        """Prepare the view; LangGraph reads the annotation to add the channels."""
        return self.invoke(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002  (Runnable's name)
        """Prepare the view for the host's log."""
        return self._update(self.graph.invoke(self._input(input), config))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Command[Any]:  # noqa: A002  (Runnable's name)
        """Do what `invoke` does, awaiting."""
        return self._update(await self.graph.ainvoke(self._input(input), config))

    def _input(self, state: Any) -> dict[str, Any]:
        return {"messages": _read(state, "messages") or [], self.state_key: _read(state, self.state_key) or {}}

    def _update(self, out: dict[str, Any]) -> Command[Any]:
        key = view_key(self.state_key)
        state, view = out.get(self.state_key) or {}, out[key]
        return Command(update=[(self.state_key, state), (key, view), ("llm_input_messages", view["messages"])])


def _annotated(schema: type) -> Any:
    def call(self: ContextNode, state: Any) -> Command[Any]:
        return self.invoke(state)

    call.__annotations__ = {"state": schema, "return": Command}
    return call


def context_messages(state: Any, state_key: str = STATE_KEY) -> list[BaseMessage]:
    """Read the view's messages in the answering node; annotate that node's state with `ContextInput`.

    Raises:
        StateSchemaError: There is no view: the context node did not run right before this node.
    """
    view = _read(state, view_key(state_key))
    messages = view.get("messages") if isinstance(view, dict) else None
    if not messages:
        message = (
            f"No view under {view_key(state_key)!r}. Run ContextNode right before this node and annotate the node's state "
            "with ContextInput: def answer(state: ContextInput)."
        )
        raise StateSchemaError(message)
    return list(messages)


def _read(state: Any, key: str) -> Any:
    return state.get(key) if isinstance(state, dict) else getattr(state, key, None)

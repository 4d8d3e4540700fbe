"""Context mode as a middleware of `create_agent` (extra `agent`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Unpack

from langchain.agents.middleware import AgentMiddleware, ModelRequest
from langchain.agents.middleware.types import ExtendedModelResponse, PrivateStateAttr
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.messages import SystemMessage
from langgraph.config import get_config
from langgraph.types import Command
from typing_extensions import TypedDict

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.channels import STATE_KEY, event_of, input_type, read
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.overflow import Refusals, for_model, smaller
from langchain_contextmode.pipeline import Pipeline
from langchain_contextmode.remembering import aremember, remember
from langchain_contextmode.run_settings import settings_of
from langchain_contextmode.schema import STATE_VERSION, newest
from langchain_contextmode.scopes import resolve_scope
from langchain_contextmode.work import begun

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from langchain_core.runnables import RunnableConfig

    from langchain_contextmode.collaborators import Collaborators
    from langchain_contextmode.schema import ContextView, Scope
    from langchain_contextmode.work import Work

CONCERN = "decided"
"""Key in the state of the request that was decided on."""


class _Run(NamedTuple):
    """What one hook works with: the pipeline under this run's settings, the work, the surrounding run."""

    pipeline: Pipeline
    work: Work
    config: RunnableConfig


class ContextModeMiddleware(AgentMiddleware[Any, Any, Any]):
    """Decides before every model call of an agent what the model sees; the stored history stays as it is.

    `create_agent(model, tools, middleware=[ContextModeMiddleware(store=store)])`

    Filter, summary, task and recall run once for a request of the user, before the first model call; each model call of the tool
    loop fits the view anew into the budget of the model that it goes to, system prompt, tools and response format counted. A
    provider's refusal of a context that is too long makes the view smaller, at most twice. What the user said about themselves is
    remembered when the agent is done. Each report is an event of `stream_mode="custom"`.

    One instance serves many agents, threads and tasks. Retries, fallbacks and routers stand before it in the list, prompt caching
    behind it.
    """

    def __init__(
        self,
        *,
        scope: Callable[[Any], Scope] | None = None,
        state_key: str = STATE_KEY,
        private: bool = True,
        **collaborators: Unpack[Collaborators],
    ) -> None:
        """Check and keep the collaborators.

        Args:
            scope: Called with the runtime; `None`: found in server user, runtime context or configurable.
            state_key: Name of the state channel; another one for each agent that shares a state with others.
            private: The channel is no part of the agent's input and output. `False`: it is; for an agent that is a node of a larger
                graph, which then keeps the state from turn to turn: `graph.add_node("agent", agent, input_schema=middleware.input_type)`.
            **collaborators: See `Collaborators`; `tools` are those of the request.

        Raises:
            ConfigError: A collaborator or the state key is wrong.
        """
        super().__init__()
        if not state_key.isidentifier() or state_key == "messages":
            message = f"state_key={state_key!r} cannot name a channel: use an identifier other than messages."
            raise ConfigError(message)
        if collaborators.get("tools"):
            message = "ContextModeMiddleware takes the tools from each request; give them to create_agent(tools=...)."
            raise ConfigError(message)
        self.state_key = state_key
        self.state_schema = _state_type(state_key, private=private)
        self.input_type = input_type(state_key)
        self._scope = scope
        self._pipeline = Pipeline(**collaborators)

    @property
    def name(self) -> str:
        """Of its nodes; two in one agent need two state keys."""
        return type(self).__name__ if self.state_key == STATE_KEY else f"{type(self).__name__}_{self.state_key}"

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Decide once for each request of the user, so that what it cost is kept even if the model fails."""
        run = self._deciding(state, runtime)
        if run is None:
            return None
        view = finish(run.pipeline.run(run.pipeline.io(BlockingIO, run.work, run.config), run.work))
        return self._decided(state, runtime, view, run.pipeline)

    async def abefore_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Do what `before_model` does, awaiting."""
        run = self._deciding(state, runtime)
        if run is None:
            return None
        view = await run.pipeline.run(run.pipeline.io(AsyncIO, run.work, run.config), run.work)
        return self._decided(state, runtime, view, run.pipeline)

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Any]) -> Any:
        """Send the view instead of the history."""
        run, refusals = self._sending(request), Refusals()
        while True:
            with refusals.fitting():
                view = finish(run.pipeline.run(run.pipeline.io(BlockingIO, run.work, run.config), run.work))
            try:
                return self._answered(request, view, handler(self._sent(request, view)))
            except Exception as error:
                if not refusals.accept(error):
                    raise
                run = _smaller(run, view)

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[Any]]) -> Any:
        """Do what `wrap_model_call` does, awaiting."""
        run, refusals = self._sending(request), Refusals()
        while True:
            with refusals.fitting():
                view = await run.pipeline.run(run.pipeline.io(AsyncIO, run.work, run.config), run.work)
            try:
                return self._answered(request, view, await handler(self._sent(request, view)))
            except Exception as error:
                if not refusals.accept(error):
                    raise
                run = _smaller(run, view)

    def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Remember what the user said about themselves."""
        given = self._remembering(state, runtime)
        return given and self._changed(state, remember(**given))

    async def aafter_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Do what `after_agent` does, awaiting."""
        given = self._remembering(state, runtime)
        return given and self._changed(state, await aremember(**given))

    def _under(self, runtime: Any, model: Any = None, tools: list[Any] | None = None) -> tuple[Pipeline, Scope, RunnableConfig]:
        config = get_config()
        configurable = config.get("configurable", {})
        settings = settings_of(self._pipeline.setup.config, getattr(runtime, "context", None), configurable)
        scope = resolve_scope(self._scope, runtime, configurable)
        return self._pipeline.under(for_model(settings, model), tools), scope, config

    def _deciding(self, state: Any, runtime: Any) -> _Run | None:
        kept, messages = read(state, self.state_key), state["messages"]
        if _is_decided(kept, messages):
            return None
        pipeline, scope, config = self._under(runtime)
        return _Run(pipeline, begun(scope, messages, kept, (), None), config)

    def _decided(self, state: Any, runtime: Any, view: ContextView, pipeline: Pipeline) -> dict[str, Any]:
        """Keep what was decided, and report what it cost; what went wrong stays in every report of the turn.

        Verdicts that cost nothing are made when system prompt and tools are known, over all that competes then.
        """
        runtime.stream_writer(event_of(view.report, self.state_key))
        decided = {"version": STATE_VERSION, "request": _request_id(state["messages"]), "degraded": view.report["degraded"]}
        verdicts = (read(state, self.state_key) or {}).get("verdicts") if pipeline.scores_cheaply else view.state.get("verdicts")
        kept = {name: concern for name, concern in view.state.items() if name != "verdicts"}
        return {self.state_key: {**kept, **({"verdicts": verdicts} if verdicts else {}), CONCERN: decided}}

    def _sending(self, request: ModelRequest[Any]) -> _Run:
        tools = [*request.tools, *_response_tools(request.response_format)]
        pipeline, scope, config = self._under(request.runtime, request.model, tools)
        log = [*([request.system_message] if request.system_message else []), *request.messages]
        kept = read(request.state, self.state_key)
        if _is_decided(kept, request.messages):
            pipeline = pipeline.judged()
        return _Run(pipeline, begun(scope, log, kept, (), None), config)

    def _sent(self, request: ModelRequest[Any], view: ContextView) -> ModelRequest[Any]:
        kept = read(request.state, self.state_key)
        before = kept[CONCERN].get("degraded", []) if kept and _is_decided(kept, request.messages) else []
        degraded = [*before, *(item for item in view.report["degraded"] if item not in before)]
        request.runtime.stream_writer(event_of({**view.report, "degraded": degraded}, self.state_key))
        messages: list[Any] = list(view.messages)
        if messages and isinstance(messages[0], SystemMessage):
            return request.override(system_message=messages[0], messages=messages[1:])
        return request.override(messages=messages)

    def _answered(self, request: ModelRequest[Any], view: ContextView, response: Any) -> Any:
        """Return the model's answer, with the state where this call changed it: a tool's value, a judgement under this budget."""
        if view.state == read(request.state, self.state_key):
            return response
        return ExtendedModelResponse(model_response=response, command=Command(update={self.state_key: view.state}))

    def _remembering(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        pipeline, scope, _ = self._under(runtime)
        if pipeline.store is None:
            return None
        kept = read(state, self.state_key)
        return {"messages": state["messages"], "scope": scope, "store": pipeline.store, "state": kept, "config": pipeline.setup.config}

    def _changed(self, state: Any, new: dict[str, Any]) -> dict[str, Any] | None:
        return None if new == read(state, self.state_key) else {self.state_key: new}


def _state_type(state_key: str, *, private: bool) -> Any:
    """Return a state with the one channel; the reducer stands last, where LangGraph looks for it."""
    channel: Any = Annotated[dict[str, Any], PrivateStateAttr, newest] if private else Annotated[dict[str, Any], newest]
    return TypedDict("ContextModeState", {state_key: channel}, total=False)  # type: ignore[operator]


def _smaller(run: _Run, view: ContextView) -> _Run:
    """Return the run that makes the next view smaller."""
    pipeline, work = run.pipeline, run.work
    smaller_one = pipeline.under(smaller(pipeline.setup.config, view.tokens))
    return _Run(smaller_one, begun(work.scope, work.messages, view.state, (), None), run.config)


def _is_decided(kept: dict[str, Any] | None, messages: list[Any]) -> bool:
    """Say whether this state was made for the newest request."""
    return bool((kept or {}).get(CONCERN, {}).get("request") == _request_id(messages))


def _request_id(messages: list[Any]) -> str:
    """Return the id of the newest human message; empty where nobody has spoken."""
    return next((str(message.id) for message in reversed(messages) if message.type == "human"), "")


def _response_tools(response_format: Any) -> list[dict[str, Any]]:
    """Return what a structured answer adds to the request: a schema, or a tool for each."""
    if response_format is None:
        return []
    if isinstance(response_format, ProviderStrategy):
        specs = [response_format.schema_spec]
    elif isinstance(response_format, ToolStrategy):
        specs = response_format.schema_specs
    else:  # undecided between the two, or a bare schema
        specs = ToolStrategy(getattr(response_format, "schema", response_format)).schema_specs
    return [
        {"type": "function", "function": {"name": spec.name, "description": spec.description, "parameters": spec.json_schema}}
        for spec in specs
    ]

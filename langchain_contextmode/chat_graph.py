"""A chat as one graph: context, answer, remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.config import get_config
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import get_runtime

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.channels import STATE_KEY, VIEW_KEY, context_messages, read
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.graph import ContextNode, build_context_graph
from langchain_contextmode.overflow import Refusals, for_model, smaller
from langchain_contextmode.pipeline import Pipeline
from langchain_contextmode.remembering import build_remember_node
from langchain_contextmode.run_settings import RunContext, settings_of
from langchain_contextmode.scopes import resolve_scope
from langchain_contextmode.work import begun

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph.state import CompiledStateGraph

    from langchain_contextmode.collaborators import Collaborators
    from langchain_contextmode.schema import Scope
    from langchain_contextmode.work import Work


def build_chat_graph(
    answer_model: BaseChatModel,
    *,
    system_prompt: str | None = None,
    scope: Callable[[Any], Scope] | None = None,
    checkpointer: Any = None,
    context_schema: type = RunContext,
    **collaborators: Unpack[Collaborators],
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Compile a chat: the view is prepared, `answer_model` answers from it, what the user said about themselves is remembered.

    `chat = build_chat_graph(model, store=store, checkpointer=saver)`, then
    `chat.invoke({"messages": [("user", "Hello")]}, {"configurable": {"user_id": "u1", "thread_id": "t1"}})`

    A provider's refusal of a context that is too long makes the view smaller, at most twice. Internal calls never use
    `answer_model` unless it is given as `model=`, too.

    Args:
        answer_model: Answers; a chat model, or one with tools or a format bound to it. Tool calls are not run: `create_agent` with
            `ContextModeMiddleware` does that.
        system_prompt: In front of every view, never in the log.
        scope: Called with the runtime; `None`: found in server user, runtime context or configurable.
        checkpointer: Keeps the conversation. `None`: the surrounding graph's or server's, if there is one.
        context_schema: Of the run; `RunContext` shows user, session and settings in LangGraph Studio.
        **collaborators: See `Collaborators`. `config=None`: the defaults, for the window in the model's profile.

    Raises:
        ConfigError: A collaborator or the model is wrong.
    """
    given: Any = answer_model
    if not isinstance(given, Runnable):
        message = f"answer_model must be a chat model, for instance from init_chat_model; got {answer_model!r:.80}."
        raise ConfigError(message)
    collaborators["config"] = for_model(collaborators.get("config") or ContextConfig(), answer_model)
    context = ContextNode(build_context_graph(scope=scope, context_schema=context_schema, **collaborators), system_prompt=system_prompt)
    answer = _Answer(answer_model, Pipeline(**collaborators), scope, context)
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState, context_schema)
    graph.add_node("context", context)
    graph.add_node("answer", RunnableLambda(answer.invoke, answer.ainvoke, name="answer"), input_schema=context.input_type)
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    store = collaborators.get("store")
    if store is None:
        graph.add_edge("answer", END)
    else:
        graph.add_node("remember", build_remember_node(store=store, config=collaborators["config"], scope=scope))
        graph.add_edge("answer", "remember")
        graph.add_edge("remember", END)
    return graph.compile(checkpointer=checkpointer, name="chat")


class _Answer:
    """The answering node: sends the view, and a smaller one if the provider says that it is too long."""

    def __init__(self, model: Runnable[Any, Any], pipeline: Pipeline, scope: Callable[[Any], Scope] | None, context: ContextNode) -> None:
        self._model = model
        self._pipeline = pipeline
        self._scope = scope
        self._context = context

    def invoke(self, state: Any) -> dict[str, Any]:
        messages, tokens, refusals = context_messages(state), read(state, VIEW_KEY)["tokens"], Refusals()
        while True:
            try:
                return {"messages": [self._model.invoke(messages)]}
            except Exception as error:
                if not refusals.accept(error):
                    raise
                pipeline, work, config = self._smaller(state, tokens)
            with refusals.fitting():
                view = finish(pipeline.run(pipeline.io(BlockingIO, work, config), work))
            messages, tokens = view.messages, view.tokens

    async def ainvoke(self, state: Any) -> dict[str, Any]:
        messages, tokens, refusals = context_messages(state), read(state, VIEW_KEY)["tokens"], Refusals()
        while True:
            try:
                return {"messages": [await self._model.ainvoke(messages)]}
            except Exception as error:
                if not refusals.accept(error):
                    raise
                pipeline, work, config = self._smaller(state, tokens)
            with refusals.fitting():
                view = await pipeline.run(pipeline.io(AsyncIO, work, config), work)
            messages, tokens = view.messages, view.tokens

    def _smaller(self, state: Any, tokens: int) -> tuple[Pipeline, Work, RunnableConfig]:
        """Return what prepares a view of fewer tokens than those that were too many."""
        config, runtime = get_config(), get_runtime()
        configurable = config.get("configurable", {})
        settings = smaller(settings_of(self._pipeline.setup.config, runtime.context, configurable), tokens)
        scope = resolve_scope(self._scope, runtime, configurable)
        work = begun(scope, self._context.log(state), read(state, STATE_KEY), (), None)
        return self._pipeline.under(settings), work, config

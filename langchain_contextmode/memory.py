"""Context mode as the memory of a LangChain chain or `AgentExecutor` (extra `classic`)."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003  (Pydantic reads the annotations)
from typing import TYPE_CHECKING, Any

from langchain_classic.base_memory import BaseMemory
from langchain_classic.memory.utils import get_prompt_input_key
from langchain_core.chat_history import BaseChatMessageHistory, InMemoryChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage, get_buffer_string
from pydantic import ConfigDict, PrivateAttr, SkipValidation

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.chat_history import SQLiteChatMessageHistory
from langchain_contextmode.collaborators import Collaborators
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.pipeline import Pipeline
from langchain_contextmode.remembering import aremember, remember
from langchain_contextmode.schema import Scope  # noqa: TC001
from langchain_contextmode.stores.rows import checked_scope, label
from langchain_contextmode.work import begun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.schema import ContextView
    from langchain_contextmode.work import Work

_STEPS = "intermediate_steps"


class ContextModeMemory(BaseMemory):
    """Gives a chain the view of its conversation for the input at hand, and keeps the whole conversation.

    `ContextModeMemory(scope=Scope("user-1", "session-1"), path="chats.sqlite", store=store)`

    Beside the fields it takes everything in `Collaborators`: `config`, `model`, `models`, `store`, `task` and so on. The prompt of the
    chain is not seen here, so leave room for it: `ContextConfig(view_tokens=...)`. One object serves one conversation.

    Attributes:
        scope: Whose conversation; there is no default.
        chat_history: Where it is kept. `None`: in the file of `path`, or in memory.
        path: SQLite file that keeps conversation and state. Not together with `chat_history`.
        memory_key: Name of the variable in the prompt.
        input_key: Which input is the user's. `None`: the only one that is not the memory's.
        output_key: Which output is the answer. `None`: the only one beside intermediate steps.
        return_messages: Messages for a `MessagesPlaceholder`; else one text.
        human_prefix: In front of the user's words in that text.
        ai_prefix: In front of the answers in that text.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    scope: Scope
    chat_history: SkipValidation[BaseChatMessageHistory | None] = None
    path: str | Path | None = None
    memory_key: str = "history"
    input_key: str | None = None
    output_key: str | None = None
    return_messages: bool = False
    human_prefix: str = "Human"
    ai_prefix: str = "AI"

    _pipeline: Pipeline = PrivateAttr()
    _log: BaseChatMessageHistory = PrivateAttr()
    _state: dict[str, Any] | None = PrivateAttr(default=None)

    def __init__(self, *, scope: Scope, **given: Any) -> None:
        """Check and keep what is given.

        Raises:
            ScopeError: `scope` is none.
            ConfigError: A collaborator is wrong, or `chat_history` and `path` are both given.
            ValidationError: A field is wrong.
        """
        whose = checked_scope(scope)
        known = set(Collaborators.__annotations__)
        super().__init__(scope=whose, **{name: value for name, value in given.items() if name not in known})
        collaborators: Any = {name: value for name, value in given.items() if name in known}
        self._pipeline = Pipeline(**collaborators)
        if self.chat_history is not None and (self.path is not None or not isinstance(self.chat_history, BaseChatMessageHistory)):
            message = "Pass either chat_history=, a BaseChatMessageHistory, or path=, a SQLite file."
            raise ConfigError(message)
        if self.path is not None:
            kept = SQLiteChatMessageHistory(self.path, scope=whose)
            self._state = kept.load_state()
            self._log = kept
        else:
            self._log = InMemoryChatMessageHistory() if self.chat_history is None else self.chat_history

    @property
    def log(self) -> BaseChatMessageHistory:
        """The whole conversation."""
        return self._log

    @property
    def state(self) -> dict[str, Any] | None:
        """State of context mode, as `view.state`; `None` before the first load."""
        return self._state

    @property
    def memory_variables(self) -> list[str]:
        """The one variable that it fills."""
        return [self.memory_key]

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Return the view of the conversation for this input, without the input; without an input, for what was asked last.

        Raises:
            BudgetError: What must be shown does not fit.
        """
        request, work = self._asked(inputs, self._log.messages)
        view = finish(self._pipeline.run(self._pipeline.io(BlockingIO, work), work))
        return self._shown(view, request)

    async def aload_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Do what `load_memory_variables` does, awaiting."""
        request, work = self._asked(inputs, await self._log.aget_messages())
        view = await self._pipeline.run(self._pipeline.io(AsyncIO, work), work)
        return self._shown(view, request)

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Add input, tool steps and answer to the conversation; remember what the user said about themselves."""
        self._log.add_messages(self._turn(inputs, outputs, len(self._log.messages)))
        if self._pipeline.store is not None:
            self._keep(remember(self._log.messages, **self._remembering()))

    async def asave_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Do what `save_context` does, awaiting."""
        await self._log.aadd_messages(self._turn(inputs, outputs, len(await self._log.aget_messages())))
        if self._pipeline.store is not None:
            self._keep(await aremember(await self._log.aget_messages(), **self._remembering()))

    def clear(self) -> None:
        """Remove the conversation and its state; memories in a store stay, see `forget`."""
        self._log.clear()
        self._state = None

    async def aclear(self) -> None:
        """Do what `clear` does, awaiting."""
        await self._log.aclear()
        self._state = None

    def _asked(self, inputs: Mapping[str, Any], log: Sequence[BaseMessage]) -> tuple[str, Work]:
        text = self._said(inputs)
        request = [HumanMessage(text, id=_id(len(log), text))] if text.strip() else []
        return (str(request[0].id) if request else ""), begun(self.scope, [*log, *request], self._state, (), None)

    def _shown(self, view: ContextView, request: str) -> dict[str, Any]:
        self._keep(view.state)
        messages = [message for message in view.messages if message.id != request]
        if self.return_messages:
            return {self.memory_key: messages}
        return {self.memory_key: get_buffer_string(messages, human_prefix=self.human_prefix, ai_prefix=self.ai_prefix)}

    def _keep(self, state: dict[str, Any]) -> None:
        self._state = state
        if isinstance(self._log, SQLiteChatMessageHistory):
            self._log.save_state(state)

    def _remembering(self) -> dict[str, Any]:
        setup = self._pipeline.setup
        return {"scope": self.scope, "store": self._pipeline.store, "state": self._state, "config": setup.config}

    def _said(self, inputs: Mapping[str, Any]) -> str:
        """Return the user's words of an input; empty where there are none."""
        own = {name: value for name, value in inputs.items() if name not in {self.memory_key, _STEPS}}
        if not own:
            return ""
        name = self.input_key if self.input_key is not None else get_prompt_input_key(own, self.memory_variables)
        return _text(inputs.get(name, ""))

    def _turn(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any], position: int) -> list[BaseMessage]:
        own = {name: value for name, value in outputs.items() if name != _STEPS}
        name = self.output_key
        if name is None:
            if len(own) != 1:
                message = f"One output was expected, got {', '.join(own) or 'none'}. Say which is the answer: output_key=..."
                raise ConfigError(message)
            name = next(iter(own))
        text, answer = self._said(inputs), _text(own.get(name, ""))
        turn: list[BaseMessage] = [HumanMessage(text, id=_id(position, text))]
        for number, (action, result) in enumerate(outputs.get(_STEPS) or ()):
            turn += _step(action, result, f"{turn[0].id}-{number}")
        return [*turn, AIMessage(answer, id=_id(position + 1, f"{text}\n{answer}"))]


def _step(action: Any, result: Any, name: str) -> list[BaseMessage]:
    """Return a step of an `AgentExecutor` as a call and its result."""
    given = action.tool_input if isinstance(action.tool_input, dict) else {"input": action.tool_input}
    call = {"name": action.tool, "args": given, "id": f"call-{name}", "type": "tool_call"}
    told = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    return [
        AIMessage("", tool_calls=[call], id=f"ai-{name}"),
        ToolMessage(told, tool_call_id=call["id"], name=action.tool, id=f"tool-{name}"),
    ]


def _text(value: Any) -> str:
    """Return the text of an input or output: a text, a message, or the newest of several."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, BaseMessage) for item in value):
        value = value[-1]
    if isinstance(value, BaseMessage):
        return str(value.text)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _id(position: int, text: str) -> str:
    """Return the id of a message by place and text: the same when it is asked about and when it is kept."""
    return f"{position}-{label(text)[:16]}"

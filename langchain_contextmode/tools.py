"""Tools for an agent: search the history, bring back a message, remember, forget. Whose they are is the run's affair, not the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.prebuilt import ToolRuntime  # noqa: TC002  (the annotation is read when a tool is made)
from langgraph.types import Command, interrupt

from langchain_contextmode.channels import STATE_KEY, log_of, read
from langchain_contextmode.content import fix_surrogates
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.forgetting import aforget, forget, forgettable
from langchain_contextmode.history import asearch_history, search_history
from langchain_contextmode.memories.consent import withheld
from langchain_contextmode.memories.extract import Found, memory_of, said_in
from langchain_contextmode.memories.forget import plain
from langchain_contextmode.memories.secrets import secret_in
from langchain_contextmode.parsing import parse
from langchain_contextmode.restore import restore_messages
from langchain_contextmode.scopes import resolve_scope
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.stores.book import turn_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_core.embeddings import Embeddings

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.schema import ArchiveEntry, Scope

_LEAST_CHARS = 4
_YES = ("yes", "y", "ok", "approve", "true", "ja", "是", "好", "可以", "确认")


def context_tools(
    *,
    store: MemoryStore | None = None,
    embeddings: Embeddings | None = None,
    scope: Callable[[Any], Scope] | None = None,
    state_key: str = STATE_KEY,
) -> list[BaseTool]:
    """Return tools over the conversation and the memories of the run they are called in.

    `create_agent(model, [*tools, *context_tools(store=store)], middleware=[ContextModeMiddleware(store=store)])`

    `search_history` finds what was said. `restore_message` puts originals into the views of this turn. With a store, `remember` keeps a
    statement that stands word for word in a message of the user, and `forget` shows what would go in an interrupt and forgets
    it after `Command(resume=True)`; like every interrupt it needs a checkpointer. User and session come from the run, as for the
    middleware: no argument that a model fills can name another one.

    Args:
        store: Where memories are. `None`: only the two tools over the history.
        embeddings: Adds meaning to the search in the history. `None`: words.
        scope: Called with the tool's runtime; `None`: found in server user, runtime context or configurable.
        state_key: Name of the state channel of the middleware or node.

    Raises:
        ConfigError: `store` is none.
    """
    given: Any = store
    if given is not None and not isinstance(given, MemoryStore):
        message = f"store must be a MemoryStore, for instance ChromaMemoryStore(path=...); got {given!r:.80}."
        raise ConfigError(message)
    tools = [*_history_tools(embeddings, state_key)]
    return [*tools, *_memory_tools(store, scope, state_key)] if store is not None else tools


def _history_tools(embeddings: Embeddings | None, state_key: str) -> list[BaseTool]:
    def search(query: str, runtime: ToolRuntime) -> str:
        """Search the whole conversation, also what is no longer in view. Gives lines with message ids."""
        kept = read(runtime.state, state_key)
        return _lines(search_history(log_of(runtime.state), query, state=kept, embeddings=embeddings))

    async def asearch(query: str, runtime: ToolRuntime) -> str:
        kept = read(runtime.state, state_key)
        return _lines(await asearch_history(log_of(runtime.state), query, state=kept, embeddings=embeddings))

    def restore(message_ids: list[str], runtime: ToolRuntime) -> Any:
        """Bring whole messages of the conversation back into view, by the ids that lines and search results name."""
        known = [identity for identity in message_ids if identity]
        if not known:
            return "No message id was given."
        state = restore_messages(read(runtime.state, state_key), known)
        return _update(runtime, state_key, state, f"In view from now on: {', '.join(known)}.")

    return [
        StructuredTool.from_function(search, coroutine=asearch, name="search_history"),
        StructuredTool.from_function(restore, name="restore_message"),
    ]


def _memory_tools(store: MemoryStore, scope: Callable[[Any], Scope] | None, state_key: str) -> list[BaseTool]:
    def whose(runtime: ToolRuntime) -> Scope:
        return resolve_scope(scope, runtime, runtime.config.get("configurable", {}))

    def remember(quote: str, runtime: ToolRuntime) -> str:
        """Remember something that the user said about themselves. Quote the user's own sentence word for word."""
        found = _quoted(quote, runtime.state, whose(runtime))
        return found if isinstance(found, str) else f"Remembered: {store.add(whose(runtime), [found]) and found.text}"

    async def aremember(quote: str, runtime: ToolRuntime) -> str:
        found = _quoted(quote, runtime.state, whose(runtime))
        return found if isinstance(found, str) else f"Remembered: {await store.aadd(whose(runtime), [found]) and found.text}"

    def forget_(text: str, runtime: ToolRuntime) -> Any:
        """Forget what is remembered of the user about something. Give words that stand in it. The user is asked first."""
        given = _forgetting(text, runtime, store, whose(runtime), state_key)
        return given if isinstance(given, str) else _forgotten(runtime, state_key, forget(**given))

    async def aforget_(text: str, runtime: ToolRuntime) -> Any:
        given = _forgetting(text, runtime, store, whose(runtime), state_key)
        return given if isinstance(given, str) else _forgotten(runtime, state_key, await aforget(**given))

    return [
        StructuredTool.from_function(remember, coroutine=aremember, name="remember"),
        StructuredTool.from_function(forget_, coroutine=aforget_, name="forget"),
    ]


def _lines(found: Sequence[ArchiveEntry]) -> str:
    return "\n".join(f"[{', '.join(entry.message_ids)}] {entry.text}" for entry in found) or "Nothing was found."


def _quoted(quote: str, state: Any, scope: Scope) -> Memory | str:
    """Return a quote as a memory, or why it is none."""
    human = said_in(parse(log_of(state)).blocks)
    unwanted, wanted = withheld(human), plain(fix_surrogates(quote))
    if len(wanted) < _LEAST_CHARS:
        return "Quote a sentence of the user."
    if secret_in(quote):
        return "Not remembered: it holds a secret."
    message = next((each for each in reversed(human) if wanted in plain(each.text)), None)
    if message is None:
        return "Not remembered: no message of the user says this word for word."
    if message.id in unwanted:
        return "Not remembered: the user asked not to."
    found = Found(" ".join(str(fix_surrogates(quote)).split()), kind=None, emphasised=False, told=True)
    return memory_of(found, message.id, turn_key(scope.session_id, message.id))


def _forgetting(text: str, runtime: ToolRuntime, store: MemoryStore, scope: Scope, state_key: str) -> dict[str, Any] | str:
    """Ask the user, and return the arguments of `forget`, or why nothing goes."""
    if not text.strip():
        return "Say what to forget."
    rows = forgettable(scope, store=store, text=text)
    if not rows:
        return "Nothing of that is remembered."
    answer = interrupt({"action": "forget", "memories": [{"id": row.id, "text": row.text} for row in rows]})
    if answer is not True and str(answer).strip().casefold() not in _YES:
        return "The user wants to keep it. Nothing was forgotten."
    ids, state = [row.id for row in rows], read(runtime.state, state_key)
    return {"scope": scope, "store": store, "memory_ids": ids, "text": text, "state": state, "messages": log_of(runtime.state)}


def _forgotten(runtime: ToolRuntime, state_key: str, done: Any) -> Command[Any]:
    return _update(runtime, state_key, done.state, f"Forgotten: {len(done.memories)}.")


def _update(runtime: ToolRuntime, state_key: str, state: dict[str, Any], told: str) -> Command[Any]:
    return Command(update={state_key: state, "messages": [ToolMessage(told, tool_call_id=runtime.tool_call_id)]})

"""What every entry point takes beside its own arguments, checked when it is given and not when it is first needed."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, get_args

from langchain_core.embeddings import Embeddings
from langchain_core.messages import HumanMessage
from langchain_core.runnables import Runnable

from langchain_contextmode.config import ContextConfig
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.prompts import check_prompts
from langchain_contextmode.protocols import Role
from langchain_contextmode.record_templates import RecordTemplate
from langchain_contextmode.stores.base import MemoryStore
from langchain_contextmode.task.spec import TaskSpec
from langchain_contextmode.tokens import as_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_core.language_models import BaseChatModel
    from langgraph.store.base import BaseStore

    from langchain_contextmode.protocols import Scorer, TokenCounter
    from langchain_contextmode.record_templates import TemplateChoice


class Collaborators(TypedDict, total=False):
    """What every entry point takes beside its own arguments; all optional.

    Attributes:
        config: Settings; `None` means the defaults.
        model: Chat model for every role but `filter_fine`, where `models` names none. `None`: local rules.
        models: Role (`filter`, `filter_fine`, `summary`, `task`, `memory`, `rewrite`) to chat model.
        embeddings: Adds meaning to the local scorer. `None`: words only.
        scorer: Replaces the scorer.
        tools: Tools whose schemas go with the request; counted, never changed.
        record_template: With `turn_form="records"`: a `RecordTemplate`, or a function from the blocks of some turns to one.
            `None`: by the kind of dialogue.
        archive: LangGraph store with the originals that the prune node wrote. `None`: only what is in the log can be restored.
        store: Memory store. `None`: nothing is recalled.
        task: Declaration of the job, `TaskSpec.from_model(...)`. `None`: no board.
        token_counter: A callable over messages. `None`: exact where tiktoken's ranks are there, else an estimate.
    """

    config: ContextConfig | None
    model: BaseChatModel | None
    models: Mapping[Role, BaseChatModel] | None
    embeddings: Embeddings | None
    scorer: Scorer | None
    tools: Sequence[Any]
    record_template: TemplateChoice
    archive: BaseStore | None
    store: MemoryStore | None
    task: TaskSpec | None
    token_counter: TokenCounter | None


def check(given: Collaborators) -> None:
    """Refuse what cannot work.

    Raises:
        ConfigError: A collaborator is of the wrong kind; the message says what to pass.
        TypeError: There is no such argument.
    """
    if odd := set(given) - set(Collaborators.__annotations__):
        message = f"Unexpected argument {', '.join(sorted(odd))}; known: {', '.join(sorted(Collaborators.__annotations__))}."
        raise TypeError(message)
    config: Any = ContextConfig() if given.get("config") is None else given.get("config")
    _demand(isinstance(config, ContextConfig), "config", "a ContextConfig(...)", config)
    check_prompts(config.prompts)
    models: Any = given.get("models") or {}
    _demand(isinstance(models, Mapping), "models", "a mapping from role to chat model", models)
    for role, model in [*models.items(), *([("filter", given["model"])] if given.get("model") is not None else [])]:
        _demand(role in get_args(Role), "a model role", f"one of {', '.join(get_args(Role))}", role)
        _demand(isinstance(model, Runnable), f"the model for {role}", "a chat model, for instance from init_chat_model", model)
    embeddings: Any = given.get("embeddings")
    _demand(embeddings is None or isinstance(embeddings, Embeddings), "embeddings", "a LangChain Embeddings object", embeddings)
    scorer: Any = given.get("scorer")
    fits = not isinstance(scorer, type) and inspect.iscoroutinefunction(getattr(scorer, "score", None))
    _demand(scorer is None or fits, "scorer", "an object with an async method score", scorer)
    archive: Any = given.get("archive")
    stored = all(callable(getattr(archive, method, None)) for method in ("get", "aget", "put", "aput"))
    _demand(archive is None or stored, "archive", "a LangGraph store (langgraph.store.base.BaseStore)", archive)
    store: Any = given.get("store")
    _demand(store is None or isinstance(store, MemoryStore), "store", "a MemoryStore, for instance ChromaMemoryStore(path=...)", store)
    task: Any = given.get("task")
    _demand(task is None or isinstance(task, TaskSpec), "task", "a TaskSpec, from TaskSpec.from_model(...)", task)
    template: Any = given.get("record_template")
    usable = template is None or isinstance(template, RecordTemplate) or callable(template)
    _demand(usable, "record_template", "a RecordTemplate, or a function that returns one", template)
    counter = as_counter(given.get("token_counter"))
    _try(
        lambda: (counter([]), counter([HumanMessage("probe")])),
        "token_counter cannot count a message",
        "a callable from messages to a number",
    )
    _try(lambda: counter.tools(given.get("tools") or ()), "tools cannot be read", "tools, functions, Pydantic classes or tool dicts")


def _try(action: Callable[[], Any], what: str, wanted: str) -> None:
    try:
        action()
    except ConfigError:
        raise
    except Exception as error:
        message = f"{what} ({type(error).__name__}: {error}). Pass {wanted}."
        raise ConfigError(message) from error


def _demand(condition: bool, name: str, wanted: str, got: Any) -> None:  # noqa: FBT001  (reads like an assertion)
    if not condition:
        message = f"{name} must be {wanted}; got {got!r:.80}."
        raise ConfigError(message)

"""The channels that context mode adds to a graph: their names, their types, and how a node reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict  # with that of `typing` LangGraph makes no JSON schema on Python 3.11

from langchain_contextmode.errors import StateSchemaError
from langchain_contextmode.schema import ContextInput, newest

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

STATE_KEY = "contextmode"
VIEW_KEY = "context_view"

HOOK_KEY = "llm_input_messages"
"""Where `create_react_agent` looks for the messages of its `pre_model_hook`. A host without this channel never sees it."""


def view_key(state_key: str) -> str:
    """Return the name of the view's channel that goes with a state channel."""
    return VIEW_KEY if state_key == STATE_KEY else f"{state_key}_view"


def event_of(report: Any, state_key: str) -> dict[str, Any]:
    """Return a report as an event of `stream_mode="custom"`; JSON."""
    return {"type": "contextmode", "state_key": state_key, "report": report}


def input_type(state_key: str) -> type:
    """Return `ContextInput` under this state key."""
    if state_key == STATE_KEY:
        return ContextInput
    channels = {"messages": list[Any], **_added(state_key)}
    return TypedDict("ContextInput", channels, total=False)  # type: ignore[operator, no-any-return]


def output_type(state_key: str) -> type:
    """Return what the graph gives out: state and view, without the log."""
    return TypedDict("ContextOutput", _added(state_key), total=False)  # type: ignore[operator, no-any-return]


def _added(state_key: str) -> dict[str, Any]:
    return {
        state_key: Annotated[dict[str, Any], newest],
        view_key(state_key): Annotated[dict[str, Any], EphemeralValue(dict, guard=False)],
    }


def context_messages(state: Any, state_key: str = STATE_KEY) -> list[BaseMessage]:
    """Read the view's messages in the answering node; annotate that node's state with `ContextInput`.

    Raises:
        StateSchemaError: There is no view: the context node did not run right before this node.
    """
    view = read(state, view_key(state_key))
    if not isinstance(view, dict) or "messages" not in view:
        message = (
            f"No view under {view_key(state_key)!r}; it lives for one step. Run ContextNode right before this node (again after "
            "update_state) and annotate the node's state: def answer(state: ContextInput), imported outside TYPE_CHECKING."
        )
        raise StateSchemaError(message)
    return list(view["messages"])


def log_of(state: Any) -> list[Any]:
    """Read the host's log.

    Raises:
        StateSchemaError: The host keeps its log under another name.
    """
    messages = read(state, "messages")
    if messages is None:
        message = "The state has no `messages`. Context mode reads the log from the channel of that name; it adds no other."
        raise StateSchemaError(message)
    return list(messages)


def read(state: Any, key: str) -> Any:
    """Return what a state of any kind holds under a key, or `None`."""
    return state.get(key) if isinstance(state, dict) else getattr(state, key, None)

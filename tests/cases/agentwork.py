"""An agent that runs tool steps behind context mode, and what its model was sent."""

from __future__ import annotations

from casework import ESTIMATE, RUN
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from langchain_contextmode import ContextModeMiddleware
from langchain_contextmode.testing import ScriptedChatModel


class ToolModel(ScriptedChatModel):
    """A scripted model that tools can be bound to."""

    def bind_tools(self, tools, **options):
        del tools, options
        return self


def steps_of(count):
    """Return replies that call `step` with 1, 2, ... and then say that it is done."""
    calls = [{"name": "step", "args": {"n": n}, "id": f"c{n}", "type": "tool_call"} for n in range(1, count + 1)]
    return [*(AIMessage("", tool_calls=[call]) for call in calls), "Done."]


def step_tool(words):
    """Return the tool; its results have so many words."""

    @tool
    def step(n: int) -> str:
        """Do a step."""
        return f"out{n} " * words

    return step


def worked(messages, count, *, words=1, **given):
    """Run a turn of `count` tool steps; return the requests to the model, and the stored messages."""
    model = ToolModel(replies=steps_of(count))
    middleware = ContextModeMiddleware(token_counter=ESTIMATE, **given)
    agent = create_agent(model, [step_tool(words)], middleware=[middleware], checkpointer=InMemorySaver())
    stored = agent.invoke({"messages": messages}, RUN)["messages"]
    return [request.messages for request in model.requests], stored

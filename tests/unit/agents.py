"""Agents as users build them, on a model that says what the test wrote down."""

from __future__ import annotations

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from langchain_contextmode import ContextModeMiddleware
from langchain_contextmode.testing import ScriptedChatModel


class Agent(ScriptedChatModel):
    """A scripted model that takes tools, and has a profile if it is given a window."""

    window: int | None = None

    def bind_tools(self, tools, **options):
        return self.bind(tools=[getattr(tool, "name", tool) for tool in tools], **options)

    def model_post_init(self, context):
        super().model_post_init(context)
        self.profile = {"max_input_tokens": self.window} if self.window else None


@tool
def look(topic: str) -> str:
    """Look something up."""
    return f"About {topic}: " + "there is much to say. " * 40


def asks(topic, identity):
    """Return an answer that calls the tool."""
    return AIMessage("", tool_calls=[{"name": "look", "args": {"topic": topic}, "id": identity}])


def turns(answers=("Done.",), steps=2):
    """Return replies for turns of some tool steps and an answer each."""
    replies = []
    for turn, answer in enumerate(answers):
        replies += [asks(f"part {step}", f"c{turn}-{step}") for step in range(steps)]
        replies.append(answer)
    return replies


def agent(replies, *before, after=(), tools=(look,), window=None, saver=None, **given):
    """Return an agent with context mode, its model, and the settings of a run."""
    model = Agent(replies=replies, window=window)
    kept = {name: given.pop(name) for name in ("system_prompt", "response_format", "context_schema", "name") if name in given}
    middleware = [*before, ContextModeMiddleware(**given), *after]
    built = create_agent(model, list(tools), middleware=middleware, checkpointer=saver or InMemorySaver(), **kept)
    return built, model


def run(thread="t1", user="u1", **more):
    """Return the config of a run."""
    return {"configurable": {"thread_id": thread, "user_id": user, **more}}

"""A worker process: takes turns of any user from standard input, on a Postgres checkpointer, a Chroma server and a model over HTTP.

A line in: `{"user", "thread", "text"}`; `text` null takes up a turn that was cut off. A line out: the answer, or the error's name.
"""

from __future__ import annotations

import json
import sys

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.postgres import PostgresSaver

from langchain_contextmode import ChromaMemoryStore, ContextConfig, ContextModeMiddleware

CONFIG = ContextConfig(view_tokens=1_500, protect_messages=4, filter_above_messages=6)


@tool
def stock(item: str) -> str:
    """Say how many of an item there are."""
    return f"{item}: {len(item)} pieces. " + "It is on the left shelf. " * 10


def main(postgres_url, chroma_url, model_url):
    model = ChatOpenAI(model="answerer", base_url=model_url, api_key="none", timeout=60, max_retries=0)
    with PostgresSaver.from_conn_string(postgres_url) as saver:
        saver.setup()
        middleware = ContextModeMiddleware(config=CONFIG, store=ChromaMemoryStore(url=chroma_url))
        agent = create_agent(model, [stock], middleware=[middleware], checkpointer=saver)
        say({"ready": True})
        for line in sys.stdin:
            say(turn(agent, json.loads(line)))


def turn(agent, wanted):
    config = {"configurable": {"user_id": wanted["user"], "thread_id": wanted["thread"]}}
    given = None if wanted["text"] is None else {"messages": [HumanMessage(wanted["text"])]}
    try:
        return {"answer": agent.invoke(given, config, durability="sync")["messages"][-1].text}
    except Exception as error:  # noqa: BLE001  (the test is told)
        return {"error": f"{type(error).__name__}: {error}"}


def say(what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

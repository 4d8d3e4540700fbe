"""The README's examples run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from agents import Agent
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from langchain_contextmode import EphemeralMemoryStore, Scope, ScopeError, prepare_context

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FUNCTION, GRAPH, AGENT, CHAT, CHAIN, TASK, MEMORY, FORGET, SEARCH = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def model():
    return FakeListChatModel(responses=["Porto."])


def test_the_function_example_answers():
    """The five lines around `prepare_context` give an answer and the state for the next request."""
    names = {"messages": [HumanMessage("Where to?", id="q")], "model": model()}
    exec(FUNCTION, names)  # noqa: S102  (our own README)
    assert names["answer"].content == "Porto."
    assert names["state"] is names["view"].state


def test_the_task_example_reads_a_conversation(capsys):
    """The declared trip is filled by what the user says, and the last change can be undone."""
    names = {"messages": [HumanMessage("We want to travel to Porto, three people, budget 900 euros.")], "__name__": "readme"}
    exec(compile(TASK, "README.md", "exec", dont_inherit=True), names)  # noqa: S102
    assert names["view"].task.fields == {"destination": "Porto", "travellers": 3, "budget": 900.0}
    assert capsys.readouterr().out.startswith("propose")
    assert "budget" not in names["state"]["task"]["values"]


def test_the_memory_example_recalls(capsys, tmp_path, monkeypatch):
    """What was stressed on Monday is in the view on Friday, and can be forgotten."""
    monkeypatch.chdir(tmp_path)
    monday = [HumanMessage("I prefer window seats. Never forget that!")]
    names = {"messages": monday, "later": [HumanMessage("Which seats do I like?")]}
    exec(MEMORY, names)  # noqa: S102
    assert "window seats" in capsys.readouterr().out
    exec(FORGET, names)  # noqa: S102
    assert [memory.text for memory in names["done"].memories] == ["I prefer window seats."]
    assert names["store"].list(names["friday"], all_sessions=True) == []
    names["store"].close()


def test_the_search_example_finds_and_pins(capsys):
    """The lines on finding, restoring and pinning run on a log and do what they say."""
    messages = [HumanMessage("Book it."), AIMessage("The booking reference is QX7M4T."), HumanMessage("What now?")]
    view = prepare_context(messages, scope=Scope("user-1", "session-1"))
    names = {"messages": messages, "view": view, "Scope": Scope}
    exec(SEARCH, names)  # noqa: S102
    assert "QX7M4T" in names["hits"][0].text
    assert names["view"].report["restored"]
    assert "Quote all prices with VAT." in capsys.readouterr().out


def test_the_graph_example_answers():
    """The node example, put into a plain host, answers from the view."""
    host = StateGraph(MessagesState)
    exec(GRAPH, {"host": host, "model": model()})  # noqa: S102
    app = host.add_edge(START, "context").compile()
    done = app.invoke({"messages": [("user", "Where to?")]}, {"configurable": {"user_id": "u", "thread_id": "t"}})
    assert [m.content for m in done["messages"]] == ["Where to?", "Porto."]


def test_the_agent_example_answers():
    """The agent example runs for its user and thread."""
    names = {"model": Agent(replies=["Cafe Luna."]), "tools": [], "store": EphemeralMemoryStore()}
    exec(AGENT, names)  # noqa: S102
    assert len(names["model"].requests) == 1


def test_the_chat_example_answers():
    """The chat example runs for its user and thread, and keeps them."""
    names = {"model": model(), "store": EphemeralMemoryStore(), "saver": InMemorySaver()}
    exec(CHAT, names)  # noqa: S102
    kept = names["chat"].get_state({"configurable": {"thread_id": "monday"}}).values["messages"]
    assert [m.content for m in kept] == ["Hello", "Porto."]


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainDeprecationWarning")
def test_the_chain_example_keeps_its_conversation(tmp_path, monkeypatch):
    """The memory in the example gives a ConversationChain its history back, from the file."""
    from langchain_classic.chains import ConversationChain  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    prompt = ChatPromptTemplate([MessagesPlaceholder("history"), ("human", "{input}")])
    names = {"ConversationChain": ConversationChain, "model": model(), "prompt": prompt, "store": EphemeralMemoryStore()}
    exec(CHAIN, names)  # noqa: S102
    names["chain"].invoke({"input": "Where to?"})
    exec(CHAIN, names)  # noqa: S102
    assert [m.text for m in names["memory"].load_memory_variables({"input": "And then?"})["history"]] == ["Where to?", "Porto."]


def test_the_served_graph_needs_a_thread():
    """The graph that `langgraph dev` serves takes the thread as session, and without one has no session to make up."""
    graph = runpy.run_path(str(ROOT / "graphs" / "context.py"))["graph"]
    ask = {"messages": [HumanMessage("Where to?", id="q")]}
    done = graph.invoke(ask, {"configurable": {"thread_id": "t"}})
    assert [m.content for m in done["context_view"]["messages"]] == ["Where to?"]
    with pytest.raises(ScopeError, match="no thread"):
        graph.invoke(ask)

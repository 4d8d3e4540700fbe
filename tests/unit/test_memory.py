"""Context mode as the memory of chains, and the chat histories."""

from __future__ import annotations

import asyncio
import sqlite3
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from hosts import conversation
from langchain_core._api import LangChainDeprecationWarning
from langchain_core.agents import AgentAction, AgentFinish
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.runnables import RunnableLambda
from langchain_core.runnables.history import RunnableWithMessageHistory
from langchain_core.tools import tool

from langchain_contextmode import (
    BudgetError,
    ConfigError,
    ContextConfig,
    ContextModeChatHistory,
    ContextModeMemory,
    EphemeralMemoryStore,
    Scope,
    ScopeError,
    SQLiteChatMessageHistory,
    StoreError,
    end_session,
    prepare_context,
)
from langchain_contextmode.testing import ScriptedChatModel

ANN, BEN = Scope("ann", "s1"), Scope("ben", "s1")
SMALL = ContextConfig(view_tokens=700)

pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainDeprecationWarning")


@pytest.fixture(params=["blocking", "awaited"])
def way(request):
    """Call a method in both forms; chains by `invoke` or `ainvoke`."""
    if request.param == "blocking":
        return lambda target, method, *given: getattr(target, method)(*given)
    return lambda target, method, *given: asyncio.run(getattr(target, f"a{method}")(*given))


def filled(**given):
    """Return a memory that holds the conversation of the hosts' tests."""
    memory = ContextModeMemory(scope=ANN, **given)
    memory.log.add_messages(conversation(filler=20)[:-1])
    return memory


def test_a_chain_is_given_the_view_for_its_input(way):
    """The variable holds what `prepare_context` shows for the input, without the input; the log keeps everything."""
    memory = filled(config=SMALL, return_messages=True)
    question = "When does the ferry leave?"
    shown = way(memory, "load_memory_variables", {"input": question})["history"]
    view = prepare_context([*conversation(filler=20)[:-1], HumanMessage(question, id="q")], scope=ANN, config=SMALL)
    assert [(m.type, m.text) for m in shown] == [(m.type, m.text) for m in view.messages[:-1]]
    assert any("The ferry opens" in m.text for m in shown)
    assert len(shown) < 16
    way(memory, "save_context", {"input": question, "history": shown}, {"output": "At nine."})
    assert [m.text for m in memory.log.messages][-2:] == [question, "At nine."]
    assert len(memory.log.messages) == 18


def test_a_memory_in_a_string_prompt():
    """ConversationChain is given one text with the prefixes it asked for, and remembers across turns."""
    from langchain_classic.chains import ConversationChain  # noqa: PLC0415

    model = ScriptedChatModel(replies=["Nice.", "You are Ann."])
    chain = ConversationChain(llm=model, memory=ContextModeMemory(scope=ANN, human_prefix="Guest", ai_prefix="Host"), prompt=_prompt())
    chain.invoke({"input": "I am Ann."})
    assert chain.invoke({"input": "Who am I?"})["response"] == "You are Ann."
    assert "Guest: I am Ann.\nHost: Nice." in model.requests[1].text


def _prompt():
    return PromptTemplate.from_template("Talk.\n{history}\nGuest: {input}")


async def test_a_memory_in_a_chain_that_awaits():
    """The same, awaited, with several inputs and `input_key`."""
    from langchain_classic.chains import LLMChain  # noqa: PLC0415

    model = ScriptedChatModel(replies=["Nice.", "You are Ann."])
    prompt = ChatPromptTemplate([("system", "Speak {language}."), MessagesPlaceholder("past"), ("human", "{question}")])
    memory = ContextModeMemory(scope=ANN, memory_key="past", input_key="question", return_messages=True)
    chain = LLMChain(llm=model, prompt=prompt, memory=memory)
    for question in ("I am Ann.", "Who am I?"):
        await chain.ainvoke({"question": question, "language": "English"})
    assert [m.text for m in model.requests[1].messages] == ["Speak English.", "I am Ann.", "Nice.", "Who am I?"]
    with pytest.raises(ValueError, match="One input key"):
        ContextModeMemory(scope=ANN).load_memory_variables({"question": "x", "language": "y"})


def test_tool_steps_of_an_executor_are_kept(way):
    """With intermediate steps, calls and results are part of the conversation, each with its pair."""
    from langchain_classic.agents import AgentExecutor  # noqa: PLC0415

    @tool
    def look(topic: str) -> str:
        """Look something up."""
        return f"{topic}: opens at nine"

    def plan(given):
        if given["intermediate_steps"]:
            return AgentFinish({"output": "At nine."}, log="")
        return [AgentAction("look", {"topic": "ferry"}, "")]

    memory = ContextModeMemory(scope=ANN, memory_key="chat_history", input_key="input", output_key="output", return_messages=True)
    executor = AgentExecutor(agent=RunnableLambda(plan), tools=[look], memory=memory, return_intermediate_steps=True)
    way(executor, "invoke", {"input": "When does the ferry leave?"})
    assert [m.type for m in memory.log.messages] == ["human", "ai", "tool", "ai"]
    shown = memory.load_memory_variables({"input": "Say it again."})["chat_history"]
    assert [m.type for m in shown] == ["human", "ai", "tool", "ai"]
    assert "opens at nine" in shown[2].text


def test_what_was_said_comes_back_in_another_session(way):
    """A store carries a preference to another session of the same user, and to nobody else."""
    store = EphemeralMemoryStore()
    monday = ContextModeMemory(scope=Scope("ann", "monday"), store=store)
    for text in ("I'm vegetarian.", "As I said, I'm vegetarian."):
        way(monday, "save_context", {"input": text}, {"output": "Ok."})
    end_session(Scope("ann", "monday"), store=store)
    question = {"input": "Which vegetarian dishes do you know?"}
    assert (
        "I'm vegetarian" in way(ContextModeMemory(scope=Scope("ann", "friday"), store=store), "load_memory_variables", question)["history"]
    )
    assert way(ContextModeMemory(scope=Scope("ben", "friday"), store=store), "load_memory_variables", question) == {"history": ""}


def test_a_file_keeps_conversation_and_state(tmp_path, way):
    """A new object on the same file goes on where the old one stopped; clearing removes this session only."""
    path = tmp_path / "chats.sqlite"
    for scope in (ANN, BEN):
        way(ContextModeMemory(scope=scope, path=path), "save_context", {"input": "I am allergic to nuts."}, {"output": "Ok."})
    first = ContextModeMemory(scope=ANN, path=path)
    first.load_memory_variables({"input": "What may I eat?"})
    second = ContextModeMemory(scope=ANN, path=path)
    assert second.state == first.state
    assert "allergic to nuts" in second.load_memory_variables({"input": "What may I eat?"})["history"]
    way(second, "clear")
    assert second.state is None
    assert ContextModeMemory(scope=ANN, path=path).load_memory_variables({}) == {"history": ""}
    assert "nuts" in ContextModeMemory(scope=BEN, path=path).load_memory_variables({"input": "x"})["history"]


def test_a_history_of_your_own_is_used(way):
    """Any BaseChatMessageHistory holds the conversation."""
    own = InMemoryChatMessageHistory()
    memory = ContextModeMemory(scope=ANN, chat_history=own)
    way(memory, "save_context", {"input": [HumanMessage("Hello")]}, {"output": AIMessage("Hi.")})
    assert [m.text for m in own.messages] == ["Hello", "Hi."]


def test_without_an_input_all_that_fits_is_shown():
    """No input: the view for what was asked last, the question included."""
    memory = ContextModeMemory(scope=ANN, return_messages=True)
    memory.save_context({"input": "Hello"}, {"output": "Hi."})
    assert [m.text for m in memory.load_memory_variables({})["history"]][:2] == ["Hello", "Hi."]
    assert ContextModeMemory(scope=ANN).load_memory_variables({"input": "Hello"}) == {"history": ""}


def test_wrong_arguments_are_refused(tmp_path):
    """No scope, two places for the log, an unknown field, two outputs: errors that say what to do, and nothing is kept."""
    for scope in (None, "ann"):
        with pytest.raises(ScopeError):
            ContextModeMemory(scope=scope)
    with pytest.raises(TypeError):
        ContextModeMemory()
    with pytest.raises(ConfigError, match="either"):
        ContextModeMemory(scope=ANN, path=tmp_path / "x", chat_history=InMemoryChatMessageHistory())
    with pytest.raises(ConfigError):
        ContextModeMemory(scope=ANN, store="memories")
    with pytest.raises(ValueError, match="max_token_limit"):
        ContextModeMemory(scope=ANN, max_token_limit=3)
    memory = ContextModeMemory(scope=ANN)
    with pytest.raises(ConfigError, match="output_key"):
        memory.save_context({"input": "x"}, {"a": "1", "b": "2"})
    assert memory.log.messages == []
    with pytest.raises(BudgetError):
        ContextModeMemory(scope=ANN, config=ContextConfig(view_tokens=10)).load_memory_variables({"input": "word " * 50})


def test_making_one_warns_of_nothing():
    """Defining and making a memory or a SQLite history is silent."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", LangChainDeprecationWarning)
        ContextModeMemory(scope=ANN, chat_history=SQLiteChatMessageHistory("unused.sqlite", scope=ANN))


def test_a_sqlite_log_reads_back_what_was_written(tmp_path):
    """Tool calls, blocks, marks and odd text come back as they were, in order, for their session only."""
    history = SQLiteChatMessageHistory(tmp_path / "log.sqlite", scope=ANN)
    log = [
        SystemMessage("Be brief.", id="s"),
        HumanMessage(
            [{"type": "text", "text": "'); DROP TABLE contextmode_log; --"}], id="h", additional_kwargs={"contextmode": {"pinned": True}}
        ),
        AIMessage("", id="a", tool_calls=[{"name": "look", "args": {"q": "日本 \u2028"}, "id": "c1", "type": "tool_call"}]),
    ]
    history.add_messages(log)
    assert history.messages == log
    assert SQLiteChatMessageHistory(tmp_path / "log.sqlite", scope=BEN).messages == []


def test_many_threads_write_one_log(tmp_path):
    """Messages added from 16 threads at once are all there, each once."""
    path = tmp_path / "log.sqlite"
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: SQLiteChatMessageHistory(path, scope=ANN).add_messages([HumanMessage(f"{n}", id=f"{n}")]), range(64)))
    assert sorted(int(m.text) for m in SQLiteChatMessageHistory(path, scope=ANN).messages) == list(range(64))


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    """A broken or foreign file is a StoreError, and stays as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 100)
    with pytest.raises(StoreError, match="notes"):
        SQLiteChatMessageHistory(path, scope=ANN).add_messages([HumanMessage("x")])
    assert path.read_text().startswith("not a database")
    with sqlite3.connect(tmp_path / "own.sqlite") as own:
        own.execute("CREATE TABLE mine (x)")
    SQLiteChatMessageHistory(tmp_path / "own.sqlite", scope=ANN).add_messages([HumanMessage("x", id="x")])
    with sqlite3.connect(tmp_path / "own.sqlite") as own:
        assert own.execute("SELECT name FROM sqlite_master WHERE name = 'mine'").fetchone()


def with_history(model, log, **given):
    kept = ContextModeChatHistory(log, scope=ANN, **given)
    return RunnableWithMessageHistory(model, lambda session_id: kept), kept  # noqa: ARG005  (the interface's name)


def test_a_history_for_runnables_is_a_view(way):
    """`RunnableWithMessageHistory` reads a view inside the budget and adds to the whole log."""
    log = InMemoryChatMessageHistory(messages=conversation(filler=20)[:-1])
    model = ScriptedChatModel(replies=["At nine."])
    chain, kept = with_history(model, log, config=SMALL)
    way(chain, "invoke", [HumanMessage("When does the ferry leave?")], {"configurable": {"session_id": "s1"}})
    assert len(model.requests[0].messages) < 17
    assert [m.text for m in log.messages][-2:] == ["When does the ferry leave?", "At nine."]
    assert len(log.messages) == 18
    assert kept.log is log
    way(kept, "clear")
    assert log.messages == []
    with pytest.raises(ConfigError):
        ContextModeChatHistory([], scope=ANN)

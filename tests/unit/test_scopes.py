"""Whose run it is: found in the run or refused, never guessed."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from uuid import UUID

import pytest
from hosts import SETTINGS, WAYS, Answerer, conversation, host, open_way
from langgraph.graph import START, MessagesState, StateGraph
from pydantic import BaseModel

from langchain_contextmode import ContextNode, Scope, ScopeError, aprepare_context, build_context_graph, prepare_context
from langchain_contextmode.scopes import resolve_scope


class PydanticUser(BaseModel):
    user_id: str
    session_id: str


@dataclass
class DataclassUser:
    user_id: str
    session_id: str


IDS = {"user_id": "u", "session_id": "s"}
CONTEXTS = [IDS, PydanticUser(**IDS), DataclassUser(**IDS), SimpleNamespace(**IDS)]


def runtime(context=None, identity=None):
    user = SimpleNamespace(identity=identity) if identity is not None else None
    return SimpleNamespace(context=context, server_info=SimpleNamespace(user=user))


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: type(context).__name__)
def test_the_context_names_both(context):
    """User and session come from the run's context, be it a dict, a dataclass, a Pydantic model or any object."""
    assert resolve_scope(None, runtime(context), {}) == Scope("u", "s")


def test_configurable_names_both_and_the_thread_serves_as_session():
    """Without a context `configurable` counts; a thread is a session, 7 and "7" the same one, as in LangGraph."""
    assert resolve_scope(None, runtime(), {**IDS, "thread_id": "t"}) == Scope("u", "s")
    assert resolve_scope(None, None, {"user_id": "u", "thread_id": "t"}) == Scope("u", "t")
    assert resolve_scope(None, runtime(), {"user_id": "u", "thread_id": 7}) == Scope("u", "7")


def test_the_authenticated_user_cannot_be_overruled():
    """The server's user stands before whatever a client puts into context or configurable."""
    found = resolve_scope(None, runtime({"user_id": "mallory"}, identity="alice"), {"user_id": "mallory", "session_id": "s"})
    assert found == Scope("alice", "s")


def test_context_stands_before_configurable():
    """Where both name an id the context counts, each id by itself."""
    assert resolve_scope(None, runtime({"user_id": "c"}), {"user_id": "x", "session_id": "s", "thread_id": "t"}) == Scope("c", "s")


def test_a_resolver_has_the_last_word():
    """A callable gets the runtime, and nothing else is looked at."""
    given = runtime({"user_id": "c", "session_id": "s"}, identity="alice")
    assert resolve_scope(lambda run: Scope("r", run.context["session_id"]), given, IDS) == Scope("r", "s")


@pytest.mark.parametrize("answer", [None, "u1", ("u1", "s1"), {"user_id": "u"}])
def test_a_resolver_that_returns_no_scope_is_refused(answer):
    """What is not a Scope is an error that names what came."""
    with pytest.raises(ScopeError, match=f"returned {type(answer).__name__}, not a Scope"):
        resolve_scope(lambda _: answer, runtime(), IDS)


@pytest.mark.parametrize(
    ("configurable", "missing"),
    [
        ({}, "user_id and session_id"),
        ({"session_id": "s"}, "user_id"),
        ({"user_id": "u"}, "session_id"),
        ({"thread_id": "t"}, "user_id"),
        ({"user_id": None, "session_id": None}, "user_id and session_id"),
    ],
)
def test_what_is_missing_is_named_with_the_remedy(configurable, missing):
    """A run without a user or session is refused; the message says which is missing and shows how to pass it."""
    with pytest.raises(ScopeError) as caught:
        resolve_scope(None, runtime(), configurable)
    text = str(caught.value)
    assert f"no {missing}. " in text
    for part in ("context={", '"configurable": {', "thread_id serves as session", "scope=callable(runtime) -> Scope"):
        assert part in text


@pytest.mark.parametrize("wrong", ["", " \n", 0, 7, False, [], {}, {"$ne": ""}, UUID(int=1), b"u"], ids=repr)
@pytest.mark.parametrize("place", ["context", "configurable", "server"])
def test_an_id_that_is_empty_or_no_string_is_refused_where_it_stands(wrong, place):
    """A wrong id is an error even if another place holds a good one: it is never skipped, and never made into a string."""
    context = {"user_id": wrong} if place == "context" else None
    given = runtime(context, identity=wrong if place == "server" else None)
    configurable = {"session_id": "s", "user_id": wrong if place == "configurable" else "somebody"}
    with pytest.raises(ScopeError, match=r"Scope\.user_id must be a non-empty string"):
        resolve_scope(None, given, configurable)


@pytest.mark.parametrize(
    "odd",
    [
        '{"$ne": ""}',
        "{'$gt': 1}",
        "../../etc/passwd",
        "a.b@x.com",
        "u1:s1",
        "张三",
        "用户\u202e",
        "x" * 5_000,
        "null",
        "0",
        "%00",
        "\ud800",
    ],
)
def test_ids_of_odd_shapes_are_just_strings(odd):
    """Whatever a non-empty string looks like, it is taken as it is, and two different ones are two users."""
    assert resolve_scope(None, runtime(), {"user_id": odd, "session_id": odd}) == Scope(odd, odd)
    assert Scope(odd, "s") != Scope(odd + " ", "s")


@pytest.fixture(params=WAYS[::2])
async def way(request):
    async with open_way(request.param) as opened:
        yield opened


@pytest.mark.parametrize("schema", [None, dict, PydanticUser, DataclassUser])
async def test_every_form_of_context_reaches_the_inner_graph(way, schema):
    """A host's context, with or without a schema of its own, is found by the context graph inside the node."""
    found = []

    def resolver(run):
        found.append(resolve_scope(None, run, {}))
        return found[-1]

    node = ContextNode(build_context_graph(config=SETTINGS, scope=resolver))
    graph = StateGraph(MessagesState, context_schema=schema).add_node("context", node).add_edge(START, "context").compile()
    await way.invoke(graph, {"messages": conversation()}, context=IDS if schema in {None, dict} else schema(**IDS))
    assert found == [Scope("u", "s")]


async def test_the_bare_graph_takes_a_context_schema(way):
    """Alone, the graph checks the context by the schema it was built with, and finds user and session in it."""
    graph = build_context_graph(config=SETTINGS, context_schema=DataclassUser)
    out = await way.invoke(graph, {"messages": conversation()}, context=IDS)
    assert out["context_view"]["messages"]
    with pytest.raises(TypeError, match="session_id"):
        await way.invoke(graph, {"messages": conversation()}, context={"user_id": "u"})


async def test_a_run_without_a_user_is_stopped_before_anything_is_done(way):
    """The error is typed, names the remedy, and comes before the first step; an answer is not given."""
    answer = Answerer()
    with pytest.raises(ScopeError, match="Pass context="):
        await way.invoke(host(answer), {"messages": conversation()}, {"configurable": {"thread_id": "t"}})
    assert answer.seen == []


@pytest.mark.parametrize("scope", [None, "u1", ("u1", "s1"), {"user_id": "u", "session_id": "s"}])
async def test_the_function_takes_only_a_scope(scope):
    """`prepare_context` and `aprepare_context` refuse what looks like a scope and is none."""
    with pytest.raises(ScopeError, match=r"Pass scope=Scope\("):
        prepare_context(conversation(), scope=scope)
    with pytest.raises(ScopeError, match=r"Pass scope=Scope\("):
        await aprepare_context(conversation(), scope=scope)

from __future__ import annotations

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from hypothesis import given
from langchain_core.messages import AIMessage, AIMessageChunk, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.store.base import BaseStore, Item
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore
from strategies import logs

from langchain_contextmode.errors import StoreError
from langchain_contextmode.originals import ROOT, Originals, storable
from langchain_contextmode.parsing import parse
from langchain_contextmode.schema import Scope

SCOPE = Scope("u1", "s1")
SECRET = ("secret text",)
LONE = "\ud800"
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
MESSAGES = [
    HumanMessage("hello", id="h1", name="Ana"),
    HumanMessage([{"type": "text", "text": "What is on it?"}, PICTURE], id="h2"),
    HumanMessage([{"type": "media", "mime_type": "image/png", "data": b"\x00\xff"}], id="h3"),
    HumanMessage(f"half {LONE} a pair, \x00, 你好", id=f"id {LONE}\x00."),
    AIMessage(
        [{"type": "thinking", "thinking": "hm", "signature": "S" * 40}, {"type": "text", "text": "Looking."}],
        id="a1",
        tool_calls=[{"name": "look", "args": {"q": [1, None, {"x": 0.5}]}, "id": "c1", "type": "tool_call"}],
        invalid_tool_calls=[{"name": "look", "args": "{", "id": "c2", "error": "cut", "type": "invalid_tool_call"}],
        usage_metadata={"input_tokens": 7, "output_tokens": 2, "total_tokens": 9, "input_token_details": {"cache_read": 3}},
        response_metadata={"model_name": "m", "logprobs": None},
    ),
    ToolMessage("42", id="t1", tool_call_id="c1", name="look", status="error", artifact={"rows": [1, 2]}),
    SystemMessage("Be brief.", id="s"),
    ChatMessage("hi", role="developer", id="c"),
    AIMessageChunk("part", id="chunk"),
    AIMessage("timed", id="time", additional_kwargs={"contextmode": {"time": datetime(2026, 5, 1, 10, tzinfo=UTC)}, "x": [1, {"y": True}]}),
]


@pytest.fixture(params=["memory", "sqlite"])
def store(request):
    if request.param == "memory":
        yield InMemoryStore()
        return
    with SqliteStore.from_conn_string(":memory:") as opened:
        opened.setup()
        yield opened


FAULTS = ["raises", "error object", "error field", "error", "false", "forgets", "changes", "cannot read"]


class Faulty(InMemoryStore):
    """Fails in one way."""

    def __init__(self, fault):
        super().__init__()
        self.fault = fault

    def put(self, namespace, key, value, index=None, **more):
        if self.fault == "raises":
            raise ConnectionError(*SECRET)
        if self.fault != "forgets":
            super().put(namespace, key, value, index, **more)
        answers = {"error object": {"error": "disk full"}, "error field": SimpleNamespace(error="full"), "error": OSError(), "false": False}
        return answers.get(self.fault)

    def get(self, namespace, key, **more):
        found = super().get(namespace, key, **more)
        if self.fault == "changes" and found is not None:
            return Item(value={**found.value, "message": "{}"}, key=key, namespace=namespace, created_at=0, updated_at=0)
        if self.fault == "cannot read":
            raise ConnectionError
        return found

    async def aput(self, *given_, **more):
        return self.put(*given_, **more)

    async def aget(self, *given_, **more):
        return self.get(*given_, **more)


def test_messages_come_back_as_they_were(store):
    """Tool calls, pictures, bytes, times, usage, artifacts, odd ids and lone surrogates survive, class included."""
    originals = Originals(store)
    originals.put(SCOPE, MESSAGES)
    found = originals.get(SCOPE, [message.id for message in MESSAGES])
    assert found == MESSAGES
    assert [type(message) for message in found] == [type(message) for message in MESSAGES]


async def test_awaiting_does_the_same():
    """What was written awaiting is read blocking, and the other way round."""
    store = InMemoryStore()
    await Originals(store).aput(SCOPE, MESSAGES[:2])
    Originals(store).put(SCOPE, MESSAGES[2:])
    ids = [message.id for message in MESSAGES]
    assert Originals(store).get(SCOPE, ids) == await Originals(store).aget(SCOPE, ids) == MESSAGES


def test_order_and_gaps():
    """Originals come in the order asked for; unknown ids are left out."""
    originals = Originals(InMemoryStore())
    originals.put(SCOPE, MESSAGES)
    assert [m.id for m in originals.get(SCOPE, ["t1", "nobody", "h1"])] == ["t1", "h1"]
    assert originals.get(SCOPE, []) == []


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (Scope("a.b@x.com", "s"), Scope("a_b@x.com", "s")),
        (Scope("u", "a.b"), Scope("u.a", "b")),
        (Scope("李雷", "s"), Scope("李磊", "s")),
        (Scope("u" * 600, "s"), Scope("u" * 599 + "v", "s")),
        (Scope("u", "langgraph"), Scope("u", "Langgraph")),
        (Scope("1", "s"), Scope("1 ", "s")),
        (Scope(LONE, "s"), Scope("?", "s")),
        (Scope('{"$ne": ""}', "s"), Scope("u", "s")),
        (Scope("u", "s"), Scope("s", "u")),
    ],
)
def test_scopes_never_meet(store, mine, other):
    """Whatever the ids look like, one scope reads nothing of another, and every id can be stored."""
    originals = Originals(store)
    originals.put(mine, [HumanMessage("mine", id="m1")])
    assert originals.get(other, ["m1"]) == []
    assert [m.content for m in originals.get(mine, ["m1"])] == ["mine"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_store_that_fails_is_noticed(fault):
    """A store that raises, returns an error, forgets or changes what it was given is a StoreError without any text of it."""
    with pytest.raises(StoreError) as blocking:
        Originals(Faulty(fault)).put(SCOPE, MESSAGES[:1])
    with pytest.raises(StoreError) as awaiting:
        await Originals(Faulty(fault)).aput(SCOPE, MESSAGES[:1])
    assert str(blocking.value) == str(awaiting.value)
    assert "hello" not in str(blocking.value)
    assert "secret" not in str(blocking.value)


def test_reading_that_fails_is_a_store_error():
    """A store that cannot be read says so; nothing is made up."""
    with pytest.raises(StoreError):
        Originals(Faulty("cannot read")).get(SCOPE, ["h1"])


def test_a_changed_item_is_no_message():
    """What does not read as this very message is left out."""
    assert Originals(Faulty("changes")).get(SCOPE, ["h1"]) == []
    store = InMemoryStore()
    Originals(store).put(SCOPE, MESSAGES[:1])
    (item,) = store.search(ROOT)
    for value in [{}, {**item.value, "version": 99}, {**item.value, "message": item.value["message"].replace("h1", "h9")}]:
        store.put(item.namespace, item.key, value)
        assert Originals(store).get(SCOPE, ["h1"]) == []


def test_an_older_content_stays_beside_the_newer():
    """An id that comes with another content is read as it is now; the older original is not destroyed."""
    store = InMemoryStore()
    for text in ("first", "second", "second"):
        Originals(store).put(SCOPE, [HumanMessage(text, id="m1")])
    assert [m.content for m in Originals(store).get(SCOPE, ["m1"])] == ["second"]
    texts = sorted(json.loads(item.value["message"])["data"]["content"] for item in store.search(ROOT))
    assert texts == ["first", "second"]


@pytest.mark.parametrize(
    "message",
    [
        HumanMessage("no id"),
        HumanMessage("object", id="m", additional_kwargs={"x": object()}),
        ToolMessage("frame", id="m", tool_call_id="c", artifact=(1, 2)),
        HumanMessage("marked", id="m", additional_kwargs={"x": {"$bytes": "aGk="}}),
        HumanMessage("not a number", id="m", additional_kwargs={"x": float("nan")}),
    ],
)
def test_what_json_would_change_is_refused(message):
    """A message that would not come back as it was is not stored, and nothing is written."""
    store = InMemoryStore()
    assert not storable(message)
    with pytest.raises(StoreError):
        Originals(store).put(SCOPE, [MESSAGES[0], message])
    assert store.search(ROOT) == []


@given(log=logs())
def test_any_log_survives(log):
    """Whatever the messages: they come back equal."""
    messages = [message for block in parse(log).blocks for message in block.messages]
    store: BaseStore = InMemoryStore()
    assert all(map(storable, messages))
    Originals(store).put(SCOPE, messages)
    assert Originals(store).get(SCOPE, [message.id for message in messages]) == messages

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from strategies import LONE, TEXTS

from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.intents import intent_of
from langchain_contextmode.parsing import parse
from langchain_contextmode.record_losses import losses
from langchain_contextmode.record_templates import CHAT, TASK, RecordField, RecordTemplate, template_for
from langchain_contextmode.records import TurnRecord, record_of, records_of, render_record


def call(name, arguments, result, *, number=1, text="", status="success"):
    return [
        AIMessage(text, id=f"a{number}", tool_calls=[{"name": name, "args": arguments, "id": f"c{number}", "type": "tool_call"}]),
        ToolMessage(result, tool_call_id=f"c{number}", id=f"t{number}", status=status),
    ]


def turn(*messages):
    return parse(messages).blocks


def turns(*messages):
    """Cut one log at its human messages."""
    found = []
    for block in parse(messages).blocks:
        if block.kind == "human":
            found.append([])
        found[-1].append(block)
    return found


TASK_TURN = turn(
    HumanMessage("Please cancel ORD-4711 and do not charge the card", id="h1"),
    *call("cancel_order", {"order_id": "ORD-4711"}, '{"status": "cancelled", "refund": "REF-88"}'),
    AIMessage("Done. The refund REF-88 of $40 comes by 9 May.", id="a9"),
)
LONG = "The old road went on and on past fields of barley, and nobody had much to say about it. " * 40


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Thanks a lot!", "thanks"),
        ("谢谢你", "thanks"),
        ("What time is it?", "question"),
        ("几点出发", "question"),
        ("Book a table for two", "instruction"),
        ("帮我找一家餐厅", "instruction"),
        ("Yes, go ahead", "decision"),
        ("好的，就这个", "decision"),
        ("I never fly before 9:00", "constraint"),
        ("我对花生过敏", "constraint"),
        ("It rained all day", "statement"),
        ("Please find one without nuts", "instruction+constraint"),
        ("  ", ""),
    ],
)
def test_the_intent_is_what_somebody_does_by_saying_it(text, intent):
    """Acts are told in both languages; two of them are joined."""
    assert intent_of(text) == intent


def test_a_task_turn_becomes_a_record():
    """Request, call with outcome, answer, and the ids of all messages are there."""
    record = record_of(TASK_TURN)
    assert record.intent == "instruction+constraint, cancel_order"
    assert record.request == "Please cancel ORD-4711 and do not charge the card"
    assert record.done[0].startswith("cancel_order -> ok (order_id=ORD-4711): ")
    assert "REF-88" in record.done[0]
    assert "$40" in record.done[1]
    assert record.message_ids == ("h1", "a1", "t1", "a9")


def test_a_failed_call_is_an_error():
    """An outcome is `error` by the status of the result or by how its text begins."""
    for result, status in (("no such order", "error"), ("Error: no such order", "success"), ('{"error": "gone"}', "success")):
        (done,) = record_of(turn(HumanMessage("Cancel it", id="h"), *call("cancel", {}, result, status=status))).done
        assert done.startswith("cancel -> error: ")


def test_tools_make_a_task():
    """The template is chosen by whether a tool was called."""
    assert template_for(TASK_TURN) is TASK
    assert template_for(turn(HumanMessage("Hi", id="h"), AIMessage("Hello", id="a"))) is CHAT


def test_an_own_template_decides_what_is_rendered():
    """Fields come in the template's order with its labels; those it leaves out are not there."""
    own = RecordTemplate("own", (RecordField("done", "did: "), RecordField("request", "for: {}%s ")), kinds=("id",))
    line = render_record(record_of(TASK_TURN, own), own)
    assert line.startswith("did: cancel_order -> ok")
    assert line.endswith("for: {}%s Please cancel ORD-4711 and do not charge the card")
    assert "instruction" not in line


def test_empty_fields_are_not_rendered():
    """No label stands alone."""
    assert render_record(TurnRecord("", "Hello there", (), (), ("h",))) == "Hello there"
    assert render_record(record_of([])) == ""


def test_values_of_a_long_message_survive():
    """Of a message longer than the record the pieces with exact values and negations stay."""
    text = f"{LONG}Never ship to Springfield. {LONG}The limit is 2,400 euros for INV-20417. {LONG}"
    line = render_record(record_of(turn(HumanMessage(text, id="h"), AIMessage("Noted.", id="a"))))
    assert "Never ship to Springfield" in line
    assert "2,400 euros" in line
    assert "INV-20417" in line


def test_many_calls_leave_first_and_last():
    """A turn of many calls says how many it does not show."""
    calls = [m for n in range(150) for m in call("search_orders", {"page": n}, f"order ord_{n:03}", number=n)]
    line = render_record(record_of(turn(HumanMessage("Find the late order", id="h"), *calls)))
    assert "search_orders -> ok" in line
    assert " more …" in line
    assert estimate_tokens(line) <= TASK.limit_tokens


def test_neighbours_on_one_topic_share_a_record():
    """Turns that name the same thing, and a bare yes, join the turn before; another topic begins a new record."""
    records = records_of(
        turns(
            HumanMessage("Where is order ORD-4711?", id="h1"),
            AIMessage("ORD-4711 is in Lund.", id="a1"),
            HumanMessage("Then send ORD-4711 back", id="h2"),
            AIMessage("Shall I?", id="a2"),
            HumanMessage("Yes please", id="h3"),
            AIMessage("Sent.", id="a3"),
            HumanMessage("Do you like football?", id="h4"),
            AIMessage("Who does not.", id="a4"),
        )
    )
    assert [record.message_ids for record in records] == [("h1", "a1", "h2", "a2", "h3", "a3"), ("h4", "a4")]
    assert records[0].request == "Where is order ORD-4711? / Then send ORD-4711 back / Yes please"


def test_a_run_has_at_most_five_turns_and_stays_within_the_limit():
    """Turns are joined only while one record holds what all of them say."""
    short = turns(*(m for n in range(12) for m in (HumanMessage(f"ORD-4711 again {n}", id=f"h{n}"), AIMessage("Yes.", id=f"a{n}"))))
    assert [len(record.message_ids) // 2 for record in records_of(short)] == [5, 5, 2]
    long = turns(*(HumanMessage(f"ORD-4711 {LONG}", id=f"h{n}") for n in range(3)))
    assert len(records_of(long)) == 3


def test_what_the_application_put_there_is_nobodys_request():
    """A human-role message of another source is no request."""
    told = HumanMessage("background", id="h", additional_kwargs={"contextmode": {"source": "archive"}})
    assert record_of(turn(told, AIMessage("Fine weather today", id="a"))).request == ""


@given(
    st.lists(TEXTS, min_size=1, max_size=3),
    st.lists(st.tuples(TEXTS, TEXTS), max_size=3),
    st.sampled_from([None, TASK, CHAT, RecordTemplate("small", (RecordField("request"), RecordField("done")), ("id",), limit_tokens=12)]),
)
def test_a_record_is_bounded_and_survives_json(said, calls, template):
    """Whatever is said: a record renders to one line within the limit, equals its JSON copy, and names every message."""
    messages = [HumanMessage(text, id=f"h{n}") for n, text in enumerate(said)]
    for number, (argument, result) in enumerate(calls):
        messages += call("tool_x", {"q": argument}, result, number=number)
    blocks = turn(*messages)
    record = record_of(blocks, template)
    line = render_record(record, template)
    assert estimate_tokens(line) <= (template or TASK).limit_tokens
    assert len(line.splitlines()) <= 1 or "\n" not in line
    assert TurnRecord.from_dict(json.loads(json.dumps(record.as_dict()))) == record
    assert list(record.message_ids) == [i for block in blocks for i in block.ids]


@pytest.mark.parametrize("item", [{}, {"intent": 1}, {"intent": "", "request": "", "done": "x", "entities": [], "message_ids": []}])
def test_a_record_of_another_shape_is_refused(item):
    """Reading state never makes half a record."""
    with pytest.raises(ValueError, match="a turn record has"):
        TurnRecord.from_dict(item)


def test_losses_count_what_a_template_loses():
    """Spans are counted by speaker and kind, fields by turn; examples name the message."""
    request_only = RecordTemplate("request", (RecordField("request"),), ())
    lost = losses([TASK_TURN], request_only)
    assert lost["records"] == 1
    assert lost["spans"]["human"]["id"] == {"had": 1, "lost": 0, "examples": []}
    assert lost["spans"]["ai"]["amount"] == {"had": 1, "lost": 1, "examples": [["a9", "$40"]]}
    assert lost["spans"]["tool"]["id"]["examples"] == [["t1", "REF-88"]]
    assert lost["fields"]["done"] == {"had": 1, "lost": 1, "examples": [["a1", "cancel_order"]]}
    assert json.loads(json.dumps(lost)) == lost


def test_the_built_in_template_loses_nothing_of_a_short_turn():
    """Where a turn fits, no span is lost."""
    lost = losses([TASK_TURN])
    assert sum(kind["lost"] for source in lost["spans"].values() for kind in source.values()) <= 1  # "cancelled" is quoted in JSON
    assert all(field["lost"] == 0 for field in lost["fields"].values())


@pytest.mark.parametrize("unit", ["a", " ", "1 ", '"', "不要", LONE, "Never do ORD-1. "])
def test_a_huge_turn_takes_no_time(unit):
    """Of a very long message only beginning and end are read."""
    huge = (unit * 1_000_000)[:1_000_000]
    start = time.process_time()
    line = render_record(record_of(turn(HumanMessage(f"x {huge}", id="h"), *call("t", {"a": huge}, f"{huge}."))))
    assert estimate_tokens(line) <= TASK.limit_tokens
    assert time.process_time() - start < 8

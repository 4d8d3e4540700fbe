"""An AI message that only calls tools says what it calls, to judges, in lines and in counts."""

from __future__ import annotations

from casework import SCOPE, Says, ai, call, exchanges, human, prepare, result, together
from hypothesis import given
from hypothesis import strategies as st
from summarywork import covered, summarised, transcripts

from langchain_contextmode import ContextConfig, prepare_context
from langchain_contextmode.testing import ScriptedChatModel

ASK_ALL = ContextConfig(protect_messages=0, filter_above_messages=0, keep_score=10, compress_score=0)


def judged(log):
    model = ScriptedChatModel(replies=["{}"])
    filler = exchanges(101, 106, "filler {n} " * 60, "reply {n} " * 60)
    view = prepare_context([*log, *filler, human("One more thing", "hq")], scope=SCOPE, config=ASK_ALL, model=model)
    assert view.messages[-1].content == "One more thing"
    return "\n".join(request.text for request in model.requests)


def test_f_o_027_a_judge_reads_calls_and_results():
    """Name, arguments and result of a call stand in one line of what a judge reads."""
    log = [
        human("Cancel order", "h1"),
        call("a1", ("cancel_order", {"order": "ZX-5519", "reason": "late"}, "c1")),
        result('{"ok":true}', "c1", "t1"),
        ai("Cancelled.", "a2"),
    ]
    line = next(line for line in judged(log).splitlines() if "cancel_order" in line)
    assert line.index("ZX-5519") < line.index("late") < line.index('-> {"ok":true}')


def test_f_o_027_the_summariser_reads_calls_and_results():
    """Name and arguments of a call are in the summariser's request, and each result says which call it answers."""
    log = [
        human("Cancel order", "h1"),
        call("a1", ("cancel_order", {"order": "ZX-5519", "reason": "late"}, "c1"), ("notify", {"who": "Mira"}, "c2")),
        result('{"ok":true}', "c1", "t1"),
        result("sent", "c2", "t2"),
        ai("Cancelled.", "a2"),
    ]
    log = [*log, *exchanges(2, 4, "ok {n}", "Anything else?"), human("One more thing", "hq")]
    model = ScriptedChatModel(replies=["The order was cancelled."])
    view = summarised(log, model=model)
    assert {"a1", "t1", "t2"} <= set(covered(log, view.state))
    lines = "\n".join(transcripts(model)).splitlines()
    first, second = (next(line for line in lines if name in line) for name in ("cancel_order", "notify"))
    assert "ZX-5519" in first
    assert "late" in first
    assert "call 1" in first
    assert "call 2" in second
    assert "call 1" in next(line for line in lines if '{"ok":true}' in line)
    assert "call 2" in next(line for line in lines if line.endswith(": sent"))
    assert "ZX-5519" in view.summary


def test_f_o_028_calls_with_null_content_are_read():
    """A log that begins with calls whose content is null is taken, and both calls are read with their results."""

    def scan(box, number):
        function = {"name": "scan", "arguments": f'{{"box": {box}}}'}
        return {
            "role": "assistant",
            "content": None,
            "id": f"a{number}",
            "tool_calls": [{"type": "function", "id": f"c{number}", "function": function}],
        }

    log = [
        scan(1, 1),
        {"role": "tool", "content": "empty", "tool_call_id": "c1", "id": "t1"},
        scan(2, 2),
        {"role": "tool", "content": "full", "tool_call_id": "c2", "id": "t2"},
    ]
    read = judged(log)
    assert 'scan({"box": 1}) -> empty' in read
    assert 'scan({"box": 2}) -> full' in read
    model = ScriptedChatModel(replies=["Box 1 empty, box 2 full."])
    summarised([*log, human("Which box?", "h1")], keep_last=1, model=model, summary_slice_turns=1)
    told = "".join(transcripts(model))
    assert told.index('scan({"box": 1})') < told.index(": empty") < told.index('scan({"box": 2})') < told.index(": full")
    view = prepare([*log, human("Which box?", "h1")], keep_last=1)
    assert view.messages[-1].content == "Which box?"
    assert together(view, "a1", "t1")
    assert together(view, "a2", "t2")


@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=6), st.integers(0, 99), st.booleans()), min_size=1, max_size=5))
def test_a_line_names_call_and_result(calls):
    """The line that stands for a call names tool, arguments and result, whatever the message itself says."""
    log = []
    for n, (name, number, empty) in enumerate(calls):
        log += [call(f"a{n}", (name, {"n": number}, f"c{n}"), content="" if empty else "ok"), result(f"value {n}", f"c{n}", f"t{n}")]
    view = prepare([*log, human("now?", "hq")], scorer=Says(rest=6))
    for n, (entry, (name, number, _)) in enumerate(zip(view.archive, calls, strict=True)):
        assert f'{name}({{"n": {number}}}) -> value {n}' in entry.text
        assert entry.message_ids == (f"a{n}", f"t{n}")


@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=6), st.integers(0, 99), st.booleans()), min_size=1, max_size=5))
def test_the_summariser_reads_every_call(calls):
    """Tool, arguments and result of every call are in what the summariser reads, whatever the message says, also where nobody spoke."""
    log = []
    for n, (name, number, empty) in enumerate(calls):
        log += [call(f"a{n}", (name, {"n": number}, f"c{n}"), content="" if empty else "ok"), result(f"value {n}", f"c{n}", f"t{n}")]
    model = ScriptedChatModel(replies=["Tools ran."])
    view = summarised([*log, human("now?", "hq")], keep_last=0, model=model, summary_slice_turns=1)
    assert covered(log, view.state)[:2] == ["a0", "t0"]
    read = "\n".join(transcripts(model))
    for n, (name, number, _) in enumerate(calls):
        assert f'{name}({{"n": {number}}})' in read
        assert f": value {n}" in read

"""What is to be summarised reaches the model in requests that fit its window, nothing said is skipped, none is empty."""

from __future__ import annotations

import pytest
from casework import ESTIMATE, RUN, call, human, result
from hostwork import keeping_host
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from summarywork import FAILS, HEADED, covered, settings_for, summarised, transcripts

from langchain_contextmode.testing import ScriptedChatModel


def fits(model, window):
    return all(ESTIMATE.text(request.text) + request.options["max_tokens"] <= window for request in model.requests)


def rounds(log, model, *, limit=12, **settings):
    """Let new requests come by until everything older is covered; return the last view and the model's calls of each turn."""
    state, calls, wanted = None, [], {m.id for m in log}
    for turn in range(limit):
        before = len(model.requests)
        now = [*log, *(human(f"go on {n}", f"q{n}") for n in range(turn + 1))]
        view = summarised(now, keep_last=0, state=state, model=model, summary_slice_turns=1, **settings)
        state = view.state
        calls.append(len(model.requests) - before)
        reports = [note["text"] for note in view.report["notes"] if "requests were needed" in note["text"]]
        assert bool(reports) == (calls[-1] > 1)
        if wanted <= set(covered(now, state)):
            return calls
    raise AssertionError(calls)


def test_f_o_047_a_part_larger_than_the_window_is_read_in_several_requests():
    """Twelve long messages reach a model of 6,000 tokens whole; requests fit with their reply, and their number is bounded and reported."""
    log = [human(f"MARK{n} " + "filler " * 3000, f"h{n}") for n in range(1, 13)]
    model = ScriptedChatModel(replies=["(part)"])
    calls = rounds(log, model, summary_window_tokens=6_000)
    assert fits(model, 6_000)
    read = "\n".join(transcripts(model))
    assert all(f"MARK{n} " in read for n in range(1, 13))
    assert read.count("filler") == 12 * 3000
    assert max(calls) <= 16
    assert all(text.strip() for text in transcripts(model))


def test_f_o_048_a_message_larger_than_the_window_is_not_trimmed_to_nothing():
    """A call and its huge result are read together, the result's beginning among it, and no transcript is empty."""
    log = [human("start", "h1"), call("a1", ("fetch", {}, "c1")), result("HEADLINE alpha " + "body " * 9000, "c1", "t1")]
    model = ScriptedChatModel(replies=["Fetched alpha page."])
    rounds(log, model, summary_window_tokens=3_000)
    assert fits(model, 3_000)
    read = transcripts(model)
    assert all(text.strip() for text in read)
    with_result = [text for text in read if "HEADLINE alpha" in text]
    assert with_result
    assert all("fetch({})" in text for text in with_result)


def steps():
    log = [human("long job", "h1")]
    for n in range(1, 16):
        log += [call(f"a{n}", ("step", {"n": n}, f"c{n}")), result(f"result {n} " + "data " * 400, f"c{n}", f"t{n}")]
    return log


def host_of(model):
    return keeping_host(settings_for(4, summary_window_tokens=2_500, window_turns=1), models={"summary": model}, saver=InMemorySaver())


def test_f_o_049_a_turn_of_tool_steps_alone_is_not_replaced():
    """While the one turn of fifteen steps goes on nothing of it is summarised, and the request is there verbatim."""
    model, log = ScriptedChatModel(replies=["Steps ran."]), steps()
    stored = host_of(model).invoke({"messages": log}, RUN)["messages"]
    assert stored[:-1] == log
    assert model.requests == []


@pytest.mark.parametrize("reply", ["Steps ran.", "", FAILS["raises"]])
def test_f_o_049_steps_leave_only_for_an_accepted_reply(reply):
    """Later the steps leave the log if replies that read all of them were accepted, and stay if not; no fixed text stands for them."""
    model, log = ScriptedChatModel(replies=[reply]), steps()
    graph = host_of(model)
    graph.invoke({"messages": log}, RUN)
    stored = graph.invoke({"messages": [human("and now?", "h2")]}, RUN)["messages"]
    assert model.requests
    assert fits(model, 2_500)
    if reply == "Steps ran.":
        read = "\n".join(transcripts(model))
        assert all(f"result {n} data" in read and f'step({{"n": {n}}})' in read for n in range(1, 16))
        assert [m.id for m in stored if m.id in {"h1", "a1", "t15"}] == []
    else:
        assert [m.id for m in stored][: len(log)] == [m.id for m in log]
    assert stored[-2].content == "and now?"


TEXTS = st.sampled_from(["word ", "字", "https://example.org/a/b?c=1 ", "{} "])
SIZES = st.lists(st.tuples(st.integers(1, 2_000), TEXTS), min_size=1, max_size=4)


@settings(max_examples=30)
@given(SIZES, st.integers(1_400, 12_000), st.integers(1, 6), st.integers(1, 20), st.sampled_from(["(part)", HEADED]))
def test_requests_of_any_sizes_fit_any_window(sizes, window, slice_turns, most_calls, reply):
    """For any turns, window, slices and call limit each request fits with its reply, none is empty, and calls stay inside the limit."""
    log = [human(f"BEGIN{n} {text * count}END{n}", f"h{n}") for n, (count, text) in enumerate(sizes)]
    model = ScriptedChatModel(replies=[reply])
    state, notes = None, []
    for turn in range(3):
        before = len(model.requests)
        log = [*log, human("next", f"q{turn}")]
        config = {"summary_window_tokens": window, "summary_slice_turns": slice_turns, "summary_max_calls": most_calls}
        view = summarised(log, keep_last=0, state=state, model=model, **config)
        state = view.state
        notes += [note["text"] for note in view.report["notes"]]
        assert len(model.requests) - before <= most_calls
    assert fits(model, window)
    assert all(text.strip() for text in transcripts(model))
    read, done = "\n".join(transcripts(model)), set(covered(log, state))
    if model.requests and not any("shortened" in note for note in notes):
        assert all(f"BEGIN{n} " in read and f"END{n}" in read for n in range(len(sizes)) if f"h{n}" in done)

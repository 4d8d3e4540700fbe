"""What people write is data: braces, placeholders and format signs reach every model as they were written."""

from __future__ import annotations

from casework import SCOPE, ai, exchanges, human, shown
from hypothesis import given
from hypothesis import strategies as st
from summarywork import covered, summarised, transcripts

from langchain_contextmode import ContextConfig, prepare_context
from langchain_contextmode.testing import ScriptedChatModel

ASK_ALL = ContextConfig(protect_messages=0, filter_above_messages=0, keep_score=10, compress_score=0)
LITERAL = "literal {history_text} {messages} {summary} {query} $name %s {{x}}"


def run(*log, request="now?"):
    """Return the view of a log and what its judge read."""
    model = ScriptedChatModel(replies=["{}"])
    filler = exchanges(101, 108, "question {n} " * 60, "reply {n} " * 60)
    view = prepare_context([*log, *filler, human(request, "hq")], scope=SCOPE, config=ASK_ALL, model=model)
    assert model.requests
    return view, "\n".join(dict.fromkeys(request.text for request in model.requests))


def test_f_o_057_json_in_messages_is_no_template():
    """Braces reach judge and answering model neither doubled nor stripped."""
    text = 'use {\n "root": {"a": 1}} and {name}'
    view, read = run(human(text, "h1"), ai('{"ok": true}', "a1"), request="again {root}")
    assert 'use { "root": {"a": 1}} and {name}' in read
    assert '{"ok": true}' in read
    assert "again {root}" in read
    assert shown(view, "h1").content == text
    assert view.messages[-1].content == "again {root}"


def test_f_o_058_placeholder_names_are_not_expanded():
    """A message that holds the names of placeholders stands in the prompt once, as it was written."""
    _, read = run(human(LITERAL, "h1"), ai("ok", "a1"))
    assert read.count(LITERAL) == 1


def summary_run(*log, reply="fine", **settings):
    """Summarise what was said; return the view and what the summariser read of it."""
    model = ScriptedChatModel(replies=[reply])
    talk = [*log, *exchanges(101, 104, "question {n}", "reply {n}"), human("again {root}", "hq")]
    view = summarised(talk, keep_last=0, model=model, summary_slice_turns=1, **settings)
    assert {m.id for m in log} <= set(covered(talk, view.state))
    return view, "\n".join(transcripts(model))


def test_f_o_057_json_is_no_template_for_the_summariser():
    """Braces reach summariser, summary and answering model neither doubled nor stripped."""
    text = 'use {\n "root": {"a": 1}} and {name}'
    view, read = summary_run(human(text, "h1"), ai('{"ok": true}', "a1"), reply='Config {"root"} discussed.')
    assert text in read
    assert '{"ok": true}' in read
    assert 'Config {"root"} discussed.' in view.state["summary"]["text"]
    assert view.messages[-1].content == "again {root}"


def test_f_o_058_the_summariser_reads_placeholder_names_once():
    """A message that holds the names of placeholders is in one request, once, as it was written; notes that hold them, too."""
    _, read = summary_run(human(LITERAL, "h1"), ai("ok", "a1"), human("{{notes}} {{transcript}} {{words}}", "h2"))
    assert read.count(LITERAL) == 1
    assert read.count("{{notes}} {{transcript}} {{words}}") == 1
    said = "{{transcript}} {{notes}} {query} %s"
    noted = [f"Noted: {said}", "later"]
    model = ScriptedChatModel(replies=noted)
    log = [human(said + " x" * 90, "h1"), ai("y", "a1"), human("secret word", "h2"), ai("z", "a2"), human("hq", "hq")]
    summarised(log, keep_last=0, model=model, summary_slice_turns=1)
    assert model.requests[1].text.count(noted[0]) == 1
    assert model.requests[1].text.count("secret word") == 1


@given(st.text("{}$%sitemrequcon \\", max_size=60), st.sampled_from(["", "{{items}}", "{{ request }}", "{{ids}}", "{0}", "{context}"]))
def test_any_braces_survive(text, placeholder):
    """Any mixture of braces and signs is in prompt and view as it was written."""
    said = f"x{text}{placeholder}x"
    view, read = run(human(said, "h1"), request=f"again {placeholder}")
    assert " ".join(said.split()) in read
    assert shown(view, "h1").content == said
    assert view.messages[-1].content == f"again {placeholder}"
    _, summed = summary_run(human(said, "h1"))
    assert said.strip() in summed

"""What people write is data: braces, placeholders and format signs reach every model as they were written."""

from __future__ import annotations

from casework import SCOPE, ai, exchanges, human, shown
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.text("{}$%sitemrequcon \\", max_size=60), st.sampled_from(["", "{{items}}", "{{ request }}", "{{ids}}", "{0}", "{context}"]))
def test_any_braces_survive(text, placeholder):
    """Any mixture of braces and signs is in prompt and view as it was written."""
    said = f"x{text}{placeholder}x"
    view, read = run(human(said, "h1"), request=f"again {placeholder}")
    assert " ".join(said.split()) in read
    assert shown(view, "h1").content == said
    assert view.messages[-1].content == f"again {placeholder}"

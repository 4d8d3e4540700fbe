"""Older turns as records: with `turn_form="records"` each turn behind the window is told in a line of its own, in its own words."""

from __future__ import annotations

import json

import pytest
from casework import SCOPE, Says, ai, call, human, result, shown

from langchain_contextmode import ConfigError, ContextConfig, RecordField, RecordTemplate, lost_fields, prepare_context

MORE = "It is rather heavy and has to be lifted by two people at least, as everything that comes with the morning van. " * 4
HARNESS = ContextConfig.preset("harness", filter_above_messages=0, filter_above_tokens=0)


def log(turns):
    messages = []
    for n in range(turns):
        messages += [
            human(f"Move parcel P-{700 + n} to shelf {n}, please. {MORE}", f"h{n}"),
            call(f"c{n}", ("move", {"parcel": f"P-{700 + n}", "shelf": n}, f"k{n}")),
            result(f'{{"status": "ok", "receipt": "R-{900 + n}"}}', f"k{n}", f"t{n}"),
            ai(f"Done, receipt R-{900 + n}.", f"a{n}"),
        ]
    return [*messages, human("Is the van here?", "hq")]


def grown(turns, **collaborators):
    view, messages = None, log(turns)
    for end in (*range(1, len(messages), 4), len(messages)):
        state = view.state if view else None
        view = prepare_context(messages[:end], scope=SCOPE, config=HARNESS, state=state, scorer=Says(rest=2), **collaborators)
    return view


def test_turns_that_leave_the_window_become_records():
    """The last three turns are whole; each older one is a line with request, what was done, exact values and its ids."""
    view = grown(8)
    block = shown(view, "contextmode-session").content
    assert view.decisions["h7"].form == "verbatim"
    assert view.decisions["h0"].form == "summary"
    (line,) = [line for line in block.splitlines() if "P-700" in line]
    assert line.startswith("- [h0")
    assert "turn: " in line
    assert "R-900" in line
    assert "move" in line


def test_a_template_of_the_application_is_used():
    """A template, or a function that chooses one by the turns, says which fields a record has."""
    template = RecordTemplate("short", (RecordField("request", "asked", 30),), ("id",))
    for choice in (template, lambda _: template):
        block = shown(grown(8, record_template=choice), "contextmode-session").content
        (line,) = [line for line in block.splitlines() if "turn: " in line and "P-700" in line]
        assert "asked" in line


def test_a_wrong_template_is_refused():
    """What is neither a template nor a function is an error that says what to pass."""
    with pytest.raises(ConfigError, match="record_template"):
        prepare_context(log(1), scope=SCOPE, record_template="short")


def test_what_records_lose_is_told():
    """The check names the exact spans and fields that records of a conversation lost, as JSON."""
    told = lost_fields(log(4), RecordTemplate("bare", (RecordField("intent", "", 12),), ()))
    assert told["records"] == 5
    assert told["spans"]["human"]["id"]["lost"] == 4
    json.dumps(told)


def broken(_):
    raise KeyError


@pytest.mark.parametrize("template", [broken, lambda _: "short"])
def test_a_template_that_fails_costs_nothing(template):
    """A template function that raises, or returns something else, is reported, and records have their usual form."""
    view = grown(8, record_template=template)
    assert "P-700" in view.summary

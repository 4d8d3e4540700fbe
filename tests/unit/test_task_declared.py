"""What an application declares holds: validators, lists, rules, undo; each test was a defect that a strict reader found."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from pydantic import BaseModel, Field, field_validator

from langchain_contextmode import ConfigError, Scope, TaskSpec, ToolSource, prepare_context, set_field, undo_field
from langchain_contextmode.task.changes import applied
from langchain_contextmode.task.settling import settled
from langchain_contextmode.task.state import TaskProgress
from langchain_contextmode.task.types import Found, Said


class Trip(BaseModel):
    destination: Literal["Paris", "Rome", "Oslo"] | None = None
    hotel: Literal["Ritz", "Savoy"] | None = None
    toppings: list[Literal["ham", "corn", "egg", "olive"]] | None = Field(None, max_length=2, description="toppings")
    travellers: int | None = Field(None, description="Number of travellers")
    ref: str | None = None
    tags: set[str] | None = None
    price: float | None = None

    @field_validator("travellers")
    @classmethod
    def pairs(cls, value):
        if value is not None and value % 2:
            message = "pairs only"
            raise ValueError(message)
        return value


def spec(**given):
    nodes = {"collect": ["destination", "ref"], "pay": []}
    return TaskSpec.from_model(Trip, **{"nodes": nodes, "sources": {"ref": ToolSource("quote", ("ref",))}, **given})


def talk(task, *turns):
    """Return the last view and the log; a turn is what the user says, or messages of the application."""
    log, state, view = [], None, None
    for number, turn in enumerate(turns, 1):
        if isinstance(turn, list):
            log += turn
            continue
        log.append(HumanMessage(turn, id=f"h{number}"))
        view = prepare_context(log, scope=Scope("u", "s"), task=task, state=state)
        state = view.state
        log.append(AIMessage("Noted.", id=f"a{number}"))
    return view, log


def quoted(content):
    calls = [{"id": "k1", "name": "quote", "args": {}}]
    return [AIMessage("", id="c1", tool_calls=calls), ToolMessage(content, tool_call_id="k1", name="quote", id="t1")]


def after(task, log, state):
    log = [*log, HumanMessage("ok", id="h9")]
    return prepare_context(log, scope=Scope("u", "s"), task=task, state=state).task


def test_a_fields_own_validator_holds():
    view, _ = talk(spec(), "We are 3 travellers.")
    assert "travellers" not in view.task.fields
    assert "pairs only" in view.task.questions[0]
    with pytest.raises(ConfigError, match="pairs only"):
        set_field(view.state, "travellers", 5, task=spec())


def test_one_name_is_as_good_as_a_list_of_one():
    view, _ = talk(spec(depends_on={"hotel": "destination"}), "To Paris, hotel Ritz.", "Change the destination to Rome.")
    assert view.task.stale == ("hotel",)


def test_a_synonym_in_one_word_is_not_read_letter_by_letter():
    view, _ = talk(spec(synonyms={"hotel": {"Ritz": "luxury"}}), "I live in block Y, what about plan R?")
    assert "hotel" not in view.task.fields
    view, _ = talk(spec(synonyms={"hotel": {"Ritz": "luxury"}}), "The luxury hotel, please.")
    assert view.task.fields["hotel"] == "Ritz"


def test_a_list_that_would_grow_too_long_stays_and_asks():
    view, _ = talk(spec(), "Toppings: ham", "Toppings: also corn", "Toppings: also egg", "Thanks!")
    assert view.task.fields["toppings"] == ["ham", "corn"]
    assert '"egg" cannot be' in view.task.questions[0]


def said(name, *values, op="set", corrects=False):
    return [Found(name, value, str(value), at, op, corrects) for at, value in enumerate(values)]


def test_good_items_of_a_list_are_taken_and_bad_ones_asked_about():
    progress, changes = applied(spec(), TaskProgress(), said("toppings", "ham", "tar"), Said("h1"))
    assert progress.values["toppings"].value == ["ham"]
    assert [question.said for question in progress.questions] == [("tar",)]
    assert [change.what for change in changes] == ["set", "refused"]


def test_a_bad_item_that_corrects_leaves_the_list_as_it_was():
    progress, _ = applied(spec(), TaskProgress(), said("toppings", "ham"), Said("h1"))
    again, _ = applied(spec(), progress, said("toppings", "tar", corrects=True), Said("h2"))
    assert again.values == progress.values
    assert again.questions[0].trouble == "refused"


def test_a_refused_item_that_is_not_on_the_list_settles_nothing():
    progress, _ = applied(spec(), TaskProgress(), said("toppings", "ham", "tar"), Said("h1"))
    again, changes = applied(spec(), progress, said("toppings", "olive", op="refuse"), Said("h2"))
    assert (again.questions, changes) == (progress.questions, [])


def test_dropping_an_empty_field_settles_what_was_asked_about_it():
    progress, _ = applied(spec(), TaskProgress(), said("travellers", 3), Said("h1"))
    again, _ = applied(spec(), progress, said("travellers", None, op="clear"), Said("h2"))
    assert (len(progress.questions), again.questions) == (1, ())


def test_a_set_reads_the_same_in_every_process():
    assert spec().read("tags", ["pool", "bar", "pool", "garden"]) == (["bar", "garden", "pool"], "")


@pytest.mark.parametrize("content", ['{"ref": ""}', '{"ref": null}', '{"ref": "  "}', "[]", '{"ref": {"a": 1}}'])
def test_nothing_from_a_tool_fills_nothing(content):
    view, _ = talk(spec(), "To Paris.", quoted(content), "Go on.")
    assert (view.task.node, view.task.missing) == ("collect", ("ref",))


def test_a_tools_huge_list_is_refused_and_a_later_one_replaces():
    task = spec(sources={"tags": ToolSource("quote", ("tags",), wins=True)})
    view, _ = talk(task, "Hi", quoted(json.dumps({"tags": [f"tag {n}" for n in range(3000)]})), "Go on.")
    assert len(json.dumps(view.state["task"])) < 100_000
    assert "tags" not in view.task.fields
    assert "more than 50 items" in view.task.questions[0]
    progress, _ = applied(task, TaskProgress(), said("tags", ["bar", "pool"], corrects=True), Said("t1", "tool"))
    progress, _ = applied(task, progress, said("tags", ["garden"], corrects=True), Said("t2", "tool"))
    assert progress.values["tags"].value == ["garden"]


@pytest.mark.parametrize("raw", [float("inf"), "1e999", 10**40, True, None, " ", [1.0], {"a": 1}, Decimal("NaN")])
def test_what_no_board_can_show_is_no_number(raw):
    value, why = spec().read("price", raw)
    assert value is None
    assert why


def test_undo_after_the_replaced_message_was_removed_restores_what_is_left():
    task = spec()
    view, log = talk(task, "To Paris.", "Change the destination to Rome.")
    state = set_field(view.state, "destination", "Oslo", task=task)
    log = [message for message in log if message.id not in {"h2", "a2"}] + [HumanMessage("ok", id="h8")]
    view = prepare_context(log, scope=Scope("u", "s"), task=task, state=state)
    assert view.task.fields["destination"] == "Oslo"
    assert after(task, log, undo_field(view.state, "destination", task=task)).fields["destination"] == "Paris"


@pytest.mark.parametrize("repaired", [(), ("hotel",)])
def test_undo_lifts_what_the_change_did_to_dependents(repaired):
    task = spec(depends_on={"hotel": ["destination"]}, repaired=repaired)
    view, log = talk(task, "To Paris, hotel Ritz.", "Change the destination to Rome.")
    held = after(task, log, undo_field(view.state, "destination", task=task))
    assert held.fields == {"destination": "Paris", "hotel": "Ritz"}
    assert (held.stale, held.questions) == ((), ())


@pytest.mark.parametrize("repaired", [(), ("hotel",)])
def test_undo_outdates_what_was_said_for_the_value_taken_back(repaired):
    task = spec(depends_on={"hotel": ["destination"]}, repaired=repaired)
    view, log = talk(task, "To Paris, hotel Ritz.", "Change the destination to Rome.", "Hotel Savoy.")
    held = after(task, log, undo_field(view.state, "destination", task=task))
    assert held.fields["destination"] == "Paris"
    assert held.stale == ("hotel",) or (repaired and "hotel" not in held.fields)


NEXT = {"collect": "middle", "middle": "pay"}


def test_a_rule_is_called_once_for_each_message_that_changed_something():
    calls = []

    def step(node, values):
        calls.append(dict(values))
        return NEXT.get(node, node)

    task = spec(nodes={"collect": ["destination"], "middle": [], "pay": []}, transition=step)
    view, _ = talk(task, "Hello!", "Thanks, go on.")
    assert (view.task.node, calls) == ("collect", [])
    view, _ = talk(task, "Hello!", "To Paris.", "Thanks!")
    assert (view.task.node, calls) == ("middle", [{"destination": "Paris"}])


def test_a_rule_that_fails_or_names_no_node_is_in_the_report_once():
    for rule in (lambda *_: 1 / 0, lambda *_: "nowhere", lambda *_: ["pay"]):
        view, _ = talk(spec(transition=rule), "To Paris.")
        troubles = [change for change in view.report["task"]["changes"] if change["what"] == "rule"]
        assert len(troubles) == 1
        assert "required fields decide" in troubles[0]["why"]
        assert view.task.node == "collect"


def test_a_rule_cannot_change_the_values():
    def rule(node, values):
        for value in values.values():
            if isinstance(value, list):
                value.clear()
        return node

    progress, _ = applied(spec(transition=rule), TaskProgress(), said("toppings", "ham"), Said("h1"))
    assert progress.values["toppings"].value == ["ham"]


def test_a_removed_message_moves_a_task_back_to_where_the_rest_leads():
    def rule(node, values):
        return "pay" if node == "collect" and "destination" in values else node

    task = spec(transition=rule)
    view, log = talk(task, "We are 4 travellers.", "To Paris.")
    assert view.task.node == "pay"
    log = [message for message in log if message.id not in {"h2", "a2"}]
    assert after(task, log, view.state).node == "collect"


def test_a_stored_value_that_no_longer_fits_is_asked_about_and_kept():
    progress, _ = applied(spec(), TaskProgress(), said("destination", "Oslo"), Said("h1"))

    class Smaller(BaseModel):
        destination: Literal["Paris", "Rome"] | None = None

    now = settled(TaskSpec.from_model(Smaller, nodes={"collect": ["destination"]}), progress)
    assert now.values == {}
    assert now.past["destination"][-1].held.value == "Oslo"
    assert now.questions[0].trouble == "refused"


@pytest.mark.parametrize(
    "given",
    [
        {"nodes": "collect"},
        {"nodes": [("collect", [])]},
        {"units": {"price": 5}},
        {"kinds": {"destination": "money"}},
        {"synonyms": {"hotel": {"Ritz": ["posh"], "Savoy": ["Posh"]}}},
        {"depends_on": ["hotel"]},
        {"repaired": [1]},
        {"sources": {"ref": "quote"}},
        {"transition": "pay"},
    ],
)
def test_a_declaration_that_cannot_work_says_so(given):
    with pytest.raises(ConfigError, match="TaskSpec"):
        spec(**given)

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from tasks import SPEC, after, said

from langchain_contextmode import TaskSpec
from langchain_contextmode.task.board import board, task_state
from langchain_contextmode.task.changes import applied
from langchain_contextmode.task.rewind import taken_back
from langchain_contextmode.task.settling import settled
from langchain_contextmode.task.state import QUESTIONS_MAX, TaskProgress
from langchain_contextmode.task.tools import from_tool
from langchain_contextmode.task.types import Said


def values(progress):
    return {name: held.value for name, held in progress.values.items()}


def test_a_new_value_stands_and_the_old_one_is_history():
    """The newest value holds, with its message and span; the one before is kept with what replaced it."""
    progress, changes = after([said("destination", "Lisbon")], [said("destination", "Porto", corrects=True)])
    assert values(progress) == {"destination": "Porto"}
    assert progress.values["destination"][1:4] == ("Porto", "h2", "human")
    assert [(past.held.value, past.held.message_id, past.ended_by) for past in progress.past["destination"]] == [("Lisbon", "h1", "h2")]
    assert [(change.field, change.what) for change in changes] == [("destination", "set")]


def test_the_same_value_said_again_changes_nothing():
    """Repeating a value is no change and makes no history."""
    progress, changes = after([said("budget", 2500)], [said("budget", 2500.0)])
    assert changes == []
    assert not progress.past


def test_two_values_in_one_message_are_asked_about():
    """Without a word that corrects, neither of two values is taken, and the board asks which."""
    progress, _ = after([said("budget", 900)], [said("budget", 1000), said("budget", 1200, start=9)])
    assert values(progress) == {"budget": 900}
    assert 'budget: which one, "1000" or "1200"?' in board(SPEC, progress)
    progress, _ = after([said("budget", 900)], [said("budget", 1000), said("budget", 1200, start=9, corrects=True)])
    assert values(progress) == {"budget": 1200}


def test_a_value_out_of_range_is_refused_and_asked_about_until_a_good_one_comes():
    """What the declaration refuses changes nothing; the question goes when the field is said."""
    progress, changes = after([said("travellers", 12)])
    assert not progress.values
    assert changes[0].what == "refused"
    assert "travellers" in board(SPEC, progress).split("Open questions")[1]
    progress, _ = after([said("travellers", 12)], [said("travellers", 4)])
    assert not progress.questions


def test_what_depends_on_a_change_is_stale_or_emptied():
    """A new destination makes the hotel doubtful, and the price, which a rule repairs, goes at once."""
    progress, _ = after(
        [said("destination", "Lisbon"), said("travellers", 2, start=5), said("hotel", "Ritz", start=9)], [said("price", 80)]
    )
    assert progress.node == "pay"
    progress, changes = applied(SPEC, progress, [said("destination", "Porto")], Said("h3", "human", 3))
    assert values(progress) == {"destination": "Porto", "travellers": 2, "hotel": "Ritz"}
    assert set(progress.stale) == {"hotel"}
    assert progress.node == "propose"
    assert {(change.field, change.what) for change in changes} == {("destination", "set"), ("hotel", "stale"), ("price", "cleared")}
    shown = board(SPEC, progress)
    assert "Lisbon" not in shown
    assert "hotel: does it still hold now that destination changed?" in shown
    progress, _ = applied(SPEC, progress, [said("hotel", "Ritz")], Said("h4", "human", 4))
    assert not progress.stale
    assert not progress.questions
    assert progress.node == "pay"


def test_a_field_said_together_with_what_it_depends_on_is_fresh():
    """New destination and new hotel in one message leave nothing stale."""
    progress, _ = after(
        [said("destination", "Lisbon"), said("hotel", "Ritz")], [said("destination", "Porto"), said("hotel", "Yeatman", start=9)]
    )
    assert not progress.stale


def test_dropping_and_refusing():
    """A dropped field is empty; refusing its value empties it, refusing another value does not."""
    assert not after([said("hotel", "Ritz")], [said("hotel", None, "clear")])[0].values
    assert not after([said("hotel", "Ritz")], [said("hotel", "Ritz", "refuse")])[0].values
    assert values(after([said("hotel", "Ritz")], [said("hotel", "Plaza", "refuse")])[0]) == {"hotel": "Ritz"}
    assert values(after([said("travellers", 3)], [said("travellers", 3, "refuse"), said("travellers", 4, start=5)])[0]) == {"travellers": 4}


def test_lists_grow_shrink_and_start_anew():
    """A value of a list field takes the list's place, joins it where the words add, and leaves it where they refuse."""
    added = said("stops", "Beja")._replace(adds=True)
    assert values(after([said("stops", "Faro")], [added])[0]) == {"stops": ["Faro", "Beja"]}
    progress, _ = after([said("stops", "Faro")], [added], [said("stops", "Faro", "refuse")])
    assert values(progress) == {"stops": ["Beja"]}
    assert values(after([said("stops", "Faro")], [said("stops", "Evora")])[0]) == {"stops": ["Evora"]}


def test_nodes_follow_what_is_filled_and_go_back_when_it_is_emptied():
    """The current node is the first that lacks something."""
    assert after()[0].node == "collect"
    progress, _ = after([said("destination", "Lisbon"), said("travellers", 2)])
    assert progress.node == "propose"
    progress, _ = after([said("destination", "Lisbon"), said("travellers", 2)], [said("travellers", None, "clear")])
    assert progress.node == "collect"


class Order(BaseModel):
    size: int | None = None


@pytest.mark.parametrize(
    ("rule", "node"),
    [
        (lambda _, values: "b" if values else None, "b"),
        (lambda *_: None, "c"),
        (lambda *_: "nowhere", "c"),
        (lambda *_: 1 / 0, "c"),
    ],
)
def test_the_applications_rule_moves_the_node_and_cannot_break_it(rule, node):
    """A transition rule decides; one that fails, or names no node, leaves it to the required fields."""
    spec = TaskSpec.from_model(Order, nodes={"a": ["size"], "b": [], "c": []}, transition=rule)
    assert after([said("size", 3)], spec=spec)[0].node == node


def test_tools_fill_only_what_is_mapped_to_them():
    """A mapped path of a JSON result is a value; other tools, free text, broken JSON and missing paths say nothing."""
    assert [(item.field, item.value) for item in from_tool(SPEC, "quote", '{"offer": {"price": 120.5}}')] == [("price", 120.5)]
    for tool, text in (
        ("other", '{"offer": {"price": 1}}'),
        ("quote", "price: 120"),
        ("quote", '{"offer": [1]}'),
        ("quote", '{"offer": {"price": {"now": 1}}}'),
        ("quote", "[" * 100_000),
    ):
        assert from_tool(SPEC, tool, text) == []


def test_what_was_edited_or_removed_is_taken_back_with_what_came_after():
    """An edited message, or one that is gone from between others, is forgotten; a log trimmed from the front loses nothing."""
    read = [("h1", "a"), ("h2", "b"), ("h3", "c")]
    assert taken_back(read, {"h1": "a", "h2": "b", "h3": "c"}) == frozenset()
    assert taken_back(read, {"h1": "a", "h2": "X", "h3": "c"}) == {"h2", "h3"}
    assert taken_back(read, {"h1": "a", "h3": "c"}) == {"h2", "h3"}
    assert taken_back(read, {"h1": "a", "h3": "c"}, frozenset({"h2"})) == frozenset()
    assert taken_back(read, {"h3": "c"}) == frozenset()
    assert taken_back(read, {}) == frozenset()


def test_taking_messages_back_restores_what_held_before():
    """Without the later messages the task is what it was before them, stale marks and questions included."""
    messages = [[said("destination", "Lisbon"), said("hotel", "Ritz")], [said("destination", "Porto")], [said("hotel", None, "clear")]]
    progress, _ = after(*messages)
    for kept in (0, 1, 2):
        back = settled(SPEC, progress.rewound(frozenset(f"h{number}" for number in range(kept + 1, 4))))
        expected, _ = after(*messages[:kept])
        assert values(back) == values(expected)
        assert back.node == expected.node
        assert set(back.stale) == set(expected.stale)


found = st.builds(
    said,
    st.sampled_from(["destination", "travellers", "budget", "hotel", "pace", "stops", "price", "nowhere"]),
    st.one_of(st.integers(-5, 3000), st.text(max_size=12), st.sampled_from(["slow", "Lisbon", "Porto", None, float("inf")])),
    st.sampled_from(["set", "set", "set", "clear", "refuse"]),
    start=st.integers(0, 50),
    corrects=st.booleans(),
)
turns = st.lists(st.lists(found, max_size=4), max_size=12)


@given(turns)
def test_whatever_is_said_the_task_is_plain_bounded_and_valid(messages):
    """Any statements in any order: state is JSON and reads back, every value is valid, the board is one block."""
    progress, _ = after(*messages)
    state = json.loads(json.dumps(progress.state()))
    assert TaskProgress.of(state) == progress
    assert all(SPEC.read(name, held.value)[1] == "" for name, held in progress.values.items())
    assert len(progress.questions) <= QUESTIONS_MAX
    assert all(len(items) <= 8 for items in progress.past.values())
    shown = board(SPEC, progress)
    assert shown.count("<task>") == shown.count("</task>") == 1
    assert task_state(SPEC, progress).node in {"collect", "propose", "pay"}


@given(turns, st.integers(0, 12))
def test_taking_back_gives_the_values_of_the_shorter_conversation(messages, kept):
    """Forgetting the end of a conversation leaves the values that its beginning gave, as far as the history reaches."""
    progress, _ = after(*messages)
    back = progress.rewound(frozenset(f"h{number}" for number in range(kept + 1, len(messages) + 1)))
    expected, _ = after(*messages[:kept])
    full = any(len(items) >= 8 for items in progress.past.values())
    assert full or values(back) == values(expected)


@pytest.mark.parametrize("state", [{"version": 1}, {"version": 1, "values": []}, {"version": 1, "node": 1, "values": {"a": [1]}}])
def test_state_of_another_shape_is_a_task_at_its_beginning(state):
    """What cannot be read is not guessed at."""
    assert TaskProgress.of(state) == TaskProgress()

"""Originals come back whole, by id, for the turn that asked for them."""

from __future__ import annotations

import pytest
from casework import SCOPE, Says, ai, call, exchanges, human, prepare, result, shown, system

from langchain_contextmode import ConfigError, ContextConfig, StepError, prepare_context
from langchain_contextmode.restore import restore_messages

LOG = [
    system("Be brief.", "s"),
    *exchanges(1, 6, "What about item {n}? " * 4, "Item {n} is in rack {n}{n}. " * 8),
    human("look it up", "h7"),
    call("a7", ("find", {"item": 9}, "c1"), ("find", {"item": 10}, "c2")),
    result("rack 99 " * 30, "c1", "t1"),
    result("rack 1010 " * 30, "c2", "t2"),
    ai("Found.", "a8"),
    human("And now?", "hq"),
]
NOTHING = ContextConfig(protect_messages=0, filter_above_messages=0, filter_above_tokens=0)


def view_of(log=LOG, **more):
    return prepare_context(log, scope=SCOPE, config=more.pop("config", NOTHING), scorer=Says(rest=0), **more)


def test_a_dropped_message_comes_back_letter_by_letter():
    """What the filter drops is in the view once it is asked for, and the decision says so."""
    assert shown(view_of(), "a3") is None
    view = view_of(restore=["a3"])
    assert shown(view, "a3") == LOG[6]
    assert view.decisions["a3"][:2] == ("keep", "verbatim")
    assert view.decisions["a3"].decided_by == "restore"
    assert view.report["restored"] == ["a3"]


@pytest.mark.parametrize("asked", ["a7", "t1", "t2"])
def test_a_call_comes_back_with_all_its_results(asked):
    """Asking for any message of a call brings the call and every result, in order."""
    view = view_of(restore=[asked])
    assert [m.id for m in view.messages if m.id in {"a7", "t1", "t2"}] == ["a7", "t1", "t2"]


def test_it_stays_for_the_turn_and_goes_after_it():
    """The queue in state serves every view of the turn that asked, and none of the next one."""
    first = view_of(restore=["a3"])
    step = [*LOG, call("a9", ("find", {"item": 1}, "c3")), result("rack 1", "c3", "t3")]
    assert shown(view_of(step, state=first.state), "a3") is not None
    later = [*step, ai("Done.", "a10"), human("Thanks.", "hz")]
    after = view_of(later, state=first.state)
    assert shown(after, "a3") is None
    assert "restore" not in after.state


def test_a_request_in_the_state_is_the_same_as_an_argument():
    """`restore_messages` on the state and `restore=` give the same view; the state given is not changed."""
    before = view_of()
    asked = restore_messages(before.state, ["a3"])
    assert "restore" not in before.state
    assert view_of(state=asked).messages == view_of(restore=["a3"]).messages


def test_an_unknown_id_is_reported_and_costs_nothing():
    """An id that is nowhere is named in the report; the view is made all the same, or refused if errors are to be raised."""
    view = view_of(restore=["nope", "a3"])
    assert shown(view, "a3") is not None
    assert any("nope" in entry["why"] for entry in view.report["degraded"])
    with pytest.raises(StepError, match="nope"):
        view_of(restore=["nope"], config=NOTHING.model_copy(update={"on_error": "raise"}))


@pytest.mark.parametrize("wrong", ["a3", b"a3", [3], [""], [None]])
def test_wrong_ids_are_refused(wrong):
    """A bare text, an empty id or something else than a text gets an error that shows how to ask."""
    with pytest.raises(ConfigError, match="restore"):
        view_of(restore=wrong)
    with pytest.raises(ConfigError, match="restore"):
        restore_messages(None, wrong)


def test_what_does_not_fit_is_shortened_and_the_budget_holds():
    """A restored block larger than the room is shortened with a notice; the view stays inside its budget."""
    log = [human("FIRST " + "word " * 4_000 + " LAST", "h1"), ai("ok", "a1"), human("And?", "hq")]
    view = prepare(log, scorer=Says(rest=0), view_tokens=600)
    assert shown(view, "h1") is None
    again = prepare_context(
        log, scope=SCOPE, config=ContextConfig(view_tokens=600, protect_messages=0), scorer=Says(rest=0), restore=["h1"]
    )
    assert again.tokens <= 600
    assert again.decisions["h1"].form == "shortened"
    assert "left out: message h1" in shown(again, "h1").content


def test_a_step_of_this_turn_comes_back():
    """A completed step that the budget turned into a line is whole again when it is asked for."""
    steps = [m for n in range(9) for m in (call(f"c{n}", ("read", {"n": n}, f"k{n}")), result(f"page {n} " * 60, f"k{n}", f"r{n}"))]
    log = [human("Read all pages.", "hq"), *steps]
    config = ContextConfig(view_tokens=900, protect_messages=0)
    before = prepare_context(log, scope=SCOPE, config=config)
    gone = next(n for n in range(9) if before.decisions[f"r{n}"].form != "verbatim")
    after = prepare_context(log, scope=SCOPE, config=config, restore=[f"r{gone}"])
    assert shown(after, f"r{gone}").content == f"page {gone} " * 60
    assert after.tokens <= 900

"""Every message has a decision that says what, in which form, by whom and why."""

from __future__ import annotations

import pytest
from casework import Says, ai, call, exchanges, human, prepare, result, system

LONG = "The gate is shut and the bridge is up. "


def decided(view, identity):
    decision = view.decisions[identity]
    return decision.action, decision.form, decision.decided_by


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (10, ("keep", "verbatim", "local")),
        (8, ("keep", "verbatim", "local")),
        (7, ("compress", "line", "local")),
        (6, ("compress", "line", "local")),
        (5, ("drop", "none", "local")),
    ],
)
def test_thresholds_decide(score, expected):
    """Keep from 8, compress from 6, else drop."""
    log = [human(LONG * 4, "h1"), ai(LONG * 20, "a1"), human("now?", "hq")]
    view = prepare(log, scorer=Says(rest=1, h1=score))
    assert decided(view, "h1") == expected
    assert view.decisions["h1"].score == score
    assert view.decisions["h1"].reason == "said so"


def test_the_must_set_says_why():
    """System, pinned, request and newest call are kept by rule, without a score."""
    log = [
        system("s", "s1"),
        human("rule", "h1", pinned=True),
        human("q", "hq"),
        call("a1", ("f", {}, "c1")),
        result("1", "c1", "t1"),
        call("a2", ("f", {}, "c2")),
        result("2", "c2", "t2"),
    ]
    view = prepare(log)
    assert {decided(view, i) for i in ("s1", "h1", "hq", "a2", "t2")} == {("keep", "verbatim", "must")}
    assert decided(view, "a1") == ("keep", "verbatim", "recent")
    reasons = {i: view.decisions[i].reason for i in ("s1", "h1", "hq", "a2")}
    assert len(set(reasons.values())) == 4
    assert all(d.score is None for d in view.decisions.values())


def test_recent_messages_are_not_scored_while_they_fit():
    """The newest messages before the request are kept as such."""
    view = prepare([*exchanges(1, 3, "q{n}", "a{n}"), human("now?", "hq")], keep_last=2, scorer=Says(rest=0))
    assert decided(view, "h3") == decided(view, "a3") == ("keep", "verbatim", "recent")
    assert decided(view, "h2") == ("drop", "none", "local")


def test_the_budget_is_named_where_it_decides():
    """What would be kept but does not fit says so; what had to shrink says from and to how many tokens."""
    log = [*exchanges(1, 12, "question {n} " * 20, "answer {n} " * 20), human("now?", "hq")]
    view = prepare(log, view_tokens=300, scorer=Says(rest=9))
    assert {decided(view, i)[2] for i in ("h1", "a1", "h2")} >= {"budget"}
    assert any("budget is used up" in d.reason for d in view.decisions.values())
    view = prepare([human("q", "hq"), call("a1", ("f", {}, "c1")), result(LONG * 200, "c1", "t1")], view_tokens=400)
    assert decided(view, "t1") == ("keep", "shortened", "budget")
    assert "of" in view.decisions["t1"].reason
    assert decided(view, "a1") == ("keep", "verbatim", "must")


def test_a_repaired_message_is_not_called_verbatim():
    """A message that had to be changed to be sent is in the view as shortened, with the change as reason."""
    view = prepare([human("q", "h1"), call("a1", ("f", {}, "c1")), result("", "c1", "t1"), human("now?", "hq")], keep_last=9)
    assert decided(view, "t1") == ("keep", "shortened", "must")
    assert "returned nothing" in view.decisions["t1"].reason


def test_old_steps_of_a_turn_become_lines():
    """Steps that leave inside a turn are compressed by the budget and named in the archive."""
    log = [human("q", "hq")]
    for n in range(40):
        log += [call(f"a{n}", ("f", {"n": n}, f"c{n}")), result(LONG * 3, f"c{n}", f"t{n}")]
    view = prepare(log, view_tokens=900)
    assert decided(view, "a0") in {("compress", "line", "budget"), ("compress", "none", "budget")}
    assert ("a0", "t0") in [entry.message_ids for entry in view.archive]


def test_a_reference_lifts_its_target():
    """What a kept message refers to is at least compressed, and says who refers to it."""
    log = [
        human(LONG * 4, "h1"),
        ai("fine", "a1"),
        human("as I said", "h2", contextmode={"ref_message_ids": ["h1", "gone"]}),
        human("now?", "hq"),
    ]
    view = prepare(log, keep_last=1, scorer=Says(rest=0))
    assert decided(view, "h1")[0::2] == ("compress", "reference")
    assert "h2" in view.decisions["h1"].reason


def test_decisions_are_in_log_order():
    """Decisions stand in the order of the log, those that can never be sent included."""
    log = [result("x", "gone", "t0"), human("q", "h1"), ai(" ", "a1"), human("now?", "hq")]
    assert list(prepare(log).decisions) == ["t0", "h1", "a1", "hq"]

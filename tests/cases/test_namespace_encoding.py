"""Two scopes never share a name, whatever their ids hold, and every name is one that Chroma takes."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode import Memory, Scope
from langchain_contextmode.stores.chroma_rows import owner_of, session_of
from langchain_contextmode.stores.rows import label

IDS = st.text(st.one_of(st.sampled_from("ab_:/.% \"',[]{}$-\\"), st.characters()), min_size=1).filter(str.strip)
ODD = [
    "Ana.Smith@example.com",
    "用户甲",
    "用户乙",
    "x",
    "a..b",
    "192.168.0.1",
    "-x-",
    "CON",
    "Ana.Smith@example,com",
    "L" * 600,
    "ana.smith@example.com",
]


def texts(rows):
    return [row.text for row in rows]


def test_f_o_086_a_prefix_is_another_place(new_store):
    """`acme` and `acme-corp`, session `1` and `10` are apart, in reading and in deleting."""
    store = new_store()
    scopes = {"A": Scope("acme", "1"), "B": Scope("acme-corp", "1"), "C": Scope("acme", "10")}
    for name, scope in scopes.items():
        store.add(scope, [Memory(text=f"row {name}")])
    assert texts(store.search(scopes["A"], "row")) == texts(store.list(scopes["A"])) == ["row A"]
    assert store.clear(scopes["A"]) == 1
    assert [texts(store.list(scope)) for scope in scopes.values()] == [[], ["row B"], ["row C"]]


def test_f_o_087_separators_separate_nothing(new_store):
    """Ids that would run together with a separator between them are different places."""
    store = new_store()
    pairs = [("team_a", "x"), ("team", "a_x"), ("a:b", "c"), ("a", "b:c"), ("a/b", "c"), ("a", "b/c")]
    for number, pair in enumerate(pairs):
        store.add(Scope(*pair), [Memory(text=f"r{number}")])
    assert [texts(store.list(Scope(*pair))) for pair in pairs] == [[f"r{number}"] for number in range(len(pairs))]


def test_f_o_088_any_id_is_a_user(new_store):
    """Addresses, names in any script, reserved words and long ids write and list exactly their own row."""
    store = new_store()
    for number, user in enumerate(ODD):
        store.add(Scope(user, "s1"), [Memory(text=f"row of {number}")])
    assert [texts(store.list(Scope(user, "s1"))) for user in ODD] == [[f"row of {number}"] for number in range(len(ODD))]


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS))
def test_names_of_scopes_are_injective(first, second):
    """Different users have different names, different scopes different ones; all are letters and digits of a fixed number."""
    assert (owner_of(first[0]) == owner_of(second[0])) == (first[0] == second[0])
    assert (session_of(*first) == session_of(*second)) == (first == second)
    assert re.fullmatch("[0-9a-f]{32}", owner_of(first[0]))


@given(st.lists(IDS, max_size=4), st.lists(IDS, max_size=4))
def test_lists_of_texts_never_share_a_label(first, second):
    """A label is of the whole list: neither joining nor splitting gives another list's."""
    assert (label(*first) == label(*second)) == (first == second)

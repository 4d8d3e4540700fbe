"""A filter of a caller narrows; it names no scope, holds no operator, and its absence is never "everything"."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langchain_contextmode import ConfigError, Memory, Scope, ScopeError
from langchain_contextmode.stores.chroma_rows import owner_of, where_of
from langchain_contextmode.stores.rows import checked_filter, checked_scope

UA, UB = Scope("ua", "s1"), Scope("ub", "s1")
PLAIN = st.one_of(st.text(max_size=6), st.integers(), st.booleans(), st.floats(allow_nan=False))
ANY = st.recursive(
    st.one_of(PLAIN, st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
)
NAMES = st.one_of(st.text(max_size=6), st.sampled_from(["user_id", "session_id", "$or", "$and", "type", "topic", "id", "owner", "ids"]))


def texts(rows):
    return [row.text for row in rows]


@pytest.mark.parametrize(
    ("user", "session"), [({"$ne": ""}, "s1"), ({"$in": ["ua", "ub"]}, "s1"), (["ua", "ub"], "s1"), ("ua", {"$ne": "z"})]
)
def test_f_o_089_an_object_is_no_id(user, session):
    """An id that is an object or a list is refused before there is a scope."""
    with pytest.raises(ScopeError):
        Scope(user, session)


def test_f_o_089_an_operator_is_a_name(new_store):
    """The texts `$ne` and `$or` are ids like any other."""
    store, odd = new_store(), Scope("$ne", "$or")
    store.add(UA, [Memory(text="ua row")])
    store.add(odd, [Memory(text="odd")])
    assert texts(store.list(odd)) == ["odd"]
    assert texts(store.list(UA)) == ["ua row"]


def test_f_o_090_a_filter_narrows(new_store):
    """Fields and metadata narrow together; the scope and operators cannot be named; an empty one is none."""
    store = new_store()
    store.add(UA, [Memory(text="work row", metadata={"topic": "work", "year": 2025})])
    store.add(UB, [Memory(text="ub work", metadata={"topic": "work"})])
    assert texts(store.search(UA, "row", filter={"topic": "work", "year": 2025})) == ["work row"]
    assert texts(store.search(UA, "row", filter={})) == texts(store.search(UA, "row", filter={"topic": "work"})) == ["work row"]
    for odd in ({"user_id": "ub"}, {"$or": [{"topic": "work"}, {"user_id": "ub"}]}, {"$and": [{"topic": "work"}]}):
        with pytest.raises(ConfigError):
            store.search(UA, "row", filter=odd)


@pytest.mark.parametrize("scope", [None, {}, {"user_id": None}])
def test_f_o_091_nothing_is_built_without_a_user(scope):
    """What builds the filter gets a `Scope` or raises."""
    with pytest.raises(ScopeError):
        where_of(checked_scope(scope))


@given(st.text(min_size=1).filter(str.strip), st.booleans(), st.booleans(), st.dictionaries(NAMES, PLAIN, max_size=3))
def test_every_filter_holds_the_user(user, sessions, active, wanted):
    """Whatever is asked for, the user stands at the top of the filter, joined by AND with all the rest."""
    try:
        checked = checked_filter(wanted)
    except ConfigError:
        return
    where = where_of(Scope(user, "s"), all_sessions=sessions, active=active, wanted=checked)
    clauses = where.get("$and", [where])
    assert {"owner": {"$eq": owner_of(user)}} in clauses
    assert len(where) == 1


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(odd=st.one_of(st.dictionaries(NAMES, ANY, max_size=3), ANY))
def test_no_filter_finds_another_users_row(new_store, folder, odd):
    """Any object for a filter is a typed error, or finds rows of this scope only."""
    del folder
    store = new_store()
    store.add(UA, [Memory(text="a row", metadata={"topic": "x"})])
    store.add(UB, [Memory(text="a row", metadata={"topic": "x"})])
    try:
        found = store.search(UA, "row", filter=odd)
    except ConfigError:
        return
    assert all(row.user_id == "ua" for row in found)

"""What Chroma refuses (nothing, lists, objects, empty batches, repeated ids) is stored, or left out, as documented."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langchain_contextmode import Memory, Scope

U1 = Scope("u1", "s1")
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=8,
)


def texts(rows):
    return [row.text for row in rows]


def test_f_o_092_nothing_is_a_value(new_store):
    """A `None` in metadata is stored and read as `None`, and the rest stays."""
    store = new_store()
    store.add(U1, [Memory(text="row", metadata={"topic": None, "n": 1})])
    assert store.search(U1, "row")[0].metadata == {"topic": None, "n": 1}


def test_f_o_093_lists_and_objects_are_values(new_store):
    """Lists, empty ones, objects and times as texts are read as they were written."""
    store, held = new_store(), {"tags": ["a", "b"], "none": [], "pos": {"x": 1}, "when": "2026-03-01T09:00:00+02:00"}
    store.add(U1, [Memory(text="row", metadata=held)])
    assert store.search(U1, "row")[0].metadata == held


def test_f_o_094_nothing_to_do_is_done(new_store):
    """Empty lists, blank texts, empty queries and limits of none raise nothing, store nothing and find nothing."""
    store = new_store()
    assert store.add(U1, []) == store.add(U1, [Memory(text="")]) == store.add(U1, [Memory(text=" \n ")]) == []
    assert store.search(U1, "") == store.search(U1, "x", 0) == store.search(U1, "x", 50) == store.list(U1) == []


def test_f_o_095_deleting_nothing_deletes_nothing(new_store):
    """No ids are no rows; only `clear` empties a scope."""
    store = new_store()
    store.add(U1, [Memory(text="row")])
    assert store.delete(U1, []) == store.delete(U1, iter(())) == store.delete(U1, ["", "{}", "nowhere"]) == 0
    assert texts(store.list(U1)) == ["row"]


def test_f_o_096_ids_of_the_caller_count_for_nothing(new_store):
    """Ids come from scope and text: blank and repeated ones of the caller lose no row and replace none."""
    store = new_store()
    store.add(U1, [Memory(id=identity, text=text) for identity, text in [("", "one"), ("", "two"), ("z", "three"), ("z", "four")]])
    store.add(U1, [Memory(id="z", text="five")])
    assert sorted(texts(store.list(U1))) == ["five", "four", "one", "three", "two"]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_any_json_comes_back_as_it_was(new_store, metadata):
    """Metadata of any JSON is read as it was written, by listing and by searching."""
    store = new_store()
    store.add(U1, [Memory(text="a row", metadata=metadata)])
    assert store.list(U1)[0].metadata == store.search(U1, "row")[0].metadata == metadata

"""No row of one user reaches another: user and session are in the store's own query, and every row is checked again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langchain_contextmode import ChromaMemoryStore, ConfigError, HashingEmbeddings, Memory, Scope, ScopeError, StoreError
from langchain_contextmode.stores.chroma_rows import owner_of

UA, UB = Scope("ua", "s1"), Scope("ub", "s1")


def texts(rows):
    return [row.text for row in rows]


def test_f_o_082_a_shared_session_name_shares_nothing(new_store):
    """Another user finds nothing, in another session or in one of the same name."""
    store = new_store()
    store.add(UA, [Memory(text="door code 4411")])
    assert store.search(Scope("ub", "s2"), "door code") == store.search(UB, "door code") == []


def test_f_o_082_the_user_is_in_every_query(folder):
    """Whatever is asked of Chroma holds the user in its filter; no row is left to a later check."""
    store, asked = ChromaMemoryStore(folder, collection="spied"), []
    [first] = store.add(UB, [Memory(text="door code 4411")])
    call = store._at.call
    store._at.call = lambda scope, method, what, **given: asked.append((method, given)) or call(scope, method, what, **given)
    run = store._at.run
    store._at.run = lambda scope, action, what: run(scope, lambda collection: action(Spy(collection, asked)), what)
    store.search(UB, "door code")
    store.get(UB, [first])
    store.list(UB)
    store.delete(UB, [first])
    reads = [given for method, given in asked if method in {"get", "query", "delete"}]
    assert len(reads) > 3
    assert all(owner_of("ub") in str(given["where"]) for given in reads)


class Spy:
    """A collection that notes what is asked of it."""

    def __init__(self, collection, asked):
        self._collection, self._asked = collection, asked

    def __getattr__(self, name):
        """Note the call, then do it."""
        found = getattr(self._collection, name)
        if not callable(found):
            return found
        return lambda **given: self._asked.append((name, given)) or found(**given)


@pytest.mark.parametrize("scope", [{}, {"user_id": None, "session_id": "s1"}, {"userId": "ua"}, None, "ua"])
def test_f_o_083_no_scope_no_call(new_store, scope):
    """What is no `Scope` raises before the store is touched."""
    store = new_store()
    store.add(UA, [Memory(text="likes dill")])
    with pytest.raises(ScopeError):
        store.search(scope, "likes")


@pytest.mark.parametrize("user", [None, "", "   ", 1, ["ua"], {"$ne": ""}])
def test_f_o_083_no_user_no_scope(user):
    """There is no scope without a user: a typed error that is a ValueError, too."""
    with pytest.raises(ScopeError) as caught:
        Scope(user, "s1")
    assert isinstance(caught.value, ValueError)


def test_f_o_084_a_write_that_failed_opens_nothing(new_store):
    """An embedder that fails for one user leaves a shared session name as empty for them as it was."""
    embedder = Fails()
    store = new_store(embedder)
    store.add(Scope("ua", "shared"), [Memory(text="ua secret")])
    embedder.fails = True
    with pytest.raises(StoreError):
        store.add(Scope("ub", "shared"), [Memory(text="ub note")])
    embedder.fails = False
    assert store.search(Scope("ub", "shared"), "secret note") == []


class Fails(HashingEmbeddings):
    fails = False

    def embed_documents(self, texts):
        if self.fails:
            raise ConnectionError
        return super().embed_documents(texts)


def test_f_o_085_an_id_is_no_key(new_store):
    """Knowing the id of a row gives another user no read, no change and no count."""
    store = new_store()
    [identity] = store.add(UA, [Memory(text="ua row")])
    assert store.get(UB, [identity]) == store.list(UB) == []
    with pytest.raises(ConfigError, match="no memory"):
        store.update(UB, identity, text="changed")
    assert store.delete(UB, [identity]) == store.count(UB) == 0
    assert texts(store.get(UA, [identity])) == ["ua row"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from(["add", "promote", "delete", "clear"]), st.integers(0, 3)
        ),
        max_size=12,
    )
)
def test_any_order_of_calls_leaves_scopes_apart(new_store, calls):
    """After any adds, promotions, deletions and clearings each scope sees what it put there, or its user promoted, and no more."""
    store, own, shared = new_store(), {}, {}
    for user, session, action, number in calls:
        scope, text = Scope(user, session), f"note {number}"
        mine = own.setdefault((user, session), set())
        ids = [row.id for row in store.list(scope) if row.text == text and not row.promoted]
        if action == "add":
            store.add(scope, [Memory(text=text)])
            mine.add(text)
        elif action == "promote" and text in mine:
            store.promote(scope, ids)
            mine.discard(text)
            shared.setdefault(user, set()).add(text)
        elif action == "delete":
            store.delete(scope, ids)
            mine.discard(text)
        elif action == "clear":
            store.clear(scope)
            mine.clear()
    for user in "abc":
        for session in "xyz":
            wanted = own.get((user, session), set()) | shared.get(user, set())
            assert set(texts(store.list(Scope(user, session)))) == wanted
            assert set(texts(store.search(Scope(user, session), "note", 20))) == wanted

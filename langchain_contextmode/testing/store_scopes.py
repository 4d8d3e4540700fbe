# ruff: noqa: PLR2004, RUF001, S101  (a suite of tests: numbers, Chinese and assert are how it speaks)
"""Whose memories a store gives out: promises about scopes, ids and filters."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import pytest

from langchain_contextmode.errors import ConfigError, ScopeError
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.schema import Scope
from langchain_contextmode.testing.scopes import ANA, ANA2, BOB, texts

if TYPE_CHECKING:
    from langchain_contextmode.stores.base import MemoryStore

HOSTILE: Final = ["$ne", '{"$ne": ""}', "a'b\"c", "x@y.z", "ａna", "а", "\ud800", "u" * 600, "../..", "*", "ana\x00", " ana"]


class ScopeContract:
    """A row is seen in its own session, a promoted one by its user, and nothing by anyone else."""

    def test_what_was_added_is_found_listed_and_read(self, store: MemoryStore) -> None:
        """A memory comes back with owner, times and all it was given."""
        [identity] = store.add(
            ANA, [Memory(text="I like window seats", type="preference", importance=0.8, metadata={"k": 1, "b": True}, turns=("t1",))]
        )
        [row] = store.search(ANA, "window seat")
        assert (row.id, row.text, row.type, row.importance, row.metadata, row.turns) == (
            identity, "I like window seats", "preference", 0.8, {"k": 1, "b": True}, ("t1",),
        )  # fmt: skip
        assert 0 < (row.score or 0) <= 1
        assert row.created_at > 1_700_000_000_000
        assert store.get(ANA, [identity, "nowhere"])[0].id == identity
        assert texts(store.list(ANA)) == ["I like window seats"]
        assert store.count(ANA) == 1
        assert json.loads(json.dumps(store.export(ANA)))[0]["user_id"] == "ana"

    def test_a_session_sees_its_own_and_what_was_promoted(self, store: MemoryStore) -> None:
        """Short-term rows stay in their session, promoted ones are in all sessions of the user, and nobody else's are anywhere."""
        [first] = store.add(ANA, [Memory(text="The code word is heron")])
        store.add(BOB, [Memory(text="The code word is badger")])
        assert store.search(ANA2, "code word") == []
        [promoted] = store.promote(ANA, [first])
        assert texts(store.search(ANA2, "code word")) == ["The code word is heron"]
        assert store.search(ANA2, "code word", cross_session=False) == []
        assert texts(store.search(BOB, "code word")) == ["The code word is badger"]
        assert store.get(BOB, [promoted, first]) == []
        assert texts(store.list(ANA)) == ["The code word is heron"]

    def test_ids_of_others_change_nothing(self, store: MemoryStore) -> None:
        """Deleting, updating or clearing with another user's ids leaves their rows as they were."""
        [identity] = store.add(ANA, [Memory(text="heron", promoted=True)])
        assert store.delete(BOB, [identity]) == 0
        assert store.clear(BOB, all_sessions=True) == 0
        with pytest.raises(ConfigError):
            store.update(BOB, identity, text="mine now")
        assert store.promote(BOB, [identity]) == []
        store.touch(BOB, [identity])
        assert store.get(ANA, [identity])[0].access_count == 0

    @pytest.mark.parametrize("user", HOSTILE)
    def test_any_id_is_only_a_name(self, store: MemoryStore, user: str) -> None:
        """Operators, JSON, quotes, look-alikes, lone surrogates and long ids name one user and session each."""
        scope = Scope(user, user)
        [identity] = store.add(scope, [Memory(text=f"secret of {len(user)}", promoted=True)])
        store.add(ANA, [Memory(text="secret of ana", promoted=True)])
        assert texts(store.list(scope, all_sessions=True)) == [f"secret of {len(user)}"]
        assert texts(store.search(ANA, "secret")) == ["secret of ana"]
        assert store.list(scope)[0].user_id == user
        assert store.delete(scope, [identity]) == 1

    def test_two_ids_never_run_together(self, store: MemoryStore) -> None:
        """("a", "bc") and ("ab", "c") are different places."""
        store.add(Scope("a", "bc"), [Memory(text="one")])
        assert store.list(Scope("ab", "c")) == []

    def test_a_filter_only_narrows(self, store: MemoryStore) -> None:
        """Fields and metadata narrow; scope, operators and odd values are refused."""
        rows = [Memory(text="tea one", type="preference", metadata={"lang": "en"}), Memory(text="tea two", metadata={"lang": "zh", "n": 1})]
        store.add(ANA, rows)
        store.add(BOB, [Memory(text="tea three", type="preference")])
        assert texts(store.search(ANA, "tea", filter={"type": "preference"})) == ["tea one"]
        assert texts(store.search(ANA, "tea", filter={"lang": ["zh", "fr"], "n": 1})) == ["tea two"]
        assert store.search(ANA, "tea", filter={"n": "1"}) == []
        assert store.search(ANA, "tea", filter={"nowhere": "x"}) == []
        odd: Any
        for odd in (
            {"user_id": "bob"},
            {"session_id": "s1"},
            {"$or": []},
            {"type": {"$ne": ""}},
            {"type": None},
            {"type": []},
            {"": 1},
            [],
            "x",
        ):
            with pytest.raises(ConfigError):
                store.search(ANA, "tea", filter=odd)

    def test_clearing_a_session_leaves_the_rest(self, store: MemoryStore) -> None:
        """A session's own rows go; promoted ones and other sessions stay, unless everything of the user is to go."""
        store.add(ANA, [Memory(text="short"), Memory(text="long", promoted=True)])
        store.add(ANA2, [Memory(text="other session")])
        store.add(BOB, [Memory(text="bob's")])
        assert store.clear(ANA) == 1
        assert sorted(texts(store.list(ANA, all_sessions=True))) == ["long", "other session"]
        assert store.clear(ANA, all_sessions=True) == 2
        assert store.list(ANA, all_sessions=True) == []
        assert texts(store.list(BOB)) == ["bob's"]
        assert store.delete(BOB, []) == 0
        assert store.add(BOB, []) == []
        assert store.count(BOB) == 1

    @pytest.mark.parametrize("scope", [None, "ana", ("ana", "s1"), {"user_id": "ana", "session_id": "s1"}])
    def test_nothing_works_without_a_scope(self, store: MemoryStore, scope: Any) -> None:
        """Every method wants a Scope and takes nothing for one."""
        for act in (
            lambda: store.add(scope, [Memory(text="x")]),
            lambda: store.search(scope, "x"),
            lambda: store.list(scope),
            lambda: store.get(scope, ["x"]),
            lambda: store.delete(scope, ["x"]),
            lambda: store.delete(scope, []),
            lambda: store.clear(scope),
            lambda: store.promote(scope, ["x"]),
            lambda: store.export(scope),
            lambda: store.update(scope, "x", text="y"),
        ):
            with pytest.raises(ScopeError):
                act()

    def test_sessions_tell_their_last_use(self, store: MemoryStore) -> None:
        """A user's sessions with rows of their own, and when each was last written or used; nobody else's."""
        store.touch(ANA, store.add(ANA, [Memory(text="one")]), now=4_000_000_000_000)
        store.add(ANA2, [Memory(text="two"), Memory(text="three", promoted=True)])
        found = store.sessions(BOB), store.sessions(ANA)
        assert found[0] == {}
        assert found[1]["s1"] == 4_000_000_000_000
        assert 1_700_000_000_000 < found[1]["s2"] < 4_000_000_000_000

    def test_what_is_buried_stays_buried(self, store: MemoryStore) -> None:
        """Tombstones are of one user, outlive everything of the user, and are no rows."""
        assert store.buried(ANA, ["h1"]) == set()
        store.bury(ANA, ["h1", "h2"])
        store.bury(ANA, ["h1"])
        store.bury(ANA, [])
        store.clear(ANA, all_sessions=True)
        assert store.buried(ANA2, ["h1", "h2", "h3"]) == {"h1", "h2"}
        assert store.buried(ANA, []) == store.buried(BOB, ["h1"]) == set()
        assert store.list(ANA, all_sessions=True) == store.search(ANA, "h1") == []

    def test_threads_lose_nothing(self, store: MemoryStore) -> None:
        """Eight threads of two users write and read at once; each finds its own, all of it."""

        def work(n: int) -> None:
            scope = Scope(f"user{n % 2}", "s")
            for i in range(5):
                store.add(scope, [Memory(text=f"thread {n} note {i}")])
                assert all(row.user_id == scope.user_id for row in store.search(scope, "note"))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert [store.count(Scope(f"user{n}", "s")) for n in (0, 1)] == [20, 20]

"""What every memory store promises."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from langchain_contextmode import ConfigError, Memory, Scope, ScopeError

ANA, ANA2, BOB = Scope("ana", "s1"), Scope("ana", "s2"), Scope("bob", "s1")
HOSTILE = ["$ne", '{"$ne": ""}', "a'b\"c", "x@y.z", "ａna", "а", "\ud800", "u" * 600, "../..", "*", "ana\x00", " ana"]


def texts(rows):
    return [row.text for row in rows]


def test_what_was_added_is_found_listed_and_read(store):
    """A memory comes back with owner, times and all it was given."""
    [identity] = store.add(
        ANA, [Memory(text="I like window seats", type="preference", importance=0.8, metadata={"k": 1, "b": True}, turns=("t1",))]
    )
    [row] = store.search(ANA, "window seat")
    assert (row.id, row.text, row.type, row.importance, row.metadata, row.turns) == (
        identity, "I like window seats", "preference", 0.8, {"k": 1, "b": True}, ("t1",),
    )  # fmt: skip
    assert 0 < row.score <= 1
    assert row.created_at > 1_700_000_000_000
    assert store.get(ANA, [identity, "nowhere"])[0].id == identity
    assert texts(store.list(ANA)) == ["I like window seats"]
    assert store.count(ANA) == 1
    assert json.loads(json.dumps(store.export(ANA)))[0]["user_id"] == "ana"


def test_a_session_sees_its_own_and_what_was_promoted(store):
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


def test_ids_of_others_change_nothing(store):
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
def test_any_id_is_only_a_name(store, user):
    """Operators, JSON, quotes, look-alikes, lone surrogates and long ids name one user and session each."""
    scope = Scope(user, user)
    [identity] = store.add(scope, [Memory(text=f"secret of {len(user)}", promoted=True)])
    store.add(ANA, [Memory(text="secret of ana", promoted=True)])
    assert texts(store.list(scope, all_sessions=True)) == [f"secret of {len(user)}"]
    assert texts(store.search(ANA, "secret")) == ["secret of ana"]
    assert store.list(scope)[0].user_id == user
    assert store.delete(scope, [identity]) == 1


def test_two_ids_never_run_together(store):
    """("a", "bc") and ("ab", "c") are different places."""
    store.add(Scope("a", "bc"), [Memory(text="one")])
    assert store.list(Scope("ab", "c")) == []


def test_the_same_text_is_one_row(store):
    """Saying it again unites turns and sources, keeps the higher importance and the first time."""
    [one] = store.add(ANA, [Memory(text="I like tea", turns=("t1",), importance=0.3, source_message_ids=("m1",))])
    [two] = store.add(ANA, [Memory(text=" i LIKE  tea ", turns=("t2",), importance=0.2, source_message_ids=("m2",))])
    [row] = store.list(ANA)
    assert one == two == row.id
    assert (row.turns, row.source_message_ids, row.importance) == (("t1", "t2"), ("m1", "m2"), 0.3)
    assert store.add(ANA, [Memory(text="I like jazz"), Memory(text="I like jazz")])[0] in {row.id for row in store.list(ANA)}
    assert store.count(ANA) == 2


def test_promoting_what_is_promoted_unites(store):
    """Two sessions that promote one statement have one row."""
    for scope in (ANA, ANA2):
        store.promote(scope, store.add(scope, [Memory(text="I like tea", turns=(scope.session_id,))]))
    [row] = store.list(Scope("ana", "s3"))
    assert row.promoted
    assert set(row.turns) == {"s1", "s2"}
    assert store.count(ANA, all_sessions=True) == 1


def test_a_filter_only_narrows(store):
    """Fields and metadata narrow; scope, operators and odd values are refused."""
    rows = [Memory(text="tea one", type="preference", metadata={"lang": "en"}), Memory(text="tea two", metadata={"lang": "zh", "n": 1})]
    store.add(ANA, rows)
    store.add(BOB, [Memory(text="tea three", type="preference")])
    assert texts(store.search(ANA, "tea", filter={"type": "preference"})) == ["tea one"]
    assert texts(store.search(ANA, "tea", filter={"lang": ["zh", "fr"], "n": 1})) == ["tea two"]
    assert store.search(ANA, "tea", filter={"n": "1"}) == []
    assert store.search(ANA, "tea", filter={"nowhere": "x"}) == []
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


def test_limits_and_scores(store):
    """Best first, scores in 0..1 and never rising, at most `limit`, and nothing for an empty query or limit 0."""
    store.add(ANA, [Memory(text=f"note {n} about the harbour" + " and boats" * n) for n in range(6)])
    found = store.search(ANA, "harbour boats", 4)
    scores = [row.score for row in found]
    assert len(found) == 4
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert store.search(ANA, "harbour", 0) == []
    assert store.search(ANA, "  ", 3) == []
    assert store.search(ANA, "harbour", 3, min_score=1.0) == []
    assert store.search(Scope("nobody", "s"), "harbour") == []


def test_rows_are_corrected_pinned_and_faded(store):
    """A corrected text is found under its new words only; a superseded row is listed and not found."""
    [identity] = store.add(ANA, [Memory(text="I live in Oslo")])
    row = store.update(ANA, identity, text="I live in Bergen", importance=0.9)
    assert texts(store.search(ANA, "where do I live")) == ["I live in Bergen"]
    assert store.get(ANA, [identity]) == []
    assert store.pin(ANA, row.id).pinned
    store.update(ANA, row.id, status="superseded")
    assert store.search(ANA, "live Bergen") == []
    assert store.list(ANA)[0].status == "superseded"
    for odd in ({"user_id": "bob"}, {"promoted": True}, {"nowhere": 1}):
        with pytest.raises(ConfigError):
            store.update(ANA, row.id, **odd)


def test_use_is_counted(store):
    """Touching counts uses, in one write, and leaves what was not named alone."""
    first, second = store.add(ANA, [Memory(text="one"), Memory(text="two")])
    store.touch(ANA, [first], now=123)
    rows = {row.id: row for row in store.list(ANA)}
    assert (rows[first].access_count, rows[first].last_access_at) == (1, 123)
    assert rows[second].access_count == 0


def test_clearing_a_session_leaves_the_rest(store):
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


@pytest.mark.parametrize("text", ["nul\x00 inside", "lone \ud83d surrogate", "多语言 текст 🎉", "x" * 2_000, "</memories>", "{braces} %s"])
def test_any_text_is_held(store, text):
    """NUL goes, a lone surrogate becomes U+FFFD, everything else stays letter by letter."""
    store.add(ANA, [Memory(text=text)])
    held = store.list(ANA)[0].text
    assert held == text.replace("\x00", "").replace("\ud83d", "\ufffd")


@pytest.mark.parametrize(
    "odd",
    [
        Memory(text="x" * 2_001),
        Memory(text="x", metadata={"a": {1, 2}}),
        Memory(text="x", metadata={"a": float("nan")}),
        Memory(text="x", metadata={"a": {1: "b"}}),
        Memory(text="x", metadata={1: "a"}),
        Memory(text="x", importance=2.0),
        Memory(text="x", importance=None),
        Memory(text="x", created_at="yesterday"),
        "a text",
        None,
    ],
)
def test_what_is_no_memory_is_refused_and_loses_nothing(store, odd):
    """A wrong one in a list writes none of them."""
    with pytest.raises(ConfigError):
        store.add(ANA, [Memory(text="good"), odd])
    assert store.list(ANA) == []


@pytest.mark.parametrize("scope", [None, "ana", ("ana", "s1"), {"user_id": "ana", "session_id": "s1"}])
def test_nothing_works_without_a_scope(store, scope):
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


def test_threads_lose_nothing(store):
    """Eight threads of two users write and read at once; each finds its own, all of it."""

    def work(n):
        scope = Scope(f"user{n % 2}", "s")
        for i in range(5):
            store.add(scope, [Memory(text=f"thread {n} note {i}")])
            assert all(row.user_id == scope.user_id for row in store.search(scope, "note"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert [store.count(Scope(f"user{n}", "s")) for n in (0, 1)] == [20, 20]


def test_a_blank_memory_is_not_stored(store):
    """What has no text is left out; the rest of the list is stored."""
    assert store.add(ANA, [Memory(text=""), Memory(text=" \n\x00 ")]) == []
    [identity] = store.add(ANA, [Memory(text=" "), Memory(text="I like tea")])
    assert [row.id for row in store.list(ANA)] == [identity]


def test_metadata_of_any_json_comes_back_as_it_was(store):
    """Nothing, lists, empty ones, nested objects, large numbers and odd texts are read as they were written; plain ones filter."""
    given = {
        "none": None,
        "tags": ["a", 1, None],
        "empty": [],
        "pos": {"x": {"y": 1.5}},
        "big": 1 << 70,
        "\ud83d": "\ud83d\x00",
        "$k": True,
    }
    store.add(ANA, [Memory(text="I like tea", metadata=given)])
    [row] = store.search(ANA, "tea", filter={"\ud83d": "\ud83d\x00", "big": 1 << 70})
    assert row.metadata == given
    store.update(ANA, row.id, metadata={"n": 1})
    assert store.get(ANA, [row.id])[0].metadata == {"n": 1}
    assert store.search(ANA, "tea", filter={"big": 1 << 70}) == []


def test_times_are_one_instant(store):
    """A time without a zone is UTC, whether it came as milliseconds, a `datetime` or ISO 8601."""
    times = ["2026-01-05T08:00:00", "2026-01-05T10:00:00+01:00", datetime(2026, 1, 5, 9, 30, tzinfo=UTC), 1_767_607_200_000]
    store.add(ANA, [Memory(text=f"note {n}", created_at=time) for n, time in reversed([*enumerate(times)])])
    assert [row.created_at - 1_767_600_000_000 for row in store.list(ANA)] == [0, 3_600_000, 5_400_000, 7_200_000]


def test_what_fades_is_archived_in_bounded_batches(store):
    """Old unimportant rows of all sessions are archived, the least first; pinned, core and promoted important ones stay in recall."""
    month = 30 * 86_400_000
    store.add(ANA, [Memory(text=f"note {n}", importance=0.1 + n / 100) for n in range(5)])
    store.add(ANA2, [Memory(text="note pinned", importance=0.1, pinned=True), Memory(text="no nuts", importance=0.1, attribute="allergy")])
    store.add(BOB, [Memory(text="note of bob", importance=0.1)])
    later = store.list(ANA)[0].updated_at + 12 * month
    assert store.sweep(ANA, later, limit=0) == 0
    assert store.sweep(ANA, later, limit=3) == 3
    assert sorted(row.text for row in store.list(ANA) if row.status == "active") == ["note 3", "note 4"]
    assert store.sweep(ANA2, later) == 2
    assert store.sweep(ANA, later) == 0
    assert store.search(ANA, "note") == []
    assert [row.status for row in store.list(ANA2)] == ["active", "active"]
    assert store.list(BOB)[0].status == "active"


def test_what_was_superseded_stays_linked(store):
    """The old row is listed, linked to the new one, and not found; rows of others cannot be named."""
    old, new = store.add(ANA, [Memory(text="I live in Oslo"), Memory(text="I live in Bergen")])
    store.supersede(ANA, old, new)
    assert texts(store.search(ANA, "live")) == ["I live in Bergen"]
    assert [(row.status, row.superseded_by) for row in store.get(ANA, [old, new])] == [("superseded", new), ("active", "")]
    for scope, first, second in ((ANA, old, "nowhere"), (BOB, old, new)):
        with pytest.raises(ConfigError):
            store.supersede(scope, first, second)


def test_sessions_tell_their_last_use(store):
    """A user's sessions with rows of their own, and when each was last written or used; nobody else's."""
    store.touch(ANA, store.add(ANA, [Memory(text="one")]), now=4_000_000_000_000)
    store.add(ANA2, [Memory(text="two"), Memory(text="three", promoted=True)])
    found = store.sessions(BOB), store.sessions(ANA)
    assert found[0] == {}
    assert found[1]["s1"] == 4_000_000_000_000
    assert 1_700_000_000_000 < found[1]["s2"] < 4_000_000_000_000


def test_what_is_buried_stays_buried(store):
    """Tombstones are of one user, outlive everything of the user, and are no rows."""
    assert store.buried(ANA, ["h1"]) == set()
    store.bury(ANA, ["h1", "h2"])
    store.bury(ANA, ["h1"])
    store.bury(ANA, [])
    store.clear(ANA, all_sessions=True)
    assert store.buried(ANA2, ["h1", "h2", "h3"]) == {"h1", "h2"}
    assert store.buried(ANA, []) == store.buried(BOB, ["h1"]) == set()
    assert store.list(ANA, all_sessions=True) == store.search(ANA, "h1") == []


async def test_awaiting_twins_do_the_same(store):
    """`aadd`, `asearch`, `alist`, `aget`, `atouch` and `adelete` do what the others do."""
    [identity] = await store.aadd(ANA, [Memory(text="I like tea")])
    assert texts(await store.asearch(ANA, "tea")) == texts(await store.alist(ANA)) == ["I like tea"]
    await store.atouch(ANA, [identity])
    assert (await store.aget(ANA, [identity]))[0].access_count == 1
    assert await store.adelete(ANA, [identity]) == 1

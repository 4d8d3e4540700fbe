# ruff: noqa: PLR2004, S101  (a suite of tests: numbers and assert are how it speaks)
"""What a store does with rows: promises about texts, values, times, order and change."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import pytest

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.memories.memory import Memory
from langchain_contextmode.schema import Scope
from langchain_contextmode.testing.scopes import ANA, ANA2, BOB, texts

if TYPE_CHECKING:
    from langchain_contextmode.stores.base import MemoryStore

make: Final[Any] = Memory
"""Makes memories of wrong types, too."""


class RowContract:
    """What goes in comes out, once, in order, and changes only where it is named."""

    def test_the_same_text_is_one_row(self, store: MemoryStore) -> None:
        """Saying it again unites turns and sources, keeps the higher importance and the first time."""
        [one] = store.add(ANA, [Memory(text="I like tea", turns=("t1",), importance=0.3, source_message_ids=("m1",))])
        [two] = store.add(ANA, [Memory(text=" i LIKE  tea ", turns=("t2",), importance=0.2, source_message_ids=("m2",))])
        [row] = store.list(ANA)
        assert one == two == row.id
        assert (row.turns, row.source_message_ids, row.importance) == (("t1", "t2"), ("m1", "m2"), 0.3)
        assert store.add(ANA, [Memory(text="I like jazz"), Memory(text="I like jazz")])[0] in {row.id for row in store.list(ANA)}
        assert store.count(ANA) == 2

    def test_promoting_what_is_promoted_unites(self, store: MemoryStore) -> None:
        """Two sessions that promote one statement have one row."""
        for scope in (ANA, ANA2):
            store.promote(scope, store.add(scope, [Memory(text="I like tea", turns=(scope.session_id,))]))
        [row] = store.list(Scope("ana", "s3"))
        assert row.promoted
        assert set(row.turns) == {"s1", "s2"}
        assert store.count(ANA, all_sessions=True) == 1

    def test_limits_and_scores(self, store: MemoryStore) -> None:
        """Best first, scores in 0..1 and never rising, at most `limit`, and nothing for an empty query or limit 0."""
        store.add(ANA, [Memory(text=f"note {n} about the harbour" + " and boats" * n) for n in range(6)])
        found = store.search(ANA, "harbour boats", 4)
        scores = [row.score or 0.0 for row in found]
        assert len(found) == 4
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        assert store.search(ANA, "harbour", 0) == []
        assert store.search(ANA, "  ", 3) == []
        assert store.search(ANA, "harbour", 3, min_score=1.0) == []
        assert store.search(Scope("nobody", "s"), "harbour") == []

    def test_rows_are_corrected_pinned_and_faded(self, store: MemoryStore) -> None:
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

    def test_use_is_counted(self, store: MemoryStore) -> None:
        """Touching counts uses, in one write, and leaves what was not named alone."""
        first, second = store.add(ANA, [Memory(text="one"), Memory(text="two")])
        store.touch(ANA, [first], now=123)
        rows = {row.id: row for row in store.list(ANA)}
        assert (rows[first].access_count, rows[first].last_access_at) == (1, 123)
        assert rows[second].access_count == 0

    @pytest.mark.parametrize(
        "text", ["nul\x00 inside", "lone \ud83d surrogate", "多语言 текст 🎉", "x" * 2_000, "</memories>", "{braces} %s"]
    )
    def test_any_text_is_held(self, store: MemoryStore, text: str) -> None:
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
            make(text="x", metadata={1: "a"}),
            Memory(text="x", importance=2.0),
            make(text="x", importance=None),
            make(text="x", created_at="yesterday"),
            "a text",
            None,
        ],
    )
    def test_what_is_no_memory_is_refused_and_loses_nothing(self, store: MemoryStore, odd: Any) -> None:
        """A wrong one in a list writes none of them."""
        with pytest.raises(ConfigError):
            store.add(ANA, [Memory(text="good"), odd])
        assert store.list(ANA) == []

    def test_a_blank_memory_is_not_stored(self, store: MemoryStore) -> None:
        """What has no text is left out; the rest of the list is stored."""
        assert store.add(ANA, [Memory(text=""), Memory(text=" \n\x00 ")]) == []
        [identity] = store.add(ANA, [Memory(text=" "), Memory(text="I like tea")])
        assert [row.id for row in store.list(ANA)] == [identity]

    def test_metadata_of_any_json_comes_back_as_it_was(self, store: MemoryStore) -> None:
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

    def test_times_are_one_instant(self, store: MemoryStore) -> None:
        """A time without a zone is UTC, whether it came as milliseconds, a `datetime` or ISO 8601."""
        times = ["2026-01-05T08:00:00", "2026-01-05T10:00:00+01:00", datetime(2026, 1, 5, 9, 30, tzinfo=UTC), 1_767_607_200_000]
        store.add(ANA, [make(text=f"note {n}", created_at=time) for n, time in reversed([*enumerate(times)])])
        assert [row.created_at - 1_767_600_000_000 for row in store.list(ANA)] == [0, 3_600_000, 5_400_000, 7_200_000]

    def test_what_fades_is_archived_in_bounded_batches(self, store: MemoryStore) -> None:
        """Old unimportant rows of all sessions are archived, the least first; pinned, core and promoted important ones stay in recall."""
        month = 30 * 86_400_000
        store.add(ANA, [Memory(text=f"note {n}", importance=0.1 + n / 100) for n in range(5)])
        store.add(
            ANA2, [Memory(text="note pinned", importance=0.1, pinned=True), Memory(text="no nuts", importance=0.1, attribute="allergy")]
        )
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

    def test_what_was_superseded_stays_linked(self, store: MemoryStore) -> None:
        """The old row is listed, linked to the new one, and not found; rows of others cannot be named."""
        old, new = store.add(ANA, [Memory(text="I live in Oslo"), Memory(text="I live in Bergen")])
        store.supersede(ANA, old, new)
        assert texts(store.search(ANA, "live")) == ["I live in Bergen"]
        assert [(row.status, row.superseded_by) for row in store.get(ANA, [old, new])] == [("superseded", new), ("active", "")]
        for scope, first, second in ((ANA, old, "nowhere"), (BOB, old, new)):
            with pytest.raises(ConfigError):
                store.supersede(scope, first, second)

    def test_awaiting_twins_do_the_same(self, store: MemoryStore) -> None:
        """`aadd`, `asearch`, `alist`, `aget`, `atouch` and `adelete` do what the others do."""
        asyncio.run(_awaited(store))


async def _awaited(store: MemoryStore) -> None:
    [identity] = await store.aadd(ANA, [Memory(text="I like tea")])
    assert texts(await store.asearch(ANA, "tea")) == texts(await store.alist(ANA)) == ["I like tea"]
    await store.atouch(ANA, [identity])
    assert (await store.aget(ANA, [identity]))[0].access_count == 1
    assert await store.adelete(ANA, [identity]) == 1

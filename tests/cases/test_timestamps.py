"""Times are one kind of number in the store: milliseconds of UTC, whatever form they came in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode import Memory, Scope
from langchain_contextmode.stores.rows import moment

U1 = Scope("u1", "s1")
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def test_f_o_122_naive_and_aware_times_compare(new_store):
    """A time without a zone is read as UTC, and rows have one order."""
    store = new_store()
    for text, time in (("old", "2026-01-05T08:00:00"), ("new", "2026-01-05T09:00:00+00:00")):
        store.add(U1, [Memory(text=text, created_at=time)])
    assert [row.text for row in reversed(store.list(U1))] == ["new", "old"]
    assert store.list(U1)[0].created_at == int(datetime(2026, 1, 5, 8, tzinfo=UTC).timestamp() * 1000)


@given(st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1)), ZONES)  # noqa: DTZ001  (naive ones are the point)
def test_every_form_of_a_time_is_the_same_instant(time, zone):
    """Naive, aware, in any zone, as ISO 8601 or as milliseconds: one number."""
    utc = time.replace(microsecond=time.microsecond // 1000 * 1000, tzinfo=UTC)
    number = round(utc.timestamp() * 1000)
    forms = [utc, utc.replace(tzinfo=None), utc.astimezone(zone), utc.isoformat(), utc.replace(tzinfo=None).isoformat(), number]
    assert all(abs(moment(form) - number) <= 1 for form in forms)

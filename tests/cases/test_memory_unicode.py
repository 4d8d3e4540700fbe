"""Any text can be stored, searched and read back as valid UTF-8."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langchain_contextmode import Memory, Scope

U1 = Scope("u1", "s1")


def test_f_o_124_lone_surrogates_and_nul(new_store):
    """A lone surrogate becomes U+FFFD and NUL goes; both texts are found, the rest of them as it was."""
    store = new_store()
    store.add(U1, [Memory(text="note \ud83d end"), Memory(text="nul \x00 byte")])
    assert store.search(U1, "note \ud83d")[0].text == "note \ufffd end"
    assert store.search(U1, "nul\x00")[0].text == "nul  byte"
    assert sorted(row.text for row in store.list(U1)) == ["note \ufffd end", "nul  byte"]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(), max_size=30), st.text(st.characters(), max_size=10))
def test_any_text_is_stored_searched_and_exported(new_store, text, query):
    """Nothing raises, and what is read back encodes as UTF-8 and says what was said."""
    store = new_store()
    store.add(U1, [Memory(text=f"said {text}", metadata={"as": text})])
    store.search(U1, query)
    [row] = store.search(U1, f"said {query}")
    assert row.text.encode("utf-8").decode("utf-8") == row.text
    whole = "".join("\ufffd" if "\ud800" <= each <= "\udfff" else each for each in f"said {text}" if each != "\x00")
    assert row.text == whole.strip()
    assert row.metadata == {"as": text}
    assert len(store.export(U1)) == 1

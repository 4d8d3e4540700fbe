from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode import json_tree
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.json_dense import Document
from langchain_contextmode.segments import cut
from langchain_contextmode.shorten import excerpt, gist, shorten

NOTICE = re.compile(r"\[… (\d+)% left out: message m1\]")
WORDS = [
    "the",
    "order",
    "was",
    "sent",
    "to",
    "Oslo",
    "ord_4711",
    "2024-05-18",
    "$1,299.00",
    "src/app/main.py",
    "你好",
    "取消订单",
    "😀",
    "\n",
    ". ",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=400).map(" ".join) | st.text(max_size=600)
KEYS = st.sampled_from(["id", "name", "price", "created_at", "note", "items", "状态"])
SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.sampled_from(WORDS) | st.text(max_size=30) | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=40)
RECORDS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 10**6), "name": st.sampled_from(WORDS), "price": SCALARS}), min_size=2, max_size=30
)
DOCUMENTS = (VALUES.filter(lambda v: isinstance(v, list | dict)) | RECORDS).flatmap(
    lambda value: st.sampled_from([None, 2]).map(lambda indent: json.dumps(value, ensure_ascii=False, indent=indent))
)
TERMS = st.frozensets(st.sampled_from(["oslo", "ord_4711", "取消订单", "id"]))
FLIGHTS = [
    {
        "flight": f"HAT{100 + n}",
        "from": "JFK",
        "to": to,
        "departs": f"{6 + n:02}:00",
        "seats": {"economy": n, "business": 2},
        "price": 100 + 7 * n,
    }
    for n, to in enumerate(["SEA", "ATL", "DEN", "SEA", "ORD", "SEA"])
]


def short(text: str, limit: int, terms: frozenset[str] = frozenset(), count=estimate_tokens) -> str:
    return shorten(text, limit, count, message_id="m1", terms=terms)


def prose(paragraphs: int) -> str:
    return "\n\n".join(
        f"Paragraph {n} tells at some length what happened then. Nobody was surprised by it. It ended well." for n in range(paragraphs)
    )


@given(TEXTS | DOCUMENTS, st.integers(1, 120), TERMS)
def test_the_result_is_never_too_large(text, limit, terms):
    """A result costs at most the limit, unless the notice alone is more, and is never longer than the text."""
    result = short(text, limit, terms)
    assert len(result) <= len(text)
    assert estimate_tokens(result) <= limit or NOTICE.fullmatch(result) or result == text


@given(TEXTS | DOCUMENTS, st.integers(1, 120))
def test_only_a_text_shorter_than_its_notice_stays_too_large(text, limit):
    """Where a text that does not fit is given back, the notice would have been no shorter."""
    if short(text, limit) == text and estimate_tokens(text) > limit:
        notice = "[… 99% left out: message m1]"
        assert len(text) <= len(notice) + 2 or estimate_tokens(text) <= estimate_tokens(notice) + 2


@given(TEXTS | DOCUMENTS, st.integers(1, 120), TERMS)
def test_the_same_call_gives_the_same_text(text, limit, terms):
    """Shortening is deterministic."""
    assert short(text, limit, terms) == short(text, limit, frozenset(sorted(terms, reverse=True)))


@given(TEXTS | DOCUMENTS, TERMS)
def test_what_fits_is_left_alone(text, terms):
    """A text inside its limit is returned as it is, so shortening twice changes nothing."""
    assert short(text, estimate_tokens(text), terms) == text
    once = short(text, 40, terms)
    assert estimate_tokens(once) > 40 or short(once, 40, terms) == once


@given(TEXTS.filter(lambda text: json_tree.parse(text) is None and "…" not in text), st.integers(1, 120), TERMS)
def test_what_stays_is_copied_in_order(text, limit, terms):
    """Between notice and gap marks stands nothing but the text's own pieces, in the text's order."""
    position = 0
    for piece in NOTICE.sub("…", short(text, limit, terms)).split("…"):
        found = text.find(piece.strip(), position)
        assert found >= 0
        position = found + len(piece.strip())


@given(DOCUMENTS.filter(lambda text: "…" not in text), st.integers(1, 120), TERMS)
def test_what_stays_of_json_is_copied(text, limit, terms):
    """Every word and number of a shortened document stands in the original."""
    for word in re.findall(r"\w+", NOTICE.sub(" ", short(text, limit, terms))):
        assert word in text


@pytest.mark.parametrize("limit", [60, 120, 400])
def test_beginning_and_end_stay(limit):
    """The first and the last paragraph of a long text are there, and the notice says how much is not."""
    text = prose(60)
    result = short(text, limit)
    assert result.startswith("Paragraph 0 tells")
    assert result.endswith("It ended well.")
    left_out = int(NOTICE.search(result)[1])
    kept = len(NOTICE.sub("", result)) / len(text)
    assert abs(100 - left_out - 100 * kept) <= 2


def test_pieces_end_where_sentences_do():
    """No sentence of prose is broken off."""
    sentences = {s.strip() for s in re.split(r"(?<=\.)\s", prose(60))}
    for line in NOTICE.sub("…", short(prose(60), 150)).replace("…", "\n").splitlines():
        assert {s.strip() for s in re.split(r"(?<=\.)\s", line) if s.strip()} <= sentences


def test_words_of_the_request_stay():
    """The line that the request asks about stays, wherever it stands."""
    text = "\n".join(f"{n}: nothing to report from station {n}" for n in range(400)).replace("201: nothing", "201: the pump in Bergen")
    assert "the pump in Bergen" in short(text, 60, frozenset({"bergen"}))
    assert "the pump in Bergen" not in short(text, 60)


def test_chinese_words_of_the_request_stay():
    """Chinese has no spaces between words; a term is found all the same."""
    text = "".join(f"第{n}条记录一切正常。" for n in range(300)).replace("第150条记录一切正常", "客人要求取消订单")
    assert "取消订单" in short(text, 60, frozenset({"取消订单"}))


def test_exact_values_stay_before_running_text():
    """Ids, paths, amounts and failures survive where everything around them repeats itself."""
    lines = ["the worker is still waiting for the next message to arrive"] * 300
    lines[40] = "payment gift_card_9823297 over $1,299.00 was refused"
    lines[170] = "see src/billing/retry.py for what happens then"
    lines[250] = "ConnectionError: the host is not found"
    result = short("\n".join(lines), 150)
    assert all(value in result for value in ("gift_card_9823297", "$1,299.00", "src/billing/retry.py", "ConnectionError"))


def test_json_loses_white_space_first():
    """A document that fits without white space stays valid JSON with every value, and there is no notice."""
    text = json.dumps(FLIGHTS, indent=4)
    compact = json.dumps(FLIGHTS, separators=(",", ":"))
    assert short(text, estimate_tokens(compact)) == compact


def test_records_become_rows_before_a_value_is_lost():
    """At under half of its tokens a list of records still holds every value; keys and what never changes are told once."""
    text = json.dumps(FLIGHTS)
    result = short(text, estimate_tokens(text) * 45 // 100)
    assert result.splitlines()[0] == "{flight|from=JFK|to|departs|seats.economy|.business=2|price}"
    assert result.splitlines()[1] == "HAT100|SEA|06:00|0|100"
    assert len(result.splitlines()) == 1 + len(FLIGHTS)


def test_ids_survive_the_deepest_cut():
    """With room for little more than the ids of a document, the ids are what stays."""
    text = json.dumps(
        {"greeting": "Welcome back, we hope you had a pleasant journey. " * 5, "note": None, "active": True, "order_id": "ord_4711"}
    )
    assert "ord_4711" in short(text, 25)


def test_free_text_goes_before_records():
    """A long description is cut before the values beside it."""
    text = json.dumps({"description": "A quiet room with a view over the park and the old town. " * 20, "rooms": FLIGHTS[:2]})
    result = short(text, 120)
    assert all(flight["flight"] in result for flight in FLIGHTS[:2])
    assert "…" in result


def test_the_record_that_was_asked_for_stays():
    """Of many records the one that holds a word of the request keeps its values."""
    text = json.dumps([{"code": f"C{n}", "city": f"Town{n}", "fee": 1000 + n} for n in range(200)])
    result = short(text, 60, frozenset({"town133"}))
    assert "Town133" in result
    assert "1133" in result


def test_python_literals_are_documents_too():
    """What Python prints of a dict is shortened like JSON."""
    result = short(str({"user_id": "ada_77", "notes": "blah " * 100, "tags": ["a", None, True]}), 30)
    assert "ada_77" in result


@pytest.mark.parametrize(
    "text", ["[1, 2", "{'a': }", "[1 2]", '{"a" 1}', "[]]", "[,]", "[1,,2]", '{"a":1}}', '{"a"}', "{:}", "plain", "", "[" * 50 + "]" * 50]
)
def test_what_is_no_document_is_text(text):
    """Broken, unbalanced and very deep JSON is not read as JSON."""
    assert json_tree.parse(text) is None


@given(VALUES.filter(lambda v: isinstance(v, list | dict)))
def test_a_document_keeps_its_characters(value):
    """Reading a document and writing it without white space changes no value."""
    compact = json_tree.parse(json.dumps(value, indent=1))[1]
    assert json.loads(compact) == value


@given(DOCUMENTS)
def test_rows_lose_no_value(text):
    """Written as rows, a document still holds every value and every key."""
    root, compact = json_tree.parse(text)
    whole = Document(root).whole()
    assert all(json_tree.unquoted(leaf.raw) in whole for leaf in root.leaves())
    assert all(len(re.findall(rf"{key}\b", whole)) > 0 for key in ("price", "created_at") if f'"{key}":' in compact)


def test_records_that_are_all_the_same_are_all_there():
    """Rows that differ in nothing are not told as one."""
    text = json.dumps([{"id": 1, "name": "one"}] * 3)
    assert Document(json_tree.parse(text)[0]).whole().count("one") == 3


@given(DOCUMENTS)
def test_all_units_are_the_whole_document(text):
    """Choosing every unit writes every value."""
    document = Document(json_tree.parse(text)[0])
    everything = range(len(document.units(frozenset())))
    assert document.rows(everything) == document.whole() or "[]" in document.whole() or "{}" in document.whole()


@given(st.text(max_size=500), st.integers(1, 80))
def test_cutting_loses_nothing(text, size):
    """The pieces of a text joined are the text, and none is longer than was asked for."""
    pieces = cut(text, size)
    assert "".join(pieces) == text
    assert all(len(piece) <= size for piece in pieces)


def test_ids_and_numbers_are_not_cut():
    """A border never goes through a word or number that fits into a piece."""
    text = "ord_4711,2024-05-18 12:30:00;gift_card_9823297/" * 30
    for piece in cut(text, 40):
        assert piece.strip()[0] in "og2" or piece.startswith("12:30")


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "word " * 300_000,
        "x1\n" * 200_000,
        "中文。" * 200_000,
        "[" * 200_000,
        json.dumps(FLIGHTS * 2_000),
        "a@" * 200_000,
        '["' + "\\\\" * 100_000 + '"]',
    ],
    ids=["letter", "words", "lines", "chinese", "brackets", "records", "signs", "backslashes"],
)
def test_very_long_texts_are_shortened_with_few_counts(text):
    """A text of a million characters takes at most two dozen counts, and fills the limit."""
    asked = []

    def count(each: str) -> int:
        asked.append(len(each))
        return estimate_tokens(each)

    result = short(text, 200, count=count)
    assert 100 <= estimate_tokens(result) <= 200
    assert len(asked) <= 24
    assert sum(asked) <= 4 * len(text)


@given(st.text(max_size=300), st.integers(-3, 80))
def test_an_excerpt_is_one_line_inside_its_limit(text, limit):
    """An excerpt has no line breaks and never more characters than asked for; what fits stays whole."""
    line = re.sub(r"\s+", " ", text).strip()
    result = excerpt(text, limit)
    assert len(result) <= max(limit, 0)
    assert "\n" not in result
    if len(line) <= limit:
        assert result == line


def test_an_excerpt_shows_both_ends():
    """Beginning and end of a long line stay, cut between words where one is near."""
    assert excerpt("The quick brown fox jumps over the lazy dog near the river bank", 40) == "The quick brown fox jumps…river bank"


def test_a_gist_of_json_is_its_values():
    """The line for an archive holds what identifies a result, without a notice."""
    result = gist(json.dumps(FLIGHTS), 40, estimate_tokens)
    assert all(flight["flight"] in result for flight in FLIGHTS)
    assert "left out" not in result
    assert "\n" not in result


def test_a_gist_of_text_is_its_excerpt():
    """Running text is told by its beginning and end."""
    assert gist(prose(9), 20, estimate_tokens) == excerpt(prose(9), 80)

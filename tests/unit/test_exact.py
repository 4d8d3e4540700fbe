from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import LONE, TEXTS

from langchain_contextmode.exact import exact_spans, missing
from langchain_contextmode.spans import Span


def found(text):
    return [tuple(span) for span in exact_spans(text)]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("it took 412 ms on average", ("412 ms", "number")),
        ("needs 3.2 GB of memory", ("3.2 GB", "number")),
        ("with 15% off", ("15%", "number")),
        ("for 2 people", ("2 people", "number")),
        ("for two adults", ("two adults", "number")),
        ("评分4.5分以上的", ("4.5分以上", "number")),
        ("住三天", ("三天", "number")),
        ("一共两个人", ("两个人", "number")),
        ("about 2,400 euros in all", ("2,400 euros", "amount")),
        ("not listed: $1,200.50", ("$1,200.50", "amount")),
        ("between 20-30 dollars", ("20-30 dollars", "amount")),
        ("大概¥300吧", ("¥300", "amount")),
        ("花了300元", ("300元", "amount")),
        ("it is 3 million dollars now", ("3 million dollars", "amount")),
        ("for 1 234,56 € each", ("1 234,56 €", "amount")),
        ("costs CHF 12'000 there", ("CHF 12'000", "amount")),
        ("set x=5 in the file", ("5", "number")),
        ("至少四星级吧", ("四星级", "number")),
        ("两百五以内", ("两百五以内", "number")),
        ("on Friday, 3 July 2026, we", ("Friday, 3 July 2026", "date")),
        ("at 6 pm. Then", ("6 pm", "date")),
        ("要1000元以上的", ("1000元以上", "amount")),
        ("游玩2小时 - 3小时", ("2小时 - 3小时", "number")),
        ("on the 7th of March please", ("the 7th of March", "date")),
        ("leave on the 9th of this month", ("the 9th of this month", "date")),
        ("人均100-150元的", ("100-150元", "amount")),
        ("三百元够吗", ("三百元", "amount")),
        ("from 9 to 16 May we", ("9 to 16 May", "date")),
        ("on 2026-05-09 or so", ("2026-05-09", "date")),
        ("see you next Friday 14:00 then", ("next Friday 14:00", "date")),
        ("results of Q3 2025 came", ("Q3 2025", "date")),
        ("leave at 7:30 pm please", ("7:30 pm", "date")),
        ("it is on May 20th, 2024 already", ("May 20th, 2024", "date")),
        ("half past 5 in the evening works", ("half past 5 in the evening", "date")),
        ("5月9日出发", ("5月9日", "date")),
        ("周五下午3点见", ("周五下午3点", "date")),
        ("明天上午十点半开会", ("明天上午十点半", "date")),
    ],
)
def test_numbers_and_dates_come_with_their_unit(text, span):
    """A value is copied with its unit, currency or period, and knows what it is."""
    assert span in found(text)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("order ORD-4711 is late", ("ORD-4711", "id")),
        ("revert 9f3c2a7e now", ("9f3c2a7e", "id")),
        ("contract 7730-18 ends", ("7730-18", "id")),
        ("after call_001 came", ("call_001", "id")),
        ("call getUserName first", ("getUserName", "id")),
        ("closes #123, right", ("#123", "id")),
        ("on flight NW 1106, seat", ("NW 1106", "id")),
        ("key 550e8400-e29b-41d4-a716-446655440000.", ("550e8400-e29b-41d4-a716-446655440000", "id")),
        ("订单ORD-4711的地址", ("ORD-4711", "id")),
        ("ring +49 40 123456 today", ("+49 40 123456", "id")),
        ("电话010-61797811。", ("010-61797811", "id")),
        ("write to ada.b@example.org.", ("ada.b@example.org", "email")),
        ("open /etc/passwd?", ("/etc/passwd", "path")),
        ("in svc/api, not there", ("svc/api", "path")),
        (r"at C:\Program Files\x\y.txt", (r"C:\Program Files\x\y.txt", "path")),
        ("line src/app.py:42 fails", ("src/app.py:42", "path")),
        ("(see https://a.example/b?c=1&d=2).", ("https://a.example/b?c=1&d=2", "url")),
        ("run `make -C svc/api check` now", ("make -C svc/api check", "command")),
        ("do this:\n```sh\nmake all\n```", ("make all", "command")),
        ('she said "the usual" again', ("the usual", "quoted")),
        ("我在看《三体》", ("三体", "quoted")),
        ("fly to New Zealand with Ada", ("New Zealand", "name")),
        ("feed Ada's cat", ("Ada", "name")),
        ("from Sacramento, CA to there", ("Sacramento, CA", "name")),
        ("Details:\n- Name: Ada Lund\n- Cabin: first", ("Ada Lund", "name")),
        ("1. Ada Lund, born later", ("Ada Lund", "name")),
        ("推荐您去和颐酒店住宿", ("和颐酒店", "name")),
        ("请问海澜餐厅(中心店)的电话", ("海澜餐厅(中心店)", "name")),
        ("我叫王小明，", ("王小明", "name")),
        ("我和张老师约好了", ("张老师", "name")),
        ("地点在国家图书馆", ("国家图书馆", "name")),
        ("请联系，王女士在", ("王女士", "name")),
    ],
)
def test_ids_paths_quotes_and_names_are_copied(text, span):
    """What points at one thing comes out as written, without the punctuation around it."""
    assert span in found(text)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("Please do NOT push to branch stable. Thanks.", "do NOT push to branch stable"),
        ("I never fly before 9:00, ever", "never fly before 9:00"),
        ("The fare isn't refundable, sorry", "isn't refundable"),
        ("It isn\u2019t refundable", "isn\u2019t refundable"),
        ("quiet street, no hostels and no party areas.", "no hostels and no party areas"),
        ("cook it without nuts, dairy or eggs. Thanks", "without nuts, dairy or eggs"),
        ("No, I do not want insurance", "do not want insurance"),
        ("不要香菜、葱，谢谢", "不要香菜、葱"),
        ("千万别改数据库", "千万别改数据库"),
        ("预算没有超过三千", "没有超过三千"),
        ("除了周一都可以", "除了周一都可以"),
    ],
)
def test_a_negation_holds_its_clause(text, clause):
    """What is ruled out is one span from the negation to the end of its clause, lists included."""
    assert (clause, "negation") in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "No problem.",
        "I don't know",
        "isn't it nice?",
        "是不是很贵？",
        "没关系，不客气",
        "有没有别的",
        "特别好",
        "差不多",
        "No.",
        "没有啊",
        "没有问题",
    ],
)
def test_what_only_sounds_like_a_negation_rules_nothing_out(text):
    """Courtesies, questions and tags are no negations."""
    assert "negation" not in {kind for _, kind in found(text)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "What did we say? Please book it.",
        "1. First\n2. Second",
        "and/or, e.g. this",
        "I may march on",
        "十分感谢，万一下雨",
        "这家酒店怎么样",
        LONE,
    ],
)
def test_ordinary_words_are_no_spans(text):
    """Sentence openings, the numbers of a list, abbreviations and figures of speech may be rephrased."""
    assert found(text) == []


def test_the_keys_of_an_object_are_no_quotations():
    """Of JSON, values are spans; a key is not, unless it has digits as ids do."""
    spans = found('{"cabin_class": "basic economy", "amount": 250, "card_4417": {}}')
    assert spans == [("basic economy", "quoted"), ("250", "number"), ("card_4417", "id")]


def test_a_span_at_the_end_of_a_long_clause_stays_whole():
    """The limit of a negation never cuts a date or an id in two."""
    text = "never send anybody on this list of people a mail before 2026-05-09T10:00:00 at all"
    (span,) = exact_spans(text)
    assert span.kind == "negation"
    assert span.text.endswith("2026-05-09T10:00:00")


def test_a_name_leaves_an_amount_whole():
    """A capitalised name does not take the number of the amount behind it."""
    assert found("the Hotel Lisboa 120 euros") == [("Hotel Lisboa", "name"), ("120 euros", "amount")]


@pytest.mark.parametrize(
    ("span", "text", "there"),
    [
        (Span("2,400", "number"), "costs 2,400 in all", True),
        (Span("2,400", "number"), "costs 2400 in all", False),
        (Span("2,400", "number"), "costs 12,400", False),
        (Span("400", "number"), "costs 2,400", False),
        (Span("2,400", "number"), "costs 2,400.50", False),
        (Span("2,400", "number"), "costs 2,400.", True),
        (Span("do NOT push", "negation"), "so do not\n push", True),
        (Span("do NOT push", "negation"), "do push", False),
        (Span("New York", "name"), "to New\nYork", True),
        (Span("ORD-4711", "id"), "ORD-47112", False),
        (Span("300元", "amount"), "花了300元吧", True),
    ],
)
def test_missing_compares_letter_by_letter(span, text, there):
    """Case and line breaks do not count; another number, or a part of a longer one, is missing."""
    assert missing((span,), text) == (() if there else (span,))


@given(st.lists(TEXTS, max_size=4).map(" ".join))
def test_no_span_is_missing_in_its_own_text(text):
    """Every span is copied from the text; they come in order of place, none twice."""
    spans = exact_spans(text)
    assert all(span.text in text and span.text.strip() == span.text for span in spans)
    assert len({span.text.casefold() for span in spans}) == len(spans)
    assert not [span for span in missing(spans, text) if span.text[0].isalnum() and span.text[-1].isalnum()]


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "a",
            "7",
            " ",
            "\n",
            '"',
            "`",
            "'",
            "-",
            ".",
            "/",
            "\\",
            "a-",
            "a.",
            "a/",
            "1,",
            "111 ",
            "111'",
            "酒店(",
            "1:",
            "1 ",
            "A ",
            "Ab. ",
            "not ",
            "a@",
            "$ a\n",
        ),
        "不",
        "5月",
        "下午3点",
        "《",
        LONE,
        'ORD-4711 is 2,400 euros at 9:00, not "x" 不要`a b`. ',
    ],
)
def test_time_grows_with_length_only(unit):
    """Ten times the text takes about ten times the time, whatever the text is."""

    def seconds(size):
        start = time.process_time()
        exact_spans((unit * size)[:size])
        return time.process_time() - start

    assert seconds(300_000) < 15 * seconds(30_000) + 0.5

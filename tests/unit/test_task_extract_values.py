"""What the extractor reads as a value: numbers, money, dates, times, lengths of time and counts of people, English and Chinese."""

from __future__ import annotations

import pytest
from task_fields import SAID_AT, TRIP, heard

from langchain_contextmode.task.extract.dates import dates
from langchain_contextmode.task.extract.mention import longest
from langchain_contextmode.task.extract.numbers import han_number, longest_numbers
from langchain_contextmode.task.extract.times import times
from langchain_contextmode.task.types import FieldSpec


@pytest.mark.parametrize(
    ("run", "value"),
    [
        ("两万五", 25_000),
        ("三百二", 320),
        ("一百零五", 105),
        ("一千零二十", 1_020),
        ("十五", 15),
        ("二十", 20),
        ("一千五", 1_500),
        ("三万二千", 32_000),
        ("二零二六", 2_026),
        ("一亿", 100_000_000),
        ("三四", None),
    ],
)
def test_chinese_numerals(run, value):
    """Chinese numerals have the value that a reader gives them, and two digits in a row (three or four) have none."""
    assert han_number(run) == value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,200 of them", [1_200]),
        ("2.5万", [25_000]),
        ("3万5", [35_000]),
        ("two hundred and fifty", [250]),
        ("twenty-five", [25]),
        ("three thousand two hundred", [3_200]),
        ("25k", [25_000]),
        ("a dozen", [12]),
        ("build v2.3.1 of cfg_19", []),
    ],
)
def test_numbers(text, values):
    """Digits and words give one number each; parts of names and versions give none."""
    assert [number.value for number in longest_numbers(text)] == values


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Our budget is $1,490.", 1_490),
        ("We can spend 900 euros", 900),
        ("budget: 2k dollars", 2_000),
        ("预算两万五千块", 25_000),
        ("预算是2.5万元", 25_000),
        ("The budget is under $800.", 800),
        ("预算不超过五千元。", 5_000),
        ("预算：８００元", 800),
    ],
)
def test_money(text, amount):
    """An amount beside the budget's cue is the budget, whatever its form."""
    assert heard(text) == [("budget", "set", amount)]


def test_another_currency_is_asked_about():
    """An amount in another currency than the declared one keeps it, so that the declaration refuses it: nobody here knows the rate."""
    field = FieldSpec("budget", "money", "Budget", ("budget",), unit="EUR")
    assert heard("The budget is $900.", fields=[field]) == [("budget", "set", "900 USD")]
    assert heard("The budget is €900.", fields=[field]) == [("budget", "set", 900)]


@pytest.mark.parametrize("text", ["The budget is $800-1000.", "预算100到150元", "A budget between $100 and $200"])
def test_a_range_is_no_value(text):
    """Of a range neither end is the value."""
    assert heard(text) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-05-01", "2026-05-01"),
        ("March 12", "2026-03-12"),
        ("the 4th of April", "2026-04-04"),
        ("Feb 20", "2027-02-20"),
        ("March 4th, 2027", "2027-03-04"),
        ("tomorrow", "2026-03-03"),
        ("the day after tomorrow", "2026-03-04"),
        ("in two weeks", "2026-03-16"),
        ("this Friday", "2026-03-06"),
        ("Tuesday next week", "2026-03-10"),
        ("the 14th", "2026-03-14"),
        ("后天", "2026-03-04"),
        ("下周三", "2026-03-11"),
        ("3月5号", "2026-03-05"),
        ("三月五日", "2026-03-05"),
        ("2027年3月5日", "2027-03-05"),
    ],
)
def test_dates(text, day):
    """A day is read against the time of the message, and a day without a year is the next one."""
    assert [one.value for one in longest(dates(text, SAID_AT))] == [day]


@pytest.mark.parametrize("text", ["tomorrow", "next Friday", "March 12", "后天", "3月5号", "the 14th"])
def test_no_time_no_relative_date(text):
    """Without the message's own time a day that needs it is not invented."""
    assert list(dates(text, None)) == []
    assert [one.value for one in dates("2026-05-01", None)] == ["2026-05-01"]


@pytest.mark.parametrize("text", ["Feb 30", "2026-13-01", "We may march on", "30%", "2月30号"])
def test_no_such_day(text):
    """A day that does not exist is no date, and neither is a verb."""
    assert list(dates(text, SAID_AT)) == []


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("9 am", "09:00"),
        ("7:30 pm", "19:30"),
        ("12 pm", "12:00"),
        ("12:15 am", "00:15"),
        ("16:45", "16:45"),
        ("half past seven in the evening", "19:30"),
        ("quarter to 6 pm", "17:45"),
        ("5 o'clock in the afternoon", "17:00"),
        ("noon", "12:00"),
        ("下午三点半", "15:30"),
        ("晚上8点", "20:00"),
        ("早上九点一刻", "09:15"),
        ("下午3：20", "15:20"),
    ],
)
def test_times(text, time):
    """A time of day is read in its 24-hour form."""
    half_width = text.replace("\uff1a", ":")
    assert [one.value for one in longest(times(half_width))] == [time]


@pytest.mark.parametrize("text", ["at 7", "4.5 stars", "25:00", "3点评", "$7.30"])
def test_no_time(text):
    """An hour alone, a rating and an impossible time are none."""
    assert list(times(text)) == []


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("We stay for 3 nights", "P3D"),
        ("a stay of two weeks", "P14D"),
        ("我们住三天两晚，停留", "P3D"),
        ("停留两个小时", "PT2H"),
        ("停留半小时", "PT30M"),
    ],
)
def test_lengths(text, length):
    """A length of time is an ISO 8601 duration; a stay told in days and nights is one stay."""
    assert heard(text) == [("stay", "set", length)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("For 4 people, please", 4),
        ("A party of five", 5),
        ("Me and my wife will go", 2),
        ("2 adults and 1 child", 3),
        ("Just me.", 1),
        ("三大一小", 4),
        ("我们仨", 3),
        ("两个大人一个小孩", 3),
        ("一共6个人", 6),
        ("我和我老婆", 2),
    ],
)
def test_people(text, count):
    """People are counted, adults and children together."""
    assert heard(text, fields=[field for field in TRIP if field.kind == "people"]) == [("travelers", "set", count)]

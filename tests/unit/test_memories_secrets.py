from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode.memories.numbered_secrets import luhn
from langchain_contextmode.memories.secrets import redacted, secret_in, secrets

CARD = "4111 1111 1111 1111"
KEY = "sk-" + "Ab3d" * 8


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"use {KEY} for it", "key"),
        ("AKIAABCDEFGHIJKLMNOP", "key"),
        ("TOKEN=ghp_" + "a1" * 18, "token"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "token"),
        ("my api key is 8f14e45fceea167a5a36dedd4bea2543", "token"),
        ("密钥：Zx81kQ77ppLm20vv", "token"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "key"),
        ("postgres://admin:s3cret@host/db", "password"),
        ("My password is hunter", "password"),
        ("password: correct horse battery staple", "password"),
        ("hunter2 is my wifi password", "password"),
        ("我的密码是abc123", "password"),
        ("密码：小猫钓鱼", "password"),
        (CARD, "card number"),
        (CARD.replace(" ", "-"), "card number"),
        ("４１１１ １１１１ １１１１ １１１１", "card number"),
        ("my card: 4111 1111 and then 1111 1111", "card number"),
        ("visa four one one one one one one one one one one one one one one one", "card number"),
        ("信用卡号6222 0212 3456 7890 123", "card number"),
        ("cvv is 123", "code"),
        ("my PIN is 4821", "code"),
        ("验证码是 482913", "code"),
        ("DE89 3704 0044 0532 0130 00", "bank account"),
        ("ssn 078-05-1120", "id number"),
    ],
)
def test_secrets_of_every_kind_are_found(text, kind):
    """Keys, tokens, passwords, cards however they are written, codes and accounts are named by their kind."""
    assert secret_in(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "order 4111111111111111 has not come",
        "my phone is +49 151 2345 6789",
        "call me at 13800138000",
        "ISBN 978-3-16-148410-0",
        "tracking number 4111 1111 1111 1111",
        "I forgot my password",
        "my password is not working",
        "我忘了密码",
        "密码是什么",
        "the key is to practise daily",
        "I have 3 kids, 2 dogs and 1 cat",
        "from 2026-05-01 to 2026-05-09 for 1200 euros",
        "4111 1111 1111 1112",
    ],
)
def test_what_only_looks_like_a_secret_is_none(text):
    """Order and phone numbers, book numbers, dates, and talk about passwords hold no secret."""
    assert secret_in(text) is None


def test_only_the_secret_is_taken_out():
    """What stands around a secret stays, and its kind stands in its place."""
    text = f"Pay with {CARD}, my password is hunter2 and I like tea."
    assert redacted(text) == "Pay with [card number removed], my password is [password removed] and I like tea."


@given(st.text(max_size=400))
def test_a_redacted_text_holds_no_secret_that_was_found(text):
    """Nothing raises, places are in order and apart, and a text without secrets stays as it is."""
    found = secrets(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= item.start < item.end <= len(text) for item in found)
    assert found or redacted(text) == text


@given(
    st.text(alphabet="0123456789", min_size=15, max_size=15),
    st.sampled_from(["", " ", "-"]),
    st.sampled_from(["I pay with {}.", "卡号：{}"]),
)
def test_every_card_of_a_network_is_found_however_it_is_grouped(digits, between, around):
    """A number that begins like a card and ends with its check digit is found in groups of four."""
    body = "4" + digits[:14]
    number = next(body + str(last) for last in range(10) if luhn(body + str(last)))
    grouped = between.join(number[place : place + 4] for place in range(0, 16, 4))
    assert secret_in(around.format(grouped)) == "card number"
    assert grouped not in redacted(around.format(grouped))


@pytest.mark.parametrize(
    "unit", ["a", "1 ", "1", "sk-", "eyJ", "-----BEGIN ", "password ", "key ", "://a", "一", "A1", "pin ", "card 4", "aa11 ", " "]
)
def test_time_grows_with_the_length_of_the_text(unit):
    """200,000 characters of anything are read within seconds."""
    begun = time.monotonic()
    secret_in(unit * (200_000 // len(unit)))
    assert time.monotonic() - begun < 5

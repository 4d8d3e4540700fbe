"""Keys, passwords and card numbers are not remembered, queued or shown to the model that notes."""

from __future__ import annotations

import json

import pytest
from casework import ai, human
from hypothesis import given
from hypothesis import strategies as st
from memorywork import Remembered

from langchain_contextmode.memories.secrets import redacted, secret_in

KEY = "sk-" + "AbC9" * 10


def test_f_o_120_a_password_and_a_key():
    """Neither is in a row, in the queue, in the request or in what is reported."""
    memory = Remembered(json.dumps({"facts": [f"DB password is Tr0ub4dor&3, key {KEY}"]}))
    memory.turn(human(f"Remember: db password is Tr0ub4dor&3 and the key is {KEY}", "h1"), ai("Stored.", "a1"))
    held = repr((memory.rows, memory.pending, memory.prompts, memory.refused, memory.reports))
    assert "Tr0ub4dor&3" not in held
    assert KEY not in held
    assert "AbC9AbC9" not in held


def test_f_o_121_a_token_in_tool_output_is_taken_out_of_derived_text():
    """Only the token goes; what stands beside it stays, and the source is not changed."""
    text = "TOKEN=ghp_" + "a" * 36 + "\nMODE=dev"
    assert redacted(text) == "TOKEN=[token removed]\nMODE=dev"
    assert "ghp_" in text


SECRETS = st.one_of(
    st.text("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=24, max_size=48).map(lambda s: f"sk-{s}"),
    st.text("abcdefghijkmnpqrstuvwxyz23456789", min_size=36, max_size=36).map(lambda s: f"ghp_{s}"),
    st.sampled_from(["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "４１１１１１１１１１１１１１１１"]),
    st.text("ABCDEFGHJKLMNPQRSTUVWXYZ234567", min_size=16, max_size=16).map(lambda s: f"AKIA{s}"),
)
AROUND = st.sampled_from(
    [
        "Remember: my key is {}",
        "I live in Rome and my card is {}.",
        "我的卡号是 {}，请记住",
        "always use {} !!",
        "{}",
        "My favourite token is {}",
    ]
)


@given(SECRETS, AROUND)
def test_no_secret_reaches_a_row_the_queue_or_the_model(secret, around):
    """However it is put, and whatever the model copies of it."""
    text = around.replace("{}", secret)
    memory = Remembered(json.dumps({"memories": [{"quote": text, "type": "fact", "message": "m1"}, text]}))
    memory.turn(human(text, "h1"), ai("ok", "a1"))
    held = repr((memory.rows, memory.pending, memory.prompts, memory.refused))
    assert secret not in held
    assert all(secret_in(row.text) is None for row in memory.rows)


@pytest.mark.parametrize("name", ["密码", "password", "PIN", "cvv"])
def test_talk_about_secrets_is_no_secret(name):
    """A statement that names none may be stored."""
    memory = Remembered()
    memory.turn(human(f"Always hide my {name} field in forms.", "h1"))
    assert len(memory.rows) == 1

"""A model that fails to note something costs nothing: rules have stored it, the message waits, tries are bounded."""

from __future__ import annotations

import pytest
from casework import ai, human
from hypothesis import given
from hypothesis import strategies as st
from memorywork import CallFailedError, Remembered

from langchain_contextmode.memories.ask_model import TRIES_MAX


def test_f_o_115_a_parse_error_keeps_the_turn():
    """Two replies that cannot be read: the turn is pending, the report says so; the next turn reads it, and there is one row."""
    memory = Remembered("sorry, here: {facts: [...", "still broken", '{"facts":["对花生过敏"]}')
    memory.turn(human("我对花生过敏", "h1"), ai("记住了。", "a1"))
    assert [item.message_id for item in memory.pending] == ["h1"]
    assert len(memory.reports) == 1
    memory.turn(human("next", "h2"), ai("ok", "a2"))
    assert memory.pending == ()
    assert memory.texts() == ["我对花生过敏"]
    assert len(memory.prompts) == 3


def test_f_o_116_prose_is_not_the_users_words():
    """A model that never returns JSON: the user's own sentence is there once, its prose is not."""
    memory = Remembered("The user likes black coffee.")
    memory.turn(human("I take coffee black", "h1"), ai("Noted", "a1"))
    for number in range(2, 6):
        memory.turn(human(f"question {number}?", f"h{number}"), ai("ok", f"a{number}"))
    assert memory.texts() == ["I take coffee black"]
    assert all(item.message_id != "h1" for item in memory.pending)
    assert all(item.tries < TRIES_MAX for item in memory.pending)


@pytest.mark.parametrize("error", [CallFailedError("timed out"), CallFailedError("no such model")])
def test_a_call_that_fails_is_reported_and_tried_again(error):
    """The answer is unaffected, the message waits."""
    memory = Remembered(error, '{"memories": [{"quote": "the boat is called Aurora", "type": "fact", "message": "m1"}]}')
    memory.turn(human("By the way, the boat is called Aurora.", "h1"), ai("ok", "a1"))
    assert [item.message_id for item in memory.pending] == ["h1"]
    memory.turn(human("next", "h2"), ai("ok", "a2"))
    assert memory.texts() == ["By the way, the boat is called Aurora."]


REPLIES = st.one_of(
    st.text(max_size=40),
    st.just(CallFailedError("down")),
    st.sampled_from(["{", "[]", '{"memories": []}', '{"memories": [{"quote": "I like tea"}]}', '{"memories": [1, null]}', "null"]),
)


@given(st.lists(REPLIES, min_size=1, max_size=12))
def test_whatever_a_model_replies_nothing_is_lost_and_calls_are_bounded(replies):
    """What rules find is stored once, whatever the model says; each turn asks twice at most, and no message waits forever."""
    memory = Remembered(*replies)
    memory.turn(human("I like tea.", "h1"), ai("ok", "a1"))
    for number in range(2, 3 + TRIES_MAX):
        memory.turn(human(f"question {number}?", f"h{number}"), ai("ok", f"a{number}"))
    assert memory.texts() == ["I like tea."]
    assert len(memory.prompts) <= 2 * (2 + TRIES_MAX)
    assert all(item.message_id != "h1" for item in memory.pending)

"""Chinese, Japanese and Korean are not counted at four characters a token."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, SCOPE, human, system
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from validity import violations

from langchain_contextmode import ContextConfig, prepare_context
from langchain_contextmode.tokens import default_counter

COUNTERS = pytest.mark.parametrize("counter", [ESTIMATE, default_counter()], ids=["estimate", "default"])


def is_han(character):
    return "\u4e00" <= character <= "\u9fff"


def rough(messages):
    """Count a token for each Han character and one for four others."""
    text = "".join(json.dumps(m.content, ensure_ascii=False) for m in messages)
    han = sum(map(is_han, text))
    return han + (len(text) - han) // 4


@COUNTERS
def test_f_o_032_six_thousand_han_characters(counter):
    """6000 Han characters count as 3600 to 12000 tokens."""
    assert 3_600 <= counter.message(human("今天下午三点在二号会议室讨论预算" * 375, "h1")) <= 12_000


@COUNTERS
def test_f_o_033_a_mixed_chat_stays_inside_its_budget(counter):
    """A view of a Chinese and English chat is inside its budget by an independent count too, give or take a quarter."""
    log = [system("你是仓库助手。", "s1")]
    for n in range(1, 11):
        log.append(human(f"请核对第{n}批货物 batch-{n}。" * 20, f"h{n}"))
        log.append(AIMessage(f"第{n}批已核对，无缺失 OK。" * 20, id=f"a{n}"))
    log.append(human("第三批有缺失吗？", "hq"))
    view = prepare_context(log, scope=SCOPE, config=ContextConfig(view_tokens=1_200), token_counter=counter)
    assert violations(view.messages) == []
    assert rough(view.messages) <= 1_200 * 1.25
    assert view.messages[-1] == log[-1]
    assert view.messages[0] == log[0]


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=20, max_size=300), st.integers(0, 50))
def test_han_text_is_never_counted_as_if_it_were_english(text, words):
    """Any Han text counts at half a token a character at least, also among English words."""
    assert ESTIMATE.text(text + " word" * words) >= 0.5 * len(text)


@given(st.text(st.characters(min_codepoint=0x3040, max_codepoint=0xD7A3, categories=["Lo"]), min_size=40, max_size=300))
def test_kana_and_hangul_are_counted_by_character(text):
    """Japanese and Korean text counts at a third of a token a character at least."""
    assert ESTIMATE.text(text) >= len(text) / 3

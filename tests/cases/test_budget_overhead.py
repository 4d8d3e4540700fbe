"""Everything that goes to the model is in the budget, and the budget needs no usage numbers of a provider."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, SCOPE, exchanges, human, prepare, system
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from summarywork import settings_for

from langchain_contextmode import BudgetError, ContextConfig, Pools, prepare_context

WINDOW = ContextConfig(window_tokens=8_000, pools=Pools(system=0.5, knowledge=0.1, history=0.25, output=0.15, safety=0.0))


def tool(tokens):
    """Return a tool whose schema has about this many tokens."""
    empty = {"type": "function", "function": {"name": "search", "description": "", "parameters": {"type": "object", "properties": {}}}}
    words = tokens - ESTIMATE.tools([empty])
    return {**empty, "function": {**empty["function"], "description": "word " * words}}


def test_f_o_034_system_prompt_and_tools_count():
    """System prompt and tool schemas that fill the window are an error with their sizes, although the history is small."""
    log = [system("policy text " * 1_100, "s1"), human("note " * 300, "h1"), AIMessage("ack " * 300, id="a1"), human("next?", "h2")]
    schema = tool(5_200)
    with pytest.raises(BudgetError) as caught:
        prepare_context(log, scope=SCOPE, config=WINDOW, tools=[schema], token_counter=ESTIMATE)
    assert caught.value.parts["system"] == ESTIMATE.message(log[0])
    assert caught.value.parts["tools"] == ESTIMATE.tools([schema])
    assert caught.value.needed_tokens > 8_000 * 0.85


def test_f_o_034_history_shrinks_for_tools():
    """Where system prompt and tools leave little, history is reduced, and the pools list every part inside the window."""
    log = [system("policy text " * 1_100, "s1"), human("note " * 300, "h1"), AIMessage("ack " * 300, id="a1"), human("next?", "h2")]
    schema = tool(3_700)
    view = prepare_context(log, scope=SCOPE, config=WINDOW, tools=[schema], token_counter=ESTIMATE)
    assert view.messages[0] == log[0]
    assert view.messages[-1] == log[-1]
    assert view.tokens == ESTIMATE(view.messages) + ESTIMATE.tools([schema])
    assert view.tokens + view.pools["output"].limit_tokens + view.pools["safety"].limit_tokens <= 8_000
    assert set(view.report["pools"]) == {"system", "knowledge", "history", "output", "safety"}
    assert view.pools["system"].used_tokens == ESTIMATE.message(log[0]) + ESTIMATE.tools([schema])
    assert {view.decisions[i].form for i in ("h1", "a1")} != {"verbatim"}


@pytest.mark.parametrize("window", [1_200, 2_000, 8_000])
def test_f_o_034_summary_and_pins_are_in_the_same_sum(window):
    """The block with pins and summary is counted with system prompt, tools, history and reserves, inside the window."""
    pools = Pools(system=0.5, knowledge=0.1, history=0.25, output=0.15, safety=0.0)
    config = settings_for(4, window_tokens=window, pools=pools)
    said = human("Never book flights before 9. Ticket OPS-4411 costs 80 EUR.", "h0")
    log = [system("policy text " * 100, "s1"), said, AIMessage("ok", id="a0")]
    log = [*log, *exchanges(1, 60, "question {n} about room {n}", "answer {n}: 20 euros"), human("next? OPS-4411", "hq")]
    schema = tool(120)
    view = prepare_context(log, scope=SCOPE, config=config, tools=[schema], token_counter=ESTIMATE)
    block = [m for m in view.messages if m.id == "contextmode-session"]
    assert view.tokens == ESTIMATE(view.messages) + ESTIMATE.tools([schema])
    assert view.tokens + view.pools["output"].limit_tokens + view.pools["safety"].limit_tokens <= window
    assert sum(pool.used_tokens for pool in view.pools.values()) == view.tokens
    if window < 8_000:
        assert block
        assert view.pools["knowledge"].used_tokens >= ESTIMATE.message(block[0])


def forty(**metadata):
    log = exchanges(1, 40, "q{n} " * 40, "r{n} " * 40)
    return [m.model_copy(update=metadata) if m.type == "ai" else m for m in log] + [human("go", "hq")]


def test_f_o_035_the_estimate_alone_decides():
    """Without usage numbers a long history is reduced to the budget."""
    view = prepare(forty(), view_tokens=1_500, keep_last=20)
    assert view.report["tokens_before"] > 1_500 >= view.tokens
    assert {d.action for d in view.decisions.values()} > {"keep"}


@pytest.mark.parametrize("reported", [1, 100_000])
def test_f_o_035_usage_never_lowers_the_count(reported):
    """Usage numbers of a provider, too small or too large, never make a message count less."""
    usage = {"input_tokens": reported, "output_tokens": reported, "total_tokens": 2 * reported}
    for bare, told in zip(forty(), forty(usage_metadata=usage), strict=True):
        assert ESTIMATE.message(told) >= ESTIMATE.message(bare)
    assert prepare(forty(usage_metadata=usage), view_tokens=1_500).tokens <= 1_500


@given(st.integers(1, 400), st.integers(30, 600), st.integers(0, 20), st.integers(700, 4_000))
def test_every_part_is_in_the_budget(system_words, tool_tokens, turns, window):
    """Whatever the sizes of system prompt, tools and history, all of it is inside the window's input share, or an error says so."""
    log = [system("rule " * system_words, "s1"), *exchanges(1, turns, "question {n} " * 30, "answer {n} " * 30), human("go", "hq")]
    config = WINDOW.model_copy(update={"window_tokens": window})
    schema = tool(tool_tokens)
    try:
        view = prepare_context(log, scope=SCOPE, config=config, tools=[schema], token_counter=ESTIMATE)
    except BudgetError:
        assert ESTIMATE([log[0], log[-1]]) + ESTIMATE.tools([schema]) > int(window * 0.85)
    else:
        assert ESTIMATE(view.messages) + ESTIMATE.tools([schema]) == view.tokens <= int(window * 0.85) + 1
        assert json.dumps(view.report["pools"])

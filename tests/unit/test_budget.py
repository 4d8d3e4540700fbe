"""Shares of a window become tokens."""

from __future__ import annotations

import pytest
from casework import ESTIMATE, SCOPE, human, prepare, system
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode import ContextConfig, Pools, prepare_context
from langchain_contextmode.budget import budget_for


@pytest.mark.parametrize("window", [8_000, 32_000, 128_000])
def test_pools_scale_with_the_window(window):
    """By default input gets 65 % of the window, the answer 25 %, and 10 % stay empty."""
    budget = budget_for(ContextConfig(window_tokens=window))
    assert budget.view == int(window * 0.65)
    assert budget.output == int(window * 0.25)
    assert budget.safety == int(window * 0.10)
    assert budget.system == pytest.approx(window * 0.10, abs=2)
    assert budget.knowledge == pytest.approx(window * 0.15, abs=2)
    assert budget.history == pytest.approx(window * 0.40, abs=2)


def test_a_cap_scales_the_input_pools():
    """With `view_tokens` the three input pools sum to it, in their proportions."""
    budget = budget_for(ContextConfig(view_tokens=1_300))
    assert (budget.view, budget.system, budget.knowledge, budget.history) == (1_300, 200, 300, 800)


def test_a_cap_never_reaches_into_the_reserves():
    """A cap above what the window leaves is cut to it."""
    assert budget_for(ContextConfig(window_tokens=1_000, view_tokens=5_000)).view == 650


@given(st.integers(256, 200_000), st.one_of(st.none(), st.integers(1, 300_000)), st.sampled_from([Pools(), Pools.for_reasoning()]))
def test_the_parts_never_exceed_the_window(window, cap, pools):
    """Input, reserve and safety together are at most the window; the input pools are exactly the view."""
    budget = budget_for(ContextConfig(window_tokens=window, view_tokens=cap, pools=pools))
    assert budget.system + budget.knowledge + budget.history == budget.view
    assert budget.view + budget.output + budget.safety <= window
    assert cap is None or budget.view <= cap
    assert min(budget) >= 0


def test_what_is_left_goes_to_history_and_then_to_the_answer():
    """A small request leaves its room to the answer, and history's limit is what the two other pools leave."""
    view = prepare_context(
        [system("s", "s1"), human("q", "h1")], scope=SCOPE, config=ContextConfig(window_tokens=8_000), token_counter=ESTIMATE
    )
    pools = view.pools
    assert pools["output"].limit_tokens == 8_000 - 800 - view.tokens
    assert pools["history"].limit_tokens == 5_200 - pools["system"].used_tokens - pools["knowledge"].used_tokens
    assert pools["system"].used_tokens == ESTIMATE.message(view.messages[0])


def test_a_large_system_prompt_is_taken_from_history():
    """The system pool may be exceeded; history's limit shrinks by what it takes."""
    view = prepare([system("rule " * 300, "s1"), human("q", "h1")], view_tokens=600)
    assert view.pools["system"].used_tokens > view.pools["system"].limit_tokens
    assert view.pools["history"].limit_tokens == 600 - view.pools["system"].used_tokens

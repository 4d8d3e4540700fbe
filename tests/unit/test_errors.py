"""The error tree, as it is drawn and as it is raised."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest
from casework import SCOPE, human, system

import langchain_contextmode
from langchain_contextmode import (
    BudgetError,
    ConfigError,
    ContextConfig,
    ContextModeError,
    Scope,
    ScopeError,
    StateSchemaError,
    StepError,
    StoreError,
    context_messages,
    errors,
    prepare_context,
)
from langchain_contextmode.testing import ScriptedChatModel

TREE = {ConfigError, ScopeError, BudgetError, StateSchemaError, StepError, StoreError}


def test_the_drawn_tree_is_the_real_one():
    """Every error of the module stands in its docstring, marked as a ValueError if it is one, and is exported."""
    defined = {c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, ContextModeError)} - {ContextModeError}
    assert defined == TREE
    drawn = dict(re.findall(r"[├└]── (\w+)\s+(\(ValueError\))?", errors.__doc__))
    assert set(drawn) == {c.__name__ for c in TREE}
    for error in TREE:
        assert bool(drawn[error.__name__]) is issubclass(error, ValueError)
        assert getattr(langchain_contextmode, error.__name__) is error
        assert error.__doc__


def budget_error():
    with pytest.raises(BudgetError) as caught:
        prepare_context([system("rule " * 50, "s1"), human("q", "h1")], scope=SCOPE, config=ContextConfig(view_tokens=20))
    return caught.value


def test_a_budget_error_says_what_to_do():
    """The numbers are in the attributes and in the sentence, with the setting that would help."""
    error = budget_error()
    assert error.needed_tokens > error.budget_tokens == 20
    assert set(error.parts) == {"system", "tools", "pinned", "request", "newest_call"}
    assert str(error.needed_tokens) in str(error)
    assert "view_tokens" in str(error)
    with pytest.raises(BudgetError, match="window_tokens"):
        prepare_context([human("q " * 900, "h1")], scope=SCOPE, config=ContextConfig(window_tokens=300))


def test_errors_never_hold_message_text():
    """An error's sentence has numbers and names, not what people said."""
    with pytest.raises(BudgetError) as caught:
        prepare_context([human("my secret is 4711 " * 50, "h1")], scope=SCOPE, config=ContextConfig(view_tokens=20))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "act"),
    [
        (ScopeError, lambda: Scope("", "s1")),
        (ScopeError, lambda: prepare_context([], scope="u1")),
        (ConfigError, lambda: ContextConfig(keep_score=99)),
        (StateSchemaError, lambda: prepare_context([], scope=SCOPE, state={"verdicts": {"version": 99}})),
        (StateSchemaError, lambda: context_messages({})),
    ],
)
def test_each_mistake_has_its_error(error, act):
    """What a caller did wrong is told by a typed error with a sentence."""
    with pytest.raises(error) as caught:
        act()
    assert len(str(caught.value).split()) > 4


def test_a_soft_failure_is_hard_on_request():
    """With `on_error="raise"` a judge that fails is a StepError that names the step."""
    log = [human("question " * 200, f"h{n}") for n in range(12)]
    config = ContextConfig(on_error="raise", protect_messages=0, filter_above_messages=0, keep_score=10, compress_score=0)
    with pytest.raises(StepError) as caught:
        prepare_context([*log, human("now?", "hq")], scope=SCOPE, config=config, model=ScriptedChatModel(replies=[OSError("down")]))
    assert caught.value.step == "filter"


def test_errors_travel_between_processes():
    """Every error can be pickled; a worker's error arrives as what it was."""
    for error in (ConfigError("x"), ScopeError("x"), StateSchemaError("x"), StoreError("x")):
        assert str(pickle.loads(pickle.dumps(error))) == "x"  # noqa: S301  (our own bytes)
    budget = budget_error()
    back = pickle.loads(pickle.dumps(budget))  # noqa: S301
    assert (str(back), back.parts, back.needed_tokens) == (str(budget), budget.parts, budget.needed_tokens)
    assert pickle.loads(pickle.dumps(StepError("x", step="filter"))).step == "filter"  # noqa: S301

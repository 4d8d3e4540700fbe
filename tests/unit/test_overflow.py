"""A provider that says that the context is too long, in whatever words."""

from __future__ import annotations

import pytest
from agents import Agent, agent, run
from hosts import conversation
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import HumanMessage

from langchain_contextmode import BudgetError, ContextConfig, build_chat_graph
from langchain_contextmode.overflow import Refusals, is_overflow, smaller


class RefusedError(Exception):
    """An error as clients of OpenAI raise it."""

    def __init__(self, message, status_code=400, code=None):
        super().__init__(message)
        self.status_code, self.code = status_code, code


@pytest.mark.parametrize(
    "error",
    [
        ContextOverflowError("too long"),
        RefusedError("Error code: 400 - Please shorten your input.", code="context_length_exceeded"),
        RefusedError("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
        RefusedError("the request exceeds the available context size, try increasing it", code=400),
        RefusedError("prompt is too long: 208310 tokens > 200000 maximum"),
        RefusedError("Input exceeds the context window of this model", status_code=413),
    ],
)
def test_a_refusal_for_length_is_known_by_class_code_or_words(error):
    """LangChain's error, OpenAI's code, and the words of other servers all mean that the context is too long."""
    assert is_overflow(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("the context window is broken"),
        RefusedError("Invalid value for 'temperature'."),
        RefusedError("The context window service is down", status_code=503),
        RefusedError("You exceeded your quota", status_code=429, code="insufficient_quota"),
    ],
)
def test_another_error_is_no_overflow(error):
    """What failed for another reason is not tried again with less."""
    assert not is_overflow(error)
    assert not Refusals().accept(error)


def test_two_refusals_are_accepted_and_no_third():
    """A request is made smaller twice."""
    refusals = Refusals()
    assert [refusals.accept(ContextOverflowError("long")) for _ in range(4)] == [True, True, False, False]


def test_each_view_is_smaller_than_the_last():
    """The next view has at most 70 % of the tokens that were too many, and never none."""
    assert smaller(ContextConfig(), 1_000).view_tokens == 700
    assert smaller(ContextConfig(), 1).view_tokens == 1


@pytest.mark.parametrize("form", ["agent", "chat"])
@pytest.mark.parametrize("awaited", [False, True])
async def test_where_no_smaller_view_exists_the_providers_error_comes_through(form, awaited):
    """A provider that refuses even a short request is not hidden behind a budget that nobody asked for."""
    refused = RefusedError("no", code="context_length_exceeded")
    given = {"messages": [HumanMessage("Tell me all that you know about harbours and ferries, and do not be brief about it.")]}
    built = agent([refused])[0] if form == "agent" else build_chat_graph(Agent(replies=[refused]))
    with pytest.raises(RefusedError) as caught:
        await built.ainvoke(given, run()) if awaited else built.invoke(given, run())
    assert isinstance(caught.value.__cause__, BudgetError)


@pytest.mark.parametrize("form", ["agent", "chat"])
def test_a_budget_that_the_caller_set_stays_a_budget_error(form):
    """Where nothing was refused yet, the numbers of the caller's own budget are what is wrong."""
    config = ContextConfig(view_tokens=10)
    built = agent(["Ok."], config=config)[0] if form == "agent" else build_chat_graph(Agent(replies=["Ok."]), config=config)
    with pytest.raises(BudgetError):
        built.invoke({"messages": conversation()}, run())

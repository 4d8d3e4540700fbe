from __future__ import annotations

import asyncio

import pytest
from langchain_core.messages import AIMessage

from langchain_contextmode.relevance.replies import yes_probability
from langchain_contextmode.testing import ScriptedChatModel, yes_no


def test_replies_come_in_order_and_the_last_one_stays():
    """Blocking and awaiting calls share one script, whose last reply repeats."""
    model = ScriptedChatModel(replies=["a", "b"])
    assert [model.invoke("1").text, asyncio.run(model.ainvoke("2")).text, model.invoke("3").text] == ["a", "b", "b"]
    assert [request.text for request in model.requests] == ["1", "2", "3"]


def test_a_callable_sees_request_and_options():
    """A scripted callable gets the messages and call options and may raise by returning an exception."""
    model = ScriptedChatModel(replies=lambda request: KeyError("no") if request.options.get("stop_here") else request.text.upper())
    assert model.invoke("hi").text == "HI"
    with pytest.raises(KeyError):
        model.invoke("hi", stop_here=True)


def test_a_scripted_message_is_copied():
    """The same scripted message can be returned twice without the two sharing an id with it."""
    message = AIMessage("x")
    model = ScriptedChatModel(replies=[message])
    first, second = model.invoke("1"), model.invoke("2")
    assert message.id is None
    assert first.id != second.id


@pytest.mark.parametrize("probability", [0.01, 0.5, 0.93])
def test_a_scripted_yes_has_its_probability(probability):
    """`yes_no` builds what a model with log probabilities returns."""
    reply = ScriptedChatModel(replies=[yes_no(probability)]).invoke("?")
    assert yes_probability(reply.response_metadata) == pytest.approx(probability)
    assert reply.text == ("Yes" if probability >= 0.5 else "No")

"""What the bundled conversation is, and that its early facts reach a small view."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langchain_contextmode import ContextConfig, Scope, prepare_context
from langchain_contextmode.cli import REQUESTS
from langchain_contextmode.content import message_time, text_of
from langchain_contextmode.transcripts import load_transcript

TRIP = files("langchain_contextmode") / "data" / "trip.jsonl"


@pytest.fixture(scope="module")
def trip():
    return load_transcript(str(TRIP))


def test_it_is_long_and_mixed(trip):
    """It has at least 120 messages with unique ids: one system message first, people, answers, tool results, some Chinese."""
    assert len(trip) >= 120
    assert len({m.id for m in trip}) == len(trip)
    assert [isinstance(m, SystemMessage) for m in trip] == [True] + [False] * (len(trip) - 1)
    chinese = [m for m in trip if re.search(r"[\u4e00-\u9fff]", text_of(m))]
    assert sum(isinstance(m, HumanMessage) for m in chinese) >= 6
    assert sum(isinstance(m, ToolMessage) for m in trip) >= 20


def test_every_call_has_its_results_behind_it(trip):
    """Tool calls are followed by exactly their results, some calls are parallel, and results are JSON of some length."""
    sizes = []
    for index, message in enumerate(trip):
        if isinstance(message, AIMessage) and message.tool_calls:
            ids = [call["id"] for call in message.tool_calls]
            results = trip[index + 1 : index + 1 + len(ids)]
            assert [r.tool_call_id for r in results] == ids
            assert all(json.loads(r.content) is not None for r in results)
            sizes.append(len(ids))
    assert sum(sizes) == sum(isinstance(m, ToolMessage) for m in trip)
    assert max(sizes) >= 2
    assert max(len(m.content) for m in trip if isinstance(m, ToolMessage)) > 1_500


def test_it_runs_over_several_days_in_order(trip):
    """Every message has an aware time, times rise, and they cover at least four days."""
    times = [message_time(m) for m in trip]
    assert None not in times
    assert times == sorted(times)
    assert (times[-1] - times[0]).days >= 4


@pytest.mark.parametrize(
    ("request_text", "facts"),
    [
        (REQUESTS[0], ["shrimp stock in a soup is enough", "not more than 70 euros for a dinner for the two of us"]),
        (REQUESTS[1], ["CAM-20517-8831"]),
        (
            "What was our total budget at the start, and what am I allergic to?",
            ["Budget is 2,400 euros for everything", "I'm allergic to shellfish"],
        ),
        ("Why does the hotel need a lift?", ["Yue hurt her knee in January"]),
        ("Yue 不吃什么？", ["我吃素，蛋和奶可以，但是不吃肉也不吃鱼"]),
        ("我们的预算后来提高到多少？", ["预算可以加到两千八百欧元"]),
    ],
)
def test_early_facts_reach_a_small_view(trip, request_text, facts):
    """Whatever is asked for was said days ago, and stands word for word in a view of at most 2,000 tokens, without a model."""
    log = [*trip, HumanMessage(request_text, id="request")]
    view = prepare_context(log, scope=Scope("u", "s"), config=ContextConfig(view_tokens=2_000))
    originals = {m.id: m for m in trip[:-20]}
    verbatim = [m.content for m in view.messages if m.id in originals and m.content == originals[m.id].content]
    assert view.tokens <= 2_000
    for fact in facts:
        assert any(fact in str(content) for content in verbatim), fact

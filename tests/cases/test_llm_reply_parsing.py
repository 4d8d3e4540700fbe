"""A judge's reply is data: what is unclear keeps the message, and nothing raises."""

from __future__ import annotations

import pytest
from casework import SCOPE, exchanges, human
from hypothesis import given
from hypothesis import strategies as st
from validity import violations

from langchain_contextmode import ContextConfig, prepare_context
from langchain_contextmode.relevance.replies import read_list
from langchain_contextmode.testing import ScriptedChatModel

IDS = ["m1", "m2", "m3"]
ASK_ALL = ContextConfig(protect_messages=0, filter_above_messages=0, keep_score=10, compress_score=0)
LOG = [*exchanges(1, 6, "question {n} " * 60, "answer {n} " * 60), human("now?", "hq")]


def actions(reply):
    """Return id to action, or to score; what has no verdict is kept."""
    found = read_list(reply, IDS).opinions
    said = {i: found[i].action if found[i].score is None else found[i].score for i in found}
    return {**dict.fromkeys(IDS, "keep"), **said}


def forms(reply):
    """Return what a judge that replies this to everything makes of a log."""
    model = ScriptedChatModel(replies=[reply])
    view = prepare_context(LOG, scope=SCOPE, config=ASK_ALL, model=model)
    assert model.requests
    assert violations(view.messages) == []
    return {i: d.action for i, d in view.decisions.items()}


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"m1":"keep","m2":"drop","m3":"compress"}\n```',
        '```\n[{"id":"m1","decision":"KEEP"},{"id":"m2","decision":"Drop"},{"id":"m3","decision":"compress"}]\n```',
    ],
)
def test_f_o_109_fenced_json(reply):
    """JSON in a code fence is read."""
    assert actions(reply) == {"m1": "keep", "m2": "drop", "m3": "compress"}


def test_f_o_110_prose_around_json():
    """Explanations and stray braces around the JSON do not matter."""
    reply = 'Sure! Note {this} first.\n{"m1":"keep","m2":"drop","m3":"keep"}\nHope that helps {ok}.'
    assert actions(reply) == {"m1": "keep", "m2": "drop", "m3": "keep"}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"m1":{"score":"9/10"},"m2":{"score":"0.05"},"m3":{"score":85}}', {"m1": 9, "m2": "keep", "m3": "keep"}),
        ('{"m1":{"score":"high"},"m2":{"score":-1},"m3":{"score":null}}', dict.fromkeys(IDS, "keep")),
        ('{"m1":{"score":NaN},"m2":{"score":1e9},"m3":{"score":true}}', dict.fromkeys(IDS, "keep")),
    ],
)
def test_f_o_111_scores_off_the_scale(reply, expected):
    """A score that is no integer from 0 to 10 is no verdict."""
    assert actions(reply) == expected


def test_f_o_112_unknown_ids():
    """Unknown ids are ignored and reported, never matched by prefix; an id that is missing is kept."""
    reading = read_list('{"m1":"drop","m12":"drop","zzz":"keep"}', IDS)
    assert {i: opinion.action for i, opinion in reading.opinions.items()} == {"m1": "drop"}
    assert any("m12" in flaw and "zzz" in flaw for flaw in reading.flaws)
    assert any("m2" in flaw and "m3" in flaw for flaw in reading.flaws if flaw.startswith("missing"))


def test_f_o_112_doubled_ids():
    """Of contradicting entries the more careful one counts; an index or another case is no id."""
    reply = '[{"id":"m1","decision":"drop"},{"id":"m1","decision":"keep"},{"id":1,"decision":"drop"},{"id":"M2","decision":"drop"}]'
    assert actions(reply) == dict.fromkeys(IDS, "keep")


def test_f_o_113_yes_and_no_in_prose():
    """A yes or no with words around it is read; both at once is none."""
    assert actions("m1: Yes, it is relevant. m2: no. m3: yes|no") == {"m1": "keep", "m2": "drop", "m3": "keep"}
    assert set(forms("I would rather talk about the weather.").values()) == {"keep"}


def test_f_o_114_localised_words():
    """Chinese decision words are read; unknown ones keep."""
    assert actions('{"m1":"保留","m2":"丢弃","m3":"压缩"}') == {"m1": "keep", "m2": "drop", "m3": "compress"}
    assert actions('{"m1":"да","m2":"нет","m3":"?"}') == dict.fromkeys(IDS, "keep")


JSONISH = st.text('{}[]":, m123keepdrocs`\n-0.9é', max_size=80)


@given(st.one_of(JSONISH, st.text(max_size=60), st.sampled_from(["[" * 3_000, '{"m1":' * 500, "```", "<think>", "NaN"])))
def test_nothing_that_is_said_raises_or_names_a_stranger(reply):
    """Any text reads as verdicts on given ids with scores from 0 to 10, or as none."""
    for identity, opinion in read_list(reply, IDS).opinions.items():
        assert identity in IDS
        assert opinion.score is None or 0 <= opinion.score <= 10
        assert opinion.action in {None, "keep", "compress", "drop"}


@pytest.mark.parametrize("reply", ["", "{", "null", '{"x1": "drop"}', "<think>drop all", OSError("down"), '[{"id": "m1"}]'])
def test_a_judge_that_says_nothing_loses_nothing(reply):
    """If a judge says nothing that can be read, everything is kept."""
    assert set(forms(reply).values()) == {"keep"}

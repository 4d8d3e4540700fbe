from __future__ import annotations

import json
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode.relevance.json_values import json_values, without_thoughts
from langchain_contextmode.relevance.replies import Opinion, read_list, read_picks, read_yes_no, yes_probability

IDS = ["m1", "m2", "m3"]
DECIDED = {"m1": "keep", "m2": "drop", "m3": "compress"}


def actions(text):
    return {key: opinion.action for key, opinion in read_list(text, IDS).opinions.items()}


def scores(text):
    return {key: opinion.score for key, opinion in read_list(text, IDS).opinions.items()}


@pytest.mark.parametrize(
    "text",
    [
        '{"m1":"keep","m2":"drop","m3":"compress"}',
        '```json\n{"m1":"keep","m2":"drop","m3":"compress"}\n```',
        '```\n[{"id":"m1","decision":"KEEP"},{"id":"m2","decision":"Drop"},{"id":"m3","decision":"compress"}]\n```',
        'Sure! Note {this} first.\n{"m1":"keep","m2":"drop","m3":"compress"}\nHope that helps {ok}.',
        '<think>[{"id":"m1","action":"drop"}] or {"m2": "keep"}?</think>{"m1":"keep","m2":"drop","m3":"compress"}',
        'm2 should stay, {"m2":"keep"}</think>\n{"m1":"keep","m2":"drop","m3":"compress"}',
        '{"id":"m1","action":"keep"}\n{"id":"m2","action":"drop"}\n{"id":"m3","action":"compress"}',
        '{"decisions":[{"id":"m1","action":"keep"},{"id":"m2","action":"drop"},{"id":"m3","action":"compress"}]}',
        '{"decisions":{"m1":{"action":"keep"},"m2":{"action":"drop"},"m3":{"action":"compress"}}}',
        '[{"id":"m1","action":"keep",}, // it\n {"id":"m2","action":"drop"}, # no\n /* x */ {"id":"m3","action":"compress"},]',
        "{'m1': 'keep', 'm2': 'drop', 'm3': 'compress'}",
        '{"m1":"保留","m2":"丢弃","m3":"压缩"}',
        "m1: keep\nm2: drop (chatter)\n**m3**: compress - useful",
        "m1：保留，因为有预算\nm2：丢弃。\nm3：压缩",
    ],
)
def test_every_usual_shape_is_read(text):
    """Fences, prose, thoughts, lines, maps, wrappers, comments, trailing commas, quotes and Chinese words all give the same verdicts."""
    assert actions(text) == DECIDED
    assert not read_list(text, IDS).flaws


@pytest.mark.parametrize(
    ("written", "score"),
    [("9", 9), ('"9"', 9), ('"9/10"', 9), ('" 9 / 10 "', 9), ("8.0", 8), ('"10"', 10), ("0", 0), ('"7分"', 7)],
)
def test_scores_come_in_many_shapes(written, score):
    """A whole number from 0 to 10 is a score, as a number, a string, or out of ten."""
    assert scores(f'[{{"id":"m1","score":{written},"reason":"r"}}]') == {"m1": score}


@pytest.mark.parametrize(
    "written", ['"0.05"', "7.5", "85", "-1", '"high"', "null", "NaN", "Infinity", "1e9", "true", "false", "[]", '"9/100"', '""']
)
def test_what_is_no_score_is_no_verdict(written):
    """Fractions, other scales, words, NaN and booleans give no verdict, are reported, and leave the neighbours alone."""
    reading = read_list(f'{{"m1":{{"score":{written}}},"m2":{{"score":3}}}}', ["m1", "m2"])
    assert reading.opinions == {"m2": Opinion(3, None)}
    assert reading.flaws == ("no valid score: m1",)


def test_a_bad_score_is_not_rescued_by_its_action():
    """A score off the scale voids the entry, even one that says drop; an absent score leaves the action to count."""
    assert not read_list('[{"id":"m1","score":85,"action":"drop"}]', ["m1"]).opinions
    assert read_list('[{"id":"m1","score":null,"action":"drop"}]', ["m1"]).opinions == {"m1": Opinion(None, "drop")}


def test_score_and_reason_are_kept():
    """Score, action and reason of an entry are handed on."""
    reading = read_list('[{"id":"m1","score":9,"action":"drop","reason":"holds the budget"}]', ["m1"])
    assert reading.opinions == {"m1": Opinion(9, "drop", "holds the budget")}


def test_unknown_ids_are_ignored_and_reported():
    """An id that was never given counts for nothing, matches nothing by prefix or case, and is named."""
    reading = read_list('{"m1":"drop","m12":"drop","zzz":"keep"}', IDS)
    assert reading.opinions == {"m1": Opinion(None, "drop")}
    assert reading.flaws == ("unknown: m12, zzz", "missing: m2, m3")
    assert not read_list('[{"id":1,"action":"drop"},{"id":"M2","action":"drop"},{"id":true,"action":"drop"}]', IDS).opinions


def test_of_two_opinions_the_more_careful_stands():
    """Doubled entries give the more careful verdict, whatever their order, and are named."""
    for first, second in (("drop", "keep"), ("keep", "drop"), ("compress", "keep")):
        reading = read_list(f'[{{"id":"m1","action":"{first}"}},{{"id":"m1","action":"{second}"}}]', ["m1"])
        assert reading.opinions["m1"].action == "keep"
        assert reading.flaws == ("doubled: m1",)
    assert read_list('[{"id":"m1","score":2},{"id":"m1","score":7}]', ["m1"]).opinions["m1"].score == 7


def test_words_around_and_both_at_once():
    """In plain text the first word after an id decides; an answer that says both decides nothing."""
    reading = read_list("m1: Yes, it is relevant. m2: no. m3: yes|no", IDS)
    assert {key: opinion.action for key, opinion in reading.opinions.items()} == {"m1": "keep", "m2": "drop"}
    assert reading.flaws == ("no valid score: m3",)


@pytest.mark.parametrize("said", ["no longer relevant", "not needed", "2.5", "8-9", "drop or keep", "yes/no", "да", "?"])
def test_unclear_words_decide_nothing(said):
    """A word that only begins like a verdict, a fraction, a range or another language gives no verdict."""
    assert not read_list(f"m1: {said}", ["m1"]).opinions


def test_a_reply_that_was_cut_off_keeps_what_was_complete():
    """Complete entries of a cut reply count; the one that was cut does not, even if its first digit would be a score."""
    assert scores('[{"id":"m1","score":9,"reason":"x"},{"id":"m2","score":1') == {"m1": 9}
    assert actions('{"m1":"keep","m2":"drop","m3":"comp') == {"m1": "keep", "m2": "drop"}


@pytest.mark.parametrize("text", ["", "   ", "I cannot do that.", "{}", "[]", "null", "<think>m1: drop", '{"ok": {}}', "5"])
def test_nothing_readable_is_no_opinion(text):
    """A reply without verdicts gives none, and says that they are missing."""
    reading = read_list(text, IDS)
    assert not reading.opinions
    assert reading.flaws == ("missing: m1, m2, m3",)


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["m1", "keep", "9/10", "丢弃"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "score", "action", "m1", "m2", "x"]) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)
pieces = st.lists(
    st.sampled_from(
        [
            *"{}[]\",:\\/#* \n'",
            "m1",
            "m2: ",
            "keep",
            "<think>",
            "</think>",
            "```json",
            '{"id":"m1",',
            '"score":',
            "9/10",
            "NaN",
            "//",
            "/*",
            "是",
        ]
    )
    | st.text(max_size=5),
    max_size=40,
).map("".join)


@given(st.text() | pieces | json_like.map(lambda value: json.dumps(value, ensure_ascii=False)))
def test_no_reply_raises_or_invents(text):
    """Whatever the reply, reading it raises nothing and yields only given ids with a score of 0..10 or an action."""
    reading = read_list(text, IDS)
    assert set(reading.opinions) <= set(IDS)
    for opinion in reading.opinions.values():
        assert opinion.score is not None or opinion.action is not None
        assert opinion.score is None or (0 <= opinion.score <= 10 and type(opinion.score) is int)
    assert read_yes_no(text) in {True, False, None}
    picks = read_picks(text, 5)
    assert len(picks) <= 3
    assert len(set(picks)) == len(picks)
    assert all(0 <= pick < 5 for pick in picks)


@given(st.dictionaries(st.sampled_from(IDS), st.integers(0, 10), min_size=1), st.text(alphabet="ab {}[]'\n", max_size=20))
def test_a_valid_array_is_found_in_any_prose(wanted, prose):
    """A well-formed array is read exactly, whatever prose with stray brackets stands behind it."""
    array = json.dumps([{"id": key, "score": score, "reason": prose} for key, score in wanted.items()])
    assert scores(f"Here you are: {array}\n{prose}") == wanted


@given(json_like)
def test_metadata_of_any_shape_raises_nothing(metadata):
    """Log probabilities of an unknown shape are none."""
    for shape in (metadata, {"logprobs": metadata}, {"logprobs": {"content": metadata}}, {"logprobs": {"content": [metadata]}}):
        probability = yes_probability(shape)
        assert probability is None or 0 <= probability <= 1


def test_the_first_tokens_probabilities_are_compared():
    """All spellings of yes and no among the first token's candidates count, other words do not."""
    top = [(" Yes", 0.5), ("yes", 0.1), ("No", 0.2), ("Maybe", 0.2)]
    first = {"token": " Yes", "logprob": math.log(0.5), "top_logprobs": [{"token": t, "logprob": math.log(p)} for t, p in top]}
    newline = {"token": "\n", "logprob": 0.0, "top_logprobs": []}
    assert yes_probability({"logprobs": {"content": [newline, first]}}) == pytest.approx(0.6 / 0.8)


def test_probabilities_of_other_words_are_no_answer():
    """A first token that is hardly ever yes or no gives no probability."""
    entry = {"token": "The", "logprob": -0.01, "top_logprobs": [{"token": "The", "logprob": -0.01}, {"token": "Yes", "logprob": -9.0}]}
    assert yes_probability({"logprobs": {"content": [entry]}}) is None
    assert yes_probability({}) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Yes", True),
        ("yes.", True),
        ("No, it is not.", False),
        ("<think>no</think> Yes", True),
        ("The answer is no.", False),
        ("是。", True),
        ("否", False),
        ("", None),
        ("Yes|No", None),
        ("Maybe", None),
        ("It depends: yes or no", None),
        ("compress", None),
    ],
)
def test_yes_and_no_are_read_from_text(text, answer):
    """A yes or a no is read; both at once, or neither, is no answer."""
    assert read_yes_no(text) is answer


@pytest.mark.parametrize(
    ("text", "picks"),
    [
        ('["m2","m5"]', (1, 4)),
        ("[2, 5]", (1, 4)),
        ("I pick 2 messages: m3 and m1.", (2, 0)),
        ("m3, m3, m99, m0", (2,)),
        ("m1 m2 m3 m4", (0, 1, 2)),
        ("none", ()),
        ("", ()),
        ("2.5", ()),
        ("<think>m1</think>m4", (3,)),
        ("-3", ()),
    ],
)
def test_picks_are_read(text, picks):
    """Up to three valid numbers count, in the order named, once each; labels win over bare numbers."""
    assert read_picks(text, 8) == picks


@pytest.mark.parametrize(
    "text",
    [
        "[" * 60_000,
        '\\"' * 30_000 + "[",
        "[/*" * 20_000,
        '{"a":' * 20_000,
        "<think>" * 9_000,
        "m1:" * 20_000,
        "m1\"'`" * 20_000,
        "9" * 60_000,
    ],
)
def test_hostile_replies_are_read_in_bounded_time(text):
    """No reply takes more than a few seconds, however it is nested."""
    started = time.perf_counter()
    read_list(text, IDS)
    read_picks(text, 3)
    read_yes_no(text)
    assert time.perf_counter() - started < 5


def test_thoughts_are_cut_out():
    """A finished thought is left out, an unfinished one takes the rest with it, and a lone end tag takes what is before it."""
    assert without_thoughts("a <think>b</think> c").split() == ["a", "c"]
    assert without_thoughts("a <think>b").split() == ["a"]
    assert without_thoughts("b</think> c").split() == ["c"]


def test_outer_values_come_once():
    """A value inside another one is not yielded a second time."""
    assert list(json_values('x [{"a": [1]}] y {"b": 2}')) == [[{"a": [1]}], {"b": 2}]

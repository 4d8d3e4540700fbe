from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_contextmode._ports import BlockingIO, finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.parsing import parse
from langchain_contextmode.protocols import Request
from langchain_contextmode.relevance.lexical import LexicalScorer
from langchain_contextmode.relevance.scale import to_values
from langchain_contextmode.relevance.signals import Weights
from langchain_contextmode.selection import density

CHATTER = (
    "Ha, good one!",
    "Nice weather here today.",
    "My neighbour plays the trumpet all night.",
    "So tired, barely slept.",
    "The bus was late again.",
    "I burnt my toast.",
    "Which series are you watching?",
    "It rained the whole afternoon.",
)


def verdicts(messages, text, context=(), weights=None):
    blocks = parse(messages).blocks
    io = BlockingIO(ContextConfig())
    return finish(LexicalScorer(weights or Weights()).score(io, Request(text, tuple(context)), blocks, range(len(blocks))))


def talk(*said, at=None, among=24):
    """Chatter of `among` messages with `said` put in at positions `at` (default: 10, 11, ...)."""
    texts = [CHATTER[i % len(CHATTER)] + f" ({i})" for i in range(among)]
    for position, text in zip(at or range(10, 10 + len(said)), said, strict=True):
        texts[position] = text
    return [(HumanMessage if i % 2 == 0 else AIMessage)(text, id=f"m{i}") for i, text in enumerate(texts)]


def best(found):
    return max(range(len(found)), key=lambda i: found[i].value)


def test_the_message_that_answers_ranks_first_and_says_why():
    """What the request is about is kept, with its words as the reason; unrelated talk is not."""
    found = verdicts(talk("We fixed the hotel budget at 900 euros."), "What was our budget for the hotel?")
    assert best(found) == 10
    assert found[10].score == 10
    assert '"budget"' in found[10].reason
    assert '"hotel"' in found[10].reason
    assert found[2].score < 6


def test_word_forms_and_related_words_find_each_other():
    """Asking about painting finds who painted, asking about pets finds the dog, less surely than the word itself."""
    assert best(verdicts(talk("I painted a sunrise."), "Which paintings are there?")) == 10
    found = verdicts(talk("Our dog Rex ate it.", "No pets allowed there.", at=(4, 18)), "Do we have pets?")
    assert found[18].value > found[4].value
    assert found[4].score >= 8
    assert 'related to "pets"' in found[4].reason


def test_chinese_is_matched_without_a_segmenter():
    """A Chinese request finds the Chinese message that it is about."""
    assert best(verdicts(talk("我们去上海的酒店预算是九百元。"), "酒店预算是多少？")) == 10


def test_the_neighbours_of_a_match_count():
    """An answer that repeats no word of its question is kept beside it, farther messages less."""
    found = verdicts(talk("Where does the insurance certificate go?", "Into the blue folder."), "insurance certificate")
    assert found[11].score >= 8
    assert "next to a matching message" in found[11].reason
    assert found[11].value > found[12].value > found[16].value


def test_a_pause_ends_the_neighbourhood():
    """What was said after a long pause is no neighbour of what was said before it."""
    start = datetime(2026, 3, 1, 9, tzinfo=UTC)
    messages = talk("The insurance certificate?")
    for i, message in enumerate(messages):
        pause = timedelta(days=1) if i > 10 else timedelta(0)
        message.additional_kwargs["contextmode"] = {"time": (start + pause + timedelta(minutes=i)).isoformat()}
    found = verdicts(messages, "insurance certificate")
    assert found[9].value > found[11].value


def test_who_is_named_is_who_speaks():
    """Asked what Ann said, Ann's message comes before Bob's of the same words, and her name is no topic."""
    messages = [HumanMessage("I love sailing.", name="Ann", id="a"), *talk()[1:9], HumanMessage("I love sailing.", name="Bob", id="b")]
    messages.append(AIMessage("Thanks Ann!", name="Bob", id="c"))
    found = verdicts(messages, "What does Ann love?")
    assert best(found) == 0
    assert "said by Ann" in found[0].reason
    assert found[9].value > found[-1].value


def test_a_date_in_the_request_finds_what_was_said_then():
    """Asked about a day, messages of that day and the week after come before others of the same words."""
    messages = talk("We went sailing.", "We went sailing.", at=(4, 18))
    for i, message in enumerate(messages):
        message.additional_kwargs["contextmode"] = {"time": datetime(2026, 3 if i < 12 else 6, 2, tzinfo=UTC).isoformat()}
    assert best(verdicts(messages, "Where did we go sailing on 1 June 2026?")) == 18
    assert best(verdicts(messages, "Where did we go sailing in March?")) == 4


def test_a_quoted_message_counts_with_the_one_that_quotes_it():
    """What a matching message answers is lifted, however far back it stands."""
    messages = talk("Blue, as always.", "About the insurance certificate, as you said.", at=(2, 20))
    messages[20].additional_kwargs["contextmode"] = {"ref_message_ids": ["m2"]}
    quoted = verdicts(messages, "insurance certificate")[2]
    messages[20].additional_kwargs.clear()
    assert quoted.value >= 8 > verdicts(messages, "insurance certificate")[2].value


def test_an_exact_entity_is_at_least_compressed():
    """A message that holds an id of the request is never dropped, even among many that match better."""
    better = [f"The refund for the broken lamp, refund case {i}" for i in range(20)]
    messages = talk("x ORD-4711", *better, at=(0, *range(4, 24)))
    found = verdicts(messages, "Why is the refund for the broken lamp of ORD-4711 late, and the refund case?", weights=Weights(length=0.99))
    assert found[0].score >= 6
    assert 'names "ORD-4711"' in found[0].reason
    plain = verdicts(talk("x ORD-47112", *better, at=(0, *range(4, 24))), "refund broken lamp case ORD-4711")
    assert "names" not in plain[0].reason


def test_an_entity_alone_says_who_decided():
    """Where only the entity rule saved a message, the verdict says so."""
    better = [f"Refund of the hotel in Lisbon, case {i}" for i in range(59)]
    messages = talk("Rain in Lisbon.", *better, at=tuple(range(60)), among=60)
    found = verdicts(messages, "the hotel refund in Lisbon, which case", weights=Weights(before=0.0, after=0.0))
    assert (found[0].score, found[0].value, found[0].decided_by) == (6, 6.0, "entity")
    assert {v.decided_by for v in found[40:]} == {"local"}


@pytest.mark.parametrize("text", ["yes, go ahead", "那个", "OK, do it", "就按上次说的"])
def test_a_request_without_words_of_its_own_leans_on_what_was_just_said(text):
    """What "yes, go ahead" and its Chinese siblings agree to is what the assistant just proposed."""
    messages = talk("Lisbon flight on TAP for 210 euros, window seat.")
    found = verdicts(messages, text, context=["Fine.", "Shall I book the TAP flight to Lisbon?"])
    assert best(found) == 10


def test_context_does_not_drown_a_request_with_words():
    """A full question is about itself, not about the last topic."""
    messages = talk("The TAP flight to Lisbon.", "The dentist is on Tuesday.", at=(4, 18))
    assert best(verdicts(messages, "When is the dentist appointment, morning or evening?", context=["The TAP flight to Lisbon."])) == 18


@pytest.mark.parametrize("text", ["", "?", "and the", "xylophone quartet"])
def test_a_request_that_tells_nothing_drops_nothing(text):
    """Without any usable sign everything stays at least compressed, the newer half kept."""
    found = verdicts(talk(), text)
    assert min(v.score for v in found) >= 6
    assert found[-1].score >= 8


def test_recency_only_parts_equals():
    """Of two equal messages the newer one ranks first; an older better one stays before both."""
    found = verdicts(talk("sailing trip", "sailing", "sailing", at=(2, 18, 34), among=44), "sailing trip")
    assert found[2].value > found[34].value > found[18].value


def test_a_call_is_judged_with_its_results():
    """A tool call and its result are one block: what the result says counts for both."""
    call = AIMessage("", id="c", tool_calls=[{"name": "search", "args": {"q": "hotels"}, "id": "t1", "type": "tool_call"}])
    messages = [*talk(), call, ToolMessage("Hotel Mirador, 120 euros, breakfast included", tool_call_id="t1", id="r"), *talk()[:6]]
    assert best(verdicts([m.model_copy(update={"id": f"x{i}"}) for i, m in enumerate(messages)], "Is breakfast included?")) == 24


def test_the_source_of_an_identifier_that_is_used_later_counts():
    """Where an account number came from matters to a task that runs on it, though the request does not repeat it."""
    messages = talk("My account is acc_4711.", "I look up acc_4711.", "Mine is acc_9999.", at=(4, 30, 18), among=40)
    found = verdicts(messages, "Is the trumpet refund done?")
    assert found[4].value > found[18].value


def test_a_long_log_is_sorted_out_and_a_short_one_hardly():
    """At least half of a long log is dropped; of a short one only what has nothing in common with the request."""
    long = verdicts(talk("hotel budget", among=400), "What is the hotel budget?")
    assert sum(v.score < 6 for v in long) >= 200
    short = verdicts(talk("The budget.", "The hotel.", at=(2, 5), among=8), "What is the hotel budget?")
    assert all(v.score >= 6 for v in short)


def test_candidates_are_answered_in_order_and_alone():
    """One verdict a candidate, the same as if everything had been asked."""
    blocks = parse(talk("hotel budget")).blocks
    io, request = BlockingIO(ContextConfig()), Request("hotel budget")
    every = finish(LexicalScorer().score(io, request, blocks, range(len(blocks))))
    assert finish(LexicalScorer().score(io, request, blocks, [3, 10])) == [every[3], every[10]]
    assert finish(LexicalScorer().score(io, request, [], [])) == []


def test_every_signal_can_be_switched_off():
    """With all weights at nothing only coverage is left, and the scorer still ranks."""
    off = {f.name: 0.0 for f in dataclasses.fields(Weights) if f.name not in {"saturation", "reach"}}
    assert best(verdicts(talk("hotel budget"), "hotel budget", weights=Weights(**off))) == 10


@given(st.lists(st.text(max_size=40), max_size=12), st.text(max_size=40))
def test_any_conversation_gets_valid_and_repeatable_verdicts(texts, request):
    """Whatever was said, scores are integers 0..10 that round their values down, with a reason, twice the same."""
    messages = [HumanMessage(text, id=str(i)) for i, text in enumerate(texts)]
    found = verdicts(messages, request)
    assert found == verdicts(messages, request)
    assert all(0 <= v.score <= v.value <= 10 and v.score == int(v.value) and v.reason for v in found)


@given(st.lists(st.floats(0, 5), min_size=1, max_size=40))
def test_the_scale_keeps_the_order(sums):
    """More evidence never means a lower value."""
    values = to_values(np.array(sums))
    if max(sums) >= 0.25:
        order = np.argsort(sums, kind="stable")
        assert np.all(np.diff(values[order]) >= 0)
    assert np.all((values >= 0) & (values <= 10))


def test_size_decides_only_between_blocks_of_like_value():
    """Of equals the shorter wins; a clearly better block wins against any length; nothing costs nothing."""
    assert density(9.0, 50) > density(9.0, 500)
    assert density(9.5, 2_000) > density(8.5, 20)
    assert density(9.0, 0) == density(9.0, 1)

"""What was sent stays as it was sent while the budget allows, nothing is asked twice, and what is stored does not grow with the turns."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from agentwork import worked
from casework import ESTIMATE, RUN, SCOPE, ai, call, human, result, system
from hostwork import keeping_host
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from summarywork import FAILS, questions, settings_for, summarised

from langchain_contextmode import EphemeralMemoryStore, Memory, prepare_context
from langchain_contextmode.prune import build_prune_node
from langchain_contextmode.testing import ScriptedChatModel


def step(n, words=300):
    return [call(f"a{n}", ("step", {"n": n}, f"c{n}")), result(f"out{n} " * words, f"c{n}", f"t{n}")]


def long_job(count, words=300):
    return [human("long job", "h1"), *(m for n in range(1, count + 1) for m in step(n, words))]


def changed(before, after):
    """Say whether a message that was sent is sent in another form, or not at all."""
    return after.messages[: len(before.messages)] != before.messages


@pytest.mark.parametrize("words", [60, 300])
def test_f_o_074_what_was_sent_stays_as_it_was(words):
    """A call of a long turn changes what was sent only where the new step would not fit; at most one call of three, if steps are small."""
    writer = ScriptedChatModel(replies=["Talk."])
    state, views = None, []
    for count in range(8, 26):
        view = summarised(long_job(count, words), state=state, model=writer, view_tokens=2_500, keep_last=20)
        views.append(view)
        state = view.state
    changes = []
    for number, (one, two) in enumerate(pairwise(views), 9):
        changes.append(changed(one, two))
        assert changes[-1] == (one.tokens + ESTIMATE(step(number, words)) - ESTIMATE([]) > 2_500)
    assert any(changes)
    if words == 60:
        assert max(sum(changes[first : first + 3]) for first in range(len(changes) - 2)) == 1
    assert writer.requests == []


def fair(request):
    """Judge every item that a request names."""
    labels = sorted(set(re.findall(r"\bm\d+\b", request.text)))
    return json.dumps([{"id": label, "score": 9, "action": "keep", "reason": "so"} for label in labels])


def asked_in_turn(judge, writer):
    """Return how often judge and summariser were asked after each model call of a turn of tool steps behind a long history."""
    config = settings_for(2, view_tokens=2_500, keep_score=10, compress_score=0)
    past = [m.model_copy(update={"content": f"{m.content} " * 60}) for m in questions(1, 12)]
    state, asked = None, []
    for count in range(8):
        log = [*past, *long_job(count, 30)]
        models = {"filter": judge, "summary": writer}
        state = prepare_context(log, scope=SCOPE, config=config, state=state, models=models, token_counter=ESTIMATE).state
        asked.append((len(judge.requests), len(writer.requests)))
    assert min(asked[0]) > 0
    return asked


@pytest.mark.parametrize("reply", ["Talk.", "", FAILS["raises"], FAILS["is cut off"]])
def test_f_o_074_history_is_judged_and_summarised_once_a_turn(reply):
    """In a turn of tool steps behind a long history judge and summariser are asked at its beginning only, whatever the summariser says."""
    asked = asked_in_turn(ScriptedChatModel(replies=fair), ScriptedChatModel(replies=[reply]))
    assert asked[-1] == asked[0]


@pytest.mark.parametrize("reply", ["{}", "so-so", FAILS["raises"], FAILS["times out"]])
def test_f_o_074_a_judge_that_fails_is_not_asked_again_in_the_turn(reply):
    """A judge that fails, or cannot be understood, is asked at the beginning of the turn and not again at every step of it."""
    asked = asked_in_turn(ScriptedChatModel(replies=[reply]), ScriptedChatModel(replies=["Talk."]))
    assert asked[-1] == asked[0]


@pytest.mark.parametrize("words", [60, 300])
def test_f_o_074_an_agent_is_sent_the_same_bytes_again(words):
    """Through the middleware, too, what was sent changes only where a step does not fit; a shortened result keeps its bytes until then."""
    judge, writer = ScriptedChatModel(replies=fair), ScriptedChatModel(replies=["Talk."])
    config = settings_for(20, view_tokens=2_500)
    sent, stored = worked([human("long job", "h1")], 25, words=words, config=config, models={"filter": judge, "summary": writer})
    changes = [[m.content for m in after[: len(before)]] != [m.content for m in before] for before, after in pairwise(sent)]
    assert any(changes)
    assert not all(changes)
    if words == 60:
        assert max(sum(changes[first : first + 3]) for first in range(len(changes) - 2)) == 1
    for (before, after), change in zip(pairwise(sent), changes, strict=True):
        texts = {m.tool_call_id: m.content for m in before if m.type == "tool"}
        assert change or all(texts.get(m.tool_call_id, m.content) == m.content for m in after if m.type == "tool")
    assert judge.requests == writer.requests == []
    assert [m.content for m in stored if m.type == "tool"] == [f"out{n} " * words for n in range(1, 26)]


@pytest.mark.parametrize("view_tokens", [200, 300, 500, 900])
@pytest.mark.parametrize("count", [20, 40, 120])
def test_the_same_request_again_gives_the_same_view(view_tokens, count):
    """Verdicts that come back from the state decide as they did when they were made, however near they are to each other."""
    log = [*questions(1, count), human("What about question 3?", "hq")]
    first = summarised(log, view_tokens=view_tokens, keep_last=2)
    again = summarised(log, state=json.loads(json.dumps(first.state)), view_tokens=view_tokens, keep_last=2)
    assert first.messages == again.messages


class Searched(EphemeralMemoryStore):
    """Counts searches."""

    searches = 0

    def search(self, *args, **options):
        self.searches += 1
        return super().search(*args, **options)


def test_f_o_076_a_turn_of_tool_steps_recalls_once():
    """The store is searched once for the turn, and each request holds the recalled row once; the log does not hold it."""
    store = Searched()
    store.add(SCOPE, [Memory(text="I prefer window seats")])
    sent, stored = worked([human("book seats on it", "h1")], 4, store=store)
    assert store.searches == 1
    assert [str([m.content for m in messages]).count("window seats") for messages in sent] == [1] * 5
    assert "window" not in str([m.content for m in stored])


STEPS = st.lists(st.integers(1, 250), min_size=2, max_size=9)


@settings(max_examples=40)
@given(STEPS, st.integers(0, 8), st.sampled_from([400, 900, 2_500]), st.sampled_from(["attention", "cache_stable"]), st.booleans())
def test_a_prefix_stays_within_a_turn_of_tool_steps(sizes, before, view_tokens, layout, with_model):
    """With history, pins and summary before it each view of a turn begins with the one before, byte for byte, unless the budget was hit."""
    model = ScriptedChatModel(replies=["Talk was had."]) if with_model else None
    past = [system("Be brief.", "s1"), human("Never book flights before 9.", "hp"), ai("Noted.", "ap"), *questions(1, before)]
    log, state, last = [*past, human("long job about question 1", "h1")], None, None
    for n, words in enumerate(sizes, 1):
        view = summarised(log, state=state, model=model, view_tokens=view_tokens, layout=layout)
        if last is not None and view.report["changes_in_turn"] == last.report["changes_in_turn"]:
            assert not changed(last, view)
        state, last = view.state, view
        log = [*log, *step(n, words)]


FEW = settings_for(4, view_tokens=800, summary_slice_turns=4, summary_max_tokens=300, verdicts_max=40, pins_max=10)


def request(n):
    return human(f"Question {n}: please never book room {n} for more than {n + 10} euros, see /srv/rooms/{n}.txt", f"h{n}")


def assert_bounded(states):
    """Demand that state is no larger late than early, is JSON, and is no second copy of the log."""
    sizes = [len(json.dumps(state)) for state in states]
    assert max(sizes[100:]) <= 1.25 * max(sizes[:100])
    text = json.dumps(states[-1])
    assert json.loads(text) == states[-1]
    assert sum(f"/srv/rooms/{n}.txt" in text for n in range(200)) < 100


def test_f_o_075_our_state_is_bounded_over_200_turns():
    """Over 200 turns state does not grow with the log, holds no second copy of it, and the docs say that the log itself grows."""
    log, states = [], [{}]
    for n in range(200):
        log = [*log, request(n)]
        states.append(prepare_context(log, scope=SCOPE, config=FEW, state=states[-1], token_counter=ESTIMATE).state)
        log = [*log, ai("The price is 20 euros.", f"a{n}")]
    assert_bounded(states)
    assert "the log grows with every turn" in " ".join(build_prune_node.__doc__.split())


def test_f_o_075_with_the_prune_node_the_log_is_bounded_too():
    """Over 200 turns in a host with the prune node neither state nor log grows."""
    graph = keeping_host(FEW, max_entries=20, saver=InMemorySaver())
    states, logs = [], []
    for n in range(200):
        graph.invoke({"messages": [request(n)]}, RUN)
        stored = graph.get_state(RUN).values
        states.append(stored["contextmode"])
        logs.append(len(stored["messages"]))
    assert_bounded(states)
    assert max(logs[100:]) <= max(logs[:100]) < 60

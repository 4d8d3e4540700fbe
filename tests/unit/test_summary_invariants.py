from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from strategies import TEXTS, logs
from summarising import step

from langchain_contextmode.config import ContextConfig
from langchain_contextmode.summary.coverage import coverable
from langchain_contextmode.summary.state import Summary
from langchain_contextmode.summary.text import summary_text
from langchain_contextmode.testing import ScriptedChatModel
from langchain_contextmode.tokens import ScriptEstimate

COUNT = ScriptEstimate().text
STATEMENTS = st.lists(st.one_of(TEXTS, st.sampled_from(["Never do ORD-1", "The price is 42", "Lund", "not later", "none"])), max_size=4)
HEADED = st.tuples(STATEMENTS, STATEMENTS, STATEMENTS, STATEMENTS).map(
    lambda parts: "\n".join(
        f"## {name}\n" + "\n".join(f"- {item}" for item in items)
        for name, items in zip(("Preferences", "Decisions", "Open items", "Hard constraints"), parts, strict=True)
    )
)
REPLIES = st.one_of(
    HEADED,
    HEADED,
    TEXTS,
    TEXTS.map(lambda text: AIMessage([{"type": "text", "text": text}, {"type": "thinking", "thinking": "x"}])),
    st.sampled_from([ConnectionError("down"), AIMessage("x", response_metadata={"finish_reason": "length"}), "<think>", "I'm sorry, no."]),
)
SETTINGS = st.fixed_dictionaries(
    {
        "window_turns": st.integers(1, 4),
        "summary_slice_turns": st.integers(1, 4),
        "summarize_above_tokens": st.sampled_from([0, 50]),
        "summary_max_tokens": st.sampled_from([64, 300, 2_000]),
        "summary_max_calls": st.integers(1, 4),
        "summary_window_tokens": st.sampled_from([256, 1_500, 8_000]),
        "pins_max": st.sampled_from([0, 2, 100]),
    }
)


def check(done, limit):
    """Demand what holds of every summary, whatever it was made from."""
    assert json.loads(json.dumps(done.result.state)) == done.result.state
    assert Summary.of(done.state) == done.summary or done.state == {}
    blocks, request = done.taken.log.blocks, done.taken.request_index
    covered = sorted(done.result.covered)
    assert all(coverable(blocks[index]) and request is not None and index < request for index in covered)
    assert done.covered_ids == list(dict.fromkeys(done.covered_ids))
    assert sum(item.messages for item in done.summary.slices) == len(done.covered_ids)
    if covered:
        assert covered == [index for index in range(covered[-1] + 1) if coverable(blocks[index])]
        assert done.summary.through == blocks[covered[-1]].ids[-1]
    assert COUNT(summary_text(done.summary)) + sum(COUNT(item.text) for item in done.summary.slices) <= limit
    assert all(line.origin == "human" for name in ("preferences", "constraints") for line in done.summary.lines(name))


@given(st.lists(logs(max_size=8), min_size=1, max_size=3), st.lists(REPLIES, min_size=1, max_size=6), SETTINGS, st.booleans())
def test_any_log_and_any_reply_leave_a_sound_summary(parts, replies, settings, with_model):
    """Whatever a log holds and a model says: exact coverage in front of the request, a bounded summary, state that is plain JSON."""
    config = ContextConfig(**settings)
    model = ScriptedChatModel(replies=replies) if with_model else None
    log, state = [], {}
    for number, part in enumerate(parts):
        log = [*log, *part, HumanMessage(f"Go on {number}", id=f"request{number}")]
        before = len(model.requests) if model else 0
        done = step(log, state, model=model, config=config)
        check(done, settings["summary_max_tokens"])
        if model:
            assert len(model.requests) - before <= settings["summary_max_calls"]
        state = done.state


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(sorted(Summary().state())), inner, max_size=6)
        ),
        max_leaves=8,
    )
)
def test_any_stored_state_is_read(state):
    """A concern of any shape is read as a summary or as none, and the step goes on."""
    log = [m for n in range(8) for m in (HumanMessage(f"word {n}", id=f"h{n}"), AIMessage("yes", id=f"a{n}"))]
    stored = {**Summary().state(), **state} if isinstance(state, dict) else {}
    done = step([*log, HumanMessage("Go", id="q")], stored)
    assert done.covered_ids or done.summary.tried_at == "q"

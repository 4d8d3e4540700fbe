from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from summarising import called, chat, grows, rounds, step

from langchain_contextmode.config import ContextConfig

LONG = "word " * 400


def long_chat(turns):
    return chat(turns, {n: (f"Say more of {n}: {LONG}", LONG) for n in range(turns)})


def test_nothing_is_due_while_the_unsummarised_part_is_small():
    """Below the limit no turn is summarised, however many there are."""
    done = step(chat(60), summarize_above_tokens=8_000)
    assert done.summary.empty
    assert done.state == {}


def test_a_limit_of_none_switches_the_summary_off():
    """With summarize_above_tokens=None nothing is ever summarised."""
    assert step(long_chat(40), summarize_above_tokens=None).summary.empty


def test_the_history_pool_bounds_the_limit():
    """A small window starts the summary before the configured limit is reached."""
    settings = {"window_turns": 5, "summary_slice_turns": 4}
    assert step(chat(30), window_tokens=128_000, summarize_above_tokens=8_000, **settings).summary.empty
    assert not step(chat(30), window_tokens=512, summarize_above_tokens=8_000, **settings).summary.empty


@pytest.mark.parametrize(
    ("before", "covered"),
    [(5, 0), (8, 0), (9, 5), (10, 6), (13, 9), (14, 10), (24, 10), (28, 10), (29, 10), (39, 20)],
)
def test_the_newest_turns_stay_and_old_ones_leave_in_slices(before, covered):
    """The window is 20 turns, the current one included; in a short log it shrinks, to 5 at least, and half a slice is the least."""
    done = step(long_chat(before), config=ContextConfig(summarize_above_tokens=2_000))
    assert len(done.covered_ids) == 2 * covered


def test_what_precedes_the_first_human_belongs_to_the_first_turn():
    """A log that opens with the assistant and tools loses nothing of it: it is summarised with the first turn."""
    log = [AIMessage("Welcome to desk 17.", id="w"), *called("c", "badge 4711"), *chat(8)]
    done = step(log)
    assert done.covered_ids[:3] == ["w", "c", "rc"]
    assert any("4711" in text for text in done.details)


def test_a_log_of_tools_before_the_only_human_is_a_turn():
    """Where the request is the first human message, what an agent did before it can still be summarised."""
    log = [*called("c1", "empty", box=1), *called("c2", "full", box=2), HumanMessage("Which box?", id="h")]
    done = step(log, window_turns=1, summary_slice_turns=1, summarize_above_tokens=0)
    assert done.covered_ids == ["c1", "rc1", "c2", "rc2"]
    assert [text for text in done.details if "2" in text]


def test_the_current_turn_is_never_summarised():
    """A turn of hundreds of tool steps stays whole as long as it is the current one."""
    log = [HumanMessage("A long job", id="h"), *(m for n in range(300) for m in called(f"c{n}", LONG, n=n))]
    assert step(log, window_turns=1, summary_slice_turns=1).summary.empty


def test_nobody_spoke():
    """A log without any human message has no turns and is left alone."""
    assert step([m for n in range(30) for m in called(f"c{n}", LONG)], window_turns=1, summary_slice_turns=1).summary.empty


def test_system_messages_are_never_covered():
    """A system message between old turns is neither counted nor behind the watermark."""
    log = chat(9)
    log.insert(3, SystemMessage(LONG, id="s"))
    done = step(log)
    assert "a2" in done.covered_ids
    assert "s" not in done.covered_ids
    assert step([SystemMessage(LONG, id="s"), *chat(3)], summarize_above_tokens=300).summary.empty


def test_a_call_without_a_result_is_not_covered():
    """A call that waits for its result stays outside, the turns around it do not."""
    log = chat(9)
    log[3:3] = called("open", None)
    done = step(log)
    assert "a2" in done.covered_ids
    assert "open" not in done.covered_ids
    assert step(log, done.state).covered_ids == done.covered_ids


def test_messages_of_ours_open_no_turn():
    """What the application put there in the human role belongs to the turn it stands in."""
    log = [HumanMessage(f"note {n}", id=f"n{n}", additional_kwargs={"contextmode": {"source": "memory"}}) for n in range(5)]
    assert step([*log, *chat(1)], window_turns=1, summary_slice_turns=4, summarize_above_tokens=0).summary.empty


def test_at_most_one_round_a_turn():
    """In an agent's loop the step runs at each tool step, and the turn has no second round."""
    log = long_chat(24)
    first = step(log, window_turns=20, summary_slice_turns=10, summarize_above_tokens=500)
    assert first.covered_ids
    state = first.state
    for n in range(4):
        log = [*log, *called(f"c{n}", LONG)]
        again = step(log, state, window_turns=20, summary_slice_turns=10, summarize_above_tokens=500)
        assert again.covered_ids == first.covered_ids
        state = again.state
    later = step([*log, HumanMessage("Go on", id="next")], state, window_turns=20, summary_slice_turns=10, summarize_above_tokens=500)
    assert len(later.covered_ids) > len(first.covered_ids)


def test_one_giant_message_causes_one_round():
    """A message above the limit is summarised once; turns without new material cost nothing more."""
    whole = chat(6, {0: ("big " * 6_000, "noted")})
    moved = rounds([whole[: 2 * n + 1] for n in range(1, 7)], window_turns=1, summary_slice_turns=1, summarize_above_tokens=1_000)
    assert len(moved) == 1


@given(
    sizes=st.lists(st.sampled_from([1, 1, 5, 60, 800]), min_size=5, max_size=70),
    slice_turns=st.sampled_from([1, 2, 3, 7, 10]),
    window=st.integers(1, 25),
    limit=st.sampled_from([0, 100, 1_500]),
)
def test_rounds_are_rare_and_each_makes_progress(sizes, slice_turns, window, limit):
    """Over a growing conversation there is at most one round in half a slice of turns, and each covers more than the last."""
    whole = chat(len(sizes), {n: (f"Go on {n} " + "a " * size, "yes") for n, size in enumerate(sizes)})
    logs = [[*whole[: 2 * n], whole[2 * n]] for n in range(len(sizes))]
    moved = rounds(logs, window_turns=window, summary_slice_turns=slice_turns, summarize_above_tokens=limit)
    assert len(moved) <= len(sizes) / max(1, slice_turns // 2)
    assert grows(moved)
    for done in moved:
        assert f"h{len(sizes)}" not in done.covered_ids
        kept = len({identity for identity in done.taken.log.order if identity.startswith("h")} - set(done.covered_ids))
        assert kept >= min(window, 5)

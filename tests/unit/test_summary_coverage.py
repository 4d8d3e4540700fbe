from __future__ import annotations

import time
from dataclasses import replace

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from summarising import called, chat, step

from langchain_contextmode.parsing import parse
from langchain_contextmode.summary.coverage import covered_blocks, reach, total_digest
from langchain_contextmode.summary.state import Summary


def summarised(turns=9):
    done = step(chat(turns))
    assert done.covered_ids
    return done


def test_the_watermark_is_an_id_and_not_an_index():
    """A message that is put in front of the log later moves nothing: the same messages are covered."""
    done = summarised()
    log = parse([HumanMessage("Put in front", id="new"), *chat(9)])
    covered = covered_blocks(log, done.summary)
    assert [identity for index in sorted(covered) for identity in log.blocks[index].ids] == done.covered_ids


def test_growth_changes_nothing_behind_the_watermark():
    """New turns leave what is covered as it is, and each covered message is covered once."""
    done = summarised()
    again = step([*chat(9), AIMessage("Now this.", id="x"), HumanMessage("Thanks", id="y")], done.state, summarize_above_tokens=8_000)
    assert again.covered_ids == done.covered_ids
    assert len(set(again.covered_ids)) == len(again.covered_ids)


def test_an_edited_message_makes_the_summary_anew():
    """When the text of a covered message changes, the old summary is gone and the new text is in the new one."""
    log = chat(9, {1: ("The code is AX-1", "ok")})
    done = step(log)
    log[2] = HumanMessage("The code is BX-2", id="h1")
    again = step([*log, AIMessage("ok", id="x"), HumanMessage("More", id="y")], done.state)
    assert "AX-1" not in str(again.state)
    assert any("BX-2" in text for text in again.details)
    assert "made anew" in again.io.notes[0]["text"]


def test_a_removed_message_makes_the_summary_anew():
    """When a covered message is taken out of the log, nothing of it stays in the summary."""
    log = chat(9, {1: ("The code is AX-1", "ok")})
    done = step(log)
    again = step([*log[:2], *log[4:], AIMessage("ok", id="x"), HumanMessage("More", id="y")], done.state)
    assert "AX-1" not in str(again.state)


def test_a_lost_watermark_covers_nothing():
    """Where the watermark message is gone without the prune node, the summary no longer belongs to the log."""
    done = summarised()
    log = [message for message in chat(9) if message.id != done.summary.through]
    assert reach(parse(log), done.summary).stale
    assert covered_blocks(parse(log), done.summary) == frozenset()


def pruned(done, left=()):
    """What the prune node leaves: the log without what is covered, and the summary that says so."""
    log = parse([m for m in chat(9) if m.id not in done.covered_ids or m.id in left])
    kept = [block for block in log.blocks if block.id in left]
    return log, replace(done.summary, through="", kept=tuple(left), digest=total_digest(kept))


def test_pruned_messages_stay_summarised():
    """After pruning the summary stands, and of the log only what the prune node left is covered."""
    done = summarised()
    log, summary = pruned(done, ("h1",))
    assert [log.blocks[index].id for index in covered_blocks(log, summary)] == ["h1"]
    log, summary = pruned(done)
    assert covered_blocks(log, summary) == frozenset()
    assert not reach(log, summary).stale


def test_a_pruned_summary_is_never_thrown_away():
    """The summary is the only copy of pruned messages: an edit of what is left uncovers that, and removes nothing."""
    done = summarised()
    _, summary = pruned(done, ("h1",))
    log = [HumanMessage("Edited", id="h1"), *chat(9)[len(done.covered_ids) :]]
    again = step(log, summary.state(), summarize_above_tokens=8_000)
    assert again.summary.slices == done.summary.slices
    assert again.covered_ids == []
    assert step(log, again.state, summarize_above_tokens=8_000).summary.slices == done.summary.slices


def test_a_pruned_summary_outlives_later_rounds_and_edits():
    """Rounds after pruning keep in mind that the log is not whole: a later edit does not throw away what was pruned."""
    done = summarised()
    log, summary = pruned(done)
    rest = [message for block in log.blocks for message in block.messages]
    more = step([*rest, *chat(20)[20:]], summary.state())
    assert more.covered_ids
    assert more.summary.pruned == len(done.covered_ids)
    edited = [HumanMessage("Edited", id=m.id) if m.id == more.covered_ids[0] else m for m in [*rest, *chat(20)[20:]]]
    again = step(edited, more.state, summarize_above_tokens=8_000)
    assert again.summary.slices == more.summary.slices
    assert again.covered_ids == []


def test_restored_originals_do_not_disturb_the_watermark():
    """Originals of pruned messages, put back in front of the log for one request, are not covered and not summarised again."""
    done = summarised()
    log, summary = pruned(done)
    rest = [message for block in log.blocks for message in block.messages]
    more = step([*rest, *chat(20)[20:]], summary.state())
    assert more.summary.through
    restored = parse([*chat(9)[:2], *rest, *chat(20)[20:]])
    reached = reach(restored, more.summary)
    assert not reached.stale
    assert restored.blocks[0].index not in reached.covered
    assert reached.ahead > min(reached.covered)


def test_a_late_result_is_seen():
    """A result that arrives for a call behind the watermark is not silently taken for summarised."""
    log = chat(9)
    log[3:3] = called("open", None)
    done = step(log)
    log.insert(4, ToolMessage("late 77", tool_call_id="call_open", id="late"))
    assert reach(parse(log), done.summary).stale


def test_the_digest_is_cheap():
    """With 10,000 blocks, seen before, the coverage costs a few milliseconds."""
    log = parse([m for n in range(5_000) for m in (HumanMessage(f"q{n}", id=f"h{n}"), AIMessage(f"r{n}", id=f"a{n}"))])
    blocks = log.blocks[:9_000]
    summary = replace(Summary(), slices=step(chat(9)).summary.slices, through=blocks[-1].id, digest=total_digest(blocks))
    started = time.perf_counter()
    assert len(covered_blocks(log, summary)) == 9_000
    assert time.perf_counter() - started < 0.1


def test_state_of_another_shape_is_no_summary():
    """Whatever stands in state, reading it gives a summary or an empty one."""
    good = summarised().state
    for key, value in [("slices", [["x"]]), ("details", [[1, 2, 3]]), ("sections", None), ("failures", "many"), ("kept", 3)]:
        assert Summary.of({**good, key: value}) == Summary()
    assert Summary.of({}) == Summary()
    assert Summary.of(good).state() == good

"""What the prune node promises: nothing goes before its replacement is there, and nothing goes that must stay."""

from __future__ import annotations

import copy
import json
import logging
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.graph import add_messages
from langgraph.store.memory import InMemoryStore
from strategies import logs

from langchain_contextmode.content import is_pinned
from langchain_contextmode.originals import Originals
from langchain_contextmode.parsing import parse
from langchain_contextmode.prune import aprune, prune
from langchain_contextmode.schema import Scope
from langchain_contextmode.summary.coverage import coverable, covered_blocks, reach, total_digest
from langchain_contextmode.summary.state import Covered, Line, Summary
from langchain_contextmode.topics import Entry, archive_state, entries_of

SCOPE = Scope("a.b@x.com", "s1")
PIN = {"text": "No early flights.", "message_id": "h1", "kind": "rule", "active": True, "source": "local", "pruned": False}


def talk(turns=12, *, first=1):
    log = []
    for n in range(first, first + turns):
        log += [HumanMessage(f"Question {n} about item {n}.", id=f"h{n}"), AIMessage(f"Reply {n}, it costs {n}0 euros.", id=f"a{n}")]
    return log


def call(n, *results):
    ids = results or (f"c{n}",)
    calls = [{"name": "look", "args": {"n": n}, "id": identity, "type": "tool_call"} for identity in (f"c{n}",)]
    return [AIMessage("", id=f"call{n}", tool_calls=calls), *[ToolMessage(f"found {n}", tool_call_id=i, id=f"r-{i}") for i in ids]]


def summarised(log, through, **more):
    """Return the state of a session whose summary reaches to the message with this id."""
    blocks = parse(log).blocks
    last = next(block.index for block in blocks if through in block.ids)
    digest = total_digest(block for block in blocks[: last + 1] if coverable(block))
    line = Line("Items were discussed.", ("h1",))
    summary = Summary(sections={"open": (line,)}, slices=(Covered("items", "h1", through, 2, 9),), through=through, digest=digest)
    return {"summary": summary.state(), **more}


def removed(pruned):
    return [removal.id for removal in pruned.removals]


class Failing(InMemoryStore):
    """A store in which writing, or reading back, goes wrong in one way."""

    def __init__(self, fault):
        super().__init__()
        self.fault = fault

    def put(self, *item, **more):
        if self.fault == "raises":
            raise ConnectionError(item)
        if self.fault != "forgets":
            super().put(*item, **more)
        return {"error": "disk full"} if self.fault == "returns an error" else None

    def get(self, *place, **more):
        found = super().get(*place, **more)
        if found is None or self.fault != "changes":
            return found
        return SimpleNamespace(value={**found.value, "message": found.value["message"].replace("Question", "question")})

    async def aput(self, *item, **more):
        return self.put(*item, **more)

    async def aget(self, *place, **more):
        return self.get(*place, **more)


FAULTS = ["raises", "forgets", "returns an error", "changes"]


def test_summarised_messages_go():
    """What stands behind the watermark goes, in order; what is newer stays."""
    log = talk()
    assert removed(prune(log, summarised(log, "a4"))) == ["h1", "a1", "h2", "a2", "h3", "a3", "h4", "a4"]


def test_the_state_says_what_went():
    """Afterwards the summary has no watermark message, covers nothing of the log, and each line names its originals."""
    log = talk()
    state = prune(log, summarised(log, "a3")).state
    summary = Summary.of(state["summary"])
    assert (summary.through, summary.kept, summary.lines("open")) == ("", (), (Line("Items were discussed.", ("h1",)),))
    found = reach(parse(log[6:]), summary)
    assert (found.covered, found.pruned, found.stale) == (frozenset(), True, "")
    entries = entries_of(state["archive"])
    assert sorted(identity for entry in entries for identity in entry.message_ids) == ["a1", "a2", "a3", "h1", "h2", "h3"]
    assert not any(entry.restorable for entry in entries)
    assert "Question 1" in entries[0].text
    assert json.loads(json.dumps(state)) == state


def test_inputs_are_not_touched():
    """Neither the log nor the given state is modified."""
    log = talk()
    state = summarised(log, "a4", pins={"version": 1, "items": [PIN], "removed": []})
    before = copy.deepcopy((log, state))
    prune(log, state, archive=InMemoryStore(), scope=SCOPE)
    assert (log, state) == before


@pytest.mark.parametrize("state", [None, {}, {"verdicts": {"version": 1}}, {"summary": Summary().state()}, {"summary": {"version": 1}}])
def test_without_a_summary_nothing_goes(state):
    """Where nothing was summarised nothing is removed, and the state is as it was."""
    assert prune(talk(), state) == ([], state or {}, "")


def test_an_edited_message_stops_everything(caplog):
    """Where a summarised message now says something else nothing goes, and the log line holds no message text."""
    log = talk()
    state = summarised(log, "a4")
    log[2] = HumanMessage("Question 2 about a SECRET.", id="h2")
    with caplog.at_level(logging.WARNING):
        pruned = prune(log, state)
    assert (pruned.removals, pruned.state) == ([], state)
    assert "edited" in pruned.failed
    assert pruned.failed in caplog.text
    assert "SECRET" not in caplog.text


def test_what_must_stay_stays():
    """System messages, pinned messages and open calls stay wherever they stand; a finished call goes with its results."""
    pinned = HumanMessage("Never call me.", id="pin", additional_kwargs={"pinned": True})
    log = [SystemMessage("Be brief.", id="sys"), *talk(1), pinned, *call(1), *call(2)[:1], *talk(8, first=2)]
    pruned = prune(log, summarised(log, "a3"))
    assert removed(pruned) == ["h1", "a1", "call1", "r-c1", "h2", "a2", "h3", "a3"]
    left = [message for message in log if message.id not in removed(pruned)]
    summary = Summary.of(pruned.state["summary"])
    assert summary.kept == ("pin",)
    assert covered_blocks(parse(left), summary) == {block.index for block in parse(left).blocks if block.id == "pin"}
    assert prune(left, pruned.state) == ([], pruned.state, "")


@pytest.mark.parametrize(("keep_turns", "last"), [(0, 11), (1, 11), (5, 7), (11, 1), (12, 0), (99, 0)])
def test_the_newest_turns_stay(keep_turns, last):
    """However far the summary reaches, the newest turns stay; the current one whatever the setting."""
    log = [*talk(11), HumanMessage("And now?", id="h12")]
    assert removed(prune(log, summarised(log, "h12"), keep_turns=keep_turns)) == [m.id for m in log[: 2 * last]]


def test_a_late_result_in_the_newest_turns_keeps_its_call():
    """A call whose result came in one of the newest turns stays whole."""
    log = [*talk(2), *call(1)[:1], *talk(4, first=3), *call(1)[1:], AIMessage("There it is.", id="late")]
    assert not {"call1", "r-c1"} & set(removed(prune(log, summarised(log, "a4"), keep_turns=1)))


def test_no_result_changes_its_call():
    """Where call ids repeat, a second result that stays never ends up answering an older call that is open."""
    again = [AIMessage("", id="again", tool_calls=call(1)[0].tool_calls), ToolMessage("found", tool_call_id="c1", id="r1")]
    log = [HumanMessage("go", id="h0"), *call(1)[:1], *again, *talk(6), ToolMessage("twice", tool_call_id="c1", id="r2"), *talk(2, first=7)]
    pruned = prune(log, summarised(log, "a2"), keep_turns=1)
    left = [message for message in log if message.id not in removed(pruned)]
    assert "h0" in removed(pruned)
    assert [block.ids for block in parse(left).blocks][:2] == [("call1",), ("again", "r1")]


def test_doubled_and_missing_ids_are_never_named():
    """Messages that share an id, or have none, stay: a removal would fail, or take both."""
    log = [*talk(2), AIMessage("two again", id="a1"), HumanMessage("no id"), *talk(8, first=3)]
    pruned = prune(log, summarised(log, "a4"))
    assert removed(pruned) == ["h1", "h2", "a2", "h3", "a3", "h4", "a4"]
    assert "two again" in [m.content for m in add_messages(copy.deepcopy(log), pruned.removals)]


def test_the_rest_reads_as_before_or_nothing_goes():
    """Where a removal would give a doubled message another name, everything stays."""
    doubled = [HumanMessage("first", id="x"), HumanMessage("second", id="x"), HumanMessage("third", id="x~2")]
    log = [*doubled, *talk(8)]
    pruned = prune(log, summarised(log, "a2"))
    assert pruned.removals == []
    assert "read differently" in pruned.failed


def test_what_can_never_be_sent_goes_too():
    """Orphaned results and blank messages behind the watermark go, those after it stay."""
    stray = [ToolMessage("lost", tool_call_id="nobody", id="orphan"), AIMessage(" ", id="blank")]
    later = [ToolMessage("lost", tool_call_id="nobody", id="orphan2")]
    log = [*talk(2), *stray, *talk(4, first=3), *later, *talk(6, first=7)]
    pruned = prune(log, summarised(log, "a4"))
    assert removed(pruned)[4:6] == ["orphan", "blank"]
    assert "orphan2" not in removed(pruned)


def test_pins_outlive_their_message():
    """Pins of removed messages are marked, so that they stay; those of others are as they were."""
    log = talk()
    later = {**PIN, "message_id": "h11"}
    state = summarised(log, "a4", pins={"version": 1, "items": [PIN, later], "removed": []})
    assert prune(log, state).state["pins"] == {"version": 1, "items": [{**PIN, "pruned": True}, later], "removed": []}


def test_lines_are_bounded():
    """Older lines stand in front of new ones and are the first to leave."""
    log = talk()
    old = [Entry(f"user: old {n}", (f"o{n}",), restorable=True) for n in range(5)]
    state = summarised(log, "a2", archive=archive_state(old))
    entries = entries_of(prune(log, state).state["archive"])
    assert entries[:5] == old
    assert entries_of(prune(log, state, max_entries=len(entries) - 2).state["archive"]) == entries[2:]
    assert entries_of(prune(log, state, max_entries=0).state["archive"]) == []


def test_ours_leave_without_a_line():
    """Messages of ours that a host put into its log go with what was summarised, and no line quotes them."""
    ours = HumanMessage("Earlier: nothing.", id="ours", additional_kwargs={"contextmode": {"source": "archive"}})
    log = [*talk(2), ours, *talk(8, first=3)]
    pruned = prune(log, summarised(log, "a3"))
    assert "ours" in removed(pruned)
    assert "ours" not in str(pruned.state["archive"])


async def test_originals_are_written_first():
    """With an archive every removed message can be read back as it was, under this scope only, awaiting too."""
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    log = [HumanMessage([{"type": "text", "text": "What is this?"}, picture], id="p"), *call(1), *talk()]
    state = summarised(log, "a4")
    store, other = InMemoryStore(), InMemoryStore()
    pruned = prune(log, state, archive=store, scope=SCOPE)
    assert await aprune(log, state, archive=other, scope=SCOPE) == pruned
    for written in (store, other):
        assert Originals(written).get(SCOPE, removed(pruned)) == log[: len(pruned.removals)]
        assert Originals(written).get(replace(SCOPE, user_id="c"), removed(pruned)) == []
    assert all(entry.restorable for entry in entries_of(pruned.state["archive"]))


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_archive_that_fails_stops_everything(fault, caplog):
    """Where the originals are not surely there nothing goes, the state is as it was, and the reason holds no message text."""
    log = talk()
    state = summarised(log, "a4")
    pruned = prune(log, state, archive=Failing(fault), scope=SCOPE)
    assert pruned == await aprune(log, state, archive=Failing(fault), scope=SCOPE)
    assert (pruned.removals, pruned.state) == ([], state)
    assert "archive" in pruned.failed
    assert "Question" not in pruned.failed + caplog.text


def test_what_the_archive_cannot_hold_stays():
    """A message with a program's object in it stays with its block; the others go."""
    log = talk()
    log[2].additional_kwargs["handle"] = object()
    pruned = prune(log, summarised(log, "a3"), archive=InMemoryStore(), scope=SCOPE)
    assert removed(pruned) == ["h1", "a1", "a2", "h3", "a3"]
    assert Summary.of(pruned.state["summary"]).kept == ("h2",)
    assert "h2" in removed(prune(log, summarised(log, "a3")))


def test_a_second_pass_finds_nothing_more():
    """Pruning what was pruned removes nothing and changes nothing."""
    log = talk()
    first = prune(log, summarised(log, "a4"))
    assert prune(log[8:], first.state) == ([], first.state, "")


@given(log=logs(min_size=4, max_size=30), reaches=st.integers(0, 29), keep_turns=st.integers(0, 4), stored=st.booleans())
def test_any_log_can_be_pruned(log, reaches, keep_turns, stored):
    """Whatever the log: the reducer takes every removal, nothing that must stay goes, and the rest is still what was summarised."""
    log = add_messages([], [m for m in copy.deepcopy(log) if not isinstance(m, RemoveMessage)])
    blocks = parse(log).blocks
    state = summarised(log, blocks[min(reaches, len(blocks) - 1)].ids[-1]) if blocks else {}
    how = {"archive": InMemoryStore(), "scope": SCOPE} if stored else {}
    pruned = prune(log, state, keep_turns=keep_turns, **how)
    ids = removed(pruned)
    left = add_messages(log, pruned.removals)
    assert len(ids) == len(set(ids)) == len(log) - len(left)
    newest = parse(log).newest_human()
    assert newest is None or blocks[newest].id not in ids
    assert not [m for m in log if m.id in ids and (isinstance(m, SystemMessage) or is_pinned(m))]
    after = parse(left)
    assert [block.ids for block in after.blocks] == [block.ids for block in blocks if not set(block.ids) & set(ids)]
    found = reach(after, Summary.of(pruned.state.get("summary", {})))
    assert not found.stale
    assert prune(left, pruned.state, keep_turns=keep_turns, **how).removals == []

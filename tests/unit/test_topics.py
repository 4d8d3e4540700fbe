from __future__ import annotations

import json
from importlib.resources import files
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from strategies import logs

from langchain_contextmode.archive import line_of
from langchain_contextmode.errors import StateSchemaError
from langchain_contextmode.parsing import parse
from langchain_contextmode.topics import GROUP_BLOCKS, MERGED_CHARS, Entry, archive_state, entries_of, merged, merged_line
from langchain_contextmode.transcripts import load_transcript

FERRY = ("The ferry to Gotland leaves at seven.", "Ferry to Gotland, cabin or seats?")
BREAD = ("Buy rye bread at the bakery.", "The bakery has rye bread on Mondays.")


def blocks_of(*texts, kinds="ha"):
    kind = {"h": HumanMessage, "a": AIMessage}
    return parse([kind[kinds[i % len(kinds)]](text, id=f"m{i}") for i, text in enumerate(texts)]).blocks


def turns_of(blocks):
    """Number the turns: one begins with each human message."""
    numbers, turn = {}, -1
    for block in blocks:
        turn += block.kind == "human"
        numbers[block.index] = max(turn, 0)
    return numbers


def ids(groups):
    return [[block.id for block in group] for group in groups]


def groups_of(*texts, now=10, **how):
    blocks = blocks_of(*texts, **how)
    return ids(merged(blocks, turns_of(blocks), now=now))


def test_entries_on_one_topic_are_merged():
    """What shares its subject forms one group, in order, also with something else in between."""
    assert groups_of(FERRY[0], BREAD[0], FERRY[1], BREAD[1], "Good night then.") == [["m0", "m2"], ["m1", "m3"], ["m4"]]


def test_chinese_entries_are_merged_too():
    """Topics are told apart in Chinese as in English."""
    assert groups_of("周五晚上八点在老码头餐厅吃饭。", "我想学弹吉他。", "老码头餐厅周五晚上还有座位。", "学弹吉他要多久？") == [
        ["m0", "m2"],
        ["m1", "m3"],
    ]


@pytest.mark.parametrize(("now", "together"), [(0, False), (9, False), (10, True), (19, True)])
def test_nothing_is_merged_before_its_ten_turns_are_over(now, together):
    """Groups form when the next ten turns begin, not earlier."""
    assert groups_of(*FERRY, now=now) == ([["m0", "m1"]] if together else [["m0"], ["m1"]])


def test_topics_do_not_reach_over_the_border_of_ten_turns():
    """The same subject in turn 10 and in turn 11 makes two entries."""
    texts = [FERRY[0], "Yes.", *["Hm.", "Yes."] * 9, FERRY[1]]
    assert ["m0", "m20"] not in groups_of(*texts, now=20)


def test_one_common_word_is_no_topic():
    """Two messages that share a single word stay apart."""
    assert groups_of("Write the birthday card please.", "Do we need a tram card there?") == [["m0"], ["m1"]]


def test_two_words_among_many_are_no_topic():
    """Messages about different things that happen to share two words stay apart."""
    said = [
        "Monday morning the plumber fixes kitchen pipes, valves, taps, drains and boiler.",
        "Monday morning my cousin paints portraits, landscapes, horses, boats and clouds.",
        "Our dog eats rice, carrots and chicken.",
        "Trains to Lund were cancelled, buses ran instead.",
    ]
    assert groups_of(*said) == [["m0"], ["m1"], ["m2"], ["m3"]]


def test_names_of_speakers_are_no_topic():
    """Who is spoken to does not make a subject."""
    log = [HumanMessage(text, id=f"m{i}", name="Ana Lund") for i, text in enumerate(["Thanks, Ana Lund, bye.", "Ana Lund, lunch?"])]
    blocks = parse(log).blocks
    assert ids(merged(blocks, {0: 0, 1: 1}, now=10)) == [["m0"], ["m1"]]


def test_large_entries_stay_alone():
    """A block whose line is longer than a small entry is never merged."""
    assert groups_of(FERRY[0], FERRY[1] + " Tell me more about it." * 8) == [["m0"], ["m1"]]


def test_a_block_without_a_turn_stays_alone():
    """Blocks that no turn is known of are passed on as they are."""
    blocks = blocks_of(*FERRY)
    assert ids(merged(blocks, {}, now=10)) == [["m0"], ["m1"]]


def test_groups_have_a_limit():
    """More of the same opens another group."""
    groups = groups_of(*[f"Ferry to Gotland, cabin {n}?" for n in range(16)])
    assert sorted(map(len, groups)) == [4, GROUP_BLOCKS, GROUP_BLOCKS]


@given(log=logs(max_size=60), cut=st.integers(0, 60))
def test_later_messages_change_no_finished_group(log, cut):
    """Groups of ten turns that are over stay what they are, whatever is said next; every block is in one group."""
    blocks = parse(log).blocks
    turn_of = turns_of(blocks)
    now = turn_of[blocks[:cut][-1].index] if blocks[:cut] else 0
    finished = {block.id for block in blocks[:cut] if turn_of[block.index] // 10 < now // 10}
    early, late = ids(merged(blocks[:cut], turn_of, now=now)), ids(merged(blocks, turn_of, now=now + 40))
    assert [group for group in early if group[0] in finished] == [group for group in late if group[0] in finished]
    assert sorted(chain.from_iterable(late)) == sorted(block.id for block in blocks)


def test_the_bundled_conversation():
    """In the bundled conversation questions go with their answers, and unrelated talk stays apart."""
    log = load_transcript(files("langchain_contextmode") / "data" / "trip.jsonl")
    blocks = [block for block in parse(log).blocks if block.kind != "system"]
    groups = merged(blocks, turns_of(blocks), now=1_000)
    together = {tuple(block.id for block in group) for group in groups if len(group) > 1}
    assert len(together) > 10
    assert ("trip-006", "trip-007") in together


def test_a_line_names_everybody():
    """A group's line has each block's speaker and words, in order."""
    assert merged_line(blocks_of(*BREAD)) == f"user: {BREAD[0]} / assistant: {BREAD[1]}"


def test_a_single_block_has_its_archive_line():
    """What is alone reads as in any archive."""
    block = blocks_of(FERRY[0] + " And so on." * 40)[0]
    assert merged_line([block]) == line_of(block)


def test_values_outlive_words():
    """Where a line must be short, ids and amounts of its middle stay, bare numbers with their unit."""
    filler = "nobody was sure what to do about it"
    said = [f"{filler}, then order LX-2291 for 40 euros, {filler}" for _ in range(4)]
    line = merged_line(blocks_of(*said))
    assert line.count("LX-2291") == 4
    assert len(line) <= MERGED_CHARS


@given(log=logs(min_size=1))
def test_lines_are_short_and_single(log):
    """Whatever the blocks: one line of at most 200 characters for several."""
    blocks = parse(log).blocks[:GROUP_BLOCKS]
    if len(blocks) > 1:
        line = merged_line(blocks)
        assert len(line) <= MERGED_CHARS
        assert len(line.splitlines()) <= 1


def test_a_hundred_tool_steps_are_grouped_in_a_moment():
    """Many blocks in one turn, all alike, are no trouble."""
    log = [HumanMessage("go", id="h")]
    for n in range(400):
        log.append(AIMessage("", id=f"c{n}", tool_calls=[{"name": "read_file", "args": {"n": n}, "id": f"k{n}", "type": "tool_call"}]))
        log.append(ToolMessage(f"content {n}", tool_call_id=f"k{n}", id=f"r{n}"))
    blocks = parse(log).blocks
    groups = merged(blocks, turns_of(blocks), now=10)
    assert sum(map(len, groups)) == len(blocks)


def test_entries_survive_json():
    """Entries written to state are read back as they were."""
    entries = [Entry("user: ferry / assistant: seven", ("a", "b"), restorable=True), Entry("用户：你好", ("c",), restorable=False)]
    assert entries_of(json.loads(json.dumps(archive_state(entries)))) == entries


@pytest.mark.parametrize("items", [None, "x", [["only text"]], [["", ["a"], True]], [["t", [], True]], [["t", [1], True]], [7]])
def test_items_of_another_shape_are_left_out(items):
    """What is no entry is none; nothing fails over it."""
    assert entries_of({"version": 1, "items": items}) == []


def test_no_concern_is_no_entry():
    """State without an archive has no entries."""
    assert entries_of(None) == entries_of({}) == []


@pytest.mark.parametrize("concern", [{"version": 2, "items": []}, {"items": []}, ["x"]])
def test_an_unknown_version_is_refused(concern):
    """A concern that this release does not know is a StateSchemaError."""
    with pytest.raises(StateSchemaError, match="archive"):
        entries_of(concern)

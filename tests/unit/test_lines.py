"""Archive lines in the view: one for several messages on one topic, every id in it, and no message told twice."""

from __future__ import annotations

from casework import Says, ai, human, prepare, shown

from langchain_contextmode.archive import line_of
from langchain_contextmode.lines import Lines, rendered_line
from langchain_contextmode.parsing import parse


def chat(turns):
    """Two topics, turn by turn: a boat that is repaired, and bread that is baked."""
    log = []
    for n in range(turns):
        if n % 2:
            log += [human(f"Is the boat engine repaired, step {n}?", f"h{n}"), ai(f"The boat engine is repaired up to step {n}.", f"a{n}")]
        else:
            log += [human(f"Shall rye bread {n} go into the oven?", f"h{n}"), ai(f"Rye bread {n} goes into the oven.", f"a{n}")]
    return log


LOG = [*chat(24), human("How is the weather today?", "hq")]


def test_small_entries_on_one_topic_share_a_line():
    """After ten turns compressed messages on one topic stand in one line that names each of them."""
    view = prepare(LOG, scorer=Says(rest=6), summarize_above_tokens=None)
    archive = shown(view, "contextmode-archive").content
    lines = [line for line in archive.splitlines() if line.startswith("- [")]
    assert any(line.count(",") and "boat" in line for line in lines)
    assert not any("boat" in line and "bread" in line for line in lines)
    united = [entry for entry in view.archive if len(entry.message_ids) > 1]
    assert united
    told = [identity for entry in view.archive for identity in entry.message_ids]
    assert len(told) == len(set(told))


def test_every_member_of_a_shown_line_is_there_as_a_line():
    """The decision on each message that a shown line stands for has the form `line`."""
    view = prepare(LOG, scorer=Says(rest=6), summarize_above_tokens=None)
    archive = shown(view, "contextmode-archive").content
    for line in archive.splitlines():
        if line.startswith("- ["):
            for identity in line[3 : line.index("]")].split(", "):
                assert view.decisions[identity].form == "line"


def test_the_turns_of_now_are_not_joined():
    """Messages of the ten turns that are under way keep their own lines."""
    blocks = parse(chat(9)).blocks
    assert Lines.of(blocks, {block.index: 6.0 for block in blocks}).groups == {}


def test_a_single_line_is_what_it_was():
    """A block alone has its line and its id."""
    (block,) = parse([human("The barn key is under the pot.", "m1")]).blocks
    assert rendered_line([block]) == f"- [m1] {line_of(block)}"

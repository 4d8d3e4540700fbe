"""The plan: a fold over the turn that gives up the least first."""

from __future__ import annotations

from itertools import pairwise

from casework import ESTIMATE, call, human, result
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_contextmode.compact import Compactor
from langchain_contextmode.parsing import parse
from langchain_contextmode.plan import Planner, Room
from langchain_contextmode.selection import RECENT_SHARE, Item, select

COMPACTOR = Compactor(ESTIMATE, frozenset())


def room(total, history, lines=60):
    return Room(total, total, lines, 8, lambda _block: 12, 10, history, lambda _indices: 0)


def history(*specs):
    """Return items from (words, value, recent)."""
    blocks = parse([human("word " * words, f"h{n}") for n, (words, _, _) in enumerate(specs)]).blocks
    return [
        Item(block, COMPACTOR.cost(block), value, keep=True, recent=recent) for block, (_, value, recent) in zip(blocks, specs, strict=True)
    ]


def turn(*sizes):
    """Return call blocks, numbered from 100, whose results have this many words."""
    log = []
    for n, size in enumerate(sizes):
        log += [call(f"a{n}", ("f", {}, f"c{n}")), result("The valve is open. " * (size // 4), f"c{n}", f"t{n}")]
    blocks = parse(log).blocks
    for block in blocks:
        block.index += 100
    return blocks


def planned(items, steps, total, lines=60):
    return Planner(COMPACTOR, items, steps, room(total, sum(item.cost for item in items), lines)).plan()


def test_what_fits_stays_verbatim():
    """With room for all, everything is verbatim and nothing was changed."""
    plan = planned(history((10, 1, False), (10, 9, True)), turn(20, 20), 2_000)
    assert plan.limits == {0: None, 1: None, 100: None, 101: None}
    assert (plan.changes, plan.lines, plan.archived) == (0, [], [])


def test_value_decides_when_room_is_short():
    """Of old messages of one size the most valuable stay."""
    items = history(*((40, value, False) for value in (2, 9, 3, 8, 1)))
    assert set(select(items, items[0].cost * 2, COMPACTOR.able)) == {1, 3}


def test_the_newest_have_a_share_of_their_own():
    """The newest messages stay up to their share, whatever their value."""
    items = history(*((40, 9, False),) * 8, (40, 0, True), (40, 0, True))
    enough_for_one = int(items[0].cost / RECENT_SHARE) + 1
    assert {8, 9} & set(select(items, enough_for_one, COMPACTOR.able)) == {9}


def test_long_texts_are_shortened_before_messages_leave():
    """Where shortening a long text makes room, nothing is left out."""
    items = history((400, 5, False), (40, 5, False), (40, 5, False))
    limits = select(items, 300, COMPACTOR.able)
    assert set(limits) == {0, 1, 2}
    assert limits[0] is not None
    assert limits[1] is limits[2] is None


def test_results_of_the_turn_shrink_oldest_first():
    """When a step does not fit, older results are shortened before any step leaves, and the newest is whole."""
    plan = planned([], turn(600, 600, 600), 1_600)
    assert plan.limits[100] is not None
    assert plan.limits[102] is None
    assert plan.archived == []
    assert plan.changes > 0


def test_steps_leave_oldest_first_and_never_the_newest():
    """When shortening is not enough, completed steps become lines, oldest first."""
    plan = planned([], turn(*[120] * 30), 700)
    assert plan.archived == list(range(100, 100 + len(plan.archived)))
    assert plan.archived
    assert 129 in plan.limits
    assert set(plan.lines) <= set(plan.archived)


def test_the_newest_result_shrinks_last_of_all():
    """A newest result that alone exceeds the room is shortened, after everything else has left."""
    plan = planned(history((40, 9, False)), turn(40, 3_000), 300)
    assert set(plan.limits) == {101}
    assert plan.limits[101] is not None


def test_no_lines_where_there_is_no_room_for_them():
    """A pool without tokens shows no lines."""
    assert planned(history(*((60, 5, False),) * 10), [], 200, lines=0).lines == []


@given(
    st.lists(st.tuples(st.integers(1, 200), st.integers(0, 10), st.booleans()), max_size=8),
    st.lists(st.integers(1, 400), max_size=12),
    st.integers(60, 2_000),
)
def test_a_plan_is_inside_its_room(specs, sizes, total):
    """For any history and turn the planned parts are inside the room, but for the newest call at its shortest."""
    items, steps = history(*specs), turn(*sizes)
    plan = planned(items, steps, total)
    shortest = COMPACTOR.cost(COMPACTOR.shortened(steps[-1], 1)) if steps else 0
    assert plan.tokens <= max(total, shortest)
    assert not set(plan.lines) & set(plan.limits)
    assert plan.lines == sorted(plan.lines)
    assert len(plan.lines) <= 8


@settings(max_examples=30)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=12), st.integers(200, 1_500))
def test_a_step_changes_nothing_before_it_unless_it_must(sizes, total):
    """While the number of changes stays, each step is added behind unchanged ones; each change frees a fifth."""
    items, steps = history((60, 5, False), (60, 9, True)), turn(*sizes)
    plans = [planned(items, steps[:end], total) for end in range(len(steps) + 1)]
    for (before, after), newest in zip(pairwise(plans), steps, strict=True):
        if before.changes == after.changes:
            assert after.limits == {**before.limits, newest.index: None}
            assert after.lines == before.lines
        elif COMPACTOR.cost(COMPACTOR.shortened(newest, 1)) <= total // 2:
            assert after.tokens <= total * 0.8 + 25

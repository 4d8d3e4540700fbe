from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from strategies import WORDS
from summarising import called, chat, step

from langchain_contextmode.config import ContextConfig
from langchain_contextmode.summary.size import LEFT_OUT_MAX, bounded
from langchain_contextmode.summary.state import SECTIONS, Covered, Line, Summary
from langchain_contextmode.summary.text import summary_text
from langchain_contextmode.testing import ScriptedChatModel
from langchain_contextmode.tokens import ScriptEstimate

COUNT = ScriptEstimate().text


def size(summary):
    return COUNT(summary_text(summary)) + sum(COUNT(covered.text) for covered in summary.slices)


def line(number, origin, words=12):
    return Line(f"{origin} ID-{number} " + "word " * words, (f"{origin}{number}",), origin)


def full(details=("human", "ai", "tool")):
    return Summary(
        sections={name: tuple(line(n, "human") for n in range(3)) for name in SECTIONS},
        details=tuple(line(n, origin) for n in range(20) for origin in details),
        slices=(Covered("hotels", "a", "b", 20, 900),),
        through="b",
    )


def test_what_fits_is_not_touched():
    """A summary inside its size comes back as it is."""
    assert bounded(full(), 100_000, COUNT) == full()


def test_details_of_tools_leave_first_and_those_of_users_last():
    """The oldest details of tools go first, then those of the assistant, then those of the user; sections stay."""
    limits = range(size(full()), 200, -40)
    for summary in (bounded(full(), limit, COUNT) for limit in limits):
        left = [detail.origin for detail in summary.details]
        if "ai" not in left or left.count("ai") < 20:
            assert "tool" not in left
        if left.count("human") < 20:
            assert "ai" not in left
        if left.count("tool") < 20 and "tool" in left:
            assert summary.details[-1] == full().details[-1]
        assert summary.lines("constraints") == full().lines("constraints") or not summary.lines("open")


def test_bare_numbers_leave_before_facts():
    """A hundred lines with a number and nothing else do not displace one command, however old it is."""
    command = Line("Build with `make -C svc/api check`, p95 was 412 ms", ("h1",), "tool")
    many = Summary(details=(command, *(Line(f"question {n}", (f"q{n}",), "human") for n in range(100))), slices=full().slices)
    summary = bounded(many, 150, COUNT)
    assert summary.details[0] == command
    assert len(summary.details) > 5


def test_decisions_do_not_crowd_out_details():
    """Hundreds of decisions leave room for details: the newest decisions stay, in two fifths of the size."""
    many = Summary(sections={"decisions": tuple(line(n, "ai") for n in range(300))}, details=full().details, slices=full().slices)
    summary = bounded(many, 600, COUNT)
    assert summary.lines("decisions")[-1] == line(299, "ai")
    assert sum(COUNT(decision.text) for decision in summary.lines("decisions")) <= 240
    assert len([detail for detail in summary.details if detail.origin == "human"]) > 10


def test_what_leaves_is_named_by_id():
    """Ids of lines that left are listed, each once, and only so many."""
    summary = bounded(full(), 700, COUNT)
    assert "tool0" in summary.left_out
    assert len(set(summary.left_out)) == len(summary.left_out)
    many = Summary(details=tuple(line(n, "ai") for n in range(900)), slices=full().slices)
    assert len(bounded(many, 200, COUNT).left_out) == LEFT_OUT_MAX


def test_constraints_outlive_everything():
    """In a very small size the hard constraints are what is left."""
    summary = bounded(full(), 80, COUNT)
    assert [name for name in SECTIONS if summary.lines(name)] == ["constraints"]


def test_lines_about_slices_are_merged():
    """Neighbouring slices become one line; first and last id, messages and tokens still add up."""
    slices = tuple(Covered(f"about matter {n} and more", f"f{n}", f"l{n}", 20, 500) for n in range(60))
    merged = bounded(Summary(slices=slices), 400, COUNT).slices
    assert 1 < len(merged) < 60
    assert (merged[0].first_id, merged[-1].last_id) == ("f0", "l59")
    assert sum(covered.messages for covered in merged) == 1_200
    assert sum(covered.tokens for covered in merged) == 30_000
    assert "matter 0" in merged[0].text


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["human", "ai", "tool", "model"]),
            st.text(max_size=400),
            st.sampled_from([*SECTIONS, "details", "text", "slices"]),
        ),
        max_size=60,
    ),
    st.integers(64, 400),
)
def test_a_summary_never_exceeds_its_size(parts, limit):
    """Whatever stands where, the result is within the size, and copies are never cut."""
    summary = Summary()
    sections = {
        name: tuple(Line(text, (f"i{n}",), origin) for n, (origin, text, place) in enumerate(parts) if place == name) for name in SECTIONS
    }
    details = tuple(Line(text, (f"i{n}",), origin) for n, (origin, text, place) in enumerate(parts) if place == "details")
    slices = tuple(Covered(text, f"i{n}", f"i{n}", 1, 1) for n, (_, text, place) in enumerate(parts) if place == "slices")
    text = next((text for _, text, place in parts if place == "text"), "")
    summary = Summary(sections={k: v for k, v in sections.items() if v}, details=details, slices=slices, text=text)
    result = bounded(summary, limit, COUNT)
    assert size(result) <= limit
    assert set(result.details) <= set(details)
    for name in SECTIONS:
        assert set(result.lines(name)) <= set(sections[name])
    assert sum(covered.messages for covered in result.slices) == len(slices)


def run(rounds, say, **settings):
    """Grow a conversation slice by slice; yield each run."""
    config = ContextConfig(window_turns=1, summary_slice_turns=2, summarize_above_tokens=0, **settings)
    log, state = [], {}
    for number in range(rounds):
        log += [m for k in range(2) for m in say(number, k)]
        done = step([*log, HumanMessage("next", id=f"q{number}")], state, config=config, model=notes_model(number) if number % 2 else None)
        state = done.state
        yield done


def notes_model(number):
    sections = f"## Decisions\n- matter {number} was settled\n## Open items\n- matter {number}"
    return ScriptedChatModel(replies=[f"## Preferences\n- none\n{sections}\n## Hard constraints\n- none"])


@settings(max_examples=20)
@given(st.lists(WORDS, min_size=1, max_size=5), st.sampled_from([64, 200, 2_000]))
def test_state_is_bounded_whatever_the_number_of_turns(texts, limit):
    """Over a long conversation, model or not, the summary stays within its size and the state does not grow."""

    def say(number, k):
        text = texts[number % len(texts)]
        return [
            HumanMessage(f"Matter {number}: {text} ORD-{number}{k}", id=f"h{number}.{k}"),
            *called(f"c{number}.{k}", f"{text} {number}"),
        ]

    sizes = []
    for done in run(14, say, summary_max_tokens=limit):
        assert size(done.summary) <= limit
        sizes.append(len(json.dumps(done.state)))
    assert max(sizes) <= 14 * limit + 6_000


def test_state_is_bounded_over_two_hundred_rounds():
    """Two hundred rounds of details leave a state as small as twenty rounds do, give or take the ids."""
    config = ContextConfig(window_turns=1, summary_slice_turns=4, summarize_above_tokens=0, summary_max_tokens=500)
    whole = chat(800, {n: (f"Book flight LH{n} for {n} euros", f"Booked under REF-{n}") for n in range(800)})
    state, sizes = {}, []
    for end in range(4, 801, 4):
        done = step([*whole[: 2 * end], HumanMessage("next", id=f"q{end}")], state, config=config)
        state = done.state
        assert size(done.summary) <= 500
        sizes.append(len(json.dumps(state)))
    assert sizes[-1] < 2 * sizes[40]
    assert any("LH79" in text for text in done.details)

"""The summary in the view: it stands for what is left out, never beside it, and every message has exactly one form."""

from __future__ import annotations

import pytest
from casework import SCOPE, Says, ai, human, shown, system
from validity import violations

from langchain_contextmode import ContextConfig, prepare_context

SETTINGS = ContextConfig(
    protect_messages=4, filter_above_messages=0, filter_above_tokens=0, summarize_above_tokens=200, summary_slice_turns=4, window_turns=5
)


def talk(turns):
    log = [system("Be brief.", "s")]
    for n in range(turns):
        said = f"Order ORD-{4000 + n} goes to gate {n}, for 12{n}.50 euros. " + "Nothing else happened in the yard today. " * 2
        log += [human(said, f"h{n}"), ai(f"Noted, order {n}.", f"a{n}")]
    return [*log, human("How is the weather?", "hq")]


def grown(turns, config=SETTINGS, scorer=None):
    """Prepare turn by turn, as a host does, and return the last view."""
    state = view = None
    log = talk(turns)
    for end in [*range(2, len(log) - 1, 2), len(log)]:
        view = prepare_context(log[:end], scope=SCOPE, config=config, state=state, scorer=scorer or Says(rest=2))
        assert violations(view.messages) == []
        state = view.state
    return view


def test_dropped_turns_are_summarised():
    """What is behind the watermark and scored low has the form `summary`, decided by the summary, and no archive entry."""
    view = grown(24)
    decision = view.decisions["h0"]
    assert (decision.action, decision.form, decision.decided_by) == ("compress", "summary", "summary")
    assert "h0" not in {identity for entry in view.archive for identity in entry.message_ids}
    assert view.report["summary"]["covered_messages"] >= 8
    assert "ORD-4000" in view.summary


def test_the_summary_stands_in_front_and_names_what_it_stands_for():
    """The session block follows the system prompt, in the human role, with details, ids and the notice on older turns."""
    view = grown(24)
    block = view.messages[1]
    assert (block.id, block.type) == ("contextmode-session", "human")
    assert "- [h0] Order ORD-4000" in block.content
    assert "Older messages not shown" in block.content


def test_a_kept_message_is_not_told_again():
    """A summarised message that the filter keeps is verbatim, and its details are not in the block."""
    view = grown(24, scorer=Says(rest=2, h0=10))
    assert view.decisions["h0"].form == "verbatim"
    assert "ORD-4000" not in shown(view, "contextmode-session").content


@pytest.mark.parametrize("turns", [3, 9, 17, 30])
def test_every_message_has_exactly_one_form(turns):
    """Verbatim, shortened, line, summary or none: the form of each message is what the view shows of it."""
    view = grown(turns)
    in_view = {message.id for message in view.messages}
    for identity, decision in view.decisions.items():
        assert (decision.form in {"verbatim", "shortened"}) == (identity in in_view)


def test_a_conversation_that_fits_has_no_summary_in_it():
    """While everything is verbatim in the view nothing is repeated: the view is the log."""
    config = SETTINGS.model_copy(update={"filter_above_tokens": 100_000, "filter_above_messages": 1_000})
    view = grown(24, config=config)
    assert view.summary
    assert [message.id for message in view.messages] == [message.id for message in talk(24)]


def test_an_edit_behind_the_watermark_makes_the_summary_anew():
    """An edited or deleted old message is not told by the summary of before."""
    view = grown(24)
    edited = [message if message.id != "h0" else human("Never mind.", "h0") for message in talk(24)]
    edited += [ai("Sunny.", "a98"), human("And tomorrow?", "hz")]
    again = prepare_context(edited, scope=SCOPE, config=SETTINGS, state=view.state, scorer=Says(rest=2))
    assert "ORD-4000" not in again.summary
    assert "ORD-4000" not in str(again.messages)
    assert "ORD-4001" in again.summary


def test_the_cache_stable_layout_puts_it_behind_what_stands():
    """In the cache-stable layout the block stands behind the recent messages, right before the lines and the request."""
    view = grown(40, config=SETTINGS.model_copy(update={"layout": "cache_stable", "protect_messages": 12}))
    order = [message.id for message in view.messages]
    assert order.index("contextmode-session") > order.index("a39")
    assert order[-1] == "hq"


@pytest.mark.parametrize("view_tokens", [150, 200, 250, 300, 400, 600])
def test_a_summary_is_claimed_only_where_the_view_says_something_of_it(view_tokens):
    """Where a decision says that the summary stands for a message, the view tells of older messages or shows summary lines."""
    view = grown(24, config=SETTINGS.model_copy(update={"view_tokens": view_tokens}))
    claimed = any(decision.form == "summary" for decision in view.decisions.values())
    block = shown(view, "contextmode-session")
    told = block is not None and any(heading in block.content for heading in ("not shown", "Decisions", "Open items", "details", "Summary"))
    assert told or not claimed


def test_the_summary_stays_in_its_pool():
    """Block and lines count as knowledge, the pools add up to the view, and the view is inside its budget."""
    view = grown(40, config=SETTINGS.model_copy(update={"view_tokens": 900}))
    assert view.tokens <= 900
    assert view.pools["knowledge"].used_tokens > 0
    parts = sum(view.pools[name].used_tokens for name in ("system", "knowledge", "history"))
    assert parts == view.tokens

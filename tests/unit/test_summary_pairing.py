"""Values that were said of one thing stay with it: a statement that swaps them is refused."""

from __future__ import annotations

import pytest
from summarising import chat, step

from langchain_contextmode.summary.pairing import Pairings
from langchain_contextmode.testing import ScriptedChatModel

SAID = "Order 4711 goes to Hamburg by 2026-06-12. Order 4712 goes to Ulm by 2026-06-15."
PAIRINGS = Pairings([SAID, "The budget is 2,400 euros. We travel from 9 May.", "Anna has the key to locker 17."])


@pytest.mark.parametrize(
    "statement",
    [
        "Order 4711 goes to Hamburg.",
        "4712: Ulm, due 2026-06-15",
        "A trip from 9 May with a budget of 2,400 euros.",
        "Orders 4711 and 4712 go to Hamburg and Ulm.",
        "Anna has locker 17.",
        "Nothing was decided.",
    ],
)
def test_what_was_said_together_may_stand_together(statement):
    """A statement whose values stand in one sentence, or in one text that cannot be confused, is fine."""
    assert not PAIRINGS.broken(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Order 4711 goes to Ulm.",
        "Order 4712 is due on 2026-06-12.",
        "Locker 17 belongs to Ulm.",
        "The budget for order 4712 is 2,400 euros.",
    ],
)
def test_swapped_values_are_refused(statement):
    """A statement that gives a value of one thing to another is found out, though each value was said."""
    assert PAIRINGS.broken(statement)


def test_a_summary_that_swaps_orders_does_not_displace_the_truth():
    """The swapped statement is left out and noted; both sentences of the user stay, word for word."""
    reply = "## Decisions\n- Order 4711 goes to Ulm by 2026-06-15.\n- Order 4712 goes to Hamburg by 2026-06-12."
    done = step(chat(9, {0: (SAID, "Noted.")}), model=ScriptedChatModel(replies=[reply]))
    assert "4711 goes to Ulm" not in str(done.state)
    assert "Order 4711 goes to Hamburg by 2026-06-12." in str(done.state)
    assert "Order 4712 goes to Ulm by 2026-06-15." in str(done.state)

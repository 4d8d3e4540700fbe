from __future__ import annotations

import os
from pathlib import Path

from trip_task import boards, conversation

GOLDEN = Path(__file__).parents[1] / "golden" / "task" / "trip.txt"


def test_the_board_of_every_turn_is_as_reviewed():
    """25 turns of the bundled trip, three changes of mind, two of them in Chinese (REGENERATE_GOLDEN=1 writes the file anew)."""
    told = [f"=== turn {number}: {text}\n{board}\n" for number, (text, board) in enumerate(boards(), 1)]
    if os.environ.get("REGENERATE_GOLDEN"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text("\n".join(told), encoding="utf-8")
    assert len(told) == 25
    assert "\n".join(told) == GOLDEN.read_text(encoding="utf-8")


def test_what_was_changed_is_nowhere_on_the_board():
    """After a change of mind no later board names the old city, the old hotel or the old budget."""
    after = {"Lisbon": 11, "Quinta do Farol": 24, "2400": 25}
    for number, (_, board) in enumerate(boards(), 1):
        for old, turn in after.items():
            assert number < turn or old not in board


def test_the_conversation_has_the_turns_it_claims():
    """Twenty-five human messages, the last of them in Chinese."""
    humans = [message for message in conversation() if message.type == "human"]
    assert len(humans) == 25
    assert not humans[-1].text.isascii()

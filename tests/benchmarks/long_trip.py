"""What does context mode save on a long chat? The bundled trip, prolonged by further days, prepared turn by turn.

    python tests/benchmarks/long_trip.py [--view-tokens 3000] [--every 5]

No API key, no model. Before: the whole history with the new request, as a chat without context mode sends it; after: the
view. A turn is one message of a person; its request is prepared once, with the state of the last one.
"""

from __future__ import annotations

import argparse
import math
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from rich.console import Console
from rich.table import Table
from trip_days import DAYS

from langchain_contextmode import ContextConfig, ContextView, Scope, prepare_context
from langchain_contextmode.report import bar
from langchain_contextmode.transcripts import load_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

SCOPE = Scope("u", "s")
NEWEST_TURNS = 20


class Turn(NamedTuple):
    number: int
    before: int  # tokens of the history
    view: ContextView

    @property
    def saved(self) -> float:
        return 1 - self.view.tokens / self.before

    @property
    def slices(self) -> int:
        return len(self.view.state.get("summary", {}).get("slices", ()))


def trip() -> list[BaseMessage]:
    """Return the bundled conversation and the days after it."""
    with as_file(files("langchain_contextmode") / "data" / "trip.jsonl") as path:
        log = load_transcript(path)
    for number, said in enumerate(DAYS, start=1):
        identity = f"days-{number:02}"
        log.append(HumanMessage(said.text, name=said.name, id=identity))
        if said.call:
            call = {"name": said.call, "args": said.arguments or {}, "id": f"call-{identity}", "type": "tool_call"}
            log.append(AIMessage("", tool_calls=[call], id=f"{identity}-call"))
            log.append(ToolMessage(said.result_text(), tool_call_id=call["id"], name=said.call, id=f"{identity}-result"))
        log.append(AIMessage(said.answer, id=f"{identity}-answer"))
    return log


def prepared(log: Sequence[BaseMessage], config: ContextConfig) -> list[Turn]:
    turns: list[Turn] = []
    state = None
    for end, message in enumerate(log, start=1):
        if isinstance(message, HumanMessage):
            view = prepare_context(log[:end], scope=SCOPE, config=config, state=state)
            state = view.state
            turns.append(Turn(len(turns) + 1, int(view.report["tokens_before"]), view))
    return turns


def drawn(turns: Sequence[Turn], title: str, every: int) -> Table:
    table = Table(title=title)
    for name in ("turn", "tokens before", "tokens after", "saved", "messages before", "after", "active pins", "summary slices"):
        table.add_column(name, justify="right")
    for turn in turns:
        if turn.number % every and turn is not turns[-1]:
            continue
        pins = sum(pin.active for pin in turn.view.pins)
        messages = (f"{len(turn.view.decisions):,}", f"{len(turn.view.messages):,}")
        table.add_row(
            f"{turn.number}",
            f"{turn.before:,}",
            f"{turn.view.tokens:,}",
            f"{math.floor(100 * turn.saved)}%",
            *messages,
            f"{pins}",
            f"{turn.slices}",
        )
    return table


def closing(turns: Sequence[Turn]) -> list[str]:
    """Draw the pools of the last turn and add up."""
    last = turns[-1].view
    width = max(map(len, last.pools), default=0)
    lines = [f"  {name:<{width}} {bar(use)!s} {use.used_tokens:,} of {use.limit_tokens:,}" for name, use in last.pools.items()]
    newest = turns[-NEWEST_TURNS:]
    sums = [(sum(turn.before for turn in part), sum(turn.view.tokens for turn in part)) for part in (turns, newest)]
    (before, after), (before_newest, after_newest) = sums
    saved = f"{1 - after_newest / before_newest:.0%} saved"
    return [
        f"Pools of turn {turns[-1].number}:",
        *lines,
        f"All {len(turns)} turns: {before:,} tokens before, {after:,} after, {1 - after / before:.0%} saved.",
        f"Mean of the last {len(newest)} turns: {before_newest // len(newest):,} before, {after_newest // len(newest):,} after, {saved}.",
        f"Levels: {', '.join(f'{name} {why}' for name, why in last.levels.items())}",
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--view-tokens", type=int, default=3_000, help="hard cap of the second table's views")
    parser.add_argument("--every", type=int, default=5, help="print every so many turns")
    options = parser.parse_args()
    console = Console(width=120)
    log = trip()
    for title, config in (
        ("default settings", ContextConfig()),
        (f"view_tokens={options.view_tokens:,}", ContextConfig(view_tokens=options.view_tokens)),
    ):
        turns = prepared(log, config)
        console.print(drawn(turns, f"The trip, {len(turns)} turns, {title}", options.every))
        console.print("\n".join(closing(turns)), markup=False, highlight=False)


if __name__ == "__main__":
    main()

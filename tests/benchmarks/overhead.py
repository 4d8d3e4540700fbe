"""What one turn costs without a model: milliseconds to prepare a view, beside `trim_messages` with the same counter.

    python tests/benchmarks/overhead.py [--messages 1000 10000] [--runs 30] [--view-tokens 8000]

First turn: nothing of the log was seen before. Next turn: one message was added and the state of the last view is passed
back. The logs are made up: chat, and tool calls with JSON results, 45 tokens a message on average. Several logs are alive at
once, as in a server, so that caches are not measured at their best only.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage, trim_messages
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, Scope, prepare_context
from langchain_contextmode.tokens import default_counter

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTER = default_counter()
SCOPE = Scope("u", "s")
LOGS = 2
FIRST_RUNS_SHARE = 3
SYLLABLES = ["ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "wi", "xo", "zu", "ca", "ki", "mo"]
WORDS = [first + second + third for first in SYLLABLES for second in SYLLABLES for third in SYLLABLES[:9]]
CHANCES = [1 / rank for rank in range(1, len(WORDS) + 1)]
"""Words as in a language: a few everywhere, most of them rare (Zipf)."""


def sentence(rng: random.Random) -> str:
    words = " ".join(rng.choices(WORDS, CHANCES, k=rng.randrange(6, 40)))
    return f"{words} {rng.randrange(10**5)}."


def log_of(size: int, seed: int) -> list[BaseMessage]:
    """Return a log of this many messages that ends on a human message."""
    rng = random.Random(seed)
    log: list[BaseMessage] = []
    while len(log) < size - 1:
        n = len(log)
        log.append(HumanMessage(sentence(rng), id=f"h{n}"))
        if rng.random() < 0.2:
            call = {"name": "search", "args": {"query": sentence(rng)}, "id": f"call_{seed}_{n}", "type": "tool_call"}
            found = [
                {"id": f"r{rng.randrange(10**6)}", "price": rng.randrange(900), "city": rng.choice(WORDS)}
                for _ in range(rng.randrange(1, 9))
            ]
            log += [AIMessage("", tool_calls=[call], id=f"c{n}"), ToolMessage(json.dumps(found), tool_call_id=call["id"], id=f"t{n}")]
        log.append(AIMessage(sentence(rng), id=f"a{n}"))
    return [*log[: size - 1], HumanMessage(sentence(rng), id="request")]


class Times(NamedTuple):
    p50: float  # milliseconds
    p95: float

    @classmethod
    def of(cls, seconds: list[float]) -> Times:
        ordered = sorted(seconds)
        return cls(1_000 * statistics.median(ordered), 1_000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))])


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    started = time.perf_counter()
    result = action()
    return time.perf_counter() - started, result


def trim(log: list[BaseMessage], tokens: int) -> list[BaseMessage]:
    return trim_messages(log, max_tokens=tokens, token_counter=COUNTER, strategy="last", start_on="human", include_system=True)


def first_turns(size: int, runs: int, config: ContextConfig, tokens: int) -> tuple[Times, Times]:
    """Measure on logs that nobody has seen; what ran first does not help what runs second."""
    ours, theirs = [], []
    for run in track(range(runs), f"first turn, {size:,} messages", console=Console(stderr=True), transient=True):
        fresh, other = log_of(size, 2 * run), log_of(size, 2 * run + 1)
        ours.append(timed(lambda log=fresh: prepare_context(log, scope=SCOPE, config=config))[0])
        theirs.append(timed(lambda log=other: trim(log, tokens))[0])
    return Times.of(ours), Times.of(theirs)


def next_turns(size: int, runs: int, config: ContextConfig, tokens: int) -> tuple[Times, Times]:
    """Measure turn after turn on a few logs by turns; each adds one message."""
    rng = random.Random(0)
    logs = [log_of(size, 10_000 + n) for n in range(LOGS)]
    states = [prepare_context(log, scope=SCOPE, config=config).state for log in logs]
    for log in logs:
        trim(log, tokens)
    ours, theirs = [], []
    for run in track(range(runs), f"next turn, {size:,} messages", console=Console(stderr=True), transient=True):
        log, state = logs[run % LOGS], states[run % LOGS]
        log.append(HumanMessage(sentence(rng), id=f"next{run}"))
        seconds, view = timed(lambda log=log, state=state: prepare_context(log, scope=SCOPE, config=config, state=state))
        states[run % LOGS] = view.state
        ours.append(seconds)
        theirs.append(timed(lambda log=log: trim(log, tokens))[0])
    return Times.of(ours), Times.of(theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=30, help="next turns; a third as many first turns")
    parser.add_argument("--view-tokens", type=int, default=8_000)
    parser.add_argument("--preset", default="filter", help="filter, context-mode or harness")
    options = parser.parse_args()
    config, tokens = ContextConfig.preset(options.preset, view_tokens=options.view_tokens), options.view_tokens
    table = Table(title=f"Milliseconds a turn without a model, view of {tokens:,} tokens, {COUNTER.name}")
    for name in ("messages", "turn", "view p50", "p95", "trim_messages p50", "p95", "ratio of p50"):
        table.add_column(name, justify="right" if name != "turn" else "left")
    for size in options.messages:
        for turn, measure, runs in (("first", first_turns, max(options.runs // FIRST_RUNS_SHARE, 3)), ("next", next_turns, options.runs)):
            ours, theirs = measure(size, runs, config, tokens)
            numbers = (ours.p50, ours.p95, theirs.p50, theirs.p95)
            table.add_row(f"{size:,}", turn, *(f"{number:.1f}" for number in numbers), f"{ours.p50 / theirs.p50:.1f}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()

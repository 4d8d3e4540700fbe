"""Are the values of the next action still in the view? Agents with tools, at half of what is not a must; and one long turn.

    python tests/benchmarks/tool_values.py DATA_DIR [--part airline|coding|steps]

Airline (tau-bench, DATA_DIR/tau_bench_airline): the log is cut before each state-changing call of a successful run whose log
is longer than 1,500 tokens. Coding (SWE-agent and OpenHands, DATA_DIR/coding_agent_traces): the log is cut before each action,
and before the last one for what was submitted. The budget is the must set (system prompt, newest human message, newest call block after
it) and half of the rest. Counted is the share of values that stood in earlier messages and stand in the view as text.

Steps: one request followed by 150 tool steps; after each one the view is valid, inside its budget, and begins with the view
before it, unless the budget forces a change, which then frees a fifth of the budget.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage, trim_messages
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, Scope, prepare_context
from langchain_contextmode.content import readable
from langchain_contextmode.tokens import default_counter

sys.path.append(str(Path(__file__).parents[1]))
from validity import violations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MIN_TOKENS = 1_500
STEPS = 150
STEP_BUDGETS = (2_000, 4_000, 8_000, 16_000)
FREES = 0.2
COUNTER = default_counter()
SCOPE = Scope("u", "s")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}|\d{3,}")


class Cut(NamedTuple):
    log: list[BaseMessage]
    values: list[str]  # of what comes next, all of them in the log


def read(path: Path) -> list[dict]:
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds the evaluation data.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def arguments(call: dict) -> dict:
    told = call.get("arguments", call.get("function", {}).get("arguments", {}))
    if isinstance(told, str):
        try:
            told = json.loads(told)
        except ValueError:
            return {"text": told}
    return told if isinstance(told, dict) else {"value": told}


def message(said: dict) -> BaseMessage:
    role, text, identity = said["role"], said.get("content") or "", said["id"]
    if role == "system":
        return SystemMessage(text, id=identity)
    if role == "tool":
        answered = said.get("tool_call_id") or (said.get("tool_call_ids") or [""])[0]
        return ToolMessage(text, tool_call_id=answered, id=identity)
    if role == "user":
        return HumanMessage(text, id=identity)
    calls = [
        {"name": c.get("name") or c["function"]["name"], "args": arguments(c), "id": c["id"], "type": "tool_call"}
        for c in said.get("tool_calls") or []
    ]
    return AIMessage(text, id=identity, tool_calls=calls)


def airline_cuts(folder: Path) -> Iterator[Cut]:
    prompt = SystemMessage((folder / "system_prompt.txt").read_text(encoding="utf-8"), id="system")
    logs = {c["conv_id"]: c["messages"] for c in read(folder / "conversations.jsonl.gz")}
    for call in read(folder / "tool_calls.jsonl.gz"):
        values = [str(p["value"]) for p in call["provenance"].values() if p["seen_in"]]
        if not (call["is_write"] and call["reward"] == 1 and values):
            continue
        said = logs[call["conv_id"]]
        end = next(n for n, m in enumerate(said) if m["id"] == call["at_message"])
        yield Cut([prompt, *map(message, said[:end])], values)


def coding_cuts(folder: Path, *, submission: bool) -> Iterator[Cut]:
    for trace in read(folder / "traces.jsonl.gz"):
        log = [message(m) for m in trace["messages"]]
        ends = [n for n, m in enumerate(trace["messages"]) if m["role"] == "assistant"]
        for end in ends[-1:] if submission else ends:
            if submission:
                coming = trace["submission"] or ""
            else:
                told = trace["messages"][end]
                coming = told.get("action") or " ".join(str(v) for c in told.get("tool_calls") or [] for v in arguments(c).values())
            before = "\n".join(readable(m) for m in log[:end] if m.type != "system")
            values = [v for v in dict.fromkeys(IDENTIFIER.findall(coming)) if v in before]
            if values and log[end - 1].type in {"human", "tool"}:
                yield Cut(log[:end], values)


def budget_of(log: list[BaseMessage]) -> int:
    """Must set and half of the rest."""
    start = max((n for n, m in enumerate(log) if m.type == "human"), default=0)
    call = max((n for n, m in enumerate(log) if n > start and m.type == "ai" and m.tool_calls), default=len(log))
    must = [m for n, m in enumerate(log) if m.type == "system" or n == start or n >= call]
    return COUNTER(must) + (COUNTER(log) - COUNTER(must)) // 2


def our_view(log: list[BaseMessage], budget: int) -> list[BaseMessage]:
    return prepare_context(log, scope=SCOPE, config=ContextConfig.preset("filter", view_tokens=budget)).messages


def last_n(log: list[BaseMessage], budget: int) -> list[BaseMessage]:
    return trim_messages(log, max_tokens=budget, token_counter=COUNTER, strategy="last", include_system=True)


class Score(NamedTuple):
    mean: float  # of the cuts' shares
    pooled: float  # of all values together
    cuts: int


def score(method: Callable[[list[BaseMessage], int], list[BaseMessage]], cuts: list[Cut], label: str) -> Score:
    shares, seen, all_values = [], 0, 0
    for cut in track(cuts, label, console=Console(stderr=True), transient=True):
        text = "\n".join(readable(m) for m in method(cut.log, budget_of(cut.log)) if m.type != "system")
        visible = sum(value in text for value in cut.values)
        shares.append(visible / len(cut.values))
        seen, all_values = seen + visible, all_values + len(cut.values)
    return Score(sum(shares) / max(len(shares), 1), seen / max(all_values, 1), len(shares))


def values_table(groups: dict[str, list[Cut]]) -> Table:
    table = Table(title="Values of the next action that are in the view (must set and half of the rest)")
    for name in ("what", "cuts", "last N: mean", "pooled", "view: mean", "pooled"):
        table.add_column(name, justify="right" if name != "what" else "left")
    for name, found in groups.items():
        cuts = [cut for cut in found if COUNTER([m for m in cut.log if m.type != "system"]) > MIN_TOKENS]
        plain, ours = score(last_n, cuts, f"{name}, last N"), score(our_view, cuts, f"{name}, view")
        table.add_row(name, str(ours.cuts), f"{plain.mean:.3f}", f"{plain.pooled:.3f}", f"{ours.mean:.3f}", f"{ours.pooled:.3f}")
    return table


def result(rng: random.Random, step: int) -> str:
    """Return what a tool might return: records, a log or a document, 50 to 600 tokens."""
    records = [
        {"id": f"ord_{rng.randrange(10**6):06}", "status": rng.choice(["open", "paid", "late"]), "total": rng.randrange(10**5) / 100}
        for _ in range(rng.randrange(2, 18))
    ]
    if step % 3 == 0:
        return json.dumps({"step": step, "records": records, "next": rng.choice([None, f"page_{step}"])})
    if step % 3 == 1:
        lines = [
            f"2024-05-{rng.randrange(1, 29):02} INFO worker-{rng.randrange(9)} handled {r['id']} in {rng.randrange(900)} ms"
            for r in records
        ]
        return "\n".join(lines)
    text = " ".join(f"Section {n} explains how {r['id']} came to be {r['status']} and whom to ask about it." for n, r in enumerate(records))
    return json.dumps({"document": f"doc-{step}", "text": text, "owner": {"name": "Ada", "mail": f"ada{step}@example.org"}}, indent=1)


def turn(steps: int) -> list[BaseMessage]:
    """Return one request and its tool steps."""
    rng = random.Random(7)
    log: list[BaseMessage] = [
        SystemMessage("You are an order clerk. Work through the orders with the tools, one step at a time.", id="s"),
        HumanMessage("Find every late order of this month above 500, note its owner, and stop at order ord_999999.", id="h"),
    ]
    for step in range(steps):
        call = {
            "name": rng.choice(["search", "read_log", "open_doc"]),
            "args": {"page": step, "filter": "late"},
            "id": f"c{step}",
            "type": "tool_call",
        }
        log += [AIMessage("", id=f"a{step}", tool_calls=[call]), ToolMessage(result(rng, step), tool_call_id=f"c{step}", id=f"t{step}")]
    return log


class Run(NamedTuple):
    invalid: int
    over: int
    changes: int  # steps whose view does not begin with the view before it
    unforced: int  # of those, where the view before and the new block would have fitted
    least_freed: float  # by a change, as a share of the budget
    mean_use: float  # of the budget


def walk(budget: int, log: list[BaseMessage]) -> Run:
    state, before, freed, uses = None, [], [], []
    invalid = over = unforced = 0
    for end in track(range(4, len(log) + 1, 2), f"steps at {budget:,}", console=Console(stderr=True), transient=True):
        view = prepare_context(log[:end], scope=SCOPE, config=ContextConfig.preset("filter", view_tokens=budget), state=state)
        state = view.state
        invalid += bool(violations(view.messages))
        over += view.tokens > budget or COUNTER(view.messages) != view.tokens
        if [m.model_dump() for m in view.messages[: len(before)]] != [m.model_dump() for m in before]:
            wanted = COUNTER([*before, *log[end - 2 : end]])
            unforced += wanted <= budget
            freed.append((wanted - view.tokens) / budget)
        before = view.messages
        uses.append(view.tokens / budget)
    return Run(invalid, over, len(freed), unforced, min(freed, default=1.0), sum(uses) / len(uses))


def steps_table() -> Table:
    log = turn(STEPS)
    table = Table(title=f"One request and {STEPS} tool steps ({COUNTER(log):,} tokens)")
    for name in ("budget", "invalid", "over budget", "changed steps", "of them not forced", "least freed", "mean use"):
        table.add_column(name, justify="right")
    for budget in STEP_BUDGETS:
        run = walk(budget, log)
        freed = f"{run.least_freed:.2f}" if run.changes else "-"
        table.add_row(f"{budget:,}", str(run.invalid), str(run.over), str(run.changes), str(run.unforced), freed, f"{run.mean_use:.2f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=["airline", "coding", "steps"])
    options = parser.parse_args()
    groups = {}
    if options.part in {None, "airline"}:
        groups["airline: state-changing calls"] = list(airline_cuts(options.data / "tau_bench_airline"))
    if options.part in {None, "coding"}:
        folder = options.data / "coding_agent_traces"
        groups["coding: next action"] = list(coding_cuts(folder, submission=False))
        groups["coding: submission"] = list(coding_cuts(folder, submission=True))
    console = Console(width=120)
    console.print(f"counter: {COUNTER.name}")
    if groups:
        console.print(values_table(groups))
    if options.part in {None, "steps"}:
        console.print(steps_table())


if __name__ == "__main__":
    main()

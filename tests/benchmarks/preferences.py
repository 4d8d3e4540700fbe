"""Is a stated preference still in the view, long after? PrefEval preferences, then unrelated SGD talk, then the question.

    python tests/benchmarks/preferences.py DATA [--limit N]

DATA holds prefeval/items.jsonl.gz and sgd/dev.jsonl.gz. Counts the items whose preference stands in the view letter by letter,
as a message or as a pin, at 600 tokens after 100 messages and at 2,000 after 300; beside it the newest messages that fit, and
the best ones by BM25. For the implicit forms: any human message of the implicit dialogue after its first one.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, Scope, prepare_context
from langchain_contextmode.content import text_of
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.tokens import as_counter

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = ((600, 100), (2_000, 300))
FORMS = ("preference", "implicit_choice", "implicit_persona")
COUNTER = as_counter(None)


def read(path: Path) -> list[dict]:
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds prefeval/items.jsonl.gz and sgd/dev.jsonl.gz.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def message(role: str, text: str, identity: str) -> BaseMessage:
    return (HumanMessage if role == "user" else AIMessage)(text, id=identity)


def chatter(dialogues: list[dict]) -> Iterator[BaseMessage]:
    """Yield SGD messages dialogue by dialogue, for ever."""
    for number, dialogue in enumerate(cycle(dialogues)):
        for said in dialogue["messages"]:
            yield message(said["role"], said["content"], f"sgd-{number}-{said['id']}")


def log_of(item: dict, form: str, unrelated: list[BaseMessage]) -> tuple[list[BaseMessage], list[str]]:
    """Return the log with the question last, and the texts one of which has to be in the view."""
    if form == "preference":
        first = [message("user", item["preference"], "p0"), message("assistant", "I see.", "p1")]
        wanted = [item["preference"]]
    else:
        first = [message(said["role"], said["content"], f"p{n}") for n, said in enumerate(item[form])]
        wanted = [said["content"] for said in item[form][1:] if said["role"] == "user"]
    return [*first, *unrelated, message("user", item["query"], "q")], wanted


def newest(log: list[BaseMessage], budget: int) -> list[BaseMessage]:
    return filled(log, range(len(log) - 2, -1, -1), budget)


def filled(log: list[BaseMessage], order: range | list[int], budget: int) -> list[BaseMessage]:
    """Return the question and messages in this order while they fit."""
    used, chosen = COUNTER(log[-1:]), []
    for index in order:
        used += COUNTER.message(log[index])
        if used > budget:
            break
        chosen.append(index)
    return [log[index] for index in sorted(chosen)] + log[-1:]


def best_by_bm25(log: list[BaseMessage], budget: int) -> list[BaseMessage]:
    texts = [Counter(terms_of(text_of(m))) for m in log[:-1]]
    asked, size = set(terms_of(text_of(log[-1]))), len(texts)
    held = Counter(term for terms in texts for term in terms)
    average = sum(map(Counter.total, texts)) / size

    def score(terms: Counter[str]) -> float:
        norm = 1.2 * (0.25 + 0.75 * terms.total() / average)
        rarity = {t: math.log(1 + (size - held[t] + 0.5) / (held[t] + 0.5)) for t in asked & terms.keys()}
        return sum(worth * terms[t] * 2.2 / (terms[t] + norm) for t, worth in rarity.items())

    return filled(log, sorted(range(size), key=lambda i: (-score(texts[i]), -i)), budget)


def ours(log: list[BaseMessage], budget: int) -> list[BaseMessage]:
    view = prepare_context(log, scope=Scope("u", "s"), config=ContextConfig(view_tokens=budget))
    assert view.tokens <= budget
    return view.messages


def in_view(messages: list[BaseMessage], wanted: list[str]) -> bool:
    """Say whether one of the texts is there: whole, or every sentence of it."""
    whole = "\n".join(text_of(m) for m in messages)
    return any(text in whole or all(part in whole for part in text.replace("! ", ". ").split(". ") if part.strip()) for text in wanted)


def pinned_part(messages: list[BaseMessage], wanted: list[str]) -> bool:
    """Say whether a pin from one of these texts is in the view."""
    shown = [line.split("] ", 1)[-1] for m in messages if m.id == "contextmode-session" for line in text_of(m).splitlines()]
    return any(line and line in text for line in shown for text in wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with prefeval/ and sgd/")
    parser.add_argument("--limit", type=int, default=None, help="items to use; all without it")
    options = parser.parse_args()
    items = read(options.data / "prefeval" / "items.jsonl.gz")[: options.limit]
    dialogues = read(options.data / "sgd" / "dev.jsonl.gz")
    table = Table(title=f"Preference in the view ({len(items)} items, {COUNTER.name})")
    for name in ("form", "view tokens", "messages between", "context mode", "of it whole", "newest that fit", "best by BM25"):
        table.add_column(name, justify="left" if name == "form" else "right")
    for form in FORMS:
        for budget, between in SETTINGS:
            talk = chatter(dialogues)
            found: Counter[str] = Counter()
            for item in track(items, f"{form}, {budget:,}", console=Console(stderr=True), transient=True):
                log, wanted = log_of(item, form, list(islice(talk, between)))
                view = ours(log, budget)
                whole = in_view(view, wanted)
                found["whole"] += whole
                found["ours"] += whole or pinned_part(view, wanted)
                found["newest"] += in_view(newest(log, budget), wanted)
                found["bm25"] += in_view(best_by_bm25(log, budget), wanted)
            shares = (f"{found[name] / len(items):.3f}" for name in ("ours", "whole", "newest", "bm25"))
            table.add_row(form, f"{budget:,}", str(between), *shares)
    Console().print(table)


if __name__ == "__main__":
    main()

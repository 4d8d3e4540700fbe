"""How near does a search with the rewritten request come to one with a request that a person wrote out?

CANARD (aagohary/canard, dev) holds questions of a dialogue and, for each, what it means without the dialogue. The corpus is every turn of
every history; a search is the package's lexical one over it. Counted is the share of the five best hits of the person's rewrite
that are among the five best of: the request as it stands, with the question before it, as `memories/rewrite.py` completes it,
with the article's title known as well, and the person's rewrite without words that nobody had said. Rules were written with the even
items in sight. The Chinese requests are this package's own (`rewriting_chinese.py`).

    python tests/benchmarks/query_rewriting.py DATA
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
from collections import Counter, defaultdict
from pathlib import Path

from rewriting_chinese import ITEMS
from rich.console import Console
from rich.table import Table

from langchain_contextmode.memories.rewrite import RECENT_MESSAGES, Recent, queries
from langchain_contextmode.relevance.terms import terms_of

TOP = 5


class Corpus:
    """Texts, searched by shared terms weighed by inverse document frequency, as `stores/hybrid.py` does."""

    def __init__(self, texts):
        self.texts = list(dict.fromkeys(texts))
        self.holders = defaultdict(list)
        for number, text in enumerate(self.texts):
            for term in set(terms_of(text)):
                self.holders[term].append(number)

    def top(self, asked):
        best = {}
        for query in asked:
            wanted = sorted(set(terms_of(query)))
            weight = {term: math.log1p(len(self.texts) / (len(self.holders.get(term, ())) or 0.5)) for term in wanted}
            total = sum(weight.values()) or 1.0
            scores = Counter()
            for term in wanted:
                for number in self.holders.get(term, ()):
                    scores[number] += weight[term] / total
            for number, score in scores.items():
                best[number] = max(best.get(number, 0.0), score)
        return {number for number, _ in sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP]}


def recent(history):
    return [Recent(text, (len(history) - n) % 2 == 0) for n, text in enumerate(history)][-RECENT_MESSAGES:]


def said_words(item):
    known = {term for text in (*item["history"], item["query"]) for term in terms_of(text)}
    return " ".join(word for word in item["rewrite"].split() if set(terms_of(word)) <= known)


ROWS = {
    "the request": lambda item: [item["query"]],
    "last question and request": lambda item: [" ".join([*item["history"][-2:-1], item["query"]])],
    "ours": lambda item: queries(item["query"], recent(item["history"]), {}),
    "ours, the title known": lambda item: queries(item["query"], [Recent(item["title"], by_user=True), *recent(item["history"])], {}),
    "gold, only words that were said": lambda item: [said_words(item)],
    "gold": lambda item: [item["rewrite"]],
}


def overlap(corpus, items, row):
    shares = []
    for item in items:
        gold = corpus.top([item["rewrite"]])
        shares.append(len(corpus.top(row(item)) & gold) / max(1, len(gold)))
    return sum(shares) / len(shares)


def table(title, items, halves, rows):
    corpus = Corpus(text for item in items for text in item["history"])
    shown = Table(title=f"{title}: {len(items)} requests, {len(corpus.texts)} texts")
    for column in ("search with", *halves):
        shown.add_column(column)
    for name in rows:
        shown.add_row(name, *(f"{overlap(corpus, part, ROWS[name]):.3f}" for part in halves.values()))
    return shown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    with gzip.open(given.data / "canard" / "dev.jsonl.gz", "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    console = Console(width=120)
    console.print(table("CANARD", items, {"seen": items[::2], "kept apart": items[1::2]}, ROWS))
    halves = {"before the rules": ITEMS[:25], "after": ITEMS[25:]}
    console.print(table("Chinese", ITEMS, halves, [name for name in ROWS if "title" not in name]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

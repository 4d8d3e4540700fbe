"""Speed of the memory store on Chroma: adding, searching beside a raw query with the same filter, sweeping.

Usage: python tests/benchmarks/memory_store.py [--small] [--searches 200]

100,000 memories of 100 users (`--small`: 4,000 of 20). Vectors are made once and counted in neither; `raw` is `collection.query` with
the store's own filter, `documents` and `metadatas`; `hybrid` is `store.search`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time

from rich.console import Console

from langchain_contextmode import ChromaMemoryStore, HashingEmbeddings, Memory, Scope
from langchain_contextmode.stores.chroma_rows import where_of

WORDS = (  # noqa: SIM905  (words read better as a text)
    "tea coffee seat window aisle train hotel garden river music jazz piano bread cheese winter summer budget colour blue red dog cat"
).split()
CONSOLE = Console(highlight=False)


def texts(draw, number):
    return [f"note {n}: " + " ".join(draw.sample(WORDS, 6)) for n in range(number)]


def timed(action, jobs):
    """Return the milliseconds of each job, p50 and p95."""
    spent = []
    for job in jobs:
        begin = time.perf_counter()
        action(job)
        spent.append((time.perf_counter() - begin) * 1_000)
    return statistics.median(spent), statistics.quantiles(spent, n=20)[-1]


def run(folder, isolation, users, per_user, searches):
    draw, embedder = random.Random(3), HashingEmbeddings()
    store = ChromaMemoryStore(f"{folder}/{isolation}", isolation=isolation)
    scopes = [Scope(f"user{n}", "s") for n in range(users)]
    begin = time.perf_counter()
    for scope in scopes:
        store.add(scope, [Memory(text=text, importance=draw.random()) for text in texts(draw, per_user)])
    seconds = time.perf_counter() - begin
    jobs = [(draw.choice(scopes), " ".join(draw.sample(WORDS, 3))) for _ in range(searches)]
    vectors = {query: embedder.embed_query(query) for _, query in jobs}

    def raw(job):
        scope, query = job
        where = where_of(scope, active=True)
        include = ["documents", "metadatas", "distances"]
        store._at.call(scope, "query", "search", query_embeddings=[vectors[query]], n_results=5, where=where, include=include)

    def vector(job):
        scope, query = job
        where = where_of(scope, active=True)
        store._near(scope, vectors[query], where, 50)

    rows = {
        "raw": timed(raw, jobs),
        "vector part": timed(vector, jobs),
        "hybrid, first": timed(lambda job: store.search(*job), jobs),
        "hybrid, again": timed(lambda job: store.search(*job), jobs),
    }
    begin = time.perf_counter()
    later, swept = store.list(scopes[0])[0].updated_at + 400 * 86_400_000, 0
    for scope in scopes:
        if swept >= 10_000:
            break
        swept += store.sweep(scope, later, limit=10_000 - swept)
    sweep_seconds = time.perf_counter() - begin
    told = ", ".join(f"{name} p50 {p50:.1f} p95 {p95:.1f} ms" for name, (p50, p95) in rows.items())
    added = f"added {users * per_user / seconds:.0f} a second"
    CONSOLE.print(f"{isolation}: {users * per_user} rows, {added}; {told}; sweep of {swept} in {sweep_seconds:.1f} s", soft_wrap=True)
    store.close()


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", action="store_true")
    options.add_argument("--searches", type=int, default=200)
    given = options.parse_args()
    users, per_user = (20, 200) if given.small else (100, 1_000)
    with tempfile.TemporaryDirectory() as folder:
        for isolation in ("filter", "collection"):
            run(folder, isolation, users, per_user, given.searches)


if __name__ == "__main__":
    main()

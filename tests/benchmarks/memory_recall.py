"""Does the memory that bears on a request come back, and how much else? Hit and precision at 5.

    python tests/benchmarks/memory_recall.py DATA [--minilm DIR] [--sample N]

LoCoMo: every message of a conversation is stored as an event (for measuring only; the package stores what users say about
themselves), the questions are asked, and the evidence is what should come back. PrefEval: preferences, and requests that one of
them bears on; "other topics" stores beside it the preferences of all other topics, "any topic" all of them. A hit is a request with one
right memory or more among the five; precision is the share of all memories returned that are right, over all requests. Rows: the
five nearest of a plain Chroma collection, the store's own search, and what `prepare_context` puts into the view. DATA holds
locomo/ and prefeval/.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import chromadb
from langchain_core.embeddings import Embeddings
from langchain_core.messages import HumanMessage
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ChromaMemoryStore, ContextConfig, Memory, MiniLMEmbeddings, Scope, prepare_context
from langchain_contextmode.hashing import HashingEmbeddings

LIMIT = 5
SETTINGS = ContextConfig(recall_limit=LIMIT)
TYPES = {"single_hop", "multi_hop", "temporal", "open_domain"}


class Asked(NamedTuple):
    scope: Scope
    request: str
    right: frozenset[str]  # texts


class Case(NamedTuple):
    name: str
    held: dict[Scope, list[Memory]]
    asked: list[Asked]


Method = Callable[[Asked], Sequence[str]]


class Remembered(Embeddings):
    """Embeds each text once, as many cases hold the same."""

    def __init__(self, embeddings: Embeddings) -> None:
        self.embeddings = embeddings
        self.known: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= dict(zip(new, self.embeddings.embed_documents(new), strict=True))
        return [self.known[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def read(path: Path) -> list[dict]:
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds locomo/ and prefeval/.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def locomo(folder: Path, sample: int | None) -> Case:
    texts, held = {}, {}
    for talk in read(folder / "locomo" / "conversations.jsonl.gz"):
        said = {message["id"]: f"{message['name']}: {message['content']}" for message in talk["messages"]}
        texts[talk["conv_id"]] = said
        held[Scope(talk["conv_id"], "all")] = [Memory(text=text, type="event") for text in said.values()]
    asked = []
    for query in read(folder / "locomo" / "queries.jsonl.gz"):
        said = texts[query["conv_id"]]
        evidence = (query.get("audit") or {}).get("correct_evidence") or query["evidence"]
        right = frozenset(said[identity] for identity in evidence if identity in said)
        if query["type"] in TYPES and right:
            asked.append(Asked(Scope(query["conv_id"], "all"), query["query"], right))
    return Case("LoCoMo", held, drawn(asked, sample))


def preferences(folder: Path, sample: int | None, *, every: bool) -> Case:
    """Return the case; the preference asked about is of the session, all others are promoted, so that each request sees both."""
    items = read(folder / "prefeval" / "items.jsonl.gz")
    held: dict[Scope, list[Memory]] = {}
    for topic in {item["topic"] for item in items}:
        others = [item["preference"] for item in items if every or item["topic"] != topic]
        held[Scope(topic, "before")] = [Memory(text=text, type="preference", promoted=True) for text in dict.fromkeys(others)]
    asked = []
    for item in drawn(items, sample):
        scope = Scope(item["topic"], item["qid"])
        if not every:
            held[scope] = [Memory(text=item["preference"], type="preference")]
        asked.append(Asked(scope, item["query"], frozenset({item["preference"]})))
    return Case("PrefEval, any topic" if every else "PrefEval, other topics", held, asked)


def drawn(items: list, sample: int | None) -> list:
    return items if sample is None or sample >= len(items) else random.Random(7).sample(items, sample)


def plain(case: Case, embeddings: Embeddings) -> Method:
    """Return the five nearest of one collection, filtered as one would by hand."""
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False, allow_reset=True))
    client.reset()
    collection = client.create_collection("plain", embedding_function=None, metadata={"hnsw:space": "cosine"})
    for scope, memories in case.held.items():
        texts = [memory.text for memory in memories]
        seen = [{"user": scope.user_id, "session": "" if memory.promoted else scope.session_id} for memory in memories]
        ids = [f"{scope.user_id}/{scope.session_id}/{number}" for number in range(len(texts))]
        collection.add(ids=ids, documents=texts, embeddings=embeddings.embed_documents(texts), metadatas=seen)

    def nearest(asked: Asked) -> list[str]:
        where = {"$and": [{"user": asked.scope.user_id}, {"session": {"$in": ["", asked.scope.session_id]}}]}
        found = collection.query([embeddings.embed_query(asked.request)], n_results=LIMIT, where=where, include=["documents"])
        return found["documents"][0]

    return nearest


def searched(store: ChromaMemoryStore) -> Method:
    return lambda asked: [memory.text for memory in store.search(asked.scope, asked.request, LIMIT)]


def recalled(store: ChromaMemoryStore) -> Method:
    def shown(asked: Asked) -> list[str]:
        view = prepare_context([HumanMessage(asked.request, id="q")], scope=asked.scope, store=store, config=SETTINGS)
        return [memory.text for memory in view.memories]

    return shown


def measured(method: Method, asked: Sequence[Asked], label: str) -> str:
    """Return hit and precision, and how many memories a request got."""
    hits = right = returned = 0
    for item in track(asked, label, console=Console(stderr=True), transient=True):
        found = method(item)
        good = sum(text in item.right for text in found)
        hits, right, returned = hits + bool(good), right + good, returned + len(found)
    return f"{hits / len(asked):.2f} / {right / max(1, returned):.2f} ({returned / len(asked):.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with locomo/ and prefeval/")
    parser.add_argument("--minilm", type=Path, help="folder with model.onnx and tokenizer.json")
    parser.add_argument("--sample", type=int, default=None, help="requests of each set; all without it")
    given = parser.parse_args()
    cases = [locomo(given.data, given.sample), *(preferences(given.data, given.sample, every=every) for every in (False, True))]
    embedders: dict[str, Embeddings] = {"hashed words": HashingEmbeddings()}
    if given.minilm:
        embedders["MiniLM"] = Remembered(MiniLMEmbeddings(given.minilm))
    rows: dict[str, list[str]] = {}
    for name, embeddings in embedders.items():
        for case in cases:
            rows.setdefault(f"{name}: plain Chroma", []).append(measured(plain(case, embeddings), case.asked, case.name))
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                store = ChromaMemoryStore(folder, embeddings=None if name == "hashed words" else embeddings)
                for scope, memories in case.held.items():
                    store.add(scope, memories)
                for way, method in {"the store's search": searched(store), "recalled": recalled(store)}.items():
                    rows.setdefault(f"{name}: {way}", []).append(measured(method, case.asked, case.name))
                store.close()
    table = Table(title="Hit / precision at 5 (memories a request)")
    table.add_column("found by")
    for case in cases:
        table.add_column(f"{case.name}\n{len(case.asked)} requests", justify="right")
    for name, cells in rows.items():
        table.add_row(name, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

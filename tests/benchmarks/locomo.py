"""Is the evidence in the view? LoCoMo questions over long conversations, at three token budgets.

    python tests/benchmarks/locomo.py LOCOMO_DIR [--minilm DIR] [--protect 4] [--ablate]

Prints the mean fraction of evidence messages that the view shows whole. Constants of the scorers were chosen on conversations
26 and 30 only. Without `--minilm` the rows that need an embedder are left out. `--ablate` adds one row for each signal that
is switched off.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, trim_messages
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, MiniLMEmbeddings, Scope, prepare_context
from langchain_contextmode.content import text_of
from langchain_contextmode.relevance.lexical import LexicalScorer
from langchain_contextmode.relevance.semantic import SemanticScorer
from langchain_contextmode.relevance.signals import Weights
from langchain_contextmode.relevance.vectors import vectors_of
from langchain_contextmode.tokens import as_counter

BUDGETS = (1_000, 2_000, 4_000)
ABLATION_BUDGET = 2_000
CHOSEN_ON = ("conv-26", "conv-30")
TYPES = {"single_hop", "multi_hop", "temporal", "open_domain"}
SWITCHED_OFF = {
    "neighbours": {"after": 0.0, "before": 0.0},
    "speaker": {"speaker": 0.0},
    "dates": {"date": 0.0},
    "sources": {"source": 0.0},
    "related words": {"related": 0.0},
    "context": {"context": 0.0},
    "block length": {"length": 0.0},
    "recency": {"recency": 0.0},
    "meaning": {"meaning": 0.0},
}


class Question(NamedTuple):
    conversation: str
    messages: list[BaseMessage]  # the log, the question last
    evidence: list[str]


Method = Callable[[Question, int], set[str]]
"""Question and budget in tokens to the ids of the messages that are shown whole."""


def read(folder: Path, name: str) -> list[dict]:
    path = folder / f"{name}.jsonl.gz"
    if not path.is_file():
        sys.exit(f"{path} is missing: pass the folder that holds LoCoMo as conversations.jsonl.gz and queries.jsonl.gz.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def questions(folder: Path) -> list[Question]:
    """Read the answerable questions; where an audit corrected the evidence, the correction counts."""
    logs = {c["conv_id"]: [message(c["speakers"], m) for m in c["messages"]] for c in read(folder, "conversations")}
    found = []
    for query in read(folder, "queries"):
        log = logs[query["conv_id"]]
        known = {m.id for m in log}
        evidence = (query.get("audit") or {}).get("correct_evidence") or query["evidence"]
        evidence = [identity for identity in dict.fromkeys(evidence) if identity in known]
        if query["type"] in TYPES and evidence:
            found.append(Question(query["conv_id"], [*log, HumanMessage(query["query"], id=query["qid"])], evidence))
    return found


def message(speakers: list[str], said: dict) -> BaseMessage:
    time = datetime.strptime(said["ts"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    kind = HumanMessage if said["name"] == speakers[0] else AIMessage
    return kind(said["content"], id=said["id"], name=said["name"], additional_kwargs={"contextmode": {"time": time.isoformat()}})


def last_n(_protect: int) -> Method:
    counter = as_counter(None)

    @lru_cache
    def kept(conversation: str, budget: int) -> frozenset[str]:
        log = logs[conversation]
        return frozenset(m.id for m in trim_messages(log, max_tokens=budget, token_counter=counter, strategy="last"))

    logs: dict[str, list[BaseMessage]] = {}

    def shown(question: Question, budget: int) -> set[str]:
        logs.setdefault(question.conversation, question.messages[:-1])
        return set(kept(question.conversation, budget - counter(question.messages[-1:])))

    return shown


def chroma(protect: int, embeddings: MiniLMEmbeddings) -> Method:
    """Plain similarity search: the nearest messages while they fit, the newest ones always."""
    import chromadb  # noqa: PLC0415  (only this row needs it)

    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    counter = as_counter(None)
    costs: dict[str, dict[str, int]] = {}

    @lru_cache
    def nearest(conversation: str, query: str) -> list[str]:
        found = client.get_collection(conversation).query([embeddings.embed_query(query)], n_results=len(costs[conversation]), include=[])
        return found["ids"][0]

    def shown(question: Question, budget: int) -> set[str]:
        *log, query = question.messages
        if question.conversation not in costs:
            texts = [text_of(m) for m in log]
            collection = client.create_collection(question.conversation, embedding_function=None, metadata={"hnsw:space": "cosine"})
            collection.add(ids=[m.id for m in log], embeddings=embeddings.embed_documents(texts))
            costs[question.conversation] = {m.id: counter([m]) for m in log}
        cost = costs[question.conversation]
        ids = {m.id for m in log[len(log) - protect :]}
        left = budget - counter([query]) - sum(cost[identity] for identity in ids)
        for identity in nearest(question.conversation, text_of(query)):
            if identity not in ids and cost[identity] <= left:
                ids.add(identity)
                left -= cost[identity]
        return ids

    return shown


def view(protect: int, preset: str = "filter", **collaborators) -> Method:
    def shown(question: Question, budget: int) -> set[str]:
        config = ContextConfig.preset(preset, view_tokens=budget, protect_messages=protect)
        found = prepare_context(question.messages, scope=Scope("u", "s"), config=config, **collaborators)
        assert found.tokens <= budget
        whole = "\n".join(text_of(m) for m in found.messages)
        text = {m.id: text_of(m) for m in question.messages}
        return {i for i, d in found.decisions.items() if d.form in {"verbatim", "shortened"} or text[i] in whole}

    return shown


def fractions(method: Method, asked: list[Question], budget: int, label: str) -> tuple[float, float]:
    """Mean evidence fraction where constants were chosen, and on the other conversations."""
    parts: tuple[list[float], list[float]] = ([], [])
    for question in track(asked, f"{label} at {budget:,}", console=Console(stderr=True), transient=True):
        shown = method(question, budget)
        parts[question.conversation not in CHOSEN_ON].append(sum(e in shown for e in question.evidence) / len(question.evidence))
    return sum(parts[0]) / max(len(parts[0]), 1), sum(parts[1]) / max(len(parts[1]), 1)


def compare(asked: list[Question], protect: int, embeddings: MiniLMEmbeddings | None) -> Table:
    methods = {"last N (trim_messages)": last_n(protect), "lexical": view(protect), "lexical, pins, summary": view(protect, "context-mode")}
    if embeddings:
        methods["plain Chroma similarity"] = chroma(protect, embeddings)
        methods["lexical + MiniLM"] = view(protect, embeddings=embeddings)
    counts = [sum((q.conversation in CHOSEN_ON) is side for q in asked) for side in (True, False)]
    table = Table(title=f"Evidence in view, protect_messages={protect} ({counts[0]} + {counts[1]} questions)")
    table.add_column("method")
    for group in ("26, 30", "the others"):
        for budget in BUDGETS:
            table.add_column(f"{group}\n{budget:,}", justify="right")
    for name, method in methods.items():
        pairs = [fractions(method, asked, budget, name) for budget in BUDGETS]
        table.add_row(name, *(f"{pair[side]:.3f}" for side in (0, 1) for pair in pairs))
    return table


def ablate(asked: list[Question], protect: int, embeddings: MiniLMEmbeddings | None) -> Table:
    table = Table(title=f"One signal off, at {ABLATION_BUDGET:,} tokens")
    kinds = ["lexical", "with MiniLM"] if embeddings else ["lexical"]
    table.add_column("without")
    for kind in kinds:
        table.add_column(f"{kind}\n26, 30", justify="right")
        table.add_column(f"{kind}\nthe others", justify="right")
    for name, off in {"(all signals)": {}, **SWITCHED_OFF}.items():
        weights, cells = replace(Weights(), **off), []
        for kind in kinds:
            if kind == "lexical" and name == "meaning":
                cells += ["", ""]
                continue
            extra = {"scorer": LexicalScorer(weights)}
            if embeddings and kind != "lexical":
                extra = {"scorer": SemanticScorer(weights, vectors_of(embeddings)), "embeddings": embeddings}
            cells += [f"{value:.3f}" for value in fractions(view(protect, **extra), asked, ABLATION_BUDGET, f"without {name}")]
        table.add_row(name, *cells)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with conversations.jsonl.gz and queries.jsonl.gz")
    parser.add_argument("--minilm", type=Path, help="folder with model.onnx and tokenizer.json")
    parser.add_argument("--protect", type=int, default=4, help="newest messages that are always in the view")
    parser.add_argument("--ablate", action="store_true", help="switch one signal off at a time")
    options = parser.parse_args()
    asked = questions(options.data)
    embeddings = MiniLMEmbeddings(options.minilm) if options.minilm else None
    Console().print(compare(asked, options.protect, embeddings))
    if options.ablate:
        Console().print(ablate(asked, options.protect, embeddings))


if __name__ == "__main__":
    main()

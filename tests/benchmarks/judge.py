"""How well a real model judges: LoCoMo questions, six messages each, one or two of them evidence.

    python tests/benchmarks/judge.py LOCOMO_DIR --base-url http://127.0.0.1:8089/v1

Prints AUC (evidence against the rest, ties count half), calls and seconds for each reading.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import time
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI

from langchain_contextmode._ports import AsyncIO
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.parsing import parse
from langchain_contextmode.protocols import Request
from langchain_contextmode.relevance.items import items_of
from langchain_contextmode.relevance.judge import judge

MESSAGES = 6
SEED = 20
TYPES = {"single_hop", "multi_hop", "temporal", "open_domain"}


def read(folder: Path, name: str) -> list[dict]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def questions(folder: Path, count: int, seed: int) -> list[tuple[str, list, set[str]]]:
    """Draw questions with one or two evidence messages, and distractors from the same conversation, in conversation order."""
    conversations = {c["conv_id"]: c for c in read(folder, "conversations")}
    rng = random.Random(seed)
    drawn = []
    pool = [q for q in read(folder, "queries") if q["type"] in TYPES]
    for query in rng.sample(pool, len(pool)):
        conversation = conversations[query["conv_id"]]
        position = {m["id"]: i for i, m in enumerate(conversation["messages"])}
        evidence = set((query.get("audit") or {}).get("correct_evidence") or query["evidence"])
        if len(evidence) not in {1, 2} or not evidence <= set(position):
            continue
        others = rng.sample(sorted(set(position) - evidence, key=position.get), MESSAGES - len(evidence))
        chosen = sorted([*evidence, *others], key=position.get)
        messages = [message(conversation, conversation["messages"][position[identity]]) for identity in chosen]
        drawn.append((query["query"], messages, evidence))
        if len(drawn) == count:
            break
    return drawn


def message(conversation: dict, said: dict) -> HumanMessage | AIMessage:
    kind = HumanMessage if said["name"] == conversation["speakers"][0] else AIMessage
    text = said["content"] + (f" [image: {said['image_caption']}]" if said.get("image_caption") else "")
    return kind(text, id=said["id"], name=said["name"])


def auc(positive: list[float], negative: list[float]) -> float:
    """Share of pairs in which the evidence scores higher; ties count half."""
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return wins / (len(positive) * len(negative))


async def measure(reading: str, drawn: list, model: ChatOpenAI) -> dict:
    config = ContextConfig(judge_reading=reading, call_timeout_seconds=300, prepare_timeout_seconds=3_600, max_concurrency=1)
    positive, negative, within, calls, failed = [], [], [], 0, 0
    started = time.perf_counter()
    for text, messages, evidence in drawn:
        io = AsyncIO(config, models={"filter": model}, embeddings=None, run_config=None)
        items = items_of(parse(messages).blocks, range(len(messages)))
        verdicts = await judge(io, Request(text), items, role="filter", reading=reading)
        pairs = [(verdict.value, bool(item.ids & evidence)) for item, verdict in zip(items, verdicts, strict=True)]
        good, bad = [v for v, is_evidence in pairs if is_evidence], [v for v, is_evidence in pairs if not is_evidence]
        positive, negative = positive + good, negative + bad
        within.append(auc(good, bad))
        calls += len(io.calls)
        failed += sum(verdict.decided_by == "failure" for verdict in verdicts)
    seconds = time.perf_counter() - started
    return {
        "reading": reading,
        "AUC": auc(positive, negative),
        "AUC in a question": sum(within) / len(within),
        "n": f"{len(positive)}+{len(negative)}",
        "evidence kept": sum(v >= config.keep_score for v in positive) / len(positive),
        "others dropped": sum(v < config.compress_score for v in negative) / len(negative),
        "not decided": failed,
        "calls": calls,
        "seconds": seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder with conversations.jsonl.gz and queries.jsonl.gz")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="local")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--reading", choices=["list", "single", "pick"], action="append")
    options = parser.parse_args()
    model = ChatOpenAI(base_url=options.base_url, api_key="x", model=options.model)
    drawn = questions(options.folder, options.questions, options.seed)
    for number, reading in enumerate(options.reading or ["list", "single", "pick"]):
        row = asyncio.run(measure(reading, drawn, model))
        if number == 0:
            print(f"{len(drawn)} questions x {MESSAGES} messages, seed {options.seed}")  # noqa: T201
            print(" | ".join(f"{name:>17}" for name in row))  # noqa: T201
        print(" | ".join(f"{value:17.2f}" if isinstance(value, float) else f"{value:>17}" for value in row.values()), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()

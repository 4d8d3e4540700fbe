"""How near is the estimate that needs no ranks? Tokens of o200k_base beside it, by kind of text.

    python tests/benchmarks/token_estimate.py [DATA_DIR]

Per kind the estimate may be 2 % under and 25 % over. Without a folder: the samples of the tests (written for them), Python's
own sources as code, their docstrings as English, and as JSON what Python knows about its modules, written compactly and
indented. With the folder of the evaluation data, each set in it as well. The prices were chosen with these sets in sight, and on
texts that are not here (news and reviews, translations of programs, C, JavaScript, packages' JSON); only the samples of the
tests and what Python says of itself came afterwards.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.estimate import estimate_tokens
from langchain_contextmode.tokens import TiktokenCounter

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = Path(__file__).parents[1] / "unit" / "token_samples.json"
PART_CHARS = 2_000
MAX_CHARS = 600_000
LONG_TOKENS = 200
LEAST, MOST = 0.98, 1.25


class Kind(NamedTuple):
    kind: str
    source: str
    texts: list[str]


def parts(texts: Iterator[str]) -> list[str]:
    """Cut texts into messages of up to 2,000 characters, 600,000 characters in all."""
    found: list[str] = []
    total = 0
    for text in texts:
        for start in range(0, len(text), PART_CHARS):
            found.append(text[start : start + PART_CHARS])
            total += len(found[-1])
        if total > MAX_CHARS:
            break
    return found


def sources() -> list[str]:
    folder = Path(sysconfig.get_path("stdlib"))
    return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.py"))[1::2]]


def docstrings(code: list[str]) -> Iterator[str]:
    for text in code:
        tree = ast.parse(text)
        nodes = (n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef))
        yield "\n\n".join(told for node in nodes if (told := ast.get_docstring(node)) and len(told) > PART_CHARS // 20)


def facts(code: list[str]) -> list[dict]:
    """Return a record per function of the standard library."""
    return [
        {
            "function": node.name,
            "line": node.lineno,
            "arguments": [a.arg for a in node.args.args],
            "doc": ast.get_docstring(node),
            "private": node.name[0] == "_",
        }
        for text in code[:40]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    ]


def bundled() -> Iterator[Kind]:
    for kind, samples in json.loads(SAMPLES.read_text(encoding="utf-8")).items():
        yield Kind(kind, "samples of the tests", [sample["text"] for sample in samples])
    code = sources()
    yield Kind("code", "Python's own sources", parts(iter(code)))
    yield Kind("English prose", "their docstrings", parts(docstrings(code)))
    records = facts(code)
    for indent, how in ((None, "as one line"), (2, "indented")):
        yield Kind(
            "JSON", f"facts about functions, {how}", parts(json.dumps(records[n : n + 5], indent=indent) for n in range(0, len(records), 5))
        )


def read(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def said(path: Path, *roles: str) -> Iterator[str]:
    for conversation in read(path):
        yield from (m["content"] for m in conversation["messages"] if m.get("content") and m.get("role", "user") in roles)


def evaluation(folder: Path) -> Iterator[Kind]:
    """Read what is there; a set that is missing is named and left out."""
    talk = ("user", "assistant")
    sets = [
        ("English prose", "LoCoMo", "locomo/conversations.jsonl.gz", talk),
        ("English prose", "SGD", "sgd/dev.jsonl.gz", talk),
        ("English prose", "tau-bench, talk", "tau_bench_airline/conversations.jsonl.gz", talk),
        ("Chinese prose", "CrossWOZ", "crosswoz/val.jsonl.gz", talk),
        ("code", "coding transcripts", "coding_agent_traces/traces.jsonl.gz", ("user", "assistant", "tool", "system")),
        ("JSON", "tau-bench, tool results", "tau_bench_airline/conversations.jsonl.gz", ("tool",)),
    ]
    for kind, source, name, roles in sets:
        if (folder / name).is_file():
            yield Kind(kind, source, parts(said(folder / name, *roles)))
        else:
            Console(stderr=True).print(f"{folder / name} is missing and left out.")


def row(exact: TiktokenCounter, found: list[str]) -> tuple[int, int, str]:
    """Return exact tokens, estimated tokens, and the share of long messages outside the bounds."""
    pairs = [(exact.text(text), estimate_tokens(text)) for text in found]
    long = [estimated / tokens for tokens, estimated in pairs if tokens > LONG_TOKENS]
    outside = f"{sum(not LEAST <= ratio <= MOST for ratio in long) / len(long):.1%} of {len(long)}" if long else "-"
    return sum(p[0] for p in pairs), sum(p[1] for p in pairs), outside


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    options = parser.parse_args()
    try:
        exact = TiktokenCounter("o200k_base")
    except ConfigError as error:
        sys.exit(f"There is nothing to compare with. {error}")
    kinds = [*bundled(), *(evaluation(options.data) if options.data else [])]
    table = Table(title=f"Estimate beside o200k_base: {LEAST:.2f} to {MOST:.2f} is asked for, per kind")
    for name in ("kind", "text", "o200k_base", "estimate", "ratio", f"messages over {LONG_TOKENS} outside"):
        table.add_column(name, justify="left" if name in {"kind", "text"} else "right")
    totals: dict[str, list[int]] = {}
    for kind, source, texts in sorted(kinds):
        tokens, estimated, outside = row(exact, texts)
        table.add_row(kind, source, f"{tokens:,}", f"{estimated:,}", f"{estimated / tokens:.3f}", outside)
        total = totals.setdefault(kind, [0, 0])
        total[0], total[1] = total[0] + tokens, total[1] + estimated
    table.add_section()
    for kind, (tokens, estimated) in totals.items():
        ratio = estimated / tokens
        table.add_row(kind, "all", f"{tokens:,}", f"{estimated:,}", f"{ratio:.3f}", "" if LEAST <= ratio <= MOST else "outside")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

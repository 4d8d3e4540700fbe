"""Who may import whom, and what importing the package costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import langchain_contextmode

PACKAGE = Path(langchain_contextmode.__file__).parent
NAME = PACKAGE.name
GRAPHS = PACKAGE.parent / "graphs"

# Lower levels never import higher ones. Whatever is not named here is a building block on level 1.
LEVELS = {
    **dict.fromkeys(["errors", "schema", "protocols", "content"], 0),
    **dict.fromkeys(["steps", "stores"], 2),
    **dict.fromkeys(["collaborators", "pipeline", "work"], 3),
    **dict.fromkeys(
        [
            "graph",
            "chat_graph",
            "middleware",
            "chat_history",
            "memory",
            "tools",
            "scopes",
            "prune",
            "remembering",
            "retriever",
            "run_settings",
            "forgetting",
        ],
        4,
    ),
    **dict.fromkeys(["cli", "cli_memories", "cli_models", "cli_output", "screen", "__main__", "evaluation", "testing", "__init__"], 5),
}
# A view explains itself; the report is loaded only then.
ALLOWED = {("schema", "report")}
HEAVY = {
    "chromadb",
    "tiktoken",
    "numpy",
    "openai",
    "langchain",
    "langchain_openai",
    "langchain_chroma",
    "langchain_classic",
    "matplotlib",
    "onnxruntime",
}


def modules():
    return {
        path.relative_to(PACKAGE).with_suffix("").as_posix().removesuffix("/__init__").replace("/", "."): path
        for path in PACKAGE.rglob("*.py")
    }


def imports(path):
    """Dotted names that a file imports when it runs; what only type checkers read does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inside(path):
    """Our own modules that a file imports, without the package's name."""
    known = modules()
    for name in imports(path):
        if name.startswith(f"{NAME}."):
            parts = name.split(".")[1:]
            yield next((".".join(parts[:end]) for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in known), "__init__")


def top(module):
    return module.split(".")[0]


def level(module):
    return LEVELS.get(top(module), 1)


def test_lower_levels_never_import_higher_ones():
    """Every import inside the package points to the same level or a lower one."""
    wrong = [
        f"{module} -> {target}"
        for module, path in modules().items()
        for target in inside(path)
        if level(target) > level(module) and (module, target) not in ALLOWED
    ]
    assert wrong == []


def test_steps_are_alone():
    """A step imports no other step, no event loop, no LangGraph, no agents, no store."""
    steps = {module: path for module, path in modules().items() if top(module) == "steps"}
    assert len(steps) > 1
    for module, path in steps.items():
        assert {target for target in inside(path) if top(target) == "steps"} <= {module}
        assert not {top(name) for name in imports(path)} & {"asyncio", "langgraph", "langchain", "chromadb", "langchain_chroma"}, module


def test_chroma_has_one_importer():
    """Only stores/chroma_client.py knows chromadb."""
    users = {module for module, path in modules().items() if {top(name) for name in imports(path)} & {"chromadb", "langchain_chroma"}}
    assert users == {"stores.chroma_client"}


def test_graphs_use_only_public_names():
    """What `langgraph dev` serves is made of exported names, as a user's own graph would be."""
    files = list(GRAPHS.glob("*.py"))
    assert files
    for path in files:
        ours = {name for name in imports(path) if top(name) == NAME}
        assert ours <= {f"{NAME}.{name}" for name in langchain_contextmode.__all__}, path.name


@pytest.mark.parametrize("what", ["import langchain_contextmode", "from langchain_contextmode.cli import main; main(['--help'])"])
def test_importing_is_light_and_offline(what):
    """Importing the package, and `--help`, load no store, tokenizer, provider client or numeric library and open no connection."""
    code = f"""
import socket, sys
def refuse(*args, **kwargs): raise SystemExit("a connection was opened")
socket.socket.connect = socket.getaddrinfo = refuse
{what}
heavy = sorted({HEAVY!r} & set(sys.modules))
sys.exit(f"loaded: {{heavy}}" if heavy else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")

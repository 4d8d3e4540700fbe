"""`memories`: what is known about a user, and the user's rights to it (M11)."""

from __future__ import annotations

import json
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from langchain_contextmode.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_core.embeddings import Embeddings

    from langchain_contextmode.memories.memory import Memory
    from langchain_contextmode.stores.chroma import ChromaMemoryStore

app = typer.Typer(no_args_is_help=True)

_ANY_SESSION = "command-line"
_OPEN = "Where the store is"
UserId: TypeAlias = Annotated[str, typer.Option("--user", metavar="ID", help="Whose memories.")]
SessionId: TypeAlias = Annotated[str | None, typer.Option("--session", metavar="ID", help="Only this session. Without it: all.")]
Folder: TypeAlias = Annotated[
    Path | None, typer.Option("--path", help="Folder of an embedded Chroma.", rich_help_panel=_OPEN, file_okay=False)
]
Url: TypeAlias = Annotated[str | None, typer.Option(help="Address of a Chroma server.", rich_help_panel=_OPEN)]
Isolation: TypeAlias = Annotated[Literal["filter", "collection"], typer.Option(help="As the store was made.", rich_help_panel=_OPEN)]
Embedder: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="As the store was made: hashing, minilm, minilm:FOLDER, openai or openai:MODEL.", rich_help_panel=_OPEN
    ),
]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]
MemoryId: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="Of `memories list`; its beginning is enough.")]


@app.callback()
def _about() -> None:
    """List, export, correct, pin and forget what is remembered about a user.

    \b
    Examples:
      langchain-contextmode memories list --path memories --user ann
      langchain-contextmode memories correct 4f2c "I live in Bergen." --path memories --user ann
      langchain-contextmode memories forget 4f2c --path memories --user ann
      langchain-contextmode memories export --url http://localhost:8000 --user ann > ann.jsonl
    """  # noqa: D301  (\b is the help formatter's mark for lines to leave alone)


@app.command("list")
def list_(
    user: UserId,
    session: SessionId = None,
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
    as_json: AsJson = False,
    every: Annotated[bool, typer.Option("--all", help="Those that a newer value replaced, or that faded, too.")] = False,
) -> None:
    """List what is remembered, oldest first."""
    with _opened(path, url, isolation, embeddings) as store:
        rows = [row for row in _rows(store, user, session) if every or row.status == "active"]
    if as_json:
        _json([row.plain() for row in rows])
    else:
        _table(rows)


@app.command()
def export(
    user: UserId,
    session: SessionId = None,
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
) -> None:
    """Write everything that is held of a user as JSON lines, whatever its status."""
    with _opened(path, url, isolation, embeddings) as store:
        for row in _rows(store, user, session):
            sys.stdout.write(json.dumps(row.plain(), ensure_ascii=False) + "\n")


@app.command()
def correct(
    memory_id: MemoryId,
    text: Annotated[str, typer.Argument(help="What is true.")],
    user: UserId,
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
) -> None:
    """Replace the text of a memory; it has a new id then."""
    with _opened(path, url, isolation, embeddings) as store:
        row = _one(store, user, memory_id)
        new = store.update(_scope(user, row.session_id), row.id, text=text)
    typer.echo(f"{new.id}  {_said(new)}")


@app.command()
def pin(
    memory_id: MemoryId,
    user: UserId,
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
    off: Annotated[bool, typer.Option("--off", help="Let it fade again.")] = False,
) -> None:
    """Keep a memory from fading."""
    with _opened(path, url, isolation, embeddings) as store:
        row = _one(store, user, memory_id)
        store.pin(_scope(user, row.session_id), row.id, pinned=not off)
    typer.echo(f"{'unpinned' if off else 'pinned'}: {_said(row)}")


@app.command()
def forget(
    user: UserId,
    memory_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Of `memories list`; its beginning is enough.")] = None,
    text: Annotated[str | None, typer.Option(help="Forget every memory that says this, instead.")] = None,
    session: Annotated[str | None, typer.Option(metavar="ID", help="Forget what only this session knows, instead.")] = None,
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
    yes: Yes = False,
) -> None:
    """Forget one memory, what says a text, or a session; asks first.

    What is in states and logs of the application stays: use `forget(...)` of the library for these.
    """
    if sum(given is not None for given in (memory_id, text, session)) != 1:
        problem = "Name one thing to forget: an ID, --text TEXT or --session ID."
        raise ConfigError(problem)
    with _opened(path, url, isolation, embeddings) as store:
        if memory_id is not None:
            row = _one(store, user, memory_id)
            _forget(store, _scope(user, row.session_id), yes=yes, memory_ids=[row.id])
        else:
            _forget(store, _scope(user, session or _ANY_SESSION), yes=yes, text=text, session=session is not None)


@app.command()
def forget_user(
    user: UserId,
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
    yes: Yes = False,
) -> None:
    """Forget everything about a user, in all sessions; asks first."""
    with _opened(path, url, isolation, embeddings) as store:
        _forget(store, _scope(user, _ANY_SESSION), yes=yes, user=True)


@app.command()
def reembed(
    path: Folder = None,
    url: Url = None,
    isolation: Isolation = "filter",
    embeddings: Embedder = "hashing",
) -> None:
    """Give every memory of the store a vector of another embedder (--embeddings); texts and ids stay."""
    with _opened(path, url, isolation, embeddings) as store:
        typer.echo(f"embedded anew: {store.reembed()}")


def _forget(store: ChromaMemoryStore, scope: Any, *, yes: bool, **what: Any) -> None:
    from langchain_contextmode.forgetting import forget, forgettable

    rows = forgettable(scope, store=store, **what)
    if not rows:
        typer.echo("Nothing to forget.")
        return
    _table(rows)
    if not yes and not typer.confirm(f"Forget {len(rows)} for good?", err=True):
        typer.echo("Nothing was forgotten.")
        return
    typer.echo(f"forgotten: {len(forget(scope, store=store, **what).memories)}")


@contextmanager
def _opened(path: Path | None, url: str | None, isolation: Literal["filter", "collection"], embeddings: str) -> Iterator[ChromaMemoryStore]:
    from langchain_contextmode.stores.chroma import ChromaMemoryStore

    if (path is None) == (url is None):
        problem = "Say where the store is: --path FOLDER or --url URL."
        raise ConfigError(problem)
    if path is not None and not (path / "chroma.sqlite3").exists():
        problem = f"There is no Chroma store in {str(path)!r}."
        raise ConfigError(problem)
    with closing(ChromaMemoryStore(path, url=url, embeddings=_embeddings(embeddings), isolation=isolation)) as store:
        yield store


def _embeddings(name: str) -> Embeddings | None:
    kind, _, rest = name.partition(":")
    if kind == "hashing" and not rest:
        return None
    if kind == "minilm":
        from langchain_contextmode.embeddings import MiniLMEmbeddings

        return MiniLMEmbeddings(rest or None)
    if kind == "openai":
        from langchain_openai import OpenAIEmbeddings

        return OpenAIEmbeddings(model=rest or "text-embedding-3-small")
    problem = f"--embeddings {name!r} is none of hashing, minilm, minilm:FOLDER, openai, openai:MODEL."
    raise ConfigError(problem)


def _scope(user: str, session: str) -> Any:
    from langchain_contextmode.schema import Scope

    return Scope(user, session)


def _rows(store: ChromaMemoryStore, user: str, session: str | None) -> list[Memory]:
    rows = store.list(_scope(user, session or _ANY_SESSION), all_sessions=True)
    return [row for row in rows if session is None or row.session_id == session]


def _one(store: ChromaMemoryStore, user: str, memory_id: str) -> Memory:
    found = [row for row in _rows(store, user, None) if row.id.startswith(memory_id)] if memory_id else []
    if len(found) != 1:
        problem = f"{len(found)} memories of this user have an id that begins with {memory_id!r:.40}; see `memories list --all`."
        raise ConfigError(problem)
    return found[0]


def _said(row: Memory) -> str:
    from langchain_contextmode.screen import visible

    return visible(row.text).replace("\n", " ")


def _json(data: Any) -> None:
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _table(rows: Sequence[Memory]) -> None:
    from rich.table import Table
    from rich.text import Text

    from langchain_contextmode.screen import open_console, visible

    table = Table(box=None, pad_edge=False)
    for column in ("id", "text", "type", "session", "state"):
        table.add_column(column, overflow="fold")
    for row in rows:
        marks = [row.status if row.status != "active" else "", "lasting" if row.promoted else "", "pinned" if row.pinned else ""]
        cells = (row.id[:8], visible(row.text), row.type, visible(row.session_id), " ".join(mark for mark in marks if mark))
        table.add_row(*map(Text, cells))
    open_console(sys.stdout).print(table)

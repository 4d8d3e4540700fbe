"""Chroma clients: one a path and process, a lock against other processes, and typed errors."""

from __future__ import annotations

import os
import threading
import warnings
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from langchain_contextmode.errors import StoreError
from langchain_contextmode.stores.held_rows import HeldRows

if TYPE_CHECKING:
    from collections.abc import Callable

LOCK_NAME: Final = "contextmode.lock"
BEFORE: Final = ".before"
"""Behind the name of a collection while another one takes its place; found alone, it is the collection."""

_clients: dict[str, tuple[int, Any, IO[str]]] = {}
_guard: Final = threading.Lock()
_folders: dict[str, tuple[threading.RLock, HeldRows]] = {}


def shared(path: str | Path) -> tuple[threading.RLock, HeldRows]:
    """Return the lock and the rows held of a folder, the same for every store on it in this process."""
    with _guard:
        return _folders.setdefault(_key(path), (threading.RLock(), HeldRows()))


def _key(path: str | Path) -> str:
    return str(Path(path).resolve())


def embedded(path: str | Path) -> Any:
    """Return this process's client for a folder, opening it at first use.

    Raises:
        StoreError: The folder cannot be written, another process has it open, or this process was forked from one that had.
    """
    key = _key(path)
    folder = Path(key)
    with _guard:
        held = _clients.get(key)
        if held is not None:
            if held[0] != os.getpid():
                message = (
                    f"The memories in {folder} were opened before this process was forked; open the store in each process, with a server."
                )
                raise StoreError(message)
            return held[1]
        lock = _locked(folder)
        try:
            client = _open(folder)
        except Exception as error:
            lock.close()
            raise StoreError(_cannot(folder, error)) from error
        _clients[key] = (os.getpid(), client, lock)
        return client


def close(path: str | Path) -> None:
    """Close this process's client for a folder, if there is one; its open files go with it."""
    with _guard:
        held = _clients.pop(_key(path), None)
        if held is not None and held[0] == os.getpid():
            held[1].close()
            held[2].close()


def server(url: str) -> Any:
    """Return a client of a running server.

    Raises:
        StoreError: The address is none, or nobody answers there.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        message = f"url={url!r:.80} is no address of a Chroma server; pass http://host:8000."
        raise StoreError(message)
    _quiet()
    import chromadb  # noqa: PLC0415  (heavy; loaded when a store is first used)
    from chromadb.config import Settings  # noqa: PLC0415

    try:
        return chromadb.HttpClient(
            host=parts.hostname,
            port=parts.port or (443 if parts.scheme == "https" else 8000),
            ssl=parts.scheme == "https",
            settings=Settings(anonymized_telemetry=False),
        )
    except Exception as error:
        message = f"No Chroma server answers at {url}: {type(error).__name__}. Start one: chroma run --path FOLDER."
        raise StoreError(message) from error


def collection(client: Any, name: str, metadata: dict[str, Any]) -> Any:
    """Return a collection, made with cosine distance and this metadata where it is not there yet; one that is keeps its own.

    Raises:
        StoreError: It cannot be read or made.
    """
    from chromadb.errors import NotFoundError  # noqa: PLC0415

    def found() -> Any:
        try:
            return client.get_collection(name, embedding_function=None)
        except NotFoundError:
            if any(item.name == name + BEFORE for item in client.list_collections()):
                client.get_collection(name + BEFORE, embedding_function=None).modify(name=name)
                return client.get_collection(name, embedding_function=None)
            settings: Any = {"hnsw": {"space": "cosine"}}
            try:
                return client.create_collection(name, metadata=metadata, configuration=settings, embedding_function=None)
            except Exception:  # noqa: BLE001  (another process may have made it meanwhile; if not, this says why)
                return client.get_collection(name, embedding_function=None)

    return guarded(found, "open")


def _quiet() -> None:
    """Leave out what chromadb warns of in its own code."""
    warnings.filterwarnings("ignore", message="legacy embedding function config", category=DeprecationWarning)


def _open(folder: Path) -> Any:
    _quiet()
    import chromadb  # noqa: PLC0415  (heavy; loaded when a store is first used)
    from chromadb.config import Settings  # noqa: PLC0415

    return chromadb.PersistentClient(path=str(folder), settings=Settings(anonymized_telemetry=False))


def _locked(folder: Path) -> IO[str]:
    """Take the folder for this process; the lock goes when the process does, however it ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK_NAME).open("a", encoding="utf-8")
    except OSError as error:
        raise StoreError(_cannot(folder, error)) from error
    try:
        _exclusive(lock)
    except OSError as error:
        lock.close()
        message = (
            f"Another process has the memories in {folder} open, and an embedded Chroma serves one process. For several, run a server: "
            f"chroma run --path {folder}, and pass url=."
        )
        raise StoreError(message) from error
    return lock


def _exclusive(lock: IO[str]) -> None:
    if os.name == "nt":
        import msvcrt  # noqa: PLC0415

        windows: Any = msvcrt
        windows.locking(lock.fileno(), windows.LK_NBLCK, 1)
        return
    import fcntl  # noqa: PLC0415

    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _cannot(folder: Path, error: Exception) -> str:
    return f"The memories in {folder} cannot be opened ({type(error).__name__}: {str(error)[:200]}). Check the path and its permissions."


def again() -> tuple[type[Exception], ...]:
    """Return the errors after which a server is worth asking once more: it was restarted, or an index was being rebuilt."""
    import httpx  # noqa: PLC0415  (chromadb's own)
    from chromadb.errors import InternalError, NotFoundError  # noqa: PLC0415

    return (InternalError, NotFoundError, httpx.TransportError, ConnectionError)


def quietly_closed(client: Any) -> None:
    """Close a server's client and its connections; one that cannot be closed any more is gone anyway."""
    parts: list[Any] = [client, getattr(client, "_admin_client", None)]
    for part in parts:
        with suppress(Exception):  # private names: chromadb itself leaves these connections open
            part._server._session.close()  # noqa: SLF001
    with suppress(Exception):
        client.close()


def failed(what: str, error: BaseException) -> StoreError:
    """Return the error for something that Chroma did not do; it names no text."""
    return StoreError(f"The memory store failed to {what} ({type(error).__name__}).")


def guarded(action: Callable[[], Any], what: str) -> Any:
    """Run something on Chroma or an embedder; whatever it raises becomes a `StoreError` that names no text."""
    try:
        return action()
    except StoreError:
        raise
    except Exception as error:
        raise failed(what, error) from error

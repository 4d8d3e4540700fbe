"""The collections of one store: opened when needed, checked once, reopened when a client went away."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any, Final

from langchain_contextmode.errors import ConfigError
from langchain_contextmode.stores import chroma_client
from langchain_contextmode.stores.chroma_client import guarded
from langchain_contextmode.stores.chroma_rows import owner_of
from langchain_contextmode.stores.fingerprint import check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from langchain_contextmode.schema import Scope
    from langchain_contextmode.stores.fingerprint import Embedder
    from langchain_contextmode.stores.held_rows import HeldRows

_OPEN_MAX: Final = 64
"""Collections opened on an embedded client before it is closed and opened anew, so that open files stay bounded (four each)."""

_NAME: Final = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9_-]|\.(?!\.)){1,198}[a-zA-Z0-9]")
"""Chroma's rule for names, shorter, so that a user's part fits behind."""


class Collections:
    """Where the rows of a scope are.

    Attributes:
        lock: Held while rows are read or written; one for all stores on a folder.
        held: Rows that were read before; `None` where another process may write.
    """

    def __init__(self, path: str | Path | None, client: Any, url: str | None, *, embedder: Embedder, isolation: str, name: str) -> None:
        """Say where; nothing is opened yet.

        Raises:
            ConfigError: Not exactly one place, an unknown isolation, or a name that Chroma does not take.
        """
        if sum(given is not None for given in (path, client, url)) != 1:
            message = "ChromaMemoryStore takes exactly one of path=, client= and url=."
            raise ConfigError(message)
        if isolation not in {"filter", "collection"}:
            message = f'isolation is "filter" or "collection", got {isolation!r:.40}.'
            raise ConfigError(message)
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            message = f"collection={name!r:.40}: a name has 3 to 200 of a-z, A-Z, 0-9, '.', '_' and '-', a letter or digit at both ends."
            raise ConfigError(message)
        self._path, self._given, self._url = path, client, url
        self._embedder, self._isolation, self._name = embedder, isolation, name
        self._served: Any = None
        self._client: Any = None
        self._open: dict[str, Any] = {}
        self.held: HeldRows | None
        self.lock, self.held = chroma_client.shared(path) if path is not None else (threading.RLock(), None)

    def run(self, scope: Scope, action: Callable[[Any], Any], what: str) -> Any:
        """Do something on the collection of a scope.

        A server that lost the connection or its index is asked once more by a fresh client; every action of ours may be done twice.

        Raises:
            StoreError: It failed.
        """
        name = self.name_of(scope)
        if self._url is None:
            collection = self._collection(name)
            return guarded(lambda: action(collection), what)
        collection = self._collection(name)
        try:
            return action(collection)
        except chroma_client.again():
            self._forget()
            return guarded(lambda: action(self._collection(name)), what)
        except Exception as error:
            raise chroma_client.failed(what, error) from error

    def call(self, scope: Scope, method: str, what: str, **given: Any) -> Any:
        """Call a method of a scope's collection, as `run` does."""
        return self.run(scope, lambda collection: getattr(collection, method)(**given), what)

    def ready(self, scope: Scope) -> None:
        """Open a scope's collection, if it is not open and checked.

        Raises:
            StoreError: It cannot be read, is not ours, another embedder filled it, or this process was forked.
        """
        self._collection(self.name_of(scope))

    def name_of(self, scope: Scope) -> str:
        """Return the name of a scope's collection; a user's id is hashed, so that any id gives one name of its own."""
        return self._name if self._isolation == "filter" else f"{self._name}-{owner_of(scope.user_id)[:24]}"

    def batches(self, rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """Split rows so that no batch is larger than Chroma takes."""
        size = int(guarded(lambda: self.client().get_max_batch_size(), "open"))
        for start in range(0, len(rows), size):
            yield rows[start : start + size]

    def names(self) -> list[str]:
        """Return the names of all collections of this store that are there, in order."""
        found = [str(item.name) for item in guarded(lambda: self.client().list_collections(), "open")]
        users = re.compile(re.escape(self._name) + r"-[0-9a-f]{24}")
        return sorted(name for name in found if (name == self._name if self._isolation == "filter" else users.fullmatch(name)))

    def client(self) -> Any:
        """Return the client; collections opened with one that was closed meanwhile are forgotten."""
        if self._given is not None:
            now = self._given
        elif self._path is not None:
            now = chroma_client.embedded(self._path)
        else:
            self._served = self._served or chroma_client.server(self._url or "")
            now = self._served
        if now is not self._client:
            self._open.clear()
            self._client = now
        return now

    def close(self) -> None:
        """Close what this store opened; a client that was given stays open."""
        if self._path is not None:
            chroma_client.close(self._path)
        self._forget()

    def _forget(self) -> None:
        self._open.clear()
        self._client = None
        served, self._served = self._served, None
        chroma_client.quietly_closed(served)

    def _collection(self, name: str) -> Any:
        client = self.client()
        if name not in self._open:
            if len(self._open) >= _OPEN_MAX and self._path is not None:
                self.close()
                client = self.client()
            mine = self._embedder.fingerprint()
            opened = chroma_client.collection(client, name, mine)
            check(name, dict(opened.metadata or {}), mine)
            self._open[name] = opened
        return self._open[name]

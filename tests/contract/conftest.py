from __future__ import annotations

import socket
import subprocess
import sys
import time
from uuid import uuid4

import pytest

from langchain_contextmode import EphemeralMemoryStore
from langchain_contextmode.stores.chroma import ChromaMemoryStore

KINDS = [
    "ephemeral",
    "chroma",
    "chroma-collections",
    *(pytest.param(kind, marks=pytest.mark.integration) for kind in ("server", "server-collections")),
]


@pytest.fixture(scope="session")
def server_url(tmp_path_factory):
    """A Chroma server of its own, on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from chromadb.cli.cli import app; app()", "run", "--path", str(tmp_path_factory.mktemp("server"))]
    process = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.2)
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for embedded stores; one client serves all of a module."""
    return tmp_path_factory.mktemp("chroma")


@pytest.fixture(params=KINDS)
def each_store(request, folder):
    """Each kind of store, empty."""
    kind = request.param
    if kind == "ephemeral":
        yield EphemeralMemoryStore()
        return
    where = {"url": request.getfixturevalue("server_url")} if kind.startswith("server") else {"path": folder}
    isolation = "collection" if kind.endswith("collections") else "filter"
    made = ChromaMemoryStore(**where, isolation=isolation, collection=f"c{uuid4().hex[:12]}")
    yield made
    if "url" in where:
        made.close()


@pytest.fixture(scope="module", autouse=True)
def closed(folder):
    """Close the embedded client when a module is done."""
    yield
    ChromaMemoryStore(folder).close()

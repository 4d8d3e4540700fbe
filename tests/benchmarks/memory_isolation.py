"""Rows of other scopes that a store gives out or changes: users and sessions with hostile ids, the same texts, everything in parallel.

Usage: python tests/benchmarks/memory_isolation.py [--small]
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from langchain_contextmode import ChromaMemoryStore, ConfigError, Memory, Scope

CONSOLE = Console(highlight=False)
TEXTS = ["the code word is heron", "I like window seats", "我不吃花生", "meetings never before ten"]
ODD = [
    "$ne",
    '{"$ne": ""}',
    "a'b\"c",
    "x@y.z",
    "ａna",
    "ana",
    "аna",
    "\ud800",
    "u" * 600,
    "../..",
    "*",
    "ana\x00",
    "a",
    "ab",
    '["ana"]',
    "$and",
]


def names(number):
    """Return so many different ids, the odd ones first."""
    return [*ODD, *(f"user{n}@example.com" for n in range(number))][:number]


def sessions(user, number):
    """Return sessions of a user; two users have ones that run together with their ids."""
    return [{"a": "bc", "ab": "c"}.get(user, "s0"), *(["$or", '{"user_id": "ana"}', "s'1"] + [f"s{n}" for n in range(number)])][:number]


class Watch:
    """Counts what should be none, and the most files that were open."""

    def __init__(self):
        self.foreign = self.lost = self.files = self.calls = 0
        self._lock = threading.Lock()

    def see(self, scope, rows, *, promoted):
        wrong = [r for r in rows if r.user_id != scope.user_id or (r.session_id != scope.session_id and not (promoted and r.promoted))]
        with self._lock:
            self.calls += 1
            self.foreign += len(wrong)
            self.foreign += sum(r.metadata["mark"] != [r.user_id, r.session_id] for r in rows)
            if self.calls % 20 == 0:
                self.files = max(self.files, len(list(Path("/proc/self/fd").iterdir())))

    def expect(self, given, wanted):
        with self._lock:
            self.lost += given != wanted


def work(store, watch, scope, others, *, promoted):
    """Add, search with what could widen, try other users' ids, delete; say what should be left."""
    rows = [Memory(text=text, metadata={"mark": [scope.user_id, scope.session_id]}) for text in TEXTS]
    ids = store.add(scope, rows)
    if promoted and scope.session_id == sessions(scope.user_id, 1)[0]:
        store.promote(scope, ids[:1])
    watch.see(scope, store.search(scope, TEXTS[0], 50), promoted=promoted)
    watch.see(scope, store.search(scope, TEXTS[1], 50, filter={"type": ["fact", "preference"]}), promoted=promoted)
    for odd in ({"user_id": others[0].user_id}, {"$or": [{"type": "fact"}]}, {"type": {"$ne": ""}}):
        try:
            watch.see(scope, store.search(scope, TEXTS[1], 50, filter=odd), promoted=promoted)
            watch.expect("no error", "an error")
        except ConfigError:
            pass
    for other in others:
        watch.expect(store.delete(other, ids), 0)
        watch.expect(len(store.get(other, ids)), 0)
    watch.expect(store.delete(scope, ids[3:]), 1)
    watch.see(scope, store.list(scope), promoted=promoted)


def run(name, where, isolation, users, per_user, *, promoted):
    """Print one line for one kind of store."""
    store = ChromaMemoryStore(**where, isolation=isolation, collection=f"iso-{promoted}-{isolation}")
    watch, draw, begin = Watch(), random.Random(7), time.perf_counter()
    scopes = [Scope(user, session) for user in names(users) for session in sessions(user, per_user)]
    draw.shuffle(scopes)
    jobs = []
    for scope in scopes:
        strangers = draw.sample(scopes, 6)
        jobs.append((scope, [other for other in strangers if other.user_id != scope.user_id][:2]))
    with ThreadPoolExecutor(8) as pool:
        for job in [pool.submit(work, store, watch, scope, others, promoted=promoted) for scope, others in jobs]:
            job.result()
    for scope in scopes:
        rows = store.list(scope)
        watch.see(scope, rows, promoted=promoted)
        own = [row for row in rows if row.session_id == scope.session_id]
        watch.expect(sorted(row.text for row in own), sorted(TEXTS[:3]))
    store.close()
    CONSOLE.print(
        f"{name:8} {isolation:10} promoted={promoted!s:5} scopes={len(scopes):5} foreign rows={watch.foreign} "
        f"changed, lost or refused wrongly={watch.lost} most open files={watch.files} {time.perf_counter() - begin:.0f} s",
        soft_wrap=True,
    )
    return watch.foreign + watch.lost


def serve(folder):
    """Start a server; return its process and address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from chromadb.cli.cli import app; app()", "run", "--path", folder, "--host", "127.0.0.1"]
    process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(150):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.2)
    return process, f"http://127.0.0.1:{port}"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", action="store_true", help="20 users of 3 sessions instead of 100 of 20")
    small = options.parse_args().small
    users, per_user = (20, 3) if small else (100, 20)
    with tempfile.TemporaryDirectory() as folder:
        process, url = serve(os.path.join(folder, "server"))  # noqa: PTH118
        places = [("embedded", {"path": os.path.join(folder, "embedded")}), ("server", {"url": url})]  # noqa: PTH118
        try:
            wrong = sum(
                run(name, where, isolation, users, per_user, promoted=promoted)
                for name, where in places
                for isolation in ("filter", "collection")
                for promoted in (False, True)
            )
        finally:
            process.kill()
            process.wait()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

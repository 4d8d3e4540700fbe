"""A Postgres server for one test, started as another user than root."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

SECONDS = 60
_USERS = ("postgres", "nobody")


class NoPostgresError(Exception):
    """There is no Postgres here that could be started; the message says why."""


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def postgres():
    """Start a server on a fresh folder and give its URL; stop it at the end.

    Raises:
        NoPostgresError: It is not installed, or root has nobody to run it as.
    """
    programs, who = _programs(), _who()
    folder = Path(tempfile.mkdtemp(prefix="contextmode-pg-"))
    if who:
        os.chown(folder, who["user"], who["group"])
    data, port = folder / "data", free_port()

    def run(program, *arguments):
        done = subprocess.run(
            [programs / program, *arguments], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False, **who
        )
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    try:
        run("initdb", "--pgdata", data, "--username=tester", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=16MB"
        run("pg_ctl", "--pgdata", data, "--wait", "--log", folder / "log", "--options", options, "start")
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "--pgdata", data, "--wait", "--mode=immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs():
    """Return the folder of initdb and pg_ctl; Debian keeps them off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    message = "Postgres is not installed (Debian: apt-get install postgresql)."
    raise NoPostgresError(message)


def _who():
    """Return whom to run it as, for subprocess: Postgres refuses root."""
    if os.geteuid() != 0:
        return {}
    for name in _USERS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    message = f"Postgres does not run as root, and there is no user {' or '.join(_USERS)}."
    raise NoPostgresError(message)

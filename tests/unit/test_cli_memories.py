"""The user's rights on the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from langchain_contextmode import ChromaMemoryStore, Memory, Scope, end_session
from langchain_contextmode.cli import main

ANN, BEN = Scope("ann", "s1"), Scope("ben", "s1")


@pytest.fixture
def folder(tmp_path):
    """A store with memories of two users."""
    path = tmp_path / "memories"
    store = ChromaMemoryStore(path)
    store.add(ANN, [Memory(text="I live in Oslo."), Memory(text="I like [bold]tea[/bold]\x1b[31m.", emphasised=True)])
    store.add(BEN, [Memory(text="I live in Rome.")])
    store.close()
    return str(path)


def ask(capsys, *arguments, code=0):
    assert main(["memories", *arguments]) == code
    return capsys.readouterr()


def listed(capsys, folder, user="ann", *more):
    return json.loads(ask(capsys, "list", "--path", folder, "--user", user, "--json", *more).out)


def test_a_user_sees_what_is_held_and_nobody_elses(folder, capsys):
    """The list holds the user's rows, as data, and none of another user."""
    out = ask(capsys, "list", "--path", folder, "--user", "ann").out
    assert "I live in Oslo." in out
    assert "[bold]tea[/bold]␛[31m" in out
    assert "Rome" not in out
    assert {row["text"] for row in listed(capsys, folder)} == {"I live in Oslo.", "I like [bold]tea[/bold]\x1b[31m."}
    assert listed(capsys, folder, "ann", "--session", "s2") == []


def test_an_export_is_complete(folder, capsys):
    """Every row of the user is a line of JSON."""
    lines = ask(capsys, "export", "--path", folder, "--user", "ann").out.splitlines()
    assert [json.loads(line)["user_id"] for line in lines] == ["ann", "ann"]


def test_a_memory_is_corrected_and_pinned_by_the_beginning_of_its_id(folder, capsys):
    """A correction takes the row's place, a pin keeps it, also where it lasts for all sessions."""
    store = ChromaMemoryStore(folder)
    end_session(ANN, store=store)
    store.close()
    for said, new in (("Oslo", "I live in Bergen."), ("tea", "I like coffee.")):
        row = next(row for row in listed(capsys, folder) if said in row["text"])
        assert new in ask(capsys, "correct", row["id"][:10], new, "--path", folder, "--user", "ann").out
    ids = {row["text"]: row["id"] for row in listed(capsys, folder)}
    assert set(ids) == {"I live in Bergen.", "I like coffee."}
    ask(capsys, "pin", ids["I live in Bergen."][:10], "--path", folder, "--user", "ann")
    assert [row["text"] for row in listed(capsys, folder) if row["pinned"]] == ["I live in Bergen."]
    ask(capsys, "pin", ids["I live in Bergen."][:10], "--off", "--path", folder, "--user", "ann")
    assert not any(row["pinned"] for row in listed(capsys, folder))


@pytest.mark.parametrize("what", [["{id}"], ["--text", "Oslo"], ["--session", "s1"]])
def test_forgetting_asks_first(folder, capsys, monkeypatch, what):
    """Without a yes nothing goes; with it what was named goes, and nobody else's."""
    row = next(row for row in listed(capsys, folder) if "Oslo" in row["text"])
    arguments = ["forget", *(part.format(id=row["id"][:10]) for part in what), "--path", folder, "--user", "ann"]
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO("n\n"))
    assert "Nothing was forgotten" in ask(capsys, *arguments).out
    assert len(listed(capsys, folder)) == 2
    assert "forgotten: " in ask(capsys, *arguments, "--yes").out
    assert not any("Oslo" in row["text"] for row in listed(capsys, folder))
    assert len(listed(capsys, folder, "ben")) == 1


def test_a_user_is_forgotten_whole(folder, capsys):
    """Nothing of the user is left, all of the others is."""
    ask(capsys, "forget-user", "--user", "ann", "--path", folder, "--yes")
    assert listed(capsys, folder, "ann", "--all") == []
    assert len(listed(capsys, folder, "ben")) == 1
    assert "Nothing to forget" in ask(capsys, "forget-user", "--user", "ann", "--path", folder, "--yes").out


def test_reembedding_says_how_many(folder, capsys):
    """The same embedder has nothing to do."""
    assert "embedded anew: 0" in ask(capsys, "reembed", "--path", folder).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list", "--user", "ann"], "--path"),
        (["list", "--user", "ann", "--path", "nowhere"], "no Chroma store"),
        (["list", "--user", "", "--path", "{folder}"], "user_id"),
        (["list", "--user", "ann", "--path", "{folder}", "--embeddings", "magic"], "magic"),
        (["pin", "zzz", "--user", "ann", "--path", "{folder}"], "0 memories"),
        (["pin", "", "--user", "ann", "--path", "{folder}"], "0 memories"),
        (["forget", "--user", "ann", "--path", "{folder}"], "one thing"),
        (["correct", "{ben}", "I am Ann", "--user", "ann", "--path", "{folder}"], "0 memories"),
    ],
)
def test_bad_requests_get_one_sentence_and_change_nothing(folder, capsys, arguments, said):
    """What cannot be done is told in a sentence, with exit code 2."""
    ben = listed(capsys, folder, "ben")[0]["id"]
    error = ask(capsys, *(part.format(folder=folder, ben=ben) for part in arguments), code=2).err
    assert error.startswith("error: ")
    assert said in error
    assert error.count("\n") == 1
    assert len(listed(capsys, folder)) == 2


def test_a_folder_in_use_by_another_process_says_what_to_do(folder):
    """While one process holds the folder, the command line ends with 1 and names the way for two."""
    store = ChromaMemoryStore(folder)
    store.list(ANN)
    command = [sys.executable, "-m", "langchain_contextmode", "memories", "list", "--user", "ann", "--path", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    store.close()
    assert done.returncode == 1
    assert "chroma run" in done.stderr
    assert "Traceback" not in done.stderr

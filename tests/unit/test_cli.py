"""What the command line promises: plain data in, a view out, clear words and exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict

from langchain_contextmode.cli import REQUESTS, main
from langchain_contextmode.screen import excerpt, visible
from langchain_contextmode.transcripts import load_transcript

TRIP = str(files("langchain_contextmode") / "data" / "trip.jsonl")
MARKUP = "[bold red]not markup[/bold red] {x} [link=file:///etc]a[/link]"


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "talk.json"
    path.write_text(
        json.dumps(
            messages_to_dict(
                [
                    SystemMessage("Be brief."),
                    HumanMessage(MARKUP),
                    AIMessage("", tool_calls=[{"name": "search", "args": {"q": "Porto"}, "id": "c1"}]),
                    ToolMessage("rain\x1b[31m", tool_call_id="c1", name="search"),
                    AIMessage("It rains."),
                    HumanMessage("And tomorrow?", id="last"),
                ]
            )
        ),
        encoding="utf-8",
    )
    return str(path)


def call(capsys, *arguments):
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_transcript_becomes_a_view(talk, capsys):
    """`run FILE` prints messages, decisions and pools, and ends with 0; nothing goes to stderr."""
    code, out, err = call(capsys, "run", talk)
    assert (code, err) == (0, "")
    for part in ("The view: 6 messages", "And tomorrow?", 'search({"q": "Porto"})', "keep 6", "history", "█"):
        assert part in out


def test_text_of_users_is_data(talk, capsys):
    """Markup, braces and terminal control characters in messages are printed, never obeyed."""
    _, out, _ = call(capsys, "run", talk, "--explain")
    assert MARKUP in out
    assert "\x1b" not in out
    assert "rain␛[31m" in out


def test_a_message_can_be_asked_for_by_id(tmp_path, capsys):
    """`--restore ID` brings the message into the view; an id that is nowhere is told in the report and costs nothing."""
    lines = [
        {"role": "user", "content": f"Note {n}: the boat is painted today and the sails are dry. " * 12, "id": f"n{n}"} for n in range(30)
    ]
    file = tmp_path / "long.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    asked = ["run", str(file), "--query", "What is the capital of Peru?", "--view-tokens", "900", "--protect", "0", "--json"]
    before = json.loads(call(capsys, *asked)[1])
    gone = next(identity for identity, decision in before["decisions"].items() if decision["form"] not in {"verbatim", "shortened"})
    after = json.loads(call(capsys, *asked, "--restore", gone, "--restore", "nowhere")[1])
    assert after["decisions"][gone]["decided_by"] == "restore"
    assert any("nowhere" in entry["why"] for entry in after["report"]["degraded"])


def test_json_is_all_there_is_on_stdout(talk, capsys):
    """`--json` prints one JSON document whose messages can be read as a transcript again."""
    code, out, _ = call(capsys, "run", talk, "--json")
    data = json.loads(out)
    assert code == 0
    assert {"messages", "decisions", "pins", "summary", "archive", "levels", "pools", "tokens", "report", "state"} == set(data)
    assert [m.content for m in load_transcript(io.StringIO(out))][-1] == "And tomorrow?"
    assert list(data["decisions"]) == ["m1", "m2", "m3", "m4", "m5", "last"]


def test_the_request_is_the_query_or_the_last_human_message(talk, capsys):
    """`--query` puts a new human message behind the conversation; without it the last one is the request."""
    _, out, _ = call(capsys, "run", talk, "--json")
    assert json.loads(out)["messages"][-1]["data"]["content"] == "And tomorrow?"
    _, out, _ = call(capsys, "run", talk, "--json", "--query", "[b]And[/b] today?")
    assert json.loads(out)["messages"][-1]["data"]["content"] == "[b]And[/b] today?"
    assert list(json.loads(out)["decisions"])[-2:] == ["last", "request"]


def test_ids_are_unique_even_if_the_file_repeats_them(tmp_path, capsys):
    """Messages without an id, or with one that came before, get a name by their place; nothing is lost."""
    path = tmp_path / "twice.json"
    path.write_text(
        json.dumps([{"role": "user", "content": str(n), "id": i} for n, i in enumerate(["m2", None, "m2", "request"])]), encoding="utf-8"
    )
    _, out, _ = call(capsys, "run", str(path), "--json", "--query", "x")
    decisions = json.loads(out)["decisions"]
    assert list(decisions) == ["m2", "m2+", "m3", "request", "request+"]


def test_a_small_view_stays_small(capsys):
    """`--view-tokens` is a hard cap, every message of the log has a decision, and some are left out."""
    code, out, _ = call(capsys, "run", TRIP, "--view-tokens", "1500", "--json", "--query", REQUESTS[0])
    data = json.loads(out)
    assert code == 0
    assert data["tokens"] <= 1_500
    assert len(data["decisions"]) == len(load_transcript(TRIP)) + 1
    assert any(decision["action"] == "drop" for decision in data["decisions"].values())


def test_explain_lists_every_message(capsys):
    """`--explain` has a row for each message of the log; without it only telling ones are listed and the rest is counted."""
    _, brief, _ = call(capsys, "run", TRIP, "--view-tokens", "1500", "--query", REQUESTS[0])
    _, whole, _ = call(capsys, "run", TRIP, "--view-tokens", "1500", "--query", REQUESTS[0], "--explain")
    ids = [message.id for message in load_transcript(TRIP)]
    table = whole[whole.index("Decisions") :]
    assert all(identity in table for identity in ids)
    assert "Not listed:" in brief
    assert "Not listed:" not in whole


def test_a_request_larger_than_the_view_may_be_shortened(tmp_path, capsys):
    """A request that alone exceeds the view is an error that names a way out; `--shorten-request` is that way."""
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"role": "user", "content": "one word and another " * 400, "id": "q"}]), encoding="utf-8")
    code, out, err = call(capsys, "run", str(path), "--view-tokens", "200")
    assert (code, out) == (2, "")
    assert "shorten_request" in err
    code, out, _ = call(capsys, "run", str(path), "--view-tokens", "200", "--shorten-request", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["tokens"] <= 200
    assert data["decisions"]["q"]["form"] == "shortened"


def test_long_messages_are_clipped_on_screen_only(tmp_path, capsys):
    """A long message is clipped on screen with a note; `--full` prints it whole."""
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"role": "user", "content": "word " * 400 + "END"}]), encoding="utf-8")
    _, out, _ = call(capsys, "run", str(path))
    assert "more characters are in the view" in out
    _, out, _ = call(capsys, "run", str(path), "--full")
    assert "END" in out
    assert "more characters" not in out


def test_demo_shows_the_bundled_conversation(capsys):
    """`demo` says what came in, shows the view of the first request, and what the second one brings back."""
    code, out, err = call(capsys, "demo")
    assert (code, err) == (0, "")
    assert "What came in: 174 messages" in out
    assert "shellfish" in out
    back = out[out.index("Nothing was lost") :]
    assert "CAM-20517-8831" in back


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "no-such-file.json"], "no-such-file.json cannot be read: No such file or directory."),
        (["run", TRIP, "--view-tokens", "3"], "3"),
        (["run", TRIP, "--view-tokens", "0"], "view_tokens"),
        (["run", TRIP, "--query", " "], "--query is empty"),
        (["run", TRIP, "--protect", "-1"], "protect_messages"),
        (["run", TRIP, "--model", "gpt-4.1-mini"], "OPENAI_API_KEY"),
        (["run", TRIP, "--model", "openai:gpt-4.1-mini"], "OPENAI_API_KEY"),
        (["run", TRIP, "--model", "nobody:nothing"], "--model nobody:nothing cannot be opened"),
    ],
)
def test_bad_input_and_settings_get_one_sentence(capsys, arguments, said):
    """What the user can put right ends with 2, one line on stderr, nothing on stdout."""
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("last", [{"role": "assistant", "content": "Hello?"}, {"role": "user", "content": " \n"}])
def test_a_conversation_without_a_request_needs_a_query(tmp_path, capsys, last):
    """Without a human message that says something there is no request: 2, and the way out is named; with `--query` it works."""
    path = tmp_path / "alone.json"
    path.write_text(json.dumps([{"role": "assistant", "content": "Hi!"}, last]), encoding="utf-8")
    code, _, err = call(capsys, "run", str(path))
    assert code == 2
    assert "--query" in err
    assert call(capsys, "run", str(path), "--query", "Hi.")[0] == 0


@pytest.mark.parametrize("arguments", [["run", TRIP, "--layout", "sideways"], ["walk"], ["run", TRIP, "--view-tokens", "many"]])
def test_wrong_usage_ends_with_two(capsys, arguments):
    """Usage errors end with 2 and are told on stderr."""
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err


def test_run_without_a_file_does_not_wait_at_a_terminal(monkeypatch, capsys):
    """`run` alone, typed at a terminal, says what it needs instead of waiting for input."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    code, out, err = call(capsys, "run")
    assert (code, out) == (2, "")
    assert "name a FILE" in err


def test_unexpected_errors_are_not_hidden(monkeypatch):
    """A defect is raised (exit code 1 with a traceback), not dressed up as bad input."""
    monkeypatch.setattr("langchain_contextmode.cli._show", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["run", TRIP])


def test_help_has_examples(capsys):
    """`--help`, of the program and of `run`, shows commands to copy."""
    for arguments in (["--help"], ["run", "--help"]):
        code, out, _ = call(capsys, *arguments)
        assert code == 0
        assert "--view-tokens 2000" in out


def run_process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "langchain_contextmode", *arguments], capture_output=True, timeout=120, check=False, **options
    )


def test_pipes_work():
    """Standard input is read as bytes (byte order mark, odd terminal encodings), and no colours go into a pipe."""
    done = run_process(
        "run", "-", input=b"\xef\xbb\xbf" + '{"role": "user", "content": "你好 \\ud83d"}\n'.encode(), env={"PYTHONIOENCODING": "ascii"}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    assert b"The view: 1 messages" in done.stdout


WRITING = [["run", TRIP], ["run", TRIP, "--json"], ["demo"], ["run", "--help"]]


def run_into(stdout, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "langchain_contextmode", *arguments], stdout=stdout, stderr=subprocess.PIPE, timeout=120, check=False
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("arguments", WRITING)
def test_a_reader_that_stops_is_no_error(arguments):
    """Where nobody reads the pipe any more (`run ... | head -1`), the program ends with 0 and says nothing."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert run_into(writer, *arguments) == (0, "")
    finally:
        os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", WRITING)
def test_a_full_disk_gets_one_sentence(arguments):
    """Output that cannot be written ends with 1 and one line on stderr, whoever writes it."""
    with Path("/dev/full").open("wb") as full:
        assert run_into(full, *arguments) == (1, "error: standard output cannot be written: No space left on device.\n")


def test_hidden_characters_are_shown():
    """Control, direction and surrogate characters become visible; line ends, tabs, emoji and CJK stay as they are."""
    assert visible("a\x1b\x07\x7f\x9b\u202eb\ud83d\r\n\t好👩\u200d💻") == "a␛␇␡<U+009B><U+202E>b\ufffd\n\t好👩\u200d💻"


def test_excerpts_are_one_short_line():
    """An excerpt has one line of at most the asked length and ends in an ellipsis if something is missing."""
    assert excerpt("a\nb", 10) == "a b"
    assert excerpt("x" * 100, 10) == "x" * 9 + "…"
    assert excerpt(" " * 100 + "x", 10) == "…"

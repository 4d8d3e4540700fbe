"""What `load_transcript` promises about files."""

from __future__ import annotations

import io
import json

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict

from langchain_contextmode.errors import ContextModeError
from langchain_contextmode.transcripts import TranscriptError, load_transcript

CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "Lisbon"}'}}
TALK = [
    SystemMessage("Be brief.", id="s"),
    HumanMessage("A flat in Porto?", id="h", additional_kwargs={"contextmode": {"time": "2026-03-01T10:00:00+01:00"}}),
    AIMessage(
        "",
        id="a",
        tool_calls=[{"name": "search", "args": {"q": "Porto"}, "id": "c1"}],
        usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    ),
    ToolMessage("[]", id="t", tool_call_id="c1", name="search", status="error"),
    AIMessage([{"type": "text", "text": "None left."}], id="b"),
]


def read(text):
    return load_transcript(io.StringIO(text))


def as_lines(entries):
    return "\n".join(json.dumps(entry) for entry in entries)


@pytest.mark.parametrize("write", [json.dumps, as_lines, lambda e: json.dumps({"messages": e}), lambda e: json.dumps(e, indent=2)])
@pytest.mark.parametrize("form", [messages_to_dict, lambda ms: [m.model_dump() for m in ms], dumpd])
def test_langchain_forms_round_trip(form, write):
    """Messages written in any of LangChain's forms, as JSON or JSONL, come back equal."""
    assert read(write(form(TALK))) == TALK


def test_openai_messages_become_langchain_messages():
    """OpenAI chat messages keep role, name, calls, parts, ids and unknown fields."""
    parts = [{"type": "text", "text": "this?"}, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]
    loaded = read(
        as_lines(
            [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "name": "ana", "content": parts},
                {"role": "assistant", "content": None, "tool_calls": [CALL], "refusal": None, "annotations": [1]},
                {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
                {"role": "assistant", "content": "Go."},
            ]
        )
    )
    assert [m.type for m in loaded] == ["system", "human", "ai", "tool", "ai"]
    assert loaded[0].additional_kwargs == {"__openai_role__": "developer"}
    assert (loaded[1].name, loaded[1].content) == ("ana", parts)
    assert loaded[2].tool_calls == [{"name": "search", "args": {"q": "Lisbon"}, "id": "c1", "type": "tool_call"}]
    assert (loaded[2].content, loaded[2].additional_kwargs) == ("", {"annotations": [1]})
    assert (loaded[3].tool_call_id, loaded[4].content) == ("c1", "Go.")


@pytest.mark.parametrize("arguments", ["{bad", "[1]", [1]])
def test_arguments_that_are_no_object_are_kept_as_text(arguments):
    """Tool arguments that cannot be parsed are not lost and do not stop the loading."""
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": arguments}}
    (message,) = read(json.dumps([{"role": "assistant", "content": None, "tool_calls": [call]}]))
    assert message.tool_calls == []
    assert message.invalid_tool_calls[0]["args"] == (arguments if isinstance(arguments, str) else "[1]")


def test_text_is_not_changed():
    """Lone surrogates, odd line separators, null characters and markup arrive as they are."""
    text = "a\ud83d b\u2028c\x85d\x00e [bold]f[/bold] {g}\r\n"
    for entries in ([{"role": "user", "content": text}], [{"role": "user", "content": text}, {"role": "user", "content": "x"}]):
        assert read("\n".join(json.dumps(e, ensure_ascii=False) for e in entries))[0].content == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_byte_order_marks_and_blank_lines_do_not_matter(tmp_path, encoding):
    """Files with a byte order mark, Windows line ends and blank lines are read."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes('\r\n{"role": "user", "content": "你好"}\r\n\r\n  \r\n{"role": "assistant", "content": "好"}\r\n'.encode(encoding))
    assert [m.content for m in load_transcript(path)] == ["你好", "好"]
    assert load_transcript(str(path)) == load_transcript(path)


def test_one_message_alone_is_a_conversation():
    """A file with a single message object is read."""
    assert read('{"role": "user", "content": "hi"}')[0].content == "hi"


def test_large_files_are_read():
    """A transcript of 50,000 lines is read completely."""
    assert len(read("\n".join('{"role":"user","content":"' + str(n) + '"}' for n in range(50_000)))) == 50_000


GOOD = '{"role": "user", "content": "hi"}\n'


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("", "the stream", "holds no messages"),
        (" \n\n", "the stream", "holds no messages"),
        ("[]", "the stream", "holds no messages"),
        ('{"messages": []}', "the stream", "holds no messages"),
        ("hello", "line 1, column 1", "not valid JSON"),
        (GOOD + '{"role": "user", "content": "hi"\n' + GOOD, "line 2", "not valid JSON"),
        (GOOD + "\n" + "42\n", "line 3", "found a number"),
        ("42", "the stream", "found a number"),
        ('{"messages": "x"}', "the stream", "found a text"),
        ('[\n{"role": "user",\n]', "line 3, column 1", "not valid JSON"),
        ("[" * 100_000, "the stream", "JSON that cannot be read"),
        ('[{"content": "x"}]', "message 1", "neither role nor type"),
        ('[{"role": "user", "content": "x"}, {"role": "critic", "content": "x"}]', "message 2", "unknown role or type 'critic'"),
        ('[{"role": ["user"], "content": "x"}]', "message 1", "unknown role or type ['user']"),
        ('[{"role": "user"}]', "message 1", "no content"),
        ('[{"role": "user", "content": 7}]', "message 1", "content is not valid; expected text"),
        ('[{"role": "user", "content": "x", "id": [1]}]', "message 1", "id is not valid"),
        ('[{"role": "tool", "content": "x"}]', "message 1", "without tool_call_id"),
        ('[{"role": "user", "content": "x", "tool_calls": [1]}]', "message 1", "expected a list on an assistant message"),
        ('[{"role": "assistant", "content": "", "tool_calls": "x"}]', "message 1", "tool_calls is a text"),
        ('[{"role": "assistant", "content": "", "tool_calls": [{"id": "c"}]}]', "message 1", "a tool call without a name"),
        ('[{"type": "ai", "content": "", "tool_calls": [{"name": "a", "args": "x", "id": "c"}]}]', "message 1", "tool_calls is not valid"),
        ('[{"role": "user", "content": "x", "additional_kwargs": 7}]', "message 1", "additional_kwargs is not valid"),
        (GOOD + '{"messages": []}', "line 2", "a whole conversation"),
    ],
)
def test_a_bad_entry_is_named_in_one_sentence(text, place, why):
    """What cannot be read is refused with one line that names the place, the problem and what is expected."""
    with pytest.raises(TranscriptError) as caught:
        read(text)
    sentence = str(caught.value)
    assert place in sentence
    assert why in sentence
    assert "expected" in sentence
    assert "\n" not in sentence


def test_files_that_cannot_be_opened_or_decoded_are_named(tmp_path):
    """A missing file, a folder and bytes that are no text give the typed error too."""
    binary = tmp_path / "binary"
    binary.write_bytes(GOOD.encode() + b"\xff\xfe\xfa")
    for source, why in ((tmp_path / "none.json", "No such file"), (tmp_path, "directory"), ("a\0b", "null"), (binary, "line 2")):
        with pytest.raises(TranscriptError, match=why):
            load_transcript(source)
    assert issubclass(TranscriptError, ContextModeError)
    assert issubclass(TranscriptError, ValueError)

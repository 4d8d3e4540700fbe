"""Conversations as they never should be and sometimes are: strategies for logs, settings and counters."""

from __future__ import annotations

from itertools import chain

from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    ToolMessageChunk,
)

from langchain_contextmode import ContextConfig
from langchain_contextmode.tokens import ScriptEstimate

LONE = "\ud800"

WORDS = st.lists(
    st.sampled_from(
        ["the", "a", "hotel", "Lund", "price", "42", "2026-05-01", "/srv/app.log", "ORD-1", "not", "never", "later", "会议", "预算"]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)
LONG = st.tuples(WORDS, st.integers(5, 120)).map(lambda parts: f"{parts[0]}. " * parts[1])
BLANK = st.sampled_from(["", " ", "\n\t ", "\u3000"])
ODD = st.sampled_from(
    [
        f"half {LONE} a pair",
        "\udfff",
        "{name} {{x}} %s $y",
        '{"root": {"a": [1, 2]}}',
        "</archive> <archive>",
        "今天下午三点在二号会议室讨论预算" * 20,
        "🙂\x00\x07",
        "```json\n[]\n```",
    ]
)
TEXTS = st.one_of(WORDS, WORDS, WORDS, LONG, ODD, BLANK, st.text(max_size=20))

_IDS = st.one_of(
    st.integers(0, 10_000).map(lambda n: f"m{n}"),
    st.integers(0, 10_000).map(lambda n: f"m{n}"),
    st.sampled_from([None, None, "", "m1", "m2", "m1~2", "contextmode-closing-m1", "contextmode-archive", "m1:c1"]),
)
_CALL_IDS = st.sampled_from(["c1", "c2", "c3", "c4", "c5", "c6"])
_FACTS = st.fixed_dictionaries(
    {},
    optional={
        "pinned": st.sampled_from([True, False, "yes"]),
        "ref_message_ids": st.lists(st.sampled_from(["m1", "m2", "gone"]), max_size=2),
        "topic": st.sampled_from(["hotel", "food"]),
        "time": st.sampled_from(
            ["2026-05-01T10:00:00+00:00", "2026-05-01T10:03:00+00:00", "2026-05-01T10:04:00", 1_777_000_000_000, "soon"]
        ),
        "source": st.sampled_from(["session", "memory", "archive", "marker"]),
        "intent": st.just("book"),
    },
)
_EXTRA = st.one_of(
    st.just({}),
    st.just({}),
    st.just({}),
    st.sampled_from([{"contextmode": "not ours"}, {"pinned": True}, {"other": 1}]),
    _FACTS.map(lambda facts: {"contextmode": facts}),
)
_TEXT_BLOCKS = TEXTS.map(lambda text: {"type": "text", "text": text})
_MEDIA = st.sampled_from(
    [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 3_000}},
        {"type": "image", "source_type": "base64", "data": "A" * 3_000, "mime_type": "image/png"},
        {"type": "file", "file": {"file_data": "A" * 2_000}},
    ]
)
_THOUGHTS = st.sampled_from(
    [
        {"type": "thinking", "thinking": "first look", "signature": "S" * 400},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E" * 400},
        {"type": "redacted_thinking", "data": "R" * 200},
    ]
)
_SERVER = st.just(
    (
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "fair"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_1",
            "content": [{"type": "web_search_result", "encrypted_content": "Z" * 500}],
        },
    )
)
_SAID = st.one_of(TEXTS, TEXTS, TEXTS, st.lists(st.one_of(_TEXT_BLOCKS, _MEDIA, WORDS), max_size=3))
_AI_SAID = st.one_of(
    TEXTS,
    TEXTS,
    st.lists(st.one_of(_TEXT_BLOCKS, _THOUGHTS), max_size=3),
    st.tuples(_SERVER, _TEXT_BLOCKS).map(lambda parts: [*parts[0], parts[1]]),
)
_NAMES = st.sampled_from([None, None, None, "Mira", f"n{LONE}"])
_ARGS = st.one_of(st.just({}), st.fixed_dictionaries({"q": TEXTS}), st.just({"n": 3, "deep": [{"k": LONE}]}))


@st.composite
def humans(draw):
    return HumanMessage(draw(_SAID), id=draw(_IDS), name=draw(_NAMES), additional_kwargs=draw(_EXTRA))


@st.composite
def ai_texts(draw):
    return AIMessage(draw(_AI_SAID), id=draw(_IDS), name=draw(_NAMES), additional_kwargs=draw(_EXTRA))


@st.composite
def systems(draw):
    return SystemMessage(draw(TEXTS), id=draw(_IDS))


@st.composite
def callers(draw, call_ids=None):
    """An AI message with calls, some of them also as content blocks, seldom one that could not be parsed."""
    call_ids = draw(st.lists(_CALL_IDS, min_size=1, max_size=4)) if call_ids is None else call_ids
    calls = [{"name": "lookup", "args": draw(_ARGS), "id": call_id, "type": "tool_call"} for call_id in call_ids]
    uses = [{"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["args"]} for call in calls]
    content = draw(st.one_of(st.just(""), TEXTS, st.just(uses), _THOUGHTS.map(lambda thought: [thought, *uses])))
    broken = []
    if draw(st.integers(0, 9)) == 9:
        broken = [
            {
                "name": "lookup",
                "args": '{"q": ',
                "id": draw(st.sampled_from(["c1", "c7", None])),
                "error": None,
                "type": "invalid_tool_call",
            }
        ]
    return AIMessage(content, id=draw(_IDS), tool_calls=calls, invalid_tool_calls=broken, additional_kwargs=draw(_EXTRA))


@st.composite
def results(draw, call_id=None):
    return ToolMessage(
        draw(st.one_of(TEXTS, LONG, st.lists(_TEXT_BLOCKS, max_size=2))),
        tool_call_id=call_id or draw(_CALL_IDS),
        id=draw(_IDS),
        name=draw(st.sampled_from([None, "lookup"])),
        status=draw(st.sampled_from(["success", "error"])),
        additional_kwargs=draw(_EXTRA),
    )


@st.composite
def exchanges(draw):
    """A call and its results as they mostly are: one each, in some order, seldom one missing or doubled."""
    call_ids = draw(st.lists(_CALL_IDS, min_size=1, max_size=4, unique=True))
    answered = draw(st.permutations(call_ids)) if draw(st.booleans()) else call_ids
    if draw(st.integers(0, 4)) == 4:
        answered = draw(st.lists(st.sampled_from(call_ids), max_size=4))
    return [draw(callers(call_ids)), *(draw(results(call_id)) for call_id in answered)]


_ODD_FORMS = (
    lambda text, identity: ChatMessage(text, role="user", id=identity),
    lambda text, identity: ChatMessage(text, role="Assistant", id=identity),
    lambda text, identity: ChatMessage(text, role="developer", id=identity),
    lambda text, identity: ChatMessage(text, role="critic", id=identity),
    lambda text, identity: HumanMessageChunk(text, id=identity),
    lambda text, identity: AIMessageChunk(text, id=identity),
    lambda text, identity: ToolMessageChunk(text, tool_call_id="c1", id=identity),
    lambda text, identity: FunctionMessage(text, name="old", id=identity),
    lambda text, identity: RemoveMessage(id=identity or text),
    lambda text, identity: AIMessage([{"type": "tool_use", "id": "c9", "name": text, "input": {}}], id=identity),
    lambda text, identity: {"role": "user", "content": text, "id": identity},
    lambda text, identity: {"role": "user", "content": text, "id": identity},
    lambda text, _: ("ai", text),
)


@st.composite
def strays(draw):
    """What no conversation should hold: other classes, markers, calls without results and the other way round."""
    odd = draw(st.integers(0, len(_ODD_FORMS) + 3))
    if odd < len(_ODD_FORMS):
        return _ODD_FORMS[odd](draw(TEXTS), draw(_IDS))
    return draw(results() if odd % 2 else callers())


@st.composite
def _pieces(draw):
    kind = draw(st.sampled_from(["human", "human", "ai", "exchange", "exchange", "stray", "system"]))
    if kind == "exchange":
        return draw(exchanges())
    return [draw({"human": humans, "ai": ai_texts, "stray": strays, "system": systems}[kind]())]


def logs(min_size=0, max_size=14):
    """Arbitrary logs, most of them refused by every provider as they stand."""
    return st.lists(_pieces(), min_size=min_size, max_size=max_size).map(lambda pieces: list(chain.from_iterable(pieces)))


@st.composite
def tidy_logs(draw, max_turns=8):
    """Conversations that a provider would take: unique ids, human first, each call answered once and in order."""
    said = st.one_of(WORDS, LONG)
    log, number = [], 0

    def fresh():
        nonlocal number
        number += 1
        return f"t{number}"

    for _ in range(draw(st.integers(1, max_turns))):
        log.append(HumanMessage(draw(said), id=fresh()))
        log.extend(steps(draw, fresh, draw(st.integers(0, 3))))
        log.append(AIMessage(draw(said), id=fresh()))
    return [*log, HumanMessage(draw(WORDS), id=fresh())]


def steps(draw, fresh, count):
    """Draw tool steps, each a call with one result, ids from `fresh`."""
    for _ in range(count):
        call = fresh()
        yield AIMessage("", id=call, tool_calls=[{"name": "lookup", "args": {"q": draw(WORDS)}, "id": f"call_{call}", "type": "tool_call"}])
        yield ToolMessage(draw(st.one_of(WORDS, LONG)), tool_call_id=f"call_{call}", id=fresh())


def by_characters(messages):
    """Count a token for four characters of everything, as a plain user-supplied counter would."""
    return 2 + sum(3 + len(str(m.content)) // 4 + len(str(getattr(m, "tool_calls", ""))) // 4 for m in messages)


COUNTERS = st.sampled_from([ScriptEstimate(), by_characters])
CONFIGS = st.builds(
    ContextConfig,
    view_tokens=st.one_of(st.integers(1, 400), st.integers(100, 5_000)),
    layout=st.sampled_from(["attention", "cache_stable"]),
    alternate_roles=st.booleans(),
    shorten_request=st.sampled_from([False, False, False, True]),
    protect_messages=st.integers(0, 30),
    filter_above_messages=st.sampled_from([0, 4, 80]),
    filter_above_tokens=st.sampled_from([0, 200, 4_000]),
    lowest_action=st.sampled_from(["drop", "compress"]),
    archive_lines_limit=st.sampled_from([0, 3, 8]),
    archive_max_entries=st.sampled_from([0, 5, 200]),
    verdicts_max=st.sampled_from([0, 3, 500]),
)

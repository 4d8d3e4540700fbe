"""Parsing a log again re-uses blocks; it must never show in what comes out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_contextmode import ContextConfig, Scope, parsing, prepare_context
from langchain_contextmode.parsing import parse


def conversation(count):
    return [(HumanMessage if n % 2 == 0 else AIMessage)(f"text {n}", id=f"m{n}") for n in range(count)]


def shape(log):
    return [(b.ids, b.kind, b.index, b.pinned, b.group, [m.content for m in b.messages]) for b in log.blocks], log.left_out, log.order


def fresh(messages):
    parsing._recent_logs.clear()
    return parse(messages)


def test_a_log_that_grew_keeps_its_blocks():
    """One message more costs one block more, not all of them again."""
    messages = conversation(80)
    before = parse(messages)
    after = parse([*messages, HumanMessage("new", id="new")])
    assert all(old is new for old, new in zip(before.blocks, after.blocks, strict=False))


def edits():
    position = st.integers(0, 59)
    return st.lists(
        st.one_of(
            st.tuples(st.just("text"), position, st.text(max_size=5)),
            st.tuples(st.just("pin"), position, st.none()),
            st.tuples(st.just("call"), position, st.none()),
            st.tuples(st.just("delete"), position, st.none()),
            st.tuples(st.just("append"), position, st.none()),
            st.tuples(st.just("swap"), position, st.none()),
        ),
        max_size=4,
    )


@given(edits())
def test_whatever_changed_in_between_the_log_is_read_as_it_is_now(changes):
    """Edits in place, marks, deletions and appended messages are seen, though blocks are re-used."""
    messages = conversation(60)
    parse(messages)
    for kind, position, value in changes:
        message = messages[position % len(messages)]
        if kind == "text":
            message.content = value
        elif kind == "pin":
            message.additional_kwargs["pinned"] = True
        elif kind == "call" and isinstance(message, AIMessage):
            message.tool_calls = [{"name": "f", "args": {}, "id": f"c{position}", "type": "tool_call"}]
            messages.append(ToolMessage("late", tool_call_id=f"c{position}", id=f"t{len(messages)}-{position}"))
        elif kind == "delete" and len(messages) > 1:
            messages.remove(message)
        elif kind == "append":
            messages.append(HumanMessage("more", id=f"more{len(messages)}"))
        elif kind == "swap":
            messages[0], messages[-1] = messages[-1], messages[0]
    again = shape(parse(messages))
    assert again == shape(fresh(messages))


def test_two_logs_that_share_a_beginning_do_not_mix():
    """A fork sees its own messages."""
    messages = conversation(60)
    left = [*messages, HumanMessage("left", id="x")]
    right = [*messages, HumanMessage("right", id="x")]
    parse(left)
    assert parse(right).blocks[-1].messages[0].content == "right"


def test_an_edit_inside_a_list_or_an_argument_is_seen():
    """List content and call arguments changed in place are read anew: the view stays inside its budget."""
    log = conversation(60)
    log[20] = HumanMessage([{"type": "text", "text": "short"}], id="list")
    log[31] = AIMessage("", tool_calls=[{"name": "f", "args": {"q": "x"}, "id": "c", "type": "tool_call"}], id="call")
    log.insert(32, ToolMessage("fine", tool_call_id="c", id="result"))
    log.append(HumanMessage("And now?", id="q"))
    config = ContextConfig(view_tokens=1_500)
    prepare_context(log, scope=Scope("u", "s"), config=config)
    log[20].content[0]["text"] = "The zeppelin leaves at noon. " * 300
    log[31].tool_calls[0]["args"]["q"] = "word " * 3_000
    view = prepare_context(log, scope=Scope("u", "s"), config=config)
    assert view.tokens <= 1_500
    assert view.report["tokens_before"] > 4_000

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode._ports import finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.memories.ask_model import MESSAGES_MAX, PENDING_MAX, TRIES_MAX, Pending, ask_model, pending_of, queued
from langchain_contextmode.memories.extract import Said
from langchain_contextmode.memories.reply import read_notes

GOLDEN = Path(__file__).parents[1] / "golden" / "prompts" / "memory_extract.txt"
TEXT = "We named the boat Aurora after grandma. I don't like black coffee, and 我对花生过敏。"
HUMAN = [Said("h1", TEXT), Said("h2", "The spare key hangs behind the shed.")]
LABELS = {"m1": HUMAN[0], "m2": HUMAN[1]}
QUEUE = [Pending("h1"), Pending("h2")]


class Model:
    """What a step may ask, with replies in order; an error is raised."""

    def __init__(self, *replies):
        self.replies, self.prompts, self.notes, self.config = list(replies), [], [], ContextConfig()

    def has(self, role):
        return role == "memory"

    async def ask(self, prompt, **options):
        assert options["role"] == "memory"
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, AIMessage) else AIMessage(reply)

    def degraded(self, step, why):
        self.notes.append((step, why))


def asked(*replies, human=HUMAN, queue=QUEUE):
    model = Model(*replies)
    return finish(ask_model(model, human, queue)), model


def note(quote, message="m1", **more):
    return {
        "text": quote,
        "type": "fact",
        "quote": quote,
        "message": message,
        "subject": "user",
        "attribute": "",
        "value": "",
        "importance": 0.5,
        **more,
    }


def reply_of(*notes):
    return json.dumps({"memories": notes}, ensure_ascii=False)


def test_the_prompt_is_as_reviewed():
    """The rendered prompt is the one in its golden file (REGENERATE_GOLDEN=1 writes it anew)."""
    prompt = asked(reply_of())[1].prompts[0]
    if os.environ.get("REGENERATE_GOLDEN"):
        GOLDEN.write_text(prompt, encoding="utf-8")
    assert prompt == GOLDEN.read_text(encoding="utf-8")


def test_what_the_user_said_is_kept_in_their_words():
    """A note whose quote stands in a message becomes the sentence there, never the model's wording; its weight may rise."""
    found, model = asked(reply_of(note("the boat Aurora", text="The user is a sailor.", importance=0.9)))
    (memory,) = found.memories
    assert memory.text == "We named the boat Aurora after grandma."
    assert memory.source_message_ids == ("h1",)
    assert memory.importance == 0.9
    assert found.pending == ()
    assert model.notes == []


def test_a_quote_never_loses_its_negation():
    """The words "like black coffee" out of "I don't like black coffee" is the whole sentence."""
    assert read_notes(reply_of(note("like black coffee")), LABELS).memories[0].text.startswith("I don't like")


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (note("The user is Rob Stone"), "no message of the user"),
        (note("", text=""), None),
        (note("the boat Aurora", type="entity"), "no type"),
        (note("the boat Aurora", type=["fact"]), "no type"),
    ],
)
def test_what_the_user_did_not_say_is_refused(odd, why):
    """Inventions, empty notes and types that no model may give leave nothing, and the reason holds no text."""
    notes = read_notes(reply_of(odd), LABELS)
    assert notes.memories == ()
    assert [item for item in notes.refused if why and why in item.why] or why is None


def test_values_must_stand_in_the_sentence():
    """An attribute counts with a value that the user named, a subject if they named it."""
    (memory,) = read_notes(reply_of(note("the boat Aurora", attribute="boat", value="Aurora")), LABELS).memories
    assert (memory.subject, memory.attribute, memory.value) == ("user", "noted boat", "aurora")
    (memory,) = read_notes(reply_of(note("the boat Aurora", attribute="boat", value="Titanic", subject="rob")), LABELS).memories
    assert (memory.subject, memory.attribute, memory.value) == ("user", "", "")


@pytest.mark.parametrize(
    "form",
    [
        '```json\n{"memories": [%s]}\n```',
        'Here: {"facts": [%s]} ok?',
        "[%s]",
        "<think>hm</think>\n%s",
        '{"memories": [%s,]}',
        '{"memories": [%s]}\n{"memories": []}',
    ],
)
def test_replies_in_the_usual_shapes_are_read(form):
    """Fences, prose, thoughts, a bare list, one object, trailing commas, several parts."""
    notes = read_notes(form % json.dumps(note("the boat Aurora")), LABELS)
    assert notes.readable
    assert len(notes.memories) == 1


def test_bare_texts_count_if_they_were_said():
    """A list of texts is read as quotes."""
    notes = read_notes('{"facts": ["我对花生过敏", "User likes tea"]}', LABELS)
    assert len(notes.memories) == 1
    assert len(notes.refused) == 1


@pytest.mark.parametrize("failure", ["no JSON", "", AIMessage('{"memories": [', response_metadata={"finish_reason": "length"})])
def test_what_could_not_be_read_stays_queued(failure):
    """After two unreadable replies the messages wait for the next turn, the report says so, and the third turn is the last."""
    queue, turns = QUEUE, 0
    while queue:
        found, model = asked(failure, failure, queue=queue)
        assert len(model.prompts) == 2
        assert len(model.notes) == 1
        queue, turns = found.pending, turns + 1
    assert turns == TRIES_MAX


def test_a_failed_call_loses_nothing():
    """The queue is as long as before; the next turn reads it."""
    found, _ = asked(CallFailedError("down"))
    assert [item.message_id for item in found.pending] == ["h1", "h2"]
    assert asked(reply_of(note("the boat Aurora")), queue=found.pending)[0].memories


def test_an_unreadable_reply_is_asked_for_once_more():
    """The second reply counts."""
    assert asked("sorry", reply_of(note("the boat Aurora")))[0].memories


def test_secrets_are_neither_shown_nor_kept():
    """The request holds none, and a note on a sentence with one is refused."""
    human = [Said("h1", "My password is hunter2. I like tea.")]
    found, model = asked(
        reply_of(note("password is hunter2"), note("My password is [password removed]")), human=human, queue=[Pending("h1")]
    )
    assert "hunter2" not in model.prompts[0]
    assert found.memories == ()


def test_what_is_not_to_be_remembered_is_not_read():
    """A message that its author withheld leaves the queue without a call."""
    found, model = asked(human=[Said("h1", "I live in Rome"), Said("h2", "Don't remember that.")])
    assert (found.pending, model.prompts) == ((), [])


def test_the_queue_is_bounded_and_plain():
    """Each message once, the newest stay, and it survives JSON."""
    queue = queued(QUEUE, ["h2", "h3", "", *(f"x{n}" for n in range(100))])
    assert len(queue) == PENDING_MAX
    assert pending_of(json.loads(json.dumps(queue))) == queue
    assert pending_of([["h1"], None, ["h2", "1"], 3]) == ()


def test_a_long_queue_is_read_in_parts():
    """One call reads some messages; the others wait and have not failed."""
    human = [Said(f"h{n}", f"I like tea number {n}.") for n in range(12)]
    found, model = asked(reply_of(), human=human, queue=[Pending(message.id) for message in human])
    assert len(model.prompts) == 1
    assert [item.tries for item in found.pending] == [0] * (12 - MESSAGES_MAX)


shapes = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["memories", "quote", "text", "type", "message", "value"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.one_of(st.text(max_size=300), shapes.map(json.dumps)))
def test_no_reply_raises_or_invents(text):
    """Whatever a model says is data; what is kept stands in a message."""
    assert all(any(memory.text in message.text for message in HUMAN) for memory in read_notes(text, LABELS).memories)

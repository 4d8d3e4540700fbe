from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from strategies import TEXTS, logs

from langchain_contextmode.archive import line_of
from langchain_contextmode.errors import ConfigError, StateSchemaError
from langchain_contextmode.history import asearch_history, search_history
from langchain_contextmode.parsing import parse
from langchain_contextmode.summary.state import Covered, Line, Summary
from langchain_contextmode.topics import Entry, archive_state

CHATTER = ("Nice weather today.", "My neighbour plays the trumpet.", "I burnt my toast.", "The bus was late again.", "Ha, good one!")


def talk(*said, at=20, among=60):
    """Chatter with `said` in its middle, one after the other; each message is `m` and its place."""
    texts = [f"{CHATTER[i % len(CHATTER)]} ({i})" for i in range(among)]
    texts[at : at + len(said)] = said
    return [(HumanMessage if i % 2 == 0 else AIMessage)(text, id=f"m{i}") for i, text in enumerate(texts)]


def ids(found):
    return [identity for entry in found for identity in entry.message_ids]


class Meaning(Embeddings):
    """Animals lie close to each other, everything else elsewhere; fails if told to."""

    def __init__(self, *, fails=False):
        self.fails = fails

    def embed_documents(self, texts):
        if self.fails:
            raise RuntimeError
        return [[1.0, 0.1] if {"puppy", "poodle"} & set(text.lower().strip("?.").split()) else [0.0, 1.0] for text in texts]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("The invoice number for the hall is INV-77120.", "What was the invoice number for the hall?"),
        ("Hall booked, invoice number 20931 will be mailed.", "What was the invoice number for the hall?"),
        ("We fixed the hotel budget at 900 euros.", "How much was the budget for the hotel?"),
        ("大厅的发票号码是 8842。", "大厅的发票号码是多少？"),
        ("The config lives in /srv/app/settings.toml now.", "Where is the app config?"),
    ],
)
def test_the_message_that_holds_the_answer_comes_first(said, query):
    """The one message with the words and the value is found first, in front of its neighbours."""
    found = search_history(talk(said), query)
    assert found[0].message_ids == ("m20",)
    assert found[0].text == line_of(parse([HumanMessage(said)]).blocks[0])
    assert 0 < found[0].score <= 10


def test_a_long_answer_stands_above_its_neighbours():
    """A long message with all words and the value comes before short ones beside it that hold one word each."""
    letter = "came with the post yesterday and lies on the kitchen table next to the letters from the bank"
    said = [f"The invoice number for the hall {letter} is INV-7.", "Invoice 12.", "Number 14.", "Hall 15.", "Invoice 16."]
    assert ids(search_history(talk(*said), "What was the invoice number for the hall?"))[0] == "m20"
    assert ids(search_history(talk(*reversed(said)), "What was the invoice number for the hall?"))[0] == "m24"


@pytest.mark.parametrize("order", [1, -1])
def test_a_value_decides_among_equals(order):
    """Of two messages with the words of the question the one that holds a value comes first, though it is longer and whichever is newer."""
    value, none = "The invoice number for the hall that came by post is 4417.", "Filed: invoice number, hall."
    said = [value, *CHATTER, *CHATTER, none][::order]
    assert search_history(talk(*said), "What was the invoice number for the hall?")[0].text.endswith(value)


def test_what_speaks_for_a_block_whatever_is_asked_does_not_count():
    """Of two blocks that say as much about the question the newer one comes first, also where the older one brought up an id."""
    said = ["The hall, ticket HX-20931.", *CHATTER, *CHATTER, "The hall, ticket HY-20932.", *CHATTER, "HX-20931 is closed."]
    assert search_history(talk(*said), "What about the hall?")[0].text.endswith("HY-20932.")


def test_only_hits_and_what_stands_beside_them_are_found():
    """However many entries may be found, blocks further away than one step are no answer."""
    assert sorted(ids(search_history(talk("The hall is blue."), "hall", limit=50))) == ["m19", "m20", "m21"]


def test_the_answer_beside_a_question_is_found():
    """An answer without any word of the question is found by the question before it."""
    assert set(ids(search_history(talk("Which colour shall the curtains have?", "Sage green."), "colour of the curtains", limit=2))) == {
        "m20",
        "m21",
    }


def test_nothing_in_common_is_nothing_found():
    """A question about something nobody spoke of finds nothing, however long the log."""
    assert search_history(talk("The hall is booked."), "zirconium tariffs") == []


@pytest.mark.parametrize(
    ("messages", "query", "limit"), [([], "hall", 3), (talk(), " \n", 3), (talk(), "", 3), (talk("hall"), "hall", 0), (talk(), "the of", 3)]
)
def test_nothing_to_search_is_nothing_found(messages, query, limit):
    """An empty log, an empty question, one of function words, or a limit of 0 give an empty list."""
    assert search_history(messages, query, limit=limit) == []


@pytest.mark.parametrize("wrong", [{"limit": -1}, {"limit": 2.0}, {"limit": True}, {"query": None}, {"messages": "hall"}, {"messages": {}}])
def test_wrong_arguments_are_refused(wrong):
    """What cannot be searched, or counted, is a ConfigError."""
    given_ = {"messages": talk(), "query": "hall", **wrong}
    with pytest.raises(ConfigError):
        search_history(given_.pop("messages"), given_.pop("query"), **given_)


def test_the_question_itself_is_not_its_answer():
    """The newest human message is found, unless it is the question, letter by letter."""
    log = [*talk("The hall is blue."), HumanMessage("Which colour has the hall?", id="q")]
    assert "q" not in ids(search_history(log, " Which colour has the hall? "))
    assert "q" in ids(search_history(log, "colour of the hall"))


def test_only_what_was_said_is_searched():
    """System messages and messages of ours are never found; a call and its results are found as one."""
    ours = HumanMessage("The hall is green.", id="ours", additional_kwargs={"contextmode": {"source": "archive"}})
    call = AIMessage("", id="call", tool_calls=[{"name": "look_up_hall", "args": {"q": "hall"}, "id": "c1", "type": "tool_call"}])
    log = [
        SystemMessage("You rent out the hall.", id="sys"),
        *talk("hi"),
        ours,
        call,
        ToolMessage("hall 7", tool_call_id="c1", id="result"),
    ]
    found = search_history([*log, HumanMessage("So?", id="q")], "hall", limit=50)
    assert found[0].message_ids == ("call", "result")
    assert not {"sys", "ours"} & set(ids(found))


def test_pruned_messages_are_found_by_their_lines():
    """Lines of messages that are no longer in the log are searched with it and name the originals; those in the log are not doubled."""
    entries = [
        Entry("user: the hall costs 480 / assistant: noted", ("old1", "old2"), restorable=True),
        Entry("user: hall hall hall", ("m20",), restorable=False),
    ]
    state = {"archive": archive_state(entries), "other": {"version": 1}}
    found = search_history(talk("Good day."), "What does the hall cost?", state=state)
    assert (found[0].text, found[0].message_ids) == (entries[0].text, ("old1", "old2"))
    assert all(entry.text != entries[1].text for entry in found)


def test_an_unknown_archive_is_refused():
    """State of a version that this release does not know is not guessed at."""
    with pytest.raises(StateSchemaError):
        search_history(talk(), "hall", state={"archive": {"version": 99, "items": []}})


async def test_meaning_finds_what_words_do_not():
    """With embeddings a message without a word of the question is found, blocking and awaiting alike."""
    log = talk("A poodle called Rex.")
    assert search_history(log, "Where is the puppy?") == []
    found = search_history(log, "Where is the puppy?", embeddings=Meaning())
    assert found[0].message_ids == ("m20",)
    assert await asearch_history(log, "Where is the puppy?", embeddings=Meaning()) == found


def test_an_embedder_that_fails_is_done_without():
    """Words alone decide where embedding fails."""
    log = talk("The puppy sleeps in the hall.")
    assert search_history(log, "puppy in the hall", embeddings=Meaning(fails=True)) == search_history(log, "puppy in the hall")


@given(log=logs(), query=TEXTS, limit=st.integers(0, 5))
def test_any_log_can_be_searched(log, query, limit):
    """Whatever the log: at most `limit` entries, best first, scores of 0..10 but never 0, the same each time, the log untouched."""
    before = copy.deepcopy(log)
    found = search_history(log, query, limit=limit)
    scores = [entry.score for entry in found]
    assert len(found) <= limit
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 10 for score in scores)
    assert set(ids(found)) <= set(parse(log).order)
    assert found == search_history(log, query, limit=limit)
    assert log == before


def test_a_huge_message_costs_no_hang():
    """One megabyte of one character, or of digits, is searched in a moment."""
    log = talk("x" * 1_000_000, "9" * 1_000_000, "The hall is blue. " + "a_" * 400_000)
    assert search_history(log, "hall", limit=1)[0].message_ids == ("m22",)


def test_details_of_pruned_messages_are_found():
    """What the archive's lines no longer hold, but the summary copied, is found with the id of its message."""
    summary = Summary(details=(Line("My customer number is KD-77-431.", ("h1",), "human"),), slices=(Covered("x", "h1", "h1", 1, 9),))
    (hit, *_) = search_history([HumanMessage("What else?", id="q")], "What is my customer number?", state={"summary": summary.state()})
    assert hit.message_ids == ("h1",)
    assert "KD-77-431" in hit.text

"""List content is read as the text in it; pictures become a placeholder, and Python's repr of a list goes nowhere."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, SCOPE, Says, ai, exchanges, human, prepare
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore
from summarywork import covered, summarised, transcripts

from langchain_contextmode import ContextConfig, prepare_context
from langchain_contextmode.originals import Originals
from langchain_contextmode.prune import prune
from langchain_contextmode.testing import ScriptedChatModel

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
ASK_ALL = ContextConfig(protect_messages=0, filter_above_messages=0, keep_score=10, compress_score=0)


def judged(log):
    """Return what a judge gets to read about a log."""
    model = ScriptedChatModel(replies=["{}"])
    prepare_context(
        [*log, *exchanges(1, 6, "filler {n} " * 60, "reply {n} " * 60), human("now?", "hq")], scope=SCOPE, config=ASK_ALL, model=model
    )
    assert model.requests
    return "\n".join(request.text for request in model.requests)


def test_f_o_024_text_blocks_are_read_as_text():
    """A judge reads blocks of text as plain text."""
    blocks = [{"type": "text", "text": "I keep bees"}, {"type": "text", "text": "on the roof."}]
    read = judged([human(blocks, "h1"), ai([{"type": "text", "text": "Lovely."}], "a1")])
    assert "I keep bees on the roof." in read
    assert "Lovely." in read
    assert "{'type'" not in read


def test_f_o_025_a_picture_leaves_a_trace():
    """A picture that is not sent leaves a placeholder, never base64, and what was read off it is found."""
    log = [human([{"type": "text", "text": "What is on this plate?"}, IMAGE], "h1"), ai("A blue gauge reading 3.2.", "a1")]
    assert "[image]" in judged(log)
    assert "iVBOR" not in judged(log)
    log += [*exchanges(2, 8, "q{n}", "r{n}"), human("What did the gauge show?", "hq")]
    view = prepare(log, keep_last=3)
    assert "3.2" in json.dumps([m.content for m in view.messages])
    line = prepare(log, keep_last=3, scorer=Says(h1=6)).archive[0]
    assert line.message_ids == ("h1",)
    assert "[image]" in line.text
    assert "iVBOR" not in line.text


def gauge():
    """The picture, what was read off it, and seven short exchanges."""
    log = [human([{"type": "text", "text": "What is on this plate?"}, IMAGE], "h1"), ai("A blue gauge reading 3.2.", "a1")]
    return [*log, *exchanges(2, 8, "q{n}", "r{n}"), human("What did the gauge show?", "hq")]


@pytest.mark.parametrize("reply", ["A picture of a gauge (3.2) was discussed.", "Something was discussed.", None])
def test_f_o_025_a_picture_is_summarised_by_name_and_archived_whole(reply):
    """The summariser reads a placeholder where the picture stood, an archive keeps the block, and what was read off it is sent."""
    model = ScriptedChatModel(replies=[reply]) if reply else None
    log, store = gauge(), InMemoryStore()
    view = summarised(log, keep_last=3, model=model)
    assert {"h1", "a1"} <= set(covered(log, view.state))
    read = "".join(transcripts(model)) if model else ""
    assert ("What is on this plate?\n[image]" in read) == (model is not None)
    assert "iVBOR" not in json.dumps([read, view.state])
    out = prune(log, view.state, keep_turns=2, scope=SCOPE, archive=store)
    gone = [removal.id for removal in out.removals]
    assert Originals(store).get(SCOPE, gone) == log[: len(gone)]
    rest = [*log[len(gone) :], human("And what did the gauge on the plate show?", "hq2")]
    later = summarised(rest, keep_last=3, state=out.state)
    assert "3.2" in json.dumps([m.content for m in later.messages])


def test_f_o_026_what_is_summarised_is_text():
    """Blocks of text and a picture alone reach the summariser as text and as a placeholder, never as Python's repr."""
    text = {"type": "text", "text": "which wine did I like"}
    log = [human([text, IMAGE], "h1"), ai([{"type": "text", "text": "The red one."}], "a1"), human([IMAGE], "h2"), human("now?", "hq")]
    model = ScriptedChatModel(replies=["Wine."])
    view = summarised(log, keep_last=0, model=model, summary_slice_turns=1)
    assert {"h1", "a1", "h2"} == set(covered(log, view.state))
    read = "\n".join(transcripts(model))
    assert "which wine did I like" in read
    assert "The red one." in read
    assert read.count("[image]") == 2
    for told in (read, json.dumps(view.state)):
        assert "{'type'" not in told
        assert "[{'" not in told


def test_f_o_026_a_request_in_blocks_is_its_text():
    """The request that a scorer gets is the text of the blocks; a picture alone is no error."""
    asked = []

    class Asked(Says):
        async def score(self, io, request, log, candidates):
            asked.append(request.text)
            return await super().score(io, request, log, candidates)

    text = {"type": "text", "text": "which wine did I like"}
    for content in ([text], [text, {"type": "image_url", "image_url": {"url": "https://example.org/w.png"}}], [IMAGE]):
        prepare([*exchanges(1, 3, "q{n}", "r{n}"), human(content, "hq")], scorer=Asked())
    assert asked == ["which wine did I like", "which wine did I like\n[image]", "[image]"]


BLOCKS = st.lists(
    st.one_of(
        st.sampled_from([IMAGE, {"type": "audio", "data": "A" * 400}, {"type": "file", "file": {"file_data": "B" * 400}}, "a bare string"]),
        st.text("ab c", max_size=8).map(lambda text: {"type": "text", "text": text}),
    ),
    min_size=1,
    max_size=4,
)


@given(st.lists(BLOCKS, min_size=1, max_size=5), st.integers(900, 9_000), st.sampled_from([1, 6, 9]))
def test_content_of_any_shape_is_text_or_itself(contents, view_tokens, score):
    """Whatever the blocks, no line, no state and no reason holds a repr or base64."""
    log = [human(content, f"h{n}") for n, content in enumerate(contents)]
    view = prepare([*log, human("now?", "hq")], view_tokens=view_tokens, scorer=Says(rest=score))
    told = json.dumps([view.archive, view.state, view.report, view.explain()], default=str)
    told += "".join(str(m.content) for m in view.messages if m.id not in view.decisions)
    assert "'type'" not in told
    assert "AAAA" not in told
    assert "iVBOR" not in told
    model = ScriptedChatModel(replies=["Talk."])
    state = summarised([*log, human("now?", "hq")], keep_last=0, model=model, summary_slice_turns=1).state
    read = json.dumps([[r.text for r in model.requests], state])
    assert not [trace for trace in ("'type'", "AAAA", "BBBB", "iVBOR") if trace in read]


@pytest.mark.parametrize("kind", ["image_url", "image", "input_image", "audio", "video", "file", "document"])
def test_media_without_data_are_counted_flat(kind):
    """A picture, sound or file costs the same whatever it holds."""
    assert ESTIMATE.message(human([{"type": kind, "data": "A" * 9_000}], "h")) == ESTIMATE.message(human([{"type": kind}], "h"))

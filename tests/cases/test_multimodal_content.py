"""List content is read as the text in it; pictures become a placeholder, and Python's repr of a list goes nowhere."""

from __future__ import annotations

import json

import pytest
from casework import ESTIMATE, SCOPE, Says, ai, exchanges, human, prepare
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode import ContextConfig, prepare_context
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


@pytest.mark.parametrize("kind", ["image_url", "image", "input_image", "audio", "video", "file", "document"])
def test_media_without_data_are_counted_flat(kind):
    """A picture, sound or file costs the same whatever it holds."""
    assert ESTIMATE.message(human([{"type": kind, "data": "A" * 9_000}], "h")) == ESTIMATE.message(human([{"type": kind}], "h"))

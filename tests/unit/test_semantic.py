from __future__ import annotations

import gc

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage

from langchain_contextmode._ports import BlockingIO, finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.embeddings import MiniLMEmbeddings
from langchain_contextmode.errors import ConfigError, StepError
from langchain_contextmode.parsing import parse
from langchain_contextmode.protocols import Request
from langchain_contextmode.relevance import semantic, vectors
from langchain_contextmode.relevance.lexical import LexicalScorer
from langchain_contextmode.relevance.semantic import SemanticScorer
from langchain_contextmode.relevance.vectors import vectors_of

MEANINGS = {"puppy": (1.0, 0.0, 0.1), "poodle": (0.9, 0.1, 0.0), "flight": (0.0, 1.0, 0.0)}


class Fake(Embeddings):
    """A word's meaning decides the vector; everything else points elsewhere. Counts what it was asked."""

    def __init__(self, fail_after=None):
        self.asked = []
        self.fail_after = fail_after

    def embed_documents(self, texts):
        if self.fail_after is not None and len(self.asked) >= self.fail_after:
            raise RuntimeError
        self.asked += texts
        return [next((list(v) for word, v in MEANINGS.items() if word in text), [0.0, 0.1, 1.0]) for text in texts]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


def talk(count=24, *, at=10, said="A poodle called Rex."):
    texts = [f"Chatter number {i}" for i in range(count)]
    texts[at] = said
    return parse([(HumanMessage if i % 2 == 0 else AIMessage)(text, id=f"m{i}") for i, text in enumerate(texts)]).blocks


def score(embeddings, blocks, text="Where is the puppy?", scorer=None, config=None):
    io = BlockingIO(config or ContextConfig(), embeddings=embeddings)
    scorer = scorer or SemanticScorer(vectors=vectors_of(embeddings))
    return finish(scorer.score(io, Request(text), blocks, range(len(blocks)))), io


def test_meaning_finds_what_words_do_not():
    """A message without any word of the request ranks first when it means the same."""
    found, _ = score(Fake(), talk(said="A poodle called Rex."), "Where is the puppy?")
    assert max(range(24), key=lambda i: found[i].value) == 10
    assert "close in meaning" in found[10].reason


def test_words_still_count():
    """Meaning is added to words, it does not replace them."""
    blocks = talk(said="The code of the safe is 4711.")
    found, _ = score(Fake(), blocks, "What is the code of the safe?")
    assert max(range(24), key=lambda i: found[i].value) == 10


def test_a_text_is_embedded_once():
    """The next turn embeds the new message and the new request, nothing else, even by a new scorer."""
    embeddings = Fake()
    score(embeddings, talk())
    assert len(embeddings.asked) == 25
    embeddings.asked.clear()
    score(embeddings, [*talk(), *parse([HumanMessage("Something new", id="new")]).blocks])
    assert embeddings.asked == ["Something new"]
    score(embeddings, talk(), "Another request")
    assert embeddings.asked == ["Something new", "Another request"]


def test_two_embedders_never_share_vectors():
    """Vectors of one embedder mean nothing to another; they go when it goes."""
    one, two = Fake(), Fake()
    assert vectors_of(one) is vectors_of(one)
    assert vectors_of(one) is not vectors_of(two)
    vectors_of(one).put("key", 1)
    key = id(one)
    del one
    gc.collect()
    assert key not in vectors._BY_EMBEDDER


def test_words_decide_alone_when_embedding_fails():
    """A failing embedder costs nothing but its signal, and is reported."""
    found, io = score(Fake(fail_after=0), talk())
    lexical = finish(LexicalScorer().score(io, Request("Where is the puppy?"), talk(), range(24)))
    assert found == lexical
    assert "embedding failed" in str(io.degradations)


def test_an_embedding_failure_is_an_error_if_asked_for():
    """`on_error="raise"` makes it a typed error."""
    with pytest.raises(StepError, match="embedding failed"):
        score(Fake(fail_after=0), talk(), config=ContextConfig(on_error="raise"))


def test_what_was_embedded_before_a_failure_stays(monkeypatch):
    """A failure half-way keeps the vectors that came, for this turn and the next."""
    monkeypatch.setattr(semantic, "_BATCH", 8)
    embeddings = Fake(fail_after=16)
    found, _ = score(embeddings, talk(said="Chatter about a poodle"), "Chatter about a puppy")
    assert len(embeddings.asked) == 16
    assert any("close in meaning" in v.reason for v in found)
    embeddings.fail_after = None
    score(embeddings, talk(said="Chatter about a poodle"), "Chatter about a puppy")
    assert len(embeddings.asked) == 25


def test_a_long_log_is_embedded_over_several_turns(monkeypatch):
    """One turn embeds a bounded number of texts, the most promising first, and says so."""
    monkeypatch.setattr(semantic, "_BATCH", 4)
    monkeypatch.setattr(semantic, "NEW_TEXTS_MAX", 5)
    embeddings = Fake()
    _, io = score(embeddings, talk(said="puppy"), "Where is the puppy?")
    assert len(embeddings.asked) == 6
    assert "puppy" in embeddings.asked[1]
    assert "24 blocks have no vector yet" in str(io.notes)


def test_an_empty_request_or_log_asks_for_nothing():
    """Without a request or a log there is nothing to compare."""
    embeddings = Fake()
    found, _ = score(embeddings, talk(), " ")
    assert len(found) == 24
    assert score(embeddings, [])[0] == []
    assert embeddings.asked == []


def test_missing_model_files_are_named_with_what_to_do(tmp_path):
    """MiniLM without its files says which, where, and how to get them."""
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"model\.onnx not found in .*folder=.*chromadb"):
        MiniLMEmbeddings(tmp_path)

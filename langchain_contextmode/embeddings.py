"""all-MiniLM-L6-v2 on the local machine, as LangChain embeddings. Nothing is ever downloaded."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.embeddings import Embeddings

from langchain_contextmode.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILES = ("model.onnx", "tokenizer.json")
_CHROMA_CACHE = Path(".cache", "chroma", "onnx_models", "all-MiniLM-L6-v2", "onnx")
_BATCH = 32


class MiniLMEmbeddings(Embeddings):
    """all-MiniLM-L6-v2 by onnxruntime and tokenizers: 384 dimensions, English, the first 256 tokens of a text.

    The same vectors as chromadb's default embedder, several times faster: batches are sorted by length and padded to their
    own longest text instead of to 256 tokens. The model is loaded at first use; one instance serves several threads.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        """Look for the files; the model itself is loaded at first use.

        Args:
            folder: Holds `model.onnx` and `tokenizer.json`. `None`: the place where chromadb's default embedder keeps them.

        Raises:
            ConfigError: A file is not there.
        """
        self.folder = Path(folder) if folder is not None else Path.home() / _CHROMA_CACHE
        missing = [name for name in _FILES if not (self.folder / name).is_file()]
        if missing:
            message = (
                f"MiniLMEmbeddings: {' and '.join(missing)} not found in {self.folder}. Pass folder= with the ONNX export of "
                "all-MiniLM-L6-v2 and its tokenizer, or let chromadb fetch both once: "
                "chromadb.utils.embedding_functions.DefaultEmbeddingFunction()(['hello'])."
            )
            raise ConfigError(message)
        self._loaded: tuple[Any, Any] | None = None
        self._lock = threading.Lock()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts, in order; each vector has length 1. An empty list gives an empty list."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors: list[list[float]] = [[]] * len(texts)
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            for i, vector in zip(batch, self._embed([texts[i] for i in batch]), strict=True):
                vectors[i] = vector
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Embed one text, in the same space as documents."""
        return self._embed([text])[0]

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                import onnxruntime  # noqa: PLC0415  (heavy; only who embeds pays)
                import tokenizers  # noqa: PLC0415

                tokenizer = tokenizers.Tokenizer.from_file(str(self.folder / "tokenizer.json"))
                tokenizer.enable_truncation(max_length=256)
                tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")  # noqa: S106  (a token of the vocabulary)
                session = onnxruntime.InferenceSession(str(self.folder / "model.onnx"), providers=["CPUExecutionProvider"])
                self._loaded = tokenizer, session
            return self._loaded

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        import numpy as np  # noqa: PLC0415

        tokenizer, session = self._load()
        encoded = tokenizer.encode_batch(list(texts))
        ids = np.array([e.ids for e in encoded], dtype=np.int64)
        mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
        hidden = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})[0]
        weights = mask[:, :, None].astype(hidden.dtype)
        pooled = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        unit: list[list[float]] = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True).clip(1e-9)).tolist()
        return unit

"""A user's memories as a LangChain retriever."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (Pydantic reads the annotations)
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from langchain_contextmode.schema import Scope  # noqa: TC001  (Pydantic reads the annotations)
from langchain_contextmode.stores.base import MemoryStore  # noqa: TC001

if TYPE_CHECKING:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun

    from langchain_contextmode.memories.memory import Memory


class MemoryRetriever(BaseRetriever):
    """Finds memories of one scope; a document holds the text, its metadata id, type, score and what the application gave.

    Attributes:
        store: Where.
        scope: Whose. Built by the application, never from what a model says.
        k: At most so many.
        filter: Narrows, as in `MemoryStore.search`.
        min_score: Leave out what scores less, 0..1.
    """

    store: MemoryStore
    scope: Scope
    k: int = 5
    filter: Mapping[str, Any] | None = None
    min_score: float | None = None

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None) -> list[Document]:
        del run_manager
        limit = self.k if k is None else k
        return list(map(_document, self.store.search(self.scope, query, limit, filter=self.filter, min_score=self.min_score)))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        del run_manager
        limit = self.k if k is None else k
        return list(map(_document, await self.store.asearch(self.scope, query, limit, filter=self.filter, min_score=self.min_score)))


def _document(memory: Memory) -> Document:
    own = {"type": memory.type, "score": memory.score, "importance": memory.importance, "created_at": memory.created_at}
    return Document(memory.text, id=memory.id, metadata={**memory.metadata, "id": memory.id, **own})

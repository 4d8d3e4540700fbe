"""A model completes a request for the search in memory; what it adds must stand in the conversation (M6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode._calls import CallFailedError
from langchain_contextmode.fences import one_line
from langchain_contextmode.memories.secrets import redacted
from langchain_contextmode.prompts import render
from langchain_contextmode.relevance.terms import terms_of
from langchain_contextmode.shorten import excerpt
from langchain_contextmode.summary.reply import UnusableError, usable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.memories.rewrite import Recent
    from langchain_contextmode.protocols import IO

_MESSAGE_CHARS: Final = 400
_REPLY_CHARS: Final = 400
_REPLY_TOKENS: Final = 150


async def ask_rewrite(io: IO, request: str, recent: Sequence[Recent]) -> str:
    """Return the request as the model of the role `rewrite` completes it; empty where local rules have to do.

    One call. A reply that is none, too long, or says a word that stands neither in the request nor in the messages before it
    is not used, and the report says so.

    Args:
        io: The model.
        request: Text of the newest human message.
        recent: The messages right before it, oldest first; without them nothing is asked.
    """
    if not recent or not io.has("rewrite"):
        return ""
    lines = [f"{'user' if message.by_user else 'assistant'}: {_shown(message.text)}" for message in recent]
    prompt = render("rewrite", {"conversation": "\n".join(lines), "request": _shown(request)}, replacements=io.config.prompts)
    try:
        reply = usable(await io.ask(prompt, role="rewrite", name="rewrite", max_tokens=_REPLY_TOKENS))
    except (CallFailedError, UnusableError) as failure:
        io.degraded("recall", f"the request could not be completed by the model, local rules do it: {failure}")
        return ""
    query = " ".join(reply.split())
    said = {term for text in (request, *(message.text for message in recent)) for term in terms_of(text)}
    if len(query) > _REPLY_CHARS or (new := set(terms_of(query)) - said):
        why = "it is too long" if len(query) > _REPLY_CHARS else f"nobody said {', '.join(sorted(new))[:80]}"
        io.degraded("recall", f"the model's query was not used, local rules do it: {why}")
        return ""
    return query


def _shown(text: str) -> str:
    return excerpt(one_line(redacted(text)), _MESSAGE_CHARS).replace("</", "<\\/")

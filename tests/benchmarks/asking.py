"""Feed a made-up conversation turn by turn, then ask for what was said, and look for it in the view and one restore away."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from dialogues import Conversation, Item
from langchain_core.messages import HumanMessage

from langchain_contextmode import ContextConfig, ContextView, Scope, prepare_context
from langchain_contextmode.content import readable
from langchain_contextmode.history import search_history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from langchain_core.messages import BaseMessage

SCOPE = Scope("u", "s")
NEUTRAL = "Thanks, go on."
HITS = 3
IDS = re.compile(r"\bm\d{3}\b")


@dataclass
class Fed:
    """What came of feeding a conversation.

    Attributes:
        state: Of the last turn.
        covered: The slices in the order in which they were summarised: first and last message id.
        rounds: How often the summary moved on.
        failed_rounds: Those of them in which the model failed for good and copying took its place.
        tokens: Of the view, one number a turn.
        degraded: Reports of soft failures.
    """

    state: dict[str, Any] = field(default_factory=dict)
    covered: list[tuple[str, str]] = field(default_factory=list)
    rounds: int = 0
    failed_rounds: int = 0
    tokens: list[int] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)


def feed(
    talk: Conversation, config: ContextConfig, enough: Callable[[Fed], bool] | None = None, **collaborators: Any
) -> tuple[Fed, Conversation]:
    """Prepare every turn with the state of the last one.

    Returns:
        What came of it, and the conversation as far as it went: to the end, or through the turn after which it was enough.
    """
    fed, log = Fed(), talk.messages
    for end, message in enumerate(log, start=1):
        if not isinstance(message, HumanMessage):
            continue
        view = prepare_context(log[:end], scope=SCOPE, config=config, state=fed.state, **collaborators)
        before, after = (state.get("summary", {}).get("through", "") for state in (fed.state, view.state))
        if after != before:
            fed.rounds += 1
            fed.failed_rounds += bool(view.report.get("degraded"))
            fed.covered += _new_slices(log, before, after)
        fed.state = json.loads(json.dumps(view.state))  # as a checkpoint hands it on
        fed.tokens.append(view.tokens)
        fed.degraded += [str(entry) for entry in view.report.get("degraded", ())]
        if enough and enough(fed):
            return fed, _part(talk, end)
    return fed, talk


def _new_slices(log: Sequence[BaseMessage], before: str, after: str) -> Iterable[tuple[str, str]]:
    ids = [message.id for message in log]
    start = ids.index(before) + 1 if before in ids else 0
    return [(ids[start], after)] if after in ids else []


def _part(talk: Conversation, length: int) -> Conversation:
    kept = talk.messages[:length]
    known = {message.id for message in kept}
    return Conversation(kept, [item for item in talk.items if known.issuperset(item.ids)])


class Found(NamedTuple):
    """What came of one question.

    Attributes:
        visible: The spans stand in the view.
        named: The view names the message by id.
        searched: The history search has the message among its best.
        restored: A view with the message restored holds the spans; `None`: not tried, since they were visible.
        tokens: Of the view.
    """

    visible: bool
    named: bool
    searched: bool
    restored: bool | None
    tokens: int

    @property
    def near(self) -> bool:
        """Say whether it is visible or one restore away."""
        return self.visible or self.named or self.searched


def ask(talk: Conversation, item: Item, fed: Fed, config: ContextConfig, question: str = "") -> Found:
    """Ask for an item as the newest message, by default as it is usually asked; look for it in the view, then one restore away."""
    question = question or item.asked
    log = talk.asking(question)
    view = prepare_context(log, scope=SCOPE, config=config, state=fed.state)
    text = shown(view)
    visible = holds(text, item)
    named = not set(item.ids).isdisjoint(IDS.findall(text))
    hits = search_history(log, question, limit=HITS, state=fed.state)
    searched = any(identity in item.ids for entry in hits for identity in entry.message_ids)
    restored = None
    if not visible and (named or searched):
        again = prepare_context(log, scope=SCOPE, config=config, state=fed.state, restore=list(item.ids))
        restored = holds(shown(again), item)
    return Found(visible=visible, named=named, searched=searched, restored=restored, tokens=view.tokens)


def shown(view: ContextView) -> str:
    return "\n".join(readable(message) for message in view.messages)


def holds(text: str, item: Item) -> bool:
    """Say whether all spans stand in a text, letter by letter and not as a part of a longer number; JSON doubles a backslash."""
    return all(_stands(span, text) or _stands(span.replace("\\", "\\\\"), text) for span in item.spans)


def _stands(span: str, text: str) -> bool:
    before = r"(?<!\d)(?<!\d[.,])" if span[0].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if span[-1].isdigit() else ""
    return span in text and re.search(before + re.escape(span) + after, text) is not None


def share(values: Iterable[bool]) -> str:
    values = list(values)
    return f"{sum(values) / len(values):.3f}" if values else "-"

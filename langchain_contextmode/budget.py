"""How many tokens a view may use, and the pools they are divided into."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from langchain_contextmode.config import ContextConfig


class Budget(NamedTuple):
    """Limits of one request, in tokens. `system + knowledge + history` is `view`.

    Attributes:
        view: What messages and tool schemas may use together.
        system: System prompt and tool schemas; exceeded rather than cut.
        knowledge: Pins, summary, archive lines.
        history: Everything else of the conversation; also gets what the two others leave.
        output: Left for the answer; gets what the input leaves.
        safety: Left empty.
    """

    view: int
    system: int
    knowledge: int
    history: int
    output: int
    safety: int


def budget_for(config: ContextConfig) -> Budget:
    """Turn shares of the window into tokens.

    With `view_tokens` the three input pools are scaled to sum to it; it never reaches into output reserve or safety.
    """
    pools, window = config.pools, config.window_tokens
    shares = (pools.system, pools.knowledge, pools.history)
    view = int(window * sum(shares))
    if config.view_tokens is not None:
        view = min(config.view_tokens, int(window * (1 - pools.output - pools.safety)))
    system = int(view * pools.system / sum(shares))
    knowledge = int(view * pools.knowledge / sum(shares))
    output = int(window * pools.output)
    return Budget(view, system, knowledge, view - system - knowledge, output, int(window * pools.safety))

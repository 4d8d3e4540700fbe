"""Does what was said survive? Conversations of 400 messages, fed turn by turn while the summary rolls; then everything is asked for.

    python tests/benchmarks/survival.py [--seeds 0 1 2] [--view-tokens 2000] [--show 5]
    python tests/benchmarks/survival.py --base-url http://127.0.0.1:8089/v1 --model local [--rounds 10]

The conversations are made up (see `dialogues.py`): demands, decisions, and facts with an exact value. Values that were
overruled later do not count. Visible: the exact value, for a demand the whole sentence, stands in the view when a question
asks for it. One restore away: the view names the message by id, or the search in the history has it among its three best.
Near: visible or one restore away. Search: the search alone has it. Neutral: visible when nothing is asked. Kept: it stands in
the whole summary, details included, or in an active pin.
With `--base-url` a model makes the summaries of the first part of one conversation; beside it the same model is asked, slice
by slice, for a plain summary as everybody asks for one.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from asking import NEUTRAL, SCOPE, Fed, Found, ask, feed, holds, share, shown
from dialogues import Conversation, Item, conversation
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, ContextView, prepare_context
from langchain_contextmode.content import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KINDS = ("pin", "decision", "number", "date", "id", "path", "url", "name", "negation")
LAST_MESSAGES = 20
MODEL_MESSAGES = 250
"""Shorter, so that more is said in the few rounds of a slow model."""
PLAIN = """Progressively summarize the lines of conversation provided, adding onto the previous summary returning a new summary.

Current summary:
{summary}

New lines of conversation:
{lines}

New summary:"""


def settings(view_tokens: int | None, **more: Any) -> ContextConfig:
    return ContextConfig(summary_slice_turns=4, summarize_above_tokens=600, view_tokens=view_tokens, **more)


def remembered(view: ContextView) -> str:
    """Return what stands beside the messages: summary and active pins."""
    return "\n".join([view.summary or "", *(pin.text for pin in view.pins if pin.active)])


def stale_pins(talk: Conversation, fed: Fed) -> list[str]:
    """Return overruled demands that are still active pins."""
    view = prepare_context(talk.asking(NEUTRAL), scope=SCOPE, config=settings(None), state=fed.state)
    active = [pin.text for pin in view.pins if pin.active]
    return [item.text for item in talk.items if item.kind == "pin" and not item.valid and any(item.spans[0] in text for text in active)]


class Tally:
    """Counts by kind, and keeps what was lost."""

    def __init__(self) -> None:
        self.found: dict[str, list[Found]] = defaultdict(list)
        self.far: list[Found] = []
        self.neutral: dict[str, list[bool]] = defaultdict(list)
        self.kept: dict[str, list[bool]] = defaultdict(list)
        self.lost: list[tuple[int, Item, Found]] = []
        self.fed: list[Fed] = []
        self.stale: list[str] = []
        self.pins: list[int] = []

    def add(self, seed: int, talk: Conversation, fed: Fed, config: ContextConfig, label: str) -> None:
        self.fed.append(fed)
        view = prepare_context(talk.asking(NEUTRAL), scope=SCOPE, config=config, state=fed.state)
        text, kept = shown(view), remembered(view)
        self.pins.append(sum(pin.active for pin in view.pins))
        self.stale += stale_pins(talk, fed)
        valid = [item for item in talk.items if item.valid]
        for item in track(valid, f"seed {seed}, {label}", console=Console(stderr=True), transient=True):
            found = ask(talk, item, fed, config)
            self.found[item.kind].append(found)
            self.neutral[item.kind].append(holds(text, item))
            self.kept[item.kind].append(holds(kept, item))
            if item.far:
                self.far.append(ask(talk, item, fed, config, item.far))
                if not self.far[-1].near:
                    self.lost.append((seed, item._replace(asked=item.far), self.far[-1]))
            if not found.near or (item.kind in {"pin", "decision"} and not found.visible):
                self.lost.append((seed, item, found))

    def rows(self) -> Iterable[tuple[str, list[str]]]:
        facts = [kind for kind in KINDS if kind not in {"pin", "decision"}]
        for name, kinds in (*((kind, [kind]) for kind in KINDS), ("pins, decisions", ["pin", "decision"]), ("all exact spans", facts)):
            found = [one for kind in kinds for one in self.found[kind]]
            neutral, kept = (share(one for kind in kinds for one in found[kind]) for found in (self.neutral, self.kept))
            visible, near = share(one.visible for one in found), share(one.near for one in found)
            yield name, [f"{len(found)}", visible, near, share(one.searched for one in found), neutral, kept]
        near = share(one.near for one in self.far)
        visible, searched = share(one.visible for one in self.far), share(one.searched for one in self.far)
        yield "in other words", [f"{len(self.far)}", visible, near, searched, "", ""]

    def summary(self) -> str:
        rounds = ", ".join(str(fed.rounds) for fed in self.fed)
        asked = [one for found in self.found.values() for one in found]
        tried = [one.restored for one in asked if one.restored is not None]
        tokens = [one.tokens for one in asked]
        degraded = sum(len(fed.degraded) for fed in self.fed)
        return (
            f"rounds {rounds}; view {sum(tokens) // max(len(tokens), 1):,} tokens on average, {max(tokens, default=0):,} at most; "
            f"restores that brought it back {sum(tried)} of {len(tried)}; active pins {self.pins}; "
            f"overruled demands still active {len(self.stale)}; degraded {degraded}"
        )


def report(tallies: dict[str, Tally], title: str, show: int) -> None:
    console = Console(width=140)
    for name, tally in tallies.items():
        table = Table(title=f"{title}, view: {name}")
        table.add_column("kind")
        for column in ("n", "visible", "or near", "search", "neutral", "kept"):
            table.add_column(column, justify="right")
        for kind, cells in tally.rows():
            table.add_row(kind, *cells)
        console.print(table)
        console.print(tally.summary(), highlight=False, markup=False)
        for text in tally.stale[:show]:
            console.print(f"  still active: {text}", markup=False)
        for seed, item, found in tally.lost[:show]:
            state = "not visible" if found.near else "LOST"
            console.print(f"  {state} (seed {seed}, {item.kind}, {item.ids[-1]}): {item.text} | {item.asked}", markup=False)


def plain_summary(model: ChatOpenAI, talk: Conversation, slices: Sequence[tuple[str, str]]) -> tuple[str, int, float]:
    """Have the model summarise the same slices without any check; return the summary, how many calls, and seconds."""
    position = {message.id: number for number, message in enumerate(talk.messages)}
    summary, started = "", time.perf_counter()
    for first, last in slices:
        part = talk.messages[position[first] : position[last] + 1]
        lines = "\n".join(f"{'AI' if isinstance(m, AIMessage) else m.type.title()}: {readable(m)}" for m in part if m.type != "system")
        summary = model.invoke(PLAIN.replace("{summary}", summary or "(none)").replace("{lines}", lines)).text
    return summary, len(slices), time.perf_counter() - started


def with_model(options: argparse.Namespace) -> None:
    """Compare a model's summary with the check and without, over the same slices of one conversation."""
    model = ChatOpenAI(base_url=options.base_url, api_key="x", model=options.model, temperature=0, max_tokens=options.max_tokens)
    whole = conversation(options.seeds[0], MODEL_MESSAGES)
    config = settings(options.view_tokens, call_timeout_seconds=300, prepare_timeout_seconds=600, summary_max_tokens=options.summary_tokens)
    started = time.perf_counter()
    ends = started + options.seconds
    fed, talk = feed(whole, config, lambda fed: fed.rounds >= options.rounds or time.perf_counter() > ends, models={"summary": model})
    seconds = time.perf_counter() - started
    position = {message.id: number for number, message in enumerate(talk.messages)}
    last = max((position[end] for _, end in fed.covered), default=-1)
    behind = [item for item in talk.items if item.valid and all(position[identity] <= last for identity in item.ids)]
    tally = Tally()
    tally.add(options.seeds[0], Conversation(talk.messages, behind), fed, config, "model")
    report({f"{options.view_tokens:,} tokens": tally}, f"{fed.rounds} rounds of {options.model}, what is behind the summary", options.show)
    text, calls, plain_seconds = plain_summary(model, talk, fed.covered)
    view = prepare_context(talk.asking(NEUTRAL), scope=SCOPE, config=config, state=fed.state)
    newest = [readable(message) for message in talk.messages[-LAST_MESSAGES:]]
    texts = {"plain": "\n".join([text, *newest]), "checked, pins": "\n".join([remembered(view), *newest])}
    console = Console(width=140)
    table = Table(title=f"Summaries and the last {LAST_MESSAGES} messages")
    table.add_column("kind")
    for name in ("n", *(f"{name}\n{how}" for name in texts for how in ("letter by letter", "core"))):
        table.add_column(name, justify="right")
    for name, kinds in (*((kind, (kind,)) for kind in KINDS), ("all", KINDS)):
        items = [item for item in behind if item.kind in kinds]
        cells = [(share(holds(one, item) for item in items), share(item.core in one for item in items)) for one in texts.values()]
        table.add_row(name, str(len(items)), *(cell for pair in cells for cell in pair))
    console.print(table)
    console.print(f"plain: {calls} calls, {plain_seconds:.0f} s", highlight=False)
    console.print(
        f"with the check: {seconds:.0f} s for {fed.rounds} rounds, {fed.failed_rounds} of them copied; failed: {fed.degraded or 'none'}",
        markup=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="one conversation each")
    parser.add_argument("--view-tokens", type=int, default=2_000, help="hard cap of the smaller views")
    parser.add_argument("--messages", type=int, default=400)
    parser.add_argument("--show", type=int, default=0, help="print so many examples of what was lost")
    parser.add_argument("--base-url", help="an OpenAI-compatible server: its model makes the summaries")
    parser.add_argument("--model", default="local")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of the model's summary")
    parser.add_argument("--seconds", type=float, default=900, help="no further round after so many seconds")
    parser.add_argument("--summary-tokens", type=int, default=1_000, help="size of the model's summary, details included")
    parser.add_argument("--max-tokens", type=int, default=400, help="limit of a reply with the plain summary")
    options = parser.parse_args()
    if options.base_url:
        with_model(options)
        return
    tallies = {}
    for view_tokens in (None, options.view_tokens):
        label = "default" if view_tokens is None else f"{view_tokens:,} tokens"
        tallies[label] = Tally()
        config = settings(view_tokens)
        for seed in options.seeds:
            fed, talk = feed(conversation(seed, options.messages), config)
            tallies[label].add(seed, talk, fed, config, label)
    report(tallies, f"{options.messages} messages, slices of 4 turns, seeds {options.seeds}", options.show)


if __name__ == "__main__":
    main()

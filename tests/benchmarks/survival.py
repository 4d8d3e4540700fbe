"""Does what was said survive? Conversations of 400 messages, fed turn by turn while the summary rolls; then everything is asked for.

    python tests/benchmarks/survival.py [--seeds 0 1 2] [--show 5]
    python tests/benchmarks/survival.py --base-url http://127.0.0.1:8089/v1 --model local [--rounds 10]

The conversations are made up (see `dialogues.py`): demands, decisions, and facts with an exact value. Values that were
overruled later do not count. Visible: the exact value, for a demand the whole sentence, stands in the view when a question
asks for it. One restore away: the view names the message by id, or the search in the history has it among its three best.
With `--base-url` a model makes the summaries of the first part of one conversation; beside it the same model is asked, slice
by slice, for a plain summary as everybody asks for one.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from dialogues import Conversation, Item, conversation
from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, ContextView, Scope, prepare_context
from langchain_contextmode.content import readable
from langchain_contextmode.history import search_history

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langchain_core.messages import BaseMessage

SCOPE = Scope("u", "s")
SMALL_VIEW_TOKENS = 2_000
NEUTRAL = "Thanks, go on."
KINDS = ("pin", "decision", "number", "date", "id", "path", "url", "name", "negation")
HITS = 3
LAST_MESSAGES = 20
ERRORS = "#error"
PLAIN = """Progressively summarize the lines of conversation provided, adding onto the previous summary returning a new summary.

Current summary:
{summary}

New lines of conversation:
{lines}

New summary:"""
IDS = re.compile(r"\bm\d{3}\b")


@dataclass
class Fed:
    """What came of feeding a conversation.

    Attributes:
        state: Of the last turn.
        covered: The slices in the order in which they were summarised: first and last message id.
        tokens: Of the view, one number a turn.
        degraded: Reports of soft failures.
    """

    state: dict[str, Any] = field(default_factory=dict)
    covered: list[tuple[str, str]] = field(default_factory=list)
    rounds: int = 0
    tokens: list[int] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)


def settings(view_tokens: int | None, **more: Any) -> ContextConfig:
    return ContextConfig(summary_slice_turns=4, summarize_above_tokens=600, view_tokens=view_tokens, **more)


def feed(talk: Conversation, config: ContextConfig, rounds: int | None = None, **collaborators: Any) -> tuple[Fed, Conversation]:
    """Prepare every turn with the state of the last one.

    Returns:
        What came of it, and the conversation as far as it went: to the end, or through the turn of the last round wanted.
    """
    fed, log = Fed(), talk.messages
    for end, message in enumerate(log, start=1):
        if not isinstance(message, HumanMessage):
            continue
        view = prepare_context(log[:end], scope=SCOPE, config=config, state=fed.state, **collaborators)
        before, after = (state.get("summary", {}).get("through", "") for state in (fed.state, view.state))
        if after != before:
            fed.rounds += 1
            fed.covered += _new_slices(log, before, after)
        fed.state = view.state
        fed.tokens.append(view.tokens)
        fed.degraded += [str(entry) for entry in view.report.get("degraded", ())]
        if rounds is not None and fed.rounds >= rounds:
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
    visible: bool
    restorable: bool
    restored: bool | None  # None: not tried
    tokens: int


def ask(talk: Conversation, item: Item, fed: Fed, config: ContextConfig) -> Found:
    """Ask for an item as the newest message, and look for it in the view, then one restore away."""
    log = talk.asking(item.asked)
    view = prepare_context(log, scope=SCOPE, config=config, state=fed.state)
    text = shown(view)
    if holds(text, item):
        return Found(visible=True, restorable=True, restored=None, tokens=view.tokens)
    wanted = set(item.ids)
    named = [identity for identity in IDS.findall(text) if identity in wanted]
    hits = search_history(log, item.asked, limit=HITS, state=fed.state)
    hit = [identity for entry in hits for identity in entry.message_ids if identity in wanted]
    restored = None
    if named or hit:
        again = prepare_context(log, scope=SCOPE, config=config, state=fed.state, restore=list(item.ids))
        restored = holds(shown(again), item)
    return Found(visible=False, restorable=bool(named or hit), restored=restored, tokens=view.tokens)


def shown(view: ContextView) -> str:
    return "\n".join(readable(message) for message in view.messages)


def holds(text: str, item: Item) -> bool:
    """Say whether all spans stand in a text, letter by letter; a JSON result doubles the backslash."""
    return all(span in text or span.replace("\\", "\\\\") in text for span in item.spans)


def stale_pins(talk: Conversation, fed: Fed) -> list[str]:
    """Return overruled demands that are still active pins."""
    view = prepare_context(talk.asking(NEUTRAL), scope=SCOPE, config=settings(None), state=fed.state)
    active = [pin.text for pin in view.pins if pin.active]
    return [item.text for item in talk.items if item.kind == "pin" and not item.valid and any(item.spans[0] in text for text in active)]


class Tally:
    """Counts by kind, and keeps what was lost."""

    def __init__(self) -> None:
        self.found: dict[str, list[Found]] = defaultdict(list)
        self.neutral: dict[str, list[bool]] = defaultdict(list)
        self.lost: list[tuple[int, Item, Found]] = []
        self.fed: list[Fed] = []
        self.stale: list[str] = []
        self.pins: list[int] = []

    def add(self, seed: int, talk: Conversation, fed: Fed, config: ContextConfig, label: str) -> None:
        self.fed.append(fed)
        view = prepare_context(talk.asking(NEUTRAL), scope=SCOPE, config=config, state=fed.state)
        text = shown(view)
        self.pins.append(sum(pin.active for pin in view.pins))
        self.stale += stale_pins(talk, fed)
        valid = [item for item in talk.items if item.valid]
        for item in track(valid, f"seed {seed}, {label}", console=Console(stderr=True), transient=True):
            found = ask(talk, item, fed, config)
            self.found[item.kind].append(found)
            self.neutral[item.kind].append(holds(text, item))
            if not found.restorable or (item.kind in {"pin", "decision"} and not found.visible):
                self.lost.append((seed, item, found))

    def rows(self) -> Iterable[tuple[str, list[str]]]:
        facts = [kind for kind in KINDS if kind not in {"pin", "decision"}]
        for name, kinds in (*((kind, [kind]) for kind in KINDS), ("pins and decisions", ["pin", "decision"]), ("all exact spans", facts)):
            found = [one for kind in kinds for one in self.found[kind]]
            neutral = [one for kind in kinds for one in self.neutral[kind]]
            visible, near = share(one.visible for one in found), share(one.visible or one.restorable for one in found)
            yield name, [f"{len(found)}", visible, near, share(neutral)]

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


def share(values: Iterable[bool]) -> str:
    values = list(values)
    return f"{sum(values) / len(values):.3f}" if values else "-"


def report(tallies: dict[str, Tally], title: str, show: int) -> None:
    console = Console(width=130)
    table = Table(title=title)
    table.add_column("kind")
    for name in tallies:
        for column in ("n", "visible", "or a restore", "neutral"):
            table.add_column(f"{name}\n{column}", justify="right")
    rows = [dict(tally.rows()) for tally in tallies.values()]
    for name in rows[0]:
        table.add_row(name, *(cell for row in rows for cell in row[name]))
    console.print(table)
    for name, tally in tallies.items():
        console.print(f"{name}: {tally.summary()}", highlight=False)
        for text in tally.stale[:show]:
            console.print(f"  still active: {text}", markup=False)
        for seed, item, found in tally.lost[:show]:
            state = "not visible" if found.restorable else "LOST"
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
    whole = conversation(options.seeds[0])
    config = settings(SMALL_VIEW_TOKENS, call_timeout_seconds=300, prepare_timeout_seconds=600)
    started = time.perf_counter()
    fed, talk = feed(whole, config, options.rounds, models={"summary": model})
    seconds = time.perf_counter() - started
    ends = {message.id: number for number, message in enumerate(talk.messages)}
    last = max((ends[end] for _, end in fed.covered), default=-1)
    behind = [item for item in talk.items if item.valid and all(ends[identity] <= last for identity in item.ids)]
    tally = Tally()
    tally.add(options.seeds[0], Conversation(talk.messages, behind), fed, config, "model")
    report({f"view of {SMALL_VIEW_TOKENS:,}": tally}, f"{fed.rounds} rounds of {options.model}, what is behind the summary", options.show)
    text, calls, plain_seconds = plain_summary(model, talk, fed.covered)
    text = "\n".join([text, *(readable(message) for message in talk.messages[-LAST_MESSAGES:])])
    console = Console(width=130)
    table = Table(title=f"The same model's plain summary and the last {LAST_MESSAGES} messages ({calls} calls, {plain_seconds:.0f} s)")
    for name in ("kind", "n", "letter by letter", "core"):
        table.add_column(name, justify="left" if name == "kind" else "right")
    for name, kinds in (*((kind, (kind,)) for kind in KINDS), ("all", KINDS)):
        items = [item for item in behind if item.kind in kinds]
        table.add_row(name, str(len(items)), share(holds(text, item) for item in items), share(item.core in text for item in items))
    console.print(table)
    console.print(f"with the check: {seconds:.0f} s for {fed.rounds} rounds; what failed: {fed.degraded or 'nothing'}", markup=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="one conversation each")
    parser.add_argument("--messages", type=int, default=400)
    parser.add_argument("--show", type=int, default=0, help="print so many examples of what was lost")
    parser.add_argument("--base-url", help="an OpenAI-compatible server: its model makes the summaries")
    parser.add_argument("--model", default="local")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of the model's summary")
    parser.add_argument("--max-tokens", type=int, default=400, help="limit of a reply of the model")
    options = parser.parse_args()
    if options.base_url:
        with_model(options)
        return
    tallies = {}
    for label, view_tokens in (("default", None), (f"{SMALL_VIEW_TOKENS:,} tokens", SMALL_VIEW_TOKENS)):
        tallies[label] = Tally()
        config = settings(view_tokens)
        for seed in options.seeds:
            fed, talk = feed(conversation(seed, options.messages), config)
            tallies[label].add(seed, talk, fed, config, label)
    report(tallies, f"{options.messages} messages, slices of 4 turns, seeds {options.seeds}", options.show)


if __name__ == "__main__":
    sys.exit(main())

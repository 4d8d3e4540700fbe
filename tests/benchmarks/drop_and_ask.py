"""Was it gone, and is it back? Facts told early, left out of the view for many turns, then asked for.

    python tests/benchmarks/drop_and_ask.py [--seed 0] [--show 5]

Ten conversations open with five facts each (exact values, names, statements in words; a part in Chinese) and go on with 25 to
160 turns of unrelated talk, prepared turn by turn. Before the question a neutral request must not have the fact verbatim: it
was dropped or compressed, or it does not count. Then the question, which shares some words with the fact but not all. In the
view: the answer stands there letter by letter. One restore away: the view names the message by id, or the search in the
history has it among its three best.
"""

from __future__ import annotations

import argparse
import random
from typing import TYPE_CHECKING, NamedTuple

import dialogue_facts as facts
import dialogue_words as words
from asking import NEUTRAL, SCOPE, Fed, ask, share, shown
from dialogues import Conversation, Item, recollection
from langchain_core.messages import HumanMessage
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_contextmode import ContextConfig, prepare_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asking import Found
    from dialogue_facts import Fact

VIEWS = (None, 2_000, 1_000)
TURNS_LATER = (25, 30, 40, 50, 60, 80, 100, 120, 140, 160)
FACTS = 5
IN_WORDS_SHARE = 0.3
CHINESE_SHARE = 0.2
OUT = frozenset({"none", "line", "summary"})


class Asked(NamedTuple):
    item: Item
    turns: int
    form: str  # in the view of the neutral request before
    told: bool  # the answer stood in that view all the same, as a pin, in the summary or in a line
    found: Found
    far: Found | None  # the question in other words


def drawn(rng: random.Random) -> list[Fact]:
    """Draw as many facts as are needed, none twice, those of one conversation of different kinds where possible."""
    total = len(TURNS_LATER) * FACTS
    in_words = round(total * IN_WORDS_SHARE)
    chinese = round(total * CHINESE_SHARE)
    said = [fact for fact in facts.ENGLISH if fact.by in {"human", "ai"}]
    found = rng.sample(words.IN_WORDS, in_words) + rng.sample(facts.CHINESE, chinese)
    found += rng.sample(said, total - len(found))
    rng.shuffle(found)
    return found


def measure(view_tokens: int | None, seed: int) -> list[Asked]:
    rng = random.Random(seed)
    told = drawn(rng)
    config = ContextConfig(view_tokens=view_tokens)
    asked: list[Asked] = []
    label = "default" if view_tokens is None else f"{view_tokens:,} tokens"
    for number, turns in enumerate(track(TURNS_LATER, label, console=Console(stderr=True), transient=True)):
        talk = recollection(100 * seed + number, told[number * FACTS : (number + 1) * FACTS], turns)
        asked += _asked(talk, turns, config)
    return asked


def _asked(talk: Conversation, turns: int, config: ContextConfig) -> Iterable[Asked]:
    fed = Fed()
    for end, message in enumerate(talk.messages, start=1):
        if isinstance(message, HumanMessage):
            fed.state = prepare_context(talk.messages[:end], scope=SCOPE, config=config, state=fed.state).state
    view = prepare_context(talk.asking(NEUTRAL), scope=SCOPE, config=config, state=fed.state)
    text = shown(view)
    for item in talk.items:
        told = [identity for identity in item.ids if item.core in _said(talk, identity)]
        far = ask(talk, item, fed, config, item.far) if item.far else None
        form = view.decisions[told[0]].form
        yield Asked(item, turns, form, item.core in text, ask(talk, item, fed, config), far)


def _said(talk: Conversation, identity: str) -> str:
    return next(str(message.content) for message in talk.messages if message.id == identity)


def in_other_words(asked: Iterable[Asked]) -> list[Asked]:
    return [one._replace(found=one.far) for one in asked if one.far]


def row(name: str, asked: Sequence[Asked]) -> list[str]:
    out = [one for one in asked if one.form in OUT]
    return [
        name,
        str(len(asked)),
        str(len(out)),
        share(one.told for one in out),
        share(one.found.visible for one in out),
        share(one.found.near for one in out),
        f"{sum(one.found.tokens for one in out) // max(len(out), 1):,}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="print so many examples of what was not found")
    options = parser.parse_args()
    console = Console(width=130)
    table = Table(title=f"Dropped, then asked for {TURNS_LATER[0]} to {TURNS_LATER[-1]} turns later, seed {options.seed}")
    for name in ("view", "told", "left out before", "answer shown before", "in the view", "or a restore away", "tokens"):
        table.add_column(name, justify="left" if name == "view" else "right")
    missed = []
    for view_tokens in VIEWS:
        name = "default" if view_tokens is None else f"{view_tokens:,}"
        asked = measure(view_tokens, options.seed)
        table.add_row(*row(name, asked))
        for group, kinds in (("values", {"number", "date", "id", "path", "url"}), ("names", {"name"}), ("words", {"words", "negation"})):
            table.add_row(*row(f"  {group}", [one for one in asked if one.item.kind in kinds]))
        table.add_row(*row("  in other words", in_other_words(asked)))
        missed += [(name, one) for one in asked if one.form in OUT and not one.found.visible][: options.show]
    console.print(table)
    for name, one in missed:
        state = "one restore away" if one.found.near else "LOST"
        console.print(f"{name}, {one.turns} turns later, {state}: {one.item.text} | {one.item.asked}", markup=False)


if __name__ == "__main__":
    main()

"""What the command line shows. Text that somebody wrote is printed as data: no markup, no control characters."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from typing import IO, TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from langchain_contextmode.content import calls_text, fix_surrogates, namespace, readable, text_of
from langchain_contextmode.report import BAR_CELLS, bar, count_line, headline, notes, short_id, troubles, work

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_core.messages import BaseMessage

    from langchain_contextmode.schema import ContextView, Decision

CLIP_CHARS = 400
EXCERPT_CHARS = 48
ROWS = 16
_PIPE_COLUMNS = 120
_RESERVES = ("output", "safety")
_UNSCORED = frozenset({"must", "recent", "gate"})
_STYLES = {"keep": "green", "compress": "yellow", "drop": "dim"}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"  # scripts and emoji need them


def visible(text: str) -> str:
    """Return the text with everything that could steer a terminal or hide in it made visible; line ends and tabs stay."""
    text = fix_surrogates(text).replace("\r\n", "\n")
    return "".join(c if c in "\n\t" or c in _JOINERS or unicodedata.category(c) not in _HIDDEN else _symbol(c) for c in text)


def _symbol(char: str) -> str:
    code = ord(char)
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"<U+{code:04X}>"  # noqa: PLR2004  (control pictures)


def excerpt(text: str, limit: int = EXCERPT_CHARS) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(visible(text[: limit * 4]).split())
    return line if len(line) <= limit and len(text) <= limit * 4 else f"{line[: limit - 1]}…"


def open_console(stream: IO[str]) -> Console:
    """Return a console that writes plain text unless the stream is a terminal."""
    columns = None if stream.isatty() or os.environ.get("COLUMNS") else _PIPE_COLUMNS
    return Console(file=stream, width=columns, markup=False, highlight=False, emoji=False)


class Screen:
    """One view or log at a time, on a console."""

    def __init__(self, console: Console) -> None:
        """Print to this console."""
        self._console = console

    def title(self, text: str) -> None:
        """Print a heading."""
        self._console.print()
        self._console.print(Text(text, style="bold cyan"))

    def line(self, text: str, style: str = "") -> None:
        """Print one paragraph of ours or of a user."""
        self._console.print(Text(visible(text), style=style))

    def messages(self, view: ContextView, *, full: bool) -> None:
        """Print the messages of a view in order.

        Args:
            view: What to print. Not modified.
            full: Print every message whole; else long ones are clipped on screen, and say so.
        """
        self.title(f"The view: {len(view.messages):,} messages, {view.tokens:,} tokens")
        for message in view.messages:
            self.message(message, view.decisions.get(message.id or ""), full=full)

    def message(self, message: BaseMessage, decision: Decision | None, *, full: bool) -> None:
        """Print one message: who, which form, and what it says and calls."""
        self._console.print(_heading(message, decision))
        text = readable(message)
        clipped = 0 if full else max(0, len(text) - CLIP_CHARS)
        self._indented(visible(text[: len(text) - clipped]))
        if clipped:
            self._indented(f"… {clipped:,} more characters are in the view; --full prints them", "dim italic")

    def _indented(self, text: str, style: str = "") -> None:
        if self._console.is_terminal:
            self._console.print(Padding(Text(text, style=style), (0, 0, 0, 4)))
        else:  # whoever searches a file or a pipe wants lines as they were written
            self._console.print(Text("    " + text.replace("\n", "\n    ")), soft_wrap=True)

    def numbers(self, view: ContextView) -> None:
        """Print tokens before and after, counts by action, and the pools as bars."""
        self.title("Numbers")
        self.line(headline(view), "bold")
        self.line(count_line(view))
        for name, why in view.levels.items():
            self.line(f"level {name} {why}", "dim")
        table = _table("pool", "", "used", "limit")
        for name, usage in view.pools.items():
            if name in _RESERVES:
                continue
            drawn = bar(usage)
            table.add_row(
                Text(name),
                Text(f"{drawn!s:<{BAR_CELLS + 1}}", "red" if drawn.over else "green"),
                *_right(usage.used_tokens, usage.limit_tokens),
            )
        self._console.print(table)
        free = ", ".join(f"{name} {view.pools[name].limit_tokens:,}" for name in _RESERVES if name in view.pools)
        if free:
            self.line(f"left free: {free}", "dim")

    def decisions(self, view: ContextView, log: Sequence[BaseMessage], *, every: bool) -> None:
        """Print decisions with their reasons.

        Args:
            view: Whose decisions.
            log: The conversation; for excerpts.
            every: A row for each message; else for older ones that were kept, then for the best that were not.
        """
        chosen = list(view.decisions.items()) if every else _telling(view.decisions)
        self.title("Decisions, every message" if every else "Decisions on older messages")
        if chosen:
            self.table(view, log, [identity for identity, _ in chosen], whole=every)
        rest = Counter(f"{d.action} by {d.decided_by}" for d in view.decisions.values())
        rest.subtract(f"{d.action} by {d.decided_by}" for _, d in chosen)
        others = ", ".join(f"{count:,} {name}" for name, count in rest.most_common() if count > 0)
        if others:
            self.line(f"Not listed: {others}. --explain lists them all.", "dim")

    def table(self, view: ContextView, log: Sequence[BaseMessage], ids: Iterable[str], *, whole: bool) -> None:
        """Print a row for each of these messages of the log, long reasons `whole` or cut to one line."""
        by_id = {message.id: message for message in log}
        table = _table("id", "role", "action", "sc", "by", "why", "message")
        for identity in ids:
            decision, message = view.decisions[identity], by_id.get(identity)
            said = "" if message is None else excerpt(text_of(message) or calls_text(message))
            cells = (short_id(visible(identity)), message.type if message else "", _action(decision))
            score = "-" if decision.score is None else str(decision.score)
            why = " ".join(visible(decision.reason).split())
            table.add_row(
                *map(Text, cells),
                Text(score, justify="right"),
                Text(decision.decided_by),
                _cell(why, whole=whole),
                _cell(said, whole=whole),
                style=_STYLES[decision.action],
            )
        self._console.print(table)

    def account(self, report: Mapping[str, Any]) -> None:
        """Print what each step took, notes, and what degraded."""
        steps = work(report)
        if steps:
            self.title("Work")
        for line in steps:
            self.line(line, "dim")
        for note in notes(report):
            self.line(f"note: {note}", "dim")
        for trouble in troubles(report):
            self.line(f"degraded: {trouble}", "yellow")


def _heading(message: BaseMessage, decision: Decision | None) -> Text:
    source = namespace(message).get("source")
    text = Text(f"{message.type} ", style="bold")
    if message.name:
        text.append(f"{excerpt(message.name)} ", "bold")
    if decision is None:
        text.append(f"({source or 'added'}, by context mode)", "magenta")
    else:
        text.append(short_id(visible(message.id or "")), "dim")
        if decision.form != "verbatim":
            text.append(f"  {decision.form}: {excerpt(decision.reason, 80)}", "yellow")
    return text


def _action(decision: Decision) -> str:
    return "shortened" if decision.form == "shortened" else decision.action


def _telling(decisions: Mapping[str, Decision]) -> list[tuple[str, Decision]]:
    """Return the best of the older messages: up to `ROWS` kept ones in conversation order, then the best left out."""
    scored = [(identity, decision) for identity, decision in decisions.items() if decision.decided_by not in _UNSCORED]
    best = sorted(scored, key=lambda pair: -(pair[1].score or 0))
    kept = {identity for identity, decision in [pair for pair in best if pair[1].action == "keep"][:ROWS]}
    others = [pair for pair in best if pair[1].action != "keep"][: max(4, ROWS - len(kept))]
    return [*(pair for pair in scored if pair[0] in kept), *others]


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in names:
        wide = name in ("why", "message")
        table.add_column(name, overflow="fold", no_wrap=not wide, ratio=1 if wide else None)
    return table


def _cell(text: str, *, whole: bool) -> Text:
    return Text(text) if whole else Text(text, no_wrap=True, overflow="ellipsis")


def _right(*numbers: int) -> list[Text]:
    return [Text(f"{number:,}", justify="right") for number in numbers]

"""A view, told in plain text: numbers first, then one line a message. Ids and reasons, never what a message says."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from langchain_contextmode.schema import Action, ContextView, Decision, Pin, PoolUsage

BAR_CELLS = 24
_ID_CHARS = 14
_ACTIONS: tuple[Action, ...] = ("keep", "compress", "drop")


class Bar(NamedTuple):
    """A pool as a bar.

    Attributes:
        filled: Cells in use, 0..`cells`; at least one as soon as anything is used.
        cells: Cells in all.
        over: More is used than the limit allows.
    """

    filled: int
    cells: int
    over: bool

    def __str__(self) -> str:
        """Draw it; a pool above its limit ends in `+`."""
        return "█" * self.filled + "░" * (self.cells - self.filled) + ("+" if self.over else "")


def bar(usage: PoolUsage, cells: int = BAR_CELLS) -> Bar:
    """Measure a pool's use against its limit; a pool without room counts as full once it is used."""
    if usage.used_tokens <= 0:
        return Bar(0, cells, over=False)
    share = usage.used_tokens / usage.limit_tokens if usage.limit_tokens > 0 else 1.0
    return Bar(min(cells, max(1, round(share * cells))), cells, over=usage.used_tokens > usage.limit_tokens)


def counts(view: ContextView) -> dict[Action, int]:
    """Count messages of the log by action: `keep`, `compress`, `drop`, in this order, zeros included."""
    found = Counter(decision.action for decision in view.decisions.values())
    return {action: found[action] for action in _ACTIONS}


def short_id(message_id: str) -> str:
    """Return the id, cut to 14 characters in the middle if it is longer."""
    if len(message_id) <= _ID_CHARS:
        return message_id
    tail = _ID_CHARS // 2 - 1
    return f"{message_id[: _ID_CHARS - tail - 1]}…{message_id[-tail:]}"


def headline(view: ContextView) -> str:
    """Say in one line how many tokens came in and went out, and by which count."""
    before = view.report.get("tokens_before")
    counter = view.report.get("counter")
    by = f", counted by {counter}" if counter else ""
    if not isinstance(before, int) or before <= 0:
        return f"{view.tokens:,} tokens in {len(view.messages):,} messages{by}"
    change = 1 - view.tokens / before
    saved = f"{math.floor(change * 100)}% fewer" if change >= 0 else f"{math.ceil(-change * 100)}% more"  # never better than it is
    return f"{before:,} tokens in {len(view.decisions):,} messages -> {view.tokens:,} in {len(view.messages):,} ({saved}{by})"


def count_line(view: ContextView) -> str:
    """Say how many messages are kept (and of these shortened), compressed and dropped."""
    number = counts(view)
    shortened = sum(decision.form == "shortened" for decision in view.decisions.values())
    kept = f"keep {number['keep']:,}" + (f" ({shortened:,} shortened)" if shortened else "")
    active = sum(pin.active for pin in view.pins)
    pins = f" · pins {active:,}" if view.pins else ""
    return f"{kept} · compress {number['compress']:,} · drop {number['drop']:,} · archive entries {len(view.archive):,}{pins}"


def troubles(report: Mapping[str, Any]) -> list[str]:
    """Return what degraded, as `step: why`, in order."""
    return [f"{entry.get('step', '?')}: {entry.get('why', '')}" for entry in report.get("degraded") or ()]


def notes(report: Mapping[str, Any]) -> list[str]:
    """Return what steps noted, as `step: text`, in order."""
    return [f"{note.get('step', '?')}: {note.get('text', '')}" for note in report.get("notes") or ()]


def work(report: Mapping[str, Any]) -> list[str]:
    """Return a line a step: seconds, and whatever else was counted there."""
    found = []
    for name, numbers in (report.get("steps") or {}).items():
        seconds = f"{numbers.get('seconds', 0.0):.3f} s"
        rest = [f"{key} {value:,}" for key, value in numbers.items() if key != "seconds" and isinstance(value, int | float) and value]
        found.append(f"{name}: {', '.join([seconds, *rest])}")
    return found


def explain(view: ContextView) -> str:
    """Return the whole account of a view: levels, pools, counts, a line a message, what degraded.

    Holds ids, numbers and reasons; no text of a message.
    """
    return "\n".join(_lines(view))


def _lines(view: ContextView) -> Iterator[str]:
    yield headline(view)
    yield count_line(view)
    yield from _section("Levels", [f"{name}: {why}" for name, why in view.levels.items()])
    yield from _section("Pools", _pools(view.pools))
    yield from _section("Task", _task(view))
    yield from _section("Pins", [_pin(pin) for pin in view.pins])
    yield from _section("Summary", _summary(view.report))
    yield from _section("Messages", _decisions(view))
    yield from _section(
        "Archive", [f"{', '.join(map(short_id, entry.message_ids))}: relevance {entry.score:.1f}" for entry in view.archive]
    )
    yield from _section("Work", work(view.report))
    yield from _section("Notes", notes(view.report))
    yield from _section("Degraded", troubles(view.report))


def _task(view: ContextView) -> list[str]:
    """Return the state of the task by field names; no value."""
    if view.task is None:
        return []
    told = view.report.get("task") or {}
    named = (("known", view.task.fields), ("missing", view.task.missing), ("doubtful", view.task.stale))
    changes = [
        " ".join(filter(None, (change["field"], change["what"]))) + (f": {change['why']}" if change["why"] else "")
        for change in told.get("changes", ())
    ]
    return [
        f"step {view.task.node}",
        *(f"{what}: {', '.join(names)}" for what, names in named if names),
        *([f"open questions: {len(view.task.questions)}"] if view.task.questions else []),
        *changes,
    ]


def _summary(report: Mapping[str, Any]) -> list[str]:
    told = report.get("summary") or {}
    covered, slices = told.get("covered_messages", 0), told.get("slices", 0)
    return [f"stands for {covered:,} messages of the log, told in {slices:,} lines"] if slices else []


def _pin(pin: Pin) -> str:
    return f"{short_id(pin.message_id) or 'application'}: {pin.kind}{'' if pin.active else ', overruled'}"


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _pools(pools: Mapping[str, PoolUsage]) -> list[str]:
    width = max(map(len, pools), default=0)
    return [
        f"{name:<{width}} {bar(usage)!s:<{BAR_CELLS + 1}} {usage.used_tokens:,} of {usage.limit_tokens:,}" for name, usage in pools.items()
    ]


def _decisions(view: ContextView) -> list[str]:
    width = max((len(short_id(identity)) for identity in view.decisions), default=0)
    return [f"{short_id(identity):<{width}} {_decision(decision)}" for identity, decision in view.decisions.items()]


def _decision(decision: Decision) -> str:
    score = "-" if decision.score is None else str(decision.score)
    return f"{decision.action:<8} {decision.form:<9} {score:>2} {decision.decided_by:<9} {' '.join(decision.reason.split())}"

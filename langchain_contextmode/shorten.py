"""A long text made short by leaving parts out: what stays is copied, and a notice says how much is missing and where it is.

Prose, logs and code lose lines and sentences from the middle; JSON loses white space and quotes first, then repeated
keys, then what can be missed: long free text before records, records that nobody asked about before ids and amounts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode import json_tree
from langchain_contextmode.json_dense import Document
from langchain_contextmode.segments import Piece, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_HEAD_SHARE: Final = 0.22
_TAIL_SHARE: Final = 0.14
_CONTEXT_TOKENS: Final = 8
"""Added to a piece's cost when its worth is judged: very short pieces out of their context say less than they seem to."""

_TRIES: Final = 9
_GOOD_ENOUGH: Final = 0.97
_COLUMNS_PAY: Final = 1.1
_EXCERPT_CHARS_PER_TOKEN: Final = 4
_WHITE_SPACE: Final = re.compile(r"\s+")


class _Candidate(NamedTuple):
    """One way to shorten: units in the order in which they are let in, and how the ones let in read."""

    costs: Sequence[float]
    render: Callable[[int], str]


def shorten(text: str, limit_tokens: int, count: Callable[[str], int], *, message_id: str, terms: frozenset[str] = frozenset()) -> str:
    """Shorten a text to a number of tokens.

    Every piece that stays is a copy of the original, in the original order; pieces end at lines, sentences, words or JSON
    values. Beginning and end stay, then whatever holds terms or exact values, then the rest while there is room. The same
    arguments always give the same text.

    Args:
        text: Any text. JSON (also Python's way of writing it) is shortened value by value.
        limit_tokens: What the result may cost. If not even the notice fits, the result is the notice alone.
        count: Tokens of a text. Called two dozen times at most.
        message_id: Where the full text is; named in the notice.
        terms: Lower-cased words and ids of the request and of recent turns.

    Returns:
        The text itself if it fits, or if the notice would be longer than the text; otherwise never more characters than
        the text. No notice where JSON lost nothing but white space, quotes and repeated keys.
    """
    total = count(text)
    if total <= limit_tokens:
        return text
    parsed = json_tree.parse(text)
    if parsed is not None:
        root, compact = parsed
        document = Document(root)
        for whole in (compact, document.whole()):
            if len(whole) < len(text) and count(whole) <= limit_tokens:
                return whole
        result = _json(document, limit_tokens, count, message_id, terms)
    else:
        result, _ = _fit(_text_candidate(text, limit_tokens, total, message_id, terms), limit_tokens, count)
    return result if len(result) < len(text) and count(result) < total else text


def excerpt(text: str, limit_chars: int) -> str:
    """Return a text as one line: white space collapsed, the middle replaced by `…` if it is longer than `limit_chars`.

    Args:
        text: Any text.
        limit_chars: Characters of the result; 1 gives `…`, 0 or less an empty text.
    """
    line = _WHITE_SPACE.sub(" ", text).strip()
    if len(line) <= limit_chars:
        return line
    room = limit_chars - 1
    if room < 0:
        return ""
    tail = room // 3
    head = _head(line, room - tail)
    return f"{head}…{_tail(line, tail)}"


def gist(text: str, limit_tokens: int, count: Callable[[str], int]) -> str:
    """Return one line for an archive: of JSON the values worth most, of any other text its excerpt; no notice.

    Args:
        text: Any text.
        limit_tokens: What the values may cost; four characters a token for other texts.
        count: Tokens of a text.
    """
    parsed = json_tree.parse(text) if len(text) > limit_tokens * _EXCERPT_CHARS_PER_TOKEN else None
    if parsed is None:
        return excerpt(text, limit_tokens * _EXCERPT_CHARS_PER_TOKEN)
    return _WHITE_SPACE.sub(" ", _json(Document(parsed[0]), limit_tokens, count, "", frozenset())).strip()


def _head(line: str, chars: int) -> str:
    """The first characters, back to a word's end if one is near."""
    space = line.rfind(" ", chars * 2 // 3, chars + 1)
    return line[: space if space > 0 else chars].rstrip()


def _tail(line: str, chars: int) -> str:
    """The last characters, on to a word's start if one is near."""
    start = len(line) - chars
    space = line.find(" ", start - 1, start + chars // 3)
    return line[start if space < 0 else space + 1 :] if chars else ""


def _fit(candidate: _Candidate, limit_tokens: int, count: Callable[[str], int]) -> tuple[str, int]:
    """Let in as many units as fit, by interpolation on their estimated costs; return the text and how many are in.

    `render(0)` is the notice alone, which is the result if nothing more fits.
    """
    sums = [0.0]
    for cost in candidate.costs:
        sums.append(sums[-1] + cost)
    best, fits, over = candidate.render(0), 0, len(sums)
    tokens = count(best)
    rate = 1.0
    for _ in range(_TRIES):
        guess = _last_within(sums, sums[fits] + (limit_tokens - tokens) * rate, fits + 1, over - 1)
        if guess is None:
            break
        text = candidate.render(guess)
        used = count(text)
        rate = (sums[guess] - sums[fits]) / max(1, used - tokens)
        if used > limit_tokens:
            over = guess
            continue
        best, fits, tokens = text, guess, used
        if used >= limit_tokens * _GOOD_ENOUGH:
            break
    return best, fits


def _last_within(sums: Sequence[float], total: float, low: int, high: int) -> int | None:
    """Index in `low..high` of the last sum within the total, the first index if none is; `None` if the range is empty."""
    if low > high:
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if sums[middle] <= total:
            low = middle
        else:
            high = middle - 1
    return low


def _notice(left_out: int, total: int, message_id: str) -> str:
    """Say how much is missing and where it is, in as few tokens as that takes: it is paid for every shortened message."""
    percent = min(max(1, round(100 * left_out / total)), 99) if left_out < total else 100
    return f"[… {percent}% left out: message {message_id}]"


def _text_candidate(text: str, limit_tokens: int, total_tokens: int, message_id: str, terms: frozenset[str]) -> _Candidate:
    chars_per_token = len(text) / max(1, total_tokens)
    parts = pieces(text, int(min(400, max(24, limit_tokens * chars_per_token / 8))), terms)
    order = _text_order(parts, limit_tokens * sum(part.cost for part in parts) / max(1, total_tokens))

    def render(number: int) -> str:
        return _joined(text, parts, sorted(order[:number]), message_id)

    return _Candidate([parts[index].cost for index in order], render)


def _text_order(parts: Sequence[Piece], room: float) -> list[int]:
    """Beginning and end first, then by worth per token, the earlier first among equals."""
    first = _while_within(parts, range(len(parts)), room * _HEAD_SHARE)
    last = _while_within(parts, range(len(parts) - 1, len(first) - 1, -1), room * _TAIL_SHARE)
    rest = range(len(first), len(parts) - len(last))
    return [*first, *last, *sorted(rest, key=lambda index: -parts[index].worth / (parts[index].cost + _CONTEXT_TOKENS))]


def _while_within(parts: Sequence[Piece], indices: Iterable[int], room: float) -> list[int]:
    taken: list[int] = []
    for index in indices:
        room -= parts[index].cost
        if room < 0:
            break
        taken.append(index)
    return taken


def _joined(text: str, parts: Sequence[Piece], chosen: Sequence[int], message_id: str) -> str:
    """Chosen pieces in order; the first gap gets the notice, every other one `…`."""
    kept = sum(len(parts[index].text) for index in chosen)
    notice = _notice(len(text) - kept, len(text), message_id)
    out: list[str] = []
    expected = 0
    for index in (*chosen, len(parts)):
        if index != expected:
            fresh_line = not out or out[-1].endswith("\n")
            mark = notice or "…"
            out.append(mark if fresh_line else f"\n{mark}" if notice else f" {mark}")
            if index < len(parts):
                out.append("\n" if notice or fresh_line else " ")
            notice = ""
        if index < len(parts):
            out.append(parts[index].text)
        expected = index + 1
    return "".join(out)


def _json(document: Document, limit_tokens: int, count: Callable[[str], int], message_id: str, terms: frozenset[str]) -> str:
    """Write the values worth most, as rows, or as columns where those hold clearly more; the notice only with an id."""
    units = document.units(terms)
    order = sorted(range(len(units)), key=lambda index: -units[index].worth)

    def candidate(write: Callable[[Iterable[int]], str]) -> _Candidate:
        def render(number: int) -> str:
            notice = _notice(len(units) - number, len(units), message_id) if message_id else "…"
            return f"{write(order[:number])}\n{notice}" if number else notice

        return _Candidate([units[index].cost for index in order], render)

    def kept(number: int) -> float:
        return sum(units[index].worth for index in order[:number])

    rows, in_rows = _fit(candidate(document.rows), limit_tokens, count)
    columns, in_columns = _fit(candidate(document.columns), limit_tokens, count)
    return columns if kept(in_columns) > kept(in_rows) * _COLUMNS_PAY else rows

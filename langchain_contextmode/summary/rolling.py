"""A model's round: old notes and a new slice in, new notes out, request by request, committed whole or not at all (I5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.prompts import render
from langchain_contextmode.shorten import shorten
from langchain_contextmode.summary.check import Checker
from langchain_contextmode.summary.grounding import content_terms, share
from langchain_contextmode.summary.reply import CutOffError, Parsed, UnusableError, parse, usable
from langchain_contextmode.summary.size import bounded
from langchain_contextmode.summary.source import Source
from langchain_contextmode.summary.text import summary_text
from langchain_contextmode.summary.transcript import Transcript, guarded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_contextmode.preparation import Setup
    from langchain_contextmode.protocols import IO
    from langchain_contextmode.schema import PinKind
    from langchain_contextmode.summary.extract import Extractor
    from langchain_contextmode.summary.slices import Slice
    from langchain_contextmode.summary.source import Demands
    from langchain_contextmode.summary.state import Line, Summary

STEP: Final = "summarize"
_MARGIN: Final = 0.9
"""Counters of ours and the model's may differ; so much of the window is used."""

_OTHERWISE: Final = {"temperature": 0.3, "frequency_penalty": 0.6}
_LEAST_ROOM: Final = 96
_LEAST_REPLY: Final = 64
_LEAST_WORDS: Final = 40
_NO_NOTES: Final = "(none yet)"
_REFUSAL: Final = re.compile(
    r"\s*(?:i(?:['\u2019]m| am) (?:sorry|unable|not able|afraid)|sorry|unfortunately|as an? (?:ai|language model)|i apologi[sz]e"
    r"|i (?:can(?:['\u2019]?t| ?not)|won['\u2019]t|do(?:n['\u2019]t| not) (?:have|see))"
    r"|there is no (?:conversation|transcript)|please (?:provide|share)"
    r"|抱歉|对不起|很遗憾|我?无法|我不能|作为.{0,8}(?:AI|人工智能|语言模型)|请提供)",
    re.IGNORECASE,
)
_HALF: Final = 0.5


class Limits(NamedTuple):
    """How the summarising model's window is divided, in tokens.

    Attributes:
        prompt: A whole request, at most.
        reply: The reply, at most.
        notes: The old notes in a request, at most.
        room: The transcript in a request, at most. Below 0 where the window is too small for instructions and notes.
    """

    prompt: int
    reply: int
    notes: int
    room: int

    @classmethod
    def of(cls, io: IO, setup: Setup) -> Limits:
        """Divide the window: a quarter for the reply at most, a third of what the instructions leave for the old notes."""
        config = setup.config
        window = config.summary_window_tokens or io.window("summary") or config.window_tokens
        reply = max(_LEAST_REPLY, min(config.summary_max_tokens, window // 4))
        prompt = int((window - reply) * _MARGIN)
        left = prompt - setup.counter.text(_prompt(setup, "", "", reply)) - setup.counter([])
        notes = max(0, min(config.summary_max_tokens, left // 3))
        return cls(prompt, reply, notes, left - notes)

    @property
    def enough(self) -> bool:
        """Say whether a transcript has room."""
        return self.room >= _LEAST_ROOM


@dataclass(slots=True)
class Rolled:
    """What a round brought.

    Attributes:
        summary: The new summary.
        slices: What it took in; fewer than were due where the calls did not suffice.
        proposals: Pins that the model proposed.
        notes: What the report should say.
    """

    summary: Summary
    slices: list[Slice] = field(default_factory=list)
    proposals: list[tuple[str, str, PinKind]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Roller:
    """Asks the model of the role `summary`.

    Args:
        io: Has that model.
        setup: Collaborators.
        extractor: Copies what the model left out.
        demands: All pins, and what is no demand any more.
        limits: Of the model's window.
    """

    def __init__(self, io: IO, setup: Setup, extractor: Extractor, demands: Demands, limits: Limits) -> None:
        """Start with all calls of this turn left."""
        self._io = io
        self._setup = setup
        self._extractor = extractor
        self._demands = demands
        self._limits = limits
        self._left = setup.config.summary_max_calls

    async def roll(self, old: Summary, due: Sequence[Slice]) -> Rolled:
        """Summarise slices, one after the other, as far as the calls of this turn reach.

        Raises:
            CallFailedError: A call failed.
            UnusableError: A reply cannot stand for its source. In both cases nothing of the round counts.
        """
        rolled = Rolled(old)
        for part in due:
            taken, texts = self._fitting(part, rolled)
            if not taken:
                break
            await self._slice(rolled, taken, texts)
            if len(taken) < len(part):
                break
        used = self._setup.config.summary_max_calls - self._left
        if used > 1:
            turns = sum(map(len, rolled.slices))
            rolled.notes.insert(0, f"{used} requests were needed for {turns} turns.")
        return rolled

    def _fitting(self, part: Slice, rolled: Rolled) -> tuple[Slice, list[str]]:
        """Return as many turns as the calls left suffice for, and their requests; a first turn too long for them is shortened."""
        count, texts = self._setup.counter.text, list[str]()
        for turns in range(len(part), 0, -1):
            taken = part[:turns]
            if any(turn.blocks for turn in taken):
                transcript = Transcript(taken, self._limits.room, count)
                texts = transcript.requests()
                if len(texts) <= self._left:
                    return taken, texts
        if rolled.slices or not texts:
            return (), []
        rolled.notes.append(f"One turn needs {len(texts)} requests and was shortened for {self._left}.")
        return part[:1], Transcript(part[:1], self._limits.room, count).squeezed(self._left)

    async def _slice(self, rolled: Rolled, part: Slice, texts: Sequence[str]) -> None:
        config, count = self._setup.config, self._setup.counter.text
        source = Source(part, self._demands)
        summary = rolled.summary
        headed = True
        from_tools: list[Line] = []
        for text in texts:
            self._left -= 1
            parsed, shown = await self._request(source, summary, text)
            headed = headed and parsed.headed
            checked = Checker(source, summary, shown=shown and parsed.headed).check(parsed)
            summary = checked.summary
            from_tools += checked.from_tools
            rolled.proposals += [proposal for proposal in checked.proposals if proposal not in rolled.proposals]
            if note := checked.note():
                rolled.notes.append(f"Statements of the model left out: {note}.")
        summary = self._extractor.completed(summary, source, open_items=not headed, from_tools=from_tools)
        rolled.summary = bounded(summary, config.summary_max_tokens, count)
        rolled.slices.append(part)

    async def _request(self, source: Source, summary: Summary, transcript: str) -> tuple[Parsed, bool]:
        """Ask once; return the reply in sections, and whether the model saw all old statements."""
        count = self._setup.counter.text
        notes, shown = self._notes(summary)
        prompt = _prompt(self._setup, notes, transcript, self._limits.reply)
        if count(prompt) > self._limits.prompt / _MARGIN:
            why = "the request does not fit the model's window"
            raise UnusableError(why)
        parsed = parse(await self._asked(prompt))
        said = "\n".join((*(line for lines in parsed.sections.values() for line in lines), parsed.text))
        if count(said) >= count(summary_text(summary)) + max(source.tokens, count(transcript)):
            why = "the summary is not smaller than its source"
            raise UnusableError(why)
        if not parsed.headed and _refuses(parsed, source, summary):
            why = "the model refused"
            raise UnusableError(why)
        return parsed, shown

    async def _asked(self, prompt: str) -> str:
        """Ask; a reply that was cut off is asked for once more, since small models at temperature 0 run in circles."""
        call = {"role": "summary", "name": "contextmode_summarize", "max_tokens": self._limits.reply}
        try:
            return usable(await self._io.ask(prompt, **call))  # type: ignore[arg-type]
        except CutOffError:
            if self._left <= 0:
                raise
            self._left -= 1
            return usable(await self._io.ask(prompt, **call, **_OTHERWISE))  # type: ignore[arg-type]

    def _notes(self, summary: Summary) -> tuple[str, bool]:
        """Return the old notes as the model gets them, and whether it sees all statements; details stand by themselves and go first."""
        count = self._setup.counter.text
        for details in (True, False):
            text = guarded(summary_text(summary, details=details))
            if count(text) <= self._limits.notes:
                return text, True
        return shorten(text, self._limits.notes, count, message_id="notes"), False


def _prompt(setup: Setup, notes: str, transcript: str, reply_tokens: int) -> str:
    words = max(_LEAST_WORDS, min(setup.config.summary_max_tokens, reply_tokens) * 2 // 5)
    values = {"notes": notes or _NO_NOTES, "transcript": transcript, "words": str(words)}
    return render("summary", values, replacements=setup.config.prompts)


def _refuses(parsed: Parsed, source: Source, summary: Summary) -> bool:
    """Say whether a text without headings is an excuse: it opens like one, and its words are not those of the source."""
    if not _REFUSAL.match(parsed.text):
        return False
    said = frozenset(term for one in source.said for term in content_terms(one.text)) | content_terms(summary_text(summary))
    return share(content_terms(parsed.text), said) < _HALF

"""What can leave a log for good: summarised blocks behind the watermark, and what the state is without them."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.messages import BaseMessage, RemoveMessage, SystemMessage, ToolMessage, convert_to_messages

from langchain_contextmode.content import all_calls, is_pinned, of_session
from langchain_contextmode.originals import storable
from langchain_contextmode.parsing import parse
from langchain_contextmode.summary.coverage import reach, total_digest
from langchain_contextmode.summary.state import Summary
from langchain_contextmode.topics import CONCERN as ARCHIVE
from langchain_contextmode.topics import MERGE_TURNS, Entry, archive_state, entries_of, merged, merged_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_contextmode.blocks import Block, Log
    from langchain_contextmode.summary.coverage import Reach

_SUMMARY, _PINS = "summary", "pins"

logger = logging.getLogger("langchain_contextmode")


class Pruned(NamedTuple):
    """What pruning brought.

    Attributes:
        removals: One for each message that may go, in log order; ids of this very log, none twice.
        state: The new state; the one given where nothing goes.
        failed: Why nothing goes although something should; empty otherwise. Holds no message text.
    """

    removals: list[RemoveMessage]
    state: dict[str, Any]
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would go, before anything is written.

    Attributes:
        state: As given, checked.
        log: The log as blocks.
        covered: Blocks that the summary stands for.
        blocks: Those of them that go.
        originals: All messages that go, as the host gave them, in log order.
        failed: Why nothing goes.
        restorable: The originals are in an archive.
        max_entries: Lines of pruned messages held in state.
    """

    state: dict[str, Any]
    log: Log
    covered: tuple[Block, ...] = ()
    blocks: tuple[Block, ...] = ()
    originals: tuple[BaseMessage, ...] = ()
    failed: str = ""
    restorable: bool = False
    max_entries: int = 0

    @property
    def goes(self) -> bool:
        """Say whether any message goes."""
        return bool(self.originals)

    def given_up(self, why: str) -> Pruned:
        """Leave everything as it is, and say why."""
        logger.warning("prune: nothing was removed: %s", why)
        return Pruned([], self.state, why)

    def done(self) -> Pruned:
        """Return removals and state; the originals must be safe by now."""
        if not self.goes:
            return self.given_up(self.failed) if self.failed else Pruned([], self.state)
        removals = [RemoveMessage(id=message.id or "") for message in self.originals]
        if not self.blocks:
            return Pruned(removals, self.state)
        state = {**self.state, _SUMMARY: self._summary(), ARCHIVE: archive_state(self._entries())}
        if _PINS in state:
            state[_PINS] = self._pins(state[_PINS])
        return Pruned(removals, state)

    def _summary(self) -> dict[str, Any]:
        gone = {block.index for block in self.blocks}
        stay = [block for block in self.covered if block.index not in gone]
        kept = tuple(identity for block in stay for identity in block.ids)
        return replace(Summary.of(self.state[_SUMMARY]), through="", kept=kept, digest=total_digest(stay)).state()

    def _entries(self) -> list[Entry]:
        turn_of = _turns(self.log)
        said = [block for block in self.blocks if of_session(block.messages[0])]
        groups = merged(said, turn_of, now=max(turn_of.values(), default=0) + MERGE_TURNS)  # they are final: nothing joins them later
        lines = [Entry(merged_line(group), tuple(i for block in group for i in block.ids), self.restorable) for group in groups]
        entries = [*entries_of(self.state.get(ARCHIVE)), *lines]
        return entries[max(0, len(entries) - self.max_entries) :]

    def _pins(self, concern: dict[str, Any]) -> dict[str, Any]:
        """Mark pins whose message goes, so that they outlive it."""
        gone = {message.id for message in self.originals}
        items = concern.get("items")
        if not isinstance(items, list):
            return concern
        return {**concern, "items": [{**i, "pruned": True} if isinstance(i, dict) and i.get("message_id") in gone else i for i in items]}


def plan(messages: Sequence[Any], state: dict[str, Any], *, keep_turns: int, max_entries: int, storing: bool) -> Plan:
    """Choose what goes; see `prune.prune`.

    Args:
        messages: The log. Not modified.
        state: Checked. Not modified.
        keep_turns: Newest turns that stay, at least 1.
        max_entries: Lines held in state.
        storing: Originals will be written; what cannot be stored stays.
    """
    given = [m if isinstance(m, BaseMessage) else convert_to_messages([m])[0] for m in messages]
    log = parse(given)
    found = reach(log, Summary.of(state.get(_SUMMARY, {})))
    nothing = Plan(state, log, failed=found.stale, restorable=storing, max_entries=max_entries)
    edge = _edge(log, keep_turns)
    if not found.ahead or not edge:
        return nothing
    covered = tuple(log.blocks[index] for index in sorted(found.covered))
    own = _own(given)
    blocks, strays = _candidates(log, covered, found, edge, own)
    stuck = 0
    if storing:
        strays = [identity for identity in strays if storable(own[identity])]
        fit = [block for block in blocks if all(storable(own[identity]) for identity in block.ids)]
        stuck, blocks = len(blocks) - len(fit), fit
    blocks = _without_heirs(blocks, log, own, given, strays)
    goes = {identity for block in blocks for identity in block.ids}.union(strays)
    originals = tuple(own[identity] for identity in log.order if identity in goes)
    if goes and not _reads_as_before(log, given, goes):
        return replace(nothing, failed="the messages that stay would be read differently")
    failed = f"the archive cannot hold what {stuck} blocks hold; they stay" if stuck and not originals else ""
    return replace(nothing, covered=covered, blocks=tuple(blocks), originals=originals, failed=failed)


def _candidates(
    log: Log, covered: Sequence[Block], found: Reach, edge: int, own: Mapping[str, BaseMessage]
) -> tuple[list[Block], list[str]]:
    """Return the blocks that may go, and the ids of what can never be sent and stands behind the watermark."""
    place = {identity: position for position, identity in enumerate(log.order)}
    behind = min(edge, place[log.blocks[found.ahead].id]) if found.ahead < len(log.blocks) else edge
    blocks = [block for block in covered if not block.pinned and all(identity in own and place[identity] < edge for identity in block.ids)]
    strays = [
        identity
        for identity in log.left_out
        if identity in own and place[identity] < behind and not isinstance(own[identity], SystemMessage) and not is_pinned(own[identity])
    ]
    return blocks, strays


def _without_heirs(
    blocks: Sequence[Block], log: Log, own: Mapping[str, BaseMessage], given: Sequence[BaseMessage], strays: Sequence[str]
) -> list[Block]:
    """Leave out call blocks to which a doubled result belongs that stays: without them it could answer an older call of that id."""
    placed = zip(log.order, (m for m in given if not isinstance(m, RemoveMessage)), strict=True)
    stay = {m.tool_call_id for identity, m in placed if identity in log.left_out and identity not in strays and isinstance(m, ToolMessage)}
    return [block for block in blocks if not stay or stay.isdisjoint(call.get("id") for call in all_calls(own[block.id]))]


def _reads_as_before(log: Log, given: Sequence[BaseMessage], goes: set[str]) -> bool:
    """Say whether the log without these messages has the same blocks as with them."""
    rest = parse([message for message in given if message.id not in goes])
    return [block.ids for block in rest.blocks] == [block.ids for block in log.blocks if goes.isdisjoint(block.ids)]


def _own(messages: Sequence[BaseMessage]) -> dict[str, BaseMessage]:
    """Map ids that name one message of the log to it; a removal by any other id would fail or take more than one."""
    counts = Counter(message.id for message in messages)
    return {message.id: message for message in messages if message.id and counts[message.id] == 1}


def _edge(log: Log, keep_turns: int) -> int:
    """Return the position in the log at which the newest turns begin; 0 where nothing is older."""
    starts = [block for block in log.blocks if _opens_turn(block)]
    if not starts:
        return 0
    return log.order.index(starts[max(0, len(starts) - max(1, keep_turns))].id)


def _turns(log: Log) -> dict[int, int]:
    numbers, turn = {}, -1
    for block in log.blocks:
        turn += _opens_turn(block)
        numbers[block.index] = max(turn, 0)
    return numbers


def _opens_turn(block: Block) -> bool:
    return block.spoken

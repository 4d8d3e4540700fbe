"""Pins: what a human demanded, sentence by sentence, with the message it stands in (S4).

The log is the truth: pins are spotted anew in each turn, from memory where a message was seen before. State holds what the log
cannot tell: pins of pruned messages, pins that a model proposed, what the application added and removed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from langchain_contextmode.content import text_of
from langchain_contextmode.cues.remembered import lifts, may_lift, overrules, spot
from langchain_contextmode.errors import ConfigError
from langchain_contextmode.schema import STATE_VERSION, Pin, PinKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langchain_contextmode.blocks import Block, Log

CONCERN = "pins"
"""Key of the pins in the state channel."""

_REMOVED_MAX = 200
"""Removals remembered of messages that are no longer in the log; the newest."""

TASTES = frozenset({"preference", "dislike", "format"})
"""Kinds that say how the user likes it; the others bind."""

_TEXT_CHARS = 2_000


class Stored(NamedTuple):
    """A pin as state holds it.

    Attributes:
        pin: The pin.
        pruned: The prune node took its message out of the log.
    """

    pin: Pin
    pruned: bool = False

    @classmethod
    def of(cls, item: Any) -> Stored | None:
        """Read one entry; `None` if it is none."""
        try:
            kind, source = item["kind"], item["source"]
            if kind not in get_args(PinKind) or source not in {"local", "model", "application"} or not item["text"]:
                return None
            pin = Pin(str(item["text"]), str(item["message_id"]), kind, bool(item["active"]), source)
            return cls(pin, bool(item.get("pruned", False)))
        except (KeyError, TypeError):
            return None

    def plain(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        return {**self.pin._asdict(), "pruned": self.pruned}


@dataclass(frozen=True, slots=True)
class Pins:
    """All pins of a conversation, oldest first; the application's own stand behind the others.

    Attributes:
        items: Overruled ones included.
        removed: What the application removed, as `(message id, hash of the sentence)`; it is not spotted again.
        evicted: Active pins that the limit left no room for, oldest first; the summary takes them over. Not stored.
    """

    items: tuple[Stored, ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    evicted: tuple[Pin, ...] = ()

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Pins:
        """Read the `pins` concern; entries of another shape are left out."""
        items, removed = state.get("items"), state.get("removed")
        read = map(Stored.of, items) if isinstance(items, list) else ()
        pairs = tuple(pair for item in removed if (pair := _pair(item))) if isinstance(removed, list) else ()
        return cls(tuple(item for item in read if item is not None), pairs)

    def state(self) -> dict[str, Any]:
        """Return the concern for the state channel; empty if there is nothing to keep."""
        if not self.items and not self.removed:
            return {}
        return {"version": STATE_VERSION, "items": [item.plain() for item in self.items], "removed": [list(pair) for pair in self.removed]}

    @property
    def pins(self) -> tuple[Pin, ...]:
        """All pins, overruled ones included."""
        return tuple(item.pin for item in self.items)

    def proposed(self, proposals: Iterable[tuple[str, str, PinKind]], limit: int) -> Pins:
        """Add what a model proposed: message id, a sentence that stands there, kind. Known sentences are not doubled."""
        known = {(item.pin.message_id, item.pin.text) for item in self.items}
        new = [
            Stored(Pin(text, identity, kind, source="model"))
            for identity, text, kind in proposals
            if not any(identity == other and (text in held or held in text) for other, held in known)
            and (identity, sentence_hash(text)) not in self.removed
        ]
        return replace(self, items=_capped([*self.items, *new], limit)[0]) if new else self


def _pair(item: Any) -> tuple[str, str] | None:
    match item:
        case [str(identity), str(digest)]:
            return identity, digest
    return None


def collect(log: Log, state: Mapping[str, Any], limit: int, put_back: frozenset[str] = frozenset()) -> Pins:
    """Return the pins of a conversation as it now stands.

    Args:
        log: The parsed log. Only messages that a human said in this session can hold pins.
        state: The `pins` concern of the last turn, or empty. Not modified.
        limit: Pins held at most; overruled ones leave first, then preferences, the oldest first.
        put_back: Ids of messages that only an archive of originals still holds; their pins are those of state.

    Returns:
        What the log says, and of the state what the log cannot say. What names a message that is no longer in the log,
        or says something else now, is gone, unless that message was pruned.
    """
    old = Pins.of(state)
    spoken = [block for block in log.blocks if block.spoken and put_back.isdisjoint(block.ids)] if limit else []
    texts = {block.id: text_of(block.messages[0]) for block in spoken}
    pruned = [item for item in old.items if item.pruned and item.pin.message_id not in texts and item.pin.source != "application"]
    found = [Stored(Pin(text, block.id, kind)) for block in spoken for text, kind in spot(texts[block.id])]
    proposed = [item for item in old.items if item.pin.source == "model" and item.pin.text in texts.get(item.pin.message_id, "")]
    own = [item for item in old.items if item.pin.source == "application" and _stands(item, log)]
    place = {block.id: block.index for block in spoken}
    placed = sorted([*found, *proposed], key=lambda item: place[item.pin.message_id])
    gone = frozenset(old.removed)
    said = [item for item in (*pruned, *placed) if (item.pin.message_id, sentence_hash(item.pin.text)) not in gone]
    items, evicted = _capped([*_overruled(said, spoken, texts, limit), *own], limit)
    present = frozenset(log.order)
    absent = frozenset([pair for pair in old.removed if pair[0] not in present][-_REMOVED_MAX:])
    return Pins(items, tuple(pair for pair in old.removed if pair[0] in present or pair in absent), evicted)


def _stands(item: Stored, log: Log) -> bool:
    """Say whether the message that an application's pin names is in the log or was pruned from it."""
    return not item.pin.message_id or item.pruned or item.pin.message_id in log.order


def _overruled(items: Sequence[Stored], spoken: Sequence[Block], texts: Mapping[str, str], limit: int) -> list[Stored]:
    """Let later pins overrule earlier ones on the same matter, and later messages lift them.

    Each pin is compared with as many active ones before it as state can hold, the newest.
    """
    place = {block.id: block.index for block in spoken}
    lifters = [(block.index, texts[block.id]) for block in spoken if may_lift(texts[block.id])]
    overruled: set[int] = set()
    active: list[int] = []
    for number, item in enumerate(items):
        if item.pruned and not item.pin.active:
            overruled.add(number)
            continue
        over = [earlier for earlier in active[-limit:] if _says_otherwise(item.pin.text, items[earlier].pin.text)]
        overruled.update(over)
        active = [earlier for earlier in active if earlier not in over] if over else active
        said_at = place.get(item.pin.message_id, -1)
        if any(lifts(text, item.pin.text) for index, text in lifters if index > said_at):
            overruled.add(number)
        else:
            active.append(number)
    return [item._replace(pin=item.pin._replace(active=number not in overruled)) for number, item in enumerate(items)]


def _says_otherwise(new: str, old: str) -> bool:
    return new.strip() == old.strip() or overrules(new, old)


def _capped(items: Sequence[Stored], limit: int) -> tuple[tuple[Stored, ...], tuple[Pin, ...]]:
    """Return what stays within the limit, and the active pins that do not."""
    over = len(items) - limit
    if over <= 0:
        return tuple(items), ()
    pins = [item.pin for item in items]
    order = sorted(range(len(items)), key=lambda n: (pins[n].active, pins[n].source == "application", pins[n].kind not in TASTES, n))
    out = frozenset(order[:over])
    evicted = tuple(pins[number] for number in sorted(out) if pins[number].active) if limit else ()
    return tuple(item for number, item in enumerate(items) if number not in out), evicted


def sentence_hash(text: str) -> str:
    """Return the hash under which state remembers a removed sentence."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _stored(state: Mapping[str, Any] | None) -> Pins:
    concern = (state or {}).get(CONCERN) or {}
    return Pins.of(concern)


def add_pin(state: Mapping[str, Any] | None, text: str, *, kind: PinKind = "rule", message_id: str = "") -> dict[str, Any]:
    """Add a pin for the application; it stays until `remove_pin`, whatever is said later.

    Args:
        state: `view.state` of the last turn, or `None`. Not modified.
        text: What has to be respected.
        kind: Where it is listed.
        message_id: The message it is from, if there is one; the pin goes when that message leaves the log.

    Returns:
        The new state, for the next `prepare_context` or the state channel.

    Raises:
        ConfigError: The text is empty or longer than 2,000 characters, or there is no such kind.
    """
    if not isinstance(text, str) or not text.strip():
        problem = "A pin needs a text. Pass the sentence that has to be respected."
        raise ConfigError(problem)
    if len(text) > _TEXT_CHARS:
        problem = f"A pin has at most {_TEXT_CHARS} characters, this one has {len(text)}. Pin the sentence that has to be respected."
        raise ConfigError(problem)
    if kind not in get_args(PinKind):
        problem = f"There is no kind of pin {kind!r}. Kinds: {', '.join(get_args(PinKind))}."
        raise ConfigError(problem)
    pins = _stored(state)
    new = Stored(Pin(text.strip(), message_id, kind, source="application"))
    kept = [item for item in pins.items if (item.pin.text, item.pin.message_id) != (new.pin.text, message_id)]
    removed = tuple(pair for pair in pins.removed if pair != (message_id, sentence_hash(new.pin.text)))
    return {**(state or {}), CONCERN: Pins((*kept, new), removed).state()}


def list_pins(state: Mapping[str, Any] | None, *, active_only: bool = False) -> list[Pin]:
    """Return the pins that a state holds, oldest first.

    Args:
        state: `view.state`, or `None`.
        active_only: Leave out the overruled ones.
    """
    return [pin for pin in _stored(state).pins if pin.active or not active_only]


def remove_pin(state: Mapping[str, Any] | None, pin: Pin | str) -> dict[str, Any]:
    """Remove a pin for good: its sentence is not spotted again in the same message.

    Args:
        state: `view.state`. Not modified.
        pin: One of `list_pins(state)`, or its text (then every pin with this text).

    Returns:
        The new state.

    Raises:
        ConfigError: The state holds no such pin.
    """
    pins = _stored(state)
    text = pin if isinstance(pin, str) else pin.text
    hit = [item for item in pins.items if item.pin.text == text and (isinstance(pin, str) or item.pin.message_id == pin.message_id)]
    if not hit:
        problem = f"The state holds no such pin. It holds {len(pins.items)}; see list_pins(state)."
        raise ConfigError(problem)
    removed = dict.fromkeys([*pins.removed, *((item.pin.message_id, sentence_hash(text)) for item in hit if item.pin.message_id)])
    return {**(state or {}), CONCERN: Pins(tuple(item for item in pins.items if item not in hit), tuple(removed)).state()}

"""Made-up conversations in which it is known what was said where: facts with exact values, demands, decisions, and talk in between.

English with a share of Chinese; the same seed gives the same conversation. Nothing in the wording depends on how the package
spots or searches anything.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import dialogue_demands as demands
import dialogue_facts as facts
import dialogue_talk as talk
from dialogue_draw import Draw, fill
from dialogue_near import FAR
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dialogue_demands import Choice, Demand
    from dialogue_facts import Fact

ECHOED = 0.25
DOUBLE = 0.2
"""Share of user messages that get no answer before the next one."""
SEARCHED = 0.15
BEHIND = 0.2
"""Share of what counts that stands behind something else in the same message."""
ENDS = (".", "!", "?", "。", "！", "？")
FACTS_PER_KIND = (6, 3)
DEMANDS = (8, 4)
CHOICES = (8, 4)
"""English and Chinese ones in a conversation."""
MESSAGES_PER_ITEM = 2.4


class Item(NamedTuple):
    """One thing that was said and is asked for later.

    Attributes:
        kind: `pin`, `decision`, or what the value is.
        spans: What has to be readable, letter by letter, all of it.
        core: What a summary in other words has to hold at least.
        text: The sentence.
        ids: Messages of the block that said it (for a decision that accepts an offer, the offer's too).
        asked: A question for it that does not hold the spans.
        far: The question in other words; empty where there is none.
        valid: Nothing later took its place.
    """

    kind: str
    spans: tuple[str, ...]
    core: str
    text: str
    ids: tuple[str, ...]
    asked: str
    far: str = ""
    valid: bool = True


@dataclass
class Conversation:
    messages: list[BaseMessage] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def asking(self, question: str) -> list[BaseMessage]:
        """Return the log with a question at its end."""
        return [*self.messages, HumanMessage(question, id="asked")]


class Writer:
    """Writes a conversation message by message."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.draw = Draw(rng)
        self.done = Conversation([SystemMessage("You are a helpful assistant for work and home. You have tools.", id="m000")])

    def _add(self, kind: Callable[..., BaseMessage], text: str, **more: object) -> str:
        identity = f"m{len(self.done.messages):03}"
        self.done.messages.append(kind(text, id=identity, **more))
        return identity

    def human(self, text: str) -> str:
        return self._add(HumanMessage, text)

    def ai(self, text: str) -> str:
        return self._add(AIMessage, text)

    def tool(self, name: str, query: str, result: str) -> tuple[str, str]:
        call = {"name": name, "args": {"query": query}, "id": f"call_{len(self.done.messages)}", "type": "tool_call"}
        return self._add(AIMessage, "", tool_calls=[call]), self._add(ToolMessage, result, tool_call_id=call["id"], name=name)

    def wrapped(self, sentence: str) -> str:
        """Put a sentence into a message as people do, with a word before or after, or behind something else."""
        if self.rng.random() < BEHIND:
            other = self.draw.chatter()[0]
            return other + (" " if other.endswith(ENDS) else "\n") + sentence
        before, after = (talk.BEFORE_CHINESE, talk.AFTER_CHINESE) if is_chinese(sentence) else (talk.BEFORE, talk.AFTER)
        return self.rng.choice(before) + sentence + self.rng.choice(after)

    def answer(self, sentence: str, value: str = "") -> None:
        """Let the assistant answer, now and then with the value, or not at all."""
        if self.rng.random() < DOUBLE:
            return
        chinese = is_chinese(sentence)
        if value and self.rng.random() < ECHOED:
            self.ai(self.rng.choice(talk.ECHOES_CHINESE if chinese else talk.ECHOES).replace("<v>", value))
        else:
            self.ai(self.rng.choice(talk.ANSWERS_CHINESE if chinese else talk.ANSWERS))

    def chat(self) -> None:
        if self.rng.random() < SEARCHED:
            name, query, result, said = self.draw.search()
            self.human(f"Could you look for {query}?")
            self.tool(name, query, result)
            self.ai(said)
            return
        said, answered = self.draw.chatter()
        self.human(said)
        if self.rng.random() >= DOUBLE:
            self.ai(answered)

    def fact(self, said: str, fact: Fact, value: str, asked: str, far: str) -> Item:
        text = fill(said, {"<v>": value})
        chinese = is_chinese(text)
        ids: tuple[str, ...]
        if fact.by == "human":
            ids = (self.human(self.wrapped(text)),)
            self.answer(text, value if fact.kind not in {"negation", "words"} else "")
        elif fact.by == "ai":
            self.human(self.rng.choice(talk.PROMPTS_CHINESE if chinese else talk.PROMPTS))
            ids = (self.ai(text),)
        else:
            name, subject = fact.by.rstrip(")").split("(")
            self.human(self.rng.choice(talk.ORDERS_CHINESE if chinese else talk.ORDERS))
            ids = self.tool(name, subject, text)
            self.answer(text)
        return Item(fact.kind, (value,), value, text, ids, asked, far)

    def demand(self, sentence: str, core: str, asked: str) -> Item:
        ids = (self.human(self.wrapped(sentence)),)
        self.answer(sentence)
        return Item("pin", (sentence.rstrip(".。"),), core, sentence, ids, asked)

    def choice(self, choice: Choice, fillers: dict[str, str]) -> Item:
        said, core = fill(choice.said, fillers), fill(choice.core, fillers)
        ids = []
        if choice.offered:
            self.human("有什么要我定的吗？" if is_chinese(said) else "What do you need from me?")
            ids.append(self.ai(choice.offered))
        ids.append(self.human(said))
        self.ai(choice.answered)
        return Item("decision", (core,), core, said, tuple(ids), choice.asked)


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


class _Script:
    """Plans what is said when (0..1), then has it written."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.writer = Writer(rng)
        self.plan: list[tuple[float, int, Callable[[], None]]] = []

    def told(self, fact: Fact) -> None:
        fillers = self.writer.draw.fillers()
        said, asked, far, again = (fill(text, fillers) for text in (fact.said, fact.asked, FAR.get(fact.asked, ""), fact.again))
        first, second = (self.writer.draw.value(fact.value) if fact.kind not in {"negation", "words"} else fact.value for _ in range(2))
        self._once_or_twice(
            lambda: self.writer.fact(said, fact, first, asked, far),
            (lambda: self.writer.fact(again, fact, second, asked, far)) if again else None,
        )

    def demanded(self, demand: Demand) -> None:
        fillers = self.writer.draw.fillers()
        said, core, again = (fill(text, fillers) for text in (demand.said, demand.core, demand.overruled_by))
        self._once_or_twice(
            lambda: self.writer.demand(said, core, demand.asked),
            (lambda: self.writer.demand(again, demand.new_core, demand.asked)) if again else None,
        )

    def chosen(self, choice: Choice) -> None:
        fillers = self.writer.draw.fillers()
        self._once_or_twice(lambda: self.writer.choice(choice, fillers), None)

    def _once_or_twice(self, first: Callable[[], Item], second: Callable[[], Item] | None) -> None:
        items = self.writer.done.items
        place: list[int] = []

        def now() -> None:
            place.append(len(items))
            items.append(first())

        when = self.rng.random() * (0.6 if second else 1.0)
        self.plan.append((when, len(self.plan), now))
        if second:

            def later() -> None:
                items[place[0]] = items[place[0]]._replace(valid=False)
                items.append(second())

            self.plan.append((when + 0.1 + self.rng.random() * 0.25, len(self.plan), later))

    def write(self, messages: int) -> Conversation:
        """Write what was planned, with talk in between so that it comes to at least this many messages."""
        done = self.writer.done.messages
        for number, (_, _, action) in enumerate(sorted(self.plan, key=lambda told: told[:2])):
            needed = MESSAGES_PER_ITEM * (len(self.plan) - number)
            while self.rng.random() < (messages - len(done) - needed) / max(messages - len(done), 1):
                self.writer.chat()
            action()
        while len(done) < messages:
            self.writer.chat()
        return self.writer.done


def conversation(seed: int, messages: int = 400) -> Conversation:
    """Return mixed work and talk: at least this many messages, a third of what counts in Chinese."""
    rng = random.Random(seed)
    script = _Script(rng)
    for demand in (*rng.sample(demands.DEMANDS, DEMANDS[0]), *rng.sample(demands.DEMANDS_CHINESE, DEMANDS[1])):
        script.demanded(demand)
    for choice in (*rng.sample(demands.CHOICES, CHOICES[0]), *rng.sample(demands.CHOICES_CHINESE, CHOICES[1])):
        script.chosen(choice)
    for kind in dict.fromkeys(fact.kind for fact in facts.ENGLISH):
        for source, count in zip((facts.ENGLISH, facts.CHINESE), FACTS_PER_KIND, strict=True):
            for fact in rng.sample([fact for fact in source if fact.kind == kind], count):
                script.told(fact)
    return checked(script.write(messages))


def recollection(seed: int, told: Sequence[Fact], turns_later: int) -> Conversation:
    """Return a conversation that opens with these facts and goes on with unrelated talk for so many turns."""
    script = _Script(random.Random(seed))
    for fact in told:
        script.told(fact._replace(again=""))
    script.write(3 * len(told))
    for _ in range(turns_later):
        script.writer.chat()
    return checked(script.writer.done)


def checked(done: Conversation) -> Conversation:
    """Make sure of what the measurements rely on: questions do not hold the answer, values stand where they should."""
    texts = {m.id: json.dumps(m.content, ensure_ascii=False) for m in done.messages}
    for item in done.items:
        assert not any(span in item.asked or span in item.far for span in item.spans), item
        assert all(any(json.dumps(span, ensure_ascii=False)[1:-1] in texts[i] for i in item.ids) for span in item.spans), item
    return done

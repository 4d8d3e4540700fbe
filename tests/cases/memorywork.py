"""A memory without a store: turns in, rows out, by the parts that a store is written from."""

from __future__ import annotations

from dataclasses import replace

from langchain_core.messages import AIMessage

from langchain_contextmode import ContextConfig
from langchain_contextmode._calls import CallFailedError
from langchain_contextmode._ports import finish
from langchain_contextmode.memories.ask_model import ask_model, queued
from langchain_contextmode.memories.extract import extract, said
from langchain_contextmode.memories.learn import learned


class Remembered:
    """One user's session with a scripted model, or with none."""

    def __init__(self, *replies):
        self.replies, self.prompts, self.reports = list(replies), [], []
        self.log, self.rows, self.pending, self.refused = [], [], (), []
        self.config = ContextConfig()

    def has(self, role):
        """There is a model for memory as long as replies were given."""
        return role == "memory" and bool(self.replies)

    async def ask(self, prompt, **options):
        """Reply with the next text, the last one again; an error is raised."""
        del options
        self.prompts.append(prompt)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return AIMessage(reply)

    def degraded(self, step, why):
        """Keep what is reported."""
        self.reports.append((step, why))

    def turn(self, *messages):
        """Take a turn into the log and remember what it says."""
        self.log += messages
        human, new = said(self.log), {message.id for message in said(messages)}
        key = f"s1:{len(self.log)}"
        found = extract(human, turn_key=key, skip=frozenset(message.id for message in human if message.id not in new))
        self.pending = queued(self.pending, [message.id for message in human if message.id in new])
        answer = finish(ask_model(self, human, self.pending))
        self.pending = answer.pending
        self.refused += answer.refused
        self._merge(found, key)
        self._merge(list(answer.memories), "")
        return self

    def _merge(self, found, key):
        plan = learned(self.rows, found, turn_key=key, now=1)
        self.refused += plan.refused
        changed = {memory.id: memory for memory in plan.update}
        gone = {old.id for old, _ in plan.supersede}
        rows = [changed.get(row.id, row) for row in self.rows]
        self.rows = [replace(row, status="superseded") if row.id in gone else row for row in rows]
        self.rows += [replace(memory, id=f"r{len(self.rows) + number}") for number, memory in enumerate(plan.add)]

    def texts(self):
        """Return the texts of all rows."""
        return [row.text for row in self.rows]


__all__ = ["CallFailedError", "Remembered"]

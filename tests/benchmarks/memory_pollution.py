"""Does memory keep what matters, leave out what does not, and know what is still true?

Runs what local rules find through the merge and the gate, without a store: `python tests/benchmarks/memory_pollution.py [--all]`.
Prints both halves of the templates; `--all` lists every miss.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from memory_words import LOOKALIKES, PREFERENCES, STRESS, TOPICS, UPDATES, VAGUE

from langchain_contextmode.memories.extract import Said, extract
from langchain_contextmode.memories.learn import ended, learned

VAGUE_COUNT = 200
USER_COUNT = 20


class Rows:
    """The rows of one user, changed as a plan says."""

    def __init__(self):
        self.rows, self.turn = [], 0

    def hear(self, text, session="s1"):
        """Merge what a message says."""
        self.turn += 1
        key = f"{session}:{self.turn}"
        found = extract([Said(f"m{self.turn}", text)], turn_key=key)
        plan = learned(self.rows, found, turn_key=key, now=self.turn, session_id=session)
        new = {id(memory): replace(memory, id=f"r{len(self.rows) + n}", session_id=session) for n, memory in enumerate(plan.add)}
        self.rows += new.values()
        changed = {memory.id: memory for memory in plan.update}
        self.rows = [changed.get(row.id, row) for row in self.rows]
        for old, by in plan.supersede:
            heir = by.id or new[id(by)].id
            self.rows = [replace(row, status="superseded", superseded_by=heir) if row.id == old.id else row for row in self.rows]
        return found

    def end(self):
        """Return what is promoted when the session ends."""
        ids = ended(self.rows, self.turn)
        return [row for row in self.rows if row.id in ids]


def remarks(half):
    """Return 200 remarks in passing: the templates, then the same with the thing at hand named."""
    plain = list(VAGUE[half])
    about = [f"{text}, the {topic}" if text.isascii() else f"{text}，那个" for topic in TOPICS for text in VAGUE[half]]
    return (plain + about)[:VAGUE_COUNT]


def pollution(half):
    """Return promoted remarks, and which of the real preferences were not promoted, said twice and stressed."""
    polluted, missed, unheard = [], [], []
    users = [(latin, part) for latin in (True, False) for part in range(0, len(PREFERENCES[half]), USER_COUNT)]
    for latin, part in users:
        noise = [text for text in remarks(half) if text.isascii() == latin]
        real = [text for text in PREFERENCES[half][part : part + USER_COUNT] if text.isascii() == latin]
        rows = Rows()
        for number, text in enumerate(noise):
            rows.hear(text)
            if number < len(real):
                rows.hear(real[number])
        for text in (*noise[:10], *real):
            rows.hear(text)
        promoted = {row.text.strip(" .。") for row in rows.end()}
        polluted += sorted(text for text in promoted if not any(text in said for said in real))
        missed += [text for text in real if not any(row in text for row in promoted)]
        unheard += [text for number, text in enumerate(real) if not _stressed(text, number)]
    return polluted, missed, unheard


def _stressed(text, number):
    alone = Rows()
    alone.hear(STRESS[number % 2 if text.isascii() else 2].format(text))
    return alone.end()


def conflicts(half):
    """Return updates after which the old value still stands or the new one does not, and look-alikes where one is gone."""
    wrong, lost = [], []
    for old, new in UPDATES[half]:
        rows = Rows()
        rows.hear(old)
        rows.hear("I like hiking." if old.isascii() else "我喜欢爬山。")
        rows.hear(new, "s2")
        current = [row.text for row in rows.rows if row.status == "active"]
        if any(old.strip(".。") in text for text in current) or not any(text.strip(" .。") in new for text in current):
            wrong.append((old, new, current))
    for one, other in LOOKALIKES[half]:
        for pair in ((one, other), (other, one)):
            rows = Rows()
            for text in pair:
                rows.hear(text)
            if any(row.status != "active" for row in rows.rows):
                lost.append(pair)
    return wrong, lost


def main():
    """Print both halves."""
    verbose = "--all" in sys.argv
    for half, name in enumerate(("first half (seen while writing)", "second half (written after the rules, seen since its first run)")):
        polluted, missed, unheard = pollution(half)
        wrong, lost = conflicts(half)
        count = len(PREFERENCES[half])
        print(name)  # noqa: T201
        print(f"  remarks promoted                 {len(polluted):3} of {VAGUE_COUNT}")  # noqa: T201
        print(f"  preferences said twice promoted  {count - len(missed):3} of {count}")  # noqa: T201
        print(f"  preferences stressed promoted    {count - len(unheard):3} of {count}")  # noqa: T201
        print(f"  wrong current value              {len(wrong):3} of {len(UPDATES[half])}")  # noqa: T201
        print(f"  wrongly superseded               {len(lost):3} of {2 * len(LOOKALIKES[half])}")  # noqa: T201
        if verbose:
            for item in (*polluted, *missed, *unheard, *wrong, *lost):
                print("   ", item)  # noqa: T201


if __name__ == "__main__":
    main()

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_contextmode.memories.extract import Said, extract
from langchain_contextmode.memories.learn import Plan, ended, learned
from langchain_contextmode.memories.memory import Memory

SAID = [
    "I like tea.",
    "I don't like tea any more.",
    "I live in Porto.",
    "I moved to Braga.",
    "Remember: I live in Porto.",
    "that one is fine too",
    "My brother likes tea.",
    "我喜欢咖啡。",
    "我不再喜欢咖啡了。",
    "I'm allergic to nuts!!",
    "I like this one.",
]


class User:
    """One user's rows, changed as plans say."""

    def __init__(self):
        self.rows, self.turn, self.plan = [], 0, Plan()

    def hear(self, text, session="s1"):
        self.turn += 1
        self.merge(extract([Said(f"m{self.turn}", text)]), f"{session}:{self.turn}", session)

    def merge(self, found, key, session="s1"):
        self.found = [replace(memory, turns=()) for memory in found]
        self.key, self.session = key, session
        self.plan = self.again()
        new = {id(memory): replace(memory, id=f"r{len(self.rows) + n}", session_id=session) for n, memory in enumerate(self.plan.add)}
        self.rows += new.values()
        changed = {memory.id: memory for memory in self.plan.update}
        self.rows = [changed.get(row.id, row) for row in self.rows]
        for old, by in self.plan.supersede:
            heir = by.id or new[id(by)].id
            self.rows = [replace(row, status="superseded", superseded_by=heir) if row.id == old.id else row for row in self.rows]

    def again(self):
        return learned(self.rows, self.found, turn_key=self.key, now=self.turn, session_id=self.session)

    def promote(self):
        ids = ended(self.rows, self.turn)
        self.rows = [replace(row, promoted=True) if row.id in ids else row for row in self.rows]

    def texts(self, **fields):
        return [row.text for row in self.rows if all(getattr(row, name) == value for name, value in fields.items())]


def heard(*texts):
    user = User()
    for text in texts:
        user.hear(text)
    return user


def test_said_twice_is_promoted_and_said_once_is_not():
    """Two turns pass the gate, in the words of the first; one does not."""
    user = heard("I like tea.", "I live in Porto.", "I really love tea!")
    user.promote()
    assert user.texts(promoted=True) == ["I like tea."]
    assert user.rows[0].turns == ("s1:1", "s1:3")


def test_stressed_is_promoted_at_once():
    """What somebody asks to remember passes the gate by itself."""
    user = heard("Please remember: I live in Porto.")
    assert user.plan.promote == user.plan.add
    user.promote()
    assert user.texts(promoted=True)


def test_turns_count_across_sessions():
    """Said once in each of two sessions: the second session's row knows both turns; the first session's row is left as it is."""
    user = User()
    user.hear("I like tea.", "s1")
    user.hear("I like tea.", "s2")
    assert [(row.session_id, len(row.turns)) for row in user.rows] == [("s1", 1), ("s2", 2)]
    user.promote()
    assert [row.session_id for row in user.rows if row.promoted] == ["s2"]


def test_a_remark_in_passing_is_only_counted():
    """However often it is said, it is not promoted; said clearly at last, its turns count and the clear words stand."""
    user = heard("I like this one.", "I like this one.", "I like this one!!")
    assert user.plan.counted
    user.promote()
    assert user.texts(promoted=True) == []


def test_an_update_links_the_old_value():
    """The old row stays, superseded, and names what took its place."""
    user = heard("I live in Porto.", "I moved to Braga.")
    old, new = user.rows
    assert (old.status, old.superseded_by, new.status) == ("superseded", new.id, "active")


def test_what_is_true_again_is_revived():
    """The first value said again is the current one."""
    user = heard("I live in Porto.", "I moved to Braga.", "I live in Porto.")
    assert user.texts(status="active") == ["I live in Porto."]


def test_an_update_of_something_promoted_is_promoted():
    """No later session finds neither value, over any number of updates."""
    user = heard("Remember: I live in Porto.")
    user.promote()
    user.hear("I moved to Braga.", "s2")
    user.hear("I moved to Faro.", "s2")
    user.promote()
    assert user.texts(promoted=True, status="active") == ["I moved to Faro."]


def test_an_update_within_one_turn_leaves_one_row():
    """Of two values in one message only the last is stored."""
    user = heard("I live in Porto. No wait, I moved to Braga.")
    assert user.texts(status="active")[-1].endswith("I moved to Braga.")
    assert len(user.texts(status="active")) == 1


def test_secrets_are_refused_whoever_found_them():
    """A memory that holds a secret is not stored, and the reason does not repeat it."""
    plan = learned([], [Memory(text="My password is hunter2")], turn_key="s1:1", now=1)
    assert not plan.add
    assert "hunter2" not in plan.refused[0].why


def test_topics_are_promoted_when_the_session_ends():
    """Rows of type `archive` need no gate; entities and intents do."""
    rows = [Memory(text="hotel search", type="archive", id="a"), Memory(text="Porto", type="entity", id="e")]
    assert ended(rows, 1) == ["a"]


@given(st.lists(st.tuples(st.sampled_from(SAID), st.sampled_from(["s1", "s2"])), max_size=8))
def test_a_turn_that_is_learned_twice_changes_nothing(said):
    """After any conversation, each turn once more leaves the rows as they are."""
    user = User()
    for text, session in said:
        user.hear(text, session)
        assert user.again()._replace(refused=()) == Plan()


@given(st.lists(st.sampled_from(SAID), max_size=10))
def test_nothing_in_passing_is_ever_promoted_and_no_row_disappears(said):
    """Rows are only added or changed, a superseded row names one that is there, and no vague row passes."""
    user = User()
    for text in said:
        before = {row.id for row in user.rows}
        user.hear(text)
        assert before <= {row.id for row in user.rows}
    user.promote()
    known = {row.id for row in user.rows}
    assert all(row.superseded_by in known for row in user.rows if row.status == "superseded")
    assert not any(row.promoted and row.vague for row in user.rows)


@pytest.mark.parametrize("texts", [("I like tea.", "I don't like tea any more."), ("我喜欢咖啡。", "我不再喜欢咖啡了。")])
def test_likes_that_end_leave_the_others(texts):
    """What is disliked now is gone; another liking stays."""
    user = heard("I like hiking." if texts[0].isascii() else "我喜欢爬山。", *texts)
    assert len(user.texts(status="active")) == 2
    assert texts[0] not in user.texts(status="active")

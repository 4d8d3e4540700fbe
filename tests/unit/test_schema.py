"""The words of the package as types."""

from __future__ import annotations

import dataclasses
import typing

import pytest
from casework import SCOPE, human

from langchain_contextmode import ContextInput, ContextView, Decision, PoolUsage, Scope, ScopeError, prepare_context
from langchain_contextmode.schema import newest


@pytest.mark.parametrize("wrong", ["", " ", "\n", None, 3, b"u1", ["u1"], {"$ne": ""}])
@pytest.mark.parametrize("field", ["user_id", "session_id"])
def test_a_scope_has_two_ids(field, wrong):
    """Neither id may be empty, white space, or anything but a string; the error names the field."""
    with pytest.raises(ScopeError, match=field):
        Scope(**{"user_id": "u1", "session_id": "s1", field: wrong})


def test_a_scope_has_no_defaults_and_does_not_change():
    """There is no default user, and a scope is a frozen value."""
    with pytest.raises(TypeError):
        Scope()
    with pytest.raises(TypeError):
        Scope("u1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        Scope("u1", "s1").user_id = "u2"
    assert Scope("u1", "s1") == Scope("u1", "s1") != Scope("u1", "s2")
    assert len({Scope("u1", "s1"), Scope("u1", "s1")}) == 1


def test_a_view_has_what_was_promised():
    """The fields of a view that other programs rely on, of the types they rely on."""
    view = prepare_context([human("q", "h1")], scope=SCOPE)
    assert [f.name for f in dataclasses.fields(ContextView)][:8] == [
        "messages", "decisions", "archive", "levels", "pools", "tokens", "state", "report",
    ]  # fmt: skip
    assert isinstance(view.decisions["h1"], Decision)
    assert all(isinstance(pool, PoolUsage) for pool in view.pools.values())
    assert view.levels["session"].startswith("off: ")
    assert isinstance(view.explain(), str)
    with pytest.raises(dataclasses.FrozenInstanceError):
        view.tokens = 0


def test_levels_say_why():
    """With a history the session level is on, and the reason stands beside it."""
    assert prepare_context([("user", "a"), ("ai", "b"), ("user", "c")], scope=SCOPE).levels["session"].startswith("on: ")


@pytest.mark.parametrize(
    ("left", "right", "stands"),
    [({"a": 1}, {"b": 2}, {"b": 2}), ({"a": 1}, None, {"a": 1}), (None, None, {}), (None, {}, {}), ({"a": 1}, {}, {})],
)
def test_the_newer_state_stands(left, right, stands):
    """The reducer replaces and never merges; no update leaves what was there."""
    assert newest(left, right) == stands


def test_the_input_type_names_the_channels():
    """A node that is annotated with it sees log, state and view."""
    assert set(typing.get_type_hints(ContextInput)) == {"messages", "contextmode", "context_view"}

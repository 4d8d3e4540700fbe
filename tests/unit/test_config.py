"""Settings are checked when they are made, and cannot be changed after."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from langchain_contextmode import ConfigError, ContextConfig, Pools, Scope, prepare_context
from langchain_contextmode.testing import ScriptedChatModel


def test_defaults_are_the_documented_ones():
    """The numbers that documents and other programs rely on."""
    config = ContextConfig()
    assert (config.keep_score, config.compress_score, config.protect_messages) == (8, 6, 20)
    assert (config.filter_above_messages, config.filter_above_tokens) == (80, 4_000)
    assert (config.judge_batch_messages, config.judge_max_messages, config.reuse_similarity) == (12, 48, 0.95)
    assert (config.archive_lines_limit, config.archive_max_entries, config.verdicts_max) == (8, 200, 500)
    assert (config.view_tokens, config.layout, config.alternate_roles, config.shorten_request) == (None, "attention", False, False)
    assert (config.window_turns, config.summarize_above_tokens, config.summary_slice_turns, config.pins_max) == (20, 8_000, 10, 100)
    assert config.pools.model_dump() == {"system": 0.10, "knowledge": 0.15, "history": 0.40, "output": 0.25, "safety": 0.10}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"keep_scor": 8}, "keep_scor"),
        ({"keep_score": 11}, "keep_score"),
        ({"keep_score": "high"}, "keep_score"),
        ({"compress_score": 9}, "compress_score (9) must not be above keep_score (8)"),
        ({"view_tokens": 0}, "view_tokens"),
        ({"window_tokens": 100}, "window_tokens"),
        ({"protect_messages": -1}, "protect_messages"),
        ({"reuse_similarity": 1.5}, "reuse_similarity"),
        ({"layout": "random"}, "layout"),
        ({"lowest_action": "keep"}, "lowest_action"),
        ({"judge_reading": "essay"}, "judge_reading"),
        ({"judge_batch_messages": 0}, "judge_batch_messages"),
        ({"call_timeout_seconds": 0}, "call_timeout_seconds"),
        ({"max_concurrency": 0}, "max_concurrency"),
        ({"on_error": "ignore"}, "on_error"),
        ({"pools": {"history": 2}}, "history"),
    ],
)
def test_a_wrong_setting_is_named(settings, told):
    """A setting that is unknown, out of range or contradictory is a ConfigError that names it."""
    with pytest.raises(ConfigError) as caught:
        ContextConfig(**settings)
    assert told in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("shares", "told"),
    [({"output": 0.1}, "output"), ({"history": 0.9}, "sum to 1.50"), ({"system": -0.1}, "system"), ({"memory": 0.1}, "memory")],
)
def test_wrong_pools_are_refused(shares, told):
    """The output reserve is at least 15 %, no share is negative, and together they are at most the window."""
    with pytest.raises(ConfigError, match=told):
        Pools(**shares)


def test_pools_for_reasoning_leave_more_for_the_answer():
    """Models that think at length get 40 % of the window for output."""
    pools = Pools.for_reasoning()
    assert pools.output == 0.40
    assert sum(pools.model_dump().values()) == pytest.approx(1)


def test_settings_cannot_be_changed():
    """A configuration is shared by runs; it is frozen."""
    config = ContextConfig()
    with pytest.raises(ValidationError):
        config.keep_score = 9
    with pytest.raises(ValidationError):
        config.pools.output = 0.5


def test_settings_are_plain_data():
    """A configuration goes through JSON and comes back equal."""
    config = ContextConfig(view_tokens=500, pools=Pools.for_reasoning(), prompts={})
    assert ContextConfig.model_validate_json(config.model_dump_json()) == config


def test_the_window_comes_from_the_models_profile():
    """`for_model` reads `max_input_tokens`; a given window wins, and a model without a profile asks for one."""
    known, unknown = ScriptedChatModel(profile={"max_input_tokens": 32_000}), ScriptedChatModel()
    assert ContextConfig.for_model(known).window_tokens == 32_000
    assert ContextConfig.for_model(known, window_tokens=9_000, keep_score=9) == ContextConfig(window_tokens=9_000, keep_score=9)
    assert ContextConfig.for_model(unknown, window_tokens=9_000).window_tokens == 9_000
    with pytest.raises(ConfigError, match=r"ScriptedChatModel.*window_tokens"):
        ContextConfig.for_model(unknown)


def test_the_environment_does_not_matter(monkeypatch):
    """No setting is read from the environment."""
    for name in ("KEEP_SCORE", "CONTEXTMODE_KEEP_SCORE", "LANGCHAIN_CONTEXTMODE_KEEP_SCORE"):
        monkeypatch.setenv(name, "9")
    assert ContextConfig().keep_score == 8


@pytest.mark.parametrize(
    "collaborators", [{"models": {"judge": None}}, {"token_counter": 3}, {"config": ContextConfig(prompts={"poem": "x"})}]
)
def test_a_wrong_collaborator_is_refused_before_anything_is_done(collaborators):
    """An unknown role, a counter that is none and an unknown prompt are ConfigErrors."""
    with pytest.raises(ConfigError):
        prepare_context([("user", "q")], scope=Scope("u", "s"), **collaborators)


def test_presets_are_settings_like_any_other():
    """A preset names its settings, takes others beside them, and the defaults are one of the three."""
    assert ContextConfig.preset("context-mode") == ContextConfig()
    assert ContextConfig.preset("filter").summarize_above_tokens is None
    assert ContextConfig.preset("harness", view_tokens=900).window_turns == 3
    assert ContextConfig.preset("filter", pins_max=5).pins_max == 5
    with pytest.raises(ConfigError, match="context-mode"):
        ContextConfig.preset("everything")

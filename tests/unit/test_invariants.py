"""What holds for any log, any budget and any setting."""

from __future__ import annotations

import asyncio
import copy
import json
import math
from itertools import pairwise

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, ToolMessage, convert_to_messages
from strategies import CONFIGS, COUNTERS, WORDS, logs, steps, tidy_logs
from validity import blank, violations

from langchain_contextmode import BudgetError, ContextConfig, Scope, Verdict, aprepare_context, build_context_graph, prepare_context
from langchain_contextmode.content import fix_surrogates, is_pinned, namespace
from langchain_contextmode.conversation import validate
from langchain_contextmode.parsing import PENDING_RESULT
from langchain_contextmode.tokens import ScriptEstimate, as_counter

SCOPE = Scope("u1", "s1")
ESTIMATE = ScriptEstimate()
TOOL = {"type": "function", "function": {"name": "lookup", "description": "Look something up.", "parameters": {"type": "object"}}}
TOOLS = st.sampled_from([(), (TOOL,)])


def prepare(log, config, counter=ESTIMATE, **more):
    """Return the view; an example whose must set does not fit says nothing about views."""
    try:
        return prepare_context(log, scope=SCOPE, config=config, token_counter=counter, **more)
    except BudgetError:
        reject()


def budget_error(log, config, counter, tools):
    try:
        prepare_context(log, scope=SCOPE, config=config, token_counter=counter, tools=tools)
    except BudgetError as error:
        return error
    return None


def named(log, view):
    """Pair each message of the log, in LangChain's form, with the id that its decision has."""
    messages = [m if isinstance(m, BaseMessage) else convert_to_messages([m])[0] for m in log]
    return list(zip([m for m in messages if not isinstance(m, RemoveMessage)], view.decisions, strict=True))


def dumps(log):
    return copy.deepcopy([m.model_dump() if isinstance(m, BaseMessage) else m for m in log])


def role(message):
    if message.type == "chat":
        return {"assistant": "ai", "system": "system", "developer": "system"}.get(message.role.lower(), "human")
    return {"function": "ai"}.get(message.type, message.type.removesuffix("MessageChunk").lower())


def spoken(log, view):
    """Return (message, id) of what somebody said, newest last."""
    return [
        (m, i)
        for m, i in named(log, view)
        if role(m) == "human" and not blank(m.content) and namespace(m).get("source", "session") == "session"
    ]


def core(message):
    """Return what must not change in a message that is kept as it is."""
    return fix_surrogates([role(message), message.content, getattr(message, "tool_calls", []), getattr(message, "tool_call_id", None)])


@given(logs(), CONFIGS, COUNTERS, TOOLS)
def test_any_view_is_valid_and_inside_its_budget(log, config, counter, tools):
    """Whatever the log, the view is a conversation that every provider takes, and its tokens are counted and inside the budget."""
    view = prepare(log, config, counter, tools=tools)
    assert violations(view.messages, alternate_roles=config.alternate_roles) == []
    counted = as_counter(counter)
    assert view.tokens == counted(view.messages) + counted.tools(tools)
    assert view.tokens <= config.view_tokens
    assert sum(pool.used_tokens for pool in view.pools.values()) == view.tokens


@given(logs(), CONFIGS, COUNTERS, TOOLS)
def test_a_budget_error_names_the_budget_that_works(log, config, counter, tools):
    """A BudgetError is raised only if the must set is larger than the view, and the tokens that it asks for are enough."""
    error = budget_error(log, config, counter, tools)
    if error is None:
        reject()
    assert error.budget_tokens == config.view_tokens < error.needed_tokens
    if not config.alternate_roles:  # joining messages saves the frame of one
        assert sum(error.parts.values()) <= error.needed_tokens
    assert str(error.needed_tokens) in str(error)
    enough = config.model_copy(update={"view_tokens": error.needed_tokens})
    assert budget_error(log, enough, counter, tools) is None


@given(logs(), CONFIGS, COUNTERS)
def test_what_is_kept_verbatim_is_what_was_said(log, config, counter):
    """A message that is kept verbatim stands in the view exactly as in the log, lone surrogates aside."""
    view = prepare(log, config.model_copy(update={"alternate_roles": False}), counter)
    shown = {m.id: m for m in view.messages}
    for message, identity in named(log, view):
        decision = view.decisions[identity]
        if decision.form == "verbatim":
            assert core(shown[identity]) == core(message)
        elif decision.form in {"line", "none"}:
            assert identity not in shown


@given(logs(), CONFIGS, COUNTERS)
def test_nothing_stands_in_a_view_that_nobody_said(log, config, counter):
    """Each message of the view is one of the log's, or is marked as ours, or says that a call has no result."""
    view = prepare(log, config, counter)
    for message in view.messages:
        ours = namespace(message).get("source") in {"archive", "older", "marker", "background"} or message.content == PENDING_RESULT
        assert message.id in view.decisions or ours


@given(logs(), CONFIGS)
def test_decisions_cover_every_message_once(log, config):
    """There is one decision per message of the log, in its order, under its own id where it has one of its own."""
    view = prepare(log, config)
    seen = set()
    for message, identity in named(log, view):
        if message.id and message.id not in seen:
            assert identity == message.id
        seen.add(message.id)
        decision = view.decisions[identity]
        assert (decision.action == "keep") == (decision.form in {"verbatim", "shortened"})
        assert decision.reason
        assert decision.score is None or 0 <= decision.score <= 10


@given(logs(), CONFIGS)
def test_lowest_action_forbids_drops(log, config):
    """Under `lowest_action="compress"` nothing that could be sent is dropped."""
    view = prepare(log, config.model_copy(update={"lowest_action": "compress"}))
    assert all(d.decided_by == "must" for d in view.decisions.values() if d.action == "drop")


@given(logs(), CONFIGS, COUNTERS)
def test_inputs_are_never_modified(log, config, counter):
    """Preparing a view changes neither the messages nor the state that it was given."""
    before = dumps(log)
    view = prepare(log, config, counter)
    state = copy.deepcopy(view.state)
    prepare(log, config, counter, state=view.state)
    assert dumps(log) == before
    assert view.state == state


@given(logs(), CONFIGS, COUNTERS)
def test_the_same_log_gives_the_same_view(log, config, counter):
    """Two preparations of one log agree in every message and decision, also when the second gets the first one's state."""
    first, second = prepare(log, config, counter), prepare(log, config, counter)
    assert (first.messages, first.decisions, first.state) == (second.messages, second.decisions, second.state)
    third = prepare(log, config, counter, state=first.state)
    assert third.messages == first.messages


@given(logs(), CONFIGS, COUNTERS)
def test_the_newest_human_message_is_there_as_it_was_said(log, config, counter):
    """The newest thing that a human said is always in the view, verbatim."""
    view = prepare(log, config.model_copy(update={"shorten_request": False}), counter)
    if not (said := spoken(log, view)):
        reject()
    message, identity = said[-1]
    assert view.decisions[identity].action == "keep"
    said = fix_surrogates(message.content)
    texts = [said] if isinstance(said, str) else [b["text"] for b in said if isinstance(b, dict) and b.get("text", "").strip()]
    view_text = "\n".join(json.dumps(m.content, ensure_ascii=False) for m in view.messages if m.type == "human")
    assert all(json.dumps(text, ensure_ascii=False)[1:-1] in view_text for text in texts)


@given(logs(), CONFIGS, COUNTERS)
def test_system_and_pinned_messages_are_never_left_out(log, config, counter):
    """System and pinned messages that can be sent are kept, whatever the budget."""
    view = prepare(log, config, counter)
    for message, identity in named(log, view):
        decision = view.decisions[identity]
        sendable = not blank(message.content) or getattr(message, "tool_calls", None)
        if role(message) == "system" and sendable:
            assert decision.form == "verbatim" or "Blank text block" in decision.reason
        if is_pinned(message) and sendable and role(message) in {"human", "ai"}:
            assert decision.action == "keep"
            assert decision.decided_by == "must"


@settings(max_examples=25)
@given(logs(), CONFIGS)
def test_function_coroutine_and_graph_give_one_view(log, config):
    """`prepare_context`, `aprepare_context` and the graph, blocking and awaited, agree."""
    run = {"configurable": {"user_id": "u1", "session_id": "s1"}}
    direct = prepare(log, config)
    graph = build_context_graph(config=config, token_counter=ESTIMATE)

    async def awaited():
        view = await aprepare_context(log, scope=SCOPE, config=config, token_counter=ESTIMATE)
        return view, await graph.ainvoke({"messages": log}, run)

    view, async_out = asyncio.run(awaited())
    assert (view.messages, view.decisions, view.state, view.tokens) == (direct.messages, direct.decisions, direct.state, direct.tokens)
    for out in (graph.invoke({"messages": log}, run), async_out):
        assert out["context_view"]["messages"] == direct.messages
        assert out["contextmode"] == direct.state


@given(logs(), st.booleans())
def test_validate_is_idempotent_and_repairs_anything(log, alternate):
    """`validate` turns any list into a valid conversation, and changes nothing the second time."""
    once = validate(log, alternate_roles=alternate)
    assert violations(once, alternate_roles=alternate) == []
    assert validate(once, alternate_roles=alternate) == once


@given(tidy_logs())
def test_validate_leaves_a_valid_conversation_alone(log):
    """What a provider would take as it stands comes back as the same objects."""
    assert all(left is right for left, right in zip(validate(log), log, strict=True))


@given(logs(), CONFIGS, COUNTERS, st.randoms(use_true_random=False))
def test_a_view_is_never_larger_than_a_plain_history_that_fits(log, config, counter, dice):
    """Where the whole conversation, made valid, fits the budget, the view is no larger."""
    plain = as_counter(counter)(validate(log, alternate_roles=config.alternate_roles))
    if plain > config.view_tokens:
        reject()
    scorer = _Scorer(lambda candidates: [Verdict(score, float(score), "thrown") for score in (dice.randint(0, 10) for _ in candidates)])
    assert prepare(log, config.model_copy(update={"filter_above_messages": 0}), counter, scorer=scorer).tokens <= plain


@given(logs(), CONFIGS)
def test_state_and_report_are_json_and_bounded(log, config):
    """State and report survive JSON; state holds no more verdicts than configured."""
    view = prepare(log, config)
    assert json.loads(json.dumps(view.state)) == view.state
    assert json.loads(json.dumps(view.report)) == view.report
    assert len(view.state.get("verdicts", {}).get("items", {})) <= config.verdicts_max
    assert len(view.archive) <= config.archive_max_entries
    assert view.explain()


@st.composite
def long_turns(draw):
    """A conversation, and up to 25 tool steps on its last request."""
    log = draw(tidy_logs(max_turns=5))
    numbers = iter(range(10_000))
    return log, list(steps(draw, lambda: f"s{next(numbers)}", draw(st.integers(1, 25))))


@settings(max_examples=40)
@given(long_turns(), st.integers(300, 4_000), st.sampled_from(["attention", "cache_stable"]), st.integers(0, 30))
def test_a_tool_step_leaves_what_stood_before_it(turn, view_tokens, layout, protect):
    """A new tool step is appended behind an unchanged prefix, unless it forces a change; then at least a fifth gets free."""
    log, tail = turn
    config = ContextConfig(view_tokens=view_tokens, layout=layout, protect_messages=protect)
    views = [prepare([*log, *tail[:end]], config) for end in range(0, len(tail) + 1, 2)]
    request = log[-1].id
    for before, after in pairwise(views):
        if after.report["changes_in_turn"] == before.report["changes_in_turn"]:
            assert after.messages[: len(before.messages)] == before.messages
        else:
            position = next(n for n, m in enumerate(after.messages) if m.id == request)
            block = [m for m in after.messages if m.id == "contextmode-session"]  # demands do not leave for a fifth either
            must = ESTIMATE([*block, *after.messages[position : position + 1], *after.messages[-2:]])
            if must <= view_tokens // 2:
                assert after.tokens <= view_tokens * 0.8


class _Scorer:
    def __init__(self, answer):
        self.answer = answer

    async def score(self, io, request, log, candidates):
        del io, request, log
        return self.answer(candidates)


def _raise(candidates):
    raise OSError(len(candidates))


BROKEN_SCORERS = {
    "raises": _raise,
    "too few": lambda candidates: [Verdict(1, 1.0, "low")] * (len(candidates) - 1),
    "too many": lambda candidates: [Verdict(1, 1.0, "low")] * (len(candidates) + 1),
    "none": lambda _: None,
    "not a number": lambda candidates: [Verdict(1, math.nan, "low")] * len(candidates),
    "no score": lambda candidates: [Verdict(None, 1.0, "low")] * len(candidates),
    "negative": lambda candidates: [Verdict(-5, -5.0, "low")] * len(candidates),
    "off the scale": lambda candidates: [Verdict(85, 85.0, "high")] * len(candidates),
    "infinite": lambda candidates: [Verdict(1, -math.inf, "low")] * len(candidates),
    "no verdicts": lambda candidates: ["drop"] * len(candidates),
    "nulls": lambda candidates: [None] * len(candidates),
    "unknown action": lambda candidates: [Verdict(1, 1.0, "low", action="erase")] * len(candidates),
}


@pytest.mark.parametrize("how", BROKEN_SCORERS)
def test_a_broken_scorer_loses_nothing(how):
    """A scorer that raises or answers nonsense leaves everything in the view while it fits, and is reported."""
    log = [kind(f"remark {n}", id=f"m{n}") for n in range(20) for kind in (HumanMessage,)]
    config = ContextConfig(protect_messages=2, filter_above_messages=3)
    view = prepare_context(log, scope=SCOPE, config=config, scorer=_Scorer(BROKEN_SCORERS[how]), token_counter=ESTIMATE)
    assert view.messages == log
    assert all(decision.form == "verbatim" for decision in view.decisions.values())
    assert view.report["degraded"]
    assert json.dumps(view.report)


@settings(max_examples=40)
@given(logs(min_size=4), CONFIGS, st.sampled_from(sorted(BROKEN_SCORERS)))
def test_a_broken_scorer_never_breaks_the_view(log, config, how):
    """With a scorer that answers nonsense the view is still valid, inside its budget, and JSON goes into state."""
    view = prepare(log, config.model_copy(update={"filter_above_messages": 0}), scorer=_Scorer(BROKEN_SCORERS[how]))
    assert violations(view.messages, alternate_roles=config.alternate_roles) == []
    assert view.tokens <= config.view_tokens
    json.dumps(view.state, allow_nan=False)
    assert not any(d.action == "drop" and d.decided_by != "must" for d in view.decisions.values())


@given(WORDS)
def test_a_call_that_is_still_open_says_so(words):
    """A call without a result gets one that says so, with status error, and no invented value."""
    call = AIMessage("", id="a1", tool_calls=[{"name": "lookup", "args": {"q": words}, "id": "c1", "type": "tool_call"}])
    view = prepare([HumanMessage(words, id="h1"), call], ContextConfig())
    assert isinstance(view.messages[-1], ToolMessage)
    assert view.messages[-1].status == "error"
    assert view.messages[-1].content == PENDING_RESULT

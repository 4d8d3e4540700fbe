"""Builders for tests: messages in one line each, and one way to prepare a view."""

from __future__ import annotations

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from validity import violations

from langchain_contextmode import ContextConfig, Scope, Verdict, prepare_context
from langchain_contextmode.tokens import ScriptEstimate

SCOPE = Scope("u1", "s1")
ESTIMATE = ScriptEstimate()
RUN = {"configurable": {"user_id": "u1", "session_id": "s1", "thread_id": "T9"}}


def system(text, identity):
    return SystemMessage(text, id=identity)


def human(content, identity, **extra):
    return HumanMessage(content, id=identity, additional_kwargs=extra)


def ai(content, identity):
    return AIMessage(content, id=identity)


def call(identity, *calls, content=""):
    """An AI message with calls, each `(name, arguments, call id)`."""
    return AIMessage(content, id=identity, tool_calls=[{"name": n, "args": a, "id": i, "type": "tool_call"} for n, a, i in calls])


def result(content, call_id, identity, **more):
    return ToolMessage(content, tool_call_id=call_id, id=identity, **more)


def exchanges(first, last, question, answer):
    """Return pairs `h<n>`, `a<n>` with texts made from templates that hold `{n}`."""
    pairs = [(human(question.format(n=n), f"h{n}"), ai(answer.format(n=n), f"a{n}")) for n in range(first, last + 1)]
    return [message for pair in pairs for message in pair]


class Says:
    """A scorer that scores blocks by the id of their first message; everything else gets `rest`."""

    def __init__(self, rest=1, **scores):
        self.rest, self.scores = rest, scores

    async def score(self, io, request, log, candidates):
        del io, request
        scores = [self.scores.get(log[index].id, self.rest) for index in candidates]
        return [Verdict(score, float(score), "said so") for score in scores]


def prepare(log, *, keep_last=0, scorer=None, **settings):
    """Prepare a view with the filter on, check that it is valid, and return it."""
    config = ContextConfig(protect_messages=keep_last, filter_above_messages=0, filter_above_tokens=0, **settings)
    view = prepare_context(log, scope=SCOPE, config=config, scorer=scorer, token_counter=ESTIMATE)
    assert violations(view.messages, alternate_roles=config.alternate_roles) == []
    assert view.tokens == ESTIMATE(view.messages)
    assert view.tokens <= (settings.get("view_tokens") or view.tokens)
    return view


def ids(view):
    return [m.id for m in view.messages]


def shown(view, identity):
    """Return the message of this id; `None` if it is not in the view."""
    return next((m for m in view.messages if m.id == identity), None)


def together(view, *identities):
    """Say whether these messages stand side by side in this order, or none of them is there."""
    found = [i for i in ids(view) if i in identities]
    start = ids(view).index(found[0]) if found else 0
    return not found or ids(view)[start : start + len(identities)] == list(identities)

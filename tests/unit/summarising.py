from __future__ import annotations

import asyncio
import json
from itertools import pairwise

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_contextmode._ports import AsyncIO, BlockingIO, finish
from langchain_contextmode.config import ContextConfig
from langchain_contextmode.preparation import Setup
from langchain_contextmode.steps.intake import intake
from langchain_contextmode.steps.summarize import summarize
from langchain_contextmode.tokens import ScriptEstimate

FORMS = [BlockingIO, AsyncIO]
SMALL = {"window_turns": 2, "summary_slice_turns": 4, "summarize_above_tokens": 20}
NONE = "## Preferences\n- none\n## Decisions\n- none\n## Open items\n- none\n## Hard constraints\n- none"


class Done:
    """One run of the step: its result, the state as a checkpoint would hand it back, and what the outside world saw."""

    def __init__(self, result, io, taken):
        self.result, self.io, self.taken = result, io, taken
        self.summary, self.proposals = result.summary, result.proposals
        self.state = json.loads(json.dumps(result.state))
        self.covered_ids = [identity for index in sorted(result.covered) for identity in taken.log.blocks[index].ids]
        self.details = [line.text for line in result.summary.details]

    def lines(self, section):
        return [line.text for line in self.summary.lines(section)]


def step(messages, state=None, *, model=None, form=BlockingIO, pins=None, config=None, **settings):
    config = config or ContextConfig(**(SMALL | settings))
    io = form(config, models={"summary": model} if model else {})
    setup = Setup(config, ScriptEstimate(), None)

    async def both():
        taken = await intake(io, setup, messages, {"summary": state or {}})
        return await summarize(io, setup, taken, state or {}, taken.pins.pins if pins is None else pins), taken

    result, taken = finish(both()) if form is BlockingIO else asyncio.run(both())
    return Done(result, io, taken)


def chat(turns, said=None, *, request="And what now?"):
    """A chat of short turns: `said` maps a turn's number to (what the user says, what the assistant says)."""
    messages = []
    for number in range(turns):
        user, assistant = (said or {}).get(number, (f"Tell me about topic{number} please", f"Well, topic{number} is nice"))
        messages += [HumanMessage(user, id=f"h{number}"), AIMessage(assistant, id=f"a{number}")]
    return [*messages, HumanMessage(request, id=f"h{turns}")]


def called(identity, result, *, name="lookup", said="", **args):
    """A call and its result; the result's id is the call's with an r in front. `None`: there is no result yet."""
    call = AIMessage(said, id=identity, tool_calls=[{"name": name, "args": args, "id": f"call_{identity}", "type": "tool_call"}])
    return [call] if result is None else [call, ToolMessage(result, tool_call_id=f"call_{identity}", id=f"r{identity}")]


def rounds(logs, **settings):
    """Run the step over growing logs, state handed on; return every run that moved the watermark."""
    state, moved = {}, []
    for log in logs:
        done = step(log, state, **settings)
        if done.state.get("through", "") != state.get("through", ""):
            moved.append(done)
        state = done.state
    return moved


def grows(found):
    """Say whether each run covers all that the one before covered, and more."""
    return all(set(a.covered_ids) < set(b.covered_ids) for a, b in pairwise(found))

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from summarising import SMALL, chat, step

from langchain_contextmode import ContextConfig, Scope, cues, prepare_context
from langchain_contextmode.parsing import parse
from langchain_contextmode.pins import list_pins, remove_pin
from langchain_contextmode.schema import Pin
from langchain_contextmode.summary.slices import Turn
from langchain_contextmode.summary.source import Demands, Source, withdrawn
from langchain_contextmode.summary.state import Summary
from langchain_contextmode.testing import ScriptedChatModel

RULES = ["Never book window seats for me.", "以后不要安排早上的会议。", "I am allergic to peanuts."]
HELD = "## Preferences\n- {}\n## Decisions\n- none\n## Open items\n- none\n## Hard constraints\n- {}"


def prepared(log, state=None, model=None, **settings):
    """Prepare a whole view that summarises early."""
    config = ContextConfig(**(SMALL | {"protect_messages": 2} | settings))
    return prepare_context(log, scope=Scope("u", "s"), config=config, state=state, models={"summary": model} if model else None)


def demands_of(view):
    summary = Summary.of(view.state.get("summary", {}))
    return [line.text for name in ("preferences", "constraints") for line in summary.lines(name)]


def talk(rule, turns):
    """A chat whose first turn holds a rule among other sentences, and then goes on."""
    return chat(turns, {0: (f"Hello there. {rule} What is next?", "Fine.")})


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("copied", [True, False])
def test_a_removed_pin_does_not_return(rule, copied):
    """A sentence that the application removed comes back neither by a model's copy, nor by local cues, nor as a proposal."""
    state = prepared(talk(rule, 1)).state
    assert [pin.text for pin in list_pins(state)] == [rule]
    state = remove_pin(state, rule)
    for turns in (8, 12):
        model = ScriptedChatModel(replies=[HELD.format(rule, rule)]) if copied else None
        view = prepared(talk(rule, turns), state=state, model=model, pins_max=100 if copied else 0)
        state = view.state
        assert state["summary"]["slices"]
        assert demands_of(view) == []
        assert list_pins(state) == []


def test_a_removed_demand_leaves_the_old_notes():
    """A demand that stands in the summary leaves it at the next round, once the application has removed its pin."""
    rule = "My old wooden boat lies in the harbour of Visby"
    log = talk(f"{rule}.", 8)
    view = prepared(log, model=ScriptedChatModel(replies=[HELD.format("none", rule)]))
    pins = list_pins(view.state)
    assert [pin.source for pin in pins] == ["model"]
    assert list_pins(prepared([*log, AIMessage("ok"), HumanMessage("and?")], state=view.state).state) == pins
    assert demands_of(view) == [f"{rule}."]
    later = prepared(talk(f"{rule}.", 12), state=remove_pin(view.state, pins[0]), model=ScriptedChatModel(replies=["Talk went on."]))
    assert later.state["summary"]["through"] != view.state["summary"]["through"]
    assert demands_of(later) == []


def test_what_a_pin_no_longer_says_does_not_stand():
    """A pin that was overruled or lifted stands in neither section, copied by a model or left over from an earlier round."""
    rule = "Never book window seats for me."
    said = {0: (f"Hello. {rule}", "ok")}
    lifted = Pin("Never book window seats", "h0", "prohibition", active=False)
    first = step(chat(5, said), model=ScriptedChatModel(replies=[HELD.format("none", rule)]), pins=[])
    assert first.lines("constraints") == [rule]
    model = ScriptedChatModel(replies=["Talk went on."])
    assert step(chat(14, said), first.state, model=model, pins=[lifted]).lines("constraints") == []
    assert step(chat(14, said), first.state, pins=[lifted]).lines("constraints") == []
    copying = ScriptedChatModel(replies=[HELD.format(rule, rule)])
    done = step(chat(5, said), model=copying, pins=[lifted])
    assert done.lines("constraints") == done.lines("preferences") == []
    assert done.proposals == ()


def test_a_sentence_taken_back_in_the_same_slice_is_no_constraint(monkeypatch):
    """A model's copy of a sentence that the user lifts a turn later is neither a line nor a proposal."""
    monkeypatch.setattr(cues, "lifts", lambda text, old: "forget it" in text and "whisper" in old)
    said = {0: ("Please whisper in here.", "ok"), 1: ("No, forget it", "ok")}
    copying = ScriptedChatModel(replies=[HELD.format("none", "Please whisper in here")])
    done = step(chat(6, said), model=copying, pins=[])
    assert done.lines("constraints") == []
    assert done.proposals == ()
    said[1] = ("Go on", "ok")
    assert step(chat(6, said), model=copying, pins=[]).lines("constraints") == ["Please whisper in here."]


def test_the_same_words_in_another_message_count():
    """Only the sentence of the message that was named is withdrawn; the user may say it again."""
    known = Demands(withdrawn=(("h1", "No nuts."),))
    assert known.disowned("No nuts.", ("h1",))
    assert known.disowned("No nuts. Thanks", ("h1",))
    assert not known.disowned("No nuts.", ("h2",))
    assert not known.disowned("No fish.", ("h1",))


def test_a_withdrawn_demand_overrules_nothing(monkeypatch):
    """An older demand stands again once the application has removed the one that overruled it."""
    monkeypatch.setattr(cues, "overrules", lambda new, old: "aisle" in new and "window" in old)
    window, aisle = "Never book window seats for me.", "Never book aisle seats for me."
    blocks = tuple(parse([HumanMessage(aisle, id="h1")]).blocks)
    for known, stands in ((Demands(), False), (Demands(withdrawn=(("h1", aisle),)), True)):
        assert Source((Turn(blocks, 0),), known).upholds(window, ("h0",)) is stands


def test_nothing_removed_costs_nothing():
    """Without removed pins no message is read."""
    assert withdrawn([None], ()) == ()

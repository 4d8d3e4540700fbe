"""One engine: every way in gives the same view."""

from __future__ import annotations

import pytest
from agents import agent, asks, look, run
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.graph import START, MessagesState, StateGraph

from langchain_contextmode import (
    ContextConfig,
    ContextInput,
    ContextModeMemory,
    ContextNode,
    Scope,
    build_context_graph,
    context_messages,
    prepare_context,
)
from langchain_contextmode.testing import ScriptedChatModel

SCOPE = Scope("u1", "t1")
CONFIG = ContextConfig(view_tokens=1_500)
TOPICS = ["ferry", "museum", "bakery", "harbour", "tower", "garden", "market", "chapel", "castle", "bridge"]


def transcript(*, tools):
    """Return 80 messages about ten places, and a request that bears on one of them."""
    log = [HumanMessage("I'm vegetarian, and never more than 40 euros a person.", id="start"), AIMessage("Noted.", id="noted")]
    for number in range(100):
        topic = TOPICS[number % len(TOPICS)]
        if tools and number % 3 == 0:
            call = asks(topic, f"c{number}")
            result = ToolMessage(
                f"The {topic} opens at {number % 12 + 1}. " + "More to say. " * 30, tool_call_id=f"c{number}", id=f"t{number}"
            )
            step = [call.model_copy(update={"id": f"x{number}"}), result]
        else:
            step = []
        turn = [HumanMessage(f"Tell me about the {topic}, part {number}. " + "Please. " * 8, id=f"h{number}"), *step]
        turn.append(AIMessage(f"The {topic} has {number} rooms. " + "They are large. " * 8, id=f"a{number}"))
        if len(log) + len(turn) > 79:
            break
        log += turn
    return [*log, HumanMessage("How many rooms does the harbour have?", id="q")]


def said(messages):
    return [(m.type, m.text, getattr(m, "tool_calls", None)) for m in messages]


def host(node, model):
    def answer(state: ContextInput):
        return {"messages": [model.invoke(context_messages(state))]}

    graph = StateGraph(MessagesState)
    graph.add_node("context", node)
    graph.add_node("answer", answer)
    graph.add_edge(START, "context")
    graph.add_edge("context", "answer")
    return graph.compile()


@pytest.mark.parametrize("prompt", ["Be brief.", None])
def test_node_middleware_hook_and_function_agree(prompt):
    """An 80-message transcript with tools gives one view through the function, the graph node, the middleware and the hook."""
    log = transcript(tools=True)
    assert len(log) >= 77
    given = [*([SystemMessage(prompt, id="system-prompt")] if prompt else []), *log]
    view = said(prepare_context(given, scope=SCOPE, config=CONFIG, tools=[look]).messages)

    in_node = ScriptedChatModel(replies=["Ok."])
    node = ContextNode(build_context_graph(config=CONFIG, tools=[look]), system_prompt=prompt)
    host(node, in_node).invoke({"messages": log}, run())
    assert said(in_node.requests[0].messages) == view

    built, in_agent = agent(["Ok."], config=CONFIG, system_prompt=prompt)
    built.invoke({"messages": log}, run())
    assert said(in_agent.requests[0].messages) == view

    hook = host(ContextNode(build_context_graph(config=CONFIG, tools=[look]), system_prompt=prompt), ScriptedChatModel(replies=["Ok."]))
    update = next(part["context"] for part in hook.stream({"messages": log}, run(), stream_mode="updates") if "context" in part)
    assert said(update["context_view"]["messages"]) == view


@pytest.mark.parametrize("layout", ["attention", "cache_stable"])
@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("view_tokens", [600, 1_000, 2_000, 3_000])
def test_an_agent_and_the_function_agree_at_any_size(view_tokens, tools, layout):
    """The agent's view is that of the function, though system prompt and tools are seen only when the model is called."""
    log, prompt = transcript(tools=tools), "Be brief. " * 12
    config = ContextConfig(view_tokens=view_tokens, layout=layout)
    view = prepare_context([SystemMessage(prompt, id="s"), *log], scope=SCOPE, config=config, tools=[look])
    built, model = agent(["Ok."], config=config, system_prompt=prompt)
    built.invoke({"messages": log}, run())
    assert said(model.requests[0].messages) == said(view.messages)


@pytest.mark.parametrize("layout", ["attention", "cache_stable"])
@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("view_tokens", [600, 1_000, 2_000, 3_000])
def test_the_same_request_again_gives_the_same_view(view_tokens, tools, layout):
    """Prepared again from its own state a view is the same, also where the first one has just moved the summary."""
    log, config = transcript(tools=tools), ContextConfig(view_tokens=view_tokens, layout=layout)
    first = prepare_context(log, scope=SCOPE, config=config)
    again = prepare_context(log, scope=SCOPE, config=config, state=first.state)
    assert said(again.messages) == said(first.messages)
    assert again.state == first.state


@pytest.mark.filterwarnings("ignore::langgraph.warnings.LangGraphDeprecatedSinceV10")
def test_the_hook_of_the_older_agent_agrees():
    """`pre_model_hook` of `create_react_agent` sends the model that same view."""
    from agents import Agent  # noqa: PLC0415
    from langgraph.prebuilt import create_react_agent  # noqa: PLC0415

    log = transcript(tools=True)
    view = said(prepare_context(log, scope=SCOPE, config=CONFIG, tools=[look]).messages)
    model = Agent(replies=["Ok."])
    built = create_react_agent(model, [look], pre_model_hook=ContextNode(build_context_graph(config=CONFIG, tools=[look])))
    built.invoke({"messages": log}, run())
    assert said(model.requests[0].messages) == view


def test_the_memory_class_agrees():
    """A tool-free transcript through the memory class gives the same view, but for the request, which the chain adds."""
    log = transcript(tools=False)
    view = prepare_context(log, scope=SCOPE, config=CONFIG).messages
    memory = ContextModeMemory(scope=SCOPE, config=CONFIG, return_messages=True)
    memory.log.add_messages(log[:-1])
    shown = memory.load_memory_variables({"input": log[-1].text})["history"]
    assert said([*shown, log[-1]]) == said(view)

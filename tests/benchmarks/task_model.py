"""The model extractor beside the rules, for `task_values.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_openai import ChatOpenAI

from langchain_contextmode import ContextConfig
from langchain_contextmode._ports import AsyncIO
from langchain_contextmode.task.ask_model import ask_model, merged

if TYPE_CHECKING:
    from langchain_contextmode.task.spec import TaskSpec
    from langchain_contextmode.task.types import Found, Heard

REFUSED: list[str] = []
DEGRADED: list[str] = []


def with_model(base_url: str, name: str) -> Any:
    """Return a function that adds what a model hears to what the rules heard."""
    model = ChatOpenAI(base_url=base_url, api_key="x", model=name, timeout=120, max_retries=0)
    config = ContextConfig(call_timeout_seconds=120, prepare_timeout_seconds=600)

    async def hear_both(spec: TaskSpec, heard: Heard, values: dict[str, Any], local: list[Found]) -> list[Found]:
        io = AsyncIO(config, models={"task": model})
        asked = await ask_model(io, spec, [heard], values)
        REFUSED.extend(f"{refused.field}: {refused.why}" for refused in asked.refused)
        DEGRADED.extend(item["why"] for item in io.degradations)
        return merged(local, asked.found.get(heard.message_id, ()))

    return hear_both

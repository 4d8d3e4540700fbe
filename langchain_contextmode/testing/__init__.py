"""Fakes and suites for tests of programs that use context mode: no network, no key, every request on record.

`MemoryStoreContract` needs pytest, and is loaded when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_contextmode.testing.models import Reply, ScriptedChatModel, ScriptedRequest, yes_no

if TYPE_CHECKING:
    from langchain_contextmode.testing.store import MemoryStoreContract

__all__ = ["MemoryStoreContract", "Reply", "ScriptedChatModel", "ScriptedRequest", "yes_no"]


def __getattr__(name: str) -> Any:
    """Load the suite at first use, with the failure reports of pytest's own asserts."""
    if name != "MemoryStoreContract":
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    import pytest  # noqa: PLC0415  (only who runs the suite has it)

    pytest.register_assert_rewrite(f"{__name__}.store_rows", f"{__name__}.store_scopes")
    from langchain_contextmode.testing.store import MemoryStoreContract  # noqa: PLC0415

    return MemoryStoreContract

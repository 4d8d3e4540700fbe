"""Prompts: one Markdown file each, placeholders in double braces, replaceable by `ContextConfig.prompts`.

What is put into a prompt is data. It is inserted in one pass and never looked at again, so braces and placeholder names
in a message reach the model as they are.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from langchain_contextmode.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@cache
def names() -> tuple[str, ...]:
    """Return the names of all prompts, sorted."""
    return tuple(sorted(file.name.removesuffix(".md") for file in files(__name__).iterdir() if file.name.endswith(".md")))


@cache
def load(name: str) -> str:
    """Return a prompt as it ships, placeholders included.

    Raises:
        ConfigError: There is no prompt of this name.
    """
    if name not in names():
        message = f"There is no prompt {name!r}. Prompts: {', '.join(names())}."
        raise ConfigError(message)
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8")


def placeholders(text: str) -> frozenset[str]:
    """Return the names in double braces."""
    return frozenset(_PLACEHOLDER.findall(text))


def check_prompts(replacements: Mapping[str, str]) -> None:
    """Check replacement prompts before any is used; an empty mapping is fine.

    Raises:
        ConfigError: A name is unknown, or a text lacks a placeholder of the original or has one that the original lacks.
    """
    for name, text in replacements.items():
        wanted, found = placeholders(load(name)), placeholders(text)
        if wanted != found:
            told = [
                f"{word} {', '.join(sorted(which))}"
                for word, which in (("lacks", wanted - found), ("has unknown", found - wanted))
                if which
            ]
            message = f"Prompt {name!r} {' and '.join(told)}. It must use each of: {', '.join(sorted(wanted))}, in double braces."
            raise ConfigError(message)


def render(name: str, values: Mapping[str, str], *, replacements: Mapping[str, str] = MappingProxyType({})) -> str:
    """Fill in a prompt.

    Args:
        name: Which prompt.
        values: One text per placeholder, inserted as it is.
        replacements: Prompt name to text that stands in for the packaged file.

    Raises:
        ConfigError: The name is unknown, or its replacement has the wrong placeholders.
    """
    if name in replacements:
        check_prompts({name: replacements[name]})
    text = replacements.get(name) or load(name)
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)

"""What a summarising model replied: whether it can be used at all, and its sections. A reply is data; nothing in it raises twice."""

# ruff: noqa: RUF001  (replies in Chinese use Chinese punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from langchain_contextmode.content import all_calls, fix_surrogates, text_of
from langchain_contextmode.summary.text import DETAILS_HEADING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langchain_core.messages import AIMessage

    from langchain_contextmode.summary.state import Section

_THOUGHT: Final = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_END_OF_THOUGHT: Final = re.compile(r"</(?:think|thinking|thought|reasoning)>[ \t]*(?:\n|\Z)", re.IGNORECASE)
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})[^\n`]*\n")
_CUT_OFF: Final = re.compile(
    r"length|max_?(?:output_?)?tokens|context_window|filter|safety|recitation|refus|blocklist|prohibited|spii|guardrail|block"
    r"|tool|function|incomplete|error|cancel|abort|pause"
)
_TOO_LONG: Final = re.compile(r"length|max_?(?:output_?)?tokens|incomplete")
_REASON_KEYS: Final = ("finish_reason", "stop_reason", "done_reason", "finishReason", "stopReason", "status")
_WORD: Final = re.compile(r"\w")
_BULLET: Final = re.compile(r"\s*(?:[-*•·–—+]+\s+|[•·]|\(?\d{1,3}[.)、]\s+)")
_MARKS: Final = "#*_`>：:.。 \t【】[]()（）"
_NUMBERING: Final = re.compile(r"\s*(?:\(?[0-9一二三四]{1,2}[.)、：:]\s*)")
_NOTHING: Final = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "none|no|nothing|n/a|na|nil|null|empty|-|—|–|not applicable|none stated|none so far|none mentioned|none recorded|none yet"
        "|无|没有|暂无|空|不适用|无内容|（无）"
    ).split("|")
)
_INTRODUCTION: Final = re.compile(
    r"[^\n]{0,200}[:：]$|(?:here (?:are|is)|sure|certainly|okay|of course|好的|以下)\b[^\n]{0,100}$", re.IGNORECASE
)
_HEADING_CHARS: Final = 60
_DETAILS: Final = re.compile(rf"[ \t#*]{{0,8}}{DETAILS_HEADING}[ \t:*]{{0,8}}$", re.IGNORECASE)
_SECTION_WORDS: Final[Mapping[Section, tuple[str, ...]]] = {
    "preferences": ("preferences", "preference", "user preferences", "stated preferences", "preferences the user stated",
                    "preferences stated", "偏好", "用户偏好", "喜好", "用户的偏好"),
    "decisions": ("decisions", "decision", "decisions made", "key decisions", "agreed", "决定", "决策", "已做决定", "已做的决定", "已决定"),
    "open": ("open items", "open", "open item", "open questions", "open points", "pending", "pending items", "todo", "to do", "next steps",
             "unresolved", "待办", "待办事项", "未决事项", "待解决", "未完成", "待定"),
    "constraints": ("hard constraints", "constraints", "constraint", "hard constraint", "requirements", "limits", "约束", "硬约束", "限制",
                    "硬性约束", "约束条件", "限制条件"),
}  # fmt: skip
_SECTIONS: Final[Mapping[str, Section]] = {word: name for name, words in _SECTION_WORDS.items() for word in words}


class UnusableError(Exception):
    """A reply cannot stand for what it was made from. Soft: the old summary stands."""


class CutOffError(UnusableError):
    """The reply reached its limit; asked otherwise, the model may come to an end."""


class Parsed(NamedTuple):
    """A reply in sections.

    Attributes:
        sections: Section name to statements, as written; sections without any are empty.
        text: What stands outside of headings.
        headed: There was a heading.
    """

    sections: Mapping[Section, tuple[str, ...]]
    text: str
    headed: bool


def usable(reply: AIMessage) -> str:
    """Return the text of a reply without its thoughts and the fence around it.

    Raises:
        CutOffError: It reached its limit.
        UnusableError: It calls a tool, was stopped or refused by its service, or says nothing.
    """
    if all_calls(reply):
        _fail("the reply calls a tool")
    metadata = reply.response_metadata
    for reason in (str(metadata.get(key) or "") for key in _REASON_KEYS):
        if _TOO_LONG.search(reason.casefold()):
            why = f"the reply was not finished ({reason:.40})"
            raise CutOffError(why)
        if _CUT_OFF.search(reason.casefold()):
            _fail(f"the reply was not finished ({reason:.40})")
    if reply.additional_kwargs.get("refusal"):
        _fail("the model refused")
    text = _unfenced(_without_thoughts(fix_surrogates(text_of(reply)))).strip()
    if not _WORD.search(text) or _is_nothing(text):
        _fail("the summary is empty")
    return text


def parse(text: str) -> Parsed:
    """Cut a reply into sections, by headings in English or Chinese, marked in any of the usual ways, in any order.

    Lines that say "none" are left out; so is an introduction in front of the first heading.
    """
    sections: dict[Section, list[str]] = {}
    outside: list[str] = []
    current: list[str] | None = None
    for line in text.splitlines():
        name, rest = _heading(line)
        if name:
            current = sections.setdefault(name, [])
            line = rest  # noqa: PLW2901  (what stands behind the heading on its line)
        elif _DETAILS.match(line):
            current = []  # the copied details stand by themselves, whatever the model makes of them
            continue
        elif current is not None and _other_heading(line):
            current = outside
            continue
        _add(line, outside if current is None else current, outside)
    headed = bool(sections)
    if headed and outside and _INTRODUCTION.match(outside[0]):
        outside = outside[1:]
    found = {name: tuple(dict.fromkeys(lines)) for name, lines in sections.items()}
    return Parsed(found, "\n".join(outside) if headed else text.strip(), headed)


def _add(line: str, target: list[str], outside: list[str]) -> None:
    """Add a statement; an indented line without a bullet goes on with the statement before it."""
    statement = line[bullet.end() :].strip() if (bullet := _BULLET.match(line)) else line.strip()
    if not statement or _is_nothing(statement) or not _WORD.search(statement):
        return
    if bullet or target is outside or not target or not line[:1].isspace():
        target.append(statement)
    else:
        target[-1] = f"{target[-1]} {statement}"


def _heading(line: str) -> tuple[Section | None, str]:
    """Return the section that a line opens, and what else stands on the line; a bullet that says a section's name opens none."""
    if line.lstrip().startswith(("- ", "• ")) and "**" not in line:
        return None, ""
    head, colon, rest = line.partition("：" if "：" in line and ":" not in line.partition("：")[0] else ":")
    for text, after in ((line, ""), (head, rest if colon else "")):
        if len(text) <= _HEADING_CHARS:
            plain = _NUMBERING.sub("", text.strip(_MARKS), count=1).strip(_MARKS).casefold()
            name = _SECTIONS.get(plain) or _SECTIONS.get(plain.partition("(")[0].partition("（")[0].strip(_MARKS))
            if name:
                return name, after.strip().strip("*_").strip()
    return None, ""


def _other_heading(line: str) -> bool:
    return line.lstrip().startswith("#") and len(line) <= _HEADING_CHARS


def _is_nothing(text: str) -> bool:
    return text.strip(_MARKS + "-").casefold() in _NOTHING or not text.strip(_MARKS + "-")


def _without_thoughts(text: str) -> str:
    """Take off what the model thought aloud in front of its reply; "<think>" in the middle of a text is text.

    Raises:
        UnusableError: A thought does not end.
    """
    while opening := _THOUGHT.match(text):
        closing = text.lower().find(f"</{opening[1].lower()}>", opening.end())
        if closing < 0:
            _fail("the reply is an unfinished thought")
        text = text[closing + len(opening[1]) + 3 :]
    closing_only = _END_OF_THOUGHT.search(text)
    if closing_only and "<th" not in text[: closing_only.start()].lower():  # a template opened the thought for the model
        return text[closing_only.end() :]
    return text


def _unfenced(text: str) -> str:
    opening = _FENCE.match(text)
    body = text.rstrip()
    if opening and body.endswith(opening[1]) and len(body) - len(opening[1]) >= opening.end():
        inner = body[opening.end() : -len(opening[1])]
        return text if opening[1] in inner else inner
    return text


def _fail(why: str) -> NoReturn:
    raise UnusableError(why)

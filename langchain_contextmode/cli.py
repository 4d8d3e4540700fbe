"""The command line: `python -m langchain_contextmode`. The only part of the package that reads the environment.

Exit codes: 0 done, also where the reader of a pipe stops early; 2 bad input, usage or configuration, told in one sentence;
1 a store or output that fails, told in one sentence, and anything unexpected, with its traceback.
"""

from __future__ import annotations

import json
import math
import sys
from contextlib import contextmanager, redirect_stdout
from importlib.resources import as_file, files
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from langchain_contextmode import cli_memories
from langchain_contextmode.cli_output import Output, OutputError
from langchain_contextmode.errors import ConfigError, ContextModeError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

    from langchain_contextmode.config import ContextConfig
    from langchain_contextmode.protocols import Role
    from langchain_contextmode.schema import ContextView

NAME = "langchain-contextmode"
REQUESTS = (
    "Find us a restaurant for the last evening that respects my shellfish allergy and our limit for a dinner for the two of us.",
    "What was the hotel's confirmation number, and until when is cancellation free?",
)

app = typer.Typer(name=NAME, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(cli_memories.app, name="memories")


@app.callback()
def _about() -> None:
    """Decide what a model sees of a long conversation, and say why.

    \b
    Examples:
      langchain-contextmode demo
      langchain-contextmode run chat.jsonl --view-tokens 2000
      langchain-contextmode run chat.json --query "What did we agree on the price?"
      cat chat.jsonl | langchain-contextmode run - --json > view.json
      langchain-contextmode memories list --path memories --user ann
    """  # noqa: D301  (\b is the help formatter's mark for lines to leave alone)


@app.command()
def run(
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="JSON or JSONL of LangChain or OpenAI messages; - reads standard input.")
    ] = "-",
    query: Annotated[
        str | None, typer.Option(help="A new request, put behind the conversation. Without it the last human message is the request.")
    ] = None,
    view_tokens: Annotated[
        int | None, typer.Option(help="Hard cap on the whole view, in tokens. Without it: 65 % of a window of 128,000.")
    ] = None,
    shorten_request: Annotated[
        bool, typer.Option("--shorten-request", help="Allow shortening the request when it alone exceeds the view.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="[PROVIDER:]NAME",
            help="Model that judges what local rules leave open. It is only asked where a call can free more tokens than it costs: "
            "a chat of short messages is never sent to it, and the report's notes say so.",
        ),
    ] = None,
    restore: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Message that the view has to hold, by its id; may be repeated.")
    ] = None,
    protect: Annotated[int, typer.Option(metavar="N", help="Newest messages that are not scored while they fit.")] = 20,
    layout: Annotated[Literal["attention", "cache_stable"], typer.Option(help="Order of the view.")] = "attention",
    as_json: Annotated[bool, typer.Option("--json", help="Print the view, decisions and report as JSON, and nothing else.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Print the decision on every message.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Print long messages of the view whole.")] = False,
) -> None:
    """Prepare the view of a conversation for its newest request, and show it.

    \b
    The file holds a JSON array, {"messages": [...]}, or one message a line; a message is
    {"role": "user", "content": "..."} or what LangChain's messages_to_dict writes.
    A model needs OPENAI_API_KEY (and OPENAI_BASE_URL for another server that speaks the same protocol).

    \b
    Examples:
      langchain-contextmode run chat.jsonl --view-tokens 2000 --explain
      langchain-contextmode run chat.json --query "Which plan did I choose?" --model openai:gpt-4.1-mini
    """  # noqa: D301
    from langchain_contextmode.transcripts import TranscriptError, load_transcript

    if file == "-" and sys.stdin.isatty():
        problem = "Nothing to read: name a FILE, or pipe a conversation into standard input."
        raise TranscriptError(problem)
    settings = _settings(view_tokens=view_tokens, protect_messages=protect, layout=layout, shorten_request=shorten_request)
    with _working("Reading", total=None):
        log = _with_request(load_transcript(sys.stdin if file == "-" else file), query)
    view = _prepare(log, settings, model, restore or [])
    if as_json:
        json.dump(_as_data(view), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _show(view, log, every=explain, full=full)


@app.command()
def demo(
    view_tokens: Annotated[int, typer.Option(help="Hard cap on each view, in tokens.")] = 2_000,
    full: Annotated[bool, typer.Option("--full", help="Print long messages of the view whole.")] = False,
) -> None:
    """Show two requests on a bundled conversation: six days of planning a trip. No API key, no network.

    The first request depends on things said on the first day; the second one on what the first did not need.
    """
    from langchain_contextmode.screen import Screen, open_console
    from langchain_contextmode.transcripts import load_transcript

    with as_file(files("langchain_contextmode") / "data" / "trip.jsonl") as path:
        trip = load_transcript(path)
    settings = _settings(view_tokens=view_tokens)
    screen = Screen(open_console(sys.stdout))
    logs = [_with_request(trip, request) for request in REQUESTS]
    views = [_prepare(log, settings, None) for log in logs]
    screen.title(f"What came in: {len(trip):,} messages, {views[0].report.get('tokens_before', 0):,} tokens with the request")
    screen.line(_cast(trip))
    screen.title("Request 1")
    screen.line(REQUESTS[0])
    _show(views[0], logs[0], every=False, full=full)
    screen.title("Request 2, on the same conversation")
    screen.line(REQUESTS[1])
    screen.numbers(views[1])
    back = [message for message in views[1].messages if _left_out(views[0], message.id or "")]
    screen.title(f"Nothing was lost: {len(back)} messages that the first view left out are back")
    for message in back:
        screen.message(message, views[1].decisions[message.id or ""], full=full)


def _left_out(view: ContextView, message_id: str) -> bool:
    return message_id in view.decisions and view.decisions[message_id].action != "keep"


def _cast(log: Sequence[BaseMessage]) -> str:
    kinds = {"human": "from people", "ai": "from the assistant", "tool": "tool results", "system": "system"}
    return ", ".join(f"{sum(message.type == kind for message in log)} {name}" for kind, name in kinds.items())


def _show(view: ContextView, log: Sequence[BaseMessage], *, every: bool, full: bool) -> None:
    from langchain_contextmode.screen import Screen, open_console

    screen = Screen(open_console(sys.stdout))
    screen.messages(view, full=full)
    screen.decisions(view, log, every=every)
    screen.numbers(view)
    screen.account(view.report)


def _settings(**values: Any) -> ContextConfig:
    from langchain_contextmode.config import ContextConfig

    return ContextConfig(**values)


def _with_request(log: Sequence[BaseMessage], query: str | None) -> list[BaseMessage]:
    """Return a copy in which every message has an id of its own, with the request behind it."""
    from langchain_core.messages import HumanMessage

    from langchain_contextmode.content import is_blank

    taken = {message.id for message in log}
    seen: set[str] = set()
    named: list[BaseMessage] = []
    for number, message in enumerate(log, 1):
        if message.id is None or message.id in seen:
            message = message.model_copy(update={"id": _free(f"m{number}", taken)})  # noqa: PLW2901
        seen.add(message.id or "")
        named.append(message)
    if query is not None:
        if not query.strip():
            problem = "--query is empty; give the request as text, or leave the option out."
            raise ConfigError(problem)
        named.append(HumanMessage(query, id=_free("request", taken)))
    if not any(isinstance(message, HumanMessage) and not is_blank(message) for message in named):
        problem = "The conversation has no human message with words in it, so there is no request; pass one with --query TEXT."
        raise ConfigError(problem)
    return named


def _free(name: str, taken: set[str | None]) -> str:
    while name in taken:
        name += "+"
    taken.add(name)
    return name


def _prepare(log: Sequence[BaseMessage], settings: ContextConfig, model: str | None, restore: Sequence[str] = ()) -> ContextView:
    from langchain_contextmode.cli_models import open_model
    from langchain_contextmode.pipeline import prepare_context
    from langchain_contextmode.schema import Scope

    calls = math.ceil(settings.judge_max_messages / settings.judge_batch_messages) if model else None
    with _working(f"Deciding on {len(log):,} messages", total=calls) as advance:
        judge = open_model(model, timeout_seconds=settings.call_timeout_seconds, tick=advance) if model else None
        models: dict[Role, BaseChatModel] = {"filter": judge} if judge else {}  # one request is not worth a summary by a model
        return prepare_context(log, scope=Scope("local", "cli"), config=settings, models=models, restore=restore)


def _as_data(view: ContextView) -> dict[str, Any]:
    """Return the view as JSON data; its messages can be given to `run` again."""
    from langchain_core.messages import messages_to_dict

    return {
        "messages": messages_to_dict(view.messages),
        "decisions": {key: decision._asdict() for key, decision in view.decisions.items()},
        "pins": [pin._asdict() for pin in view.pins],
        "summary": view.summary,
        "archive": [entry._asdict() for entry in view.archive],
        "levels": dict(view.levels),
        "pools": {name: usage._asdict() for name, usage in view.pools.items()},
        "tokens": view.tokens,
        "report": view.report,
        "state": view.state,
    }


@contextmanager
def _working(what: str, *, total: int | None) -> Iterator[Callable[[], None]]:
    """Show a bar on stderr while something runs, if that is a terminal; gives a function that moves it by one."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Without the program's name; `None` takes them from `sys.argv`.

    Returns:
        The exit code. Unexpected errors are raised, which ends a process with 1.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    output = Output(sys.stdout)
    try:
        with redirect_stdout(cast("IO[str]", output)):
            code = _exit_code(arguments)
            output.flush()
    except OutputError as error:
        output.give_up()
        if error.reader_is_gone:  # it has seen enough
            return 0
        sys.stderr.write(f"error: {error}\n")
        return 1
    return code


def _exit_code(arguments: Sequence[str] | None) -> int:
    try:
        app(args=arguments, prog_name=NAME)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except StoreError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    except ContextModeError as error:
        if not isinstance(error, ValueError):
            raise
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0

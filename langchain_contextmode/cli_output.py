"""Standard output of the command line: a reader that left and a full disk are told apart from any other failure."""

from __future__ import annotations

import os
from typing import IO, Any


class OutputError(Exception):
    """Standard output takes no more. No `OSError`, which Typer and Rich would answer in their own ways."""

    def __init__(self, cause: OSError) -> None:
        """Say it in one sentence, and whether it was only the reader who left."""
        super().__init__(f"standard output cannot be written: {cause.strerror or cause}.")
        self.reader_is_gone = isinstance(cause, BrokenPipeError)


class Output:
    """Standard output, whose failures tell themselves apart from those of any other file."""

    def __init__(self, stream: IO[str]) -> None:
        """Stand in front of a stream."""
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        """Be the stream in everything else."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or raise `OutputError`."""
        try:
            return self._stream.write(text)
        except OSError as error:
            raise OutputError(error) from error

    def flush(self) -> None:
        """Flush, or raise `OutputError`."""
        try:
            self._stream.flush()
        except OSError as error:
            raise OutputError(error) from error

    def give_up(self) -> None:
        """Send what is left nowhere, so that the interpreter does not fail on it at its end."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

"""What a command reports: its exit code, errors, and lines for people or scripts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import IO, Any

EXIT_CODES = """\
exit codes:
  0    success
  1    a call is invalid, a schema has a fault, --fail-on-loss found a loss, or
       --check found a file that is out of date
  2    the command could not run: an argument, a file or a schema is unusable
  130  interrupted"""
_NUMERIC_COLUMNS = frozenset({"calls", "valid", "invalid"})


class Exit(IntEnum):
    """The exit codes of every command."""

    OK = 0
    WRONG = 1
    UNUSABLE = 2
    INTERRUPTED = 130


def fail(*messages: str) -> Exit:
    """Print why the command could not run, one line per message."""
    if sys.stderr is not None:  # `print` would fall back to standard output
        with suppress(OSError):  # the exit code still tells
            for message in messages:
                print(f"toolschema: {message}", file=sys.stderr)
    return Exit.UNUSABLE


def count(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> count(1, "tool"), count(2, "tool")
    ('1 tool', '2 tools')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Report:
    """One stream of output, for people or for scripts.

    On a terminal, rich adds colours and tables if it is installed. They repeat
    or summarise what the plain lines say.
    """

    stream: IO[str]
    is_json: bool
    console: Any
    """A rich console, or None for plain lines."""

    @classmethod
    def to(cls, stream: IO[str], output_format: str) -> Report:
        """Report to *stream*; *output_format* is the value of ``--format``."""
        is_json = output_format == "json"
        return cls(stream, is_json, None if is_json else _console(stream))

    def line(self, *pieces: str | tuple[str, str]) -> None:
        """Print one line made of strings, each plain or with a style."""
        styled = [(piece, "") if isinstance(piece, str) else piece for piece in pieces]
        if self.console is None:
            print("".join(text for text, _ in styled), file=self.stream)
            return
        for text, style in styled:
            self.console.out(text, style=style, end="")
        self.console.out("")

    def record(self, value: dict[str, Any]) -> None:
        """Print one JSON object on a line of its own."""
        print(json.dumps(value), file=self.stream)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table, on a terminal only."""
        if self.console is None:
            return
        from rich.table import Table  # noqa: PLC0415 - rich is optional

        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in columns:
            justify: Any = "right" if column in _NUMERIC_COLUMNS else "left"
            table.add_column(column, justify=justify, overflow="fold")
        for row in rows:
            table.add_row(*row)
        self.console.print(table)


def _console(stream: IO[str]) -> Any:
    if not stream.isatty():
        return None
    try:
        from rich.console import Console  # noqa: PLC0415 - rich is optional
    except ImportError:
        return None
    # Names of tools and properties are printed here and must not be read as markup.
    # With `NO_COLOR`, rich itself would still print bold text.
    colors: Any = None if os.environ.get("NO_COLOR") else "auto"
    return Console(file=stream, color_system=colors, highlight=False, markup=False, emoji=False)

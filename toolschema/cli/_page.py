"""What is reported: lines and tables; in colour where a terminal shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO, Any


@dataclass(frozen=True, slots=True)
class Page:
    """One stream of reports, for people or for scripts.

    Colours and tables are for terminals, and come from rich where that is
    installed; everything that they say is said without them.
    """

    stream: IO[str]
    is_json: bool
    terminal: Any
    """None where lines are plain."""

    @classmethod
    def of(cls, stream: IO[str], form: str) -> Page:
        """The page of a stream; *form* is what ``--format`` says."""
        is_json = form == "json"
        return cls(stream, is_json, None if is_json else _terminal(stream))

    def say(self, text: str, style: str = "") -> None:
        """Say a line."""
        self._print((text, style))

    def say_at(self, before: str, place: str, message: str) -> None:
        """Say a line about a place, which is what the eye looks for."""
        self._print((before, ""), (place, "cyan"), (f": {message}", ""))

    def tell(self, value: dict[str, Any]) -> None:
        """Tell a script one object, on a line of its own."""
        print(json.dumps(value), file=self.stream)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Show a table, where there is room for one."""
        if self.terminal is not None:
            self.terminal.table(columns, rows)

    def _print(self, *pieces: tuple[str, str]) -> None:
        if self.terminal is None:
            print("".join(text for text, _ in pieces), file=self.stream)
        else:
            self.terminal.line(*pieces)


def _terminal(stream: IO[str]) -> Any:
    if not stream.isatty():
        return None
    try:
        from toolschema.cli._terminal import Terminal  # noqa: PLC0415 - it needs rich
    except ImportError:
        return None
    return Terminal(stream)

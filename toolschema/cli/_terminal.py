"""A terminal, with colours and tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import IO

from rich.console import Console
from rich.table import Table
from rich.text import Text

COUNTS = frozenset({"calls", "valid", "invalid"})
"""Columns of numbers."""


class Terminal:
    """Prints by means of rich; without any style where ``NO_COLOR`` is set.

    No text is read as markup: names of tools and properties come through it.
    """

    def __init__(self, stream: IO[str]) -> None:
        # Rich itself would still print what is bold.
        self._console = Console(
            file=stream,
            color_system=None if os.environ.get("NO_COLOR") else "auto",
            highlight=False,
            markup=False,
            emoji=False,
        )

    def line(self, *pieces: tuple[str, str]) -> None:
        """One line of pieces, each with its style; the terminal may fold it."""
        self._console.print(Text.assemble(*pieces), soft_wrap=True)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """A table as wide as it has to be, and no wider than the terminal."""
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in columns:
            is_count = column in COUNTS
            table.add_column(column, justify="right" if is_count else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        self._console.print(table)

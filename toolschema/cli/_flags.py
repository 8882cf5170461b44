"""The arguments that commands share: one spelling, one meaning, one help text."""

from __future__ import annotations

import argparse
import errno

from toolschema import ToolSet, load_tools

TOOLS_HELP = "folder of tool schemas (*.json), or a bundle file"


def add_tools(parser: argparse.ArgumentParser) -> None:
    """Add TOOLS, the only positional argument of most commands."""
    parser.add_argument("tools", metavar="TOOLS", help=TOOLS_HELP)


def add_output(parser: argparse.ArgumentParser, what: str, *, check: bool = True) -> None:
    """Add the option that says where *what* is written, and the one that only compares."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help=f"write {what} to FILE atomically; - is standard output (the default)",
    )
    if check:
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; exit with 1 if the output file is out of date",
        )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the choice between a report for people and one for scripts."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="format of the report; json prints one object per line",
    )


def load(path: str, *, hide_undeclared_names: bool = False) -> ToolSet:
    """Load the tools of a command; at least one is required."""
    tools = load_tools(path, hide_undeclared_names=hide_undeclared_names)
    if not tools:
        raise FileNotFoundError(errno.ENOENT, "has no tool schemas (*.json)", path)
    return tools

"""The flags that commands share: one spelling, one meaning, one text of help."""

from __future__ import annotations

import argparse
import errno

from toolschema import ToolSet, load_tools

_TOOLS = "folder of tool schemas (*.json), or a bundle of one"


def add_tools(parser: argparse.ArgumentParser) -> None:
    """The tools, as the one argument of a command."""
    parser.add_argument("tools", metavar="TOOLS", help=_TOOLS)


def add_tools_option(parser: argparse.ArgumentParser) -> None:
    """The tools of a command whose argument is something else."""
    parser.add_argument("--tools", metavar="TOOLS", required=True, help=_TOOLS)


def add_output(parser: argparse.ArgumentParser, what: str) -> None:
    """Where *what* is written."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help=f"write {what} there, whole or not at all; - is standard output (the default)",
    )


def add_check(parser: argparse.ArgumentParser) -> None:
    """To be told whether a file is what would be written."""
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 where the file of --output is not current",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """For people or for scripts."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="of what is reported; json: one object a line",
    )


def load(path: str, *, hide_undeclared_names: bool = False) -> ToolSet:
    """The tools that a command was given; there must be one."""
    tools = load_tools(path, hide_undeclared_names=hide_undeclared_names)
    if not tools:
        raise FileNotFoundError(errno.ENOENT, "has no tool schemas (*.json)", path)
    return tools

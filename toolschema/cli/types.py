"""``toolschema types``: the types of arguments as a Python module."""

from __future__ import annotations

import argparse
import os
from pathlib import Path, PurePath

from toolschema.cli._flags import add_output, add_tools, load
from toolschema.cli._output import write
from toolschema.cli._report import Exit
from toolschema.types import generate_types

SUMMARY = "write Python types for the arguments"
TEXT = """\
Write a Python module with a TypedDict for each object in the schemas and a
typed constant for each tool, such as READ for "read". With these, mypy and
pyright know the type of what parse_tool_arguments(READ, text) returns. Every
valid value conforms to its type; so an integer is a float, because 3.0 is an
integer in JSON Schema. The module loads the schemas from their current
location, relative to itself."""
EXAMPLE = "toolschema types schemas/ -o tools.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_tools(parser)
    add_output(parser, "the module")


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    tools = load(arguments.tools).values()
    start = "." if arguments.output == "-" else Path(arguments.output).parent
    folder = PurePath(os.path.relpath(arguments.tools, start)).as_posix()
    return write(generate_types(tools, folder=folder), arguments)

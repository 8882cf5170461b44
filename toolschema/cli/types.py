"""``toolschema types``: the types of arguments, as a Python module."""

from __future__ import annotations

import argparse
import os
from pathlib import Path, PurePath

from toolschema.cli._exit import Exit
from toolschema.cli._flags import add_check, add_output, add_tools, load
from toolschema.cli._output import deliver
from toolschema.types import generate_types

SUMMARY = "write Python types of arguments"
TEXT = """\
Write a Python module with a TypedDict for each object in the schemas, and a
typed constant for each tool: READ for read. Then the arguments that come back
from parse_tool_arguments(READ, text) have a type for mypy and pyright. What
validates conforms to it; so an integer is a float, as 3.0 is an integer in
JSON Schema. The module loads the schemas from where they are now, relative to
itself."""
EXAMPLE = "toolschema types schemas/ -o tools.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    add_tools(parser)
    add_output(parser, "the module")
    add_check(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    tools = load(arguments.tools).values()
    place = "." if arguments.output == "-" else Path(arguments.output).parent
    way = PurePath(os.path.relpath(arguments.tools, place)).as_posix()
    return deliver(generate_types(tools, folder=way), arguments)

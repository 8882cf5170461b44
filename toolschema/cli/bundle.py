"""``toolschema bundle``: the schemas of a folder as one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolschema.bundle import bundle
from toolschema.cli._exit import Exit, fail
from toolschema.cli._flags import add_check, add_format, add_output, add_tools, load
from toolschema.cli._output import deliver
from toolschema.cli._page import Page

SUMMARY = "write all schemas as one file"
TEXT = """\
Write the tools, and all that their schemas refer to, as one compound document
of JSON Schema 2020-12: for services in any language, and for --tools of this
command. The same schemas give the same bytes; their SHA-256 is reported on
standard error."""
EXAMPLE = "toolschema bundle schemas/ -o tools.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    add_tools(parser)
    add_output(parser, "the bundle")
    add_check(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    output = Path(arguments.output)
    if arguments.output != "-" and output.resolve().parent == Path(arguments.tools).resolve():
        return fail(f"{output}: lies in the folder, and would be taken for a tool of it")
    tools = load(arguments.tools)
    made = bundle(tools)
    code = deliver(made.data.decode(), arguments)
    if code is not Exit.OK or arguments.check:
        return code
    page = Page.of(sys.stderr, arguments.format)
    others = [each for each in made.dialects if each != "2020-12"]
    if page.is_json:
        facts = {"tools": len(tools), "bytes": len(made.data), "digest": made.digest}
        page.tell({"summary": {**facts, "dialects": list(made.dialects)}})
        return code
    noun = "tool" if len(tools) == 1 else "tools"
    page.say(f"{len(tools)} {noun}, {len(made.data):,} bytes, {made.digest}")
    if others:
        page.say(f"also in {' and '.join(others)}: a reader of 2020-12 alone may refuse it")
    return code

"""``toolschema bundle``: all schemas in one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolschema.bundle import bundle
from toolschema.cli._flags import add_format, add_output, add_tools, load
from toolschema.cli._output import write
from toolschema.cli._report import Exit, Report, count, fail

SUMMARY = "write all schemas to one file"
TEXT = """\
Write the tools, and everything their schemas refer to, as one JSON Schema
2020-12 compound document. Services in any language can read it, and so can
this command line: pass it as TOOLS. The same schemas give the same bytes;
their SHA-256 is reported on standard error."""
EXAMPLE = "toolschema bundle schemas/ -o tools.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_tools(parser)
    add_output(parser, "the bundle")
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    output = Path(arguments.output)
    if arguments.output != "-" and output.resolve().parent == Path(arguments.tools).resolve():
        return fail(f"{output}: is in the folder of the tools and would be loaded as one of them")
    tools = load(arguments.tools)
    made = bundle(tools)
    code = write(made.data.decode(), arguments)
    if code is not Exit.OK or arguments.check:
        return code
    report = Report.to(sys.stderr, arguments.format)
    if report.is_json:
        facts = {"tools": len(tools), "bytes": len(made.data), "digest": made.digest}
        report.record({"summary": {**facts, "dialects": list(made.dialects)}})
        return code
    report.line(f"{count(len(tools), 'tool')}, {len(made.data):,} bytes, {made.digest}")
    others = [dialect for dialect in made.dialects if dialect != "2020-12"]
    if others:
        report.line(f"contains {' and '.join(others)}: readers of 2020-12 alone may reject it")
    return code

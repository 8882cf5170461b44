"""``toolschema vectors``: calls with which a service can test itself."""

from __future__ import annotations

import argparse
import sys

from toolschema.cli._flags import add_format, add_output, add_tools, load
from toolschema.cli._output import write
from toolschema.cli._report import Exit, Report
from toolschema.vectors import vectors

SUMMARY = "write valid and invalid calls with their verdicts"
TEXT = """\
Write valid and invalid calls of the tools, each with its verdict and issues:
first the examples of the schemas, then calls generated from them. A service in
any language can test itself with these. The same schemas and seed give the
same bytes. Keywords that no call violates are reported on standard error."""
EXAMPLE = "toolschema vectors schemas/ -o vectors.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_tools(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of the generator (default: 0)")
    add_output(parser, "the calls")
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    made = vectors(load(arguments.tools), seed=arguments.seed)
    code = write(made.data.decode(), arguments)
    if code is not Exit.OK or arguments.check:
        return code
    report = Report.to(sys.stderr, arguments.format)
    if report.is_json:
        counts = {"valid": made.valid, "invalid": made.invalid, "keywords": made.locations}
        report.record({"summary": {**counts, "uncovered": list(made.uncovered)}})
        return code
    for location in made.uncovered:
        report.line(f"{location}: no call violates it")
    calls = f"{made.valid + made.invalid} calls: {made.valid} valid, {made.invalid} invalid"
    covered = made.locations - len(made.uncovered)
    report.line(f"{calls}; {covered} of {made.locations} keywords are violated by some call")
    return code

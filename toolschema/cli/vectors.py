"""``toolschema vectors``: calls by which a service can test itself."""

from __future__ import annotations

import argparse
import sys

from toolschema.cli._exit import Exit
from toolschema.cli._flags import add_check, add_format, add_output, add_tools, load
from toolschema.cli._output import deliver
from toolschema.cli._page import Page
from toolschema.vectors import vectors

SUMMARY = "write good and bad calls with their verdicts"
TEXT = """\
Write calls of the tools, good and bad, with the verdict and the lines of each:
the examples of the schemas first, then calls made from the schemas. A service
in any language can test itself with them. The same schemas and seed give the
same bytes. Keywords that fail in no call are reported on standard error."""
EXAMPLE = "toolschema vectors schemas/ -o vectors.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    add_tools(parser)
    parser.add_argument("--seed", type=int, default=0, help="for other choices; 0 by default")
    add_output(parser, "the calls")
    add_check(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    made = vectors(load(arguments.tools), seed=arguments.seed)
    code = deliver(made.data.decode(), arguments)
    if code is not Exit.OK or arguments.check:
        return code
    page = Page.of(sys.stderr, arguments.format)
    covered = made.locations - len(made.uncovered)
    if page.is_json:
        counts = {"valid": made.valid, "invalid": made.invalid, "keywords": made.locations}
        page.tell({"summary": {**counts, "uncovered": list(made.uncovered)}})
        return code
    for place in made.uncovered:
        page.say(f"{place}: fails in no call")
    page.say(
        f"{made.valid + made.invalid} calls: {made.valid} valid, {made.invalid} invalid;"
        f" {covered} of {made.locations} keywords fail in some"
    )
    return code

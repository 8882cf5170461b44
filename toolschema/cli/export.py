"""``toolschema export``: the tools of a folder as a provider takes them."""

from __future__ import annotations

import argparse
import json
import sys

from toolschema._json.printable import one_line
from toolschema.cli._exit import Exit
from toolschema.cli._exports import PROVIDERS, Export, export_all
from toolschema.cli._flags import add_check, add_format, add_output, add_tools, load
from toolschema.cli._output import deliver
from toolschema.cli._page import Page

SUMMARY = "write tools as a provider takes them"
TEXT = """\
Write the tools as a provider takes them: one JSON array, for its "tools". What
the provider cannot be told is reported on standard error, one line each."""
EXAMPLE = "toolschema export schemas/ --provider anthropic --strict"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    add_tools(parser)
    parser.add_argument("--provider", choices=tuple(PROVIDERS), required=True)
    parser.add_argument("--strict", action="store_true", help="for the provider's strict mode")
    parser.add_argument("--fail-on-loss", action="store_true", help="exit with 1 after any loss")
    add_output(parser, "the tools")
    add_check(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    export = export_all(load(arguments.tools).values(), arguments.provider, strict=arguments.strict)
    code = deliver(json.dumps(export.tools, indent=2) + "\n", arguments)
    is_asked = arguments.fail_on_loss or not arguments.check
    if code is Exit.UNUSABLE or not is_asked:
        return code
    _report(export, Page.of(sys.stderr, arguments.format))
    return Exit.WRONG if arguments.fail_on_loss and export.losses else code


def _report(export: Export, page: Page) -> None:
    if page.terminal is not None and export.losses:
        rows = ((each.place, each.effect, one_line(each.note)) for each in export.losses)
        page.table(("place", "effect", "why"), rows)
        return
    for loss in export.losses:
        if page.is_json:
            page.tell(loss.as_dict())
        else:
            page.say(str(loss))

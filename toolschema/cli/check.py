"""``toolschema check``: all that is wrong with the schemas of a folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from toolschema import ToolSchemaError, ToolSet, load_tool
from toolschema._json.printable import one_line
from toolschema.cli._exit import Exit
from toolschema.cli._flags import add_format, add_output, add_tools, load
from toolschema.cli._output import opened
from toolschema.cli._page import Page
from toolschema.cli._portability import non_portable_patterns
from toolschema.cli._samples import unfit_samples
from toolschema.errors import SchemaFault

SUMMARY = "check tool schemas"
TEXT = """\
Load every schema of a folder and list all that is wrong with any of them. What
is no fault is listed as a warning: patterns that other languages would refuse,
defaults and examples that their own schema refuses."""
EXAMPLE = "toolschema check schemas/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    add_tools(parser)
    add_output(parser, "the report")
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    faults: Sequence[SchemaFault] = ()
    try:
        tools = load(arguments.tools)
    except ToolSchemaError as error:
        faults = error.faults
        tools = _loadable(Path(arguments.tools))
    warnings = [*non_portable_patterns(tools.values()), *unfit_samples(tools.values())]
    with opened(arguments.output) as stream:
        _report(len(tools), faults, warnings, Page.of(stream, arguments.format))
    return Exit.WRONG if faults else Exit.OK


def _loadable(folder: Path) -> ToolSet:
    """The tools of a folder whose own schemas have no fault."""
    tools = []
    for path in sorted(folder.glob("[!._]*.json")):
        with suppress(ToolSchemaError, OSError):
            tools.append(load_tool(path))
    return ToolSet(tools)


def _report(
    tools: int, faults: Sequence[SchemaFault], warnings: Sequence[SchemaFault], page: Page
) -> None:
    if page.is_json:
        for kind, each in [*(("fault", f) for f in faults), *(("warning", w) for w in warnings)]:
            where = {"source": each.source, "location": each.location}
            page.tell({"kind": kind, **where, "message": each.message})
        counts = {"tools": tools, "faults": len(faults), "warnings": len(warnings)}
        page.tell({"summary": counts})
        return
    for fault in faults:
        page.say_at("", *_parts(fault))
    for warning in warnings:
        place, message = _parts(warning)
        page.say_at("", place, f"{message} (warning)")
    if faults:
        page.say(_counted(len(faults), "fault"), "bold red")
    else:
        page.say(f"{_counted(tools, 'tool')}, no faults", "bold green")


def _parts(fault: SchemaFault) -> tuple[str, str]:
    place = fault.source if fault.location is None else f"{fault.source}#{fault.location}"
    return one_line(place), one_line(fault.message)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

"""``toolschema check``: everything that is wrong with the schemas of a folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from toolschema import ToolSchemaError, ToolSet, load_tool
from toolschema._json.printable import one_line
from toolschema.cli._flags import add_format, add_output, add_tools, load
from toolschema.cli._lint import invalid_samples, non_portable_patterns
from toolschema.cli._output import opened
from toolschema.cli._report import Exit, Report, count
from toolschema.errors import SchemaFault

SUMMARY = "check tool schemas"
TEXT = """\
Load every schema of a folder and list all faults. Warnings do not change the
exit code: patterns that other languages reject, and defaults and examples that
are not valid against their own schema."""
EXAMPLE = "toolschema check schemas/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_tools(parser)
    add_output(parser, "the report", check=False)
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    faults: Sequence[SchemaFault] = ()
    try:
        tools = load(arguments.tools)
    except ToolSchemaError as error:
        faults = error.faults
        tools = _loadable(Path(arguments.tools))
    warnings = [*non_portable_patterns(tools.values()), *invalid_samples(tools.values())]
    with opened(arguments.output) as stream:
        _report(len(tools), faults, warnings, Report.to(stream, arguments.format))
    return Exit.WRONG if faults else Exit.OK


def _loadable(folder: Path) -> ToolSet:
    """The tools of a folder whose own schemas have no fault."""
    tools = []
    for path in sorted(folder.glob("[!._]*.json")):
        with suppress(ToolSchemaError, OSError):
            tools.append(load_tool(path))
    return ToolSet(tools)


def _report(
    tools: int, faults: Sequence[SchemaFault], warnings: Sequence[SchemaFault], report: Report
) -> None:
    for kind, suffix, found in (("fault", "", faults), ("warning", " (warning)", warnings)):
        for fault in found:
            if report.is_json:
                where = {"source": fault.source, "location": fault.location}
                report.record({"kind": kind, **where, "message": fault.message})
            else:
                location = "" if fault.location is None else f"#{fault.location}"
                message = f": {one_line(fault.message)}{suffix}"
                report.line((one_line(f"{fault.source}{location}"), "cyan"), message)
    if report.is_json:
        counts = {"tools": tools, "faults": len(faults), "warnings": len(warnings)}
        report.record({"summary": counts})
    elif faults:
        report.line((count(len(faults), "fault"), "bold red"))
    else:
        report.line((f"{count(tools, 'tool')}, no faults", "bold green"))

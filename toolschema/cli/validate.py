"""``toolschema validate``: the calls of a log, each against the tool that it names."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    ToolSet,
    UnknownToolError,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema._json.text import decode
from toolschema.cli._flags import TOOLS_HELP, add_format, add_output, load
from toolschema.cli._output import opened
from toolschema.cli._report import Exit, Report, count

SUMMARY = "validate logged calls"
TEXT = """\
Validate every call of a log against the tool that it names.

CALLS has one JSON object per line: {"name": "read", "arguments": {...}}. The
arguments are an object, or JSON text in a string as providers send it. Invalid
calls are printed with their line number and issues, followed by a summary.
Values are never printed. Property names are; if they may be secret, hide those
that the schemas do not declare."""
EXAMPLE = "toolschema validate calls.jsonl --tools schemas/"

_LIMITS = Limits(max_bytes=64 * 1024 * 1024, max_depth=110, max_nodes=8_000_000)
_NO_TOOL = "(no known tool)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("calls", metavar="CALLS", help="JSON Lines file; - is standard input")
    parser.add_argument("--tools", metavar="TOOLS", required=True, help=TOOLS_HELP)
    parser.add_argument(
        "--empty-is-object", action="store_true", help="treat empty arguments text as {}"
    )
    parser.add_argument(
        "--hide-undeclared-names",
        action="store_true",
        help="hide property names that the schemas do not declare",
    )
    add_output(parser, "the report", check=False)
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    tools = load(arguments.tools, hide_undeclared_names=arguments.hide_undeclared_names)
    calls: Counter[str] = Counter()
    invalid: Counter[str] = Counter()
    with _read(arguments.calls) as log, opened(arguments.output) as stream:
        report = Report.to(stream, arguments.format)
        for number, line in _lines(log):
            tool, problem = _check(tools, line, arguments)
            calls[tool or _NO_TOOL] += 1
            if problem is not None:
                invalid[tool or _NO_TOOL] += 1
                _report(number, tool, problem, report)
        _summarise(calls, invalid, report)
    return Exit.WRONG if invalid else Exit.OK


def _read(path: str) -> AbstractContextManager[IO[bytes]]:
    if path != "-":
        return Path(path).open("rb")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return nullcontext(sys.stdin.buffer)


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1; those over the limit are cut."""
    number = 0
    while line := stream.readline(_LIMITS.max_bytes + 2):
        number += 1
        rest = line
        while len(line) > _LIMITS.max_bytes and rest and not rest.endswith(b"\n"):
            rest = stream.readline(_LIMITS.max_bytes)
        if line.strip():
            yield number, line


def _check(
    tools: ToolSet, line: bytes, arguments: argparse.Namespace
) -> tuple[str | None, str | ToolArgumentsValidationError | None]:
    """The tool that a line calls, if it is known, and what is wrong, if anything."""
    call, finding = decode(line.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n"), _LIMITS)
    if finding is not None:
        message = finding.about("the line", hides_undeclared=arguments.hide_undeclared_names)
        # The number of the line in the log is printed instead.
        return None, message.replace(" at line 1 column ", " at column ")
    if type(call) is not dict:
        return None, "the line must be an object"
    if type(call.get("name")) is not str:
        return None, 'the line must have a string as "name"'
    if "arguments" not in call:
        return None, 'the line must have "arguments", as an object or as JSON text'
    try:
        tool = tools[call["name"]]
    except UnknownToolError as error:
        return None, str(error)
    try:
        if type(call["arguments"]) is str:
            empty = arguments.empty_is_object
            parse_tool_arguments(tool, call["arguments"], empty_is_object=empty)
        else:
            validate_tool_arguments(tool, call["arguments"])
    except ToolArgumentsValidationError as error:
        return tool.name, error
    return tool.name, None


def _report(
    number: int, tool: str | None, problem: str | ToolArgumentsValidationError, report: Report
) -> None:
    if report.is_json:
        fields: dict[str, Any] = {"error": problem, "issues": [], "omitted": 0}
        if not isinstance(problem, str):
            issues = [{"text": str(issue), **issue.as_dict()} for issue in problem.issues]
            fields = {"error": None, "issues": issues, "omitted": problem.omitted}
        report.record({"line": number, "tool": tool, **fields})
        return
    head, *lines = str(problem).splitlines()
    report.line((f"line {number}: {head}", "red" if tool is None else "bold"))
    for line in lines:
        location, colon, message = line.removeprefix("  - ").partition(": ")
        report.line("  - ", (location, "cyan" if colon else ""), colon + message)


def _summarise(calls: Counter[str], invalid: Counter[str], report: Report) -> None:
    total, wrong = calls.total(), invalid.total()
    if report.is_json:
        counts = {"calls": total, "valid": total - wrong, "invalid": wrong}
        report.record({"summary": counts})
        return
    report.table(
        ("tool", "calls", "valid", "invalid"),
        [
            (tool, str(number), str(number - invalid[tool]), str(invalid[tool]))
            for tool, number in sorted(calls.items())
        ],
    )
    style = "bold red" if wrong else "bold green"
    report.line((f"{count(total, 'call')}: {total - wrong} valid, {wrong} invalid", style))

"""``toolschema validate``: every call of a log, against the tool that it names."""

from __future__ import annotations

import argparse
import errno
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
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
from toolschema.cli._exit import Exit
from toolschema.cli._flags import add_format, add_output, add_tools_option, load
from toolschema.cli._output import opened
from toolschema.cli._page import Page

SUMMARY = "check logged calls"
TEXT = """\
Check every call of a log against the tool that it names.

CALLS has one JSON object a line: {"name": "read", "arguments": {...}}. The
arguments are an object, or JSON text in a string as providers send it. Bad
calls are printed with their line number and their issues, never with a value
of theirs; then a summary. Names of properties are shown: where these may be
secret, hide those that the schemas do not declare."""
EXAMPLE = "toolschema validate calls.jsonl --tools schemas/"

_LIMITS = Limits(max_bytes=64 * 1024 * 1024, max_depth=110, max_nodes=8_000_000)
_NO_TOOL = "(none of these)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("calls", metavar="CALLS", help="JSON Lines file; - is standard input")
    add_tools_option(parser)
    parser.add_argument(
        "--empty-is-object", action="store_true", help="take empty argument text for {}"
    )
    parser.add_argument(
        "--hide-undeclared-names",
        action="store_true",
        help="hide property names that the schemas do not declare",
    )
    add_output(parser, "the report")
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    tools = load(arguments.tools, hide_undeclared_names=arguments.hide_undeclared_names)
    seen: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    with _read(arguments.calls) as calls, opened(arguments.output) as stream:
        page = Page.of(stream, arguments.format)
        for number, line in _lines(calls):
            name, verdict = _judge(tools, line, arguments)
            seen[name] += 1
            if verdict is not None:
                bad[name] += 1
                _report(number, verdict, page)
        _summarise(seen, bad, page)
    return Exit.WRONG if bad else Exit.OK


@contextmanager
def _read(path: str) -> Iterator[IO[bytes]]:
    if path == "-" and sys.stdin is None:
        raise FileNotFoundError(errno.ENOENT, "there is none", "standard input")
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as stream:
        yield stream


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1, cut where they are too long."""
    number = 0
    while line := stream.readline(_LIMITS.max_bytes + 2):
        number += 1
        rest = line
        while len(line) > _LIMITS.max_bytes and rest and not rest.endswith(b"\n"):
            rest = stream.readline(_LIMITS.max_bytes)
        if line.strip():
            yield number, line


def _judge(
    tools: ToolSet, line: bytes, arguments: argparse.Namespace
) -> tuple[str, dict[str, Any] | None]:
    """The tool of one line, and what is wrong with it; None where nothing is."""
    call, finding = decode(line.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n"), _LIMITS)
    if finding is not None:
        message = finding.about("the line", hides_undeclared=arguments.hide_undeclared_names)
        # It is one line, so the number in it would only be mistaken for another.
        return _unreadable(message.replace(" at line 1 column ", " at column "))
    if type(call) is not dict:
        return _unreadable("the line must be an object")
    if type(call.get("name")) is not str:
        return _unreadable('the line must have a "name" that is text')
    if "arguments" not in call:
        return _unreadable('the line must have "arguments": an object, or its JSON text')
    try:
        tool = tools[call["name"]]
    except UnknownToolError as error:
        return _unreadable(str(error))
    try:
        if type(call["arguments"]) is str:
            empty = arguments.empty_is_object
            parse_tool_arguments(tool, call["arguments"], empty_is_object=empty)
        else:
            validate_tool_arguments(tool, call["arguments"])
    except ToolArgumentsValidationError as error:
        found = {"issues": error.issues, "omitted": error.omitted}
        return tool.name, {"tool": tool.name, "error": None, **found}
    return tool.name, None


def _unreadable(message: str) -> tuple[str, dict[str, Any]]:
    return _NO_TOOL, {"tool": None, "error": message, "issues": (), "omitted": 0}


def _report(number: int, verdict: dict[str, Any], page: Page) -> None:
    if page.is_json:
        issues = [{"text": str(issue), **issue.as_dict()} for issue in verdict["issues"]]
        page.tell({"line": number, **verdict, "issues": issues})
        return
    if verdict["error"] is not None:
        page.say(f"line {number}: {verdict['error']}", "red")
        return
    error = ToolArgumentsValidationError(verdict["tool"], verdict["issues"], verdict["omitted"])
    head, *_ = str(error).splitlines()
    page.say(f"line {number}: {head}", "bold")
    for issue in error.issues:
        place, _, message = issue.partition(": ")
        page.say_at("  - ", place, message)
    for rest in str(error).splitlines()[1 + len(error.issues) :]:
        page.say(rest)


def _summarise(seen: Counter[str], bad: Counter[str], page: Page) -> None:
    calls, invalid = seen.total(), bad.total()
    valid = calls - invalid
    if page.is_json:
        page.tell({"summary": {"calls": calls, "valid": valid, "invalid": invalid}})
        return
    page.table(
        ("tool", "calls", "valid", "invalid"),
        [
            (name, str(seen[name]), str(seen[name] - bad[name]), str(bad[name]))
            for name in sorted(seen)
        ],
    )
    style = "bold red" if invalid else "bold green"
    noun = "call" if calls == 1 else "calls"
    page.say(f"{calls} {noun}: {valid} valid, {invalid} invalid", style)

"""The command line: check logged calls, and the schemas of tools."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from importlib import metadata
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    ToolSchemaError,
    ToolSet,
    UnknownToolError,
    load_tool,
    load_tools,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema._json import decode
from toolschema.portability import non_portable_patterns
from toolschema.providers._export_command import PROVIDERS, export_all
from toolschema.samples import unfit_samples

__all__ = ["main"]

OK, INVALID, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

STANDARD_OUTPUT = 1

_LIMITS = Limits(max_bytes=64 * 1024 * 1024, max_depth=110, max_nodes=8_000_000)
_EXIT = """\
exit codes: 0 all is valid, 1 something is not, 2 the command or a file cannot
be used, 130 interrupted"""
_VALIDATE = f"""\
Check every call of a log against the tool that it names.

CALLS has one JSON object a line: {{"name": "read", "arguments": {{...}}}}. The
arguments are an object, or JSON text in a string as providers send it. Bad
calls are printed with their line number and their issues, never with a value
of theirs; then a summary. Names of properties are shown: where these may be
secret, hide those that the schemas do not declare.

example: toolschema validate calls.jsonl --tools schemas/

{_EXIT}"""
_CHECK = f"""\
Load every schema of a folder and list all that is wrong with any of them. What
is no fault is listed as a warning: patterns that other languages would refuse,
defaults and examples that their own schema refuses.

example: toolschema check schemas/

{_EXIT}"""
_EXPORT = f"""\
Print the tools of a folder as a provider takes them: one JSON array, for its
"tools". What the provider cannot be told goes to standard error, one line each.

example: toolschema export schemas/ --provider anthropic --strict

{_EXIT};
with --fail-on-loss also 1 where anything was lost"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; answer its exit code."""
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code: int = arguments.run(arguments)
        if sys.stdout is None:
            return _fail("there is no standard output")
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone; there is no one left to tell there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), STANDARD_OUTPUT)
        return _fail("the output was closed before all was written")
    except KeyboardInterrupt:
        _fail("interrupted")
        return INTERRUPTED
    except ToolSchemaError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {error.strerror or error}")
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolschema",
        description="Check what language models send to tools, against JSON Schema files.",
        epilog=_EXIT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"toolschema {_version()}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    validate = _command(commands, "validate", "check logged calls", _VALIDATE)
    validate.add_argument("calls", metavar="CALLS", help="JSON Lines file; - is standard input")
    validate.add_argument(
        "--tools", metavar="FOLDER", required=True, help="folder of tool schemas (*.json)"
    )
    validate.add_argument(
        "--empty-is-object", action="store_true", help="take empty argument text for {}"
    )
    validate.add_argument(
        "--hide-undeclared-names",
        action="store_true",
        help="hide property names that the schemas do not declare",
    )
    validate.set_defaults(run=_validate)
    check = _command(commands, "check", "check tool schemas", _CHECK)
    check.add_argument("tools", metavar="FOLDER", help="folder of tool schemas (*.json)")
    check.set_defaults(run=_check)
    export = _command(commands, "export", "write tools for a provider", _EXPORT, has_format=False)
    export.add_argument("tools", metavar="FOLDER", help="folder of tool schemas (*.json)")
    export.add_argument("--provider", choices=tuple(PROVIDERS), required=True)
    export.add_argument("--strict", action="store_true", help="for the provider's strict mode")
    export.add_argument("--fail-on-loss", action="store_true", help="exit with 1 after any loss")
    export.set_defaults(run=_export)
    return parser


def _version() -> str:
    try:
        return metadata.version("toolschema-validator")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _command(
    commands: Any, name: str, summary: str, text: str, *, has_format: bool = True
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if has_format:
        command.add_argument(
            "--format", choices=("text", "json"), default="text", help="json: one object a line"
        )
    return command


def _validate(arguments: argparse.Namespace) -> int:
    tools = _load(arguments)
    counts = {"calls": 0, "valid": 0, "invalid": 0}
    with _opened(arguments.calls) as stream:
        for number, line in _lines(stream):
            counts["calls"] += 1
            verdict = _judge(tools, line, arguments)
            counts["invalid" if verdict else "valid"] += 1
            if verdict:
                _print_call(number, verdict, arguments.format)
    if arguments.format == "json":
        _print_json({"summary": counts})
    else:
        calls = _counted(counts["calls"], "call")
        print(f"{calls}: {counts['valid']} valid, {counts['invalid']} invalid")
    return INVALID if counts["invalid"] else OK


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
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


def _judge(tools: ToolSet, line: bytes, arguments: argparse.Namespace) -> dict[str, Any] | None:
    """What is wrong with one line; None where nothing is."""
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
        return {
            "tool": tool.name,
            "error": None,
            "issues": error.issues,
            "omitted": error.omitted,
        }
    return None


def _unreadable(message: str) -> dict[str, Any]:
    return {"tool": None, "error": message, "issues": (), "omitted": 0}


def _print_call(number: int, verdict: dict[str, Any], form: str) -> None:
    if form == "json":
        issues = [{"text": str(issue), **issue.as_dict()} for issue in verdict["issues"]]
        _print_json({"line": number, **verdict, "issues": issues})
    elif verdict["error"] is not None:
        print(f"line {number}: {verdict['error']}")
    else:
        error = ToolArgumentsValidationError(verdict["tool"], verdict["issues"], verdict["omitted"])
        print(f"line {number}: {error}")


def _check(arguments: argparse.Namespace) -> int:
    faults: Sequence[Any] = ()
    tools = ToolSet()
    try:
        tools = _load(arguments)
    except ToolSchemaError as error:
        faults = error.faults
        tools = _loadable(Path(arguments.tools))
    warnings = [*non_portable_patterns(tools.values()), *unfit_samples(tools.values())]
    if arguments.format == "json":
        for kind, each in [*(("fault", f) for f in faults), *(("warning", w) for w in warnings)]:
            place = {"source": each.source, "location": each.location, "message": each.message}
            _print_json({"kind": kind, **place})
        _print_json(
            {"summary": {"tools": len(tools), "faults": len(faults), "warnings": len(warnings)}}
        )
        return INVALID if faults else OK
    for fault in faults:
        print(fault)
    for warning in warnings:
        print(f"{warning} (warning)")
    if faults:
        print(_counted(len(faults), "fault"))
        return INVALID
    print(f"{_counted(len(tools), 'tool')}, no faults")
    return OK


def _export(arguments: argparse.Namespace) -> int:
    tools = _load(arguments).values()
    export = export_all(tools, arguments.provider, strict=arguments.strict, folder=arguments.tools)
    print(json.dumps(export.tools, indent=2))
    for line in export.lines:
        print(line, file=sys.stderr)
    return INVALID if arguments.fail_on_loss and export.lines else OK


def _load(arguments: argparse.Namespace) -> ToolSet:
    tools = load_tools(
        arguments.tools, hide_undeclared_names=getattr(arguments, "hide_undeclared_names", False)
    )
    if not tools:
        raise FileNotFoundError(errno.ENOENT, "has no tool schemas (*.json)", arguments.tools)
    return tools


def _loadable(folder: Path) -> ToolSet:
    """The tools of a folder whose own schemas have no fault."""
    tools = []
    for path in sorted(folder.glob("[!._]*.json")):
        with suppress(ToolSchemaError, OSError):
            tools.append(load_tool(path))
    return ToolSet(tools)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value))


def _fail(message: str) -> int:
    print(f"toolschema: {message}", file=sys.stderr)
    return UNUSABLE

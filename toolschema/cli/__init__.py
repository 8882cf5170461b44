"""The command line.

Each command is a module of the same shape: SUMMARY, TEXT and EXAMPLE for
``--help``, ``add_arguments(parser)``, and ``run(arguments)``, which returns an
exit code.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from io import TextIOWrapper
from typing import Any, NoReturn

from toolschema import ToolSchemaError
from toolschema.cli._report import EXIT_CODES, Exit, fail

__all__ = ["main"]

_COMMANDS = ("validate", "check", "export", "types", "bundle", "vectors")
_STANDARD_OUTPUT = 1


class _Parser(argparse.ArgumentParser):
    """Prints help as it is written, and errors on one line."""

    def __init__(self, *, example: str = "", **options: Any) -> None:
        super().__init__(
            epilog=f"example: {example}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **options,
        )

    def error(self, message: str) -> NoReturn:
        self.exit(Exit.UNUSABLE, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    >>> main(["check", "schemas"])
    8 tools, no faults
    0
    """
    given = sys.argv[1:] if argv is None else [*argv]
    arguments = _parser(given).parse_args(given)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = arguments.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output once more at exit; that must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STANDARD_OUTPUT)
        return fail("the output was closed before everything was written")
    except KeyboardInterrupt:
        fail("interrupted")
        return Exit.INTERRUPTED
    except ToolSchemaError as error:
        return fail(*map(str, error.faults))
    except OSError as error:
        reason = error.strerror or str(error)
        return fail(reason if error.filename is None else f"{error.filename}: {reason}")
    return int(code)


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="toolschema",
        description="Validate what language models send to tools that are described by JSON\n"
        "Schema files, and export these tools.",
        example="toolschema validate calls.jsonl --tools schemas/",
    )
    parser.add_argument("--version", action="version", version=f"toolschema {_version()}")
    commands = parser.add_subparsers(
        title="commands", required=True, metavar="COMMAND", dest="command"
    )
    # Importing the other commands would only take time.
    for name in [name for name in _COMMANDS if name in given[:1]] or _COMMANDS:
        module: Any = import_module(f"toolschema.cli.{name}")
        command = commands.add_parser(
            name, help=module.SUMMARY, description=module.TEXT, example=module.EXAMPLE
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def _version() -> str:
    try:
        return metadata.version("toolschema-validator")
    except metadata.PackageNotFoundError:
        return "(not installed)"

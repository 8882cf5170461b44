"""The command line: arguments, one command, its exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from io import TextIOWrapper
from types import ModuleType
from typing import NoReturn

from toolschema import ToolSchemaError
from toolschema.cli._exit import TABLE, Exit, fail

__all__ = ["main"]

_COMMANDS = ("validate", "check", "export", "types", "bundle", "vectors")
_STANDARD_OUTPUT = 1


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(Exit.UNUSABLE, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; answer its exit code.

    >>> main(["check", "schemas"])
    8 tools, no faults
    0
    """
    given = sys.argv[1:] if argv is None else [*argv]
    # The others' modules would only take time.
    named = [name for name in _COMMANDS if name in given[:1]] or _COMMANDS
    arguments = _parser(named).parse_args(given)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code: int = arguments.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone; there is no one left to tell there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STANDARD_OUTPUT)
        return fail("the output was closed before all was written")
    except KeyboardInterrupt:
        fail("interrupted")
        return Exit.INTERRUPTED
    except ToolSchemaError as error:
        return fail(*map(str, error.faults))
    except OSError as error:
        return fail(f"{error.filename or 'a file'}: {error.strerror or error}")
    except ImportError as error:
        return fail(str(error))
    return int(code)


def _parser(names: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="toolschema",
        description="Tools of language models, described in JSON Schema files: check what is\n"
        "sent to them, and hand them on.",
        epilog=_epilog("toolschema validate calls.jsonl --tools schemas/"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"toolschema {_version()}")
    commands = parser.add_subparsers(
        title="commands", required=True, metavar="COMMAND", dest="command"
    )
    for name in names:
        module: ModuleType = import_module(f"toolschema.cli.{name}")
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.TEXT,
            epilog=_epilog(module.EXAMPLE),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def _epilog(example: str) -> str:
    return f"example: {example}\n\n{TABLE}"


def _version() -> str:
    try:
        return metadata.version("toolschema-validator")
    except metadata.PackageNotFoundError:
        return "(not installed)"

"""What a command answers to whoever started it."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import IntEnum

TABLE = """\
exit codes:
  0    done, and nothing is wrong
  1    done, and something is: a call is not valid, a schema has a fault, with
       --fail-on-loss something was lost, with --check a file is not current
  2    not done: the command, a file, a schema or an extra cannot be used
  130  interrupted"""


class Exit(IntEnum):
    """The exit codes of every command."""

    OK = 0
    WRONG = 1
    UNUSABLE = 2
    INTERRUPTED = 130


def fail(*messages: str) -> Exit:
    """Say why it was not done, a line each."""
    if sys.stderr is not None:  # or it would go to standard output
        with suppress(OSError):  # the exit code says it, too
            for message in messages:
                print(f"toolschema: {message}", file=sys.stderr)
    return Exit.UNUSABLE

"""Files that a command writes: whole, or not at all."""

from __future__ import annotations

import argparse
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from toolschema.cli._exit import Exit, fail

_NEW_FILE = 0o666


@contextmanager
def opened(path: str) -> Iterator[IO[str]]:
    """A stream of text in UTF-8 to *path*, or to standard output where it is ``-``.

    A file has its new content once the block ends without an error, and until
    then what it had before; a link stays one. What is no file, such as a pipe,
    is written as it comes.
    """
    if path == "-":
        if sys.stdout is None:
            raise FileNotFoundError(errno.ENOENT, "there is none", "standard output")
        yield sys.stdout
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    with _replacing(target) as stream:
        yield stream


@contextmanager
def _replacing(target: Path) -> Iterator[IO[str]]:
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder does not exist", str(target))
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123
            yield stream
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _mode(target: Path) -> int:
    """That of the file that is replaced, or what a new one would have."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return _NEW_FILE & ~mask


def deliver(text: str, arguments: argparse.Namespace) -> Exit:
    """Write *text* where ``--output`` says, or with ``--check`` compare it."""
    path = arguments.output
    if arguments.check:
        return _compare(text, path)
    if path == "-" and isinstance(sys.stdout, TextIOWrapper):
        # As exact as in a file, whatever the terminal's own encoding is.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        return Exit.OK
    if not _is_current(text, path):
        with opened(path) as stream:
            stream.write(text)
    return Exit.OK


def _compare(text: str, path: str) -> Exit:
    if path == "-":
        return fail("--check needs a file to compare: -o FILE")
    if _is_current(text, path):
        return Exit.OK
    fail(f"{path}: is not current; write it again without --check")
    return Exit.WRONG


def _is_current(text: str, path: str) -> bool:
    """Whether a file has this text already; how its lines end does not matter."""
    if path == "-" or not Path(path).is_file():
        return False
    return Path(path).read_bytes().replace(b"\r\n", b"\n") == text.encode()

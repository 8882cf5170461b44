"""Output files, replaced atomically."""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from toolschema.cli._report import Exit, fail


def opened(path: str) -> AbstractContextManager[IO[str]]:
    """A UTF-8 stream to *path*, or to standard output for ``-``.

    A file gets its new content when the block ends without an error, and keeps
    its old content until then. A symbolic link stays a link. A pipe or a device
    is written to directly.
    """
    if path == "-":
        if sys.stdout is None:
            raise OSError("standard output is closed")
        return nullcontext(sys.stdout)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        return target.open("w", encoding="utf-8", newline="")
    return _replacing(target)


@contextmanager
def _replacing(target: Path) -> Iterator[IO[str]]:
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder does not exist", str(target))
    temporary = target.with_name(f".toolschema-{secrets.token_hex(8)}")
    try:
        with temporary.open("x", encoding="utf-8", newline="") as stream:
            if target.exists():
                shutil.copymode(target, temporary)
            yield stream
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write(text: str, arguments: argparse.Namespace) -> Exit:
    """Write *text* to the file of ``--output``, or with ``--check`` only compare them."""
    path = arguments.output
    if arguments.check and path == "-":
        return fail("--check needs a file to compare with: -o FILE")
    if path == "-" and isinstance(sys.stdout, TextIOWrapper):
        # The bytes are those of a file, whatever the encoding of the terminal.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    elif not _is_up_to_date(path, text):
        if arguments.check:
            fail(f"{path}: is out of date; run the command without --check to update it")
            return Exit.WRONG
        with opened(path) as stream:
            stream.write(text)
    return Exit.OK


def _is_up_to_date(path: str, text: str) -> bool:
    """Whether a file has this content, its line endings aside."""
    if path == "-" or not Path(path).is_file():
        return False
    return Path(path).read_bytes().replace(b"\r\n", b"\n") == text.encode()

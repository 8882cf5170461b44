"""The module of a folder of tools, as a file."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from toolschema import load_tools
from toolschema.types._generate import generate_types

StrPath = str | os.PathLike[str]


def write_types(folder: StrPath, output: StrPath) -> bool:
    """Write the module of the tools of *folder* to *output*, where it is not there yet.

    The module loads the schemas when it is imported, from the same place relative
    to itself: files stay their only source. In a package they have to be installed
    beside it. Constants have the default `Limits`; for others, annotate a definition
    of your own with its types.

    Args:
        folder: As `load_tools` takes it.
        output: Path of the module; its folder must exist.

    Returns:
        Whether the file was changed.

    Raises:
        ToolSchemaError: Some file of *folder* cannot be used.
        OSError: A folder is missing, or something cannot be read or written.
        ValueError: No relative path leads from *output* to *folder*.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     _ = Path(place, "now.json").write_text('{"type": "object"}')
    ...     write_types(place, f"{place}/tools.py"), types_are_current(place, f"{place}/tools.py")
    (True, True)
    """
    text = _text(folder, output)
    if _is(text, output):
        return False
    Path(output).write_bytes(text)
    return True


def types_are_current(folder: StrPath, output: StrPath) -> bool:
    """Tell whether `write_types` would leave *output* as it is; nothing is written.

    Line ends do not matter. A file that is missing is not current.

    Raises:
        ToolSchemaError: Some file of *folder* cannot be used.
        OSError: The folder is missing, or something cannot be read.
        ValueError: No relative path leads from *output* to *folder*.
    """
    return _is(_text(folder, output), output)


def _text(folder: StrPath, output: StrPath) -> bytes:
    tools = load_tools(folder).values()
    way = os.path.relpath(folder, Path(output).parent)
    return generate_types(tools, folder=PurePath(way).as_posix()).encode()


def _is(text: bytes, output: StrPath) -> bool:
    try:
        return Path(output).read_bytes().replace(b"\r\n", b"\n") == text
    except FileNotFoundError:
        return False

"""Files of a folder to JSON values, and nothing from anywhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

from toolschema._json.limits import SCHEMA_LIMITS, Limits
from toolschema._json.plain import NOT_PLAIN, plain, value_findings
from toolschema._json.pointer import join
from toolschema._json.text import decode
from toolschema._schema.resources import Resources, Source, resource_uri
from toolschema.errors import SchemaFault

# What a path of a URI may hold as it is (RFC 3986 §3.3).
_UNQUOTED = "/!$&'()*+,;=:@"


class SchemaFile(NamedTuple):
    """One ``*.json`` file of a folder."""

    path: Path
    uri: str
    """Its path in the folder, as a URI."""
    is_top: bool
    """Directly in the folder, not in one below."""

    @property
    def is_tool(self) -> bool:
        """Whether it stands for a tool, not only to be referenced."""
        return self.is_top and not self.path.name.startswith("_")

    @property
    def label(self) -> str:
        return self.path.as_posix()


class SchemaEntry(NamedTuple):
    """A schema that was read; without a name it is only there to be referenced."""

    source: Source
    name: str | None
    annotations: Mapping[str, str] = MappingProxyType({})
    """Title and description of the tool, where they are not those of the schema."""


class Schemas(NamedTuple):
    """The schemas of a folder or a bundle, and what could not be read of it."""

    entries: list[SchemaEntry]
    resources: Resources
    faults: list[SchemaFault]


def files_of(folder: Path) -> list[SchemaFile]:
    """The schema files of *folder*, ordered by their paths.

    Only regular files whose name ends in ``.json`` and does not begin with a
    dot; a link counts where it stays in the folder.

    Raises:
        OSError: The folder is missing, is no folder or cannot be read.
    """
    root = folder.resolve(strict=True)
    found = [
        SchemaFile(
            folder / path,
            resource_uri(quote(os.fsencode(path.as_posix()), safe=_UNQUOTED)),
            is_top=len(path.parts) == 1,
        )
        for path in _paths(root)
    ]
    return sorted(found, key=lambda file: file.uri)


def _paths(root: Path) -> Iterator[Path]:
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                path = Path(entry.path)
                if entry.name.startswith(".") or (entry.is_symlink() and not _stays(path, root)):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                elif entry.name.endswith(".json") and entry.is_file():
                    yield path.relative_to(root)


def _stays(path: Path, root: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):  # a loop of links is one or the other
        return False


def read(path: Path, limits: Limits = SCHEMA_LIMITS) -> tuple[Any, SchemaFault | None]:
    """Read one schema file; answer ``(value, None)`` or ``(None, fault)``.

    The text must be JSON with unique names and finite numbers; integers keep
    all their digits.
    """
    label = path.as_posix()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None, SchemaFault(label, None, "is not a regular file")
        with path.open("rb") as stream:
            data = stream.read(limits.max_bytes + 1)
    except OSError as error:
        return None, SchemaFault(label, None, f"cannot be read ({error.strerror})")
    value, finding = decode(data.removeprefix(b"\xef\xbb\xbf"), limits)
    if finding is not None:
        return None, SchemaFault(label, None, finding.about("a schema file"))
    copy = plain(value, limits)
    if copy is not NOT_PLAIN:
        return copy, None
    first = value_findings(value, limits).found[0]
    return None, SchemaFault(label, join(first.tokens), first.about("a schema file"))

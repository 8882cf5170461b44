"""A folder of schema files, or a bundle of them, to tools."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from toolschema._json.limits import Limits
from toolschema._schema.bundle_file import tools_of_bundle
from toolschema._schema.document import Origin
from toolschema._schema.files import SchemaEntry, SchemaFile, Schemas, files_of, read
from toolschema._schema.resources import Resources, Source
from toolschema._validation.compiled import check_resource
from toolschema._validation.definition import ToolDefinition
from toolschema._validation.toolset import ToolSet
from toolschema.errors import SchemaFault, ToolSchemaError, refuse

StrPath = str | os.PathLike[str]


def load_tools(
    path: StrPath, *, limits: Limits | None = None, hide_undeclared_names: bool = False
) -> ToolSet:
    """Load every tool of a folder, or of the bundle that was made of one.

    Each ``*.json`` file at the top of a folder is the schema of one tool: its name
    without the ending is the tool's, its ``description`` and ``title`` too. Files
    whose name begins with ``_``, and all in subfolders, are there to be referenced.
    A relative ``$ref`` starts from the ``$id`` of its file, or from the URI of
    the file where it has none; it never leaves the folder, and nothing is ever
    fetched.

    Args:
        path: Of the folder, or of a file that `toolschema.bundle` has made.
        limits: Bounds of every call.
        hide_undeclared_names: See `ToolDefinition`.

    Returns:
        The tools ordered by name; empty where there are none.

    Raises:
        ToolSchemaError: Some schemas cannot be used, those included to which
            nothing refers; it lists every fault of all, or a file that is not a bundle.
        OSError: The path is missing or cannot be read.
        TypeError: *path* is not a path.
    """
    path = _path(path)
    _check_limits(limits)
    found = tools_of_bundle(path) if path.is_file() else _of_folder(path)
    tools: list[ToolDefinition[Any]] = []
    faults = found.faults
    for entry in found.entries:
        try:
            if entry.name is None:
                check_resource(entry.source, found.resources)
                continue
            tools.append(
                _define(entry, found.resources, limits, hide_undeclared_names=hide_undeclared_names)
            )
        except ToolSchemaError as error:
            faults.extend(error.faults)
    refuse(faults)
    return ToolSet(sorted(tools, key=lambda tool: tool.name))


def load_tool(
    path: StrPath, *, limits: Limits | None = None, hide_undeclared_names: bool = False
) -> ToolDefinition[Any]:
    """Load one schema file; it may refer to the others of its folder.

    Those others are only read where the file has a reference, and count only
    as far as they are reached: a broken one that is not does no harm. All else
    is as for `load_tools`.

    Raises:
        ToolSchemaError: The file, or what it reaches, cannot be used.
        OSError: The file is missing or cannot be read.
        TypeError: *path* is not a path.
    """
    path = _path(path)
    _check_limits(limits)
    path.stat()
    files = files_of(path.parent)
    file = next((file for file in files if file.path.name == path.name and file.is_top), None)
    if file is None:
        fault = SchemaFault(path.as_posix(), None, "is not a regular file that ends in .json")
        raise ToolSchemaError([fault])
    resources, _ = _read_all([file])
    source = resources.get(file.uri)
    if source is None:
        raise ToolSchemaError([resources.broken[file.uri]])
    if source.refers:
        resources, _ = _read_all(files)
    entry = SchemaEntry(source, file.path.stem)
    return _define(entry, resources, limits, hide_undeclared_names=hide_undeclared_names)


def _of_folder(folder: Path) -> Schemas:
    files = files_of(folder)
    resources, faults = _read_all(files)
    named = [(resources.get(file.uri), file.path.stem if file.is_tool else None) for file in files]
    entries = [SchemaEntry(source, name) for source, name in named if source]
    return Schemas(entries, resources, faults)


def _define(
    entry: SchemaEntry,
    resources: Resources,
    limits: Limits | None,
    *,
    hide_undeclared_names: bool,
) -> ToolDefinition[Any]:
    source = entry.source
    schema = json.loads(source.text)
    described = {**schema, **entry.annotations} if isinstance(schema, dict) else {}
    faults = [
        source.origin.fault("must be a string", keyword)
        for keyword in ("title", "description")
        if not isinstance(described.get(keyword, ""), str)
    ]
    if faults:
        raise ToolSchemaError(faults)
    return ToolDefinition._from_source(
        source,
        resources if source.refers else Resources(),
        name=entry.name or "",
        description=described.get("description", ""),
        title=described.get("title"),
        limits=limits or Limits(),
        hide_undeclared_names=hide_undeclared_names,
        _output=None,
        _annotations=None,
        _extra=None,
    )


def _read_all(files: list[SchemaFile]) -> tuple[Resources, list[SchemaFault]]:
    sources: list[Source] = []
    broken: list[tuple[str, SchemaFault]] = []
    for file in files:
        value, fault = read(file.path)
        if fault is None:
            sources.append(Source(file.uri, Origin(file.label), json.dumps(value)))
        else:
            broken.append((file.uri, fault))
    return Resources(sources, broken), [fault for _, fault in broken]


def _check_limits(limits: object) -> None:
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits must be Limits, not {type(limits).__name__}")


def _path(path: StrPath) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be str or os.PathLike, not {type(path).__name__}")
    return Path(path)

"""A bundle, which is one compound document, to the tools in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolschema._json.equality import is_same
from toolschema._json.limits import Limits
from toolschema._schema.dialect import DRAFT_2020_12
from toolschema._schema.document import Origin
from toolschema._schema.files import SchemaEntry, Schemas, read
from toolschema._schema.resources import BASE, Resources, Source, resource_uri
from toolschema.errors import SchemaFault

BUNDLE_LIMITS = Limits(max_bytes=64 * 1024 * 1024, max_depth=122, max_nodes=4_000_000)
"""For the whole file: a schema in it is two levels deeper than in a file of its own."""

HEAD: dict[str, Any] = {
    "$schema": DRAFT_2020_12.uri,
    "$id": BASE,
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}
"""What every bundle declares: it accepts the name of one tool with the arguments of a call.
Its ``$id`` stands for the folder of the files."""
_BODY = ("properties", "$defs")
_DESCRIPTIVE = ("title", "description")


def tools_of_bundle(path: Path) -> Schemas:
    """Read a bundle.

    Each schema keeps its location in the file, so that faults can report it.
    """
    document, fault = read(path, BUNDLE_LIMITS)
    if fault is not None:
        return Schemas([], Resources(), [fault])
    origin = Origin(path.as_posix())
    if not (
        isinstance(document, dict) and all(type(document.get(keyword)) is dict for keyword in _BODY)
    ):
        message = "is not a bundle of tools: it needs $defs and properties, as a bundle is written"
        return Schemas([], Resources(), [SchemaFault(origin.name, None, message)])
    faults = list(_head_faults(document, origin))
    read_of = {
        uri: _source(uri, schema, Origin(origin.name, ("$defs", uri)))
        for uri, schema in document["$defs"].items()
    }
    broken = [(uri, fault) for uri, fault in read_of.items() if isinstance(fault, SchemaFault)]
    faults.extend(fault for _, fault in broken)
    entries: list[SchemaEntry] = []
    used: set[str] = set()
    for name, entry in document["properties"].items():
        below = Origin(origin.name, ("properties", name))
        wrong = list(_entry_faults(name, entry, document["$defs"], below))
        faults.extend(wrong)
        if wrong:
            continue
        source = read_of[entry["$ref"]]
        used.add(entry["$ref"])
        if isinstance(source, Source):
            described = {keyword: entry[keyword] for keyword in _DESCRIPTIVE if keyword in entry}
            entries.append(SchemaEntry(source, name, described))
    sources = [source for source in read_of.values() if isinstance(source, Source)]
    entries.extend(SchemaEntry(source, None) for source in sources if source.uri not in used)
    return Schemas(entries, Resources(sources, broken), faults)


def _head_faults(document: dict[str, Any], origin: Origin) -> Iterator[SchemaFault]:
    for keyword, value in HEAD.items():
        if not is_same(document.get(keyword), value):
            yield origin.fault(f"must be {json.dumps(value)} in a bundle of tools", keyword)
    for keyword in document.keys() - HEAD.keys() - {*_BODY}:
        yield origin.fault("has no meaning in a bundle of tools", keyword)


def _source(uri: str, schema: Any, origin: Origin) -> Source | SchemaFault:
    if not isinstance(schema, dict):
        return origin.fault("must be a JSON object that is a schema")
    if schema.get("$id") != uri or not _is_absolute(uri):
        message = "must be an absolute URI without fragment, the same as the name in $defs"
        return origin.fault(message, "$id")
    if uri.startswith(BASE):
        del schema["$id"]  # it only stands for the URI of the file
    return Source(uri, origin, json.dumps(schema))


def _is_absolute(uri: str) -> bool:
    try:
        return resource_uri(uri) == uri != BASE
    except ValueError:
        return False


def _entry_faults(
    name: str, schema: Any, schemas: dict[str, Any], origin: Origin
) -> Iterator[SchemaFault]:
    if not name:
        yield origin.fault("the name of a tool must not be empty")
    if not isinstance(schema, dict):
        yield origin.fault("must be an object with a $ref to a schema in $defs")
        return
    if not (isinstance(schema.get("$ref"), str) and schema["$ref"] in schemas):
        yield origin.fault("must name a schema in $defs", "$ref")
    for keyword in _DESCRIPTIVE:
        if not isinstance(schema.get(keyword, ""), str):
            yield origin.fault("must be a string", keyword)
    for keyword in schema.keys() - {"$ref", *_DESCRIPTIVE}:
        yield origin.fault("has no meaning beside the $ref to a tool", keyword)

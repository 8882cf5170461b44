"""One compound document to the tools in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolschema._json.limits import Limits
from toolschema._json.pointer import Token
from toolschema._schema.dialect import DRAFT_2020_12
from toolschema._schema.document import Origin
from toolschema._schema.files import Found, Written, read
from toolschema._schema.resources import BASE, Resources, Source, place_of
from toolschema.errors import SchemaFault

BUNDLE_LIMITS = Limits(max_bytes=64 * 1024 * 1024, max_depth=122, max_nodes=4_000_000)
"""Of the whole file: a schema in it is two levels deeper than in a file of its own."""

HEAD: dict[str, Any] = {
    "$schema": DRAFT_2020_12.uri,
    "$id": BASE,
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}
"""What each bundle says: it accepts one tool's name with the arguments of a call.
Its ``$id`` is where the folder of the files would be."""
_BODY = ("properties", "$defs")
_SAID = ("title", "description")


def tools_of_bundle(path: Path) -> Found:
    """Read a bundle.

    Each schema keeps its place in the file, so that a fault says where it is.
    """
    document, fault = read(path, BUNDLE_LIMITS)
    if fault is not None:
        return Found([], Resources(), [fault])
    origin = Origin(path.as_posix())
    if not (isinstance(document, dict) and all(type(document.get(each)) is dict for each in _BODY)):
        message = "is not a bundle of tools: it needs $defs and properties, as a bundle is written"
        return Found([], Resources(), [SchemaFault(origin.name, None, message)])
    faults = list(_head_faults(document, origin))
    read_of = {
        uri: _source(uri, schema, Origin(origin.name, ("$defs", uri)))
        for uri, schema in document["$defs"].items()
    }
    broken = [(uri, each) for uri, each in read_of.items() if isinstance(each, SchemaFault)]
    faults.extend(fault for _, fault in broken)
    written: list[Written] = []
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
            said = {each: entry[each] for each in _SAID if each in entry}
            written.append(Written(source, name, said))
    sources = [each for each in read_of.values() if isinstance(each, Source)]
    written.extend(Written(each, None) for each in sources if each.uri not in used)
    return Found(written, Resources(sources, broken), faults)


def _head_faults(document: dict[str, Any], origin: Origin) -> Iterator[SchemaFault]:
    for keyword, value in HEAD.items():
        if json.dumps(document.get(keyword)) != json.dumps(value):
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
        del schema["$id"]  # it is nothing but the place of the file
    return Source(uri, origin, json.dumps(schema))


def _is_absolute(uri: str) -> bool:
    try:
        return place_of(uri) == uri != BASE
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
    places: list[Token] = [each for each in _SAID if not isinstance(schema.get(each, ""), str)]
    for each in places:
        yield origin.fault("must be a string", each)
    for each in schema.keys() - {"$ref", *_SAID}:
        yield origin.fault("has no meaning beside the $ref to a tool", each)

"""All tools in one file that a validator in any language can read.

A service in another language reads the same schemas, either as the folder that they
are in or as one bundle. A bundle is a compound document (2020-12 core §9.3): every
schema is in ``$defs`` under its ``$id``, no reference has to change, and
``properties`` holds the tools by name. The whole accepts ``{"read": {…}}``: the name
of a tool, with its arguments.

On the command line, ``toolschema bundle`` writes one, and ``--check`` reports whether
the file is up to date. `toolschema.load_tools` reads it as it reads a folder. A
service in Node, with Ajv and nothing of this library, reads the folder, the bundle,
and the test cases of `toolschema.vectors`:

    npm ci --prefix tests/node
    node tests/node/service.mjs schemas < tests/data/calls.jsonl
    toolschema bundle schemas -o tools.json
    node tests/node/service.mjs tools.json < tests/data/calls.jsonl
    toolschema vectors schemas -o vectors.json
    node tests/node/service.mjs tools.json --vectors vectors.json

>>> import json
>>> from toolschema import ToolDefinition, ToolSet
>>> made = bundle(ToolSet([ToolDefinition("ping", "Say pong.", {})]))
>>> json.loads(made.data)["properties"]["ping"]["$ref"]
'https://toolschema.invalid/ping.json'
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from toolschema import ToolDefinition, ToolSet
from toolschema._json.canonical import canonical_json
from toolschema._schema.bundle_file import BUNDLE_LIMITS, HEAD
from toolschema._schema.compound import Compound
from toolschema.errors import SchemaFault, ToolSchemaError

__all__ = ["Bundle", "bundle"]


@dataclass(frozen=True, slots=True)
class Bundle:
    """One document with the schemas of tools."""

    data: bytes
    """UTF-8 without a final newline: RFC 8785, except that integers keep all digits."""
    dialects: tuple[str, ...]
    """Dialects of its schemas; a reader must support all of them."""

    @property
    def digest(self) -> str:
        """SHA-256 of the data, such as ``sha256:2c26b46b…``, with 64 digits."""
        return f"sha256:{hashlib.sha256(self.data).hexdigest()}"


def bundle(tools: ToolSet) -> Bundle:
    """Write *tools* and everything that they refer to as one compound document.

    References stay as they are, except that one to the URI of a file that has an
    ``$id`` becomes that ``$id``. A file without one gets its path in the folder,
    below ``https://toolschema.invalid/``.

    The same schemas give the same bytes, whatever the order of their properties and
    their white space; so the order of properties is lost. Files that no tool
    reaches are left out, as are limits, results and annotations of tools made in
    code.

    Raises:
        ToolSchemaError: Two schemas have the same ``$id``, one cannot have an
            ``$id``, or the document is larger than 64 MiB.
        TypeError: *tools* is not a `ToolSet`.

    >>> from toolschema import ToolDefinition
    >>> made = bundle(ToolSet([ToolDefinition("ping", "Say pong.", {})]))
    >>> made.data.decode()[:76]
    '{"$defs":{"https://toolschema.invalid/ping.json":{"$id":"https://toolschema.'
    >>> made.digest[:19]
    'sha256:...'
    """
    if not isinstance(tools, ToolSet):
        raise TypeError(f"tools must be a ToolSet, not {type(tools).__name__}")
    compound = Compound.of((tool.name, tool.source, tool.sources) for tool in tools.values())
    properties = {
        name: {"$ref": compound.reached[name][0], **_annotations(tool)}
        for name, tool in tools.items()
    }
    document = {**HEAD, "properties": properties, "$defs": compound.schemas}
    data = canonical_json(document)
    if len(data) > BUNDLE_LIMITS.max_bytes:
        message = f"would be longer than {BUNDLE_LIMITS.max_bytes} bytes"
        raise ToolSchemaError([SchemaFault("the bundle", None, message)])
    return Bundle(data, tuple(sorted(compound.dialects)))


def _annotations(tool: ToolDefinition[Any]) -> dict[str, str]:
    """Title and description, where they are not those of the schema.

    A tool without a title has its schema's; that cannot be expressed.
    """
    schema, annotations = tool.parameters, {}
    if tool.title is not None and tool.title != schema.get("title"):
        annotations["title"] = tool.title
    if tool.description != schema.get("description", ""):
        annotations["description"] = tool.description
    return annotations

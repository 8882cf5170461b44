"""Tools and all that they reach, as parts of one compound document.

2020-12 core §9.3: each schema goes in as it is, under an absolute ``$id``, so
that its references need no change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urldefrag

from toolschema._json.pointer import Token
from toolschema._schema.dialect import DRAFT_2020_12, Dialect, dialect_of
from toolschema._schema.document import Document, Node, Origin
from toolschema._schema.resources import BASE, Source, place_of
from toolschema._schema.survey import Survey
from toolschema._schema.surveyor import absolute, survey
from toolschema._validation.definition import ToolDefinition
from toolschema._validation.faults import refuse
from toolschema.errors import SchemaFault

Place = tuple[str, tuple[Token, ...]]


@dataclass(slots=True)
class Embedding:
    """What a compound document is made of."""

    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By name, the reference to each and what is said beside it."""
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By URI; the first of those that a tool reaches is its own."""
    reached: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By the name of a tool, the URIs of its own schema and of all it reaches."""
    dialects: set[str] = field(default_factory=set)


def embed(tools: Iterable[ToolDefinition[Any]]) -> Embedding:
    """Collect the schemas of *tools* and all that these refer to.

    Raises:
        ToolSchemaError: Two schemas have one URI, or one can have none.
    """
    collecting = _Collecting()
    for tool in tools:
        collecting.add(tool)
    refuse(collecting.faults)
    return collecting.made


@dataclass(slots=True)
class _Collecting:
    made: Embedding = field(default_factory=Embedding)
    faults: list[SchemaFault] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    owners: dict[str, tuple[Place, str]] = field(default_factory=dict)
    """By each ``$id``: where it is in which schema, and where it is for people."""

    def add(self, tool: ToolDefinition[Any]) -> None:
        # What was compiled may be of an equal schema that is elsewhere.
        document = tool.source.document(as_root=True)
        dialect = dialect_of(document.contents) or DRAFT_2020_12
        seen = survey(document, dialect, tool.sources.search().find)
        self.made.dialects.update(node.dialect.name for node in seen.nodes.values())
        reached = []
        for document in seen.documents.values():
            is_root = document is seen.root
            source = tool.source if is_root else tool.sources.get(document.place)
            if source is not None:  # else it is a metaschema, which all readers know
                reached.append(_home(tool.name, document) if is_root else document.uri)
                self._document(seen, document, source, reached[-1])
        self.made.reached[tool.name] = tuple(reached)
        self.made.tools[tool.name] = {"$ref": reached[0], **_said(tool)}

    def _document(self, seen: Survey, document: Document, source: Source, uri: str) -> None:
        contents = json.loads(source.text)
        if not isinstance(contents, dict):
            message = "has no room for the $id that a bundle needs; write {} for true, "
            self.faults.append(source.origin.fault(message + 'and {"not": {}} for false'))
            return
        identifier = contents.get("$id", "")
        if isinstance(identifier, str) and identifier.startswith("#"):
            message = "must be more than a fragment where the schema goes into a bundle"
            self.faults.append(source.origin.fault(message, "$id"))
            return
        nodes = [each for each in seen.nodes.values() if each.origin == document.origin]
        for node in nodes:
            _name_by_id(node, contents)
            if node.place and not node.tokens:
                self._own(node.base, uri, source.origin, node)
        contents["$id"] = uri
        dialect = seen.nodes[id(document.contents)].dialect
        if dialect is not DRAFT_2020_12:
            contents.setdefault("$schema", dialect.uri)
        self._own(uri, uri, source.origin)
        self._keep(uri, contents, source.origin, dialect)

    def _own(self, identifier: str, uri: str, origin: Origin, node: Node | None = None) -> None:
        place = node.place if node else ()
        address = f"{origin.name}#{origin.pointer(*place)}"
        known, other = self.owners.setdefault(identifier, ((uri, place), address))
        if identifier == BASE:
            self.faults.append(origin.fault("is the $id of the bundle itself", *place, "$id"))
        elif known != (uri, place):
            message = f"is also the $id of {other}"
            self.faults.append(origin.fault(message, *place, "$id"))

    def _keep(self, uri: str, contents: dict[str, Any], origin: Origin, dialect: Dialect) -> None:
        text = json.dumps(contents, sort_keys=True)
        if self.texts.setdefault(uri, text) == text:
            self.made.schemas[uri] = contents
            return
        if contents.get("$schema") != self.made.schemas[uri].get("$schema"):
            message = f"is read as {dialect.name} here and otherwise elsewhere; say it in $schema"
        else:
            message = f"is also the $id of {self.owners[uri][1]}"
        self.faults.append(origin.fault(message, "$id"))


def _home(name: str, root: Document) -> str:
    """The URI of a tool's own schema; those made in code all start at one place."""
    return root.uri if root.uri != BASE else place_of(f"{quote(name, safe='')}.json")


def _said(tool: ToolDefinition[Any]) -> dict[str, str]:
    """Title and description, where they are not those of the schema.

    A tool that has no title takes its schema's: nothing can be said of that.
    """
    schema = tool.parameters
    said = {}
    if tool.title is not None and tool.title != schema.get("title"):
        said["title"] = tool.title
    if tool.description != schema.get("description", ""):
        said["description"] = tool.description
    return said


def _name_by_id(node: Node, contents: Any) -> None:
    """Let a reference to the place of a schema that has an ``$id`` say the ``$id``.

    By its place it would be found in the folder only.
    """
    for token in node.place:
        contents = contents[token]
    for keyword in node.dialect.references & contents.keys():
        written, followed = contents[keyword], node.schema.get(keyword)
        if isinstance(written, str) and isinstance(followed, str):
            ends = [urldefrag(absolute(node.base, each)).url for each in (written, followed)]
            if ends[0] != ends[1]:
                contents[keyword] = followed

"""A schema and everything it reaches, as one document (2020-12 core §9.3).

Every schema is kept as it is, under an absolute ``$id``, so that its references need
no change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from toolschema._json.equality import is_same
from toolschema._json.pointer import Token, resolve
from toolschema._schema.dialect import DRAFT_07, DRAFT_2020_12, Dialect, dialect_of, identifier_of
from toolschema._schema.document import Document, Node, Origin
from toolschema._schema.resources import BASE, Resources, Search, Source, resource_uri
from toolschema._schema.survey import Survey
from toolschema._schema.surveyor import absolute_uri, survey
from toolschema.errors import SchemaFault, refuse

Location = tuple[str, tuple[Token, ...]]


def self_contained(label: str, schema: dict[str, Any], resources: Mapping[str, Any]) -> Any:
    """*schema* with every resource that it reaches in its own ``$defs``.

    It is returned as it is if it refers to nothing else; otherwise it gets an ``$id``
    if it has none. Metaschemas are not included, because every validator has them.

    Args:
        label: What people call the schema.
        schema: A schema that can be compiled with *resources*.
        resources: What its references may lead to, by URI.

    Raises:
        ToolSchemaError: Two schemas have one URI, or one cannot have an ``$id``.
    """
    sources = [
        Source(uri, Origin(uri), json.dumps(contents)) for uri, contents in resources.items()
    ]
    compound = Compound()
    root = Source(BASE, Origin(label), json.dumps(schema))
    compound.add(label, root, Resources(sources))
    own, *others = compound.reached[label]
    if not others:
        return schema
    refuse(compound.faults)
    whole = compound.schemas[own]
    keyword = "definitions" if dialect_of(schema) is DRAFT_07 else "$defs"
    embedded = {uri: compound.schemas[uri] for uri in others if uri in compound.schemas}
    return {**whole, keyword: {**whole.get(keyword, {}), **embedded}}


@dataclass(slots=True)
class Compound:
    """Schemas under their ``$id``, collected with everything that they reach."""

    uri: str | None = None
    """The ``$id`` of the document that will hold them, unless one of them will."""
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By URI."""
    reached: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By its name, the URI of every root and of everything that it reaches.

    Those of metaschemas are not in `schemas`: every validator knows them.
    """
    dialects: set[str] = field(default_factory=set)
    faults: list[SchemaFault] = field(default_factory=list)
    _owners: dict[str, tuple[Location, str]] = field(default_factory=dict)
    """For each ``$id``, the schema and location that has it, and its address for people."""

    @classmethod
    def of(cls, named: Iterable[tuple[str, Source, Resources]]) -> Compound:
        """Collect the schemas of tools, each with its name and what it may refer to.

        Raises:
            ToolSchemaError: Two schemas have one URI, or one cannot have an ``$id``.
        """
        compound = cls(BASE)
        for name, root, resources in named:
            compound.add(name, root, resources)
        refuse(compound.faults)
        return compound

    def add(self, name: str, root: Source, resources: Resources) -> None:
        """Add a schema and everything that it reaches; what is wrong is in `faults`."""
        document = root.document(as_root=True)
        dialect = dialect_of(document.contents) or DRAFT_2020_12
        seen = survey(document, dialect, Search(resources).find)
        self.dialects.update(node.dialect.name for node in seen.nodes.values())
        own = document.uri
        if own == self.uri:  # schemas made in code all start there
            own = resource_uri(f"{quote(name, safe='')}.json")
        self._document(seen, document, root, own)
        _, *others = seen.documents.values()
        for document in others:
            source = resources.get(document.retrieval_uri)
            if source is not None:
                self._document(seen, document, source, document.uri)
        self.reached[name] = (own, *(document.uri for document in others))

    def _document(self, seen: Survey, document: Document, source: Source, uri: str) -> None:
        contents = json.loads(source.text)
        if not isinstance(contents, dict):
            message = "cannot have the $id that a bundle needs; write {} for true, "
            self.faults.append(source.origin.fault(message + 'and {"not": {}} for false'))
            return
        if "$id" in contents and identifier_of(contents) is None:
            message = "must be more than a fragment to be part of a bundle"
            self.faults.append(source.origin.fault(message, "$id"))
            return
        for node in seen.nodes.values():
            if node.origin == document.origin:
                _refer_by_id(node, contents)
                if node.location and not node.tokens:
                    self._own(node.base, uri, source.origin, node)
        contents["$id"] = uri
        dialect = seen.nodes[id(document.contents)].dialect
        if dialect is not DRAFT_2020_12:
            contents.setdefault("$schema", dialect.uri)
        self._own(uri, uri, source.origin)
        self._keep(uri, contents, source.origin, dialect)

    def _own(self, identifier: str, uri: str, origin: Origin, node: Node | None = None) -> None:
        location = node.location if node else ()
        owner = (uri, location), origin.address(*location)
        known, other = self._owners.setdefault(identifier, owner)
        if identifier == self.uri:
            message = "is the $id of the bundle itself"
            self.faults.append(origin.fault(message, *location, "$id"))
        elif known != (uri, location):
            message = f"is also the $id of {other}"
            self.faults.append(origin.fault(message, *location, "$id"))

    def _keep(self, uri: str, contents: dict[str, Any], origin: Origin, dialect: Dialect) -> None:
        if is_same(self.schemas.setdefault(uri, contents), contents):
            return
        if contents.get("$schema") != self.schemas[uri].get("$schema"):
            message = (
                f"is read as {dialect.name} here and as another dialect elsewhere; declare $schema"
            )
        else:
            message = f"is also the $id of {self._owners[uri][1]}"
        self.faults.append(origin.fault(message, "$id"))


def _refer_by_id(node: Node, contents: Any) -> None:
    """Replace references to the URI of a file by the ``$id`` that the file has.

    Outside its folder it can only be found by the latter.
    """
    contents = resolve(contents, node.location)
    for keyword in node.dialect.references & contents.keys():
        followed = node.schema[keyword]
        if absolute_uri(node.base, contents[keyword]) != absolute_uri(node.base, followed):
            contents[keyword] = followed

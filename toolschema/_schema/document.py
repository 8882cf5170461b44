"""What a survey of schemas visits: documents, and subschemas in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolschema._json.pointer import Token, join
from toolschema._schema.dialect import Dialect
from toolschema.errors import SchemaFault


class Origin(NamedTuple):
    """What a person would open, and the location in it where a schema begins."""

    name: str
    """The file, the resource's URI or ``tool "NAME"``."""
    inside: tuple[Token, ...] = ()

    def fault(self, message: str, *tokens: Token) -> SchemaFault:
        """What is wrong at a location of the schema."""
        return SchemaFault(self.name, self.pointer(*tokens), message)

    def pointer(self, *tokens: Token) -> str:
        return join((*self.inside, *tokens))

    def address(self, *tokens: Token) -> str:
        """A location of the schema, as one word for people."""
        return f"{self.name}#{self.pointer(*tokens)}"


class Document(NamedTuple):
    """One file or resource: a private copy, with its keys in order."""

    uri: str
    """Its ``$id``, or else `retrieval_uri`."""
    retrieval_uri: str
    """The URI under which it was handed in."""
    origin: Origin
    contents: Any


class Node(NamedTuple):
    """One subschema: where it is, for an engine and for a person."""

    schema: dict[str, Any]
    dialect: Dialect
    base: str
    """URI of the resource that it belongs to; its references resolve there."""
    tokens: tuple[Token, ...]
    """From that resource."""
    origin: Origin
    location: tuple[Token, ...]
    """From the root of its document."""

    def below(self, path: tuple[Token, ...], schema: Any) -> Node:
        """The subschema at *path*, as if it had neither ``$id`` nor ``$schema``."""
        _, dialect, base, tokens, origin, location = self
        return Node(schema, dialect, base, (*tokens, *path), origin, (*location, *path))

    def fault(self, message: str, *below: Token) -> SchemaFault:
        return self.origin.fault(message, *self.location, *below)

    @property
    def address(self) -> str:
        return self.origin.address(*self.location)

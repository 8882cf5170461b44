"""The places that a survey of schemas visits: documents, and subschemas in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolschema._json.pointer import Token, join
from toolschema._schema.dialect import Dialect
from toolschema.errors import SchemaFault


class Origin(NamedTuple):
    """What a person would open, and where in it a schema begins."""

    name: str
    """The file, the resource's URI or ``tool "NAME"``."""
    inside: tuple[Token, ...] = ()

    def fault(self, message: str, *place: Token) -> SchemaFault:
        """What is wrong at a place of the schema."""
        return SchemaFault(self.name, self.pointer(*place), message)

    def pointer(self, *place: Token) -> str:
        return join((*self.inside, *place))


class Document(NamedTuple):
    """One file or resource: a private copy, with its keys in order."""

    uri: str
    """From its ``$id``, or else its place."""
    place: str
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
    place: tuple[Token, ...]
    """From the root of its document."""

    def below(self, path: tuple[Token, ...], schema: Any) -> Node:
        """The subschema at *path*, before its own keywords have been looked at."""
        return Node(
            schema,
            self.dialect,
            self.base,
            (*self.tokens, *path),
            self.origin,
            (*self.place, *path),
        )

    def fault(self, message: str, *below: Token) -> SchemaFault:
        return self.origin.fault(message, *self.place, *below)

    @property
    def address(self) -> str:
        """Where it is, in one word."""
        return f"{self.origin.name}#{self.origin.pointer(*self.place)}"

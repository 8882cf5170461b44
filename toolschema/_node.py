"""The places that a survey of schemas visits: documents, and subschemas in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolschema._dialect import Dialect
from toolschema._pointer import Token, join
from toolschema.errors import SchemaFault


class Document(NamedTuple):
    """One file or resource: a private copy, with its keys in order."""

    uri: str
    """From its ``$id``, or else its place."""
    place: str
    label: str
    contents: Any


class Node(NamedTuple):
    """One subschema: where it is, for an engine and for a person."""

    schema: dict[str, Any]
    dialect: Dialect
    base: str
    """URI of the resource that it belongs to; its references resolve there."""
    tokens: tuple[Token, ...]
    """From that resource."""
    label: str
    place: tuple[Token, ...]
    """From the document that a person would open."""

    def below(self, path: tuple[Token, ...], schema: Any) -> Node:
        """The subschema at *path*, before its own keywords have been looked at."""
        return Node(
            schema,
            self.dialect,
            self.base,
            (*self.tokens, *path),
            self.label,
            (*self.place, *path),
        )

    def fault(self, message: str, *below: Token) -> SchemaFault:
        return SchemaFault(self.label, join((*self.place, *below)), message)

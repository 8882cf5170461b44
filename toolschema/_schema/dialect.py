"""The dialects of JSON Schema that tools are written in: their keywords that hold subschemas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urldefrag

from referencing import Anchor, Resource, Specification
from referencing.jsonschema import DynamicAnchor

from toolschema._json.pointer import Token

Schema = Any  # a dict or a bool, as it comes from JSON


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect: which keywords hold subschemas, and how it names and refers to schemas."""

    name: str
    uri: str
    one: frozenset[str]
    """Keywords whose value is one subschema."""
    many: frozenset[str]
    """Keywords whose value is a list of subschemas."""
    named: frozenset[str]
    """Keywords whose value maps names to subschemas."""
    references: frozenset[str]
    """Keywords whose value is a reference."""

    @property
    def specification(self) -> Specification[Schema]:
        """What `referencing` has to know of the dialect.

        Its own specifications take every value below ``properties`` and the like for a
        subschema, valid or not, and read only one of the two forms of draft-07's
        ``dependencies``; this one is made from the keywords above.
        """
        return _specification(self)

    def identifier(self, schema: Schema) -> str | None:
        """The ``$id`` that makes *schema* a resource of its own."""
        is_void = not isinstance(schema, dict) or self.voids_siblings(schema)
        return None if is_void else identifier_of(schema)

    def anchors(self, schema: Schema) -> Iterator[tuple[str, str]]:
        """The plain names by which *schema* can be referred to, with their keywords."""
        if not isinstance(schema, dict) or self.voids_siblings(schema):
            return
        if self.name == "draft-07":
            name = schema.get("$id")
            if isinstance(name, str) and name.startswith("#"):
                yield name[1:], "$id"
            return
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = schema.get(keyword)
            if isinstance(name, str):
                yield name, keyword

    def subschemas(self, schema: dict[str, Any]) -> Iterator[tuple[tuple[Token, ...], Schema]]:
        """The subschemas directly below *schema* and how they are reached."""
        is_void = self.voids_siblings(schema)
        for keyword, value in schema.items():
            # A reference can still lead to the definitions beside it.
            if is_void and keyword != "definitions":
                continue
            below: Iterable[tuple[Token, Any]] = ()
            if keyword in self.one and isinstance(value, (dict, bool)):
                yield (keyword,), value
            elif keyword in self.named and isinstance(value, dict):
                below = value.items()
            elif keyword in self.many and isinstance(value, list):
                below = enumerate(value)
            for token, subschema in below:
                if isinstance(subschema, (dict, bool)):
                    yield (keyword, token), subschema

    def leads_to_subschema(self, tokens: Sequence[Token]) -> bool:
        """Whether *tokens* lead from a schema to a subschema, not into an enum, say."""
        position = 0
        while position < len(tokens):
            keyword, below = tokens[position], tokens[position + 1 : position + 2]
            if below and (
                keyword in self.named or (keyword in self.many and isinstance(below[0], int))
            ):
                position += 2
            elif keyword in self.one:
                position += 1
            else:
                return False
        return True

    def voids_siblings(self, schema: dict[str, Any]) -> bool:
        """Whether a ``$ref`` makes the keywords beside it void (draft-07 core §8.3)."""
        return "$ref" in schema and self.name == "draft-07"


# Keywords whose subschemas apply to the same value as the schema that has them.
IN_PLACE = frozenset(
    {
        "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas",
        "dependencies",
    }
)  # fmt: skip

_ONE = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties", "contentSchema",
    }
)  # fmt: skip
_MANY = frozenset({"allOf", "anyOf", "oneOf"})
NAMED = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

DRAFT_2020_12 = Dialect(
    "2020-12",
    "https://json-schema.org/draft/2020-12/schema",
    one=_ONE - {"additionalItems"},
    many=_MANY | {"prefixItems"},
    named=NAMED,
    references=frozenset({"$ref", "$dynamicRef"}),
)
DRAFT_2019_09 = Dialect(
    "2019-09",
    "https://json-schema.org/draft/2019-09/schema",
    one=_ONE,
    many=_MANY | {"items"},
    named=NAMED,
    references=frozenset({"$ref", "$recursiveRef"}),
)
DRAFT_07 = Dialect(
    "draft-07",
    "http://json-schema.org/draft-07/schema#",
    one=_ONE - {"unevaluatedItems", "unevaluatedProperties", "contentSchema"},
    many=_MANY | {"items"},
    named=NAMED - {"$defs", "dependentSchemas"},
    references=frozenset({"$ref"}),
)


@cache
def _specification(dialect: Dialect) -> Specification[Schema]:
    def id_of(schema: Schema) -> str | None:
        identifier = dialect.identifier(schema)
        return identifier and urldefrag(identifier).url

    def subresources_of(schema: Schema) -> Iterable[Schema]:
        if not isinstance(schema, dict):
            return ()
        # What declares a dialect is a resource that is registered as such; here
        # `referencing` would read it by its own specification.
        return (
            subschema
            for _, subschema in dialect.subschemas(schema)
            if not (isinstance(subschema, dict) and "$schema" in subschema)
        )

    def anchors_in(
        specification: Specification[Schema], schema: Schema
    ) -> Iterator[Anchor[Schema] | DynamicAnchor]:
        resource = specification.create_resource(schema)
        for name, keyword in dialect.anchors(schema):
            kind: Any = DynamicAnchor if keyword == "$dynamicAnchor" else Anchor
            yield kind(name=name, resource=resource)

    def maybe_in_subresource(
        segments: Sequence[Token], resolver: Any, subresource: Resource[Schema]
    ) -> Any:
        is_subschema = dialect.leads_to_subschema(segments)
        return resolver.in_subresource(subresource) if is_subschema else resolver

    # It is declared in a way that type checkers do not see through.
    make: Callable[..., Specification[Schema]] = Specification
    return make(
        name=dialect.name,
        id_of=id_of,
        subresources_of=subresources_of,
        anchors_in=anchors_in,
        maybe_in_subresource=maybe_in_subresource,
    )


DIALECTS = (DRAFT_2020_12, DRAFT_2019_09, DRAFT_07)


def dialect_of(schema: Schema, default: Dialect = DRAFT_2020_12) -> Dialect | None:
    """The dialect that *schema* declares, None if it is unknown, *default* without one.

    Neither the scheme, ``http`` or ``https``, nor an empty fragment makes a difference.
    """
    if not isinstance(schema, dict) or "$schema" not in schema:
        return default
    declared = schema["$schema"]
    return _BY_URI.get(_bare(declared)) if isinstance(declared, str) else None


def identifier_of(schema: dict[str, Any]) -> str | None:
    """The ``$id`` of *schema* if it is more than a fragment, which draft-07 has for anchors."""
    identifier = schema.get("$id")
    is_uri = isinstance(identifier, str) and not identifier.startswith("#")
    return identifier if is_uri else None


def _bare(uri: str) -> str:
    return uri.removesuffix("#").removeprefix("https://").removeprefix("http://")


_BY_URI = {_bare(dialect.uri): dialect for dialect in DIALECTS}

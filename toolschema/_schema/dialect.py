"""The dialects of JSON Schema that tools are written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referencing import Specification
from referencing.jsonschema import DRAFT7, DRAFT201909, DRAFT202012

from toolschema._json.pointer import Token

Schema = Any  # a dict or a bool, as it comes from JSON


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect: where its subschemas are, and which of them are in place."""

    name: str
    uri: str
    specification: Specification[Schema]
    one: frozenset[str]
    """Keywords whose value is one subschema."""
    many: frozenset[str]
    """Keywords whose value is a list of subschemas."""
    named: frozenset[str]
    """Keywords whose value maps names to subschemas."""
    references: frozenset[str]

    def subschemas(self, schema: dict[str, Any]) -> Iterator[tuple[tuple[Token, ...], Schema]]:
        """The subschemas directly below *schema* and how they are reached."""
        if "$ref" in schema and self.name == "draft-07":
            # There a reference stands alone (draft-07 core §8.3); what is
            # beside it can still be pointed to.
            yield from self._named(schema, "definitions")
            return
        for keyword, value in schema.items():
            if keyword in self.named:
                yield from self._named(schema, keyword)
            if keyword in self.one and isinstance(value, (dict, bool)):
                yield (keyword,), value
            elif keyword in self.many and isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, (dict, bool)):
                        yield (keyword, index), item

    @staticmethod
    def _named(schema: dict[str, Any], keyword: str) -> Iterator[tuple[tuple[Token, ...], Schema]]:
        value = schema.get(keyword)
        if isinstance(value, dict):
            for name, item in value.items():
                if isinstance(item, (dict, bool)):
                    yield (keyword, name), item


# Keywords whose subschemas look at the same value as the schema they stand in.
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
    DRAFT202012,
    one=_ONE - {"additionalItems"},
    many=_MANY | {"prefixItems"},
    named=NAMED,
    references=frozenset({"$ref", "$dynamicRef"}),
)
DRAFT_2019_09 = Dialect(
    "2019-09",
    "https://json-schema.org/draft/2019-09/schema",
    DRAFT201909,
    one=_ONE,
    many=_MANY | {"items"},
    named=NAMED,
    references=frozenset({"$ref", "$recursiveRef"}),
)
DRAFT_07 = Dialect(
    "draft-07",
    "http://json-schema.org/draft-07/schema#",
    DRAFT7,
    one=_ONE - {"unevaluatedItems", "unevaluatedProperties", "contentSchema"},
    many=_MANY | {"items"},
    named=NAMED - {"$defs", "dependentSchemas"},
    references=frozenset({"$ref"}),
)

DIALECTS = (DRAFT_2020_12, DRAFT_2019_09, DRAFT_07)


def dialect_of(schema: Schema, default: Dialect = DRAFT_2020_12) -> Dialect | None:
    """The dialect that *schema* declares; None where it is not known.

    ``http`` and ``https``, with and without the empty fragment, are one.
    """
    if not isinstance(schema, dict) or "$schema" not in schema:
        return default
    declared = schema["$schema"]
    if not isinstance(declared, str):
        return None
    return _BY_URI.get(_bare(declared))


def _bare(uri: str) -> str:
    return uri.removesuffix("#").removeprefix("https://").removeprefix("http://")


_BY_URI = {_bare(dialect.uri): dialect for dialect in DIALECTS}

"""A stricter schema whose yes alone is enough, where a schema allows it.

What a schema accepts must also be finite and not too deep, and asking for that
costs as much as the verdict itself. Most arguments have nothing but scalars
where their schema says nothing: so every place that it leaves open is closed to
objects and arrays. What the stricter schema accepts, the schema does; it is no
deeper than the schema is; neither NaN nor infinity is of any type; and every
name of it has been looked at. Of what it refuses, nothing is known.

No schema that can lead back to itself is taken: the engine may follow a value
through it to the end before another keyword refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from toolschema._json.kinds import SCALARS, TYPES
from toolschema._schema.dialect import Dialect, Schema

_LONGEST_WAY = 40
"""Subschemas one inside the other, references included: the stack may be small."""
_SCALARS, _ANY = list(SCALARS), list(TYPES)
_ELSEWHERE = frozenset({"const", "enum", "$ref", "allOf", "anyOf"})
"""Keywords that bound a value, or whose subschemas are closed themselves."""

NOT_MONOTONE = frozenset(
    {
        "$dynamicRef", "$recursiveRef", "additionalItems", "contains", "dependencies",
        "dependentSchemas", "else", "if", "maxContains", "minContains", "not", "oneOf",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""With these a schema may refuse what it accepts once a part of it is stricter."""


class OpenError(Exception):
    """There is no bound to what a schema accepts, or none seen at a glance."""


@dataclass(slots=True)
class Closing:
    """The stricter copy of one schema without keywords that are not monotone."""

    dialect: Dialect
    copies: dict[int, Schema] = field(default_factory=dict)
    """Of its subschemas, by the `id` of each."""

    def close(self, schema: Schema, level: int = 0) -> Schema:
        """Copy *schema*, with what it leaves open closed.

        Raises:
            OpenError: It is too deep to be looked into.
        """
        if isinstance(schema, bool):
            return {"type": _SCALARS} if schema else False
        if level == _LONGEST_WAY:
            raise OpenError
        copy = dict(schema)
        is_reference = self.dialect.voids_siblings(schema)
        for keyword, below in schema.items():
            if is_reference and keyword != "definitions":
                continue
            if keyword in self.dialect.named:
                copy[keyword] = {name: self.close(each, level + 1) for name, each in below.items()}
            elif keyword in self.dialect.many and isinstance(below, list):
                copy[keyword] = [self.close(each, level + 1) for each in below]
            elif keyword in self.dialect.one:
                copy[keyword] = self.close(below, level + 1)
        if _ELSEWHERE.isdisjoint(schema):
            types = _listed(copy.setdefault("type", _ANY))
            for name, keyword in (("object", "additionalProperties"), ("array", "items")):
                if name in types:
                    copy.setdefault(keyword, {"type": _SCALARS})
        self.copies[id(schema)] = copy
        return copy

    def of(self, schema: Schema) -> Schema:
        """The copy of a subschema, or itself where only a pointer reaches it."""
        return self.copies.get(id(schema), schema)


@dataclass(slots=True)
class Depths:
    """Levels of objects and arrays in anything that a schema accepts."""

    dialect: Dialect
    targets: Mapping[int, Schema]
    """Where the ``$ref`` of a schema leads to, by its `id`."""
    known: dict[int, int] = field(default_factory=dict)
    ways: dict[int, int] = field(default_factory=dict)

    def of(self, schema: Schema) -> int:
        """The greatest depth.

        Raises:
            OpenError: There is none, or it cannot be told safely.
        """
        if self._way(schema, 0) > _LONGEST_WAY:
            raise OpenError
        return self._depth(schema)

    def _way(self, schema: Schema, level: int) -> int:
        """The most subschemas one inside the other, references included."""
        if not isinstance(schema, dict):
            return 0
        if level > _LONGEST_WAY:
            raise OpenError  # it leads back to itself, or as well might
        if id(schema) not in self.ways:
            below = (self._way(each, level + 1) for each in self._below(schema))
            self.ways[id(schema)] = 1 + max(below, default=0)
        return self.ways[id(schema)]

    def _below(self, schema: dict[str, Any]) -> Iterator[Schema]:
        if id(schema) in self.targets:
            yield self.targets[id(schema)]
        for _, each in self.dialect.subschemas(schema):
            yield each

    def _depth(self, schema: Schema) -> int:
        if isinstance(schema, bool):
            if schema:
                raise OpenError
            return 0
        if id(schema) not in self.known:
            self.known[id(schema)] = self._first_bound(schema)
        return self.known[id(schema)]

    def _first_bound(self, schema: dict[str, Any]) -> int:
        """Each keyword by itself: one that bounds is enough."""
        is_reference = self.dialect.voids_siblings(schema)
        keywords = ("const", "enum", "type", "$ref", "allOf", "anyOf", "oneOf")
        for keyword in ("$ref",) if is_reference else keywords:
            if keyword in schema:
                with suppress(OpenError):
                    return self._bound(schema, keyword)
        raise OpenError

    def _bound(self, schema: dict[str, Any], keyword: str) -> int:
        value = schema[keyword]
        if keyword == "const":
            return levels(value)
        if keyword == "enum":
            return max(map(levels, value), default=0)
        if keyword == "type":
            return max(self._of_type(schema, name) for name in _listed(value))
        if keyword == "$ref":
            return self._depth(self.targets.get(id(schema), True))
        if keyword == "allOf":
            return self._of_one(value)
        return max(map(self._depth, value))

    def _of_one(self, schemas: list[Schema]) -> int:
        for each in schemas:
            with suppress(OpenError):
                return self._depth(each)
        raise OpenError

    def _of_type(self, schema: dict[str, Any], name: str) -> int:
        if name == "object":
            parts = [schema.get("additionalProperties", True)]
            for keyword in ("properties", "patternProperties"):
                parts.extend(schema.get(keyword, {}).values())
        elif name == "array":
            parts = [schema.get("items", True)]
            if "prefixItems" in self.dialect.many:
                parts.extend(schema.get("prefixItems", ()))
        else:
            return 0
        if any(isinstance(each, list) for each in parts):
            raise OpenError  # `items` as it was before 2020-12
        return 1 + max(map(self._depth, parts))


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def levels(value: Any) -> int:
    """Objects and arrays one inside the other in a plain value."""
    count = 0
    row = [value]
    while row := [each for each in row if isinstance(each, (dict, list))]:
        count += 1
        row = [item for each in row for item in (each.values() if isinstance(each, dict) else each)]
    return count

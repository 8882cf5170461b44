"""A stricter schema whose answer alone is enough, where a schema allows it.

What a schema accepts must also be finite and not too deep, and asking for that
costs as much as the verdict itself. Most arguments have nothing but scalars
where their schema says nothing: so every place that it leaves open is closed to
objects and arrays. What the stricter schema accepts, the schema does; it is no
deeper than the schema is; and neither NaN nor infinity is of any type. Of what
it refuses, nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from toolschema._dialect import Schema

_GLANCE = 20
"""Subschemas one inside the other that are looked into: the stack may be small."""
_SCALARS = ["string", "number", "integer", "boolean", "null"]
_ANY = [*_SCALARS, "object", "array"]
_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_ONE = ("additionalProperties", "items")
_MANY = ("allOf", "anyOf", "prefixItems")
_BOUNDING = ("const", "enum", "type", "$ref", "allOf", "anyOf", "oneOf")

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
class Sealing:
    """The stricter copy of one schema without keywords that are not monotone."""

    copies: dict[int, Schema] = field(default_factory=dict)
    """Of its subschemas, by the `id` of each."""

    def seal(self, schema: Schema, level: int = 0) -> Schema:
        """Copy *schema*, with what it leaves open closed.

        Raises:
            OpenError: It is too deep to be looked into.
        """
        if isinstance(schema, bool):
            return {"type": _SCALARS} if schema else False
        if level == _GLANCE:
            raise OpenError
        copy = dict(schema)
        for keyword in filter(schema.__contains__, _NAMED):
            below = schema[keyword]
            copy[keyword] = {name: self.seal(each, level + 1) for name, each in below.items()}
        for keyword in filter(schema.__contains__, _MANY):
            copy[keyword] = [self.seal(each, level + 1) for each in schema[keyword]]
        for keyword in filter(schema.__contains__, _ONE):
            if isinstance(schema[keyword], list):
                raise OpenError  # an array of schemas, as before 2020-12
            copy[keyword] = self.seal(schema[keyword], level + 1)
        if not any(each in schema for each in _BOUNDING if each != "type"):
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

    targets: Mapping[int, Schema]
    """Where the ``$ref`` of a schema leads to, by its `id`."""
    refers_alone: bool
    """Whether ``$ref`` makes all that is beside it void (draft-07 core §8.3)."""
    known: dict[int, int | None] = field(default_factory=dict)

    def of(self, schema: Schema, level: int = 0) -> int:
        """The greatest depth.

        Raises:
            OpenError: There is none, or none is seen at a glance.
        """
        if isinstance(schema, bool):
            if schema:
                raise OpenError
            return 0
        if id(schema) not in self.known:
            self.known[id(schema)] = None  # until it is known: it may lead to itself
            if level < _GLANCE:
                self.known[id(schema)] = self._least(schema, level + 1)
        depth = self.known[id(schema)]
        if depth is None:
            raise OpenError
        return depth

    def _least(self, schema: dict[str, Any], level: int) -> int | None:
        """Each keyword by itself: one that bounds is enough."""
        is_void = self.refers_alone and "$ref" in schema
        for keyword in ("$ref",) if is_void else _BOUNDING:
            if keyword in schema:
                with suppress(OpenError):
                    return self._bound(schema, keyword, level)
        return None

    def _bound(self, schema: dict[str, Any], keyword: str, level: int) -> int:
        value = schema[keyword]
        if keyword == "const":
            return _depth(value)
        if keyword == "enum":
            return max(map(_depth, value))
        if keyword == "type":
            return max(self._of_type(schema, name, level) for name in _listed(value))
        if keyword == "$ref":
            return self.of(self.targets.get(id(schema), True), level)
        if keyword == "allOf":
            return self._of_one(value, level)
        return max(self.of(each, level) for each in value)

    def _of_one(self, schemas: list[Schema], level: int) -> int:
        for each in schemas:
            with suppress(OpenError):
                return self.of(each, level)
        raise OpenError

    def _of_type(self, schema: dict[str, Any], name: str, level: int) -> int:
        if name == "object":
            parts = [schema.get("additionalProperties", True)]
            for keyword in ("properties", "patternProperties"):
                parts.extend(schema.get(keyword, {}).values())
        elif name == "array":
            parts = [schema.get("items", True), *schema.get("prefixItems", ())]
        else:
            return 0
        if any(isinstance(each, list) for each in parts):
            raise OpenError
        return 1 + max(self.of(each, level) for each in parts)


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _depth(value: Any) -> int:
    depth = 0
    row = [value]
    while row := [each for each in row if isinstance(each, (dict, list))]:
        depth += 1
        row = [item for each in row for item in (each.values() if isinstance(each, dict) else each)]
    return depth

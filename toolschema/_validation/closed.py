"""A closed copy of a schema: what it accepts is valid, finite and shallow.

The guard that asks whether a value is finite and not too deep costs as much as the
verdict itself. Most arguments hold only scalars where their schema is open, so
the copy is closed to objects and arrays there. Whatever it accepts, the schema accepts
too; that value is no deeper than the copy; NaN and infinity are of no type; and
every name in it has been read. What it rejects may still be valid.

Recursive schemas are not copied: the engine may follow a value through them to the
end before another keyword rejects it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from toolschema._json.kinds import SCALARS, TYPES
from toolschema._schema.dialect import Dialect, Schema

_LONGEST_CHAIN = 40
"""Nested subschemas, references included: the stack may be small."""
_SCALARS, _ANY = list(SCALARS), list(TYPES)
_ELSEWHERE = frozenset({"const", "enum", "$ref", "allOf", "anyOf"})
"""Keywords that bound a value themselves, or whose subschemas are closed."""

NOT_MONOTONE = frozenset(
    {
        "$dynamicRef", "$recursiveRef", "additionalItems", "contains", "dependencies",
        "dependentSchemas", "else", "if", "maxContains", "minContains", "not", "oneOf",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""With these, a schema may accept more once one of its subschemas accepts less."""


class OpenError(Exception):
    """The depth of what a schema accepts has no bound that is easy to find."""


@dataclass(slots=True)
class Closing:
    """Closes one schema that has no keyword in `NOT_MONOTONE`."""

    dialect: Dialect
    copies: dict[int, Schema] = field(default_factory=dict)
    """The copies of its subschemas, by the `id` of the original."""

    def close(self, schema: Schema, level: int = 0) -> Schema:
        """Copy *schema*, closed where it is open.

        Raises:
            OpenError: Its subschemas are nested too deeply.
        """
        if isinstance(schema, bool):
            return {"type": _SCALARS} if schema else False
        if level == _LONGEST_CHAIN:
            raise OpenError
        copy = dict(schema)
        is_reference = self.dialect.voids_siblings(schema)
        for keyword, below in schema.items():
            if is_reference and keyword != "definitions":
                continue
            if keyword in self.dialect.named:
                copy[keyword] = {
                    name: self.close(subschema, level + 1) for name, subschema in below.items()
                }
            elif keyword in self.dialect.many and isinstance(below, list):
                copy[keyword] = [self.close(subschema, level + 1) for subschema in below]
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
    """How many levels of objects and arrays a value that a schema accepts can have."""

    dialect: Dialect
    targets: Mapping[int, Schema]
    """The target of the ``$ref`` of a schema, by its `id`."""
    depths: dict[int, int] = field(default_factory=dict)
    chains: dict[int, int] = field(default_factory=dict)

    def of(self, schema: Schema) -> int:
        """The greatest depth.

        Raises:
            OpenError: There is none, or it cannot be found safely.
        """
        if self._chain(schema, 0) > _LONGEST_CHAIN:
            raise OpenError
        return self._depth(schema)

    def _chain(self, schema: Schema, level: int) -> int:
        """The longest chain of nested subschemas, references included."""
        if not isinstance(schema, dict):
            return 0
        if level > _LONGEST_CHAIN:
            raise OpenError  # it is recursive, or close to it
        if id(schema) not in self.chains:
            below = (self._chain(subschema, level + 1) for subschema in self._below(schema))
            self.chains[id(schema)] = 1 + max(below, default=0)
        return self.chains[id(schema)]

    def _below(self, schema: dict[str, Any]) -> Iterator[Schema]:
        if id(schema) in self.targets:
            yield self.targets[id(schema)]
        yield from (subschema for _, subschema in self.dialect.subschemas(schema))

    def _depth(self, schema: Schema) -> int:
        if isinstance(schema, bool):
            if schema:
                raise OpenError
            return 0
        if id(schema) not in self.depths:
            self.depths[id(schema)] = self._first_bound(schema)
        return self.depths[id(schema)]

    def _first_bound(self, schema: dict[str, Any]) -> int:
        """One keyword that bounds the depth is enough."""
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
        for schema in schemas:
            with suppress(OpenError):
                return self._depth(schema)
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
        if any(isinstance(part, list) for part in parts):
            raise OpenError  # `items` as it was before 2020-12
        return 1 + max(map(self._depth, parts))


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def levels(value: Any) -> int:
    """Nested objects and arrays in a plain value."""
    count = 0
    row = [value]
    while row := [item for item in row if isinstance(item, (dict, list))]:
        count += 1
        row = [item for box in row for item in (box.values() if isinstance(box, dict) else box)]
    return count

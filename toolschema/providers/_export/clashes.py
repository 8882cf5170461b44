"""Branches of a union that one value may satisfy, and in which null differs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from toolschema.providers._export.reading import name_of
from toolschema.providers._export.values import key, types_of

Schema = dict[str, Any]
MOST_STEPS = 50_000
"""Pairs of subschemas that are compared for one tool; then the answer is yes."""


class Clashes:
    """Looks for them in one payload."""

    def __init__(self, root: Schema, absent: set[tuple[int, str]]) -> None:
        self.root, self.absent = root, absent
        self.seen: set[tuple[int, int]] = set()
        self.steps = 0

    def among(self, branches: list[Schema]) -> bool:
        """Whether null may be meant in two ways, and the value does not say which."""
        self.seen = set()
        return any(self._between(one, other) for one, other in combinations(branches, 2))

    def _between(self, one: Schema, other: Schema) -> bool:
        one, other = self._led(one), self._led(other)
        if (id(one), id(other)) in self.seen:
            return False
        self.seen.add((id(one), id(other)))
        self.steps += 1
        if self.steps > MOST_STEPS:
            return True
        if "anyOf" in one:
            return any(self._between(each, other) for each in one["anyOf"])
        if "anyOf" in other:
            return any(self._between(one, each) for each in other["anyOf"])
        if "items" in one and "items" in other:
            return self._between(one["items"], other["items"])
        mine, theirs = one.get("properties"), other.get("properties")
        if mine is None or theirs is None or mine.keys() != theirs.keys():
            return False
        if any(self._are_apart(mine[name], theirs[name]) for name in mine):
            return False
        return any(
            ((id(mine), name) in self.absent) is not ((id(theirs), name) in self.absent)
            and self._takes_null(mine[name])
            and self._takes_null(theirs[name])
            for name in mine
        ) or any(self._between(mine[name], theirs[name]) for name in mine)

    def _led(self, schema: Schema) -> Schema:
        hops = 0
        while "$ref" in schema and hops < 100:
            hops += 1
            reference = schema["$ref"]
            schema = self.root if reference == "#" else self.root["$defs"][name_of(reference)]
        return schema

    def _kinds(self, schema: Schema, above: int = 0) -> set[str] | None:
        """Texts of the values that a schema lists, or of its types; None for any."""
        schema = self._led(schema)
        if "anyOf" in schema and above < 20:
            each = [self._kinds(branch, above + 1) for branch in schema["anyOf"]]
            return None if None in each else set().union(*(kinds for kinds in each if kinds))
        if "enum" in schema:
            return {key(value) for value in schema["enum"]}
        return None

    def _are_apart(self, one: Schema, other: Schema) -> bool:
        mine, theirs = self._kinds(one), self._kinds(other)
        if mine is not None and theirs is not None:
            return mine.isdisjoint(theirs)
        types = set(types_of(self._led(one))), set(types_of(self._led(other)))
        is_number = any({"number", "integer"} & each for each in types)
        return all(types) and types[0].isdisjoint(types[1]) and not is_number

    def _takes_null(self, schema: Schema, above: int = 0) -> bool:
        schema = self._led(schema)
        if "anyOf" in schema and above < 20:
            return any(self._takes_null(each, above + 1) for each in schema["anyOf"])
        return "null" in types_of(schema) or not types_of(schema)

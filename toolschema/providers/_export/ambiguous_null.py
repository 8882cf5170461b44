"""Union branches that one value may satisfy, and in which null means different things."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from toolschema._json.equality import key_of
from toolschema.providers._export.values import allows_type, followed, types_of

Schema = dict[str, Any]
MAX_STEPS = 50_000
"""Pairs of subschemas that are compared for one tool; beyond it, null counts as ambiguous."""


class AmbiguousNull:
    """Finds such branches in one payload."""

    def __init__(self, root: Schema, absent: set[tuple[int, str]]) -> None:
        self.root, self.absent = root, absent
        self.seen: set[tuple[int, int]] = set()
        self.steps = 0

    def is_in(self, branches: list[Schema]) -> bool:
        """Whether null may mean absent or null, and the value does not tell which."""
        self.seen = set()
        return any(self._clash(one, other) for one, other in combinations(branches, 2))

    def _clash(self, one: Schema, other: Schema) -> bool:
        one, other = self._followed(one), self._followed(other)
        if (id(one), id(other)) in self.seen:
            return False
        self.seen.add((id(one), id(other)))
        self.steps += 1
        if self.steps > MAX_STEPS:
            return True
        if "anyOf" in one:
            return any(self._clash(branch, other) for branch in one["anyOf"])
        if "anyOf" in other:
            return any(self._clash(one, branch) for branch in other["anyOf"])
        if "items" in one and "items" in other:
            return self._clash(one["items"], other["items"])
        mine, theirs = one.get("properties"), other.get("properties")
        if mine is None or theirs is None or mine.keys() != theirs.keys():
            return False
        if any(self._are_disjoint(mine[name], theirs[name]) for name in mine):
            return False
        return any(
            ((id(mine), name) in self.absent) is not ((id(theirs), name) in self.absent)
            and self._accepts_null(mine[name])
            and self._accepts_null(theirs[name])
            for name in mine
        ) or any(self._clash(mine[name], theirs[name]) for name in mine)

    def _followed(self, schema: Schema) -> Schema:
        return followed(self.root, schema)[0]

    def _listed(self, schema: Schema, above: int = 0) -> set[str] | None:
        """Keys of the values that a schema lists; None if it does not list them."""
        schema = self._followed(schema)
        if "anyOf" in schema and above < 20:
            listed = [self._listed(branch, above + 1) for branch in schema["anyOf"]]
            return None if None in listed else set().union(*(keys for keys in listed if keys))
        if "enum" in schema:
            return {key_of(value) for value in schema["enum"]}
        return None

    def _are_disjoint(self, one: Schema, other: Schema) -> bool:
        mine, theirs = self._listed(one), self._listed(other)
        if mine is not None and theirs is not None:
            return mine.isdisjoint(theirs)
        types = set(types_of(self._followed(one))), set(types_of(self._followed(other)))
        has_number = any({"number", "integer"} & side for side in types)
        return all(types) and types[0].isdisjoint(types[1]) and not has_number

    def _accepts_null(self, schema: Schema, above: int = 0) -> bool:
        schema = self._followed(schema)
        if "anyOf" in schema and above < 20:
            return any(self._accepts_null(branch, above + 1) for branch in schema["anyOf"])
        return allows_type(schema, None)

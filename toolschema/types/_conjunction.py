"""Conjunctions: the schemas that one value must satisfy together.

``allOf`` and ``$ref`` add schemas to a conjunction; ``anyOf`` and ``oneOf`` split
it into alternatives. ``not``, ``if``, dynamic references and unions beyond a
bound are left out, which can only make a type wider.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from toolschema._schema.applicators import UNIONS, always_applied
from toolschema._schema.survey import Survey
from toolschema.types._kinds import ALL, Kinds, kinds_of, meet

Conjunction: TypeAlias = tuple[int, ...]
"""The `id` of each schema, in the order they were found."""
Slot: TypeAlias = tuple[Conjunction, ...]
"""What one location may hold: a value that satisfies one of these."""

NEVER = 0
"""Stands for the schema ``false``."""
ANYTHING: Slot = ((),)
MOST_ALTERNATIVES = 1024
"""For one location; a union that would exceed it is left out."""
MOST_BRANCHES = 4096
"""Examined for one tool; further unions are left out."""

_SHAPING = frozenset(
    {
        "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "enum",
        "items", "oneOf", "patternProperties", "prefixItems", "properties", "type",
    }
)  # fmt: skip
"""Keywords that give a branch a type of its own; others only require presence."""
_TELLING = (_SHAPING - {"$ref", "allOf", *UNIONS}) | {
    "dependencies", "dependentSchemas", "else", "if", "maxItems", "required", "then",
}  # fmt: skip


@dataclass(slots=True)
class Conjunctions:
    """The conjunctions of one tool."""

    survey: Survey
    branches: dict[Conjunction, Conjunction] = field(default_factory=dict)
    """For each alternative, the schemas that its last branch added."""
    referred: frozenset[int] = frozenset()
    """The targets of references."""
    looked_into: int = 0
    _kinds: dict[int, Kinds] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.referred = frozenset(map(id, self.survey.targets.values()))

    def schema(self, key: int) -> dict[str, Any]:
        return self.survey.nodes[key].schema

    def close(self, schemas: Iterable[Any]) -> Conjunction:
        """The schemas, with those that ``allOf`` and ``$ref`` add.

        A schema that is not in `survey` is under a keyword that the dialect does not
        have, and requires nothing.
        """
        found: dict[int, None] = {}
        todo = list(schemas)[::-1]
        while todo:
            schema = todo.pop()
            if schema is False:
                found[NEVER] = None
            elif id(schema) in self.survey.nodes and id(schema) not in found:
                found[id(schema)] = None
                dialect = self.survey.nodes[id(schema)].dialect
                added = always_applied(schema, dialect, self.survey.targets.get(id(schema)))
                todo.extend([subschema for _, subschema in added][::-1])
        return tuple(found)

    def members(self, conjunction: Conjunction) -> Iterator[tuple[int, dict[str, Any]]]:
        """The schemas whose own keywords apply."""
        for key in conjunction:
            node = self.survey.nodes.get(key)  # `NEVER` has none
            if node is not None and not node.dialect.voids_siblings(node.schema):
                yield key, node.schema

    def kinds(self, conjunction: Conjunction) -> Kinds:
        """The kinds that all schemas accept; empty if no value can satisfy them."""
        if NEVER in conjunction:
            return {}
        kinds = ALL
        for key, schema in self.members(conjunction):
            if key not in self._kinds:
                self._kinds[key] = kinds_of(schema)
            if self._kinds[key] is not ALL:
                kinds = meet(kinds, self._kinds[key])
        return kinds

    def identity(self, conjunction: Conjunction) -> frozenset[int]:
        """What the type depends on; equal for a schema and a bare reference to it."""
        return frozenset(
            key
            for key, schema in self.members(conjunction)
            if not _TELLING.isdisjoint(schema) or any(self.open_unions(conjunction, schema))
        )

    def alternatives(self, conjunction: Conjunction) -> Slot:
        """One conjunction for each combination of branches."""
        done: list[Conjunction] = []
        todo = [conjunction]
        left_out: set[int] = set()
        while todo:
            each = todo.pop()
            union = next(self._unions(each, left_out), None)
            if union is None:
                done.append(each)
            elif (
                len(done) + len(todo) + len(union) > MOST_ALTERNATIVES
                or self.looked_into + len(union) > MOST_BRANCHES
            ):
                left_out.add(id(union))
                todo.append(each)
            else:
                self.looked_into += len(union)
                todo.extend(self._divided(each, union)[::-1])
        return tuple(done)

    def _unions(self, conjunction: Conjunction, left_out: set[int]) -> Iterator[list[Any]]:
        """The unions that are to be split."""
        for _, schema in self.members(conjunction):
            for union in self.open_unions(conjunction, schema):
                if id(union) not in left_out and any(map(_shapes, union)):
                    yield union

    def open_unions(self, conjunction: Conjunction, schema: dict[str, Any]) -> Iterator[list[Any]]:
        """The unions of *schema* without a branch that is known to hold."""
        for keyword in UNIONS:
            union = schema.get(keyword, [])
            if union and not any(each is True or id(each) in conjunction for each in union):
                yield union

    def _divided(self, conjunction: Conjunction, union: list[Any]) -> list[Conjunction]:
        found = []
        for branch in union:
            brought = self.close([branch])
            both = tuple(dict.fromkeys((*conjunction, *brought)))
            if self.kinds(both):
                self.branches[both] = brought
                found.append(both)
        return found


def _shapes(branch: Any) -> bool:
    return branch is False or (isinstance(branch, dict) and not _SHAPING.isdisjoint(branch))

"""Conjunctions: the schemas that one value must satisfy together, and what they accept.

``allOf`` and ``$ref`` add schemas to a conjunction; ``anyOf`` and ``oneOf`` split
it into alternatives. ``not``, ``if``, dynamic references and unions beyond a
bound are left out, which can only make a type wider.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import inf
from typing import Any, NamedTuple, TypeAlias

from toolschema._schema.applicators import UNIONS, always_applied, tuple_of
from toolschema._schema.survey import Survey
from toolschema.types._kinds import ALL, Kinds, kinds_of, meet

Conjunction: TypeAlias = tuple[int, ...]
"""The `id` of each schema, in the order they were found."""
Slot: TypeAlias = tuple[Conjunction, ...]
"""What one location may hold: a value that satisfies one of these."""

NEVER = 0
"""Stands for the schema ``false``."""
ANYTHING: Slot = ((),)
_MOST_ALTERNATIVES = 1024
"""For one location; a union that would exceed it is left out."""
_MOST_BRANCHES = 4096
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


class Part(NamedTuple):
    """One member of a union."""

    kind: str
    """A kind of JSON value, ``any``, or ``record``: an object with declared property names."""
    values: tuple[Any, ...] | None = None
    """The only strings or booleans accepted; None if all are."""
    slot: Slot = ANYTHING
    """What the items or properties hold."""
    record: Conjunction = ()


_ANY = Part("any")


class Property(NamedTuple):
    """One property of a record."""

    name: str
    is_required: bool
    conjunction: Conjunction
    """The schemas that its value must satisfy."""


@dataclass(slots=True)
class Conjunctions:
    """The conjunctions of one tool."""

    survey: Survey
    branches: dict[Conjunction, Conjunction] = field(default_factory=dict)
    """For each alternative, the schemas that its last branch added."""
    _examined: int = 0
    _kinds: dict[int, Kinds] = field(default_factory=dict)

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
            if not _TELLING.isdisjoint(schema) or any(self._open_unions(conjunction, schema))
        )

    def _open_unions(self, conjunction: Conjunction, schema: dict[str, Any]) -> Iterator[list[Any]]:
        """The unions of *schema* without a branch that is known to hold."""
        for keyword in UNIONS:
            union = schema.get(keyword, [])
            if union and not any(branch is True or id(branch) in conjunction for branch in union):
                yield union

    def _alternatives(self, conjunction: Conjunction) -> Slot:
        """One conjunction for each combination of branches."""
        done: list[Conjunction] = []
        todo = [conjunction]
        left_out: set[int] = set()
        while todo:
            candidate = todo.pop()
            unions = (
                union
                for _, schema in self.members(candidate)
                for union in self._open_unions(candidate, schema)
                if id(union) not in left_out and any(map(_shapes, union))
            )
            union = next(unions, None)
            if union is None:
                done.append(candidate)
            elif (
                len(done) + len(todo) + len(union) > _MOST_ALTERNATIVES
                or self._examined + len(union) > _MOST_BRANCHES
            ):
                left_out.add(id(union))
                todo.append(candidate)
            else:
                self._examined += len(union)
                todo.extend(self._divided(candidate, union)[::-1])
        return tuple(done)

    def _divided(self, conjunction: Conjunction, union: list[Any]) -> list[Conjunction]:
        found = []
        for branch in union:
            added = self.close([branch])
            both = tuple(dict.fromkeys((*conjunction, *added)))
            if self.kinds(both):
                self.branches[both] = added
                found.append(both)
        return found

    def parts(self, slot: Slot) -> list[Part]:
        """The union of everything that *slot* accepts; empty if it accepts nothing."""
        found: dict[Part, None] = {}
        for conjunction in slot:
            for alternative in self._alternatives(conjunction):
                found.update(dict.fromkeys(self._parts_of(alternative)))
        return [_ANY] if _ANY in found else _merged(found)

    def object_parts(self, conjunction: Conjunction) -> list[Part]:
        """The same for a value that is known to be an object."""
        found: dict[Part, None] = {}
        for alternative in self._alternatives(conjunction):
            if "object" in self.kinds(alternative):
                found.update(dict.fromkeys(self._object(alternative)))
        return list(found)

    def _parts_of(self, conjunction: Conjunction) -> Iterator[Part]:
        kinds = self.kinds(conjunction)
        if kinds == ALL:
            yield _ANY
            return
        for kind, values in kinds.items():
            if kind == "object":
                yield from self._object(conjunction)
            elif kind == "array":
                yield Part("array", slot=self._items(conjunction))
            else:
                yield Part(kind, values)

    def _object(self, conjunction: Conjunction) -> Iterator[Part]:
        """A record if names are declared or no others are allowed; otherwise a map."""
        known = list(self.properties(conjunction))
        impossible = [prop for prop in known if not self.kinds(prop.conjunction)]
        if any(prop.is_required for prop in impossible):
            return
        others = self._other_properties(conjunction)
        if len(impossible) < len(known) or not others:
            yield Part("record", record=conjunction)
        else:
            yield Part("object", slot=others)

    def properties(self, conjunction: Conjunction) -> Iterator[Property]:
        """The properties that the schemas name, declared ones first."""
        members = [schema for _, schema in self.members(conjunction)]
        declared = [name for schema in members for name in schema.get("properties", ())]
        required = dict.fromkeys(name for schema in members for name in schema.get("required", ()))
        conditional = [
            name for schema in members for name in self._conditional(conjunction, schema)
        ]
        for name in dict.fromkeys((*declared, *required, *conditional)):
            schemas = [subschema for schema in members for subschema in _subschemas(schema, name)]
            yield Property(name, name in required, self.close(schemas))

    def _conditional(self, conjunction: Conjunction, schema: dict[str, Any]) -> Iterator[str]:
        """Names that are declared under a condition, or in a union that is left out."""
        branches = [schema[keyword] for keyword in ("if", "then", "else") if keyword in schema]
        for keyword in ("dependentSchemas", "dependencies"):
            branches += schema.get(keyword, {}).values()
        for union in self._open_unions(conjunction, schema):
            branches += union
        for _, member in self.members(self.close(branches)):
            yield from member.get("properties", ())

    def _other_properties(self, conjunction: Conjunction) -> Slot:
        """What a property that is not declared may hold; empty if none is allowed."""
        return self._combinations(
            [
                *schema.get("patternProperties", {}).values(),
                schema.get("additionalProperties", True),
            ]
            for _, schema in self.members(conjunction)
        )

    def _items(self, conjunction: Conjunction) -> Slot:
        members = list(self.members(conjunction))
        longest = min(schema.get("maxItems", inf) for _, schema in members)
        options = []
        for key, schema in members:
            _, prefix, rest = tuple_of(schema, self.survey.nodes[key].dialect)
            is_full = prefix and longest <= len(prefix)
            options.append(prefix if is_full else [*prefix, schema.get(rest, True)])
        return self._combinations(options) or ANYTHING

    def _combinations(self, options: Iterable[list[Any]]) -> Slot:
        """One schema of each list, combined; a list that gives too many is left out."""
        found: list[Conjunction] = [()]
        for schemas in options:
            closed = dict.fromkeys(self.close([schema]) for schema in schemas)
            possible = [conjunction for conjunction in closed if NEVER not in conjunction]
            if len(found) * len(possible) <= _MOST_ALTERNATIVES:
                found = [tuple(dict.fromkeys((*a, *b))) for a, b in product(found, possible)]
        return tuple(dict.fromkeys(filter(self.kinds, found)))


def _shapes(branch: Any) -> bool:
    return branch is False or (isinstance(branch, dict) and not _SHAPING.isdisjoint(branch))


def _subschemas(schema: dict[str, Any], name: str) -> Iterator[Any]:
    """What *schema* requires of one property, as far as that is certain."""
    declared = schema.get("properties", {})
    if name in declared:
        yield declared[name]
    elif "additionalProperties" in schema and "patternProperties" not in schema:
        yield schema["additionalProperties"]


def _merged(found: Iterable[Part]) -> list[Part]:
    """The parts with all strings in one and all booleans in one."""
    scalars: dict[str, Part] = {}
    others: list[Part] = []
    for part in found:
        if part.kind not in ("string", "boolean"):
            others.append(part)
            continue
        known = scalars.setdefault(part.kind, part).values
        both = known and part.values and tuple(dict.fromkeys((*known, *part.values)))
        scalars[part.kind] = Part(part.kind, both)
    return [*others, *scalars.values()]

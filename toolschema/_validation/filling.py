"""Which subschemas apply to which part of a valid value, and the defaults they declare.

Only what is certain counts: a branch of a union applies if the value satisfies it,
and a subschema that only a dynamic reference reaches is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolschema._schema.applicators import (
    always_applied,
    applied,
    applied_to_item,
    applied_to_property,
)
from toolschema._schema.dialect import DRAFT_2020_12, Schema
from toolschema._schema.document import Node
from toolschema._schema.patterns.pattern import translate
from toolschema._schema.survey import Survey
from toolschema._validation.compiled import Compiled
from toolschema._validation.verdict import Verdict, compile_verdict

Schemas = list[Schema]

MOST_CHOSEN = 1_000
"""Choices kept for one schema: a model decides which subschemas come together."""

_CONDITIONS = frozenset({"anyOf", "oneOf", "if", "dependentSchemas", "dependencies"})
_IN_PLACE = _CONDITIONS | {"$ref", "allOf"}


class Fill(NamedTuple):
    """One default for one absent property."""

    into: dict[str, Any]
    name: str
    value: Any

    def put(self) -> None:
        self.into[self.name] = self.value

    def take_back(self) -> None:
        del self.into[self.name]


class Declared(NamedTuple):
    """The schema that declares a default."""

    schema: dict[str, Any]
    can_hold_itself: bool


@dataclass(slots=True)
class Plan:
    """What the defaults of one schema depend on; shared by all calls."""

    leading: frozenset[int]
    """The subschemas that lead to a default, by their `id`."""
    deciding: frozenset[int]
    """These, and each ``if`` on which it depends whether one of them applies."""
    has_conditions: bool
    is_flat: bool
    """Whether filled-in defaults can never bring further defaults."""
    chosen: dict[tuple[int, ...], Declared | None] = field(default_factory=dict)
    """The default for a property to which these subschemas apply."""
    patterns: dict[str, Verdict] = field(default_factory=dict)

    @classmethod
    def of(cls, survey: Survey) -> Plan:
        defaults = [node.schema.get("default") for node in survey.nodes.values()]
        has_conditions = not _CONDITIONS.isdisjoint(survey.keywords)
        is_flat = not has_conditions and not any(map(_holds_object, defaults))
        leading = survey.reaching({"default"})
        conditions = frozenset(
            id(schema["if"])
            for schema, *_ in survey.nodes.values()
            if "if" in schema and leading & {id(schema.get("then")), id(schema.get("else"))}
        )
        return cls(leading, leading | conditions, has_conditions, is_flat)


@dataclass(slots=True)
class Applied:
    """What applies to the parts of one call's arguments."""

    compiled: Compiled
    plan: Plan
    is_certain: bool = False
    """Whether only unconditional subschemas count."""

    def to(self, schemas: Schemas, value: Any) -> list[Node]:
        """The subschemas that apply to *value*, in order, if they lead to a default."""
        nodes = self.compiled.survey.nodes
        found: dict[int, Node] = {}
        todo = schemas[::-1]
        while todo:
            schema = todo.pop()
            if id(schema) in self.plan.leading and id(schema) not in found:
                found[id(schema)] = nodes[id(schema)]
                if not _IN_PLACE.isdisjoint(schema):
                    todo.extend([*self._in_place(nodes[id(schema)], value)][::-1])
        return [node for node in found.values() if not node.dialect.voids_siblings(node.schema)]

    def _in_place(self, node: Node, value: Any) -> Iterator[Schema]:
        if self.is_certain:
            return self._always(node)
        target = self.compiled.survey.targets.get(id(node.schema))
        found = applied(node.schema, node.dialect, target, value, self._decides)
        return (schema for path, schema in found if path[0] != "if")

    def _decides(self, schema: Schema, value: Any) -> bool | None:
        """The verdict, where a default depends on it."""
        return self.satisfies(schema, value) if id(schema) in self.plan.deciding else None

    def _always(self, node: Node) -> Iterator[Schema]:
        target = self.compiled.survey.targets.get(id(node.schema))
        return (schema for _, schema in always_applied(node.schema, node.dialect, target))

    def satisfies(self, schema: Schema, value: Any) -> bool | None:
        """The verdict on a part of the arguments; None where it is unknown."""
        if isinstance(schema, bool):
            return schema
        verdict = self.compiled.subschema(schema)
        return None if verdict is None else verdict(value)

    def properties(self, nodes: Iterable[Node], value: dict[str, Any]) -> dict[str, Schemas]:
        """The subschemas of each property, of absent ones that are declared, too."""
        found: dict[str, Schemas] = {}
        for schema, dialect, *_ in nodes:
            for name, subschema in schema.get("properties", {}).items():
                if name not in value:
                    found.setdefault(name, []).append(subschema)
            for name in value:
                of_name = applied_to_property(schema, dialect, name, self._matches)
                found.setdefault(name, []).extend(subschema for _, subschema in of_name)
        return found

    def _matches(self, pattern: str, name: str) -> bool:
        # Valid arguments have no name that is too long to be searched.
        if pattern not in self.plan.patterns:
            alone = {"pattern": translate(pattern).engine}
            self.plan.patterns[pattern] = compile_verdict(DRAFT_2020_12, alone)
        return self.plan.patterns[pattern](name)

    def items(self, nodes: Iterable[Node], value: list[Any]) -> list[Schemas]:
        """The subschemas of each item."""
        found: list[Schemas] = [[] for _ in value]
        for schema, dialect, *_ in nodes:
            for index, schemas in enumerate(found):
                schemas.extend(below for _, below in applied_to_item(schema, dialect, index))
        return found

    def default(self, schemas: Schemas) -> Declared | None:
        """The first default that all *schemas* of an absent property allow."""
        key = tuple(map(id, schemas))
        chosen = self.plan.chosen
        try:
            return chosen[key]
        except KeyError:
            declared = self._choose(schemas)
        # Another thread may do the same: what is lost is chosen again.
        if len(chosen) >= MOST_CHOSEN:
            chosen.clear()
        chosen[key] = declared
        return declared

    def _choose(self, schemas: Schemas) -> Declared | None:
        for schema in self._declaring(schemas):
            value = schema["default"]
            if all(self.satisfies(other, value) for other in (schema, *schemas)):
                return Declared(schema, _holds_object(value))
        return None

    def _declaring(self, schemas: Schemas) -> Iterator[dict[str, Any]]:
        """Nearest first: a default beside a reference wins over that of its target."""
        nodes = self.compiled.survey.nodes
        seen: set[int] = set()
        todo = schemas[::-1]
        while todo:
            schema = todo.pop()
            if id(schema) in self.plan.leading and id(schema) not in seen:
                seen.add(id(schema))
                node = nodes[id(schema)]
                if "default" in schema and not node.dialect.voids_siblings(schema):
                    yield schema
                todo.extend([*self._always(node)][::-1])

    def fills(
        self, into: dict[str, Any], name: str, schemas: Schemas, around: set[int]
    ) -> Iterator[Fill]:
        """The default for an absent property, if there is one.

        *around* has the schemas that apply to *into* and to whatever contains it,
        so that a default is never filled into itself.
        """
        declared = self.default(schemas)
        if declared and not (declared.can_hold_itself and id(declared.schema) in around):
            yield Fill(into, name, deepcopy(declared.schema["default"]))


def _holds_object(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_object, value))
    return isinstance(value, dict)

"""Which subschemas look at which part of a valid value, and the defaults they declare.

Only what is certain counts: a branch of a union was taken if the value at that
place satisfies it, and nothing is known of what only a dynamic reference
reaches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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
    """One default for one place."""

    into: dict[str, Any]
    name: str
    value: Any

    def put(self) -> None:
        self.into[self.name] = self.value

    def take_back(self) -> None:
        del self.into[self.name]


class Declared(NamedTuple):
    """A default, and the schema beside which it stands."""

    schema: dict[str, Any]
    can_hold_itself: bool


@dataclass(slots=True)
class Plan:
    """What is known of the defaults of one schema; shared by all calls."""

    leading: frozenset[int]
    """The subschemas from which a default can be reached, by their `id`."""
    has_conditions: bool
    is_flat: bool
    """Whether filling in defaults never makes room for others."""
    chosen: dict[tuple[int, ...], Declared | None] = field(default_factory=dict)
    """The default for a property that these subschemas describe."""
    patterns: dict[str, Verdict] = field(default_factory=dict)

    @classmethod
    def of(cls, survey: Survey) -> Plan:
        defaults = [each.schema.get("default") for each in survey.nodes.values()]
        has_conditions = not _CONDITIONS.isdisjoint(survey.keywords)
        is_flat = not has_conditions and not any(map(_holds_object, defaults))
        return cls(survey.reaching({"default"}), has_conditions, is_flat)


@dataclass(slots=True)
class Applied:
    """What applies to the parts of one call's arguments."""

    compiled: Compiled
    plan: Plan
    is_certain: bool = False
    """Whether only what needs no condition counts."""

    def to(self, schemas: Schemas, value: Any) -> list[Node]:
        """Those that look at *value*, in order, out of which a default can come."""
        nodes = self.compiled.survey.nodes
        found: dict[int, Node] = {}
        todo = schemas[::-1]
        while todo:
            schema = todo.pop()
            if id(schema) in self.plan.leading and id(schema) not in found:
                found[id(schema)] = nodes[id(schema)]
                if not _IN_PLACE.isdisjoint(schema):
                    todo.extend([*self._in_place(nodes[id(schema)], value)][::-1])
        return [node for node in found.values() if not _is_void(node)]

    def _in_place(self, node: Node, value: Any) -> Iterator[Schema]:
        yield from self._always(node)
        schema = node.schema
        if _is_void(node) or self.is_certain:
            return
        for keyword in ("anyOf", "oneOf"):
            for each in schema.get(keyword, ()):
                if id(each) in self.plan.leading and self.satisfies(each, value):
                    yield each
        branches = schema.get("then", True), schema.get("else", True)
        if "if" in schema and any(id(each) in self.plan.leading for each in branches):
            verdict = self.satisfies(schema["if"], value)
            if verdict is not None:
                yield branches[0] if verdict else branches[1]
        if isinstance(value, dict):
            for keyword in ("dependentSchemas", "dependencies"):
                if keyword in node.dialect.named:
                    present = [name for name in schema.get(keyword, ()) if name in value]
                    yield from (schema[keyword][name] for name in present)

    def _always(self, node: Node) -> Iterator[Schema]:
        """What looks at the value too, whatever it is."""
        if id(node.schema) in self.compiled.survey.targets:
            yield self.compiled.survey.targets[id(node.schema)]
        if not _is_void(node):
            yield from node.schema.get("allOf", ())

    def satisfies(self, schema: Schema, value: Any) -> bool | None:
        """The verdict on a part of the arguments; None where it is not known."""
        if isinstance(schema, bool):
            return schema
        verdict = self.compiled.subschema(schema)
        return None if verdict is None else verdict(value)

    def properties(self, nodes: Iterable[Node], value: dict[str, Any]) -> dict[str, Schemas]:
        """The subschemas of each property, absent ones included."""
        below: dict[str, Schemas] = {}
        for node in nodes:
            declared = node.schema.get("properties", {})
            for name, schema in declared.items():
                below.setdefault(name, []).append(schema)
            patterns = node.schema.get("patternProperties", {})
            rest = node.schema.get("additionalProperties", True)
            if not patterns and isinstance(rest, bool):
                continue
            for name in value:
                matching = [patterns[each] for each in patterns if self._matches(each, name)]
                if name not in declared and not matching:
                    matching = [rest]
                below.setdefault(name, []).extend(matching)
        return below

    def _matches(self, pattern: str, name: str) -> bool:
        # Names that are too long to be searched are not in valid arguments.
        if pattern not in self.plan.patterns:
            alone = {"pattern": translate(pattern).engine}
            self.plan.patterns[pattern] = compile_verdict(DRAFT_2020_12, alone)
        return self.plan.patterns[pattern](name)

    def items(self, nodes: Iterable[Node], value: list[Any]) -> list[Schemas]:
        """The subschemas of each item."""
        below: list[Schemas] = [[] for _ in value]
        for node in nodes:
            first, rest = node.schema.get("prefixItems", []), node.schema.get("items", True)
            if "prefixItems" not in node.dialect.many:
                first = []
            if isinstance(rest, list):
                first, rest = rest, node.schema.get("additionalItems", True)
            for index, schemas in enumerate(below):
                schemas.append(first[index] if index < len(first) else rest)
        return below

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
            if all(self.satisfies(each, value) for each in (schema, *schemas)):
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
                if "default" in schema and not _is_void(node):
                    yield schema
                todo.extend([*self._always(node)][::-1])

    def fills(
        self, into: dict[str, Any], name: str, schemas: Schemas, around: set[int]
    ) -> Iterator[Fill]:
        """The default for an absent property, if there is one.

        *around* has the schemas that apply to *into* and to what it is in, so
        that a default is never filled into itself.
        """
        declared = self.default(schemas)
        if declared and not (declared.can_hold_itself and id(declared.schema) in around):
            yield Fill(into, name, deepcopy(declared.schema["default"]))


def _is_void(node: Node) -> bool:
    """Whether a reference makes void what is beside it (draft-07 core §8.3)."""
    return node.dialect.name == "draft-07" and "$ref" in node.schema


def _holds_object(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_object, value))
    return isinstance(value, dict)

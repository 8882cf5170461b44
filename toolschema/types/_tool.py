"""The types of one tool: a record for each object with declared properties, and aliases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolschema import ToolDefinition
from toolschema.types._conjunction import Conjunction, Conjunctions, Part, Property, Slot
from toolschema.types._expression import Expression, Generic, Name, Reference, Union, walk
from toolschema.types._names import Names, capitalized, class_name, nested_name
from toolschema.types._strings import quoted

MAX_RECORDS = 500
"""For one tool; every further object is a ``dict``."""
_MAX_DEPTH, _MAX_NAMES = 20, 200
"""For one expression; beyond either it is `Any`."""
_ANY, _STR = Name("Any"), Name("str")
_MAP = Generic("dict", (_STR, _ANY))
_SIMPLE = {"any": _ANY, "number": Name("float"), "null": Name("None")}
_ORDER = ("record", "object", "array", "string", "number", "boolean", "null", "any")


class Key(NamedTuple):
    """One key of a record."""

    name: str
    is_required: bool
    expression: Expression
    description: str


@dataclass(slots=True)
class Type:
    """One definition of the module: a record, or an alias of an expression."""

    name: str
    description: str = ""
    keys: list[Key] = field(default_factory=list)
    alias: Expression | None = None

    @property
    def references(self) -> Iterator[str]:
        """The names of the types that the definition refers to."""
        expressions = [key.expression for key in self.keys] if self.alias is None else [self.alias]
        for expression in expressions:
            yield from (inner.name for inner in walk(expression) if isinstance(inner, Reference))


class _Path(NamedTuple):
    """How a value is reached, to name and describe its types."""

    outer: str
    inner: str
    description: str


class ToolTypes:
    """Generates the types of one tool."""

    def __init__(self, tool: ToolDefinition[Any], names: Names) -> None:
        self.types: list[Type] = []
        self._names = names
        self._survey = tool.compiled.survey
        self._orders = _key_orders(tool)
        self._referred = frozenset(map(id, self._survey.targets.values()))
        self._conjunctions = Conjunctions(self._survey)
        self.name = names.unique(class_name(tool.name), "Arguments")
        """The type of the arguments."""
        self._prefix = self.name.removesuffix("Arguments")
        self._records: dict[frozenset[int], str] = {}
        self._aliases: dict[frozenset[frozenset[int]], str] = {}
        self._known: dict[frozenset[frozenset[int]], Expression] = {}
        self._open: set[frozenset[frozenset[int]]] = set()
        self._todo: list[tuple[Type, Conjunction, str]] = []

    def generate(self, description: str) -> None:
        """Fill `types`; *description* is that of the type of the arguments."""
        root = self._conjunctions.close([self._survey.root.contents])
        found = self._conjunctions.object_parts(root)
        if len(found) == 1 and found[0].kind == "record":
            self._start(self.name, found[0].record, description)
        self._finish_records()
        if self.name not in (made.name for made in self.types):
            path = _Path(self._prefix, "", description)
            alias = _union([self._part(part, path, 0) for part in found])
            self._finish_records()
            self.types.append(Type(self.name, description, alias=alias or _MAP))

    def _start(self, name: str, record: Conjunction, description: str) -> None:
        made = Type(name, description)
        self.types.append(made)
        self._records[self._conjunctions.identity(record)] = name
        self._todo.append((made, record, name.removesuffix("Arguments")))

    def _finish_records(self) -> None:
        while self._todo:
            made, record, prefix = self._todo.pop(0)
            for prop in self._properties(record):
                description = next(self._descriptions(prop.conjunction), "")
                path = _Path(prefix, capitalized(prop.name), description)
                expression = self._expression((prop.conjunction,), path, 0)
                made.keys.append(Key(prop.name, prop.is_required, expression, description))

    def _properties(self, record: Conjunction) -> list[Property]:
        """The properties that can have a value, in the order of their author."""
        order: dict[str, int] = {}
        for _, schema in self._conjunctions.members(record):
            for name in self._orders.get(id(schema.get("properties")), ()):
                order.setdefault(name, len(order))
        found = self._conjunctions.properties(record)
        possible = [prop for prop in found if self._conjunctions.kinds(prop.conjunction)]
        return sorted(possible, key=lambda prop: order.get(prop.name, len(order)))

    def _descriptions(self, conjunction: Iterable[int]) -> Iterator[str]:
        """The descriptions in order: that beside a reference precedes that of its target."""
        for key in conjunction:
            node = self._survey.nodes.get(key)  # `NEVER` has none
            description = node.schema.get("description") if node else None
            if isinstance(description, str) and description.strip():
                yield description

    def _expression(self, slot: Slot, path: _Path, depth: int) -> Expression:
        key = frozenset(map(self._conjunctions.identity, slot))
        if key in self._known:
            return self._known[key]
        if key in self._open:  # recursion
            if key not in self._aliases:
                self._aliases[key] = self._names.unique(self._name_for(slot[0], path))
            return Reference(self._aliases[key])
        if depth > _MAX_DEPTH:
            return _ANY
        self._open.add(key)
        found = sorted(self._conjunctions.parts(slot), key=lambda part: _ORDER.index(part.kind))
        expression = _union([self._part(part, path, depth) for part in found])
        if expression is None or sum(1 for _ in walk(expression)) > _MAX_NAMES:
            expression = _ANY
        self._open.discard(key)
        if key in self._aliases:
            self.types.append(Type(self._aliases[key], path.description, alias=expression))
            expression = Reference(self._aliases[key])
        self._known[key] = expression
        return expression

    def _part(self, part: Part, path: _Path, depth: int) -> Expression:
        if part.kind in _SIMPLE:
            return _SIMPLE[part.kind]
        if part.kind == "record":
            return self._record(part.record, path)
        if part.kind == "array":
            item = path._replace(inner=f"{path.inner}Item")
            return Generic("list", (self._expression(part.slot, item, depth + 1),))
        if part.kind == "object":
            value = path._replace(inner=f"{path.inner}Value")
            return Generic("dict", (_STR, self._expression(part.slot, value, depth + 1)))
        return _literals(part)

    def _record(self, record: Conjunction, path: _Path) -> Expression:
        key = self._conjunctions.identity(record)
        if key not in self._records:
            if len(self._records) >= MAX_RECORDS:
                return _MAP
            name = self._names.unique(self._name_for(record, path))
            branch = self._conjunctions.branches.get(record, ())
            # The description of the property is already beside its key.
            found = filter(path.description.__ne__, self._descriptions((*branch, *record)))
            self._start(name, record, next(found, ""))
        return Reference(self._records[key])

    def _name_for(self, record: Conjunction, path: _Path) -> str:
        """After its definition, or else after its path and what distinguishes its branch."""
        branch = self._conjunctions.branches.get(record, ())
        for key in branch or record:
            tokens = self._survey.nodes[key].tokens
            if key in self._referred and len(tokens) > 1:
                definition = capitalized(str(tokens[-1]))
                if definition:
                    return nested_name(self._prefix, definition, self._prefix)
        label = next(self._labels(branch), "Option") if branch else ""
        return nested_name(path.outer, path.inner + label, self._prefix)

    def _labels(self, branch: Conjunction) -> Iterator[str]:
        for _, schema in self._conjunctions.members(branch):
            subschemas = schema.get("properties", {}).values()
            labels = [below.get("const") for below in subschemas if isinstance(below, dict)]
            for label in (*labels, schema.get("title")):
                if isinstance(label, str) and capitalized(label):
                    yield capitalized(label)


def _union(expressions: list[Expression]) -> Expression | None:
    distinct = tuple(dict.fromkeys(expressions))
    if not distinct:
        return None
    return distinct[0] if len(distinct) == 1 else Union(distinct)


def _literals(part: Part) -> Expression:
    if part.values is None or (part.kind == "boolean" and len(part.values) == 2):
        return _STR if part.kind == "string" else Name("bool")
    written = (quoted(value) if part.kind == "string" else repr(value) for value in part.values)
    return Generic("Literal", tuple(map(Name, written)))


def _key_orders(tool: ToolDefinition[Any]) -> dict[int, list[str]]:
    """The keys of each object in the schemas of *tool* in their written order, by `id`.

    The objects are those of the survey, whose own keys are sorted.
    """
    survey = tool.compiled.survey
    todo: list[tuple[Any, Any]] = []
    for document in survey.documents.values():
        source = (
            tool.source if document is survey.root else tool.sources.get(document.retrieval_uri)
        )
        if source is not None:  # a metaschema has none
            todo.append((document.contents, json.loads(source.text)))
    orders: dict[int, list[str]] = {}
    while todo:
        surveyed, written = todo.pop()
        if isinstance(written, dict):
            orders[id(surveyed)] = list(written)
            todo += [(surveyed[key], value) for key, value in written.items() if key in surveyed]
        elif isinstance(written, list):
            todo += zip(surveyed, written, strict=True)
    return orders

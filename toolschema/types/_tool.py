"""The types of one tool: a record for each object with names, an alias for what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolschema import ToolDefinition
from toolschema.types._conjunction import NEVER, Conjunction, Conjunctions, Slot
from toolschema.types._expression import Either, Expression, Generic, Name, Reference, size
from toolschema.types._names import Names, longer, part, stem
from toolschema.types._parts import Field, Part, fields, is_possible, object_parts, parts
from toolschema.types._text import quoted

MOST_TYPES = 500
"""Of one tool; every further object is a `dict`."""
_DEEPEST, _LARGEST = 20, 200
"""Of one expression, in levels and in names; past that it is `Any`."""
_ANY = Name("Any")
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
    def expressions(self) -> list[Expression]:
        return [each.expression for each in self.keys] if self.alias is None else [self.alias]


class _Way(NamedTuple):
    """How a place is reached, for the names and texts of what is found there."""

    prefix: str
    more: str
    description: str


@dataclass(slots=True)
class ToolTypes:
    """Makes the types of one tool."""

    tool: ToolDefinition[Any]
    names: Names
    orders: dict[int, list[str]]
    """The names of ``properties`` as their author ordered them, by `id`."""
    conjunctions: Conjunctions
    types: list[Type] = field(default_factory=list)
    stem: str = ""
    _records: dict[frozenset[int], str] = field(default_factory=dict)
    _aliases: dict[frozenset[frozenset[int]], str] = field(default_factory=dict)
    _known: dict[frozenset[frozenset[int]], Expression] = field(default_factory=dict)
    _open: set[frozenset[frozenset[int]]] = field(default_factory=set)
    _todo: list[tuple[Type, Conjunction, str]] = field(default_factory=list)

    def run(self, said: str) -> str:
        """Fill `types`; answer the name of the type of the arguments, of which *said* is told."""
        whole = self.names.give(stem(self.tool.name), "Arguments")
        self.stem = whole.removesuffix("Arguments")
        root = self.conjunctions.close([self.tool.compiled.survey.root.contents])
        found = object_parts(self.conjunctions, root)
        if len(found) == 1 and found[0].kind == "record":
            self._start(whole, found[0].record, said)
        self._fields_of_all()
        if whole not in (each.name for each in self.types):
            way = _Way(self.stem, "", said)
            alias = self._union([self._of_part(each, way, 0) for each in found])
            self._fields_of_all()
            self.types.append(Type(whole, said, alias=alias or _MAP))
        return whole

    def _start(self, name: str, record: Conjunction, description: str) -> None:
        made = Type(name, description)
        self.types.append(made)
        self._records[self.conjunctions.identity(record)] = name
        self._todo.append((made, record, name.removesuffix("Arguments")))

    def _fields_of_all(self) -> None:
        while self._todo:
            made, record, prefix = self._todo.pop(0)
            found = [
                each
                for each in fields(self.conjunctions, record)
                if is_possible(self.conjunctions, each)
            ]
            for each in self._ordered(record, found):
                said = self._descriptions(self.conjunctions.close(each.schemas))
                description = next(said, "")
                way = _Way(prefix, part(each.name), description)
                slot = (self.conjunctions.close(each.schemas),)
                expression = self._expression(slot, way, 0)
                made.keys.append(Key(each.name, each.is_required, expression, description))

    def _ordered(self, record: Conjunction, found: list[Field]) -> list[Field]:
        place: dict[str, int] = {}
        for _, schema in self.conjunctions.members(record):
            for name in self.orders.get(id(schema.get("properties")), ()):
                place.setdefault(name, len(place))
        return sorted(found, key=lambda each: place.get(each.name, len(place)))

    def _descriptions(self, conjunction: Iterable[int]) -> Iterator[str]:
        """What is said of a place; beside a reference it comes before the target's."""
        for key in conjunction:
            said = None if key == NEVER else self.conjunctions.schema(key).get("description")
            if isinstance(said, str) and said.strip():
                yield said

    def _expression(self, slot: Slot, way: _Way, depth: int) -> Expression:
        key = frozenset(map(self.conjunctions.identity, slot))
        if key in self._known:
            return self._known[key]
        if key in self._open:
            if key not in self._aliases:
                self._aliases[key] = self.names.give(self._wanted(slot[0], way))
            return Reference(self._aliases[key])
        if depth > _DEEPEST:
            return _ANY
        self._open.add(key)
        expression = self._of_parts(parts(self.conjunctions, slot), way, depth)
        self._open.discard(key)
        if key in self._aliases:
            self.types.append(Type(self._aliases[key], way.description, alias=expression))
            expression = Reference(self._aliases[key])
        self._known[key] = expression
        return expression

    def _of_parts(self, found: list[Part], way: _Way, depth: int) -> Expression:
        ordered = sorted(found, key=lambda each: _ORDER.index(each.kind))
        expression = self._union([self._of_part(each, way, depth) for each in ordered])
        return _ANY if expression is None or size(expression) > _LARGEST else expression

    def _union(self, found: list[Expression]) -> Expression | None:
        distinct = tuple(dict.fromkeys(found))
        if not distinct:
            return None
        return distinct[0] if len(distinct) == 1 else Either(distinct)

    def _of_part(self, each: Part, way: _Way, depth: int) -> Expression:
        if each.kind in _SIMPLE:
            return _SIMPLE[each.kind]
        if each.kind == "record":
            return self._record(each.record, way)
        if each.kind == "array":
            inner = way._replace(more=f"{way.more}Item")
            return Generic("list", (self._expression(each.slot, inner, depth + 1),))
        if each.kind == "object":
            inner = way._replace(more=f"{way.more}Value")
            return Generic("dict", (_TEXT, self._expression(each.slot, inner, depth + 1)))
        return _literals(each)

    def _record(self, record: Conjunction, way: _Way) -> Expression:
        key = self.conjunctions.identity(record)
        if key not in self._records:
            if len(self._records) >= MOST_TYPES:
                return _MAP
            name = self.names.give(self._wanted(record, way))
            said = self._descriptions((*self.conjunctions.branches.get(record, ()), *record))
            self._start(name, record, next((each for each in said if each != way.description), ""))
        return Reference(self._records[key])

    def _wanted(self, record: Conjunction, way: _Way) -> str:
        """By its definition, by what tells the branch, or by the way to it."""
        brought = self.conjunctions.branches.get(record, ())
        for key in (*brought, *([] if brought else record)):
            tokens = self.conjunctions.survey.nodes[key].tokens
            if key in self.conjunctions.referred and len(tokens) > 1:
                named = part(str(tokens[-1]))
                if named:
                    return longer(self.stem, named, self.stem)
        label = next(self._labels(brought), "Option") if brought else ""
        return longer(way.prefix, way.more + label, self.stem)

    def _labels(self, brought: Conjunction) -> Iterator[str]:
        for _, schema in self.conjunctions.members(brought):
            for each in schema.get("properties", {}).values():
                value = each.get("const") if isinstance(each, dict) else None
                if isinstance(value, str) and part(value):
                    yield part(value)
            if isinstance(schema.get("title"), str) and part(schema["title"]):
                yield part(schema["title"])


_TEXT = Name("str")
_MAP = Generic("dict", (_TEXT, _ANY))


def _literals(each: Part) -> Expression:
    if each.values is None or (each.kind == "boolean" and len(each.values) == 2):
        return _TEXT if each.kind == "string" else Name("bool")
    written = (quoted(value) if each.kind == "string" else repr(value) for value in each.values)
    return Generic("Literal", tuple(map(Name, written)))

"""A tool's schema as one whole in dialect 2020-12, whatever it was written in.

All that it refers to is brought along as a definition, so a ``$ref`` leads to
the root or to a definition and never into a place that a rewriting may move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from jsonschema_specifications import REGISTRY
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable

from toolschema import ToolDefinition
from toolschema._json.pointer import Token, join
from toolschema._schema.dialect import DRAFT_2020_12, Dialect, dialect_of
from toolschema._schema.resources import BASE
from toolschema.providers._export.modern import modern
from toolschema.providers._export.report import Effect, Loss

Tokens = tuple[Token, ...]

NOT_IN_DRAFT_07 = frozenset({"duration", "uuid"})
"""Formats that a value is held to since 2019-09 only."""


@dataclass(slots=True)
class Reading:
    """The schema, and where each part of it was written."""

    root: dict[str, Any] = field(default_factory=dict)
    definitions: dict[str, dict[str, Any]] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    _places: dict[int, Tokens] = field(default_factory=dict)
    _keywords: dict[tuple[int, str], Tokens] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)
    """Places are by `id`, so what has one must stay."""

    def make(self, place: Tokens) -> dict[str, Any]:
        """A new subschema that stands for what is written at *place*."""
        made: dict[str, Any] = {}
        self._kept.append(made)
        self._places[id(made)] = place
        return made

    def put(self, schema: dict[str, Any], keyword: str, value: Any, place: Tokens) -> None:
        """Set a keyword that was written at *place*."""
        schema[keyword] = value
        self._keywords[id(schema), keyword] = place

    def place(self, schema: dict[str, Any], keyword: str | None = None) -> Tokens:
        """Where the schema, or a keyword of it, was written."""
        if keyword is None:
            return self._places[id(schema)]
        known = self._keywords.get((id(schema), keyword))
        return (*self._places[id(schema)], keyword) if known is None else known

    def lose(self, schema: dict[str, Any], keyword: str, effect: Effect, note: str) -> None:
        """Add a keyword of *schema* to the report."""
        is_written = keyword in schema
        place = self.place(schema, keyword) if is_written else self.place(schema)
        said = place[-1] if is_written and place and isinstance(place[-1], str) else keyword
        self.losses.append(Loss(join(place), said, effect, note))

    def target(self, reference: str) -> dict[str, Any]:
        """What one of its own references leads to."""
        return self.root if reference == "#" else self.definitions[name_of(reference)]

    def endless(self) -> frozenset[str]:
        """The references that lead back to where they stand."""
        parts = {"#": self.root}
        parts |= {f"#/$defs/{name}": each for name, each in self.definitions.items()}
        leads = {name: set(_references(each)) for name, each in parts.items()}
        return frozenset(name for name in parts if name in reachable(leads, name))


def reachable(leads: dict[str, set[str]], start: str) -> set[str]:
    """What can be reached from *start*, itself only where something leads back.

    >>> sorted(reachable({"a": {"b"}, "b": {"b"}}, "a"))
    ['b']
    """
    seen: set[str] = set()
    todo = [*leads[start]]
    while todo:
        each = todo.pop()
        if each not in seen:
            seen.add(each)
            todo.extend(leads.get(each, ()))
    return seen


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _references(each)
    elif isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from _references(each)


def name_of(reference: str) -> str:
    """The name of the definition that a reference of a reading leads to.

    >>> name_of("#/$defs/line")
    'line'
    """
    return reference.removeprefix("#/$defs/")


def read(tool: ToolDefinition[Any]) -> Reading:
    """Read the parameters of *tool*, and all that they can reach."""
    schema = tool.parameters
    reader = _Reader(Reading(), dialect_of(schema) or DRAFT_2020_12)
    reader.map(schema, (), reader.dialect)
    registry: Registry[Any] = Registry()
    base = schema.get("$id", "")
    base = urldefrag(BASE if base.startswith("#") else urljoin(BASE, base)).url
    resources = [(base, reader.resource(schema))]
    if _refers_away(schema):
        for uri, each in tool.resources.items():
            reader.map(each, None, dialect_of(each, reader.dialect) or reader.dialect)
            resources.append((uri, reader.resource(each)))
        registry = REGISTRY
    reader.names[id(schema)] = "#"
    resolver = registry.with_resources(reversed(resources)).resolver(base)
    reader.reading.root = reader.copy(schema, resolver, reader.dialect, ())
    while reader.pending:
        name, target, resolver, place = reader.pending.pop(0)
        dialect = reader.dialects.get(id(target), DRAFT_2020_12)
        reader.reading.definitions[name] = reader.copy(target, resolver, dialect, place)
    return reader.reading


def _refers_away(value: Any) -> bool:
    if isinstance(value, list):
        return any(_refers_away(each) for each in value)
    if not isinstance(value, dict):
        return False
    reference = value.get("$ref")
    is_away = isinstance(reference, str) and not reference.startswith("#")
    return is_away or any(_refers_away(each) for each in value.values())


@dataclass(slots=True)
class _Reader:
    reading: Reading
    dialect: Dialect
    dialects: dict[int, Dialect] = field(default_factory=dict)
    locations: dict[int, Tokens] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    pending: list[tuple[str, Any, Any, Tokens]] = field(default_factory=list)

    def resource(self, schema: Any) -> Resource[Any]:
        dialect = dialect_of(schema, self.dialect) or self.dialect
        return dialect.specification.create_resource(schema)

    def map(self, value: Any, place: Tokens | None, dialect: Dialect) -> None:
        """Note in which dialect, and where in the tool, each object stands."""
        if isinstance(value, dict):
            dialect = dialect_of(value, dialect) or dialect
            self.dialects[id(value)] = dialect
            if place is not None:
                self.locations[id(value)] = place
            for name, each in value.items():
                self.map(each, None if place is None else (*place, name), dialect)
        elif isinstance(value, list):
            for index, each in enumerate(value):
                self.map(each, None if place is None else (*place, index), dialect)

    def copy(self, schema: Any, resolver: Any, dialect: Dialect, place: Tokens) -> Any:
        if not isinstance(schema, dict):
            return schema
        made = self.reading.make(place)
        dialect = self.dialects.get(id(schema), dialect)
        if isinstance(schema.get("$id"), str) and place:
            resolver = resolver.in_subresource(dialect.specification.create_resource(schema))
        for keyword, written, value in modern(schema, dialect):
            where = (*place, *written)
            if keyword == "$ref":
                self.refer(made, value, resolver, where)
            elif keyword in DRAFT_2020_12.named and isinstance(value, dict):
                below = {
                    name: self.copy(each, resolver, dialect, (*where, name))
                    for name, each in value.items()
                }
                self.reading.put(made, keyword, below, where)
            elif keyword in DRAFT_2020_12.many and isinstance(value, list):
                listed = [
                    self.copy(each, resolver, dialect, (*where, index))
                    for index, each in enumerate(value)
                ]
                self.reading.put(made, keyword, made.get(keyword, []) + listed, where)
            elif keyword in DRAFT_2020_12.one:
                self.reading.put(made, keyword, self.copy(value, resolver, dialect, where), where)
            else:
                self.reading.put(made, keyword, value, where)
        if dialect.name == "draft-07" and made.get("format") in NOT_IN_DRAFT_07:
            self.reading.lose(made, "format", "narrowed", "draft-07 has no such format")
        return made

    def refer(self, made: dict[str, Any], reference: str, resolver: Any, where: Tokens) -> None:
        try:
            found = resolver.lookup(reference)
        except Unresolvable:
            self.reading.put(made, "$ref", reference, where)
            self.reading.lose(made, "$ref", "dropped", "what it leads to cannot be brought along")
            del made["$ref"]
            return
        target = found.contents
        if not isinstance(target, dict):
            if target is False:
                self.reading.put(made, "allOf", [*made.get("allOf", []), False], where)
            return
        if id(target) not in self.names:
            place = self.locations.get(id(target), where)
            name = self.name(unquote(reference), place)
            self.names[id(target)] = f"#/$defs/{name}"
            self.pending.append((name, target, found.resolver, place))
        self.reading.put(made, "$ref", self.names[id(target)], where)

    def name(self, reference: str, place: Tokens) -> str:
        """A name for a definition: its own, where that is still free."""
        last = place[-1] if place and place[-1] != "$ref" else re.split("[/#]", reference)[-1]
        stem = re.sub(r"[^A-Za-z0-9_.-]", "_", str(last))[:64] or "schema"
        taken = {name_of(each) for each in self.names.values()}
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}_{number}"
        return name

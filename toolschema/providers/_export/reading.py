"""A tool's schema and everything it reaches, in dialect 2020-12, whatever it was written in.

Everything it refers to becomes a definition, so that a ``$ref`` leads to the root or to
a definition, and never to a location that rewriting may move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any
from urllib.parse import unquote

from toolschema._json.pointer import Token, join
from toolschema._schema.dialect import DRAFT_2020_12, Dialect
from toolschema._schema.survey import Survey
from toolschema.providers._export.modern import modern, with_subschemas
from toolschema.providers._export.report import Effect, Loss

Tokens = tuple[Token, ...]

NOT_IN_DRAFT_07 = frozenset({"duration", "uuid"})
"""Formats that are asserted since 2019-09 only."""


@dataclass(slots=True)
class Reading:
    """The schema, and where each part of it was written."""

    root: dict[str, Any] = field(default_factory=dict)
    definitions: dict[str, dict[str, Any]] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    _locations: dict[int, Tokens] = field(default_factory=dict)
    _keywords: dict[tuple[int, str], Tokens] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)
    """Locations are by `id`, so that what has one must stay alive."""

    def make(self, location: Tokens) -> dict[str, Any]:
        """A new subschema that stands for what is written at *location*."""
        made: dict[str, Any] = {}
        self._kept.append(made)
        self._locations[id(made)] = location
        return made

    def put(self, schema: dict[str, Any], keyword: str, value: Any, location: Tokens) -> None:
        """Set a keyword that was written at *location*."""
        schema[keyword] = value
        self._keywords[id(schema), keyword] = location

    def take(self, schema: dict[str, Any], source: dict[str, Any], *keywords: str) -> None:
        """Copy keywords of another subschema, with their locations."""
        for keyword in keywords:
            self.put(schema, keyword, source[keyword], self.location(source, keyword))

    def part(self, source: dict[str, Any], keywords: Iterable[str]) -> dict[str, Any]:
        """A new subschema with some of the keywords of another."""
        made = self.make(self.location(source))
        self.take(made, source, *keywords)
        return made

    def without(self, source: dict[str, Any], keywords: Collection[str]) -> dict[str, Any]:
        """A new subschema with all keywords of another but these."""
        return self.part(source, [keyword for keyword in source if keyword not in keywords])

    def location(self, schema: dict[str, Any], keyword: str | None = None) -> Tokens:
        """Where the schema, or a keyword of it, was written."""
        if keyword is None:
            return self._locations[id(schema)]
        known = self._keywords.get((id(schema), keyword))
        return (*self._locations[id(schema)], keyword) if known is None else known

    def lose(self, schema: dict[str, Any], keyword: str, effect: Effect, note: str) -> None:
        """Add a keyword of *schema* to the report."""
        is_written = keyword in schema
        location = self.location(schema, keyword) if is_written else self.location(schema)
        last = location[-1] if is_written and location else keyword
        self.lose_at(location, last if isinstance(last, str) else keyword, effect, note)

    def lose_at(self, location: Tokens, keyword: str, effect: Effect, note: str) -> None:
        """Add to the report what was written at *location*."""
        self.losses.append(Loss(join(location), keyword, effect, note))

    def target(self, reference: str) -> dict[str, Any]:
        """What one of its own references leads to."""
        return self.root if reference == "#" else self.definitions[name_of(reference)]

    def write_definitions(
        self, pending: list[str], write: Callable[[dict[str, Any]], Any]
    ) -> dict[str, Any]:
        """The definitions that are pending, which may make others pending."""
        written: dict[str, Any] = {}
        while pending:
            name = pending.pop(0)
            if name not in written:
                written[name] = write(self.definitions[name])
        return {"$defs": written} if written else {}


def recursive_references(root: Any, definitions: Mapping[str, Any]) -> frozenset[str]:
    """The references to a root and its definitions that lead back to themselves.

    >>> recursive_references({"$ref": "#/$defs/a"}, {"a": {"items": {"$ref": "#/$defs/a"}}})
    frozenset({'#/$defs/a'})
    """
    parts = {"#": root} | {f"#/$defs/{name}": part for name, part in definitions.items()}
    references = {
        name: {schema["$ref"] for schema, _ in located_schemas(part) if "$ref" in schema}
        for name, part in parts.items()
    }

    def leads_back(start: str) -> bool:
        seen: set[str] = set()
        todo = [*references[start]]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo.extend(references[name])
        return start in seen

    return frozenset(filter(leads_back, parts))


def located_schemas(schema: Any, path: Tokens = ()) -> Iterator[tuple[dict[str, Any], Tokens]]:
    """A schema in dialect 2020-12 and all below it, with the tokens that lead to them."""
    if isinstance(schema, dict):
        yield schema, path
        for tokens, subschema in DRAFT_2020_12.subschemas(schema):
            yield from located_schemas(subschema, (*path, *tokens))


def name_of(reference: str) -> str:
    """The name of the definition that a reference of a reading leads to.

    >>> name_of("#/$defs/line")
    'line'
    """
    return reference.removeprefix("#/$defs/")


def read(schema: dict[str, Any], survey: Survey, resources: Mapping[str, Any]) -> Reading:
    """Read *schema*, and everything that *survey* found it to reach.

    Args:
        schema: As it was written, with its properties in their order.
        survey: Of the schema.
        resources: The other schemas, as they were written, by URI.
    """
    reader = _Reader(survey)
    for document in survey.documents.values():
        is_root = document is survey.root
        # Metaschemas are not among the resources; their copies are as good.
        written = schema if is_root else resources.get(document.retrieval_uri, document.contents)
        reader.index(written, document.contents, () if is_root else None)
    reader.names[id(schema)] = "#"
    reader.reading.root = reader.copy(schema, survey.dialect, ())
    while reader.pending:
        name, target, location = reader.pending.pop(0)
        reader.reading.definitions[name] = reader.copy(target, survey.dialect, location)
    return reader.reading


@dataclass(slots=True)
class _Reader:
    survey: Survey
    reading: Reading = field(default_factory=Reading)
    surveyed: dict[int, Any] = field(default_factory=dict)
    """The survey's copy of each written object, by the `id` of the latter."""
    written: dict[int, Any] = field(default_factory=dict)
    """The same the other way round."""
    locations: dict[int, Tokens] = field(default_factory=dict)
    """Where written objects are in the tool's own schema, if they are in it."""
    names: dict[int, str] = field(default_factory=dict)
    pending: list[tuple[str, Any, Tokens]] = field(default_factory=list)

    def index(self, written: Any, surveyed: Any, location: Tokens | None) -> None:
        """Pair every written object with its copy, which has the same members in order."""
        if isinstance(written, dict):
            self.surveyed[id(written)] = surveyed
            self.written[id(surveyed)] = written
            if location is not None:
                self.locations[id(written)] = location
        members: Iterable[tuple[Any, Any]] = ()
        if isinstance(written, (dict, list)):
            members = written.items() if isinstance(written, dict) else enumerate(written)
        for token, member in members:
            if isinstance(member, (dict, list)):
                below = None if location is None else (*location, token)
                self.index(member, surveyed[token], below)

    def copy(self, schema: Any, dialect: Dialect, location: Tokens) -> Any:
        if not isinstance(schema, dict):
            return schema
        made = self.reading.make(location)
        node = self.survey.nodes.get(id(self.surveyed.get(id(schema))))
        dialect = dialect if node is None else node.dialect
        for keyword, path, value in modern(schema, dialect):
            where = (*location, *path)
            if keyword == "$ref":
                self.refer(made, schema, where)
                continue

            def copy(below: Any, *tokens: Token, start: Tokens = where) -> Any:
                return self.copy(below, dialect, (*start, *tokens))

            copied = with_subschemas(keyword, value, copy)
            if keyword == "allOf":
                copied = made.get("allOf", []) + copied
            self.reading.put(made, keyword, copied, where)
        if dialect.name == "draft-07" and made.get("format") in NOT_IN_DRAFT_07:
            self.reading.lose(made, "format", "narrowed", "draft-07 has no such format")
        return made

    def refer(self, made: dict[str, Any], schema: dict[str, Any], where: Tokens) -> None:
        target = self.survey.targets[id(self.surveyed[id(schema)])]
        if not isinstance(target, dict):
            if target is False:
                self.reading.put(made, "allOf", [*made.get("allOf", []), False], where)
            return
        target = self.written[id(target)]
        if id(target) not in self.names:
            location = self.locations.get(id(target), where)
            name = self.name(unquote(schema["$ref"]), location)
            self.names[id(target)] = f"#/$defs/{name}"
            self.pending.append((name, target, location))
        self.reading.put(made, "$ref", self.names[id(target)], where)

    def name(self, reference: str, location: Tokens) -> str:
        """A name for a definition: its own, if that is still free."""
        is_named = location and location[-1] != "$ref"
        last = location[-1] if is_named else re.split("[/#]", reference)[-1]
        stem = re.sub(r"[^A-Za-z0-9_.-]", "_", str(last))[:64] or "schema"
        taken = {name_of(reference) for reference in self.names.values()}
        numbered = (f"{stem}_{number}" for number in count(2))
        return next(name for name in chain([stem], numbered) if name not in taken)

"""The subschemas through which an issue was found, from the root to its keyword."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolschema._json.pointer import split
from toolschema._schema.dialect import IN_PLACE
from toolschema._schema.survey import Survey
from toolschema._validation.compiled import Compiled
from toolschema.errors import Issue

_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "dependencies"})
_MOST = 64
"""Subschemas that are looked at for one value: a schema may be wide."""


class Step(NamedTuple):
    """One subschema on the way, and the tokens that led to it."""

    schema: dict[str, Any]
    hop: tuple[str, ...]
    is_in_place: bool
    """Whether it looks at the same value as the one before."""


class Route(NamedTuple):
    """All of them; the last one holds the keyword, or is as near as can be told."""

    compiled: Compiled
    steps: tuple[Step, ...]

    @property
    def holder(self) -> dict[str, Any]:
        return self.steps[-1].schema

    def same_value(self) -> list[dict[str, Any]]:
        """What looks at the value of the issue, the outermost first."""
        found: list[dict[str, Any]] = []
        for step in reversed(self.steps):
            found.append(step.schema)
            if not step.is_in_place:
                break
        return found[::-1]

    def declared(self, name: str) -> list[dict[str, Any]]:
        """What is said of a property of the value, the outermost first."""
        for schema in self.beside():
            properties = schema.get("properties")
            if isinstance(properties, dict) and isinstance(properties.get(name), dict):
                return list(self._in_place(properties[name]))
        return []

    def owner(self) -> Route | None:
        """The way to the object of which the value is a property; None if it is no such."""
        for place in range(len(self.steps) - 1, 0, -1):
            if not self.steps[place].is_in_place:
                is_property = self.steps[place].hop[0] == "properties"
                return Route(self.compiled, self.steps[:place]) if is_property else None
        return None

    def beside(self, *, with_branches: bool = False) -> Iterator[dict[str, Any]]:
        """All that looks at the value, the innermost first; branches only may."""
        nodes = self.compiled.survey.nodes
        seen: set[int] = set()
        for schema in reversed(self.same_value()):
            for each in self._in_place(schema, with_branches=with_branches):
                if id(each) in seen or len(seen) == _MOST:
                    continue
                seen.add(id(each))
                node = nodes.get(id(each))
                # In draft-07 a reference makes all beside it void (core §8.3).
                if "$ref" not in each or node is None or node.dialect.name != "draft-07":
                    yield each

    def _in_place(
        self, schema: dict[str, Any], *, with_branches: bool = False
    ) -> Iterator[dict[str, Any]]:
        """A schema and what it refers to or includes, whatever the value."""
        todo, seen = [schema], 0
        while todo and seen < _MOST:
            each = todo.pop(0)
            if not isinstance(each, dict):
                continue
            seen += 1
            yield each
            target = self.compiled.survey.targets.get(id(each))
            todo.extend([target] if target is not None else [])
            for keyword in ("allOf", "anyOf", "oneOf") if with_branches else ("allOf",):
                todo.extend(each.get(keyword, ()))
            if with_branches:
                todo.extend(each[name] for name in ("if", "then", "else") if name in each)

    def accepts(self, schema: dict[str, Any], value: Any) -> bool:
        """Whether a value of the author's is one that the schema accepts."""
        verdict = self.compiled.subschema(schema)
        return verdict is not None and verdict(value)

    def reached(self, schema: dict[str, Any]) -> list[dict[str, Any]]:
        """A schema of this route and what it refers to or includes."""
        return list(self._in_place(schema))


def route_of(compiled: Compiled, issue: Issue) -> Route:
    """Follow the keyword location of *issue* as far as it can be told."""
    survey = compiled.survey
    steps = [Step(survey.root.contents, (), is_in_place=False)]
    tokens = split(issue.keyword_location)
    while tokens:
        step, count = _next(survey, steps[-1].schema, tokens)
        if step is None:
            break
        steps.append(step)
        tokens = tokens[count:]
    return Route(compiled, tuple(steps))


def _next(
    survey: Survey, schema: dict[str, Any], tokens: tuple[str, ...]
) -> tuple[Step | None, int]:
    keyword = tokens[0]
    if keyword == "$ref":
        return _step(survey.targets.get(id(schema)), tokens[:1], is_in_place=True), 1
    value = schema.get(keyword)
    is_in_place = keyword in IN_PLACE
    if isinstance(value, dict) and keyword in _NAMED:
        below = value.get(tokens[1]) if len(tokens) > 1 else None
        return _step(below, tokens[:2], is_in_place=is_in_place), 2
    if isinstance(value, list) and len(tokens) > 1 and tokens[1].isdecimal():
        index = int(tokens[1])
        below = value[index] if index < len(value) else None
        return _step(below, tokens[:2], is_in_place=is_in_place), 2
    if id(value) in survey.nodes:
        return _step(value, tokens[:1], is_in_place=is_in_place), 1
    return None, 0


def _step(schema: Any, hop: tuple[str, ...], *, is_in_place: bool) -> Step | None:
    return Step(schema, hop, is_in_place) if isinstance(schema, dict) else None

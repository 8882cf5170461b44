"""Every keyword that can fail, with its place; and where a call meets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolschema._calls.feedback.example import FORMATS
from toolschema._json.pointer import Token
from toolschema._schema.dialect import Schema
from toolschema._validation.compiled import Compiled
from toolschema.vectors._instances import of_item, of_property
from toolschema.vectors._pattern_text import matches

Path = tuple[Token, ...]

_MOST = 5_000
_BOUNDS = {"minLength": 0, "minItems": 0, "minProperties": 0, "minContains": 1}
"""A keyword with this value asks for nothing."""
_ASSERTING = (
    "const", "contains", "dependentRequired", "enum", "exclusiveMaximum", "exclusiveMinimum",
    "format", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains",
    "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "pattern",
    "required", "type", "uniqueItems",
)  # fmt: skip
_CLOSING = (
    "additionalItems", "additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip


class Spot(NamedTuple):
    """A subschema and a value of a call that it looks at."""

    schema: Schema
    path: Path
    """Through the schema, references included (2020-12 core §12.3)."""
    place: Path
    """In the arguments."""
    value: Any


def failing_keywords(schema: Schema) -> list[str]:
    """The keywords of one subschema that have something to refuse."""
    if not isinstance(schema, dict):
        return []
    found = [
        each
        for each in _ASSERTING
        if each in schema and schema[each] not in (_BOUNDS.get(each), [], {}, False)
    ]
    if schema.get("format") not in FORMATS and "format" in found:
        found.remove("format")
    if isinstance(schema.get("dependencies"), dict):
        found += ["dependencies"] * any(
            isinstance(x, list) for x in schema["dependencies"].values()
        )
    return found + [each for each in _CLOSING if schema.get(each) is False]


def keyword_locations(compiled: Compiled) -> list[Path]:
    """The places of all keywords that can fail, each subschema entered once on a way.

    What is under ``not``, ``if`` or ``contains`` does not fail by itself; nor does
    the type of the arguments, which always are an object, that of a name, or that
    of a branch, by which the branch is chosen.
    """
    found: dict[Path, None] = {}
    todo: list[tuple[Schema, Path, frozenset[int]]]
    todo = [(compiled.survey.root.contents, (), frozenset())]
    while todo and len(found) < _MOST:
        schema, path, above = todo.pop()
        if not isinstance(schema, dict) or id(schema) in above:
            continue
        above |= {id(schema)}
        is_old = compiled.survey.nodes[id(schema)].dialect.name == "draft-07"
        target = compiled.survey.targets.get(id(schema))
        if target is not None:
            todo.append((target, (*path, "$ref"), above))
            if is_old:
                continue
        skipped = {"type"} if _is_typed(path) else set()
        found.update(
            ((*path, each), None) for each in failing_keywords(schema) if each not in skipped
        )
        todo.extend((below, (*path, *way), above) for way, below in _below(compiled, schema))
    return list(found)


def _is_typed(path: Path) -> bool:
    """Whether the type of what gets there has been decided before."""
    above = [each for each in path if each != "$ref"]
    return not above or above[-1] == "propertyNames" or above[-2:-1] in (["anyOf"], ["oneOf"])


def _below(compiled: Compiled, schema: dict[str, Any]) -> Iterator[tuple[Path, Schema]]:
    dialect = compiled.survey.nodes[id(schema)].dialect
    for way, below in dialect.subschemas(schema):
        if way[0] not in ("not", "if", "contains", "$defs", "definitions", "contentSchema"):
            yield way, below


def spots(compiled: Compiled, call: dict[str, Any]) -> Iterator[Spot]:
    """All subschemas that look at some value of *call* and must accept it."""
    todo = [Spot(compiled.survey.root.contents, (), (), call)]
    seen: set[Path] = set()
    while todo and len(seen) < _MOST:
        spot = todo.pop()
        if spot.path in seen or len(spot.path) > 100:
            continue
        seen.add(spot.path)
        if id(spot.schema) in compiled.survey.nodes:  # else its dialect does not know it
            yield spot
            todo.extend(_next(compiled, spot))


def _next(compiled: Compiled, spot: Spot) -> Iterator[Spot]:
    schema, path, place, value = spot
    target = compiled.survey.targets.get(id(schema))
    if target is not None:
        yield Spot(target, (*path, "$ref"), place, value)
        if compiled.survey.nodes[id(schema)].dialect.name == "draft-07":
            return
    yield from _in_place(compiled, spot)
    if isinstance(value, dict):
        for name, below in value.items():
            for way, subschema in _ways(schema, name):
                yield Spot(subschema, (*path, *way), (*place, name), below)
    elif isinstance(value, list):
        for index, below in enumerate(value):
            for subschema in of_item(schema, index):
                yield Spot(subschema, (*path, *_way(schema, index)), (*place, index), below)


def _in_place(compiled: Compiled, spot: Spot) -> Iterator[Spot]:
    schema, path, place, value = spot
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index, branch in enumerate(schema.get(keyword, ())):
            if keyword == "allOf" or _accepts(compiled, branch, value):
                yield Spot(branch, (*path, keyword, index), place, value)
    if "if" in schema:
        branch = "then" if _accepts(compiled, schema["if"], value) else "else"
        if branch in schema:
            yield Spot(schema[branch], (*path, branch), place, value)
    for keyword in ("dependentSchemas", "dependencies"):
        for name, below in schema.get(keyword, {}).items():
            if isinstance(value, dict) and name in value and isinstance(below, dict):
                yield Spot(below, (*path, keyword, name), place, value)


def _accepts(compiled: Compiled, schema: Schema, value: Any) -> bool:
    if not isinstance(schema, dict):
        return bool(schema)
    verdict = compiled.subschema(schema)
    return verdict is None or verdict(value)


def _ways(schema: dict[str, Any], name: str) -> Iterator[tuple[Path, Schema]]:
    is_named = name in schema.get("properties", {})
    if is_named:
        yield ("properties", name), schema["properties"][name]
    for pattern, below in schema.get("patternProperties", {}).items():
        if matches(pattern, name):
            is_named = True
            yield ("patternProperties", pattern), below
    rest = next((each for each in _CLOSING if each.endswith("Properties") and each in schema), None)
    if not is_named and rest is not None:
        yield (rest,), of_property(schema, name)[0]


def _way(schema: dict[str, Any], index: int) -> Path:
    items = schema.get("items")
    if isinstance(items, list):
        return ("items", index) if index < len(items) else ("additionalItems",)
    if index < len(schema.get("prefixItems", ())):
        return ("prefixItems", index)
    return ("items",) if items is not None else ("unevaluatedItems",)

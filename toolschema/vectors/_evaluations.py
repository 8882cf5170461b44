"""Every keyword that can fail, with its location; and the instances it applies to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from toolschema._json.pointer import Token
from toolschema._schema.applicators import (
    Applied,
    applied,
    applied_to_item,
    applied_to_property,
)
from toolschema._schema.dialect import Dialect, Schema
from toolschema._schema.examples import FORMATS
from toolschema._schema.survey import Survey
from toolschema.vectors._pattern_text import matches

Path = tuple[Token, ...]

_MOST = 5_000
_LONGEST = 100
"""Tokens of a keyword location; recursive schemas have no longest one."""
_BOUNDS = {"minLength": 0, "minItems": 0, "minProperties": 0, "minContains": 1}
"""With this value a keyword accepts everything."""
_ASSERTING = (
    "const", "contains", "dependentRequired", "enum", "exclusiveMaximum", "exclusiveMinimum",
    "format", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains",
    "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "pattern",
    "required", "type", "uniqueItems",
)  # fmt: skip
_CLOSING = (
    "additionalItems", "additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
_NOT_FAILING = ("not", "if", "contains", "$defs", "definitions", "contentSchema")


class Evaluation(NamedTuple):
    """A subschema, the instance it applies to, and both locations."""

    schema: dict[str, Any]
    keyword_location: Path
    """Through the schema, references included (2020-12 core §12.3)."""
    instance_location: Path
    instance: Any


def failing_keywords(schema: dict[str, Any]) -> list[str]:
    """The keywords of one subschema that can fail."""
    found = [
        keyword
        for keyword in _ASSERTING
        if keyword in schema and schema[keyword] not in (_BOUNDS.get(keyword), [], {}, False)
    ]
    if schema.get("format") not in FORMATS and "format" in found:
        found.remove("format")
    if isinstance(schema.get("dependencies"), dict):
        names = schema["dependencies"].values()
        found += ["dependencies"] * any(isinstance(required, list) for required in names)
    return found + [keyword for keyword in _CLOSING if schema.get(keyword) is False]


def keyword_locations(survey: Survey) -> list[Path]:
    """The locations of all keywords that can fail, each subschema entered once on a path.

    What is under ``not``, ``if`` or ``contains`` does not fail by itself; nor does
    the type of the arguments, which always are an object, that of a name, or that
    of a branch, by which the branch is chosen.
    """
    found: dict[Path, None] = {}
    todo: list[tuple[Schema, Path, frozenset[int]]]
    todo = [(survey.root.contents, (), frozenset())]
    while todo and len(found) < _MOST:
        schema, path, above = todo.pop()
        if not isinstance(schema, dict) or id(schema) in above:
            continue
        above |= {id(schema)}
        dialect = survey.nodes[id(schema)].dialect
        target = survey.targets.get(id(schema))
        if target is not None:
            todo.append((target, (*path, "$ref"), above))
        if dialect.voids_siblings(schema):
            continue
        skipped = "type" if _is_typed(path) else None
        keywords = [keyword for keyword in failing_keywords(schema) if keyword != skipped]
        found.update(((*path, keyword), None) for keyword in keywords)
        todo.extend(
            (below, (*path, *tokens), above)
            for tokens, below in dialect.subschemas(schema)
            if tokens[0] not in _NOT_FAILING
        )
    return list(found)


def _is_typed(path: Path) -> bool:
    """Whether the type of an instance there has been decided before."""
    above = [step for step in path if step != "$ref"]
    return not above or above[-1] == "propertyNames" or above[-2:-1] in (["anyOf"], ["oneOf"])


def evaluations(
    survey: Survey, accepts: Callable[[Schema, Any], bool], call: dict[str, Any]
) -> Iterator[Evaluation]:
    """All subschemas that apply to some value of *call* and must accept it."""
    todo = [Evaluation(survey.root.contents, (), (), call)]
    seen: set[Path] = set()
    while todo and len(seen) < _MOST:
        evaluation = todo.pop()
        schema, path, location, instance = evaluation
        if path in seen or len(path) > _LONGEST:
            continue
        seen.add(path)
        if id(schema) not in survey.nodes:  # a boolean, or unknown to its dialect
            continue
        yield evaluation
        dialect, target = survey.nodes[id(schema)].dialect, survey.targets.get(id(schema))
        todo.extend(
            Evaluation(below, (*path, *tokens), location, instance)
            for tokens, below in applied(schema, dialect, target, instance, accepts)
            if tokens[0] != "if"
        )
        todo.extend(
            Evaluation(below, (*path, *tokens), (*location, token), instance[token])
            for token, found in _children(schema, dialect, instance)
            for tokens, below in found
        )


def _children(
    schema: dict[str, Any], dialect: Dialect, instance: Any
) -> Iterator[tuple[Token, Applied]]:
    """What applies to each property or item, by its name or index."""
    if isinstance(instance, dict):
        for name in instance:
            yield name, applied_to_property(schema, dialect, name, matches, or_unevaluated=True)
    elif isinstance(instance, list):
        for index in range(len(instance)):
            yield index, applied_to_item(schema, dialect, index, or_unevaluated=True)

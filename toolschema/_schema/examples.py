"""Candidate instances of a schema. They are not guaranteed to be valid: callers check them.

A value is made from all the schemas that apply to it at once; of a union, from
one branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

from toolschema._json.numbers import fraction, nearest
from toolschema._schema.applicators import (
    UNIONS,
    Applied,
    always_applied,
    applied_to_item,
    applied_to_property,
    tuple_of,
)
from toolschema._schema.dialect import Dialect, Schema
from toolschema._schema.survey import Survey

FORMATS: dict[str, str] = {
    "date": "2031-05-02",
    "date-time": "2031-05-02T09:30:00Z",
    "duration": "PT45M",
    "email": "ada@example.com",
    "hostname": "www.example.com",
    "idn-email": "ada@example.com",
    "idn-hostname": "www.example.com",
    "ipv4": "192.0.2.7",
    "ipv6": "2001:db8::7",
    "iri": "https://example.com/a",
    "iri-reference": "/a",
    "json-pointer": "/a/0",
    "regex": "^[a-z]+$",
    "relative-json-pointer": "1/a",
    "time": "09:30:00Z",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "uri-template": "https://example.com/{id}",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
"""One value of each asserted format; names and addresses are those reserved for examples."""

_DEEP = 4
"""Below this level only required values are made, from the simplest branches."""
_MOST_PARTS, _MOST_NAMES = 200, 200
_TRIES = 12
_MARGIN = Fraction(1, 1000)
"""Distance kept from an exclusive bound."""
_HINTS = {
    "object": {"properties", "required", "additionalProperties", "patternProperties",
               "minProperties", "maxProperties", "propertyNames", "dependentRequired"},
    "array": {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}  # fmt: skip
_ALL = ("string", "object", "array", "integer", "number", "boolean", "null")

Part = dict[str, Any]
"""One of the schemas that apply to a value."""


class ImpossibleError(Exception):
    """No value was found for a schema."""


class Source(Protocol):
    """Where choices and strings come from.

    ``below`` gives a whole number from 0 to *end*, exclusive. ``string`` gives a
    string for some schemas, on each attempt another one if it can; ``matching``
    one that one of *patterns* matches. ``matches`` tells whether a pattern
    matches a property name.
    """

    def below(self, end: int, /) -> int: ...
    def boolean(self) -> bool: ...
    def string(self, parts: list[Part], attempt: int, /) -> str: ...
    def matching(self, patterns: list[str], /) -> str | None: ...
    def matches(self, pattern: str, text: str) -> bool: ...


@dataclass(slots=True)
class Maker:
    """Makes instances of the schemas of one survey."""

    survey: Survey
    source: Source
    accepts: Callable[[Schema, Any], bool] | None = None
    """The verdict of a subschema; without it the first candidate is taken."""
    turn: int = 0
    """Which branch of each union is taken, modulo their number."""
    is_whole: bool = False
    """Whether optional properties and items are made, too."""
    shows: bool = False
    """Whether authored examples and defaults are taken where they fit."""
    placeholder: str | None = None
    """Stands for what cannot be made; without it `ImpossibleError` is raised."""
    deepest: int = 12
    most_items: int = 100
    left: int = 4000
    """Values that may yet be made."""

    def value(self, schemas: Sequence[Schema], depth: int = 0) -> Any:
        """A value for all of *schemas*.

        Raises:
            ImpossibleError: None was found.
        """
        try:
            return self._value(schemas, depth)
        except ImpossibleError:
            if self.placeholder is None:
                raise
            return self.placeholder

    def _value(self, schemas: Sequence[Schema], depth: int) -> Any:
        self.left -= 1
        if depth > self.deepest or self.left < 0:
            raise ImpossibleError
        made = None
        for made in self._candidates(self._parts(schemas, depth), depth):
            if self._fits(schemas, made):
                return made
        if made is None and not self._fits(schemas, None):
            raise ImpossibleError
        return made

    def _fits(self, schemas: Sequence[Schema], value: Any) -> bool:
        return self.accepts is None or all(self.accepts(schema, value) for schema in schemas)

    def _parts(self, schemas: Sequence[Schema], depth: int) -> list[Part]:
        """All that apply to one value: references, conjunctions, one branch of each union."""
        found: list[Part] = []
        todo = list(reversed(schemas))
        while todo:
            schema = todo.pop()
            if schema is False or len(found) > _MOST_PARTS:
                raise ImpossibleError
            if not isinstance(schema, dict):
                continue
            dialect, target = self._dialect(schema), self.survey.targets.get(id(schema))
            todo.extend(below for _, below in always_applied(schema, dialect, target))
            if not dialect.voids_siblings(schema):
                found.append(schema)
                unions = [schema[keyword] for keyword in UNIONS if schema.get(keyword)]
                todo.extend(self._branch(union, depth) for union in unions)
                if "if" in schema:
                    todo.extend(self._conditional(schema))
        return found

    def _dialect(self, schema: Part) -> Dialect:
        node = self.survey.nodes.get(id(schema))
        return node.dialect if node else self.survey.dialect

    def _branch(self, branches: list[Schema], depth: int) -> Schema:
        return min(branches, key=_weight) if depth > _DEEP else branches[self.turn % len(branches)]

    def _conditional(self, schema: Part) -> list[Schema]:
        if self.turn % 2:
            return [schema["else"]] if "else" in schema else []
        return [schema["if"], schema.get("then", True)]

    def _candidates(self, parts: list[Part], depth: int) -> Iterator[Any]:
        listed = [part["const"] for part in parts if "const" in part]
        listed = listed or next((part["enum"] for part in parts if part.get("enum")), [])
        if listed:
            start = self.source.below(len(listed))
            yield from listed[start:] + listed[:start]
            return
        if self.shows and depth:
            yield from authored(parts)
        kinds = _kinds(parts) if depth else ["object"]
        for attempt in range(_TRIES):
            kind = kinds[(self.turn + attempt) % len(kinds)]
            if attempt >= _TRIES // 2 and depth and not any("type" in part for part in parts):
                kind = _ALL[attempt % len(_ALL)]
            try:
                yield self._of_kind(kind, parts, depth, attempt)
            except ImpossibleError:
                if attempt + 1 == _TRIES:
                    raise

    def _of_kind(self, kind: str, parts: list[Part], depth: int, attempt: int) -> Any:
        if kind == "object":
            return self._object(parts, depth, is_retried=attempt >= _TRIES // 2)
        if kind == "array":
            return self._array(parts, depth)
        if kind == "string":
            return self.source.string(parts, attempt)
        if kind in ("integer", "number"):
            return self._number(parts, is_whole=kind == "integer")
        return None if kind == "null" else self.source.boolean()

    def _object(self, parts: list[Part], depth: int, *, is_retried: bool) -> dict[str, Any]:
        required = _required(parts)
        names = dict.fromkeys(required)
        is_whole = self.is_whole and depth <= _DEEP and not is_retried
        if is_whole:
            names.update(
                dict.fromkeys(name for part in parts for name in part.get("properties", ()))
            )
        made: dict[str, Any] = {}
        for name in list(names)[:_MOST_NAMES]:
            self._put(made, name, parts, depth, is_required=name in required)
        least = max(bounds(parts, "minProperties"), default=0)
        if is_whole and any(map(_describes_further_properties, parts)):
            least = max(least, len(made) + 1)
        for index in range(self.most_items):
            if len(made) >= least:
                break
            self._put(made, self._name(parts, index), parts, depth, is_required=False)
        most = min(bounds(parts, "maxProperties"), default=len(made))
        optional = [name for name in made if name not in required]
        for name in optional[: max(len(made) - most, 0)]:
            del made[name]
        return made

    def _put(
        self, made: dict[str, Any], name: str, parts: list[Part], depth: int, *, is_required: bool
    ) -> None:
        apply = partial(applied_to_property, name=name, matches=self.source.matches)
        try:
            made[name] = self.value(self._below(parts, apply), depth + 1)
        except ImpossibleError:
            if is_required:
                raise

    def _below(self, parts: list[Part], apply: Callable[..., Applied]) -> list[Schema]:
        """The schemas of a property or item; what is evaluated is so for all *parts*."""
        for or_unevaluated in (False, True):
            found = [
                schema
                for part in parts
                for _, schema in apply(part, self._dialect(part), or_unevaluated=or_unevaluated)
            ]
            if found:
                return found
        return []

    def _name(self, parts: list[Part], index: int) -> str:
        patterns = [pattern for part in parts for pattern in part.get("patternProperties", ())]
        if patterns and not index:
            made = self.source.matching(patterns)
            if made is not None:
                return made
        asked = [part["propertyNames"] for part in parts if "propertyNames" in part]
        if asked:
            name = self.value([{"type": "string"}, *asked], _DEEP)
            if isinstance(name, str):
                return name
        return f"extra{index + 1}"

    def _array(self, parts: list[Part], depth: int) -> list[Any]:
        least = max([*bounds(parts, "minItems"), *map(_least_contained, parts)], default=0)
        if self.is_whole and depth <= _DEEP:
            prefixes = (tuple_of(part, self._dialect(part))[1] for part in parts)
            least = max(least, max(map(len, prefixes), default=0) + 1)
        most = max(min(bounds(parts, "maxItems"), default=least), 0)
        is_unique = any(part.get("uniqueItems") for part in parts)
        made: list[Any] = []
        for index in range(min(least, most, self.most_items)):
            found = self._below(parts, partial(applied_to_item, index=index))
            found += [part["contains"] for part in parts if index < _least_contained(part)]
            try:
                made.append(self._another(found, depth, made if is_unique else []))
            except ImpossibleError:
                break
        return made

    def _another(self, schemas: list[Schema], depth: int, made: list[Any]) -> Any:
        for _ in range(_TRIES):
            value = self.value(schemas, depth + 1)
            if value not in made or value == self.placeholder:
                return value
        raise ImpossibleError

    def _number(self, parts: list[Part], *, is_whole: bool) -> float:
        """A number within the bounds, a multiple of what is asked for."""
        lows = _limits(parts, "minimum", "exclusiveMinimum", _MARGIN)
        highs = _limits(parts, "maximum", "exclusiveMaximum", -_MARGIN)
        low, high = max(lows, default=None), min(highs, default=None)
        steps = [fraction(part["multipleOf"]) for part in parts if part.get("multipleOf")]
        step = max(steps, default=Fraction(1))
        if is_whole and step.denominator > 1:
            step = Fraction(step.numerator)
        if not is_whole and not steps and low is not None and high is not None and high - low < 1:
            step = (high - low) / 4 or Fraction(1)
        last = None if high is None else math.floor(high / step)
        first = 1 if last is None else min(1, last)
        if low is not None:
            first = math.ceil(low / step)
        span = 20 if last is None else max(min(last - first, 20), 0)
        return nearest(step * (first + self.source.below(span + 1)))


def authored(schemas: Iterable[dict[str, Any]]) -> Iterator[Any]:
    """The examples of each schema, and its default if that is not null."""
    for schema in schemas:
        examples = schema.get("examples")
        yield from examples if isinstance(examples, list) else ()
        if schema.get("default") is not None:
            yield schema["default"]


def bounds(parts: list[Part], keyword: str) -> list[int]:
    """The values of *keyword*, a length or a count."""
    return [int(part[keyword]) for part in parts if keyword in part]


def of_format(parts: list[Part]) -> str | None:
    """An example of the first known ``format``."""
    formats = (FORMATS[part["format"]] for part in parts if part.get("format") in FORMATS)
    return next(formats, None)


def _weight(branch: Schema) -> tuple[bool, int]:
    return isinstance(branch, dict) and "$ref" in branch, len(repr(branch))


def _kinds(parts: list[Part]) -> list[str]:
    """The types that all allow, in the order of the first that declares some; null last."""
    kinds: list[str] | None = None
    for part in parts:
        if "type" in part:
            declared = [part["type"]] if isinstance(part["type"], str) else part["type"]
            allowed = [*declared, *("integer" for name in declared if name == "number")]
            kinds = [kind for kind in kinds or allowed if kind in allowed]
    if kinds is None:
        keywords = {keyword for part in parts for keyword in part}
        return [kind for kind, hints in _HINTS.items() if hints & keywords] or ["string"]
    if not kinds:
        raise ImpossibleError
    return sorted(dict.fromkeys(kinds), key="null".__eq__)


def _required(parts: list[Part]) -> list[str]:
    names = dict.fromkeys(name for part in parts for name in part.get("required", ()))
    for part in parts:
        for keyword in ("dependentRequired", "dependencies"):
            for name, more in part.get(keyword, {}).items():
                if name in names and isinstance(more, list):
                    names.update(dict.fromkeys(more))
    return list(names)


def _describes_further_properties(part: Part) -> bool:
    """Whether it has a schema for properties that it does not name."""
    further = (part.get("additionalProperties"), part.get("unevaluatedProperties"))
    return bool(part.get("patternProperties")) or any(isinstance(one, dict) for one in further)


def _least_contained(part: Part) -> int:
    return int(part.get("minContains", 1)) if "contains" in part else 0


def _limits(parts: list[Part], inclusive: str, exclusive: str, margin: Fraction) -> list[Fraction]:
    limits = [fraction(part[inclusive]) for part in parts if inclusive in part]
    return limits + [fraction(part[exclusive]) + margin for part in parts if exclusive in part]

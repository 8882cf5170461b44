"""Values made to satisfy a schema: mostly they do, and each is to be tried.

Where schemas look at one value together, a value is made from all of them at
once. Unions are gone through in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from toolschema._calls.feedback.example import FORMATS
from toolschema._json.numbers import fraction, nearest
from toolschema._schema.dialect import Schema
from toolschema._validation.compiled import Compiled
from toolschema.vectors._pattern_text import matches, matching_text
from toolschema.vectors._random import Choice

_WORDS = ("alpha", "bravo", "delta", "gamma", "omega")
_DEEP, _DEEPEST = 4, 12
_MOST_PARTS, _MOST_ITEMS, _MOST_NAMES = 200, 100, 200
_TRIES = 12
_LONGEST = 4096
_HINTS = {
    "object": ("properties", "required", "additionalProperties", "patternProperties",
               "minProperties", "maxProperties", "propertyNames", "dependentRequired"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}  # fmt: skip
_ALL = ("string", "object", "array", "integer", "number", "boolean", "null")

Part = dict[str, Any]


class ImpossibleError(Exception):
    """No value was found for a schema."""


@dataclass(slots=True)
class Making:
    """One way through the unions of a schema."""

    compiled: Compiled
    choice: Choice
    turn: int
    """Which branch of each union, counted round."""
    whole: bool
    """With all that is optional, not only with what is required."""
    shows: bool
    """Whether authored examples and defaults are taken where they fit."""
    left: int = 4000

    def value(self, schemas: Sequence[Schema], depth: int = 0) -> Any:
        """A value for all of *schemas*.

        Raises:
            ImpossibleError: None was found.
        """
        self.left -= 1
        if depth > _DEEPEST or self.left < 0:
            raise ImpossibleError
        parts = self._parts(schemas, depth)
        made = None
        for made in self._candidates(parts, depth):
            if self._fits(schemas, made):
                return made
        if made is None and not self._fits(schemas, None):
            raise ImpossibleError
        return made

    def _fits(self, schemas: Sequence[Schema], value: Any) -> bool:
        for schema in schemas:
            if isinstance(schema, dict) and id(schema) in self.compiled.survey.nodes:
                verdict = self.compiled.subschema(schema)
                if verdict is not None and not verdict(value):
                    return False
        return True

    def _parts(self, schemas: Sequence[Schema], depth: int) -> list[Part]:
        """All that is asked of one value: references, conjunctions, one of each union."""
        found: list[Part] = []
        todo = list(reversed(schemas))
        while todo:
            schema = todo.pop()
            if schema is False or len(found) > _MOST_PARTS:
                raise ImpossibleError
            if not isinstance(schema, dict):
                continue
            target = self.compiled.survey.targets.get(id(schema))
            if target is not None:
                todo.append(target)
                node = self.compiled.survey.nodes[id(schema)]
                if node.dialect.name == "draft-07":
                    continue
            found.append(schema)
            todo.extend(schema.get("allOf", ()))
            unions = [schema[each] for each in ("anyOf", "oneOf") if schema.get(each)]
            todo.extend(self._branch(each, depth) for each in unions)
            if "if" in schema:
                todo.extend(self._conditional(schema))
        return found

    def _branch(self, branches: list[Schema], depth: int) -> Schema:
        if depth > _DEEP:
            return min(branches, key=_weight)
        return branches[self.turn % len(branches)]

    def _conditional(self, schema: Part) -> list[Schema]:
        if self.turn % 2:
            return [schema["else"]] if "else" in schema else []
        return [schema["if"], schema.get("then", True)]

    def _candidates(self, parts: list[Part], depth: int) -> Iterator[Any]:
        listed = [part["const"] for part in parts if "const" in part]
        for part in parts:
            listed.extend(part.get("enum", ()) if not listed else ())
        if listed:
            start = self.choice.below(len(listed))
            yield from listed[start:] + listed[:start]
            return
        if self.shows and depth:
            yield from _authored(parts)
        kinds = _kinds(parts) if depth else ["object"]
        for number in range(_TRIES):
            kind = kinds[(self.turn + number) % len(kinds)]
            if number >= _TRIES // 2 and depth and not any("type" in part for part in parts):
                kind = _ALL[number % len(_ALL)]
            try:
                yield self._of(kind, parts, depth, number)
            except ImpossibleError:
                if number + 1 == _TRIES:
                    raise

    def _of(self, kind: str, parts: list[Part], depth: int, number: int) -> Any:
        if kind == "object":
            return self._object(parts, depth, number)
        if kind == "array":
            return self._array(parts, depth)
        if kind == "string":
            return text(parts, self.choice, number)
        if kind in ("integer", "number"):
            return a_number(parts, self.choice, is_whole=kind == "integer")
        return None if kind == "null" else bool(self.choice.below(2))

    def _object(self, parts: list[Part], depth: int, number: int) -> dict[str, Any]:
        required = _required(parts)
        names = dict.fromkeys(required)
        is_whole = self.whole and depth <= _DEEP and number < _TRIES // 2
        if is_whole:
            for part in parts:
                names.update(dict.fromkeys(part.get("properties", {})))
        made: dict[str, Any] = {}
        for name in list(names)[:_MOST_NAMES]:
            self._put(made, name, parts, depth, is_required=name in required)
        least = max([int(part.get("minProperties", 0)) for part in parts], default=0)
        if is_whole and any(_is_open(part) for part in parts):
            least = max(least, len(made) + 1)
        for index in range(_MOST_ITEMS):
            if len(made) >= least:
                break
            self._put(made, self._name(parts, index), parts, depth, is_required=False)
        most = min([int(part["maxProperties"]) for part in parts if "maxProperties" in part],
                   default=len(made))  # fmt: skip
        for name in [each for each in made if each not in required][: max(len(made) - most, 0)]:
            del made[name]
        return made

    def _put(
        self, made: dict[str, Any], name: str, parts: list[Part], depth: int, *, is_required: bool
    ) -> None:
        below = [schema for part in parts for schema in of_property(part, name)]
        try:
            made[name] = self.value(below, depth + 1)
        except ImpossibleError:
            if is_required:
                raise

    def _name(self, parts: list[Part], index: int) -> str:
        asked = [part["propertyNames"] for part in parts if "propertyNames" in part]
        keyed = [pattern for part in parts for pattern in part.get("patternProperties", ())]
        if keyed and not index:
            made = matching_text(self.choice.one(keyed), self.choice)
            if made is not None:
                return made
        if asked:
            name = self.value([{"type": "string"}, *asked], _DEEP)
            if isinstance(name, str):
                return name
        return f"extra{index + 1}"

    def _array(self, parts: list[Part], depth: int) -> list[Any]:
        bounds = [int(part.get("minItems", 0)) for part in parts]
        bounds += [int(part.get("minContains", 1)) for part in parts if "contains" in part]
        least = max(bounds, default=0)
        prefix = max([len(_prefix(part)) for part in parts], default=0)
        if self.whole and depth <= _DEEP:
            least = max(least, prefix + 1)
        most = min([int(part["maxItems"]) for part in parts if "maxItems" in part], default=least)
        is_unique = any(part.get("uniqueItems") for part in parts)
        made: list[Any] = []
        for index in range(min(least, max(most, 0), _MOST_ITEMS)):
            below = [schema for part in parts for schema in of_item(part, index)]
            below += [part["contains"] for part in parts if index < _least_contained(part)]
            try:
                made.append(self._another(below, depth, made if is_unique else []))
            except ImpossibleError:
                break
        return made

    def _another(self, schemas: list[Schema], depth: int, made: list[Any]) -> Any:
        for _ in range(_TRIES):
            value = self.value(schemas, depth + 1)
            if value not in made:
                return value
        raise ImpossibleError


def _authored(parts: list[Part]) -> Iterator[Any]:
    for part in parts:
        examples = part.get("examples")
        yield from examples if isinstance(examples, list) else ()
        if part.get("default") is not None:
            yield part["default"]


def _weight(branch: Schema) -> tuple[bool, int]:
    return isinstance(branch, dict) and "$ref" in branch, len(repr(branch))


def _kinds(parts: list[Part]) -> list[str]:
    kinds = list(_ALL)
    for part in parts:
        said = part.get("type", _ALL)
        said = (said,) if isinstance(said, str) else said
        kinds = [each for each in kinds if each in said or (each == "integer" and "number" in said)]
    if not kinds:
        raise ImpossibleError
    if len(kinds) == len(_ALL):
        hinted = [
            kind
            for kind, keywords in _HINTS.items()
            if any(set(keywords) & part.keys() for part in parts)
        ]
        return hinted or ["string"]
    return [each for each in kinds if each != "null"] + [each for each in kinds if each == "null"]


def _required(parts: list[Part]) -> list[str]:
    names = dict.fromkeys(name for part in parts for name in part.get("required", ()))
    for part in parts:
        for keyword in ("dependentRequired", "dependencies"):
            for name, more in part.get(keyword, {}).items():
                if name in names and isinstance(more, list):
                    names.update(dict.fromkeys(more))
    return list(names)


def _is_open(part: Part) -> bool:
    """Whether it says something of properties that it does not name."""
    rest = [part.get(each) for each in ("additionalProperties", "unevaluatedProperties")]
    return bool(part.get("patternProperties")) or any(isinstance(each, dict) for each in rest)


def of_property(part: Part, name: str) -> list[Schema]:
    """The schemas that *part* has for the property *name*."""
    found = [part["properties"][name]] if name in part.get("properties", {}) else []
    found += [
        schema for each, schema in part.get("patternProperties", {}).items() if matches(each, name)
    ]
    if not found:
        rest = (part.get(each) for each in ("additionalProperties", "unevaluatedProperties"))
        found = [each for each in rest if each is not None][:1]
    return found


def _prefix(part: Part) -> list[Schema]:
    items = part.get("items")
    prefix: list[Schema] = items if isinstance(items, list) else part.get("prefixItems", [])
    return prefix


def of_item(part: Part, index: int) -> list[Schema]:
    """The schemas that *part* has for the item at *index*."""
    prefix = _prefix(part)
    if index < len(prefix):
        return [prefix[index]]
    rest = "additionalItems" if isinstance(part.get("items"), list) else "items"
    found = (part.get(each) for each in (rest, "unevaluatedItems"))
    return [each for each in found if each is not None][:1]


def _least_contained(part: Part) -> int:
    return int(part.get("minContains", 1)) if "contains" in part else 0


def text(parts: list[Part], choice: Choice, number: int) -> str:
    """A text of the length, the format and the patterns that are asked for."""
    least = max([int(part.get("minLength", 0)) for part in parts], default=0)
    most = min([int(part["maxLength"]) for part in parts if "maxLength" in part], default=_LONGEST)
    patterns = [part["pattern"] for part in parts if "pattern" in part]
    if patterns:
        more = 0 if number < _TRIES // 2 else min(least, _LONGEST)
        return matching_text(patterns[number % len(patterns)], choice, more) or ""
    known = [FORMATS[part["format"]] for part in parts if part.get("format") in FORMATS]
    if known:
        return known[0]
    word = choice.one(_WORDS)
    return (word * (min(least, _LONGEST) // len(word) + 1))[
        : max(min(most, max(least, len(word))), 0)
    ]


def a_number(parts: list[Part], choice: Choice, *, is_whole: bool) -> float:
    """A number within the bounds, a multiple of what is asked for."""
    low = max([b for part in parts for b in _low(part)], default=None)
    high = min([b for part in parts for b in _high(part)], default=None)
    steps = [fraction(part["multipleOf"]) for part in parts if part.get("multipleOf")]
    step = max(steps, default=Fraction(1))
    if is_whole and step.denominator > 1:
        step = Fraction(step.numerator)
    if not is_whole and not steps and low is not None and high is not None and high - low < 1:
        step = (high - low) / 4 or Fraction(1)
    first = math.ceil(low / step) if low is not None else None
    last = math.floor(high / step) if high is not None else None
    if first is None:
        first = min(1, last) if last is not None else 1
    span = 20 if last is None else max(min(last - first, 20), 0)
    found = step * (first + choice.below(span + 1))
    return nearest(found)


def _low(part: Part) -> Iterator[Fraction]:
    if "minimum" in part:
        yield fraction(part["minimum"])
    if isinstance(part.get("exclusiveMinimum"), (int, float)):
        yield fraction(part["exclusiveMinimum"]) + Fraction(1, 1000)


def _high(part: Part) -> Iterator[Fraction]:
    if "maximum" in part:
        yield fraction(part["maximum"])
    if isinstance(part.get("exclusiveMaximum"), (int, float)):
        yield fraction(part["exclusiveMaximum"]) - Fraction(1, 1000)

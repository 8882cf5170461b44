"""Values that a keyword is likely to reject, and values at the bounds that it accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from toolschema._json.kinds import primitive, type_of
from toolschema._json.numbers import fraction, nearest
from toolschema.vectors._pattern_text import matching_text
from toolschema.vectors._random import Choice

_OF_EACH_TYPE: tuple[Any, ...] = (7, "text", True, None, {}, [], 2.5)
_NOT_THIS = ("next Friday", "?", " ", "(", "\\", "{", "%", "")
_LONGEST, _MOST_ITEMS = 2_000, 200
"""A case that needs a longer string or array is not written."""
_STRANGE = ("unknown", "?", "", "a b", "1", "UNKNOWN")


def broken(keyword: str, schema: dict[str, Any], value: Any) -> Iterator[Any]:
    """Values to replace *value*, the likeliest to be refused by *keyword* first."""
    if keyword in _BREAKING:
        kind, breaking = _BREAKING[keyword]
        if kind in (_kind(value), "any"):
            yield from breaking(schema[keyword], value)
    yield from _OF_EACH_TYPE


def at_the_edge(schema: dict[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Values that bounds just accept, each with the keyword that bounds it."""
    kind = _kind(value)
    if kind == "number":
        for keyword in ("minimum", "maximum"):
            if keyword in schema:
                yield keyword, schema[keyword]
    elif kind == "string" and "pattern" not in schema and "format" not in schema:
        for keyword in ("minLength", "maxLength"):
            if schema.get(keyword, _LONGEST + 1) <= _LONGEST:
                yield keyword, _of_length(value, int(schema[keyword]))
    elif kind == "array" and value:
        if schema.get("minItems", len(value)) < len(value):
            yield "minItems", value[: int(schema["minItems"])]
        if len(value) < schema.get("maxItems", 0) <= _MOST_ITEMS and not schema.get("uniqueItems"):
            yield "maxItems", [*value, *value[-1:] * (int(schema["maxItems"]) - len(value))]


def _kind(value: Any) -> str:
    return primitive(type_of(value))


def _of_length(value: str, length: int) -> str:
    word = value or "alpha "
    return (word * (length // len(word) + 1))[:length]


def _listed(listed: Any, value: Any) -> Iterator[Any]:
    known = listed if isinstance(listed, list) else [listed]
    kind = _kind(value)
    if kind == "string":
        yield from (name for name in _STRANGE if name not in known)
        yield value.swapcase()
    elif kind == "number":
        numbers = [number for number in known if isinstance(number, (int, float))]
        yield nearest(fraction(max(numbers, default=0)) + 1)
    elif kind == "boolean":
        yield not value


def _pattern(pattern: str, value: str) -> Iterator[str]:
    made = matching_text(pattern, Choice(pattern)) or value
    yield from (f"{value}!", f"!{value}", value[:-1], value[1:], value.swapcase())
    yield from (f"{made} ", " " * len(value), "?" * len(value), *_NOT_THIS, f"{value}\n")
    yield from (character * max(len(value), 1) for character in "a1-\u00e9")


def _required(names: list[str], value: dict[str, Any]) -> Iterator[Any]:
    return (_without(name, value) for name in names)


def _dependent(names: dict[str, Any], value: dict[str, Any]) -> Iterator[Any]:
    for trigger, needed in names.items():
        for name in needed if isinstance(needed, list) else ():
            yield _without(name, {trigger: "text", **value})


def _without(name: str, value: dict[str, Any]) -> dict[str, Any]:
    return {known: below for known, below in value.items() if known != name}


def _extra_name(_: Any, value: dict[str, Any]) -> Iterator[Any]:
    return ({**value, name: "text"} for name in _STRANGE if name not in value)


def _extra_item(_: Any, value: list[Any]) -> Iterator[Any]:
    yield [*value, "text"]
    yield [*value, *value[-1:], "text", 7]


def _names(_: Any, value: dict[str, Any]) -> Iterator[Any]:
    for name in (*_STRANGE, "UNKNOWN NAME!", "a" * 300):
        yield {**value, name: next(iter(value.values()), "text")}


def _by(step: Fraction) -> Callable[[Any, Any], Iterator[Any]]:
    return lambda bound, _: (
        nearest(fraction(bound) + size) for size in (step, step / 2, step * 10**6)
    )


def _multiple(step: float, value: float) -> Iterator[Any]:
    for part in (Fraction(1), fraction(step) / 2, fraction(step) / 3):
        yield nearest(fraction(value) + part)


def _shorter(least: float, value: Any) -> Iterator[Any]:
    yield value[: int(least) - 1]


def _longer(most: float, value: str) -> Iterator[Any]:
    if most < _LONGEST:
        local, mark, domain = value.partition("@")
        yield local + mark + _labels(int(most) + 1 - len(value)) + domain
        yield _of_length(value, int(most) + 1)
        yield value + value[-1:] * (int(most) + 1 - len(value))


def _labels(length: int) -> str:
    """The beginning of a domain: an address can only be long and stay one by its domain."""
    return f"a{(('a' * 49 + '.') * (length // 50 + 1))[-length:][1:]}"


def _more_items(most: float, value: list[Any]) -> Iterator[Any]:
    if most < _MOST_ITEMS:
        count = int(most) + 1 - len(value)
        yield [*value, *_varied(value[-1] if value else "text", count)]
        yield [*value, *(value[-1:] or ["text"]) * count]


def _varied(last: Any, count: int) -> list[Any]:
    kind = _kind(last)
    if kind == "string":
        return [f"{index}{last}" for index in range(count)]
    if kind == "number":
        return [nearest(fraction(last) + index + 1) for index in range(count)]
    return [last] * count


def _duplicates(_: Any, value: list[Any]) -> Iterator[Any]:
    yield [*value, *(value[-1:] or ["text", "text"])]
    yield [*value[:-1], value[0]] if len(value) > 1 else ["text", "text"]


def _contained(_: Any, value: list[Any]) -> Iterator[Any]:
    yield []
    yield from ([item] for item in _OF_EACH_TYPE)
    yield from (value * 2, value * 10)


def _fewer_names(least: float, value: dict[str, Any]) -> Iterator[Any]:
    yield dict(list(value.items())[: int(least) - 1])
    yield dict(list(value.items())[len(value) - int(least) + 1 :])


def _more_names(most: float, value: dict[str, Any]) -> Iterator[Any]:
    if most < _MOST_ITEMS:
        given = list(value.values()) or ["text"]
        yield {**value, **{f"extra{index + 2}": given[-1] for index in range(int(most) + 1)}}


_BREAKING: dict[str, tuple[str, Callable[[Any, Any], Iterator[Any]]]] = {
    "additionalItems": ("array", _extra_item),
    "additionalProperties": ("object", _extra_name),
    "const": ("any", _listed),
    "contains": ("array", _contained),
    "dependencies": ("object", _dependent),
    "dependentRequired": ("object", _dependent),
    "enum": ("any", _listed),
    "exclusiveMaximum": ("any", _by(Fraction(0))),
    "exclusiveMinimum": ("any", _by(Fraction(0))),
    "format": ("string", lambda _format, _value: iter(_NOT_THIS)),
    "items": ("array", _extra_item),
    "maxContains": ("array", _contained),
    "maxItems": ("array", _more_items),
    "maxLength": ("string", _longer),
    "maxProperties": ("object", _more_names),
    "maximum": ("any", _by(Fraction(1))),
    "minContains": ("array", _contained),
    "minItems": ("array", _shorter),
    "minLength": ("string", _shorter),
    "minProperties": ("object", _fewer_names),
    "minimum": ("any", _by(Fraction(-1))),
    "multipleOf": ("number", _multiple),
    "pattern": ("string", _pattern),
    "propertyNames": ("object", _names),
    "required": ("object", _required),
    "unevaluatedItems": ("array", _extra_item),
    "unevaluatedProperties": ("object", _extra_name),
    "uniqueItems": ("array", _duplicates),
}
"""For each keyword, the type of the values that it can refuse, and what makes such values."""

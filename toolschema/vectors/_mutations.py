"""Values that a keyword most likely refuses, and those that it just accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from toolschema._json.numbers import fraction, nearest
from toolschema.vectors._pattern_text import matching_text
from toolschema.vectors._random import Choice

_OF_EACH_TYPE: tuple[Any, ...] = (7, "text", True, None, {}, [], 2.5)
_NOT_THIS = ("next Friday", "?", " ", "(", "\\", "{", "%", "")
_LONGEST, _MOST_ITEMS = 2_000, 200
"""What makes a case longer than that is not written."""
_STRANGE = ("unknown", "?", "", "a b", "1", "UNKNOWN")


def broken(keyword: str, schema: dict[str, Any], value: Any) -> Iterator[Any]:
    """Values in the place of *value*, the likeliest first."""
    breaking = _BREAKING.get(keyword)
    if breaking is not None:
        yield from breaking(schema[keyword], value)
    yield from _OF_EACH_TYPE


def at_the_edge(schema: dict[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Values that bounds just accept, each with the keyword that bounds it."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        for keyword in ("minimum", "maximum"):
            if keyword in schema:
                yield keyword, schema[keyword]
    if isinstance(value, str) and "pattern" not in schema and "format" not in schema:
        for keyword in ("minLength", "maxLength"):
            if schema.get(keyword, _LONGEST + 1) <= _LONGEST:
                yield keyword, _of_length(value, int(schema[keyword]))
    if isinstance(value, list) and value:
        if schema.get("minItems", len(value)) < len(value):
            yield "minItems", value[: int(schema["minItems"])]
        if len(value) < schema.get("maxItems", 0) <= _MOST_ITEMS and not schema.get("uniqueItems"):
            yield "maxItems", [*value, *value[-1:] * (int(schema["maxItems"]) - len(value))]


def _of_length(value: str, length: int) -> str:
    word = value or "alpha "
    return (word * (length // len(word) + 1))[:length]


def _listed(listed: Any, value: Any) -> Iterator[Any]:
    known = listed if isinstance(listed, list) else [listed]
    if isinstance(value, str):
        yield from (each for each in _STRANGE if each not in known)
        yield value.swapcase()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        numbers = [each for each in known if isinstance(each, (int, float))]
        yield nearest(fraction(max(numbers, default=0)) + 1)
    if isinstance(value, bool):
        yield not value


def _pattern(pattern: str, value: Any) -> Iterator[Any]:
    if not isinstance(value, str):
        return
    made = matching_text(pattern, Choice(pattern)) or value
    yield from (f"{value}!", f"!{value}", value[:-1], value[1:], value.swapcase())
    yield from (f"{made} ", " " * len(value), "?" * len(value), *_NOT_THIS, f"{value}\n")
    yield from (each * max(len(value), 1) for each in "a1-\u00e9")


def _required(names: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name in names if isinstance(names, list) else ():
            yield {each: below for each, below in value.items() if each != name}


def _dependent(names: dict[str, Any], value: Any) -> Iterator[Any]:
    for trigger, needed in names.items():
        if isinstance(value, dict) and isinstance(needed, list):
            with_it = value if trigger in value else {**value, trigger: "text"}
            for name in needed:
                yield {each: below for each, below in with_it.items() if each != name}


def _extra_name(_: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name in _STRANGE:
            if name not in value:
                yield {**value, name: "text"}


def _extra_item(_: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield [*value, "text"]
        yield [*value, *value[-1:], "text", 7]


def _names(_: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name in (*_STRANGE, "UNKNOWN NAME!", "a" * 300):
            yield {**value, name: next(iter(value.values()), "text")}


def _by(step: Fraction) -> Callable[[Any, Any], Iterator[Any]]:
    def beyond(bound: Any, value: Any) -> Iterator[Any]:
        if isinstance(bound, (int, float)) and not isinstance(bound, bool):
            for size in (step, step / 2, step * 10**6):
                yield nearest(fraction(bound) + size)

    return beyond


def _multiple(step: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        for part in (Fraction(1), fraction(step) / 2, fraction(step) / 3):
            yield nearest(fraction(value) + part)


def _fewer_characters(least: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield value[: int(least) - 1]


def _more_characters(most: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, str) and most < _LONGEST:
        local, mark, domain = value.partition("@")
        yield local + mark + _labels(int(most) + 1 - len(value)) + domain
        yield _of_length(value, int(most) + 1)
        yield value + value[-1:] * (int(most) + 1 - len(value))


def _labels(length: int) -> str:
    """The beginning of a domain: only so can an address be long and one still."""
    return f"a{(('a' * 49 + '.') * (length // 50 + 1))[-length:][1:]}"


def _fewer_items(least: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield value[: int(least) - 1]


def _more_items(most: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, list) and most < _MOST_ITEMS:
        count = int(most) + 1 - len(value)
        yield [*value, *_varied(value, count)]
        yield [*value, *(value[-1:] or ["text"]) * count]


def _varied(items: list[Any], count: int) -> list[Any]:
    last = items[-1] if items else "text"
    if isinstance(last, str):
        return [f"{index}{last}" for index in range(count)]
    if isinstance(last, (int, float)) and not isinstance(last, bool):
        return [nearest(fraction(last) + index + 1) for index in range(count)]
    return [last] * count


def _duplicates(_: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield [*value, *(value[-1:] or ["text", "text"])]
        yield [*value[:-1], value[0]] if len(value) > 1 else ["text", "text"]


def _contained(_: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield []
        yield from ([each] for each in _OF_EACH_TYPE)
        yield from (value * 2, value * 10)


def _fewer_names(least: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield dict(list(value.items())[: int(least) - 1])
        yield dict(list(value.items())[len(value) - int(least) + 1 :])


def _more_names(most: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, dict) and most < _MOST_ITEMS:
        given = list(value.values()) or ["text"]
        yield {**value, **{f"extra{index + 2}": given[-1] for index in range(int(most) + 1)}}


def _format(_: Any, value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield from _NOT_THIS


_BREAKING: dict[str, Callable[[Any, Any], Iterator[Any]]] = {
    "additionalItems": _extra_item,
    "additionalProperties": _extra_name,
    "const": _listed,
    "contains": _contained,
    "dependencies": _dependent,
    "dependentRequired": _dependent,
    "enum": _listed,
    "exclusiveMaximum": _by(Fraction(0)),
    "exclusiveMinimum": _by(Fraction(0)),
    "format": _format,
    "items": _extra_item,
    "maxContains": _contained,
    "maxItems": _more_items,
    "maxLength": _more_characters,
    "maxProperties": _more_names,
    "maximum": _by(Fraction(1)),
    "minContains": _contained,
    "minItems": _fewer_items,
    "minLength": _fewer_characters,
    "minProperties": _fewer_names,
    "minimum": _by(Fraction(-1)),
    "multipleOf": _multiple,
    "pattern": _pattern,
    "propertyNames": _names,
    "required": _required,
    "unevaluatedItems": _extra_item,
    "unevaluatedProperties": _extra_name,
    "uniqueItems": _duplicates,
}

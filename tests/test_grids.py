"""Exhaustive small grids: numbers, equality and names.

Both engines could share a mistake, so the expected result is computed here, from
the JSON text and by hand.
"""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest
from conftest import property_tool

from toolschema import check_tool_arguments
from toolschema._json.pointer import join
from toolschema._validation.explain.engine import explain


def verdict(schema: str, value: str) -> bool:
    """The verdict on a schema and a value, both JSON text, after checking that all engines agree."""
    tool = property_tool(json.loads(schema))
    text = f'{{"v": {value}}}'
    arguments = json.loads(text)
    validator = tool.compiled.validator
    given = {
        "verdict engine": tool.compiled.is_valid(arguments),
        "careful verdict": tool.compiled.careful(arguments),
        "reference engine": not explain(validator, arguments, 10**6, asks_first=False).found,
        "value": check_tool_arguments(tool, arguments) == (),
        "text": check_tool_arguments(tool, text) == (),
    }
    assert len(set(given.values())) == 1, f"{schema} {value}: {given}"
    return given["text"]


def wrong_cells(keyword: str, cells: list[tuple[str, str, bool]]) -> list[str]:
    return [
        f"{keyword} {asked} of {value} must be {expected}"
        for asked, value, expected in cells
        if verdict(f'{{"{keyword}": {asked}}}', value) is not expected
    ]


EDGES = [
    str(sign * (2**power + step))
    for power in (53, 63, 64)
    for step in (-1, 0, 1)
    for sign in (1, -1)
]
DECIMALS = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "0.3",
    "0.7",
    "1.1",
    "2.5",
    "3.3",
    "19.99",
    "4.35",
    "1e2",
    "1e-7",
    "1e22",
    "0.30000000000000004",
    "9007199254740992.0",
]
NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "10",
    "100",
    *DECIMALS,
    *EDGES,
    str(10**22),
    str(10**400),
    str(10**400 + 1),
    str(-(10**400)),
]
DIVISORS = [
    "1",
    "2",
    "3",
    "7",
    "10",
    "0.1",
    "0.01",
    "0.3",
    "0.5",
    "1.1",
    "1.5",
    "2.5",
    "3.0",
    "1e-7",
    "1e-8",
    "0.07",
    str(2**53),
    str(2**53 + 1),
    str(2**64),
    str(10**20),
    str(10**400),
]
BOUNDS = [
    "0",
    "1",
    "-1",
    "0.1",
    "0.3",
    "1.1",
    "2.5",
    "1e22",
    "1e300",
    *EDGES,
    str(10**400),
    str(-(10**400)),
]
COMPARISONS = {
    "minimum": Fraction.__ge__,
    "maximum": Fraction.__le__,
    "exclusiveMinimum": Fraction.__gt__,
    "exclusiveMaximum": Fraction.__lt__,
}


def test_multiple_of_uses_the_decimal_numbers_as_written() -> None:
    grid = itertools.product(DIVISORS, NUMBERS)
    cells = [(by, number, Fraction(number) % Fraction(by) == 0) for by, number in grid]
    assert len(cells) > 800
    assert wrong_cells("multipleOf", cells) == []


@pytest.mark.parametrize("keyword", COMPARISONS)
def test_bounds_are_exact(keyword: str) -> None:
    holds = COMPARISONS[keyword]
    grid = itertools.product(BOUNDS, NUMBERS)
    cells = [(bound, number, holds(Fraction(number), Fraction(bound))) for bound, number in grid]
    assert wrong_cells(keyword, cells) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_an_integer_is_a_number_without_a_fraction(number: str) -> None:
    assert verdict('{"type": "integer"}', number) is (Fraction(number).denominator == 1)
    assert verdict('{"type": "number"}', number)


# The texts on a line are one value (2020-12 core §4.2.2), unequal to any other line.
SAME = [
    ["1", "1.0", "1e0", "10e-1"],
    ["0", "0.0", "-0.0", "0e5"],
    ["true"],
    ["false"],
    ["null"],
    ['"1"', '"\\u0031"'],
    ['""'],
    ['"true"'],
    ["[]"],
    ["{}"],
    ["[1]", "[1.0]"],
    ["[true]"],
    ["[0]", "[-0.0]"],
    ["[false]"],
    ["[1, true]", "[1.0, true]"],
    ["[true, 1]"],
    ['{"a": 1}', '{"a": 1.0}'],
    ['{"a": true}'],
    ['{"a": 1, "b": 0}', '{"b": -0.0, "a": 1.0}'],
    ['{"a": [1]}', '{"a": [1.0]}'],
    ['{"a": [true]}'],
    [str(2**53), f"{2**53}.0"],
    [str(2**53 + 1)],
    [str(2**64)],
    [str(2**64 + 1)],
    ["1e22", str(10**22)],
    [str(10**22 + 1)],
    [str(10**400)],
    [str(10**400 + 1)],
    ['"é"'],
    ['"e\\u0301"'],
]
EQUALITY = [
    (one, two, first == second)
    for (first, ones), (second, twos) in itertools.product(enumerate(SAME), repeat=2)
    for one, two in itertools.product(ones, twos)
]


@pytest.mark.parametrize(
    ("schema", "value", "says_equal"),
    [
        pytest.param('{{"const": {0}}}', "{1}", True, id="const"),
        pytest.param('{{"enum": [{0}]}}', "{1}", True, id="enum of one"),
        pytest.param('{{"enum": ["other", {0}, [[]]]}}', "{1}", True, id="enum of several"),
        pytest.param('{{"const": [{{"k": {0}}}]}}', '[{{"k": {1}}}]', True, id="const, inside"),
        pytest.param('{{"uniqueItems": true}}', "[{0}, {1}]", False, id="uniqueItems"),
        pytest.param(
            '{{"uniqueItems": true}}', '[[{0}], "x", [{1}]]', False, id="uniqueItems, inside"
        ),
        pytest.param('{{"contains": {{"const": {0}}}}}', '["other", {1}]', True, id="contains"),
    ],
)
def test_equality_is_that_of_json(schema: str, value: str, says_equal: bool) -> None:  # noqa: FBT001
    wrong = [
        f"{one} and {two} must be {'equal' if are_equal else 'different'}"
        for one, two, are_equal in EQUALITY
        if verdict(schema.format(one), value.format(one, two)) is not (are_equal is says_equal)
    ]
    assert wrong == []


NAMES = {
    "": "",
    "~": "~0",
    "/": "~1",
    "~1": "~01",
    "~0": "~00",
    "a/b~c": "a~1b~0c",
    "__proto__": "__proto__",
    "constructor": "constructor",
    "é": "é",
    "e\u0301": "e\u0301",
    "😀": "😀",
    "0": "0",
    "-1": "-1",
    "$ref": "$ref",
    "a b": "a b",
    "%41": "%41",
    "A": "A",
}
"""Property names, and how a JSON Pointer spells them (RFC 6901 §3)."""


def quoted(name: str) -> str:
    """A pattern that matches only this name."""
    return "^" + "".join(f"\\u{{{ord(character):x}}}" for character in name) + "$"


BY_NAME: dict[str, Any] = {
    "properties": lambda name: {"properties": {name: {"type": "null"}}},
    "patternProperties": lambda name: {"patternProperties": {quoted(name): {"type": "null"}}},
    "additionalProperties": lambda name: {
        "properties": {other: True for other in NAMES if other != name},
        "additionalProperties": {"type": "null"},
    },
    "additionalProperties beside a pattern": lambda name: {
        "patternProperties": {quoted(other): True for other in NAMES if other != name},
        "additionalProperties": False,
    },
    "unevaluatedProperties": lambda name: {
        "allOf": [{"properties": {other: True for other in NAMES if other != name}}],
        "unevaluatedProperties": False,
    },
    "propertyNames": lambda name: {"propertyNames": {"not": {"const": name}}},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("keyword", BY_NAME)
def test_a_present_property_is_located(keyword: str, name: str) -> None:
    schema = BY_NAME[keyword](name)
    location = f"/v/{NAMES[name]}"
    for other in NAMES:
        found = locations(schema, {other: 1})
        assert found == ([location] if other == name else [])
    assert locations(schema, dict.fromkeys(NAMES, 1)) == [location]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(lambda name: {"required": [name]}, id="required"),
        pytest.param(lambda name: {"dependentRequired": {"k": [name]}}, id="dependentRequired"),
        pytest.param(lambda name: {"dependencies": {"k": [name]}}, id="dependencies"),
    ],
)
def test_a_missing_property_is_located(schema: Any, name: str) -> None:
    for other in NAMES:
        found = locations(schema(name), {"k": 1, other: 1})
        assert found == ([] if other == name else [f"/v/{NAMES[name]}"])


@pytest.mark.parametrize("name", NAMES)
def test_a_declared_name_is_shown_unescaped(name: str) -> None:
    (issue,) = check_tool_arguments(property_tool({"required": [name]}), {"v": {}})
    assert issue.instance_location == f"/v/{NAMES[name]}"
    assert issue == f"/v/{NAMES[name]}: must have required properties {name}"
    assert issue.tokens == ("v", name)


@pytest.mark.parametrize("name", NAMES)
def test_a_present_name_triggers_its_dependency(name: str) -> None:
    for keyword, value in (("dependentRequired", ["k"]), ("dependentSchemas", False)):
        for other in NAMES:
            found = locations({keyword: {name: value}}, {other: 1})
            where = "/v/k" if keyword == "dependentRequired" else "/v"
            assert found == ([where] if other == name else [])


def locations(schema: dict[str, Any], value: dict[str, Any]) -> list[str]:
    """The locations of all issues, after checking that both engines find the same."""
    tool = property_tool(schema)
    arguments = {"v": value}
    validator = tool.compiled.validator
    alone = explain(validator, arguments, 10**6, asks_first=False).found
    asking = explain(validator, arguments, 10**6).found
    found = sorted(join(finding.tokens) for finding in alone)
    assert found == sorted(join(finding.tokens) for finding in asking)
    assert tool.compiled.is_valid(arguments) is (not found)
    for given in (arguments, json.dumps(arguments)):
        assert len(check_tool_arguments(tool, given)) == len(found)
    return found

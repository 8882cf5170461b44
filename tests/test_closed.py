"""The closed schema: stricter than the tool's own, so that its "valid" needs no further check."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from conftest import define
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from toolschema import (
    Limits,
    ToolSchemaError,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)

TEXT = {"type": "string"}
CLOSED = {"type": "object", "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "depth"),
    [
        ({}, 1),
        ({"type": "object"}, 1),
        ({"required": ["a"]}, 1),
        ({"properties": {"a": True}}, 1),
        ({"properties": {"a": {}}}, 2),
        ({"properties": {"a": {"type": ["object", "null"]}}}, 2),
        ({"properties": {"a": {"type": "array"}}}, 2),
        ({"properties": {"a": {"type": "array", "items": {"type": "array"}}}}, 3),
        ({"properties": {"a": {"prefixItems": [CLOSED], "type": "array"}}}, 3),
        ({"properties": {"a": {"const": {"b": [[1]]}}}}, 4),
        ({"properties": {"a": {"enum": [1, [2]]}}}, 2),
        ({"properties": {"a": {"anyOf": [TEXT, CLOSED]}}}, 2),
        ({"allOf": [{"properties": {"a": {"type": "array"}}}, {"minProperties": 1}]}, 2),
        ({"patternProperties": {"a": CLOSED}, "additionalProperties": False}, 2),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": CLOSED}}}}, 2),
        ({"properties": {"a": {"oneOf": [TEXT, CLOSED]}}, "additionalProperties": False}, None),
        ({**CLOSED, "properties": {"a": {"oneOf": [TEXT, CLOSED]}}}, 2),
        ({**CLOSED, "properties": {"a": {"not": TEXT, "type": "array", "items": TEXT}}}, 2),
        ({"not": {"required": ["a"]}}, None),
        ({"properties": {"a": {"$ref": "#"}}}, None),
        ({**CLOSED, "properties": {"a": {"$ref": "#"}}}, None),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]}, None),
    ],
)
def test_depth_of_the_values_that_the_closed_schema_accepts(
    schema: dict[str, Any], depth: int | None
) -> None:
    closed = define(schema).compiled.closed
    assert (closed and closed[1]) == depth


def test_siblings_of_a_draft_07_reference_do_not_close_a_schema() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"type": "string", "$ref": "#/definitions/any"}},
        "additionalProperties": False,
        "definitions": {"any": True},
    }
    assert define(schema).compiled.closed is None
    assert check_tool_arguments(define(schema), '{"a": {"b": {"c": [1]}}}') == ()


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": 1, "extra": {"b": {"c": [[], {}]}}},
        {"a": 1, "extra": "x"},
        {"a": 1, "extra": 2**70},
    ],
)
def test_arguments_refused_only_by_the_closed_schema_are_accepted(
    arguments: dict[str, Any],
) -> None:
    """The closed schema can only accept; if it does not, the tool's own schema decides."""
    tool = define({"properties": {"a": {"type": "integer"}}})
    assert validate_tool_arguments(tool, arguments) == arguments


@pytest.mark.parametrize("schema", [{}, CLOSED, {"patternProperties": {"": {}}}])
@pytest.mark.parametrize("place", ["", "v"])
def test_a_lone_surrogate_in_a_name_is_refused_under_any_schema(
    schema: dict[str, Any], place: str
) -> None:
    tool = define({"properties": {"v": schema}, "type": "object"} if place else schema)
    value = {"\ud800": 1}
    issues = check_tool_arguments(tool, {place: value} if place else value)
    assert [(issue.instance_location, issue.keyword) for issue in issues] == [
        ("/v" if place else "", "@value")
    ]


@pytest.mark.parametrize("schema", [{}, {"additionalProperties": {"type": "number"}}])
def test_infinity_is_refused_under_any_schema(schema: dict[str, Any]) -> None:
    tool = define(schema)
    assert check_tool_arguments(tool, '{"a": 1e400}') == ("/a: must be a finite number",)
    assert check_tool_arguments(tool, {"a": float("inf")}) == ("/a: must be a finite number",)


def test_depth_is_bounded_where_the_schema_is_deeper_than_the_limits() -> None:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(5):
        schema = {"type": "object", "properties": {"a": schema}}
    text = '{"a": {"a": {"a": {"a": {"a": {}}}}}}'
    assert parse_tool_arguments(define(schema), text)
    tool = define(schema, limits=Limits(max_depth=5))
    assert check_tool_arguments(tool, text) == (
        "/: arguments must not be nested deeper than 5 levels",
    )


DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}
DRAFT_2019_09 = {"$schema": "https://json-schema.org/draft/2019-09/schema"}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"enum": []}}},
        {**DRAFT_07, "$defs": [1, 2]},
        {**DRAFT_07, "$defs": {"a": 5}},
        {**DRAFT_07, "properties": {"a": {"prefixItems": 5}}},
        {**DRAFT_2019_09, "properties": {"a": {"prefixItems": "text"}}},
        {**DRAFT_07, **CLOSED, "properties": {"a": {"type": "array", "items": TEXT, "prefixItems": 5}}},
        {"x-unknown": 5, "properties": {"a": {"items": TEXT, "x": [1]}}},
    ],
)  # fmt: skip
def test_keywords_of_another_dialect_are_ignored(schema: dict[str, Any]) -> None:
    tool = define(schema)
    assert [parse_tool_arguments(tool, "{}") for _ in range(2)] == [{}, {}]


def test_the_closed_schema_does_not_depend_on_the_first_call() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}
    for number, first in enumerate(("{}", '{"a": 1}')):
        tool = define({**schema, "title": f"called first with number {number}"})
        check_tool_arguments(tool, first)
        assert tool.compiled.closed is not None


def test_the_first_valid_call_needs_no_more_stack_than_the_next() -> None:
    def deep(frames: int, tool: Any) -> Any:
        return deep(frames - 1, tool) if frames else parse_tool_arguments(tool, '{"a": {}}')

    inside: dict[str, Any] = {"properties": {"b": {"properties": {"c": {"properties": {"d": {}}}}}}}
    for frames in range(20, sys.getrecursionlimit() - 100, 40):
        tool = define({"properties": {"a": inside}, "title": f"{frames} frames"})
        assert deep(frames, tool) == {"a": {}}


NAMES = st.sampled_from(["a", "b", "zz"])
TYPES = st.sampled_from(["string", "integer", "number", "null", "object", "array"])
SCALARS = st.sampled_from([None, True, 1, 2.5, "", "a"])
VALUES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=2) | st.dictionaries(NAMES, below, max_size=3),
    max_leaves=8,
)
SCHEMAS = st.recursive(
    st.booleans()
    | st.builds(dict)
    | st.builds(lambda name: {"type": name}, TYPES)
    | st.builds(lambda names: {"type": names}, st.lists(TYPES, min_size=1, max_size=3, unique=True))
    | st.builds(lambda value: {"const": value}, VALUES)
    | st.builds(lambda values: {"enum": values}, st.lists(VALUES, min_size=1, max_size=2))
    | st.just({"$ref": "#/$defs/d"}),
    lambda below: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "properties": st.dictionaries(NAMES, below, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["^z", "a"]), below, max_size=1),
            "additionalProperties": below,
            "items": below,
            "prefixItems": st.lists(below, min_size=1, max_size=2),
            "allOf": st.lists(below, min_size=1, max_size=2),
            "anyOf": st.lists(below, min_size=1, max_size=2),
            "oneOf": st.lists(below, min_size=1, max_size=2),
            "not": below,
            "required": st.lists(NAMES, max_size=1),
        },
    ),
    max_leaves=10,
)


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


@settings(max_examples=120)
@given(
    st.fixed_dictionaries({"properties": st.dictionaries(NAMES, SCHEMAS), "$defs": st.builds(lambda d: {"d": d}, SCHEMAS)}),
    st.lists(st.dictionaries(NAMES, VALUES, max_size=3), min_size=6, max_size=6),
)  # fmt: skip
def test_accepted_values_are_valid_and_within_the_stated_depth(
    schema: dict[str, Any], values: list[dict[str, Any]]
) -> None:
    try:
        compiled = define(schema).compiled
    except ToolSchemaError:  # a reference cycle
        reject()
    assume(compiled.closed is not None)
    assert compiled.closed is not None  # for type checkers
    verdict, depth = compiled.closed
    for value in values:
        if verdict(value):
            assert compiled.is_valid(value)
            assert depth_of(value) <= depth
        for wrong in (float("inf"), float("nan")):
            assert not verdict({**value, "a": wrong})
            assert not verdict({**value, "zz": [wrong]})


def test_ignored_siblings_of_a_draft_07_reference_are_not_closed() -> None:
    """Array-form ``dependencies`` beside a reference once failed every valid call."""
    tool = define(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {
                "q": {
                    "$ref": "#/definitions/a",
                    "properties": {"k": {"dependencies": {"x": ["y"]}}},
                },
                "z": {},
            },
            "definitions": {"a": {"type": "object"}},
        }
    )
    for _ in range(3):
        assert check_tool_arguments(tool, {"z": 1, "q": {"k": {"x": 1}}}) == ()
        assert check_tool_arguments(tool, {"q": 1}) == ("/q: must be object",)

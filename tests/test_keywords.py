"""Each keyword: where its issue is, what it says, where it stands."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import define

from toolschema import check_tool_arguments

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019_09 = "https://json-schema.org/draft/2019-09/schema"


def lines(schema: Any, value: Any, **root: Any) -> list[str]:
    tool = define({"properties": {"v": schema}, **root})
    return list(check_tool_arguments(tool, {"v": value}))


CASES: list[tuple[str, Any, Any, list[str]]] = [
    ("type", {"type": "integer"}, 1.5, ["/v: must be integer"]),
    ("integer as float", {"type": "integer"}, 5.0, []),
    ("bool is no number", {"type": "number"}, True, ["/v: must be number"]),
    ("enum", {"enum": [1]}, True, ["/v: must be equal to one of the allowed values"]),
    ("const", {"const": 1}, 1.0, []),
    ("required", {"required": ["a", "b~"]}, {}, [
        "/v/a: must have required properties a", "/v/b~0: must have required properties b~"]),
    ("additionalProperties", {"properties": {"a": {}}, "additionalProperties": False},
        {"a": 1, "c": 1, "b": 1}, [
        "/v/b: must not have additional properties", "/v/c: must not have additional properties"]),
    ("additionalProperties schema", {"additionalProperties": {"type": "null"}}, {"a": 1},
        ["/v/a: must be null"]),
    ("patternProperties", {"patternProperties": {"^a": {"type": "null"}}}, {"ab": 1, "b": 1},
        ["/v/ab: must be null"]),
    ("propertyNames", {"propertyNames": {"maxLength": 1}}, {"ab": 1},
        ["/v/ab: property name must not have more than 1 characters"]),
    ("propertyNames false", {"propertyNames": False}, {"a": 1},
        ["/v/a: property name schema is false"]),
    ("dependentRequired", {"dependentRequired": {"a": ["b", "c"]}}, {"a": 1}, [
        "/v/b: must have properties b when property a is present",
        "/v/c: must have properties c when property a is present"]),
    ("dependencies", {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, {"a": 1, "c": 1}, [
        "/v/b: must have properties b when property a is present",
        "/v/d: must have required properties d"]),
    ("dependentSchemas", {"dependentSchemas": {"a": {"minProperties": 2}}}, {"a": 1},
        ["/v: must not have fewer than 2 properties"]),
    ("items", {"items": {"type": "null"}}, [None, 1], ["/v/1: must be null"]),
    ("items false", {"prefixItems": [{}], "items": False}, [1, 2, 3],
        ["/v/1: schema is false", "/v/2: schema is false"]),
    ("prefixItems", {"prefixItems": [{"type": "null"}, False]}, [1, 2],
        ["/v/0: must be null", "/v/1: schema is false"]),
    ("property false", {"properties": {"a": False}}, {"a": 1}, ["/v/a: schema is false"]),
    ("contains", {"contains": {"type": "null"}}, [1], ["/v: must contain at least 1 valid item"]),
    ("minContains", {"contains": {"type": "null"}, "minContains": 2}, [None],
        ["/v: must contain at least 2 valid items"]),
    ("maxContains", {"contains": {"type": "null"}, "maxContains": 1}, [None, None],
        ["/v: must contain at most 1 valid item"]),
    ("minContains 0", {"contains": {"type": "null"}, "minContains": 0}, [1], []),
    ("uniqueItems", {"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}],
        ["/v: must not have duplicate items"]),
    ("uniqueItems bool", {"uniqueItems": True}, [1, True, "1", 0, False], []),
    ("multipleOf", {"multipleOf": 0.01}, 19.99, []),
    ("pattern", {"pattern": "^\\d$"}, "٣", ['/v: must match pattern "^\\d$"']),
    ("pattern end", {"pattern": "^a$"}, "a\n", ['/v: must match pattern "^a$"']),
    ("format", {"format": "date"}, "2031-02-30", ['/v: must match format "date"']),
    ("format unknown", {"format": "datetime"}, "x", []),
    ("not", {"not": {"type": "null"}}, None, ["/v: must not be valid"]),
    ("then", {"if": {"type": "number"}, "then": {"minimum": 3}, "else": False}, 1,
        ["/v: must be >= 3"]),
    ("else", {"if": {"type": "number"}, "else": {"minLength": 3}}, "a",
        ["/v: must not have fewer than 3 characters"]),
    ("allOf", {"allOf": [{"minimum": 3}, {"multipleOf": 2}]}, 1,
        ["/v: must be >= 3", "/v: must be multiple of 2"]),
    ("false", False, 1, ["/v: schema is false"]),
    ("ref to false", {"$ref": "#/$defs/no"}, 1, ["/v: schema is false"]),
    ("empty name", {"properties": {"": {"type": "null"}}}, {"": 1}, ["/v/: must be null"]),
    ("index as name", {"additionalProperties": {"type": "null"}}, {"0": 1}, ["/v/0: must be null"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [pytest.param(*case[1:], id=case[0]) for case in CASES],
)
def test_issues(schema: Any, value: Any, expected: list[str]) -> None:
    assert lines(schema, value, **{"$defs": {"no": False}}) == expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"items": [{"type": "null"}], "additionalItems": False}, [1, 2],
            ["/v/0: must be null", "/v/1: schema is false"]),
        ({"items": [{}], "additionalItems": {"type": "null"}}, [1, 2], ["/v/1: must be null"]),
        ({"items": {"type": "null"}, "additionalItems": False}, [1], ["/v/0: must be null"]),
        ({"additionalItems": False}, [1], []),
        ({"dependencies": {"a": ["b"]}}, {"a": 1},
            ["/v/b: must have properties b when property a is present"]),
        ({"$ref": "#/definitions/n", "maximum": 1}, 2, []),
        ({"contains": {"const": 1}, "minContains": 2}, [1], []),
        ({"contentEncoding": "base64"}, "%", ['/v: must be encoded as "base64"']),
        ({"contentMediaType": "application/json"}, "{",
            ['/v: must hold a document of type "application/json"']),
        ({"contentMediaType": "application/json", "contentEncoding": "base64"}, "e30=", []),
        ({"contentMediaType": "application/json", "contentEncoding": "base64"}, "%",
            ['/v: must hold a document of type "application/json"']),
        ({"contentMediaType": "text/plain", "contentEncoding": "base64"}, "%", []),
        ({"unevaluatedProperties": False}, {"a": 1}, []),
    ],
)  # fmt: skip
def test_draft_07(schema: Any, value: Any, expected: list[str]) -> None:
    root = {"$schema": DRAFT_07, "definitions": {"n": {"type": "number"}}}
    assert lines(schema, value, **root) == expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"items": [{"type": "null"}], "unevaluatedItems": False}, [None, 2],
            ["/v/1: must not have unevaluated items"]),
        ({"items": [{}], "additionalItems": True, "unevaluatedItems": False}, [1, 2], []),
        ({"contains": {"const": 1}, "minContains": 2}, [1],
            ["/v: must contain at least 2 valid items"]),
        ({"dependencies": {"a": ["b"]}}, {"a": 1},
            ["/v/b: must have properties b when property a is present"]),
        ({"contentMediaType": "application/json"}, "{", []),
    ],
)  # fmt: skip
def test_2019_09(schema: Any, value: Any, expected: list[str]) -> None:
    assert lines(schema, value, **{"$schema": DRAFT_2019_09}) == expected


def test_recursive_references_follow_the_dynamic_scope() -> None:
    schema = {
        "$schema": DRAFT_2019_09, "$recursiveAnchor": True, "type": "object",
        "properties": {"c": {"$recursiveRef": "#"}}, "unevaluatedProperties": False,
    }  # fmt: skip
    assert check_tool_arguments(define(schema), {"c": {"c": {"x": 1}}}) == (
        "/c/c/x: must not have unevaluated properties",
    )


UNEVALUATED = {"unevaluatedProperties": False}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (UNEVALUATED, {"a": 1}, ["/v/a: must not have unevaluated properties"]),
        ({"unevaluatedProperties": {"type": "null"}}, {"a": 1}, ["/v/a: must be null"]),
        ({"patternProperties": {"^a": {}}, **UNEVALUATED}, {"ab": 1, "b": 1},
            ["/v/b: must not have unevaluated properties"]),
        ({"allOf": [{"properties": {"a": {}}}], **UNEVALUATED}, {"a": 1}, []),
        ({"allOf": [{"$ref": "#/$defs/a"}], **UNEVALUATED}, {"a": 1, "b": 1},
            ["/v/b: must not have unevaluated properties"]),
        ({"$ref": "#/$defs/a", **UNEVALUATED}, {"a": 1, "b": 1},
            ["/v/b: must not have unevaluated properties"]),
        ({"anyOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"b": {}}}], **UNEVALUATED},
            {"a": 2, "b": 1}, ["/v/a: must not have unevaluated properties"]),
        ({"if": {"required": ["a"]}, "then": {"properties": {"a": {}}},
            "else": {"properties": {"b": {}}}, **UNEVALUATED}, {"b": 1, "c": 1},
            ["/v/c: must not have unevaluated properties"]),
        ({"dependentSchemas": {"a": {"properties": {"a": {}}}}, **UNEVALUATED}, {"a": 1}, []),
        ({"not": {"properties": {"a": {}}, "required": ["b"]}, **UNEVALUATED}, {"a": 1},
            ["/v/a: must not have unevaluated properties"]),
        ({"allOf": [{"additionalProperties": True}], **UNEVALUATED}, {"a": 1}, []),
        ({"allOf": [{"unevaluatedProperties": True}], **UNEVALUATED}, {"a": 1}, []),
        ({"allOf": [True, {"properties": {"a": {"type": "null"}}}], **UNEVALUATED}, {"a": 1},
            ["/v/a: must be null"]),
        (UNEVALUATED, [1], []),
        ({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2],
            ["/v/1: must not have unevaluated items"]),
        ({"prefixItems": [{}], "unevaluatedItems": {"type": "null"}}, [1, 2], ["/v/1: must be null"]),
        ({"contains": {"const": 1}, "unevaluatedItems": False}, [1, 2],
            ["/v/1: must not have unevaluated items"]),
        ({"allOf": [{"items": {}}], "unevaluatedItems": False}, [1], []),
        ({"unevaluatedItems": False}, {"a": 1}, []),
    ],
)  # fmt: skip
def test_unevaluated(schema: Any, value: Any, expected: list[str]) -> None:
    assert lines(schema, value, **{"$defs": {"a": {"properties": {"a": {}}}}}) == expected


BUG = {"properties": {"kind": {"const": "bug"}, "steps": {"type": "string"}},
       "required": ["kind", "steps"]}  # fmt: skip
IDEA = {"properties": {"kind": {"enum": ["idea", "wish"]}, "why": {"type": "string"}},
        "required": ["kind", "why"]}  # fmt: skip


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize(
    ("branches", "value", "expected"),
    [
        ([BUG, IDEA], {"kind": "bug"}, ["/v/steps: must have required properties steps"]),
        ([BUG, {"$ref": "#/$defs/idea"}], {"kind": "wish", "why": 1}, ["/v/why: must be string"]),
        ([BUG, IDEA], {"kind": "other", "x": 1},
            ["/v/kind: must be equal to one of the allowed values"]),
        ([BUG, IDEA], {}, ["/v/kind: must have required properties kind"]),
        ([{"type": "string", "minLength": 2}, {"type": "null"}], "a",
            ["/v: must not have fewer than 2 characters"]),
        ([{"type": "object"}, {"type": "null"}], 1, ["/v: must be either object or null"]),
        ([{"type": "object"}, {"type": "object", "minProperties": 1}], 1, ["/v: must be object"]),
        ([{"type": ["object", "null"]}, {"type": "null"}, {"type": "array"}], 1,
            ["/v: must be either object or null or array"]),
        ([{"const": "a"}, {"const": "b"}], "c",
            ["/v: must be equal to one of the allowed values"]),
        ([{"required": ["a"]}, {"required": ["b", "c", "d"]}], {},
            ["/v/a: must have required properties a"]),
        ([{"required": ["a", "b", "c"]}, {"required": ["d", "e"]}], {}, None),
        ([{"minimum": 1}, {"maximum": -1}], 0, None),
        ([False, False], 0, None),
    ],
)  # fmt: skip
def test_unions(keyword: str, branches: Any, value: Any, expected: list[str] | None) -> None:
    general = {
        "anyOf": "/v: must match a schema in anyOf",
        "oneOf": "/v: must match exactly one schema in oneOf",
    }
    issues = lines({keyword: branches}, value, **{"$defs": {"idea": IDEA}})
    assert issues == (expected or [general[keyword]])


def test_one_of_two_that_match() -> None:
    assert lines({"oneOf": [{}, {"type": "number"}]}, 1) == [
        "/v: must match exactly one schema in oneOf"
    ]


def test_a_recursive_union_that_fails_at_every_level_keeps_its_place() -> None:
    node = {"anyOf": [{"properties": {"c": {"$ref": "#/$defs/n"}}, "required": [name]}
                      for name in ("x", "y")]}  # fmt: skip
    tool = define({"properties": {"v": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}})
    value: Any = {}
    for _ in range(60):
        value = {"c": value}
    [issue] = check_tool_arguments(tool, {"v": value})
    assert issue == "/v: must match a schema in anyOf"


def test_a_name_that_is_wrong_deep_down_is_still_called_a_name() -> None:
    schema: Any = {"propertyNames": {"allOf": [{"pattern": "^a$"}]}}
    value: Any = {"b": 1}
    for _ in range(16):
        schema, value = {"properties": {"c": schema}}, {"c": value}
    [issue] = check_tool_arguments(define(schema), value)
    assert issue.message == 'property name must match pattern "^a$"'


def test_a_dynamic_reference_to_false() -> None:
    schema = {"properties": {"v": {"$dynamicRef": "#/$defs/no"}}, "$defs": {"no": False}}
    assert check_tool_arguments(define(schema), {"v": 1}) == ("/v: schema is false",)


def test_keyword_locations_follow_references() -> None:
    tool = define(
        {
            "properties": {"v": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}},
            "$defs": {
                "a": {"type": "array", "items": {"$ref": "#/$defs/b"}},
                "b": {"if": True, "then": {"minimum": 1}},
            },
        }
    )
    [issue] = check_tool_arguments(tool, {"v": [0]})
    assert issue.keyword_location == "/properties/v/anyOf/0/$ref/items/$ref/then/minimum"


def test_order_does_not_depend_on_keys() -> None:
    first = {"properties": {"b": {"type": "null"}, "a": {"minimum": 5, "type": "null"}}}
    second = {"properties": {"a": {"type": "null", "minimum": 5}, "b": {"type": "null"}}}
    one = check_tool_arguments(define(first), {"b": 1, "a": 1})
    other = check_tool_arguments(define(second), {"a": 1, "b": 1})
    assert one == other == ("/a: must be >= 5", "/a: must be null", "/b: must be null")

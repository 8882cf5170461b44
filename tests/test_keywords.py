"""The issues of every keyword: instance location, message and keyword location."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import define

from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    check_tool_arguments,
    validate_tool_arguments,
)

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
    ("dependencies, some absent", {"dependencies": {"0": False, "1": ["a"], "b": ["c"]}}, {"b": 1},
        ["/v/c: must have properties c when property b is present"]),
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
    ("uniqueItems, many", {"uniqueItems": True}, [{"a": [index % 64]} for index in range(65)],
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
        ({"items": {"type": "null"}, "additionalItems": False}, [1, 2],
            ["/v/0: must be null", "/v/1: must be null"]),
        ({"items": [{}], "additionalItems": False, "not": {}}, {"a": 1, "b": 1},
            ["/v: must not be valid"]),
        ({"additionalItems": False, "not": {}}, [1, 2], ["/v: must not be valid"]),
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
        ({"contentMediaType": "application/json", "contentEncoding": "base64", "not": {}}, "e30=",
            ["/v: must not be valid"]),
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
TITLED = {"$ref": "#/$defs/idea", "title": "Idea", "description": "An idea or a wish."}


def tagged(**tags: int) -> dict[str, Any]:
    """A branch that fixes *tags* and requires two more properties."""
    properties: dict[str, Any] = {name: {"const": value} for name, value in tags.items()}
    properties["x"] = {"description": "Anything."}
    return {"properties": properties, "required": [*tags, "x", "y"]}


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
        ([{"required": ["a"]}, {"required": ["b", "c"]}], {},
            ["/v/a: must have required properties a"]),
        ([{"minimum": 1}, {"maximum": -1}], 0, None),
        ([{"const": "a"}, {"type": "string", "minLength": 2}], "b", None),
        ([{**BUG, "minItems": 2}, {**IDEA, "minItems": 2}], ["kind"], None),
        ([BUG, {"$ref": "#/$defs/titled"}], {"kind": "wish", "steps": "a"},
            ["/v/why: must have required properties why"]),
        ([tagged(a=1, b=1), tagged(a=2, b=2)], {}, ["/v/a: must have required properties a"]),
        ([tagged(a=1, b=1), tagged(a=2, b=2)], {"b": 2}, [
            "/v/a: must have required properties a", "/v/x: must have required properties x",
            "/v/y: must have required properties y"]),
        ([tagged(a=1, b=1), tagged(a=1, b=2)], {"a": 1, "b": 2}, [
            "/v/x: must have required properties x", "/v/y: must have required properties y"]),
        ([{**tagged(a=1), "required": ["a", "b"]}, {**tagged(a=1), "required": ["a", *"cdef"]}], {},
            ["/v/a: must have required properties a", "/v/b: must have required properties b"]),
        ([tagged(a=1), {"properties": {"a": {"const": 2}}, "minProperties": 1}], {},
            ["/v: must not have fewer than 1 properties"]),
        ([{"properties": {"a": {"const": 1, "enum": [1, 2]}}}, tagged(a=3)], {"a": 2},
            ["/v/a: must be equal to one of the allowed values"]),
        ([False, False], 0, None),
    ],
)  # fmt: skip
def test_unions(keyword: str, branches: Any, value: Any, expected: list[str] | None) -> None:
    general = {
        "anyOf": "/v: must match a schema in anyOf",
        "oneOf": "/v: must match exactly one schema in oneOf",
    }
    issues = lines(
        {keyword: branches},
        value,
        **{"$defs": {"idea": IDEA, "titled": {"$ref": "#/$defs/said"}, "said": TITLED}},
    )
    assert issues == (expected or [general[keyword]])


def test_one_of_refuses_two_matching_branches() -> None:
    assert lines({"oneOf": [{}, {"type": "number"}]}, 1) == [
        "/v: must match exactly one schema in oneOf"
    ]


def test_a_recursive_union_that_fails_at_every_level_is_reported_at_the_top() -> None:
    node = {"anyOf": [{"properties": {"c": {"$ref": "#/$defs/n"}}, "required": [name]}
                      for name in ("x", "y")]}  # fmt: skip
    schema = {"properties": {"v": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}}
    tool = define(schema, limits=Limits(max_steps=50))
    value: Any = {}
    for _ in range(60):
        value = {"c": value}
    with pytest.raises(ToolArgumentsValidationError) as caught:
        validate_tool_arguments(tool, {"v": value})
    assert caught.value.issues == ("/v: must match a schema in anyOf",)
    assert caught.value.omitted == 0


def test_when_steps_run_out_the_outermost_union_is_reported() -> None:
    inner = {"anyOf": [{"required": ["a"]}, {"required": ["b", "c", "d"]}]}
    outer = {"anyOf": [{"type": "object", "properties": {"c": inner}}, {"type": "null"}]}
    outcomes: list[tuple[str, ...]] = []
    for steps in range(1, 50):
        tool = define({"properties": {"v": outer, "w": outer}}, limits=Limits(max_steps=steps))
        issues = check_tool_arguments(tool, {"v": {"c": {}}, "w": {"c": {}}})
        if issues not in outcomes:
            outcomes.append(issues)
    missing = "must have required properties a"
    assert outcomes == [
        ("/: arguments do not satisfy the tool schema",),
        ("/v: must match a schema in anyOf",),
        (f"/v/c/a: {missing}",),
        (f"/v/c/a: {missing}", "/w: must match a schema in anyOf"),
        (f"/v/c/a: {missing}", f"/w/c/a: {missing}"),
    ]


def test_a_deeply_nested_property_name_is_still_reported_as_a_name() -> None:
    schema: Any = {"propertyNames": {"allOf": [{"pattern": "^a$"}]}}
    value: Any = {"b": 1}
    for _ in range(16):
        schema, value = {"properties": {"c": schema}}, {"c": value}
    [issue] = check_tool_arguments(define(schema), value)
    assert issue.message == 'property name must match pattern "^a$"'


def test_every_deeply_nested_failure_is_an_issue() -> None:
    for depth in range(14, 19):
        schema: Any = {"properties": {name: {"allOf": [{"type": "null"}]} for name in "abc"}}
        value: Any = {"a": 1, "b": 1, "c": 1}
        for _ in range(depth):
            schema, value = {"properties": {"k": schema}}, {"k": value}
        places = [issue.instance_location for issue in check_tool_arguments(define(schema), value)]
        assert places == [f"{'/k' * depth}/{name}" for name in "abc"]


def test_a_dynamic_reference_to_false_is_located_at_the_reference() -> None:
    schema = {"properties": {"v": {"$dynamicRef": "#/$defs/no"}}, "$defs": {"no": False}}
    [issue] = check_tool_arguments(define(schema), {"v": 1})
    assert issue == "/v: schema is false"
    assert issue.keyword == "false"
    assert issue.keyword_location == "/properties/v/$dynamicRef"


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


NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "value", "keyword", "location", "params"),
    [
        ({"type": ["string", "null"]}, 1, "type", "/type", {"type": ["string", "null"]}),
        ({"pattern": "^a"}, "b", "pattern", "/pattern", {"pattern": "^a"}),
        ({"pattern": "^(?!b)a+$"}, "a" * 9000, "@limit", "/pattern", {}),
        ({"uniqueItems": True}, [1] * 65, "uniqueItems", "/uniqueItems", {"uniqueItems": True}),
        ({"required": ["a"]}, {}, "required", "/required", {"property": "a"}),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "dependentRequired", "/dependentRequired",
            {"property": "b", "present": "a"}),
        ({"dependencies": {"a": ["b"]}}, {"a": 1}, "dependencies", "/dependencies/a",
            {"property": "b", "present": "a"}),
        ({"dependencies": {"a": {"required": ["b"]}}}, {"a": 1}, "required",
            "/dependencies/a/required", {"property": "b"}),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, "required",
            "/dependentSchemas/a/required", {"property": "b"}),
        ({"additionalProperties": False}, {"a": 1}, "additionalProperties",
            "/additionalProperties", {}),
        ({"additionalProperties": NULL}, {"a": 1}, "type", "/additionalProperties/type", NULL),
        ({"patternProperties": {"^a/b": NULL}}, {"a/b": 1}, "type",
            "/patternProperties/^a~1b/type", NULL),
        ({"properties": {"a": False}}, {"a": 1}, "false", "/properties/a", {}),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "maxLength", "/propertyNames/maxLength",
            {"maxLength": 1}),
        ({"propertyNames": False}, {"a": 1}, "false", "/propertyNames", {}),
        ({"items": NULL}, [1], "type", "/items/type", NULL),
        ({"items": False}, [1], "false", "/items", {}),
        ({"prefixItems": [NULL]}, [1], "type", "/prefixItems/0/type", NULL),
        ({"contains": NULL}, [1], "contains", "/contains", {"minContains": 1}),
        ({"contains": NULL, "minContains": 2}, [1], "minContains", "/minContains",
            {"minContains": 2}),
        ({"contains": NULL, "maxContains": 0}, [None], "maxContains", "/maxContains",
            {"maxContains": 0}),
        ({"not": NULL}, None, "not", "/not", {}),
        ({"if": NULL, "then": False}, None, "false", "/then", {}),
        ({"if": NULL, "else": {"minimum": 3}}, 1, "minimum", "/else/minimum", {"minimum": 3}),
        ({"allOf": [True, NULL]}, 1, "type", "/allOf/1/type", NULL),
        ({"$ref": "#/$defs/no"}, 1, "false", "/$ref", {}),
        ({"unevaluatedProperties": False}, {"a": 1}, "unevaluatedProperties",
            "/unevaluatedProperties", {}),
        ({"unevaluatedProperties": NULL}, {"a": 1}, "type", "/unevaluatedProperties/type", NULL),
        ({"unevaluatedItems": False}, [1], "unevaluatedItems", "/unevaluatedItems", {}),
        ({"unevaluatedItems": NULL}, [1], "type", "/unevaluatedItems/type", NULL),
        ({"anyOf": [NULL, {"type": ["string", "null"]}]}, 1, "anyOf", "/anyOf",
            {"type": ["null", "string"]}),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, 3, "oneOf", "/oneOf", {}),
        ({"oneOf": [True, True]}, 1, "oneOf", "/oneOf", {}),
        ({"anyOf": [NULL, {"type": "object", "properties": {"a": {"const": 1}}}]}, {"a": 2},
            "const", "/anyOf/1/properties/a/const", {"const": 1}),
        ({"anyOf": [tagged(a=1), tagged(a=2)]}, {}, "anyOf", "/anyOf", {"property": "a"}),
        ({"oneOf": [{"properties": {"a": {"const": 1, "enum": [1, 2]}}},
                    {"properties": {"a": {"enum": [3, 4]}}}]}, {"a": 2}, "oneOf", "/oneOf",
            {"allowedValues": [1, 3, 4]}),
    ],
)  # fmt: skip
def test_an_issue_has_its_keyword_location_and_params(
    schema: Any, value: Any, keyword: str, location: str, params: dict[str, Any]
) -> None:
    tool = define({"properties": {"v": schema}, "$defs": {"no": False}})
    [issue] = check_tool_arguments(tool, {"v": value})
    assert issue.keyword == keyword
    assert issue.keyword_location == f"/properties/v{location}"
    assert issue.params == params


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "a"}, 1),
        ({"pattern": "a"}, "a"),
        ({"uniqueItems": True}, list(range(65))),
        ({"uniqueItems": False}, [1] * 65),
        ({"uniqueItems": True}, "a" * 65),
        ({"required": ["a"]}, {"a": 1}),
        ({"required": ["a"]}, ["b"]),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1, "b": 1}),
        ({"dependentRequired": {"a": ["b"]}}, {}),
        ({"dependentRequired": {"a": ["b"]}}, ["a"]),
        ({"dependencies": {"a": ["b"], "c": False}}, {"b": 1}),
        ({"dependencies": {"a": ["b"], "c": False}}, ["a", "c"]),
        ({"dependentSchemas": {"a": False}}, {"b": 1}),
        ({"dependentSchemas": {"a": False}}, ["a"]),
        ({"properties": {"a": False}}, {"b": 1}),
        ({"properties": {"a": False}}, ["a"]),
        ({"patternProperties": {"a": False}}, {"b": 1}),
        ({"patternProperties": {"a": False}}, ["a"]),
        ({"properties": {"a": {}}, "patternProperties": {"^b": {}}, "additionalProperties": False},
            {"a": 1, "bc": 1}),
        ({"additionalProperties": False}, ["a"]),
        ({"propertyNames": {"maxLength": 1}}, {"a": 1}),
        ({"propertyNames": False}, ["a"]),
        ({"prefixItems": [NULL], "items": False}, [None]),
        ({"prefixItems": [False]}, "a"),
        ({"items": False}, {"a": 1}),
        ({"contains": NULL, "minContains": 1, "maxContains": 1}, [None]),
        ({"contains": NULL, "minContains": 1}, "a"),
        ({"contains": {}, "maxContains": 1}, "ab"),
        ({"contains": NULL}, "a"),
        ({"minContains": 2}, [1]),
        ({"maxContains": 0}, [1]),
        ({"if": NULL, "then": {}, "else": False}, None),
        ({"if": NULL, "then": False}, 1),
        ({"then": False, "else": False}, 1),
        ({"anyOf": [NULL, {"type": "string"}]}, None),
        ({"oneOf": [NULL, {"type": "string"}]}, None),
        ({"allOf": [NULL, True]}, None),
        ({"$ref": "#/$defs/n"}, None),
        ({"unevaluatedProperties": NULL}, {"a": None}),
        ({"unevaluatedProperties": False}, ["a"]),
        ({"unevaluatedItems": NULL}, [None]),
        ({"unevaluatedItems": False}, {"a": 1}),
        ({"contentEncoding": "base64", "contentMediaType": "application/json"}, "%"),
    ],
)  # fmt: skip
def test_satisfied_keywords_add_no_issues(schema: Any, value: Any) -> None:
    assert lines(schema, value, **{"$defs": {"n": NULL}}) == []
    assert lines({**schema, "not": {}}, value, **{"$defs": {"n": NULL}}) == [
        "/v: must not be valid"
    ]


def test_order_does_not_depend_on_key_order() -> None:
    first = {"properties": {"b": {"type": "null"}, "a": {"minimum": 5, "type": "null"}}}
    second = {"properties": {"a": {"type": "null", "minimum": 5}, "b": {"type": "null"}}}
    one = check_tool_arguments(define(first), {"b": 1, "a": 1})
    other = check_tool_arguments(define(second), {"a": 1, "b": 1})
    assert one == other == ("/a: must be >= 5", "/a: must be null", "/b: must be null")

"""What a definition accepts, refuses and keeps."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from conftest import READ, define
from jsonschema import Draft7Validator, Draft201909Validator, Draft202012Validator

from toolschema import (
    Limits,
    ToolDefinition,
    ToolSchemaError,
    ToolSet,
    UnknownToolError,
    check_tool_arguments,
)

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def faults(schema: Any, **options: Any) -> list[str]:
    with pytest.raises(ToolSchemaError) as caught:
        define(schema, **options)
    return [str(fault).removeprefix('tool "tool"') for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, ["#: must be a JSON object that is a schema"]),
        ([], ["#: must be a JSON object that is a schema"]),
        ("{}", ["#: must be a JSON object that is a schema"]),
        ({"type": "array"}, ['#/type: must be "object": arguments always are one']),
        ({"type": ["string", "null"]}, ['#/type: must be "object": arguments always are one']),
        ({"minimum": float("nan")}, ["#/minimum: must be a finite number"]),
        ({"enum": ({1},)}, ["#/enum: must be a JSON value"]),
        ({"properties": {1: {}}}, ["#/properties: must have property names that are strings of Unicode characters"]),
        ({"$schema": "urn:x"}, ["#/$schema: is none of the dialects that are known: 2020-12, 2019-09 and draft-07"]),
        ({"$schema": 5}, ["#/$schema: is none of the dialects that are known: 2020-12, 2019-09 and draft-07"]),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, ["#/$schema: is none of the dialects that are known: 2020-12, 2019-09 and draft-07"]),
        ({"properties": {"a": {"pattern": "a**"}}}, ["#/properties/a/pattern: not an ECMA-262 regular expression (nothing to repeat at column 3)"]),
        ({"patternProperties": {"(": {}}}, ["#/patternProperties/(: not an ECMA-262 regular expression (unterminated group at column 1)"]),
        ({"pattern": "^(a*)*\\1$"}, ["#/pattern: cannot be matched here as ECMA-262 asks (a back-reference to a group in a repetition that may match nothing)"]),
        ({"pattern": "^(?:(a)|b)*\\1$"}, ["#/pattern: cannot be matched here as ECMA-262 asks (a back-reference to a group that an enclosing repetition may skip)"]),
        ({"$ref": "#/$defs/x"}, ['#/$ref: "#/$defs/x" leads to nothing in that schema']),
        ({"properties": {"a": {"$ref": "#nowhere"}}}, ['#/properties/a/$ref: "#nowhere" leads to nothing in that schema']),
        ({"$ref": "#"}, ["#/$ref: is a reference loop: it applies the same schema to the same instance again"]),
        ({"not": {"$ref": "#"}}, ["#/not/$ref: is a reference loop: it applies the same schema to the same instance again"]),
        ({"properties": {"a": {"exclusiveMinimum": True}}}, ["#/properties/a/exclusiveMinimum: must be a number; the boolean form is draft-04's"]),
        ({"properties": {"a": {"required": True}}}, ["#/properties/a/required: must be a list of property names, beside the properties that it is about"]),
        ({"$defs": {"a": {"$id": "u:1"}, "b": {"$id": "u:1"}}}, ['#/$defs/a/$id: is also the $id of tool "tool"#/$defs/b']),
        ({"$ref": "#/enum", "enum": [1]}, ['#/$ref: "#/enum" does not lead to a schema']),
    ],
)  # fmt: skip
def test_a_bad_schema_is_refused_with_location_and_reason(schema: Any, expected: list[str]) -> None:
    assert faults(schema) == expected


def test_all_faults_are_listed_at_once() -> None:
    schema = {
        "properties": {
            "a": {"type": "strin"},
            "b": {"$ref": "#/$defs/no"},
            "c": {"pattern": "("},
            "d": {"minLength": "3"},
        },
        "required": "a",
    }
    places = [fault.partition(":")[0] for fault in faults(schema)]
    assert places == [
        "#/properties/a/type",
        "#/properties/b/$ref",
        "#/properties/c/pattern",
        "#/properties/d/minLength",
        "#/required",
    ]


@pytest.mark.parametrize(
    "reference",
    [
        "https://example.com/x.json", "http://127.0.0.1:9/x", "file:///etc/hostname",
        "../secret.json", "/etc/passwd", "other.json", "urn:x", "//host/x",
    ],
)  # fmt: skip
def test_an_external_reference_is_never_fetched(reference: str) -> None:
    [fault] = faults({"properties": {"a": {"$ref": reference}}})
    assert "nothing is ever fetched" in fault


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_an_exponential_chain_of_references_is_refused(keyword: str) -> None:
    chain = {f"d{i}": {keyword: [{"$ref": f"#/$defs/d{i - 1}"}] * 2} for i in range(1, 31)}
    schema = {"properties": {"a": {"$ref": "#/$defs/d30"}}, "$defs": {"d0": {}, **chain}}
    assert any(
        "expands into more than 1093 subschemas for one value" in fault for fault in faults(schema)
    )


def test_a_wide_union_and_a_small_diamond_are_fine() -> None:
    define({"properties": {"a": {"anyOf": [{"const": i} for i in range(5000)]}}})
    chain = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i - 1}"}] * 2} for i in range(1, 7)}
    define({"properties": {"a": {"$ref": "#/$defs/d6"}}, "$defs": {"d0": {}, **chain}})


def test_recursion_over_properties_is_fine() -> None:
    tool = define({"properties": {"c": {"$ref": "#"}}, "additionalProperties": False})
    assert check_tool_arguments(tool, {"c": {"c": {"d": 1}}}) == (
        "/c/c/d: must not have additional properties",
    )


@pytest.mark.parametrize(
    "schema",
    [{}, {"type": "object"}, {"type": ["object", "null"]}, {"nullable": True, "requierd": ["a"]}],
)
def test_open_objects_and_unknown_keywords_are_fine(schema: Any) -> None:
    assert check_tool_arguments(define(schema), {"b": 1}) == ()


def test_later_changes_to_the_schema_have_no_effect() -> None:
    schema: dict[str, Any] = {"required": ["a"], "properties": {"a": {"type": "string"}}}
    tool = define(schema)
    schema["required"].append("b")
    schema["properties"]["a"]["type"] = "number"
    tool.parameters["required"].append("b")
    assert check_tool_arguments(tool, {"a": "x"}) == ()
    assert tool.parameters == {"required": ["a"], "properties": {"a": {"type": "string"}}}


def test_the_schema_is_returned_as_written() -> None:
    schema = {"title": "T", "$schema": DRAFT_07, "properties": {"z": {}, "a": {"maximum": 2**70}}}
    assert repr(define(schema).parameters) == repr(schema)


@pytest.mark.parametrize("attribute", ["name", "limits", "parameters", "compiled", "other"])
def test_a_definition_is_frozen(read: ToolDefinition, attribute: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(read, attribute, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(read, attribute)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda tool: pickle.loads(pickle.dumps(tool))]
)
def test_a_definition_copies_and_pickles(duplicate: Any) -> None:
    tool = define(
        {"properties": {"a": {"$ref": "common.json#/$defs/n"}}},
        title="T",
        output={"type": "object"},
        annotations={"readOnlyHint": True},
        resources={"common.json": {"$defs": {"n": {"type": "number"}}}},
        limits=Limits(max_issues=3),
        hide_undeclared_names=True,
    )
    twin = duplicate(tool)
    assert twin == tool
    assert hash(twin) == hash(tool)
    assert twin != define({})
    assert tool != "tool"
    assert check_tool_arguments(twin, {"a": "x"}) == ("/a: must be number",)
    assert (twin.title, twin.output, twin.annotations) == (
        "T", {"type": "object"}, {"readOnlyHint": True},
    )  # fmt: skip
    assert list(twin.resources) == ["https://toolschema.invalid/common.json"]


def test_resources_are_found_by_uri_and_by_id() -> None:
    schema = {"properties": {"a": {"$ref": "c.json"}, "b": {"$ref": "https://e.x/c#/$defs/n"},
                             "c": {"$ref": "https://e.x/inner"}}}  # fmt: skip
    resource = {"$id": "https://e.x/c", "type": "string",
                "$defs": {"n": {"type": "number"}, "i": {"$id": "inner", "type": "null"}}}  # fmt: skip
    tool = define(schema, resources={"c.json": resource})
    assert check_tool_arguments(tool, {"a": 1, "b": "x", "c": 1}) == (
        "/a: must be string", "/b: must be number", "/c: must be null",
    )  # fmt: skip


def test_a_whole_resource_may_use_another_dialect() -> None:
    old = {"$schema": DRAFT_07, "items": [{"type": "string"}], "additionalItems": False}
    schema = {"properties": {"a": {"$ref": "old.json"}, "b": {"prefixItems": [{"type": "null"}]}}}
    tool = define(schema, resources={"old.json": old})
    assert check_tool_arguments(tool, {"a": [1, 2], "b": [1]}) == (
        "/a/0: must be string", "/a/1: schema is false", "/b/0: must be null",
    )  # fmt: skip


def test_a_subschema_in_another_dialect_is_refused() -> None:
    """The verdict engine would read it in the dialect of the reference."""
    old = {"$schema": DRAFT_07, "definitions": {"a": {"type": "string"}}}
    [fault] = faults({"properties": {"a": {"$ref": "old.json#/definitions/a"}}},
                     resources={"old.json": old})  # fmt: skip
    assert "only a whole resource can be referred to" in fault
    [fault] = faults({"properties": {"a": {"$schema": DRAFT_07}}})
    assert fault == "#/properties/a/$schema: must stand at the root of a resource, beside an $id"


@pytest.mark.parametrize(
    "bad",
    [
        {"items": "string"}, {"uniqueItems": "true"}, {"propertyNames": "x"}, {"allOf": []},
        {"required": ["a", "a"]}, {"title": 5}, {"multipleOf": 0}, {"$defs": {"z": {"minLength": "x"}}},
        {"type": ["string", "string"]},
    ],
)  # fmt: skip
def test_a_resource_must_satisfy_its_metaschema(bad: Any) -> None:
    schema = {"properties": {"v": {"$ref": "c.json#/$defs/bad"}}}
    [fault, *_] = faults(schema, resources={"c.json": {"$defs": {"bad": bad}}})
    assert fault.startswith("c.json#/$defs/bad/")


def test_a_property_named_like_a_keyword_is_not_a_keyword() -> None:
    assert faults({"properties": {"type": "string", "required": []}}) == [
        "#/properties/required: must be either boolean or object",
        "#/properties/type: must be either boolean or object",
    ]


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"$ref": "http://[x"}, "#/$ref"),
        ({"$id": "http://[x"}, "#/$id"),
        ({"$ref": "//ex℀mple.com/x"}, "#/$ref"),
    ],
)
def test_an_invalid_uri_is_a_fault(schema: Any, place: str) -> None:
    assert faults(schema) == [f"{place}: is not a URI reference (RFC 3986)"]


def test_odd_references_are_faults() -> None:
    assert "leads to nothing" in faults({"$ref": f"#/allOf/{'9' * 5000}", "allOf": [{}]})[0]
    assert "leads to nothing" in faults({"$ref": "#/a~2"})[0]
    [fault] = faults({}, resources={"http://[x": {}})
    assert fault == "http://[x: the name of a resource must be a URI (RFC 3986)"


def test_a_long_chain_of_references_is_refused() -> None:
    chain = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(200)}
    schema = {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**chain, "d200": {}}}
    assert any("nests more than 100 subschemas for one value" in fault for fault in faults(schema))


def test_an_unreferenced_resource_may_be_invalid() -> None:
    define({}, resources={"bad.json": {"type": 5}})
    found = faults({"$ref": "bad.json"}, resources={"bad.json": {"type": 5}})
    assert [fault.partition(": ")[0] for fault in found] == ["bad.json#/type"]


def test_the_metaschema_is_always_available_as_a_resource() -> None:
    tool = define({"properties": {"s": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}})
    assert check_tool_arguments(tool, {"s": {"type": "object"}}) == ()
    assert [
        issue.instance_location for issue in check_tool_arguments(tool, {"s": {"type": 5}})
    ] == ["/s/type"]


@pytest.mark.parametrize(
    "uri",
    [
        "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft/2020-12/schema#",
    ],
)  # fmt: skip
def test_every_name_of_a_dialect_is_recognised(uri: str) -> None:
    tool = define({"$schema": uri, "properties": {"a": {"type": "null"}}})
    assert check_tool_arguments(tool, {"a": 1}) == ("/a: must be null",)


@pytest.mark.parametrize(
    ("uri", "stock"),
    [
        (None, Draft202012Validator),
        ("https://json-schema.org/draft/2019-09/schema", Draft201909Validator),
        (DRAFT_07, Draft7Validator),
    ],
)
def test_a_definition_has_one_validator_of_its_dialects_class(uri: str | None, stock: Any) -> None:
    tool = define({"type": "object"} if uri is None else {"$schema": uri})
    validator = tool.compiled.validator
    assert tool.compiled.validator is validator
    assert type(validator).META_SCHEMA == stock.META_SCHEMA
    assert type(validator).ID_OF is stock.ID_OF
    assert set(stock.VALIDATORS) <= set(type(validator).VALIDATORS)


def test_equal_schemas_are_compiled_once() -> None:
    assert define(READ).compiled is define(copy.deepcopy(READ)).compiled
    assert define(READ).compiled is not define({**READ, "title": "x"}).compiled


def test_the_output_schema_is_checked_too() -> None:
    assert define({}, output={"type": "array"}).output == {"type": "array"}
    with pytest.raises(ToolSchemaError, match='output of tool "tool"#/type'):
        define({}, output={"type": "arr"})


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: ToolDefinition(5, "", {}), TypeError, "name must be str, not int"),  # type: ignore[arg-type]
        (lambda: ToolDefinition("", "", {}), ValueError, "name must not be empty"),
        (lambda: ToolDefinition("a", None, {}), TypeError, "description must be str"),  # type: ignore[arg-type]
        (lambda: ToolDefinition("a", "", {}, title=5), TypeError, "title must be str"),  # type: ignore[arg-type]
        (lambda: ToolDefinition("a", "", {}, limits=5), TypeError, "limits must be Limits"),  # type: ignore[arg-type]
        (lambda: ToolDefinition("a", "", {}, resources=[]), TypeError, "resources must be a mapping"),  # type: ignore[arg-type]
        (lambda: ToolDefinition("a", "", {}, resources={1: {}}), TypeError, "named by URIs"),  # type: ignore[dict-item]
        (lambda: ToolDefinition("a", "", {}, hide_undeclared_names=1), TypeError, "must be bool"),  # type: ignore[arg-type]
        (lambda: ToolDefinition("a", "", {}, annotations={"a": {1}}), ToolSchemaError, "annotations of tool"),
        (lambda: ToolDefinition("a", "", {}, annotations=[1]), TypeError, "annotations must be dict"),  # type: ignore[arg-type]
        (lambda: Limits(max_depth="5"), TypeError, "max_depth must be int, not str"),  # type: ignore[arg-type]
        (lambda: Limits(max_depth=201), ValueError, "at most 200"),
        (lambda: Limits(max_issues=0), ValueError, "max_issues must be at least 1"),
        (lambda: ToolSet([5]), TypeError, "must be ToolDefinition, not int"),  # type: ignore[list-item]
        (lambda: ToolSet([define({}), define({})]), ValueError, "two tools are named"),
    ],
)  # fmt: skip
def test_a_callers_mistake_raises_a_precise_error(make: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        make()


def test_a_tool_set_is_a_mapping_that_suggests_names() -> None:
    tools = ToolSet([ToolDefinition("get_weather", "", {}), ToolDefinition("send", "", {})])
    assert list(tools) == ["get_weather", "send"]
    assert "send" in tools
    assert tools.get("nothing") is None
    assert repr(tools) == "<ToolSet of 2: get_weather, send>"
    with pytest.raises(UnknownToolError) as caught:
        tools["get_wether"]
    assert str(caught.value) == 'no tool named "get_wether"; did you mean "get_weather"?'
    assert isinstance(caught.value, KeyError)
    assert pickle.loads(pickle.dumps(caught.value)).near == ("get_weather",)
    with pytest.raises(UnknownToolError, match="no tool named"):
        tools["x" * 10_000]
    assert repr(tools["send"]) == "<ToolDefinition 'send'>"


@pytest.mark.parametrize("name", [None, 0, b"send", ["send"]])
def test_a_name_that_is_not_a_string_is_not_in_the_tool_set(name: Any) -> None:
    tools = ToolSet([ToolDefinition("send", "", {})])
    assert name not in tools
    assert tools.get(name) is None
    with pytest.raises(UnknownToolError) as caught:
        tools[name]
    assert str(caught.value) == f"a tool name must be str, not {type(name).__name__}"


def test_faults_below_an_empty_property_name_keep_their_location() -> None:
    """The engine omits empty names from its paths."""
    for schema, place in [
        ({"properties": {"": {"minLength": "x"}}}, "/properties//minLength"),
        ({"properties": {"a": {"$defs": {"": {"properties": {"": {"type": 5}}}}}}}, "/properties/a/$defs//properties//type"),
        ({"properties": {"": 5}}, "/properties"),  # an empty name at the end is lost
    ]:  # fmt: skip
        with pytest.raises(ToolSchemaError) as caught:
            define(schema)
        assert [fault.location for fault in caught.value.faults] == [place]


D7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize("name", ["2", "02", "-", "1" * 30, "x"])
def test_a_reference_to_a_missing_item_leads_to_nothing(name: str) -> None:
    [fault] = faults({"allOf": [{}, {}], "properties": {"a": {"$ref": f"#/allOf/{name}"}}})
    assert fault.endswith("leads to nothing in that schema")


def test_a_duplicate_anchor_is_a_fault_that_names_both() -> None:
    schema = {"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}
    assert faults(schema) == ['#/$defs/a/$anchor: is also an anchor at tool "tool"#/$defs/b']


def test_draft_07_ignores_an_id_beside_a_reference() -> None:
    text = {"type": "string"}
    schema = {
        "$schema": D7,
        "properties": {"a": {"$id": "https://a.test/other", "$ref": "#/definitions/t"}},
        "definitions": {"t": text},
    }
    tool = define(schema)
    assert check_tool_arguments(tool, {"a": 1}) == ("/a: must be string",)
    anchor = {"$id": "#t", "$ref": "#/definitions/t"}
    [fault] = faults({**schema, "properties": {"a": anchor, "b": {"$ref": "#t"}}})
    assert fault.startswith("#/properties/b/$ref: ")


def test_too_many_subschemas_are_a_fault() -> None:
    many = {f"p{number}": {"type": "string"} for number in range(100_001)}
    [fault] = faults({"properties": many})
    assert "subschemas" in fault


@pytest.mark.parametrize("keyword", ["dependentRequired", "dependentSchemas"])
def test_a_name_in_a_dependency_counts_as_declared(keyword: str) -> None:
    below = {"dependentRequired": ["é"], "dependentSchemas": {"minProperties": 2}}[keyword]
    tool = define({keyword: {"é": below}, "additionalProperties": {"type": "string"}})
    assert any(issue.startswith("/é: ") for issue in check_tool_arguments(tool, {"é": 1}))

"""Tools exported to a provider: what is kept, what is lost, and the import of arguments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import DATA, ROOT, define, foreign_rows
from differential import Schemas, Values
from exporting import Model, Tools, some_tool

from toolschema import (
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSchemaError,
    UnknownToolError,
    check_tool_arguments,
    load_tools,
    parse_tool_arguments,
)
from toolschema.cli import main
from toolschema.cli.export import PROVIDERS
from toolschema.providers import anthropic, gemini, openai_chat, openai_responses
from toolschema.providers._export.names import distinct, provider_name
from toolschema.providers._export.profiles import ANTHROPIC, GEMINI, OPENAI
from toolschema.providers.openai_chat import Exported, import_arguments, original_name

SCHEMAS = ROOT / "schemas"
EVERY = [(provider, strict) for provider in PROVIDERS for strict in (False, True)]
KINDS = {
    "openai": ("openai-chat", False),
    "openai strict": ("openai-chat", True),
    "anthropic": ("anthropic", False),
    "anthropic strict": ("anthropic", True),
    "gemini": ("gemini", False),
}
CLOSED: dict[str, Any] = {"type": "object", "additionalProperties": False}
TEXT = {"type": "string"}


def export(tool: ToolDefinition[Any], provider: str, *, strict: bool = False) -> Exported:
    return PROVIDERS[provider][0](tool, strict=strict)


def parameters(exported: Exported) -> dict[str, Any]:
    payload = exported.payload.get("function", exported.payload)
    keys = ("parameters", "input_schema", "parametersJsonSchema")
    schema: dict[str, Any] = next(payload[key] for key in keys if key in payload)
    return schema


def losses(exported: Exported) -> list[str]:
    return [f"{loss.location} {loss.effect}" for loss in exported.report]


def strict_openai(schema: dict[str, Any]) -> Exported:
    return openai_chat.export_tool(define(schema), strict=True)


def is_sound(exported: Exported) -> bool:
    """Whether all valid arguments can be sent, according to the report."""
    return not any(
        loss.effect in ("narrowed", "impossible") and loss.keyword != "description"
        for loss in exported.report
    )


@pytest.mark.parametrize(
    ("kind", "schema", "expected", "lost"),
    [
        ("openai strict", {"type": "string", "minLength": 1, "pattern": "^a"},
            {"type": "string", "pattern": "^a"}, ["/minLength dropped"]),
        ("openai strict", {"type": "string", "format": "uri"}, TEXT, ["/format dropped"]),
        ("openai strict", {"type": "string", "format": "date"}, {"type": "string", "format": "date"}, []),
        ("openai strict", {"type": "string", "pattern": "^(?!a)"}, TEXT, ["/pattern dropped"]),
        ("openai strict", {"type": "integer", "default": 1, "minimum": 1},
            {"type": "integer", "minimum": 1}, ["/default dropped"]),
        ("openai strict", {"const": "a"}, {"type": "string", "enum": ["a"]}, []),
        ("openai strict", {"enum": [1, 2.5]}, {"type": "number", "enum": [1, 2.5]}, []),
        ("openai strict", {"type": "string", "enum": ["a", None]}, {"type": "string", "enum": ["a"]}, []),
        ("openai strict", {"enum": [{}]}, {"type": "object", "properties": {},
            "additionalProperties": True}, [" impossible", "/enum dropped"]),
        ("openai strict", {"type": ["string", "null"]}, {"type": ["string", "null"]}, []),
        ("openai strict", {"type": ["array", "null"], "items": TEXT},
            {"anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]}, []),
        ("openai strict", {"oneOf": [TEXT, {"type": "integer"}]},
            {"anyOf": [TEXT, {"type": "integer"}]}, ["/oneOf rewritten"]),
        ("openai strict", {"allOf": [TEXT, {"pattern": "a"}]}, {"type": "string", "pattern": "a"}, []),
        ("openai strict", {"allOf": [{"type": "string", "pattern": "b"}, {"pattern": "a"}]},
            {"type": "string", "pattern": "b"}, ["/allOf/1/pattern dropped"]),
        ("openai strict", {"type": "integer", "allOf": [{"minimum": 1}, {"minimum": 3}]},
            {"type": "integer", "minimum": 3}, []),
        ("openai strict", {"type": "object"}, {"type": "object", "properties": {},
            "additionalProperties": True}, [" impossible"]),
        ("openai strict", {"type": "object", "additionalProperties": TEXT},
            {"type": "object", "properties": {}, "additionalProperties": TEXT},
            ["/additionalProperties impossible"]),
        ("openai strict", {"type": "object", "patternProperties": {"^x": TEXT}},
            {"type": "object", "properties": {}, "additionalProperties": True},
            ["/patternProperties impossible"]),
        ("openai strict", {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
            {**CLOSED, "properties": {"a": TEXT}, "required": ["a"]}, [" narrowed"]),
        ("openai strict", {}, {}, [" impossible"]),
        ("openai strict", True, {}, [" impossible"]),
        ("openai strict", {"type": "string", "not": {"const": "a"}}, TEXT, ["/not dropped"]),
        ("openai strict", {"type": "array", "prefixItems": [TEXT, {"type": "null"}], "items": False},
            {"type": "array", "items": {"anyOf": [TEXT, {"type": "null"}]}, "maxItems": 2},
            ["/prefixItems rewritten"]),
        ("openai strict", {"type": "array"}, {"type": "array", "items": {}}, [" impossible"]),
        ("openai strict", {"type": "array", "items": TEXT, "uniqueItems": True, "minItems": 2},
            {"type": "array", "items": TEXT, "minItems": 2}, ["/uniqueItems dropped"]),
        ("openai strict", {**CLOSED, "properties": {"a": TEXT, "b": False}},
            {**CLOSED, "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}, []),
        ("openai strict", {"type": "string", "if": {"minLength": 1}, "then": {"pattern": "a"}}, TEXT,
            ["/if dropped", "/then dropped"]),
        ("anthropic strict", {"type": "integer", "minimum": 1, "default": 1},
            {"type": "integer", "default": 1}, ["/minimum dropped"]),
        ("anthropic strict", {"type": "string", "format": "uri"}, {"type": "string", "format": "uri"}, []),
        ("anthropic strict", {"type": "string", "pattern": r"\ba"}, TEXT, ["/pattern dropped"]),
        ("anthropic strict", {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 3},
            {"type": "array", "items": TEXT, "minItems": 1}, ["/maxItems dropped", "/minItems rewritten"]),
        ("anthropic strict", {**CLOSED, "properties": {"a": TEXT}}, {**CLOSED, "properties": {"a": TEXT}}, []),
        ("anthropic strict", {"type": "object", "additionalProperties": TEXT},
            {"type": "object", "properties": {}, "additionalProperties": TEXT},
            ["/additionalProperties impossible"]),
        ("gemini", {"type": "string", "minLength": 1, "pattern": "a"}, TEXT,
            ["/minLength dropped", "/pattern dropped"]),
        ("gemini", {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0},
            ["/exclusiveMinimum rewritten"]),
        ("gemini", {"type": "object", "additionalProperties": TEXT},
            {"type": "object", "additionalProperties": TEXT}, []),
        ("gemini", {"type": "array", "prefixItems": [TEXT], "items": False},
            {"type": "array", "prefixItems": [TEXT], "maxItems": 1}, []),
        ("gemini", {"const": True}, {"type": "boolean"}, ["/const dropped"]),
        ("gemini", {}, {}, []),
        ("gemini", {"type": "object", "patternProperties": {"^x": TEXT}, "additionalProperties": False},
            {"type": "object"}, ["/additionalProperties dropped", "/patternProperties dropped"]),
        ("openai", {"type": "string", "pattern": "^(?!a)", "minLength": 1},
            {"type": "string", "minLength": 1}, ["/pattern dropped"]),
        ("openai", {"not": {"pattern": "^(?=a)"}}, {"not": {}}, ["/not/pattern narrowed"]),
        ("anthropic", {"oneOf": [TEXT, {"const": 1}], "not": {"const": "b"}},
            {"oneOf": [TEXT, {"const": 1}], "not": {"const": "b"}}, []),
    ],
)  # fmt: skip
def test_a_required_property(kind: str, schema: Any, expected: Any, lost: list[str]) -> None:
    provider, strict = KINDS[kind]
    root = {**CLOSED, "properties": {"v": schema}, "required": ["v"]}
    exported = export(define(root), provider, strict=strict)
    assert parameters(exported)["properties"]["v"] == expected
    assert losses(exported) == [f"/properties/v{loss}" for loss in lost]


@pytest.mark.parametrize(
    ("schema", "expected", "is_absent"),
    [
        (TEXT, {"type": ["string", "null"]}, True),
        ({"enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}, True),
        ({"anyOf": [TEXT, {"type": "integer"}]},
            {"anyOf": [TEXT, {"type": "integer"}, {"type": "null"}]}, True),
        ({"type": "array", "items": TEXT, "description": "d"},
            {"description": "d", "anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]}, True),
        ({"anyOf": [TEXT, {"type": "null"}], "default": None},
            {"anyOf": [TEXT, {"type": "null"}]}, False),
        ({"type": ["string", "null"], "not": {"type": "null"}}, {"type": ["string", "null"]}, True),
    ],
)  # fmt: skip
def test_an_optional_property_for_openai_strict(schema: Any, expected: Any, is_absent: Any) -> None:
    exported = strict_openai({**CLOSED, "properties": {"v": schema}})
    assert parameters(exported)["properties"]["v"] == expected
    assert parameters(exported)["required"] == ["v"]
    assert exported.null_means_absent == ((("properties", "v"),) if is_absent else ())


def test_null_cannot_be_distinguished_from_absent_where_both_are_valid() -> None:
    exported = strict_openai({**CLOSED, "properties": {"v": {"type": ["string", "null"]}}})
    assert losses(exported) == ["/properties/v narrowed"]
    assert import_arguments(exported, {"v": None}) == {"v": None}


def test_references_into_properties_still_resolve() -> None:
    schema = {**CLOSED, "properties": {
        "a": {**CLOSED, "properties": {"x": TEXT}}, "b": {"$ref": "#/properties/a"},
        "c": {"$ref": "#/properties/a/properties/x"}, "d": {"$ref": "#/properties/b"}}}  # fmt: skip
    exported = strict_openai(schema)
    check_openai_strict(parameters(exported))
    assert exported.report == ()
    sent = {"a": None, "b": {"x": "1"}, "c": "2", "d": {"x": None}}
    assert import_arguments(exported, sent) == {"b": {"x": "1"}, "c": "2", "d": {}}


def test_nulls_inside_definitions_are_removed() -> None:
    node = {
        **CLOSED,
        "properties": {"next": {"$ref": "#/$defs/node"}, "v": TEXT},
        "required": ["v"],
    }
    exported = strict_openai(
        {**CLOSED, "properties": {"head": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    )
    assert exported.null_means_absent == (
        ("$defs", "node", "properties", "next"), ("properties", "head"),
    )[::-1]  # fmt: skip
    sent = {"head": {"v": "1", "next": {"v": "2", "next": None}}}
    assert import_arguments(exported, sent) == {"head": {"v": "1", "next": {"v": "2"}}}


def test_the_branch_sent_decides_what_null_means() -> None:
    cat = {**CLOSED, "properties": {"kind": {"const": "cat"}, "a": TEXT}, "required": ["kind"]}
    dog = {**CLOSED, "properties": {"kind": {"const": "dog"}, "a": {"type": ["string", "null"]}},
           "required": ["kind", "a"]}  # fmt: skip
    exported = strict_openai(
        {**CLOSED, "properties": {"v": {"anyOf": [cat, dog]}}, "required": ["v"]}
    )
    assert exported.report == ()
    for kind, kept in (("cat", {}), ("dog", {"a": None})):
        sent = {"v": {"kind": kind, "a": None}}
        assert import_arguments(exported, sent) == {"v": {"kind": kind, **kept}}
    del cat["properties"]["kind"], dog["properties"]["kind"]
    cat["required"], dog["required"] = [], ["a"]
    twice = strict_openai({**CLOSED, "properties": {"v": {"anyOf": [cat, dog]}}, "required": ["v"]})
    assert losses(twice) == ["/properties/v narrowed"]


@pytest.mark.parametrize(
    ("export_tool", "schema", "note"),
    [
        (anthropic.export_tool, {**CLOSED, "properties": {f"p{n}": TEXT for n in range(25)}},
            "25 optional properties"),
        (anthropic.export_tool, {**CLOSED, "required": [f"p{n}" for n in range(17)],
            "properties": {f"p{n}": {"type": ["string", "null"]} for n in range(17)}}, "17 unions"),
        (openai_chat.export_tool, {**CLOSED, "properties": {f"p{n}": TEXT for n in range(5001)}},
            "5001 properties"),
        (openai_chat.export_tool, {**CLOSED, "properties": {"v": {"enum": [f"{n}" for n in range(1001)]}}},
            "enum values"),
        (openai_chat.export_tool, {**CLOSED, "properties": {"v": {"enum": [f"{n}" * 20 for n in range(300)]}}},
            "characters in one enum"),
        (anthropic.export_tool, {**CLOSED, "properties": {"v": {"$ref": "#"}}}, "recursion"),
        (anthropic.export_tool, {**CLOSED, "properties": {"a b": TEXT}}, "the name of a property"),
    ],
)  # fmt: skip
def test_a_tool_beyond_the_providers_limits_is_impossible(
    export_tool: Any, schema: Any, note: str
) -> None:
    report = export_tool(define(schema), strict=True).report
    assert any(loss.effect == "impossible" and note in loss.note for loss in report)


def test_nesting_levels_are_counted() -> None:
    schema: dict[str, Any] = TEXT
    for _ in range(11):
        schema = {**CLOSED, "properties": {"v": schema}, "required": ["v"]}
    assert "11 levels" in strict_openai(schema).report[0].note
    inner = schema["properties"]["v"]
    assert strict_openai(inner).report == ()


@pytest.mark.parametrize("kind", ["openai", "openai strict", "anthropic", "anthropic strict"])
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_root_that_is_a_union_becomes_one_object(kind: str, keyword: str) -> None:
    provider, strict = KINDS[kind]
    first = {**CLOSED, "properties": {"k": {"const": "a"}, "x": TEXT}, "required": ["k", "x"]}
    second = {**CLOSED, "properties": {"k": {"const": "b"}}, "required": ["k"]}
    tool = define({"type": "object", keyword: [first, second]})
    exported = export(tool, provider, strict=strict)
    root = parameters(exported)
    assert not root.keys() & {"anyOf", "oneOf", "allOf"}
    assert set(root["properties"]) == {"k", "x"}
    assert f"/{keyword} rewritten" in losses(exported)
    assert is_sound(exported)


def test_a_root_reference_and_all_of_are_folded() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [
        {**CLOSED, "properties": {"x": TEXT, "y": TEXT}}, {"required": ["x"]}]}}}  # fmt: skip
    for provider, strict in EVERY:
        root = parameters(export(define(schema), provider, strict=strict))
        assert root["type"] == "object"
        assert list(root["properties"]) == ["x", "y"]
        assert "x" in root["required"]


def test_draft_07_becomes_2020_12() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {
            "pair": {"type": "array", "items": [TEXT, {"type": "null"}], "additionalItems": False},
            "a": {"$ref": "#/definitions/a", "type": "null"},
        },
        "dependencies": {"a": ["pair"], "pair": {"required": ["a"]}},
        "dependentRequired": {"a": ["nothing in draft-07"]},
        "definitions": {"a": {"type": "integer"}},
    }  # fmt: skip
    exported = anthropic.export_tool(define(schema))
    assert exported.report == ()
    assert parameters(exported) == {
        "type": "object",
        "properties": {
            "pair": {"type": "array", "prefixItems": [TEXT, {"type": "null"}], "items": False},
            "a": {"$ref": "#/$defs/a"},
        },
        "dependentRequired": {"a": ["pair"]}, "dependentSchemas": {"pair": {"required": ["a"]}},
        "$defs": {"a": {"type": "integer"}},
    }  # fmt: skip


def test_a_reference_with_a_description_stays_one_for_anthropic() -> None:
    schema = {**CLOSED, "required": ["v"], "$defs": {"d": {**TEXT, "description": "e"}},
              "properties": {"v": {"$ref": "#/$defs/d", "description": "d"}}}  # fmt: skip
    written = parameters(anthropic.export_tool(define(schema), strict=True))
    assert written["properties"]["v"] == {**TEXT, "description": "d"}
    written = parameters(openai_chat.export_tool(define(schema), strict=True))
    assert written["properties"]["v"] == {"description": "d", "anyOf": [{"$ref": "#/$defs/d"}]}


@pytest.mark.parametrize("keyword", ["default", "examples", "enum", "const"])
def test_a_value_that_looks_like_a_reference_is_none(keyword: str) -> None:
    """`$ref` means something in a subschema only, and here it would be a recursion."""
    value = {"$ref": "#"}
    text = {**CLOSED, "properties": {"$ref": TEXT}, "required": ["$ref"]}
    listed = [value] if keyword in ("examples", "enum") else value
    node = {**text, keyword: listed}
    reference = {"$ref": "#/$defs/node", "maxProperties": 3}
    below = {**CLOSED, "properties": {"w": reference}, "required": ["w"]}
    schema = {**CLOSED, "properties": {"v": below}, "$defs": {"node": node}}
    report = export(define(schema), "anthropic", strict=True).report
    assert [str(loss) for loss in report if "recursi" in loss.note] == []


def test_keywords_beside_a_recursive_reference_are_dropped() -> None:
    schema = {**CLOSED, "properties": {"v": {"$ref": "#", "maxProperties": 2, "title": "t"}}}
    exported = strict_openai(schema)
    assert losses(exported) == ["/properties/v/maxProperties dropped"]
    assert parameters(exported)["properties"]["v"] == {
        "title": "t", "anyOf": [{"$ref": "#"}, {"type": "null"}]}  # fmt: skip


def test_referenced_resources_are_included() -> None:
    resources = {
        "line.json": {"$defs": {"x/y": {"type": "string", "maxLength": 3, "$ref": "#/$defs/z"},
                                "z": {"pattern": "a"}}},
        "https://b.example/s": {"$anchor": "here", "type": "integer"},
    }  # fmt: skip
    schema = {**CLOSED, "required": ["a", "b"], "properties": {
        "a": {"$ref": "line.json#/$defs/x~1y", "description": "d"},
        "b": {"$ref": "https://b.example/s#here"}}}  # fmt: skip
    tool = define(schema, resources=resources)
    for provider, strict in EVERY:
        exported = export(tool, provider, strict=strict)
        again = ToolDefinition("t", "", parameters(exported))
        assert check_tool_arguments(again, {"a": "ba", "b": 1}) == ()
        assert check_tool_arguments(again, {"a": "ba", "b": "x"})
    assert "/properties/a/$ref/maxLength dropped" in losses(
        export(tool, "openai-chat", strict=True)
    )


def test_every_provider_gets_its_own_form_of_payload() -> None:
    tool = ToolDefinition("now", "The time.", CLOSED)
    empty = {**CLOSED, "properties": {}}
    strict = {**empty, "required": []}
    assert openai_chat.export_tool(tool, strict=True).payload == {"type": "function", "function": {
        "name": "now", "description": "The time.", "parameters": strict, "strict": True}}  # fmt: skip
    assert openai_responses.export_tool(tool).payload == {
        "type": "function", "name": "now", "description": "The time.", "parameters": empty, "strict": False,
    }  # fmt: skip
    assert anthropic.export_tool(tool, strict=True).payload == {
        "name": "now", "description": "The time.", "input_schema": empty, "strict": True}  # fmt: skip
    assert "strict" not in anthropic.export_tool(tool).payload
    assert gemini.export_tool(tool).payload == {
        "name": "now", "description": "The time.", "parametersJsonSchema": CLOSED}  # fmt: skip
    assert losses(gemini.export_tool(tool, strict=True)) == [" dropped"]


def test_a_long_description_is_sent_in_full_and_reported() -> None:
    exported = openai_chat.export_tool(ToolDefinition("t", "x" * 1025, {}))
    assert [loss.keyword for loss in exported.report] == ["description"]
    assert len(exported.payload["function"]["description"]) == 1025


def test_the_original_name_can_be_found() -> None:
    names = ["files.read", "files_read", "files/read", "é" * 80, "é" * 81, "7up", "a" * 64]
    for export_tool, profile, longest in (
        (openai_chat.export_tool, OPENAI[False], 64), (anthropic.export_tool, ANTHROPIC[False], 128),
        (gemini.export_tool, GEMINI, 128),
    ):  # fmt: skip
        exports = distinct((export_tool(ToolDefinition(name, "", {})) for name in names), profile)
        used = [exported.provider_name for exported in exports]
        assert len(set(used)) == len(names)
        assert [original_name(exports, name) for name in used] == names
        assert used[1] == "files_read"
        assert max(map(len, used)) <= longest
        assert all(
            profile.name_character.fullmatch(character) for name in used for character in name
        )
    with pytest.raises(UnknownToolError):
        original_name([], "x")
    with pytest.raises(ValueError, match="the same name"):
        distinct([exports[0], exports[0]], GEMINI)
    assert provider_name("7up", GEMINI) == "_7up"


@pytest.mark.parametrize(
    "text", ['{"v": null, "v": null}', '{"v": nul', "", "[]", '"v"', '{"w": 1e400}', '{"v": "a"}', b'{"v": 1}']
)  # fmt: skip
def test_text_with_nothing_to_remove_is_returned_unchanged(text: str | bytes) -> None:
    exported = strict_openai({**CLOSED, "properties": {"v": TEXT}})
    assert import_arguments(exported, text) is text


def test_removing_a_null_keeps_numbers_exact() -> None:
    tool = define({**CLOSED, "properties": {"v": TEXT, "n": {"type": "integer"}}})
    exported = openai_responses.export_tool(tool, strict=True)
    text = import_arguments(exported, f'{{"v": null, "n": {2**70}}}')
    assert parse_tool_arguments(tool, text) == {"n": 2**70}


def test_values_are_neither_changed_nor_repaired() -> None:
    exported = strict_openai(
        {**CLOSED, "properties": {"v": {"type": "array", "items": TEXT}, "w": TEXT}}
    )
    sent = {"v": None, "w": 5, "extra": None}
    assert import_arguments(exported, sent) == {"w": 5, "extra": None}
    assert sent == {"v": None, "w": 5, "extra": None}
    loop: dict[str, Any] = {}
    loop["v"] = [loop]
    for odd in (None, 5, [None], {"v": [1]}, {1: None}, object(), loop):
        assert import_arguments(exported, odd) is odd


@pytest.mark.parametrize(("provider", "strict"), EVERY)
def test_exporting_neither_changes_nor_shares_the_schema(provider: str, strict: Any) -> None:
    for tool in load_tools(SCHEMAS).values():
        before = json.dumps([tool.parameters, tool.resources])
        first, second = (export(tool, provider, strict=strict) for _ in range(2))
        assert first == second
        parameters(first).clear()
        assert parameters(second)
        assert json.dumps([tool.parameters, tool.resources]) == before


def test_the_payload_does_not_depend_on_the_hash_seed() -> None:
    command = [sys.executable, "-m", "toolschema", "export", "schemas", "--strict", "--provider"]
    for provider in ("openai-chat", "gemini"):
        done = {
            subprocess.run([*command, provider], capture_output=True, check=True, cwd=ROOT,
                env={**os.environ, "PYTHONHASHSEED": seed}).stdout
            for seed in ("1", "2")
        }  # fmt: skip
        assert len(done) == 1


@pytest.mark.parametrize(("provider", "strict"), EVERY)
def test_the_projects_schemas_export_to_every_provider(
    provider: str, strict: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    frozen = json.loads((DATA / "exports.json").read_text(encoding="utf-8"))
    arguments = ["export", "schemas", "--provider", provider, *["--strict"] * strict]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err.splitlines() == frozen[f"{provider}{' strict' * strict}"]
    tools = json.loads(printed.out)
    if provider == "gemini":
        [tools] = [tool["functionDeclarations"] for tool in tools]
    assert len(tools) == 8
    assert main([*arguments, "--fail-on-loss"]) == (1 if printed.err else 0)


def test_the_command_refuses_unusable_options(tmp_path: Path) -> None:
    assert main(["export", str(tmp_path), "--provider", "gemini"]) == 2
    (tmp_path / "a.json").write_text('{"type": "objekt"}')
    assert main(["export", str(tmp_path), "--provider", "gemini"]) == 2
    with pytest.raises(SystemExit):
        main(["export", "schemas", "--provider", "other"])


ALLOWED = frozenset(
    [
        "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "$ref",
        "$defs", "title", "description", "pattern", "format", "multipleOf", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
    ]
)  # fmt: skip


def check_openai_strict(root: dict[str, Any]) -> None:
    """Check every subschema against the rules that the provider documents."""
    assert root["type"] == "object"
    for schema in subschemas(root):
        assert schema.keys() <= ALLOWED
        assert "$ref" not in schema or schema.keys() == {"$ref"}
        assert schema.keys() & {"type", "anyOf", "$ref"}
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
        if schema.get("type") == "array":
            assert "items" in schema
        reference = schema.get("$ref", "#")
        assert reference == "#" or reference.removeprefix("#/$defs/") in root["$defs"]


def subschemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    below = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    below += [
        *schema.get("anyOf", []),
        *[schema[keyword] for keyword in ("items",) if keyword in schema],
    ]
    for subschema in below:
        yield from subschemas(subschema)


def test_every_real_tool_is_exported_to_every_provider() -> None:
    checked = 0
    for row in foreign_rows("mcp_tools.jsonl"):
        tool = ToolDefinition(row["name"], row["description"] or "", row["inputSchema"])
        for provider, strict in EVERY:
            exported = export(tool, provider, strict=strict)
            ToolDefinition("again", "", parameters(exported))
            if provider == "openai-chat" and strict:
                effects = {loss.effect for loss in exported.report}
                if "impossible" not in effects:
                    checked += 1
                    check_openai_strict(parameters(exported))
    assert checked > 1300


@pytest.mark.parametrize("block", range(10))
def test_valid_arguments_can_be_sent_and_come_back(block: int) -> None:
    """Unless the report says that something cannot be sent."""
    judged = 0
    for seed in range(block * 20, block * 20 + 20):
        random = Random(seed)  # noqa: S311
        tool = some_tool(random)
        if tool is None:
            continue
        tools = Tools(random)
        values = [tools.value(tool.parameters, tool.parameters) for _ in range(8)]
        judged += hold_the_law(tool, values)
    assert judged > 50


def test_any_exportable_schema_obeys_the_same_law() -> None:
    judged = 0
    for seed in range(150):
        random = Random(seed)  # noqa: S311
        case = Schemas(random).case()
        if case.is_hard:
            continue
        try:
            tool = case.define()
        except ToolSchemaError:
            continue
        values = Values(random, case)
        schema = case.schema["properties"]["v"]
        judged += hold_the_law(tool, [{"v": values.fit(schema, 5)} for _ in range(8)])
    assert judged > 500


def hold_the_law(tool: ToolDefinition[Any], values: list[Any]) -> int:
    judged = 0
    valid = [value for value in values if not check_tool_arguments(tool, value)]
    for provider, strict in EVERY:
        exported = export(tool, provider, strict=strict)
        if not is_sound(exported):
            continue
        model = Model(exported, parameters(exported))
        for value in valid:
            judged += 1
            back = [import_arguments(exported, sent) for sent in model.sent(value)]
            assert value in back, (provider, strict, tool.parameters, value)
    return judged


def doubling_unions() -> dict[str, Any]:
    schema: dict[str, Any] = TEXT
    for _ in range(25):
        branches = [{"required": ["v"]}, {"maxProperties": 0}]
        schema = {**CLOSED, "properties": {"v": schema}, "anyOf": branches}
    return schema


def doubling_references() -> dict[str, Any]:
    definitions: dict[str, Any] = {"d40": TEXT}
    for number in range(40):
        below = {"$ref": f"#/$defs/d{number + 1}"}
        properties = {"a": {**below, "maxProperties": 9}, "b": {**below, "maxProperties": 8}}
        definitions[f"d{number}"] = {**CLOSED, "properties": properties}
    return {**CLOSED, "properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


@pytest.mark.parametrize("schema", [doubling_unions(), doubling_references()])
def test_an_exponentially_expanding_schema_is_exported_in_bounded_time(
    schema: dict[str, Any],
) -> None:
    for provider, strict in EVERY:
        assert len(json.dumps(export(define(schema), provider, strict=strict).payload)) < 5_000_000


def test_imported_arguments_are_still_validated() -> None:
    tool = define({**CLOSED, "properties": {"v": {"type": "string", "minLength": 2}, "w": TEXT}})
    exported = openai_chat.export_tool(tool, strict=True)
    with pytest.raises(ToolArgumentsValidationError, match="fewer than 2 characters"):
        parse_tool_arguments(tool, import_arguments(exported, '{"v": "a", "w": null}'))

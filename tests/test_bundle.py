"""All tools in one file: made of a folder, and read as the folder is."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from random import Random
from typing import Any

import differential
import pytest
from conftest import ROOT, foreign_rows
from test_contract import CASES, case_id
from test_load import write

from toolschema import (
    ToolDefinition,
    ToolSchemaError,
    ToolSet,
    check_tool_arguments,
    feedback,
    load_tools,
)
from toolschema.bundle import bundle
from toolschema.cli._lint import invalid_samples, non_portable_patterns

SCHEMAS = load_tools(ROOT / "schemas")
BASE = "https://toolschema.invalid/"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tools.json"


def reread(tools: ToolSet, path: Path) -> ToolSet:
    path.write_bytes(bundle(tools).data)
    return load_tools(path)


def document(tools: ToolSet) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(bundle(tools).data)
    return made


def said(tool: ToolDefinition[Any], arguments: Any) -> list[tuple[Any, ...]]:
    issues = check_tool_arguments(tool, arguments)
    return [*((str(each), each.keyword_location, each.keyword) for each in issues)]


def assert_same(tools: ToolSet, again: ToolSet, calls: dict[str, list[Any]]) -> None:
    """The law: a bundle says of every call what its tools say, and bundles to itself."""
    assert list(again) == list(tools)
    assert bundle(again) == bundle(tools)
    for name, tool in tools.items():
        assert again[name].title == tool.title or tool.title is None
        assert again[name].description == tool.description
        for call in calls[name]:
            assert said(again[name], call) == said(tool, call)


def wrong_calls(tool: ToolDefinition[Any]) -> list[Any]:
    schema = tool.parameters
    names = list(schema.get("properties", {}))
    calls = [{}, {"unknown": 1}, [], *schema.get("examples", ())]
    values: list[Any] = [1, "", [{}], {"a": None}]
    return [*calls, *(dict.fromkeys(names, value) for value in values)]


def test_a_bundle_of_the_projects_schemas_is_read_as_the_folder_is(path: Path) -> None:
    again = reread(SCHEMAS, path)
    assert_same(SCHEMAS, again, {name: wrong_calls(tool) for name, tool in SCHEMAS.items()})
    for name, tool in SCHEMAS.items():
        assert again[name].parameters == tool.parameters
        for call in wrong_calls(tool):
            issues = check_tool_arguments(tool, call)
            if issues:
                assert feedback(again[name], issues, call) == feedback(tool, issues, call)


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_a_bundle_gives_the_same_answer_to_every_contract_case(
    case: dict[str, Any], path: Path
) -> None:
    tool = ToolDefinition("tool", "", case["schema"], resources=case.get("resources", {}))
    tools = ToolSet([tool])
    assert_same(tools, reread(tools, path), {"tool": [case["arguments"]]})


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_a_bundle_of_any_schema_is_read_alike(
    start: int, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "toolschema")
    for number in range(start, start + 20):
        random = Random(f"bundle:{number}")  # noqa: S311
        case = differential.Schemas(random).case()
        try:
            tools = ToolSet([case.define(hides=False)])
        except ToolSchemaError:
            continue
        values = differential.Values(random, case)
        below = case.schema["properties"]["v"]
        calls = [{"v": values.fit(below, 5)} for _ in range(10)]
        assert_same(tools, reread(tools, path), {"tool": calls})


@pytest.mark.once
def test_a_bundle_of_every_real_mcp_tool_is_read_alike(path: Path) -> None:
    tools: dict[str, ToolDefinition[Any]] = {}
    for number, row in enumerate(foreign_rows("mcp_tools.jsonl")):
        name = f"{row['name']} {number}"
        schema = row["inputSchema"]
        tools[name] = ToolDefinition(name, row.get("description") or "", schema)
    every = ToolSet(tools.values())
    calls = {name: wrong_calls(tool) for name, tool in every.items()}
    again = reread(every, path)
    assert_same(every, ToolSet(map(again.__getitem__, every)), calls)


def test_the_bytes_do_not_depend_on_order_and_white_space(tmp_path: Path) -> None:
    for path in (ROOT / "schemas").glob("*.json"):
        turned = dict(reversed(json.loads(path.read_bytes()).items()))
        (tmp_path / path.name).write_text(json.dumps(turned, indent=7), encoding="utf-8")
    assert bundle(load_tools(tmp_path)) == bundle(SCHEMAS)


def test_the_digest_is_that_of_the_bytes() -> None:
    made = bundle(SCHEMAS)
    assert made.digest == f"sha256:{hashlib.sha256(made.data).hexdigest()}"
    assert made.dialects == ("2020-12",)


def test_schemas_are_embedded_unchanged_under_their_ids() -> None:
    made = document(SCHEMAS)
    for path in (ROOT / "schemas").glob("*.json"):
        schema = json.loads(path.read_bytes())
        assert made["$defs"][schema["$id"]] == schema
    assert made["properties"]["read"] == {"$ref": "https://toolschema.example/schemas/read.json"}


def test_the_whole_accepts_the_name_of_a_tool_with_its_arguments() -> None:
    whole = ToolDefinition("any", "", document(SCHEMAS))
    example = SCHEMAS["write"].parameters["examples"][0]
    assert check_tool_arguments(whole, {"write": example}) == ()
    assert check_tool_arguments(whole, {"write": {**example, "path": 1}}) == (
        "/write/path: must be string",
    )
    for call in ({}, {"rite": example}, {"write": example, "read": {}}):
        assert check_tool_arguments(whole, call)


def test_only_schemas_that_a_tool_reaches_are_included(tmp_path: Path) -> None:
    write(tmp_path, a={"$ref": "_b.json"}, _b={"required": ["x"]}, _c={})
    assert list(document(load_tools(tmp_path))["$defs"]) == [f"{BASE}_b.json", f"{BASE}a.json"]


def test_a_file_without_id_gets_a_uri_and_loses_it_again(tmp_path: Path, path: Path) -> None:
    folder = write(
        tmp_path / "folder",
        a={"properties": {"x": {"$ref": "sub/b.json"}}},
        sub__b={"$ref": "../_c.json#/$defs/n"},
        _c={"$defs": {"n": {"type": "number"}}},
    )
    tools = load_tools(folder)
    made = document(tools)
    assert made["$defs"][f"{BASE}sub/b.json"] == {
        "$id": f"{BASE}sub/b.json",
        "$ref": "../_c.json#/$defs/n",
    }
    again = reread(tools, path)
    assert_same(tools, again, {"a": [{"x": "1"}, {"x": 1}]})
    assert again["a"].parameters == tools["a"].parameters


def test_a_reference_to_the_uri_of_a_file_with_an_id_becomes_the_id(
    tmp_path: Path, path: Path
) -> None:
    inner = {"n": {"type": "number"}}
    folder = write(
        tmp_path / "folder",
        a={"properties": {"x": {"$ref": "_c.json#/$defs/n"}, "y": {"const": {"$ref": "_c.json"}}}},
        _c={"$id": "https://e.x/c.json", "$defs": inner},
    )
    tools = load_tools(folder)
    properties = document(tools)["$defs"][f"{BASE}a.json"]["properties"]
    assert properties["x"]["$ref"] == "https://e.x/c.json#/$defs/n"
    assert properties["y"]["const"] == {"$ref": "_c.json"}
    assert_same(tools, reread(tools, path), {"a": [{"x": "1"}, {"y": 1}]})


def test_tools_made_in_code_keep_their_title_and_description(path: Path) -> None:
    schema = {"description": "No.", "required": ["x"]}
    tools = ToolSet(
        [ToolDefinition("a/b c", "Yes.", schema, title="Yes"), ToolDefinition("d", "", schema)]
    )
    assert_same(tools, reread(tools, path), {"a/b c": [{}], "d": [{}]})
    assert list(document(tools)["$defs"]) == [f"{BASE}a%2Fb%20c.json", f"{BASE}d.json"]


def test_a_bundle_names_the_dialects_that_a_reader_must_support(path: Path) -> None:
    old = {"$schema": DRAFT_07, "properties": {"x": {"$ref": "c"}}}
    resources = {"c": {"items": [{"type": "null"}]}}
    tools = ToolSet(
        [ToolDefinition("a", "", old, resources=resources), ToolDefinition("b", "", {})]
    )
    assert bundle(tools).dialects == ("2020-12", "draft-07")
    assert document(tools)["$defs"][f"{BASE}c"]["$schema"] == DRAFT_07
    assert_same(tools, reread(tools, path), {"a": [{"x": [1]}], "b": []})


def in_code(*schemas: Any, **options: Any) -> ToolSet:
    return ToolSet([ToolDefinition(f"t{n}", "", each, **options) for n, each in enumerate(schemas)])


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        pytest.param(
            in_code({"$id": "https://e.x/a"}, {"$id": "https://e.x/a", "title": "b"}),
            'tool "t1"#/$id: is also the $id of tool "t0"#',
            id="two schemas with one $id",
        ),
        pytest.param(
            in_code({"$defs": {"x": {"$id": "https://e.x/a"}}}, {"$id": "https://e.x/a"}),
            'tool "t1"#/$id: is also the $id of tool "t0"#/$defs/x',
            id="one inside the other tool",
        ),
        pytest.param(
            in_code({"$ref": "c"}, resources={"c": True}),
            'c#: cannot have the $id that a bundle needs; write {} for true, and {"not": {}} for false',
            id="a schema that is no object",
        ),
        pytest.param(
            in_code({"$ref": "c"}, {"$schema": DRAFT_07, "items": {"$ref": "c"}}, resources={"c": {}}),
            "c#/$id: is read as draft-07 here and as another dialect elsewhere; declare $schema",
            id="one schema in two dialects",
        ),
        pytest.param(
            in_code({"$schema": DRAFT_07, "$id": "#a"}),
            'tool "t0"#/$id: must be more than a fragment to be part of a bundle',
            id="an $id that is an anchor",
        ),
        pytest.param(
            in_code({"$id": "https://e.x/a", "$defs": {"x": {"$id": BASE}}}),
            'tool "t0"#/$defs/x/$id: is the $id of the bundle itself',
            id="the $id of the bundle",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_bundled(tools: ToolSet, message: str) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        bundle(tools)
    assert [str(fault) for fault in caught.value.faults] == [message]


def test_equal_schemas_with_one_id_are_one(path: Path) -> None:
    tools = in_code(
        *[{"$id": "https://e.x/a", "$defs": {"x": {"$id": "b"}}, "required": ["y"]}] * 2
    )
    assert len(document(tools)["$defs"]) == 1
    assert_same(tools, reread(tools, path), {"t0": [{}], "t1": [{}]})


def test_a_bundle_too_large_to_be_read_is_not_written() -> None:
    with pytest.raises(ToolSchemaError, match="the bundle: would be longer than 67108864 bytes"):
        bundle(ToolSet([ToolDefinition("a", "x" * 2**26, {})]))


def test_only_a_tool_set_can_be_bundled() -> None:
    with pytest.raises(TypeError, match="tools must be a ToolSet, not list"):
        bundle([])  # type: ignore[arg-type]


def faults(path: Path, value: Any) -> list[str]:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    with pytest.raises(ToolSchemaError) as caught:
        load_tools(path)
    return [str(fault).removeprefix(path.as_posix()) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "value", [{}, [], {"$defs": {}}, {"$defs": [], "properties": {}}, {"type": "object"}]
)
def test_a_file_that_is_not_a_bundle_gives_one_error(value: Any, path: Path) -> None:
    assert faults(path, value) == [
        ": is not a bundle of tools: it needs $defs and properties, as a bundle is written"
    ]


def test_a_bundle_that_is_not_json_gives_one_error(path: Path) -> None:
    assert faults(path, '{"$defs": {') == [
        ": a schema file must be valid JSON (truncated at line 1 column 12)"
    ]


def test_every_fault_of_a_bundle_is_named_with_its_location(path: Path) -> None:
    value: Any = document(in_code({}, {"$ref": "c"}, resources={"c": {}}))
    value |= {"maxProperties": 2, "allOf": [False]}
    value["$defs"] |= {
        f"{BASE}t0.json": {"$id": f"{BASE}t0.json", "properties": {"x": {"type": "strin"}}},
        f"{BASE}c": {"$id": f"{BASE}c", "$ref": "gone"},
        "relative": {"$id": "relative"},
        "https://e.x/other": {"$id": "https://e.x/another"},
        "https://e.x/list": [],
        "https://[": {"$id": "https://["},
    }
    value["properties"] |= {
        "": {"$ref": f"{BASE}t0.json"},
        "list": [],
        "nowhere": {"$ref": "gone", "title": 5, "type": "object"},
    }
    found = faults(path, value)
    places = [each.split(": ")[0] for each in found]
    defs = f"#/$defs/{BASE.replace('/', '~1')}"
    assert places == [
        "#/$defs/https:~1~1[/$id",
        "#/$defs/https:~1~1e.x~1list",
        "#/$defs/https:~1~1e.x~1other/$id",
        f"{defs}c/$ref",
        f"{defs}t0.json/properties/x/type",
        "#/$defs/relative/$id",
        "#/allOf",
        "#/maxProperties",
        "#/properties/",
        "#/properties/list",
        "#/properties/nowhere/$ref",
        "#/properties/nowhere/title",
        "#/properties/nowhere/type",
    ]


def test_a_schema_that_nothing_refers_to_is_checked_too(path: Path) -> None:
    value = document(in_code({}))
    value["$defs"]["https://e.x/rest"] = {"$id": "https://e.x/rest", "type": "numbr"}
    assert [each.split(": ")[0] for each in faults(path, value)] == [
        "#/$defs/https:~1~1e.x~1rest/type"
    ]


def test_a_file_that_is_larger_than_any_bundle_is_refused(path: Path) -> None:
    path.write_bytes(b" " * (64 * 1024 * 1024) + b"{}")
    with pytest.raises(ToolSchemaError, match="must not be longer than 67108864 bytes"):
        load_tools(path)


def test_a_schema_of_the_greatest_depth_fits_into_a_bundle(tmp_path: Path, path: Path) -> None:
    folder = write(tmp_path / "folder", a=f'{{"default": {"[" * 119}{"]" * 119}}}')
    tools = load_tools(folder)
    assert reread(tools, path)["a"].parameters == tools["a"].parameters
    path.write_text(f'{{"$defs": {{"a": {"[" * 121}{"]" * 121}}}, "properties": {{}}}}')
    with pytest.raises(ToolSchemaError, match="nested deeper than 122 levels"):
        load_tools(path)


def test_warnings_about_a_bundle_have_locations_in_it(path: Path) -> None:
    schema = {"properties": {"x": {"pattern": "(?i)a", "default": 5, "type": "string"}}}
    again = reread(in_code(schema, schema), path)
    for warnings in (non_portable_patterns(again.values()), invalid_samples(again.values())):
        assert [(each.source, (each.location or "").split("/properties")[0]) for each in warnings] == [
            (path.as_posix(), "/$defs/https:~1~1toolschema.invalid~1t0.json"),
            (path.as_posix(), "/$defs/https:~1~1toolschema.invalid~1t1.json"),
        ]  # fmt: skip


def test_a_bundle_may_be_reformatted(path: Path) -> None:
    """What counts is the document: editors and formatters change its bytes."""
    path.write_text(json.dumps(document(SCHEMAS), indent=4), encoding="utf-8-sig")
    assert bundle(load_tools(path)) == bundle(SCHEMAS)


def test_bounds_beyond_a_double_are_kept(path: Path) -> None:
    tools = in_code({"properties": {"x": {"maximum": 2**64 + 1}}})
    calls = [{"x": 2**64 + 1}, {"x": 2**64 + 2}]
    assert_same(tools, reread(tools, path), {"t0": calls})
    assert [len(check_tool_arguments(tools["t0"], call)) for call in calls] == [0, 1]

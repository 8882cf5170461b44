"""Folders of schema files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from toolschema import (
    Limits,
    ToolSchemaError,
    check_tool_arguments,
    load_tool,
    load_tools,
    validate_tool_arguments,
)


def write(folder: Path, **files: Any) -> Path:
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return folder


def test_every_file_at_the_top_level_is_a_tool(tmp_path: Path) -> None:
    write(tmp_path, b={"title": "B", "description": "Does b."}, a={}, _c={}, sub__d={})
    (tmp_path / "notes.txt").write_text("no schema")
    (tmp_path / ".hidden.json").write_text("no schema")
    tools = load_tools(tmp_path)
    assert list(tools) == ["a", "b"]
    assert (tools["b"].title, tools["b"].description) == ("B", "Does b.")
    assert load_tools(str(tmp_path)) == tools


def test_relative_references_resolve_against_the_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        a={"properties": {"x": {"$ref": "_c.json#/$defs/n"}, "y": {"$ref": "sub/d.json"}}},
        _c={"$defs": {"n": {"type": "number"}}},
        sub__d={"$ref": "../_c.json#/$defs/n"},
    )
    for tool in (load_tools(tmp_path)["a"], load_tool(tmp_path / "a.json")):
        assert check_tool_arguments(tool, {"x": "1", "y": "1"}) == (
            "/x: must be number",
            "/y: must be number",
        )


def test_relative_references_resolve_against_an_id(tmp_path: Path) -> None:
    write(
        tmp_path,
        a={"$id": "https://e.x/t/a.json", "properties": {"x": {"$ref": "c.json"}}},
        _c={"$id": "https://e.x/t/c.json", "type": "number"},
    )
    assert check_tool_arguments(load_tools(tmp_path)["a"], {"x": "1"}) == ("/x: must be number",)
    write(tmp_path, _c={"type": "number"})
    with pytest.raises(ToolSchemaError, match=r"starts from the \$id of its schema"):
        load_tools(tmp_path)


def test_tools_may_refer_to_each_other(tmp_path: Path) -> None:
    write(
        tmp_path,
        a={"properties": {"b": {"$ref": "b.json"}}},
        b={"properties": {"a": {"$ref": "a.json"}, "n": {"type": "null"}}},
    )
    tools = load_tools(tmp_path)
    assert check_tool_arguments(tools["a"], {"b": {"a": {"b": {"n": 1}}}}) == (
        "/b/a/b/n: must be null",
    )


def test_every_bad_file_and_every_fault_is_listed(tmp_path: Path) -> None:
    write(
        tmp_path,
        a={"type": "strin", "required": 5},
        b='{"type": "object"',
        c='{"type": "object", "type": "object"}',
        d={"$ref": "gone.json"},
        e={},
        f={"title": 5},
        _g='{"a": NaN}',
    )
    with pytest.raises(ToolSchemaError) as caught:
        load_tools(tmp_path)
    folder = tmp_path.as_posix()
    assert [str(fault).removeprefix(folder + "/") for fault in caught.value.faults] == [
        "_g.json: a schema file must be valid JSON (NaN or Infinity at line 1 column 7)",
        "a.json#/required: must be a list of property names, beside the properties that it is about",
        'a.json#/type: must be "object": arguments always are one',
        "b.json: a schema file must be valid JSON (truncated at line 1 column 18)",
        "c.json: a schema file must not have duplicate properties type",
        'd.json#/$ref: "gone.json" leads to https://toolschema.invalid/gone.json, which is not loaded; nothing is ever fetched. A relative reference starts from the $id of its schema where there is one, and from the URI of its file otherwise',
        "f.json#/title: must be a string",
    ]


def test_an_unreferenced_bad_file_is_listed_too(tmp_path: Path) -> None:
    write(
        tmp_path, a={}, _c={"$defs": {"n": {"type": "numbr"}}}, sub__d={"minLength": "1"}, _e=True
    )
    with pytest.raises(ToolSchemaError) as caught:
        load_tools(tmp_path)
    assert [fault.location for fault in caught.value.faults] == ["/$defs/n/type", "/minLength"]


def test_one_tool_is_unaffected_by_files_it_does_not_reference(tmp_path: Path) -> None:
    write(
        tmp_path, a={"properties": {"x": {"$ref": "_c.json"}}}, _c={"type": "null"}, b="{", _d="{"
    )
    assert check_tool_arguments(load_tool(tmp_path / "a.json"), {"x": 1}) == ("/x: must be null",)
    write(tmp_path, _c="{")
    with pytest.raises(ToolSchemaError, match=r"_c.json: a schema file must be valid JSON"):
        load_tool(tmp_path / "a.json")
    with pytest.raises(ToolSchemaError, match=r"b.json: a schema file must be valid JSON"):
        load_tool(tmp_path / "b.json")


def test_symbolic_links_count_only_if_they_stay_in_the_folder(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside", secret={"type": "null"})
    inside = write(tmp_path / "inside", a={"properties": {"x": {"$ref": "link.json"}}}, b={})
    (inside / "link.json").symlink_to(secret / "secret.json")
    (inside / "folder").symlink_to(secret)
    (inside / "c.json").symlink_to(inside / "b.json")
    (inside / "dangling.json").symlink_to(inside / "nothing.json")
    with pytest.raises(ToolSchemaError, match=r"link\.json, which is not loaded"):
        load_tools(inside)
    write(inside, a={})
    assert list(load_tools(inside)) == ["a", "b", "c"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    assert list(load_tools(tmp_path)) == []
    with pytest.raises(ToolSchemaError, match="is not a regular file"):
        load_tool(tmp_path / "pipe.json")


def test_a_file_has_a_size_limit_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, a={"title": "x" * 100})
    assert load_tools(tmp_path, limits=Limits(max_bytes=50, max_nodes=1))
    (tmp_path / "b.json").write_bytes(b" " * 2**24 + b"{}")
    with pytest.raises(ToolSchemaError, match="must not be longer than 16777216 bytes"):
        load_tools(tmp_path)


def test_infinite_numbers_are_refused_in_a_file(tmp_path: Path) -> None:
    write(tmp_path, a='{"properties": {"x": {"maximum": 1e400}}}')
    with pytest.raises(ToolSchemaError, match=r"a\.json#/properties/x/maximum: must be a finite"):
        load_tools(tmp_path)


@pytest.mark.parametrize("name", ["_c+d", "_c@1", "_c,(x)", "_ü", "_a b"])
def test_files_with_any_name_can_be_referenced(tmp_path: Path, name: str) -> None:
    reference = name.replace("ü", "%C3%BC").replace(" ", "%20") + ".json"
    write(tmp_path, a={"properties": {"x": {"$ref": reference}}}, **{name: {"type": "null"}})
    assert check_tool_arguments(load_tools(tmp_path)["a"], {"x": 1}) == ("/x: must be null",)


def test_a_tool_without_references_reads_only_its_own_file(tmp_path: Path) -> None:
    write(tmp_path, a={"properties": {"x": {"type": "null"}}}, _b={"title": "y" * 1000})
    tool = load_tool(tmp_path / "a.json")
    assert tool.resources == {}


def test_the_same_tools_from_different_folders_are_equal(tmp_path: Path) -> None:
    write(tmp_path / "x", a={}), write(tmp_path / "y", a={})
    assert load_tools(tmp_path / "x") == load_tools(tmp_path / "y")


@pytest.mark.parametrize("call", [load_tool, load_tools])
def test_limits_must_be_limits(tmp_path: Path, call: Any) -> None:
    with pytest.raises(TypeError, match="limits must be Limits, not int"):
        call(tmp_path, limits=5)


def test_a_file_may_start_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"required": ["b"]}')
    assert check_tool_arguments(load_tools(tmp_path)["a"], {}) == (
        "/b: must have required properties b",
    )


def test_options_reach_every_tool(tmp_path: Path) -> None:
    write(tmp_path, a={"additionalProperties": False})
    tool = load_tools(tmp_path, limits=Limits(max_issues=1), hide_undeclared_names=True)["a"]
    assert check_tool_arguments(tool, {"x": 1, "y": 1}) == (
        "/(undeclared name): must not have additional properties",
    )


def test_a_missing_path_raises_file_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_tools(tmp_path / "gone")
    with pytest.raises(FileNotFoundError):
        load_tool(tmp_path / "gone.json")


@pytest.mark.parametrize("call", [load_tool, load_tools])
def test_a_path_must_be_str_or_path_like(call: Any) -> None:
    with pytest.raises(TypeError, match=r"must be str or os\.PathLike, not int"):
        call(5)


SCHEMAS = ROOT / "schemas"


@pytest.mark.parametrize("tool", load_tools(SCHEMAS).values(), ids=str)
def test_the_projects_own_schemas_are_finished(tool: Any) -> None:
    schema = tool.parameters
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert tool.title
    assert tool.description
    assert len(schema["examples"]) >= 2
    for example in schema["examples"]:
        assert validate_tool_arguments(tool, example) == example

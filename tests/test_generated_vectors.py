"""Valid and invalid calls generated from schemas, for services in any language."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import differential
import pytest
from conftest import ROOT, foreign_rows, property_tool

from toolschema import (
    ToolDefinition,
    ToolSchemaError,
    ToolSet,
    check_tool_arguments,
    load_tools,
)
from toolschema.bundle import bundle
from toolschema.vectors import vectors
from toolschema.vectors._cases import cases_of
from toolschema.vectors._pattern_text import matches, matching_text
from toolschema.vectors._random import Choice

SCHEMAS = load_tools(ROOT / "schemas")
MADE = vectors(SCHEMAS)
ROWS: list[dict[str, Any]] = json.loads(MADE.data)["cases"]


def test_every_case_has_the_form_and_verdict_of_the_contract() -> None:
    assert set(json.loads(MADE.data)) == {"description", "cases"}
    for row in ROWS:
        assert {"name", "tool", "schema", "arguments", "valid", "issues"} <= set(row)
        assert set(row) - {"resources"} <= set(ROWS[0]) | {"resources"}
        tool = ToolDefinition("tool", "", row["schema"], resources=row.get("resources", {}))
        issues = check_tool_arguments(tool, row["arguments"])
        assert [*issues] == row["issues"]
        assert row["valid"] is not bool(issues)


def test_every_case_is_on_one_line() -> None:
    first, *lines = MADE.data.decode().splitlines()
    assert json.loads(f"{first}]}}")["cases"] == []
    assert [json.loads(line.removesuffix(",")) for line in lines[:-1]] == ROWS


def test_names_are_unique() -> None:
    assert max(Counter(row["name"] for row in ROWS).values()) == 1


def test_the_examples_come_first() -> None:
    for name, tool in SCHEMAS.items():
        examples = tool.parameters["examples"]
        calls = [json.loads(row["arguments"]) for row in ROWS if row["tool"] == name]
        assert calls[: len(examples)] == examples


def test_the_counts_match_the_cases() -> None:
    assert (MADE.valid, MADE.invalid) == (
        sum(row["valid"] for row in ROWS),
        sum(not row["valid"] for row in ROWS),
    )
    assert MADE.valid >= 4 * len(SCHEMAS)


def test_nearly_every_keyword_of_the_projects_schemas_fails_in_some_case() -> None:
    """The others would need too long a string, or the tag of a union selects another branch."""
    left = Counter(place.rpartition("/")[2] for place in MADE.uncovered)
    assert left == {"maxLength": 6, "const": 3}
    assert MADE.locations == 180


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_bytes_are_the_same_in_every_process(hash_seed: str) -> None:
    code = (
        "import sys; from toolschema import load_tools; from toolschema.vectors import vectors;"
        "sys.stdout.buffer.write(vectors(load_tools('schemas')).data)"
    )
    command = [sys.executable, "-c", code]
    environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == MADE.data


def test_a_folder_and_its_bundle_give_the_same_vectors(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_bytes(bundle(SCHEMAS).data)
    assert vectors(load_tools(path)) == MADE


def test_another_seed_gives_other_calls() -> None:
    other = vectors(SCHEMAS, seed=1)
    assert other.data != MADE.data
    assert other.uncovered == MADE.uncovered


@pytest.mark.parametrize(
    ("schema", "locations"),
    [
        pytest.param({"type": "string", "minLength": 2, "maxLength": 3}, ["maxLength", "minLength", "type"], id="lengths"),
        pytest.param({"minimum": 0.5, "exclusiveMaximum": 0.75}, ["exclusiveMaximum", "minimum"], id="bounds"),
        pytest.param({"maximum": 2**64, "minimum": -(10**400)}, ["maximum", "minimum"], id="bounds beyond any machine's"),
        pytest.param({"type": "number", "exclusiveMaximum": 10**400}, ["exclusiveMaximum", "type"], id="a bound without a float"),
        pytest.param({"type": "number", "multipleOf": 0.01}, ["multipleOf", "type"], id="a step"),
        pytest.param({"enum": [1, "a", None]}, ["enum"], id="values"),
        pytest.param({"const": {"a": [1]}}, ["const"], id="one value"),
        pytest.param({"type": "string", "pattern": r"^(?=.*\d)(?=.*[a-z]).{8}$"}, ["pattern", "type"], id="looking ahead"),
        pytest.param({"type": "string", "format": "date"}, ["format", "type"], id="a format"),
        pytest.param({"type": "array", "minItems": 2, "maxItems": 3, "uniqueItems": True, "items": {"type": "integer"}},
                     ["items/type", "maxItems", "minItems", "type", "uniqueItems"], id="items"),
        pytest.param({"type": "array", "prefixItems": [{"const": 1}], "items": False}, ["items", "prefixItems/0/const", "type"], id="a tuple"),
        pytest.param({"contains": {"const": 1}, "maxContains": 1}, ["maxContains"], id="what is contained"),
        pytest.param({"required": ["a"], "minProperties": 2, "maxProperties": 3}, ["maxProperties", "minProperties", "required"], id="properties"),
        pytest.param({"dependentRequired": {"a": ["b"]}}, ["dependentRequired"], id="dependent properties"),
        pytest.param({"propertyNames": {"pattern": "^[a-z]+$"}, "type": "object"}, ["propertyNames/pattern", "type"], id="names"),
        pytest.param({"patternProperties": {"^x-": {"type": "null"}}, "additionalProperties": False},
                     ["additionalProperties", "patternProperties/^x-/type"], id="named by a pattern"),
        pytest.param({"additionalProperties": {"type": "boolean"}, "type": "object"}, ["additionalProperties/type", "type"], id="all others"),
        pytest.param({"not": {"type": "string"}}, ["not"], id="what must not be"),
        pytest.param({"allOf": [{"minimum": 3}, {"maximum": 5}]}, ["allOf/0/minimum", "allOf/1/maximum"], id="all at once"),
        pytest.param({"anyOf": [{"type": "string", "minLength": 2}, {"type": "integer", "minimum": 3}]},
                     ["anyOf/0/minLength", "anyOf/1/minimum"], id="a union"),
        pytest.param({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "null"}},
                     ["else/type", "then/minLength"], id="a condition"),
        pytest.param({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "required": ["n"], "properties": {"n": {"type": "null"}}}}},
                     ["$ref/properties/n/type", "$ref/required", "$ref/type"], id="a reference"),
    ],
)  # fmt: skip
def test_every_keyword_gets_a_failing_and_a_passing_call(
    schema: dict[str, Any], locations: list[str]
) -> None:
    definitions = {"$defs": schema.pop("$defs")} if "$defs" in schema else {}
    parameters = {"required": ["v"], "properties": {"v": schema}, **definitions}
    made = cases_of(ToolDefinition("tool", "", parameters), 0)
    assert any("v" in json.loads(case.arguments) for case in made.good)
    failed = {issue.keyword_location for case in made.bad for issue in case.issues}
    below = {
        location.removeprefix("/properties/v/")
        for location in failed
        if location.startswith("/properties/v/")
    }
    assert set(locations) <= below
    assert made.uncovered == []


def test_a_call_is_listed_as_valid_only_if_it_is() -> None:
    impossible = property_tool({"allOf": [{"minimum": 5}, {"maximum": 3}], "type": "integer"})
    made = cases_of(impossible, 0)
    assert [case.arguments for case in made.good] == ["{}"]
    assert made.uncovered


def test_keywords_unknown_to_the_dialect_are_ignored() -> None:
    later = {"unevaluatedProperties": {"anyOf": [{"type": "string"}]}, "type": "object"}
    dialect = "http://json-schema.org/draft-07/schema#"
    made = cases_of(property_tool(later, resources={}), 0)
    old = {"$schema": dialect, "required": ["v"], "properties": {"v": later}}
    assert any('"extra1"' in case.arguments for case in made.good)
    assert cases_of(ToolDefinition("tool", "", old), 0).good


def test_an_invalid_example_is_a_bad_call() -> None:
    tool = ToolDefinition("tool", "", {"required": ["a"], "examples": [{"b": 1}]})
    first = cases_of(tool, 0).bad[0]
    assert (first.name, first.arguments) == ("example 1", '{"b":1}')
    assert [*first.issues] == ["/a: must have required properties a"]


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_cases_of_any_schema_have_the_verdicts_of_the_public_api(
    start: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "toolschema")
    for number in range(start, start + 20):
        try:
            tool = differential.Schemas(Random(f"cases:{number}")).case().define()  # noqa: S311
        except ToolSchemaError:
            continue
        made = cases_of(tool, 0)
        assert made.good
        for case in (*made.good, *made.bad):
            assert check_tool_arguments(tool, case.arguments) == case.issues
            assert (case in made.good) is not bool(case.issues)


@pytest.mark.once
def test_every_real_mcp_tool_gets_a_valid_call_and_most_keywords_a_failing_one() -> None:
    made = [
        cases_of(ToolDefinition(row["name"], "", row["inputSchema"]), 0)
        for row in foreign_rows("mcp_tools.jsonl")
    ]
    assert all(cases.good for cases in made)
    locations = sum(cases.locations for cases in made)
    assert sum(len(cases.uncovered) for cases in made) < 0.06 * locations


PATTERNS = [
    *(pattern for pattern in differential.PATTERNS if "(?" not in pattern and r"\b" not in pattern),
    "^[A-Z]{2}[0-9]{2}(?:-[a-z]+)*$", r"^(?<year>\d{4})-\k<year>$", r"[^\s]+@[^\s]+\.[a-z]{2,}",
    r"^\p{Lu}\P{Lu}$", "^[^a-zA-Z0-9]$", r"^[\u4e00-\u9fff]+$", "a{300}",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_generated_string_matches_its_pattern(pattern: str) -> None:
    made = [matching_text(pattern, Choice(str(seed))) for seed in range(20)]
    assert all(text is not None and matches(pattern, text) for text in made)


def test_a_pattern_outside_ecma_262_gets_no_string() -> None:
    assert matching_text("(?i)a", Choice("")) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: vectors([]), "tools must be a ToolSet, not list", id="tools"),  # type: ignore[arg-type]
        pytest.param(lambda: vectors(ToolSet(), seed="a"), "seed must be int, not str", id="seed"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_argument_raises_a_type_error(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()

"""Cases from elsewhere: another implementation, bug reports, real tools and calls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import define, foreign_rows, rows

from toolschema import (
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSchemaError,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema._validation.explain.engine import explain

LATER = frozenset(
    [
        "lint",
        "export",
        "guard",
        "stream",
        "semantic",
        "repair",
        "defaults",
        "enum-message",
        "union-message",
    ]
)
WORDED_OTHERWISE = (
    '"anyOf"', '"oneOf"', '"if"', '"contains"', '"propertyNames"', '"unevaluated', '"dependent',
)  # fmt: skip
MISSING = "must have required properties "


def row_id(row: dict[str, Any]) -> str:
    return str(row["id"])


def judge(row: dict[str, Any]) -> tuple[bool | None, tuple[Any, ...], str]:
    """The verdict (None for a schema error), the issues, and the whole text of the error."""
    try:
        tool = define(row["schema"])
    except ToolSchemaError as error:
        return None, (), str(error)
    try:
        if "args_json" in row:
            parse_tool_arguments(tool, row["args_json"])
        else:
            validate_tool_arguments(tool, row["args"])
    except ToolArgumentsValidationError as error:
        return False, error.issues, str(error) + repr(error)
    return True, (), ""


@pytest.mark.parametrize("row", rows("typebox.jsonl"), ids=row_id)
def test_verdict_and_lines_match_typebox(row: dict[str, Any]) -> None:
    valid, issues, _ = judge(row)
    if row.get("note") or row.get("policy"):
        return
    assert valid is row["valid"]
    text = json.dumps(row["schema"])
    is_comparable = (
        len(row["issues"]) < 8
        and not any(keyword in text for keyword in WORDED_OTHERWISE)
        and not any(
            "schema is false" in line or "additional properties" in line for line in row["issues"]
        )
    )
    if is_comparable:
        assert set(issues) == {issue for line in row["issues"] for issue in split_required(line)}


def split_required(line: str) -> list[str]:
    """TypeBox has one line for all missing properties, at the first of them."""
    location, _, message = line.partition(": ")
    if not message.startswith(MISSING):
        return [line]
    above = location.rpartition("/")[0]
    return [
        f"{above}/{name.replace('~', '~0').replace('/', '~1')}: {MISSING}{name}"
        for name in message.removeprefix(MISSING).split(", ")
    ]


@pytest.mark.parametrize("row", rows("typebox_divergences.jsonl"), ids=row_id)
def test_the_specification_decides_where_typebox_deviates(row: dict[str, Any]) -> None:
    assert judge(row)[0] is row["spec_valid"]


@pytest.mark.parametrize(
    "row", [row for row in rows("reports.jsonl") if row["kind"] not in LATER], ids=row_id
)
def test_bugs_reported_of_other_validators_do_not_occur_here(row: dict[str, Any]) -> None:
    expected = row["expected"]
    valid, issues, text = judge(row)
    if row["kind"] == "duplicate-keys":
        # A policy: services disagree about such text, so it is refused.
        assert [issue.keyword for issue in issues] == ["@duplicate"]
        return
    assert valid is expected["valid"]
    places = {issue.instance_location or "/" for issue in issues}
    assert places <= {*expected["issue_paths"], *expected.get("alt_paths", ())}
    for part in expected.get("must_not_contain", ()):
        assert part not in text


def test_every_real_mcp_tool_compiles_or_reports_its_fault() -> None:
    rows, refused = foreign_rows("mcp_tools.jsonl"), 0
    for row in rows:
        faults: list[Any] = []
        try:
            ToolDefinition(row["name"], "", row["inputSchema"], output=row.get("outputSchema"))
        except ToolSchemaError as error:
            faults.extend(error.faults)
            refused += 1
            assert faults
        assert all(fault.location is not None and fault.message for fault in faults)
    assert len(rows) > 1000
    assert refused < len(rows) / 50


def engines_agree(tool: ToolDefinition, arguments: dict[str, Any]) -> bool:
    validator = tool.compiled.validator
    findings = explain(validator, arguments, 1_000_000, asks_first=False)
    return tool.compiled.is_valid(arguments) is not bool(findings.found)


def test_both_engines_agree_on_every_gold_call_of_bfcl() -> None:
    refused, compared = [], 0
    for row in foreign_rows("bfcl.jsonl"):
        tools = {}
        for tool in row["tools"]:
            try:
                tools[tool["name"]] = ToolDefinition(tool["name"], "", tool["parameters"])
            except ToolSchemaError:
                refused.append(tool["name"])
        for call in row["calls"]:
            if call["name"] in tools:
                compared += 1
                assert engines_agree(tools[call["name"]], call["arguments"])
    assert len(set(refused)) <= 1
    assert compared > 1000


def test_both_engines_agree_with_the_labels_of_glaive() -> None:
    cases = 0
    for row in foreign_rows("glaive.jsonl"):
        tool = define({"properties": {"v": row["schema"]}})
        for case in row["tests"]:
            cases += 1
            arguments = {"v": case["data"]}
            assert (check_tool_arguments(tool, arguments) == ()) is case["valid"]
            assert engines_agree(tool, arguments)
    assert cases > 1000


def test_every_wrong_call_of_a_model_is_judged_without_an_error() -> None:
    checked = 0
    for row in foreign_rows("wrong_calls.jsonl"):
        schema = row.get("schema")
        if not isinstance(schema, dict):
            continue
        try:
            tool = define(schema)
        except ToolSchemaError:
            continue
        arguments = row.get("arguments", row.get("arguments_raw"))
        checked += 1
        for issue in check_tool_arguments(tool, arguments):
            assert issue.keyword != "@disagreement"
    assert checked > 300

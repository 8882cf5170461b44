"""This library satisfies the contract for implementations in other languages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import ROOT, define

from toolschema import ToolArgumentsValidationError, ToolSchemaError, parse_tool_arguments

FILES = sorted((ROOT / "tests" / "vectors").glob("*.json"))
CASES: list[dict[str, Any]] = [
    {**case, "file": path.name} for path in FILES for case in json.loads(path.read_bytes())["cases"]
]

# 2020-12 core §8, §10 and §11, validation §6 to §9.
ASSERTING = (
    "$anchor", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref",
    "additionalProperties", "allOf", "anyOf", "contains", "dependentSchemas", "else", "if", "items",
    "not", "oneOf", "patternProperties", "prefixItems", "properties", "propertyNames", "then",
    "unevaluatedItems", "unevaluatedProperties",
    "const", "dependentRequired", "enum", "exclusiveMaximum", "exclusiveMinimum", "maxContains",
    "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength",
    "minProperties", "minimum", "multipleOf", "pattern", "required", "type", "uniqueItems",
    "format",
)  # fmt: skip
SAYING = (
    "$comment", "$schema", "$vocabulary",
    "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly",
    "contentEncoding", "contentMediaType", "contentSchema",
)  # fmt: skip

NAMED = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})
DATA = frozenset(
    {"$vocabulary", "const", "default", "dependencies", "dependentRequired", "enum", "examples"}
)
"""Keywords that contain names or data, which must not be taken for keywords."""


def case_id(case: dict[str, Any]) -> str:
    return f"{case['file']}: {case['name']}"


def keywords(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from keywords(item)
    elif isinstance(schema, dict):
        yield from schema
        for keyword, value in schema.items():
            if keyword in NAMED:
                yield from keywords(list(value.values()))
            elif keyword not in DATA:
                yield from keywords(value)


def without(keyword: str, schema: Any) -> Any:
    """The schema as it would be if *keyword* did not exist."""

    def inside(name: str, value: Any) -> Any:
        if name in NAMED:
            return {key: without(keyword, subschema) for key, subschema in value.items()}
        return value if name in DATA else without(keyword, value)

    if isinstance(schema, list):
        return [without(keyword, item) for item in schema]
    if isinstance(schema, dict):
        return {name: inside(name, value) for name, value in schema.items() if name != keyword}
    return schema


def issues(case: dict[str, Any], schema: Any) -> list[str]:
    tool = define(schema, resources=case.get("resources", {}))
    try:
        parse_tool_arguments(tool, case["arguments"])
    except ToolArgumentsValidationError as error:
        return [str(issue) for issue in error.issues]
    return []


def decides(keyword: str) -> Callable[[dict[str, Any]], bool]:
    def answer(case: dict[str, Any]) -> bool:
        if keyword not in keywords(case["schema"]):
            return False
        try:
            found = issues(case, without(keyword, case["schema"]))
        except ToolSchemaError:
            return True
        return bool(found != case["issues"])

    return answer


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_verdict_and_lines_match_the_contract(case: dict[str, Any]) -> None:
    found = issues(case, case["schema"])
    assert (not found) is case["valid"]
    assert found == case["issues"]


@pytest.mark.parametrize("keyword", [*ASSERTING, *SAYING])
def test_every_keyword_occurs_in_a_valid_and_in_an_invalid_case(keyword: str) -> None:
    verdicts = {case["valid"] for case in CASES if keyword in keywords(case["schema"])}
    assert verdicts == {True, False}


@pytest.mark.parametrize("keyword", ASSERTING)
def test_an_assertion_decides_at_least_one_case(keyword: str) -> None:
    assert any(map(decides(keyword), CASES))


@pytest.mark.parametrize("keyword", SAYING)
def test_an_annotation_decides_no_case(keyword: str) -> None:
    assert not any(map(decides(keyword), CASES))


def test_no_two_cases_have_the_same_name() -> None:
    assert [name for name, n in Counter(case["name"] for case in CASES).items() if n > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_ascii_and_follow_their_format(path: Any) -> None:
    document = json.loads(path.read_text(encoding="ascii"))
    assert set(document) == {"description", "cases"}
    for case in document["cases"]:
        assert {"name", "schema", "arguments", "valid", "issues"} <= set(case)
        assert set(case) <= {
            "name", "schema", "resources", "arguments", "valid", "issues", "typebox", "ajv", "why"
        }  # fmt: skip
        assert case["schema"]["type"] == "object"
        assert case.get("typebox", "verdict") in {"verdict", "differs"}
        assert case.get("ajv", "differs") == "differs"
        assert ("why" in case) is bool({"typebox", "ajv"} & set(case))

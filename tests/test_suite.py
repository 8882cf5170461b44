"""The official test suite through three paths: both engines and the public functions.

Each schema of the suite is a resource, and a tool reaches it by ``$ref`` from
its only property.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
import suite
from jsonschema.validators import validator_for
from referencing import Registry, Resource

from toolschema import ToolDefinition, ToolSchemaError, check_tool_arguments
from toolschema._json.pointer import join
from toolschema._schema.document import Origin
from toolschema._schema.resources import Resources, Source
from toolschema._validation.compiled import compile_schema
from toolschema._validation.explain.engine import explain

pytestmark = pytest.mark.once

ASSERTED = "formats are asserted, in every dialect"
METASCHEMA = "a custom metaschema is refused"
NESTED = (
    "both engines give $recursiveRef another target where the tool around the schema "
    "has no $recursiveAnchor"
)

# Every difference from what the suite expects, with the reason. The key is dialect,
# file, and the start of the descriptions of group and case; the case `*` stands for a
# schema that is refused.
DIFFERENCES: dict[tuple[str, str, str, str], str] = {
    ("2020-12", "format.json", "", "invalid"): ASSERTED,
    ("2020-12", "optional/format-assertion.json", "schema that uses custom metaschema", "*"): (
        METASCHEMA
    ),
    ("2020-12", "vocabulary.json", "", "*"): METASCHEMA,
    ("2019-09", "format.json", "", "invalid"): ASSERTED,
    ("2019-09", "recursiveRef.json", "$recursiveRef with nesting", "integer now matches"): NESTED,
    ("2019-09", "recursiveRef.json", "$recursiveRef with nesting", "two levels, properties"): (
        NESTED
    ),
    ("2019-09", "vocabulary.json", "", "*"): METASCHEMA,
}


def expected_difference(group: suite.Group, case: str) -> bool:
    return any(
        group.dialect == dialect
        and group.file == file
        and group.description.startswith(start)
        and case.startswith(case_start)
        for dialect, file, start, case_start in DIFFERENCES
    )


def define(group: suite.Group) -> ToolDefinition | None:
    schema = {
        "$schema": suite.URIS[group.dialect],
        "properties": {"v": {"$ref": "https://case.invalid/case.json"}},
    }
    resources = {**suite.remotes(), "https://case.invalid/case.json": group.schema}
    try:
        return ToolDefinition("tool", "", schema, resources=resources)
    except ToolSchemaError:
        return None


def verdicts(tool: ToolDefinition, data: Any) -> dict[str, bool]:
    arguments = {"v": data}
    validator = tool.compiled.validator
    findings = explain(validator, arguments, 1_000_000, asks_first=False)
    return {
        "verdict engine": tool.compiled.is_valid(arguments),
        "reference engine": not findings.found,
        "value": check_tool_arguments(tool, arguments) == (),
        "text": check_tool_arguments(tool, json.dumps(arguments)) == (),
    }


@pytest.mark.timeout(300)
@pytest.mark.parametrize("dialect", suite.FOLDERS)
def test_every_path_agrees_with_the_suite(dialect: str, record_property: Any) -> None:
    count = Counter[str]()
    wrong: list[str] = []
    for group in suite.groups(dialect):
        tool = define(group)
        if tool is None:
            count["refused"] += len(group.tests)
            if not expected_difference(group, "*"):
                wrong.append(f"{group}: refused")
            continue
        for case in group.tests:
            given = verdicts(tool, case["data"])
            is_right = set(given.values()) == {case["valid"]}
            is_listed = expected_difference(group, case["description"]) and not case.get("x")
            count["right" if is_right else "different"] += 1
            if not is_right and not is_listed:
                wrong.append(f"{group}: {case['description']}: {given}")
            if not is_right:
                assert len(set(given.values())) == 1, "the engines disagree"
    record_property("counts", dict(count))
    assert wrong == []
    assert count["right"] > 1400
    assert count["refused"] + count["different"] < 40


OUTPUT_TESTS = [
    pytest.param(dialect, name, id=f"{dialect}-{name}")
    for dialect in ("2020-12", "2019-09")
    for name in ("escape", "general", "type")
]


@pytest.mark.parametrize(("dialect", "name"), OUTPUT_TESTS)
def test_locations_satisfy_the_output_tests_of_the_suite(dialect: str, name: str) -> None:
    root = suite.folder() / "output-tests" / suite.FOLDERS[dialect]
    shape = json.loads((root / "output-schema.json").read_bytes())
    registry = Registry().with_resource(shape["$id"], Resource.from_contents(shape))
    groups = json.loads((root / "content" / f"{name}.json").read_bytes())
    assert groups
    for group in groups:
        source = Source("https://case.invalid/", Origin("case"), json.dumps(group["schema"]))
        compiled = compile_schema(source, Resources(), 8192, for_arguments=False)
        validator = compiled.validator
        for case in group["tests"]:
            found = explain(validator, case["data"], 1000).found
            output = {
                "valid": not found,
                "errors": [
                    {
                        "valid": False,
                        "keywordLocation": join(finding.keyword_tokens),
                        "instanceLocation": join(finding.tokens),
                        "error": finding.message,
                    }
                    for finding in found
                ],
            }
            wanted = {**case["output"]["basic"], "$schema": suite.URIS[dialect]}
            checker = validator_for(wanted)(wanted, registry=registry)
            assert list(checker.iter_errors(output)) == []

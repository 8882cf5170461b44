"""`ToolDefinition.validator`: python-jsonschema's own interface to the same verdicts."""

from __future__ import annotations

import gc
import threading
from typing import Any

import pytest
from conftest import ROOT, define, rows
from jsonschema import Draft202012Validator
from jsonschema.exceptions import FormatError, ValidationError, best_match

from toolschema import Limits, check_tool_arguments, load_tools
from toolschema._json.pointer import join
from toolschema._schema.dialect import DRAFT_2020_12
from toolschema._validation.explain.engine import reference_class

ROWS = [
    row
    for row in rows("typebox.jsonl")
    if isinstance(row["args"], dict) and "refused at load" not in row.get("policy", "")
]


def test_the_validator_exists_once_the_tools_are_loaded() -> None:
    """Found among all live objects, because asking the tool for it might create one."""
    kind = reference_class(DRAFT_2020_12)
    before = {id(candidate) for candidate in gc.get_objects() if type(candidate) is kind}
    tools = load_tools(ROOT / "schemas", limits=Limits(max_pattern_text=8190))
    made = [
        candidate
        for candidate in gc.get_objects()
        if type(candidate) is kind and id(candidate) not in before
    ]
    titles = {candidate.schema.get("title") for candidate in made}
    assert {tool.title for tool in tools.values()} <= titles
    assert all(tool.validator in made for tool in tools.values())
    assert kind.META_SCHEMA == Draft202012Validator.META_SCHEMA
    assert kind.__name__ == "Draft202012Validator"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_it_finds_the_same_issues_as_the_boundary(row: dict[str, Any]) -> None:
    tool = define(row["schema"])
    errors = list(tool.validator.iter_errors(row["args"]))
    issues = check_tool_arguments(tool, row["args"])
    assert tool.validator.is_valid(row["args"]) is (not issues)
    assert {error.message for error in errors} == {issue.message for issue in issues}
    locations = {join(error.absolute_path) for error in errors}
    assert locations == {issue.instance_location for issue in issues}


def test_its_errors_are_those_of_jsonschema() -> None:
    tool = define({"properties": {"limit": {"type": "integer", "maximum": 5}}})
    error = best_match(tool.validator.iter_errors({"limit": 7}))
    assert isinstance(error, ValidationError)
    assert (error.validator, error.validator_value, error.instance) == ("maximum", 5, 7)
    with pytest.raises(ValidationError, match="must be <= 5"):
        tool.validator.validate({"limit": 7})


def test_it_descends_to_any_depth() -> None:
    tool = define({"properties": {"v": {"$ref": "#"}}, "additionalProperties": False})
    value: dict[str, Any] = {"wrong": 1}
    for _ in range(60):
        value = {"v": value}
    [error] = tool.validator.iter_errors(value)
    assert len(error.absolute_path) == 61
    assert error.message == "must not have additional properties"


def test_limits_do_not_apply_to_it() -> None:
    tool = define({"additionalProperties": {"type": "string"}}, limits=Limits(max_steps=1))
    assert len(list(tool.validator.iter_errors({f"a{n}": n for n in range(500)}))) == 500


def test_two_validators_can_be_iterated_alternately() -> None:
    tools = [define({"title": str(n), "items": {}, "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}}}) for n in range(2)]  # fmt: skip
    pairs = zip(*(tool.validator.iter_errors({"a": n, "b": n}) for n, tool in enumerate(tools)),
                strict=True)  # fmt: skip
    assert [(one.path, other.path) for one, other in pairs] == [
        (error.path, error.path) for error in tools[0].validator.iter_errors({"a": 1, "b": 1})
    ]


def test_unique_items_is_evaluated_anew_every_time() -> None:
    """The items of an array in an earlier call must not affect a later one."""
    tool = define({"properties": {"v": {"uniqueItems": True}}})
    for _ in range(50):
        assert tool.validator.is_valid({"v": [[number] for number in range(100)]})
        assert not tool.validator.is_valid({"v": [[number // 2] for number in range(100)]})


def test_it_can_be_used_from_any_thread() -> None:
    tool = define({"anyOf": [{"required": ["a"]}, {"required": ["b"], "minProperties": 3}]})
    found: list[list[str]] = []

    def work() -> None:
        found.extend([error.message for error in tool.validator.iter_errors({})] for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200
    assert all(messages == found[0] for messages in found)


def test_its_format_checker_checks_formats() -> None:
    checker = define({"properties": {"v": {"format": "date"}}}).validator.format_checker
    assert checker.conforms("2031-05-02", "date")
    assert not checker.conforms("2031-02-30", "date")
    with pytest.raises(FormatError, match='must match format "date"'):
        checker.check("soon", "date")


def test_another_schema_can_be_given_to_it() -> None:
    """As with `evolve`: then jsonschema itself resolves the references."""
    validator = define({"$defs": {"a": {"type": "string"}}}).validator
    other = validator.evolve(schema={"properties": {"v": {"$ref": "#/$defs/a"}}})
    assert not other.is_valid({"v": 1})
    assert other.is_valid({"v": "a"})

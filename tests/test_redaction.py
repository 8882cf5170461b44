"""No value of the arguments occurs in anything the library produces."""

from __future__ import annotations

import io
import logging
import pickle
import traceback
from typing import Any

import pytest
from conftest import define
from hypothesis import given, settings
from hypothesis import strategies as st

from toolschema import ToolArgumentsValidationError, parse_tool_arguments, validate_tool_arguments

SECRET = "hunter2SECRET"
NUMBER = 4815162342108

FAILING: dict[str, Any] = {
    "type": {"type": "null"},
    "enum": {"enum": ["x"]},
    "const": {"const": "x"},
    "minLength": {"minLength": 100},
    "maxLength": {"maxLength": 1},
    "pattern": {"pattern": "^x$"},
    "look-around": {"pattern": "^(?!h)x$"},
    "format": {"format": "date"},
    "minimum": {"minimum": 10**15},
    "maximum": {"maximum": 1},
    "exclusiveMinimum": {"exclusiveMinimum": 10**15},
    "exclusiveMaximum": {"exclusiveMaximum": 1},
    "multipleOf": {"multipleOf": 7},
    "minItems": {"minItems": 100},
    "maxItems": {"maxItems": 0},
    "uniqueItems": {"uniqueItems": True},
    "items": {"items": {"type": "null"}},
    "prefixItems": {"prefixItems": [{"type": "null"}]},
    "items false": {"items": False},
    "contains": {"contains": {"type": "null"}},
    "minContains": {"contains": True, "minContains": 100},
    "maxContains": {"contains": True, "maxContains": 0},
    "unevaluatedItems": {"unevaluatedItems": False},
    "properties": {"properties": {"k": {"type": "null"}}},
    "patternProperties": {"patternProperties": {"k": {"type": "null"}}},
    "additionalProperties": {"additionalProperties": {"type": "null"}},
    "additionalProperties false": {"additionalProperties": False},
    "propertyNames": {"propertyNames": {"maxLength": 0}},
    "minProperties": {"minProperties": 100},
    "maxProperties": {"maxProperties": 0},
    "required": {"required": ["absent"]},
    "dependentRequired": {"dependentRequired": {"k": ["absent"]}},
    "dependentSchemas": {"dependentSchemas": {"k": False}},
    "unevaluatedProperties": {"unevaluatedProperties": False},
    "not": {"not": {}},
    "if": {"if": {}, "then": False},
    "allOf": {"allOf": [False]},
    "anyOf": {"anyOf": [{"type": "null"}, {"const": 1}]},
    "oneOf": {"oneOf": [{}, {}]},
    "false": False,
    "$ref": {"$ref": "#/$defs/null"},
}
TOOLS = {
    name: define({"properties": {"v": schema}, "$defs": {"null": {"type": "null"}}})
    for name, schema in FAILING.items()
}
CARRIERS = st.sampled_from(
    [SECRET, NUMBER, [SECRET], [SECRET, SECRET], {"k": SECRET}, {"k": {"k": [SECRET, NUMBER]}},
     [[NUMBER, NUMBER]], {"k": NUMBER}, [NUMBER, NUMBER], NUMBER + 0.5]
)  # fmt: skip


def everything_of(error: ToolArgumentsValidationError) -> str:
    parts = [str(error), repr(error), repr(error.args), repr(error.__cause__)]
    parts += (repr((issue, issue.as_dict())) for issue in error.issues)
    parts.append(repr(pickle.dumps(error)))
    parts += traceback.TracebackException.from_exception(error).format()
    return "\n".join(parts)


@settings(max_examples=300)
@given(st.sampled_from(sorted(FAILING)), CARRIERS, CARRIERS)
def test_no_keyword_reveals_a_value(keyword: str, value: Any, beside: Any) -> None:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    try:
        validate_tool_arguments(TOOLS[keyword], {"v": value, "other": beside})
    except ToolArgumentsValidationError as error:
        told = everything_of(error)
        assert SECRET not in told
        assert str(NUMBER) not in told
    finally:
        logging.getLogger().removeHandler(handler)
    assert log.getvalue() == ""


@pytest.mark.parametrize("keyword", sorted(FAILING))
def test_every_keyword_fails_for_some_secret(keyword: str) -> None:
    """Otherwise the law above would prove nothing about it."""
    carriers = [SECRET, NUMBER, [SECRET, SECRET], {"k": SECRET}, [NUMBER]]
    assert any(_fails(TOOLS[keyword], carrier) for carrier in carriers)


def _fails(tool: Any, value: Any) -> bool:
    try:
        validate_tool_arguments(tool, {"v": value})
    except ToolArgumentsValidationError:
        return True
    return False


@pytest.mark.parametrize(
    "text",
    [
        f'{{"v": "{SECRET}"',
        f'{{"v": "{SECRET}", }}',
        f'{{"v": "{SECRET}", "v": "{SECRET}"}}',
        f'"{SECRET}"',
        f"{SECRET}",
        f'{{"v": "{SECRET}\\x"}}',
        f'```json\n{{"v": "{SECRET}"}}\n```',
        f'{{"v": [{NUMBER}e400]}}',
        f'{{"v": "{SECRET}\ud800"}}',
    ],
)
def test_malformed_text_reveals_no_value(text: str) -> None:
    with pytest.raises(ToolArgumentsValidationError) as caught:
        parse_tool_arguments(TOOLS["type"], text)
    told = everything_of(caught.value)
    assert SECRET not in told
    assert str(NUMBER) not in told


@pytest.mark.parametrize("value", [{SECRET}, object, SECRET.encode(), (SECRET,), f"{SECRET}\ud800"])
def test_values_that_are_not_json_are_not_revealed(value: Any) -> None:
    with pytest.raises(ToolArgumentsValidationError) as caught:
        validate_tool_arguments(TOOLS["type"], {"v": value})
    assert SECRET not in everything_of(caught.value)

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolschema._json.numbers import number
from toolschema._validation.messages import sentence


@pytest.mark.parametrize(
    ("keyword", "value", "said"),
    [
        ("type", "string", "must be string"),
        ("type", ["string", "null", "array"], "must be either string or null or array"),
        ("minLength", 2, "must not have fewer than 2 characters"),
        ("maxLength", 5, "must not have more than 5 characters"),
        ("minItems", 1, "must not have fewer than 1 items"),
        ("maxProperties", 3, "must not have more than 3 properties"),
        ("minimum", 1.0, "must be >= 1"),
        ("maximum", 1e21, "must be <= 1e+21"),
        ("exclusiveMinimum", 1e-7, "must be > 1e-7"),
        ("exclusiveMaximum", 0.000001, "must be < 0.000001"),
        ("multipleOf", 0.01, "must be multiple of 0.01"),
        ("pattern", "^a$", 'must match pattern "^a$"'),
        ("format", "date", 'must match format "date"'),
        ("const", "secret", "must be equal to constant"),
        ("enum", ["secret"], "must be equal to one of the allowed values"),
        ("uniqueItems", True, "must not have duplicate items"),
        ("not", {}, "must not be valid"),
        ("anyOf", [], "must match a schema in anyOf"),
        ("oneOf", [], "must match exactly one schema in oneOf"),
    ],
)
def test_sentences_built_from_keyword_and_value(keyword: str, value: object, said: str) -> None:
    assert sentence(keyword, value) == said


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"), (-0.0, "0"), (5.0, "5"), (-1.5, "-1.5"), (1e16, "10000000000000000"),
        (123456789012345680000.0, "123456789012345680000"), (1e21, "1e+21"),
        (1.5e300, "1.5e+300"), (5e-324, "5e-324"), (1e-6, "0.000001"), (1e-7, "1e-7"),
        (2**53 + 1, "9007199254740993"), (10**21, "1e+21"), (10**21 + 1, str(10**21 + 1)),
        (10**400, str(10**400)),
    ],
)  # fmt: skip
def test_numbers_are_written_like_javascript_and_stay_exact(value: float, written: str) -> None:
    assert number(value) == written


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_number_can_be_read_back(value: float) -> None:
    assert float(number(value)) == value


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@settings(max_examples=5)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=200, max_size=200))
def test_numbers_equal_those_of_node(values: list[float]) -> None:
    script = "console.log(JSON.stringify(JSON.parse(process.argv[1]).map(x => `${x}`)))"
    printed = subprocess.run(
        ["node", "-e", script, json.dumps(values)], capture_output=True, check=True
    ).stdout
    assert [number(value) for value in values] == json.loads(printed)

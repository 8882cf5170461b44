"""The canonical bytes of a JSON value: RFC 8785, but with every digit of large integers."""

from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from toolschema._json.canonical import canonical_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
INTEGERS = st.integers() | st.integers(min_value=2**53 - 2, max_value=2**65)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def values(numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    scalars = st.none() | st.booleans() | numbers | TEXTS
    return st.recursive(scalars, lambda below: st.lists(below) | st.dictionaries(TEXTS, below))


@given(values(st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1) | st.floats(-1e15, 1e15)))
def test_numbers_that_fit_a_double_are_written_as_rfc_8785(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)


@given(values(INTEGERS | FLOATS))
def test_any_number_survives_a_round_trip(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(values(INTEGERS | FLOATS))
def test_writing_is_idempotent(value: Any) -> None:
    written = canonical_json(value)
    assert canonical_json(json.loads(written)) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param(2**64, "18446744073709551616", id="an integer keeps its digits"),
        pytest.param(2.0**60, "1.152921504606847e18", id="a number would get other digits"),
        pytest.param(1e20, "100000000000000000000", id="a number whose digits are exact"),
        pytest.param(1e21, "1e+21", id="where JavaScript begins an exponent"),
        pytest.param(-0.0, "0", id="zero has no sign"),
        pytest.param("\u2028\x7f\x01\n", '"\u2028\x7f\\u0001\\n"', id="only control characters are escaped"),
        pytest.param({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}', id="UTF-16 decides about order"),
    ],
)  # fmt: skip
def test_canonical_form(value: Any, written: str) -> None:
    assert canonical_json(value).decode() == written

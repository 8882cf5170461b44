"""When two JSON values are equal: numbers by value, objects in any order."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema._json.canonical import canonical_json
from toolschema._json.equality import arguments_key, has_duplicates, is_same, key_of

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -0.0, 1, 1.0, True, 2**53, 2.0**53, 2**63, 2.0**63, 2**63 + 1, 10**30, 1e30])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
    lambda items: st.lists(items, max_size=3) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=2), items, max_size=3),
    max_leaves=6,
)  # fmt: skip


def rewritten(value: Any, order: random.Random) -> Any:
    """An equal value, with names in another order and integers that fit written as floats."""
    if isinstance(value, dict):
        names = order.sample(sorted(value), len(value))
        return {name: rewritten(value[name], order) for name in names}
    if isinstance(value, list):
        return [rewritten(item, order) for item in value]
    if type(value) is int and abs(value) <= 2**53:
        return float(value)
    if type(value) is float and value.is_integer():
        return int(value)
    return value


@given(JSON, JSON)
def test_every_comparison_of_json_values_agrees(one: Any, other: Any) -> None:
    answer = is_same(one, other)
    assert answer == is_same(other, one)
    assert (key_of(one) == key_of(other)) == answer
    assert (arguments_key([one]) == arguments_key([other])) == answer
    assert has_duplicates([one, other], {}) == answer


@given(JSON, JSON)
def test_const_in_the_verdict_engine_agrees(one: Any, other: Any) -> None:
    assert jsonschema_rs.is_valid({"const": one}, other) == is_same(one, other)


@given(JSON, st.randoms(use_true_random=False))
def test_an_equal_value_has_the_same_key(value: Any, order: random.Random) -> None:
    equal = rewritten(value, order)
    assert is_same(value, equal)
    assert key_of(value) == key_of(equal)
    assert jsonschema_rs.is_valid({"const": value}, equal)


@given(JSON, JSON)
def test_equal_canonical_bytes_mean_equal_values(one: Any, other: Any) -> None:
    """Beyond 2**53 the bytes also keep whether a number was an integer."""
    if canonical_json(one) == canonical_json(other):
        assert is_same(one, other)
    elif is_same(one, other):
        assert any(abs(number) > 2**53 for number in numbers([one, other]))


def numbers(value: Any) -> list[Any]:
    if isinstance(value, (list, dict)):
        items = value.values() if isinstance(value, dict) else value
        return [number for item in items for number in numbers(item)]
    return [value] if type(value) in (int, float) else []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(1, 1.0, True, id="whole"),
        pytest.param(1, True, False, id="boolean"),
        pytest.param(0, False, False, id="zero is not false"),
        pytest.param(0.0, -0.0, True, id="the sign of zero"),
        pytest.param(2**53, 2.0**53, True, id="exact float"),
        pytest.param(2**53 + 1, 2.0**53, False, id="rounded float"),
        pytest.param(10**23, 1e23, False, id="float that is not its digits"),
        pytest.param(1e300, int(1e300), True, id="large float"),
        pytest.param("1", 1, False, id="string"),
        pytest.param([[]], [{}], False, id="empty"),
        pytest.param([["a", "b"]], [["a,1:b"]], False, id="separators"),
    ],
)
def test_numbers_are_compared_by_value(one: Any, other: Any, *, same: bool) -> None:
    assert is_same(one, other) is same
    assert (key_of(one) == key_of(other)) is same
    assert (key_of([one]) == key_of([other])) is same


def test_nan_does_not_equal_itself() -> None:
    """NaN is not a JSON value, so it has no equal, not even the same object."""
    assert not is_same(math.nan, math.nan)


@given(JSON)
def test_json_text_has_the_same_key_as_its_value(value: Any) -> None:
    written = json.dumps({"v": value})
    assert arguments_key(written) == arguments_key({"v": value})
    assert arguments_key(written.encode()) == arguments_key(json.dumps({"v": value}, indent=3))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param('{"a":1,"b":2}', '{"b": 2, "a": 1}', True, id="order of names"),
        pytest.param('{"a":1}', '{"a":1.0}', True, id="an integer with a fraction"),
        pytest.param('{"a":1}', '{"a":10e-1}', True, id="an exponent"),
        pytest.param('{"a":1}', '{"a":true}', False, id="a number is not a boolean"),
        pytest.param('{"a":1}', '{"a":"1"}', False, id="a number is not a string"),
        pytest.param('{"a":null}', "{}", False, id="null is not absent"),
        pytest.param('{"a":[1,2]}', '{"a":[2,1]}', False, id="order of items"),
        pytest.param('{"a":9007199254740993}', '{"a":9007199254740992}', False, id="beyond 53 bits"),
        pytest.param(f'{{"a":{10**40}}}', f'{{"a":{10**40 + 1}}}', False, id="beyond 64 bits"),
        pytest.param(f'{{"a":{2**63}}}', f'{{"a":"{hex(2**63)}"}}', False, id="a large number is not a string"),
        pytest.param('{"a":"\\u0041"}', '{"a":"A"}', True, id="an escape"),
        pytest.param("null", None, True, id="null"),
        pytest.param('{"a":', '{"a":', True, id="not JSON, same bytes"),
        pytest.param('{"a":', '{"a": ', False, id="not JSON, other bytes"),
        pytest.param('{"a":1,"a":2}', '{"a":2}', False, id="a duplicate name is not JSON"),
        pytest.param('{"a":1e400}', '{"a":null}', False, id="too large is not null"),
        pytest.param('{"a":1e400}', '{"a":-1e400}', False, id="too large below zero"),
        pytest.param("[1e400]", b"[1e400]", True, id="too large, same bytes"),
        pytest.param("[1e400]", "[ 1e400]", False, id="too large, other bytes"),
        pytest.param({"a": math.inf}, {"a": None}, False, id="infinity and its correction"),
        pytest.param({"a": math.inf}, '{"a":1e400}', False, id="infinity as a value is not infinity in JSON text"),
        pytest.param('{"a":NaN}', '{"a":null}', False, id="NaN"),
        pytest.param("\ud800", b"\xed\xa0\x80", True, id="a lone surrogate"),
        pytest.param({"a": math.nan}, {"a": {1}}, True, id="not JSON values"),
        pytest.param({"a": math.nan}, {"a": None}, False, id="not a JSON value and its correction"),
        pytest.param("[" * 300 + "]" * 300, "[" * 300 + " " + "]" * 300, False, id="too deep"),
    ],
)  # fmt: skip
def test_calls_with_the_same_arguments_have_the_same_key(
    one: Any, other: Any, *, same: bool
) -> None:
    assert (arguments_key(one) == arguments_key(other)) is same


def test_text_beyond_every_limit_is_not_decoded() -> None:
    long = '{"a":1}' + " " * 2**24
    assert arguments_key(long) == arguments_key(long.encode())
    assert arguments_key(long) != arguments_key('{"a":1}')


def test_a_caller_deep_in_the_stack_gets_the_same_key() -> None:
    value: Any = []
    for _ in range(150):
        value = [value]

    def deep(levels: int) -> bytes:
        return deep(levels - 1) if levels else arguments_key(value)

    assert deep(800) == arguments_key(value)

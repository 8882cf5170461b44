"""Which Python values are JSON, and what becomes of them."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import json
import uuid
from typing import Any, NoReturn

import pytest
from conftest import define
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    Limits,
    ToolDefinition,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)

ANY = define({})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=20,
)  # fmt: skip


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Hostile(str):
    __slots__ = ()

    def __eq__(self, other: object) -> NoReturn:
        raise ZeroDivisionError

    __hash__ = str.__hash__

    def __repr__(self) -> NoReturn:
        raise ZeroDivisionError


class Colour(enum.Enum):
    RED = "red"


class Letter(str, enum.Enum):
    A = "a"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Text("x"), "must be a JSON value"),
        (Whole(1), "must be a JSON value"),
        (Hostile("x"), "must be a JSON value"),
        (Colour.RED, "must be a JSON value"),
        (Letter.A, "must be a JSON value"),
        ((1,), "must be a JSON value"),
        ({1}, "must be a JSON value"),
        (b"x", "must be a JSON value"),
        (1j, "must be a JSON value"),
        (decimal.Decimal(1), "must be a JSON value"),
        (dt.date(2031, 1, 1), "must be a JSON value"),
        (uuid.UUID(int=1), "must be a JSON value"),
        (len, "must be a JSON value"),
        (object(), "must be a JSON value"),
        (collections.OrderedDict(), "must be a JSON value"),
        (float("nan"), "must be a finite number"),
        (float("inf"), "must be a finite number"),
        (10**5000, "must not have more than 4300 digits"),
        ("\ud800", "must not contain lone surrogates"),
    ],
    ids=lambda case: type(case).__name__,
)
@pytest.mark.parametrize("place", ["property", "item"])
def test_a_value_that_is_not_json_is_an_issue_at_its_location(
    value: Any, message: str, place: str
) -> None:
    if place == "property":
        assert check_tool_arguments(ANY, {"v": value}) == (f"/v: {message}",)
    else:
        assert check_tool_arguments(ANY, {"v": [0, value]}) == (f"/v/1: {message}",)


def test_numpy_scalars_are_not_json() -> None:
    numpy = pytest.importorskip("numpy")
    assert check_tool_arguments(ANY, {"v": numpy.float64(1)}) == ("/v: must be a JSON value",)


@pytest.mark.parametrize("key", [1, None, Text("a"), Hostile("a"), "\ud800"])
def test_a_key_that_is_not_a_string_is_an_issue_of_its_object(key: Any) -> None:
    [issue] = check_tool_arguments(ANY, {"v": {key: 1}})
    assert issue.instance_location == "/v"
    assert issue.keyword == "@value"


@pytest.mark.parametrize("value", [None, [], Text("x"), collections.defaultdict(list), 5])
def test_the_arguments_must_be_exactly_a_dict(value: Any) -> None:
    assert check_tool_arguments(ANY, value) == ("/: arguments must be a plain object",)


def test_issues_are_listed_up_to_the_limit() -> None:
    tool = define({}, limits=Limits(max_issues=2))
    issues = check_tool_arguments(tool, {"a": {1}, "b": {1}, "c": {1}})
    assert len(issues) == 2


def test_a_cyclic_value_is_refused() -> None:
    cycle: dict[str, Any] = {"a": {}}
    cycle["a"]["b"] = cycle
    assert check_tool_arguments(ANY, cycle) == ("/a/b: must not contain itself",)


def test_shared_values_count_every_time_they_are_reached() -> None:
    shared: list[Any] = ["s"]
    for _ in range(10):
        shared = [shared, shared]
    copy = validate_tool_arguments(ANY, {"v": shared})
    assert copy["v"][0] == copy["v"][1]
    assert copy["v"][0] is not copy["v"][1]
    for _ in range(30):
        shared = [shared, shared]
    [issue] = check_tool_arguments(ANY, {"v": shared})
    assert issue == "/: arguments must not hold more than 1000000 values"


def test_depth_is_the_same_for_values_and_text() -> None:
    deep: Any = []
    for _ in range(98):
        deep = [deep]
    assert validate_tool_arguments(ANY, {"v": deep}) == {"v": deep}
    [issue] = check_tool_arguments(ANY, {"v": [deep]})
    assert issue == "/: arguments must not be nested deeper than 100 levels"


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_the_copy_is_equal_plain_and_shares_no_container(value: dict[str, Any]) -> None:
    copy = validate_tool_arguments(ANY, value)
    assert repr(copy) == repr(value)
    assert _containers(copy).isdisjoint(_containers(value))


def _containers(value: Any) -> set[int]:
    if not isinstance(value, (dict, list)):
        return set()
    below = value.values() if isinstance(value, dict) else value
    return {id(value)}.union(*map(_containers, below))


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_text_and_value_give_the_same_result(value: dict[str, Any]) -> None:
    assert repr(parse_tool_arguments(ANY, json.dumps(value))) == repr(value)


def test_later_changes_do_not_affect_the_result(read: ToolDefinition) -> None:
    value: dict[str, Any] = {"path": "a", "limit": 1, "options": {"labels": ["x"]}}
    copy = validate_tool_arguments(read, value)
    value["path"] = 5
    value["options"]["labels"].append(5)
    assert copy == {"path": "a", "limit": 1, "options": {"labels": ["x"]}}

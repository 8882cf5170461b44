"""The types of JSON values, and which of several names was meant."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema._json.kinds import NOUNS, TYPES, narrowest_type, primitive, type_of
from toolschema._json.spelling import closest, meant

SCALARS: list[Any] = [None, True, False, 0, -1, 2**70, 0.0, 1.5, 1e300, "", "a"]
JSON = st.sampled_from(SCALARS) | st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@given(JSON | st.lists(JSON, max_size=2) | st.dictionaries(st.text(), JSON, max_size=2))
def test_a_value_satisfies_its_narrowest_and_its_primitive_type_only(value: Any) -> None:
    satisfied = {name for name in TYPES if jsonschema_rs.is_valid({"type": name}, value)}
    narrowest = narrowest_type(value)
    assert satisfied == {narrowest, primitive(narrowest)}
    assert type_of(value) in satisfied


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize("value", [Text("x"), (1,), {1}, b"x", 1j, object()])
def test_a_value_that_is_not_plain_json_has_no_type(value: object) -> None:
    assert type_of(value) == narrowest_type(value) == ""


def test_every_type_has_a_noun() -> None:
    assert NOUNS == {
        "string": "a string",
        "number": "a number",
        "integer": "an integer",
        "boolean": "a boolean",
        "null": "null",
        "array": "an array",
        "object": "an object",
    }


@pytest.mark.parametrize(
    ("text", "choices", "choice"),
    [
        pytest.param("guest_email", ["guestEmail", "limit"], "guestEmail", id="case and punctuation"),
        pytest.param("timeout", ["timeoutSeconds", "limit"], "timeoutSeconds", id="start"),
        pytest.param("time", ["timeZone", "timeOut"], None, id="start of two"),
        pytest.param("a-b", ["ab", "a_b"], None, id="two that differ in punctuation"),
        pytest.param("ciy", ["city", "country"], "city", id="missing letter"),
        pytest.param("rad", ["read", "road"], None, id="two that are as close"),
        pytest.param("x" * 41, ["x" * 40], None, id="too long"),
        pytest.param("x" * 40, ["x" * 41], None, id="too long a choice"),
        pytest.param("nmae00", [f"name{number:02}" for number in range(70)], None, id="too many"),
    ],
)  # fmt: skip
def test_a_name_is_suggested_only_if_it_is_clearly_meant(
    text: str, choices: list[str], choice: str | None
) -> None:
    assert meant(text, choices) == choice


def test_the_most_similar_names_come_first() -> None:
    names = ["get_weather", "set_weather", "weather", 7, "get_wether"]
    assert closest("get_wether", names, count=2, alike=0.6, longest=64) == [
        "get_wether",
        "get_weather",
    ]


def test_the_number_and_length_of_compared_strings_are_bounded() -> None:
    names = ["xxxx", "read"]
    assert closest("reed", names, count=1, alike=0.5, longest=64, compared=1) == []
    assert closest("reed", names, count=1, alike=0.5, longest=3) == []
    assert closest("ree", names, count=1, alike=0.5, longest=3) == []

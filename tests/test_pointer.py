from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema._json.pointer import Token, join, key_in, order, replace, resolve, split

VALUE = {"a": [1, {"b": 2}], "0": "zero", "": None}
JSON = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(), below, max_size=3),
)


def locations(value: Any) -> Iterator[tuple[tuple[Token, ...], Any]]:
    """Every location in *value*, with the value there."""
    yield (), value
    items = enumerate(value) if isinstance(value, list) else ()
    for key, child in value.items() if isinstance(value, dict) else items:
        for tokens, found in locations(child):
            yield (key, *tokens), found


@pytest.mark.parametrize(
    ("tokens", "pointer"),
    [
        pytest.param([], "", id="the whole document"),
        pytest.param([""], "/", id="the empty property name"),
        pytest.param(["a/b"], "/a~1b", id="slash"),
        pytest.param(["~1"], "/~01", id="tilde before one"),
        pytest.param(["stops", 0, "km/h"], "/stops/0/km~1h", id="index"),
    ],
)
def test_join_escapes_its_tokens(tokens: list[str | int], pointer: str) -> None:
    assert join(tokens) == pointer


@given(st.lists(st.text()))
def test_split_undoes_join(tokens: list[str]) -> None:
    assert list(split(join(tokens))) == tokens


def test_a_pointer_starts_with_a_slash() -> None:
    with pytest.raises(ValueError, match="starts with '/'"):
        split("a/b")


@pytest.mark.parametrize("pointer", ["/~", "/a~2", "/~~0"])
def test_a_tilde_must_start_an_escape(pointer: str) -> None:
    with pytest.raises(ValueError, match="followed by 0 or 1"):
        split(pointer)


def test_indexes_are_ordered_as_numbers_and_names_by_code_point() -> None:
    locations: list[list[str | int]] = [["b"], ["a", 10], ["a", 9], ["B"], ["a"], ["ä"]]
    assert sorted(locations, key=order) == [["B"], ["a"], ["a", 9], ["a", 10], ["b"], ["ä"]]


@given(JSON)
def test_every_location_resolves_to_its_value(value: Any) -> None:
    for tokens, found in locations(value):
        assert resolve(value, tokens) is found
        assert resolve(value, split(join(tokens)), strict=True) is found


@given(JSON)
def test_only_the_location_changes_in_a_replaced_copy(value: Any) -> None:
    before = copy.deepcopy(value)
    for tokens, _ in locations(value):
        changed = replace(value, split(join(tokens)), "new")
        assert resolve(changed, tokens) == "new"
        for others, found in locations(value):
            if others[: len(tokens)] != tokens and tokens[: len(others)] != others:
                assert resolve(changed, others) is found
    assert value == before


@pytest.mark.parametrize(
    "tokens",
    [("b",), ("a", "2"), ("a", 2), ("a", -1), ("a", "1" * 5000), ("a", "0", "x"), (0,)],
)
def test_the_default_stands_for_a_location_that_does_not_exist(tokens: tuple[Token, ...]) -> None:
    assert resolve(VALUE, tokens, "default", strict=tokens != ("a", -1)) == "default"


@pytest.mark.parametrize("token", ["01", "-", "\u0660", "x", "-1", ""])
def test_only_ascii_decimal_digits_are_an_index(token: str) -> None:
    assert key_in(VALUE["a"], token) is None
    assert resolve(VALUE, ("a", token), "default") == "default"
    with pytest.raises(ValueError, match="is not an array index"):
        resolve(VALUE, ("a", token), strict=True)


def test_a_null_is_not_missing() -> None:
    assert resolve(VALUE, ("",), "default") is None

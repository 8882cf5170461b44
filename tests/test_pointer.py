from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema._json.pointer import join, order, split


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
def test_join(tokens: list[str | int], pointer: str) -> None:
    assert join(tokens) == pointer


@given(st.lists(st.text()))
def test_split_undoes_join(tokens: list[str]) -> None:
    assert list(split(join(tokens))) == tokens


def test_a_pointer_starts_with_a_slash() -> None:
    with pytest.raises(ValueError, match="starts with '/'"):
        split("a/b")


@pytest.mark.parametrize("pointer", ["/~", "/a~2", "/~~0"])
def test_a_tilde_is_part_of_an_escape(pointer: str) -> None:
    with pytest.raises(ValueError, match="followed by 0 or 1"):
        split(pointer)


def test_indexes_are_ordered_as_numbers_and_names_by_code_point() -> None:
    locations: list[list[str | int]] = [["b"], ["a", 10], ["a", 9], ["B"], ["a"], ["ä"]]
    assert sorted(locations, key=order) == [["B"], ["a"], ["a", 9], ["a", 10], ["b"], ["ä"]]

"""What a check can return, and the text of a rejection for the model."""

from __future__ import annotations

import json
import re
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema import Rejected, accept, reject


def test_an_accepted_value_is_handed_on_unchanged() -> None:
    row = object()
    assert accept(row).value is row
    assert accept(None).value is None


@pytest.mark.parametrize(
    ("options", "text"),
    [
        pytest.param({}, "No such id.", id="candidates unknown"),
        pytest.param({"candidates": ()}, "No such id.\nThere are none to choose from.", id="none"),
        pytest.param({"candidates": ["a"]}, 'No such id.\nChoose one of: "a".', id="one"),
        pytest.param({"candidates": iter(["a", "b"])}, 'No such id.\nChoose one of: "a", "b".', id="an iterator"),
        pytest.param({"candidates": [7, "7"]}, 'No such id.\nChoose one of: 7, "7".', id="an integer and a string"),
        pytest.param(
            {"candidates": list("abcde")},
            'No such id.\nChoose one of: "a", "b", "c", "d", "e".',
            id="five are all listed",
        ),
        pytest.param(
            {"candidates": range(9)}, "No such id.\nChoose one of: 0, 1, 2, 3, 4, and 4 more.", id="more are counted"
        ),
        pytest.param(
            {"candidates": range(9), "shown": 1}, "No such id.\nChoose one of: 0, and 8 more.", id="fewer if asked"
        ),
        pytest.param({"candidates": ['a", "b']}, 'No such id.\nChoose one of: "a\\", \\"b".', id="quotes"),
        pytest.param({"candidates": ["größe"]}, 'No such id.\nChoose one of: "größe".', id="letters stay"),
    ],
)  # fmt: skip
def test_text_of_a_rejection(options: dict[str, Any], text: str) -> None:
    assert reject("No such id.", **options).text == text


@given(st.text(min_size=1), st.lists(st.one_of(st.text(), st.integers())), st.integers(1, 9))
def test_retryable_does_not_change_the_text(
    message: str, candidates: list[str | int], shown: int
) -> None:
    texts = {
        Rejected(message, retryable, tuple(candidates), shown).text for retryable in (True, False)
    }
    assert len(texts) == 1


@given(
    st.text(st.characters(exclude_categories=[])),
    st.lists(st.text(st.characters(exclude_categories=[]))),
)
def test_neither_message_nor_candidates_can_forge_a_line(
    message: str, candidates: list[str]
) -> None:
    lines = Rejected("x" + message, candidates=tuple(candidates)).text.split("\n")
    assert len(lines) == len(("x" + message).splitlines()) + 1
    for character in "\r\x00\x1b\x85\u2028\u202e\ufeff\ud800":
        assert not any(character in line for line in lines)


def test_line_breaks_in_a_message_are_kept() -> None:
    assert reject("Too late.\nToday is 2031-05-02.").text == "Too late.\nToday is 2031-05-02."


def test_the_text_has_a_maximum_length() -> None:
    rejection = reject("m" * 10**6, candidates=["c" * 10**6] * 1000)
    assert len(rejection.text) < 1700
    assert rejection.text.endswith(", and 995 more.")
    assert len(rejection.message) == 10**6


@given(
    st.text(st.characters(exclude_categories=[])),
    st.lists(
        st.text(st.characters(exclude_categories=[])) | st.integers(-(10**40) + 1, 10**40 - 1)
    ),
    st.integers(1, 99),
)
def test_the_text_of_any_rejection_is_bounded(
    message: str, candidates: list[str | int], times: int
) -> None:
    rejection = reject("x" + message * times * 20, candidates=candidates * times, shown=50)
    assert len(rejection.text) <= 4000


@pytest.mark.parametrize("character", ["\x1b", "\U000e0041", '"', "\\", "\n", "c", "\ud800"])
def test_escaped_text_is_bounded_too(character: str) -> None:
    text = reject("m" + character * 10**4 + "m", candidates=[character * 10**4] * 99, shown=50).text
    assert len(text) <= 4000
    _, _, choice = text.rpartition("\n")
    first, *others = choice.removeprefix("Choose one of: ").split(", ")
    assert len(first) <= 102
    assert first.endswith('..."')
    assert others[-1] == f"and {99 - len(others)} more."
    if "e0041" not in first:
        assert set(json.loads(first)[:-3]) == {character}


def test_a_cut_never_splits_an_escape() -> None:
    for length in range(900, 1000):
        text = reject("m" * length + "\x1b\U000e0041" * 20).text
        assert len(text) <= 1000
        assert re.fullmatch(r"m+(\\\\u001b|\\\\u\{e0041\})*\.\.\.".replace("\\\\", "\\"), text)


def test_integers_of_forty_digits_are_shown_in_full() -> None:
    text = reject("No.", candidates=[10**40 - 1, -(10**40) + 1]).text
    assert text == f"No.\nChoose one of: {'9' * 40}, -{'9' * 40}."


def test_the_repr_shows_no_value() -> None:
    assert repr(accept({"password": "hunter2"})) == "Accepted()"
    rejection = reject("No.\n" + "m" * 200, retryable=False, candidates=["hunter2", "b"])
    assert repr(rejection) == (
        f'<Rejected "No.\\u000a{"m" * 88}...", retryable=False, candidates: 2>'
    )
    assert '"' + "m" * 97 + '..."' in repr(reject("m" * 101))
    assert repr(reject("No.")) == '<Rejected "No.", retryable=True, candidates: None>'


def test_answers_are_frozen() -> None:
    rejection = reject("No.", candidates=["a"])
    assert (rejection.message, rejection.retryable, rejection.candidates) == ("No.", True, ("a",))
    with pytest.raises(FrozenInstanceError):
        rejection.message = "Yes."  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        accept(1).value = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "sentence"),
    [
        pytest.param([None], {}, TypeError, "message must be str, not NoneType", id="message is not a string"),
        pytest.param([" \n"], {}, ValueError, "message must say what is wrong", id="blank message"),
        pytest.param(["m"], {"retryable": 1}, TypeError, "retryable must be bool, not int", id="retryable"),
        pytest.param(["m"], {"candidates": "abc"}, TypeError, "candidates must be an iterable of str or int, not str", id="candidates are a string"),
        pytest.param(["m"], {"candidates": 5}, TypeError, "candidates must be an iterable of str or int, not int", id="candidates are not iterable"),
        pytest.param(["m"], {"candidates": [{"id": 1, "guest": "Ada"}]}, TypeError, "a candidate must be str or int, not dict", id="a row"),
        pytest.param(["m"], {"shown": True}, TypeError, "shown must be int, not bool", id="shown"),
        pytest.param(["m"], {"candidates": [1, 10**40]}, ValueError, "a candidate must have at most 40 digits", id="41 digits"),
        pytest.param(["m"], {"candidates": [-(10**5000)]}, ValueError, "a candidate must have at most 40 digits", id="5001 digits"),
        pytest.param(["m"], {"shown": 51}, ValueError, "shown must be from 1 to 50", id="too many shown"),
        pytest.param(["m"], {"shown": 0}, ValueError, "shown must be from 1 to 50", id="none shown"),
    ],
)  # fmt: skip
def test_a_developers_mistake_raises_a_precise_error(
    arguments: list[Any], options: dict[str, Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        reject(*arguments, **options)
    assert str(caught.value) == sentence

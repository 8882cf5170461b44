"""What an engine does wrong ends in a refusal, never in a crash, a yes or a leak."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from conftest import define, property_tool
from jsonschema import ValidationError

from toolschema import (
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSchemaError,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema._validation import verdict

SECRET = "hunter2SECRET"


@pytest.fixture
def disagreeing(monkeypatch: pytest.MonkeyPatch) -> ToolDefinition:
    """A tool whose verdict engine says no to everything."""
    tool = property_tool({"title": "planted", "type": "string"})
    monkeypatch.setattr(tool.compiled, "is_valid", lambda value: False)
    # What decides small calls at once holds verdicts of its own.
    validate_tool_arguments(tool, {"v": SECRET})
    for name in ("is_valid", "closed"):
        assert getattr(tool._fast, name)({"v": SECRET})
        monkeypatch.setattr(tool._fast, name, tool.compiled.is_valid)
    return tool


def test_a_planted_disagreement_is_refused_and_logged(
    disagreeing: ToolDefinition, caplog: pytest.LogCaptureFixture
) -> None:
    arguments = {"v": SECRET}
    for given in (arguments, f'{{"v": "{SECRET}"}}'):
        caplog.clear()
        (issue,) = check_tool_arguments(disagreeing, given)
        assert issue == "/: arguments do not satisfy the tool schema"
        assert issue.keyword == "@disagreement"
        assert [(record.name, record.levelno) for record in caplog.records] == [
            ("toolschema", logging.ERROR)
        ]
        assert 'the engines disagree about arguments of tool "tool"; refused' in caplog.text
        assert SECRET not in caplog.text + repr([vars(record) for record in caplog.records])
    with pytest.raises(ToolArgumentsValidationError) as caught:
        parse_tool_arguments(disagreeing, f'{{"v": "{SECRET}"}}')
    assert caught.value.issues == (issue,)


class PanicException(BaseException):
    """What a library in Rust raises where it has reached a state it does not expect."""


def raising(error: BaseException) -> Any:
    def fail(*arguments: Any, **options: Any) -> Any:
        raise error

    return fail


def explained(monkeypatch: pytest.MonkeyPatch, iter_errors: Any) -> tuple[str, str, int | None]:
    """How a call is explained if python-jsonschema finds its errors like this."""
    tool = property_tool({"title": "explained", "type": "integer"})
    with monkeypatch.context() as patched:
        patched.setattr(type(tool.validator), "iter_errors", iter_errors)
        with pytest.raises(ToolArgumentsValidationError) as caught:
            validate_tool_arguments(tool, {"v": SECRET})
    [issue] = caught.value.issues
    return str(issue), issue.keyword, caught.value.omitted


def test_an_exception_in_the_explanation_is_logged_without_its_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = explained(monkeypatch, raising(ZeroDivisionError(SECRET)))
    assert found == ("/: arguments do not satisfy the tool schema", "@disagreement", 0)
    assert "a call could not be explained: ZeroDivisionError" in caplog.text
    assert SECRET not in caplog.text + repr([vars(record) for record in caplog.records])


@pytest.mark.parametrize("error", [PanicException(SECRET), RecursionError(SECRET)])
def test_an_explanation_without_enough_stack_is_cut_short(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    found = explained(monkeypatch, raising(error))
    assert found == ("/: arguments do not satisfy the tool schema", "@limit", None)


def test_an_interrupt_during_the_explanation_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        explained(monkeypatch, raising(KeyboardInterrupt()))


def test_a_sentence_that_is_not_ours_is_not_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = explained(monkeypatch, lambda *_: iter([ValidationError(f"{SECRET} is wrong")]))
    assert found == ("/: arguments do not satisfy the tool schema", "@disagreement", 0)
    assert "an error that is not ours was found" in caplog.text
    assert SECRET not in caplog.text


def test_a_schema_on_which_the_verdict_engine_panics_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(verdict._CLASSES, "2020-12", raising(PanicException()))
    with pytest.raises(ToolSchemaError, match="the verdict engine fails on this schema"):
        define({"title": "panic"})
    monkeypatch.setitem(verdict._CLASSES, "2020-12", raising(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        define({"title": "interrupted"})


@pytest.mark.parametrize("error", [ZeroDivisionError(SECRET), RecursionError(SECRET)])
def test_a_valid_call_does_not_fail_for_what_only_makes_others_faster(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    tool = define({"title": f"made faster, {type(error)}", "type": "object"})
    monkeypatch.setitem(verdict._CLASSES, "2020-12", raising(error))
    for _ in range(2):
        assert parse_tool_arguments(tool, '{"v": 1}') == {"v": 1}
    is_logged = "a closed schema could not be compiled: ZeroDivisionError" in caplog.text
    assert is_logged is isinstance(error, ZeroDivisionError)
    assert SECRET not in caplog.text

"""Toolbox: look a tool up, validate, check, run; each step can end the call."""

from __future__ import annotations

import asyncio
import datetime as dt
import functools
import logging
import sys
import threading
import time
import warnings
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from conftest import READ
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    Rejected,
    RetryGuard,
    Tool,
    Toolbox,
    ToolCall,
    ToolDefinition,
    ToolResult,
    accept,
    reject,
)
from toolschema._calls.result import BROKEN, NOT_WRITTEN, TIMED_OUT

SECRET = "hunter2"
FIND: dict[str, Any] = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "string", "maxLength": 20}},
    "additionalProperties": False,
}
Take = Callable[..., ToolResult]


def find(run: Any = None, check: Any = None, **options: Any) -> Tool[Any, Any]:
    definition = ToolDefinition("find", "Find a booking.", FIND)
    return Tool(definition, run or (lambda value, context: "found"), check, **options)


def asynchronous(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    async def wrapped(value: Any, context: Any) -> Any:
        await asyncio.sleep(0)
        return function(value, context)

    return wrapped


def call(arguments: Any = '{"id": "bk_1"}', name: Any = "find") -> ToolCall:
    return ToolCall("call_1", name, arguments)


@pytest.fixture(params=["call", "acall", "acall_all", "async functions"])
def take(request: pytest.FixtureRequest) -> Take:
    """Every way to make a call; all must give the same result."""

    def taken(tools: Any, a_call: Any, context: Any = None, **options: Any) -> ToolResult:
        tools = list(tools) if isinstance(tools, (list, tuple)) else [tools]
        guard = options.pop("guard", None)
        if request.param == "async functions":
            tools = [
                Tool(
                    tool.definition,
                    asynchronous(tool.run),
                    tool.check and asynchronous(tool.check),
                    timeout=60,
                    defaults=tool.defaults,
                )
                for tool in tools
            ]
        toolbox = Toolbox(tools, guard=guard)
        if request.param == "call":
            return toolbox.call(a_call, context)
        if request.param == "acall_all":
            [result] = asyncio.run(toolbox.acall_all([a_call], context))
            return result
        return asyncio.run(toolbox.acall(a_call, context))

    return taken


@pytest.mark.parametrize("arguments", ['{"id": "bk_1"}', b'{"id": "bk_1"}', {"id": "bk_1"}])
def test_a_valid_call_is_checked_and_run(take: Take, arguments: Any) -> None:
    seen: list[Any] = []

    def check(checked: Any, context: Any) -> Any:
        seen.append((checked, context))
        return accept({"row": checked["id"]})

    def run(value: Any, context: Any) -> str:
        seen.append((value, context))
        return "done"

    result = take(find(run, check), call(arguments), "context")
    assert seen == [({"id": "bk_1"}, "context"), ({"row": "bk_1"}, "context")]
    assert result == ToolResult("call_1", "find", "done", value="done")
    assert not result.is_error
    assert not result.retryable
    assert not result.rejected
    assert (result.issues, result.exception, result.rejection) == ((), None, None)


def test_without_a_check_the_function_receives_the_arguments(take: Take) -> None:
    sent = {"id": "bk_1"}
    result = take(find(lambda value, context: value), call(sent))
    assert result.value == sent
    assert result.value is not sent


def test_accept_without_a_value_hands_on_the_arguments(take: Take) -> None:
    tool = find(lambda value, context: value, lambda arguments, context: accept())
    assert take(tool, call()).value == {"id": "bk_1"}
    tool = find(lambda value, context: value is None, lambda arguments, context: accept(None))
    assert take(tool, call()).value is True


@dataclass
class Row:
    id: str
    day: dt.date


class Word(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "content"),
    [
        pytest.param("as it is\n", "as it is\n", id="string"),
        pytest.param(Word("word"), "word", id="subclass of str"),
        pytest.param(None, "null", id="None"),
        pytest.param([1, 2.5, True], "[1,2.5,true]", id="array"),
        pytest.param({1: "a", None: "b"}, '{"1":"a","null":"b"}', id="keys that are not strings"),
        pytest.param(Row("bk_1", dt.date(2031, 5, 2)), '{"id":"bk_1","day":"2031-05-02"}', id="dataclass"),
        pytest.param({"größe": 10**30}, '{"gr\\u00f6\\u00dfe": 1000000000000000000000000000000}', id="large integer"),
    ],
)  # fmt: skip
def test_the_return_value_of_a_tool_becomes_the_content(
    take: Take, value: Any, content: str
) -> None:
    result = take(find(lambda found, context: value), call())
    assert result.content == content
    assert type(result.content) is str
    assert result.value is value
    assert not result.is_error


@pytest.mark.parametrize("value", [b"bytes", {1, 2}, Decimal(1), object(), {"a": Decimal(1)}])
def test_a_return_value_that_is_not_json_is_the_developers_fault(take: Take, value: Any) -> None:
    result = take(find(lambda found, context: value), call())
    assert (result.content, result.is_error, result.retryable) == (NOT_WRITTEN, True, False)
    assert result.value is value, "the work has been done"
    assert isinstance(result.exception, TypeError)


class Lazy(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError(SECRET)


@pytest.mark.parametrize("value", [Lazy(a=10**30), [Lazy(a=10**30)], "a\ud800", Word("\udfff")])
def test_an_exception_while_writing_the_answer_is_kept_and_not_logged(
    take: Take, caplog: pytest.LogCaptureFixture, value: Any
) -> None:
    result = take(find(lambda found, context: value), call())
    assert (result.content, result.is_error, result.retryable) == (NOT_WRITTEN, True, False)
    assert result.value is value
    assert result.exception is not None
    assert SECRET not in caplog.text


def test_a_string_in_any_language_is_passed_on_unescaped(take: Take) -> None:
    assert take(find(lambda found, context: "größe 😀"), call()).content == "größe 😀"


@pytest.mark.parametrize("answer", [accept(SECRET), reject(SECRET)])
def test_only_a_check_accepts_or_rejects(take: Take, answer: Any) -> None:
    result = take(find(lambda value, context: answer), call())
    assert (result.content, result.is_error, result.retryable) == (BROKEN, True, False)
    assert (result.rejected, result.value) == (False, None)
    assert type(result.exception) is TypeError
    assert str(result.exception) == "run must return an answer; only a check accepts or rejects"


class Hostile(str):
    __slots__ = ()

    def __hash__(self) -> int:
        raise RuntimeError(SECRET)

    __eq__ = __len__ = __getitem__ = encode = __format__ = __str__ = __hash__  # type: ignore[assignment]


def test_a_subclass_of_str_is_not_a_tool_name(take: Take) -> None:
    guard = RetryGuard(1)
    result = take(find(), call(name=Hostile("find")), guard=guard)
    assert result.content.startswith("The tool name must be a string.")
    assert result.exception is None
    assert "already" in take(find(), call(name=Hostile("find")), guard=guard).content
    assert repr(result).startswith("ToolResult(call_id='call_1', name=<Hostile>, ")


def test_an_answer_that_contains_itself_cannot_be_written(take: Take) -> None:
    value: list[Any] = []
    value.append(value)
    result = take(find(lambda found, context: value), call())
    assert result.content == NOT_WRITTEN
    assert result.exception is not None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("fnd", 'There is no tool named "fnd". Did you mean "find"? Send the call again with that name.', id="near"),
        pytest.param("weather", 'There is no tool named "weather". The tools are "find", "read".', id="far"),
        pytest.param('x".\n\u202e', 'There is no tool named "x".\\u000a\\u202e". The tools are "find", "read".', id="forged"),
        pytest.param(None, 'The tool name must be a string. The tools are "find", "read".', id="null"),
        pytest.param(["find"], 'The tool name must be a string. The tools are "find", "read".', id="array"),
    ],
)  # fmt: skip
def test_an_unknown_tool_is_answered_with_the_names_that_exist(
    take: Take, name: Any, content: str
) -> None:
    tools = [find(), Tool(ToolDefinition("read", "Read.", READ), lambda value, context: "read")]
    result = take(tools, call(SECRET, name))
    assert result.content == content
    assert (result.is_error, result.retryable, result.rejected) == (True, True, False)
    assert result.exception is None
    assert result.name == name


def test_at_most_ten_tool_names_are_listed() -> None:
    def run(value: Any, context: Any) -> str:
        return ""

    toolbox = Toolbox(Tool(ToolDefinition(f"t{number}", "", {}), run) for number in range(12))
    content = toolbox.call(call("{}", "weather")).content
    assert content.endswith('"t8", "t9" and 2 more.')
    assert Toolbox([]).call(call()).content.endswith("No tools are available.")


@pytest.mark.parametrize(
    ("arguments", "issue"),
    [
        pytest.param(f'{{"id": 5, "note": "{SECRET}"}}', "/id: must be string", id="text"),
        pytest.param({"id": [SECRET]}, "/id: must be string", id="object"),
        pytest.param(f'{{"id": "{SECRET}', "/: arguments must be valid JSON", id="truncated"),
        pytest.param(None, "/: arguments must be a plain object", id="None"),
        pytest.param([SECRET], "/: arguments must be a plain object", id="array"),
        pytest.param({"id": {SECRET}}, "/id: must be a JSON value", id="no JSON value"),
        pytest.param(object(), "/: arguments must be a plain object", id="object of a class"),
        pytest.param(SECRET * 10, "/: arguments must be valid JSON", id="prose"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_explained_and_nothing_runs(
    take: Take, arguments: Any, issue: str
) -> None:
    def fail(value: Any, context: Any) -> Any:
        raise AssertionError("this must not run")

    result = take(find(fail, fail), call(arguments))
    assert any(line.startswith(issue) for line in result.issues)
    assert (result.is_error, result.retryable, result.rejected) == (True, True, False)
    assert "find" in result.content
    assert SECRET not in result.content
    assert SECRET not in repr(result)
    assert (result.value, result.exception) == (None, None)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda items: st.lists(items) | st.tuples(items) | st.dictionaries(st.text(), items),
)


@given(JUNK, JUNK | st.just("find"))
def test_every_call_gets_a_result_whatever_the_model_sends(arguments: Any, name: Any) -> None:
    guard = RetryGuard()
    for _ in range(3):
        result = Toolbox([find()], guard=guard).call(ToolCall(arguments, name, arguments))
        assert type(result.content) is str
        assert result.exception is None


def test_defaults_are_filled_in_before_the_check() -> None:
    schema = {"properties": {"limit": {"type": "integer", "default": 20}}}
    definition = ToolDefinition("find", "Find.", schema)
    for defaults, expected in ((True, {"limit": 20}), (False, {})):
        seen: list[Any] = []

        def check(value: Any, context: Any, seen: list[Any] = seen) -> Any:
            seen.append(value)
            return accept()

        tool = Tool(definition, lambda value, context: value, check, defaults=defaults)
        assert Toolbox([tool]).call(ToolCall("call_1", "find", "{}")).value == expected
        assert seen == [expected]


def test_a_rejection_is_reported_and_nothing_runs(take: Take) -> None:
    def fail(value: Any, context: Any) -> Any:
        raise AssertionError("this must not run")

    rejection = reject("No booking of yours has this id.", candidates=["bk_2"])
    result = take(find(fail, lambda arguments, context: rejection), call())
    assert result.content == 'No booking of yours has this id.\nChoose one of: "bk_2".'
    assert (result.is_error, result.retryable, result.rejected) == (True, True, False)
    assert result.rejection is rejection
    assert result.value is None


def bookings(arguments: Any, user: str) -> Any:
    owners = {"bk_1": "ada", "bk_2": "ada", "bk_9": "bob"}
    owner = owners.get(arguments["id"])
    if owner == user:
        return accept(arguments["id"])
    mine = [booking for booking, whose in owners.items() if whose == user]
    return reject(
        "No booking of yours has this id.", retryable=owner is None, candidates=mine
    )  # fmt: skip


def test_unknown_and_not_yours_get_the_same_text(take: Take) -> None:
    guards = {"bk_0": RetryGuard(), "bk_9": RetryGuard()}
    told: dict[str, list[str]] = {booking: [] for booking in guards}
    closed: dict[str, list[bool]] = {booking: [] for booking in guards}
    for booking, guard in guards.items():
        for _ in range(4):
            result = take(find(check=bookings), call({"id": booking}), "ada", guard=guard)
            told[booking].append(result.content)
            closed[booking].append(result.rejected)
    assert told["bk_0"] == told["bk_9"], "the guard included"
    assert told["bk_0"][1] != told["bk_0"][2]
    assert not any(closed["bk_0"])
    assert closed["bk_9"] == [True, True, False, False]


def test_a_toolbox_records_which_tools_were_rejected_for_good() -> None:
    shared = Toolbox([find(check=bookings)])
    one, other = Toolbox(shared), Toolbox(shared)
    for booking in ("bk_0", "bk_9", "bk_1"):
        one.call(call({"id": booking}), "ada")
        other.call(call({"id": "bk_0"}), "ada")
    assert one.rejected == {"find"}
    assert other.rejected == shared.rejected == frozenset()
    assert list(one) == list(shared)
    assert one.definitions is shared.definitions


@pytest.mark.parametrize("step", ["check", "run"])
@pytest.mark.parametrize(
    "kind", [ValueError, KeyError, StopIteration, TimeoutError, RecursionError]
)
def test_an_exception_of_a_function_is_shown_to_the_developer_only(
    take: Take, caplog: pytest.LogCaptureFixture, step: str, kind: type[Exception]
) -> None:
    def fail(value: Any, context: Any) -> Any:
        raise kind(SECRET)

    tool = find(fail) if step == "run" else find(check=fail)
    result = take(tool, call())
    assert (result.content, result.is_error, result.retryable) == (BROKEN, True, False)
    # A coroutine cannot raise StopIteration; Python makes it a RuntimeError.
    assert isinstance(result.exception, (kind, RuntimeError))
    assert SECRET in f"{result.exception} {result.exception.__cause__}"
    assert not result.rejected
    [record] = caplog.records
    assert record.name == "toolschema"
    assert record.getMessage().startswith(f'{step} of tool "find" failed with ')
    assert SECRET not in caplog.text
    assert "bk_1" not in caplog.text


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
@pytest.mark.parametrize("step", ["check", "run"])
def test_interrupts_and_cancellation_pass_through(step: str, kind: type[BaseException]) -> None:
    def fail(value: Any, context: Any) -> Any:
        raise kind

    toolbox = Toolbox([find(fail) if step == "run" else find(check=fail)])
    with pytest.raises(kind):
        toolbox.call(call())
    with pytest.raises(kind):
        toolbox.acall(call()).send(None)


@pytest.mark.parametrize("answer", [None, True, "no", {"accepted": True}])
def test_a_check_must_return_accept_or_reject(take: Take, answer: Any) -> None:
    def fail(value: Any, context: Any) -> Any:
        raise AssertionError("this must not run")

    result = take(find(fail, lambda arguments, context: answer), call())
    assert result.content == BROKEN
    assert isinstance(result.exception, TypeError)
    assert str(result.exception) == (
        f"check must return accept(...) or reject(...), not {type(answer).__name__}"
    )


def test_a_hand_made_rejection_with_wrong_types_is_a_broken_check(take: Take) -> None:
    made = Rejected(5, retryable=False)  # type: ignore[arg-type]
    result = take(find(check=lambda arguments, context: made), call())
    assert (result.content, result.rejected) == (BROKEN, False)
    assert result.exception is not None


class Asynchronous:
    async def __call__(self, value: Any, context: Any) -> Any:
        return "done"


@pytest.mark.parametrize(
    "function",
    [
        asynchronous(lambda value, context: "done"),
        Asynchronous(),
        functools.partial(asynchronous(lambda value, context: "done")),
    ],
)
@pytest.mark.parametrize("arguments", ['{"id": "bk_1"}', "{"])
def test_an_async_tool_must_be_called_with_acall(function: Any, arguments: Any) -> None:
    for tool in (find(function), find(check=function)):
        assert tool.is_async
        with pytest.raises(TypeError, match=r'^tool "find" is async: await toolbox\.acall\('):
            Toolbox([tool]).call(call(arguments))


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Hide from inspection that a function returns an awaitable."""
    return lambda value, context: function(value, context)  # noqa: PLW0108


@pytest.mark.parametrize("step", ["check", "run"])
def test_an_unexpected_awaitable_is_closed_and_reported(step: str) -> None:
    hidden = asynchronous(lambda value, context: accept("row"))
    tool = find(
        **{
            "check": lambda value, context: accept(),
            step: plain(hidden),
        }
    )
    assert not tool.is_async
    message = r'^tool "find" has returned an awaitable: await toolbox\.acall\('
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match=message):
            Toolbox([tool]).call(call())
    loop = asyncio.new_event_loop()
    future = loop.create_future()
    with pytest.raises(TypeError, match=message):
        Toolbox([find(lambda value, context: future)]).call(call())
    loop.close()


def test_acall_awaits_an_awaitable_from_a_plain_function() -> None:
    hidden = asynchronous(lambda value, context: "done")
    tool = find(plain(hidden))
    assert asyncio.run(Toolbox([tool]).acall(call())).content == "done"


async def forever(value: Any, context: Any) -> Any:
    await asyncio.Event().wait()


@pytest.mark.parametrize("step", ["check", "run"])
def test_a_tool_is_stopped_at_its_timeout(step: str) -> None:
    tool = find(**{step: forever}, timeout=0.01)
    result = asyncio.run(Toolbox([tool]).acall(call()))
    assert (result.content, result.is_error, result.retryable) == (TIMED_OUT, True, True)
    assert type(result.exception) is TimeoutError
    assert str(result.exception) == 'tool "find" took longer than 0.01 seconds'


def test_a_timeout_does_not_apply_to_a_plain_function() -> None:
    def slow(value: Any, context: Any) -> str:
        time.sleep(0.02)
        return "done"

    tool = find(slow, timeout=0.001)
    assert Toolbox([tool]).call(call()).content == "done"
    assert asyncio.run(Toolbox([tool]).acall(call())).content == "done"


def test_the_calls_of_a_turn_run_concurrently_and_keep_their_order() -> None:
    together = asyncio.Event()
    waiting: list[str] = []

    async def run(value: Any, context: Any) -> str:
        waiting.append(value["id"])
        if len(waiting) == 3:
            together.set()
        await together.wait()
        return str(value["id"])

    calls = [
        call({"id": "a"}), call({"id": "b"}), call({}), call("{}", "fnd"), call({"id": "c"}),
    ]  # fmt: skip

    async def turn() -> list[ToolResult]:
        return await Toolbox([find(run)]).acall_all(iter(calls))

    results = asyncio.run(turn())
    assert [result.value for result in results] == ["a", "b", None, None, "c"]
    assert [result.is_error for result in results] == [False, False, True, True, False]
    assert asyncio.run(Toolbox([]).acall_all([])) == []


@pytest.mark.parametrize("one_by_one", [True, False])
def test_cancellation_passes_and_nothing_is_left_running(*, one_by_one: bool) -> None:
    ended: list[str] = []
    guard = RetryGuard()

    async def run(value: Any, context: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(value["id"])

    async def turn() -> None:
        toolbox = Toolbox([find(run, timeout=60)], guard=guard)
        calls = [call({"id": "a"})] if one_by_one else [call({"id": "a"}), call({"id": "b"})]
        todo = toolbox.acall(calls[0]) if one_by_one else toolbox.acall_all(calls)
        task = asyncio.ensure_future(todo)
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(turn())
    assert sorted(ended) == (["a"] if one_by_one else ["a", "b"])
    assert guard.state() == {}, "who was cancelled has not failed"


def test_a_call_that_cancels_itself_cancels_the_others() -> None:
    ended: list[str] = []

    async def run(value: Any, context: Any) -> None:
        if value["id"] == "a":
            raise asyncio.CancelledError
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(value["id"])

    async def turn() -> None:
        with pytest.raises(asyncio.CancelledError):
            await Toolbox([find(run)]).acall_all([call({"id": "b"}), call({"id": "a"})])
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(turn())
    assert ended == ["b"]


FAILING = [
    pytest.param(call("{}", "fnd"), find(), id="unknown tool"),
    pytest.param(call("{"), find(), id="no JSON"),
    pytest.param(call({"id": 5}), find(), id="another shape"),
    pytest.param(call(), find(check=lambda value, context: reject("No.")), id="rejected"),
    pytest.param(call(), find(check=lambda value, context: reject("No.", retryable=False)), id="for good"),
    pytest.param(call(), find(lambda value, context: 1 / 0), id="broken"),
    pytest.param(call(), find(lambda value, context: object()), id="not written"),
]  # fmt: skip


@pytest.mark.parametrize(("a_call", "tool"), FAILING)
def test_a_repeated_failure_is_stopped_whatever_its_reason(
    take: Take, a_call: ToolCall, tool: Tool[Any, Any]
) -> None:
    guard = RetryGuard()
    first, second, third, fourth = (take(tool, a_call, guard=guard) for _ in range(4))
    assert first.content == second.content
    assert "has already failed with the same arguments" in third.content
    assert fourth.content == third.content
    assert (third.is_error, third.retryable, third.rejected) == (True, True, False)
    assert (third.exception, third.issues) == (None, ())
    assert sum(sum(counts["calls"].values()) for counts in guard.state().values()) == 2


def test_a_stopped_call_does_not_run_and_a_corrected_one_does(take: Take) -> None:
    ran: list[str] = []

    def run(value: Any, context: Any) -> str:
        ran.append(value["id"])
        if value["id"] == "bad":
            raise ValueError
        return "done"

    guard = RetryGuard()
    for _ in range(5):
        assert take(find(run), call({"id": "bad"}), guard=guard).is_error
    assert take(find(run), call({"id": "good"}), guard=guard).content == "done"
    assert ran == ["bad", "bad", "good"]


def test_successes_do_not_count(take: Take) -> None:
    guard = RetryGuard()
    for _ in range(5):
        assert take(find(), call(), guard=guard).content == "found"
    assert guard.state() == {}


def test_a_success_ends_failures_in_a_row(take: Take) -> None:
    guard = RetryGuard(max_consecutive=2)
    for arguments in ("{", '{"id": "bk_1"}', "[", '{"id": "bk_1"}', "{{"):
        content = take(find(), call(arguments), guard=guard).content
        assert "too often" not in content
    take(find(), call("[["), guard=guard)
    assert "too often in a row" in take(find(), call(), guard=guard).content


def test_a_guard_given_to_the_call_overrides_that_of_the_toolbox() -> None:
    own, other = RetryGuard(1), RetryGuard(1)
    toolbox = Toolbox([find()], guard=own)
    toolbox.call(call("{"), guard=other)
    assert own.state() == {}
    assert "already" in toolbox.call(call("{"), guard=other).content
    assert "already" not in toolbox.call(call("{")).content


class Broken(dict[str, Any]):
    def get(self, *arguments: Any) -> Any:
        raise OSError(SECRET)

    __contains__ = get


def test_a_failing_store_does_not_fail_the_call(
    take: Take, caplog: pytest.LogCaptureFixture
) -> None:
    guard = RetryGuard(store=Broken())
    result = take(find(), call(), guard=guard)
    assert (result.content, result.is_error) == ("found", False)
    assert isinstance(result.exception, OSError)
    assert caplog.records[0].getMessage() == 'the guard of tool "find" failed with OSError'
    result = take(find(), call("{"), guard=guard)
    assert result.issues
    assert isinstance(result.exception, OSError)
    result = take(find(lambda value, context: 1 / 0), call(), guard=guard)
    assert isinstance(result.exception, ZeroDivisionError), "the tool's own comes first"
    result = take(find(), call("{}", None), guard=guard)
    assert isinstance(result.exception, OSError)
    caplog.clear()
    take(find(), call("{}", "ü\n" * 100), guard=guard)
    shown = r"\u00fc\u000a" * 5 + "..."
    assert caplog.records[0].getMessage() == f'the guard of tool "{shown}" failed with OSError'
    assert SECRET not in caplog.text


def test_ten_thousand_concurrent_calls_are_all_counted(caplog: pytest.LogCaptureFixture) -> None:
    guard = RetryGuard(max_consecutive=10**6)
    arrived = 0

    async def turn() -> list[ToolResult]:
        everyone = asyncio.Event()

        async def run(value: Any, context: Any) -> None:
            nonlocal arrived
            arrived += 1
            if arrived == 10_000:
                everyone.set()
            await everyone.wait()
            raise ValueError

        return await Toolbox([find(run)], guard=guard).acall_all([call()] * 10_000)

    with caplog.at_level(logging.CRITICAL, "toolschema"):
        results = asyncio.run(turn())
    assert {result.content for result in results} == {BROKEN}
    assert guard.state()["find"]["consecutive"] == 10_000
    assert list(guard.state()["find"]["calls"].values()) == [10_000]


def test_a_toolbox_can_be_shared_by_threads() -> None:
    guard = RetryGuard(10**6, max_consecutive=10**6)
    toolbox = Toolbox([find(check=bookings)], guard=guard)
    start = threading.Barrier(8)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(number: int) -> list[str]:
        start.wait()
        return [toolbox.call(call({"id": "bk_9"}), "ada").content for _ in range(100)]

    try:
        with ThreadPoolExecutor(8) as pool:
            contents = {content for told in pool.map(work, range(8)) for content in told}
    finally:
        sys.setswitchinterval(interval)
    assert len(contents) == 1
    assert toolbox.rejected == {"find"}
    assert guard.state()["find"]["consecutive"] == 800


def test_the_repr_of_a_call_and_its_result_shows_no_value() -> None:
    made = ToolCall("call_1", "find", SECRET, raw={"arguments": SECRET})
    result = Toolbox([find(lambda value, context: SECRET)]).call(call())
    assert SECRET not in repr((made, result))
    assert repr(made) == "ToolCall(id='call_1', name='find')"
    assert repr(Toolbox([find()])) == "<Toolbox of 1: find>"
    definitions = [ToolDefinition(f"a\nb{number}", "", {}) for number in range(11)]
    shown = repr(Toolbox(Tool(definition, many) for definition in definitions))
    assert shown.startswith("<Toolbox of 11: a\\u000ab0, ")
    assert shown.endswith("a\\u000ab9, ...>")
    assert len(repr(Toolbox([Tool(ToolDefinition("k" * 10**4, "", {}), many)]))) < 100
    assert repr(ToolCall({"x": SECRET}, [SECRET], "{}")) == "ToolCall(id=<dict>, name=<list>)"
    long = ToolCall("i" * 100, "ü\n" * 100, "{}")
    assert repr(long) == (
        "ToolCall(id='" + "i" * 61 + "...', name='" + r"\u00fc\u000a" * 5 + "...')"
    )
    assert len(repr(Toolbox([]).call(long))) < 250
    broken = ToolResult("c", "find", SECRET, is_error=True, exception=ValueError(SECRET))
    assert repr(broken) == (
        "ToolResult(call_id='c', name='find', is_error=True, retryable=False, issues=(),"
        " exception=<ValueError>)"
    )
    assert repr(find()) == "Tool(definition=<ToolDefinition 'find'>, timeout=None, defaults=False)"


def one(value: Any) -> None: ...
def three(value: Any, context: Any, more: Any) -> None: ...
def named(value: Any, *, context: Any) -> None: ...
def many(*values: Any) -> None: ...
def optional(value: Any, context: Any = None, more: Any = None) -> None: ...
def yielding(value: Any, context: Any) -> Any:
    yield value


async def ayielding(value: Any, context: Any) -> Any:
    yield value  # fmt: skip


def test_any_callable_of_two_arguments_will_do() -> None:
    for function in (many, optional, functools.partial(three, 1), max, Asynchronous()):
        assert find(function, function).run is function


@pytest.mark.parametrize(
    ("make", "kind", "sentence"),
    [
        pytest.param(lambda: Tool(READ, many), TypeError, "definition must be a ToolDefinition, not dict", id="definition"),  # type: ignore[arg-type]
        pytest.param(lambda: find("run"), TypeError, 'run of tool "find" must be a function, not str', id="not a function"),
        pytest.param(lambda: find(one), TypeError, "run of tool \"find\" must take two positional arguments; it takes (value: 'Any') -> 'None'", id="one argument"),
        pytest.param(lambda: find(three), TypeError, "run of tool \"find\" must take two positional arguments; it takes (value: 'Any', context: 'Any', more: 'Any') -> 'None'", id="three arguments"),
        pytest.param(lambda: find(named), TypeError, "run of tool \"find\" must take two positional arguments; it takes (value: 'Any', *, context: 'Any') -> 'None'", id="by name only"),
        pytest.param(lambda: find(check=lambda: 1), TypeError, 'check of tool "find" must take two positional arguments; it takes ()', id="check"),
        pytest.param(lambda: find(check=5), TypeError, 'check of tool "find" must be a function, not int', id="check is not a function"),
        pytest.param(lambda: find(yielding), TypeError, 'run of tool "find" must return its answer, not yield it', id="generator"),
        pytest.param(lambda: find(ayielding), TypeError, 'run of tool "find" must return its answer, not yield it', id="async generator"),
        pytest.param(lambda: find(timeout="5"), TypeError, "timeout must be a number of seconds, not str", id="timeout"),
        pytest.param(lambda: find(timeout=True), TypeError, "timeout must be a number of seconds, not bool", id="timeout is a boolean"),
        pytest.param(lambda: find(timeout=0), ValueError, "timeout must be a positive number of seconds", id="timeout is zero"),
        pytest.param(lambda: find(timeout=float("nan")), ValueError, "timeout must be a positive number of seconds", id="timeout is not a number"),
        pytest.param(lambda: find(timeout=float("inf")), ValueError, "timeout must be a positive number of seconds", id="timeout is infinite"),
        pytest.param(lambda: find(defaults=1), TypeError, "defaults must be bool, not int", id="defaults"),
        pytest.param(lambda: Toolbox(5), TypeError, "tools must be an iterable of Tool, not int", id="not an iterable"),  # type: ignore[arg-type]
        pytest.param(lambda: Toolbox([find().definition]), TypeError, "tools must be an iterable of Tool, not of ToolDefinition", id="definitions"),  # type: ignore[list-item]
        pytest.param(lambda: Toolbox([find(), find()]), ValueError, 'two tools are named "find"', id="same name"),
        pytest.param(lambda: Toolbox([], guard={}), TypeError, "guard must be a RetryGuard, not dict", id="guard"),  # type: ignore[arg-type]
        pytest.param(lambda: Toolbox([]).call(call(), guard=1), TypeError, "guard must be a RetryGuard, not int", id="guard of a call"),  # type: ignore[arg-type]
        pytest.param(lambda: Toolbox([]).call({"name": "find"}), TypeError, "call must be a ToolCall, not dict", id="not a call"),  # type: ignore[arg-type]
        pytest.param(lambda: asyncio.run(Toolbox([]).acall("find")), TypeError, "call must be a ToolCall, not str", id="not a call to await"),  # type: ignore[arg-type]
        pytest.param(lambda: asyncio.run(Toolbox([]).acall_all([call(), None])), TypeError, "call must be a ToolCall, not NoneType", id="one is not a call"),  # type: ignore[list-item]
    ],
)  # fmt: skip
def test_a_developers_mistake_raises_a_precise_error(
    make: Callable[[], Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert str(caught.value) == sentence


class Meta(type):
    def __hash__(cls) -> int:
        raise ZeroDivisionError

    def __eq__(cls, other: object) -> bool:
        raise ZeroDivisionError


class Odd(metaclass=Meta):
    pass


@pytest.mark.parametrize("arguments", [Odd(), {"id": Odd()}, [Odd()]])
def test_a_value_of_an_incomparable_class_still_gets_a_result(arguments: Any) -> None:
    """Its metaclass raises from ``__eq__`` and ``__hash__``."""
    result = Toolbox([find()], guard=RetryGuard()).call(call(arguments))
    assert (result.is_error, result.exception) == (True, None)
